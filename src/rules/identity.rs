//! The identity of a rule set, which is stored in files that are valid for only one rule set.

use super::{RuleSet, Variant};

/// Identifies the rules for which weights, games or endgame tables were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name of the variant, at most 255 bytes long.
    pub variant: String,
    /// CRC-32 of the rules in text form.
    pub rules: u32,
}

impl Identity {
    /// Creates an identity from a name and a text form of the rules. The text must change whenever the rules change.
    pub fn new(variant: &str, rules: &str) -> Self {
        Self { variant: variant.to_owned(), rules: crc32fast::hash(rules.as_bytes()) }
    }

    /// Returns the identity of `variant`.
    pub fn of(variant: Variant) -> Self {
        Self::new(variant.name(), &text(variant.spec()))
    }
}

/// Returns the rules of movement and winning as text. The text excludes the notation, because it does not affect the
/// value of a position. It also excludes the draw rules, because they affect the value only slightly and are applied
/// when endgame tables are probed.
fn text(spec: &RuleSet) -> String {
    // The pattern is exhaustive, so every new field must be included or excluded explicitly.
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
    fn variants_with_the_same_moves_differ_by_name_alone() {
        let mut by_rules: HashMap<u32, Vec<&str>> = HashMap::new();
        for &variant in Variant::ALL {
            by_rules.entry(Identity::of(variant).rules).or_default().push(variant.name());
        }
        let shared: Vec<_> = by_rules.into_values().filter(|names| names.len() > 1).collect();
        for same in [["pool", "unified-pool"], ["spanish", "portuguese"]] {
            assert!(shared.iter().any(|names| same.iter().all(|name| names.contains(name))), "{same:?}: {shared:?}");
        }
        for names in shared {
            let specs: Vec<_> = names.iter().filter_map(|name| Variant::named(name)).map(Variant::spec).collect();
            assert!(specs.iter().all(|spec| spec.is_alike(specs[0])), "{names:?}");
        }
    }
}
