//! The identity of rules, by which a file says for which it was made.

use super::{RuleSet, Variant};

/// The identity of the rules for which weights, games or endgame tables were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Name of the variant, up to 255 bytes.
    pub variant: String,
    /// Checksum of its rules as text.
    pub rules: u32,
}

impl Identity {
    /// The identity of a variant with these rules, as text in any form that changes when they do.
    pub fn new(variant: &str, rules: &str) -> Self {
        Self { variant: variant.to_owned(), rules: crc32fast::hash(rules.as_bytes()) }
    }

    /// The identity of `variant`.
    pub fn of(variant: Variant) -> Self {
        Self::new(variant.name(), &text(variant.spec()))
    }
}

/// The rules by which pieces move and a side wins. Draw rules and notation are not part of them: what a position is worth hangs
/// little on the first and not at all on the second; endgame tables are judged by the draw rules when they are asked.
fn text(spec: &RuleSet) -> String {
    // A field that is new has to be named here, on one side or the other.
    let RuleSet {
        shape,
        men_rows,
        empty_rows,
        moves,
        captures,
        men_capture_backward,
        men_capture_kings,
        flying_kings,
        landing,
        removal,
        may_reverse,
        promotion,
        compulsory,
        precedence,
        regicide,
        objective,
        king_moves,
        starts: _,
        draws: _,
        notation: _,
    } = spec;
    [
        format!("board {}x{} {:?}, rows {men_rows} {empty_rows}", shape.width, shape.height, shape.corner),
        format!("moves {moves:?}, captures {captures:?}"),
        format!("men capture backward {men_capture_backward}, kings {men_capture_kings}"),
        format!("kings fly {flying_kings}, land {landing:?}, may move {king_moves:?}"),
        format!("captured leave {removal:?}, turn {may_reverse}, crowned {promotion:?}, regicide {regicide}"),
        format!("compulsory {compulsory}, precedence {precedence:?}, objective {objective:?}"),
    ]
    .join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn variants_with_the_same_rules_differ_by_name_alone() {
        let mut by_rules: HashMap<u32, Vec<&str>> = HashMap::new();
        for &variant in Variant::ALL {
            by_rules.entry(Identity::of(variant).rules).or_default().push(variant.name());
        }
        let mut shared: Vec<_> = by_rules.into_values().filter(|names| names.len() > 1).collect();
        shared.sort();
        // A variant with the moves of another one, and other draw rules, another first mover or another notation, belongs here.
        assert_eq!(shared, [vec!["spanish", "portuguese"]]);
    }
}
