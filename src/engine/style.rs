//! Which player moves, and by which evaluation.

use super::Strength;
use crate::eval::{Evaluation, Plain, PlainKind};
use crate::position::GameRules;
use crate::rules::{RuleSet, Word};
use crate::search::PlainPlayer;

/// The name of the full search among the players.
pub(super) const FULL: &str = "full";

/// The name of the evaluation that plays best.
pub(super) const HAND: &str = "hand";

/// Which player moves, and by which evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// A plain player; none for the full search.
    pub player: Option<PlainPlayer>,
    /// A plain evaluation; none for the one that plays best.
    pub evaluation: Option<PlainKind>,
    /// The ply of the game from which on a plain evaluation gives way to [`PlainKind::Kings`]; 0 for never.
    pub kings_after: u16,
}

impl Style {
    /// The plain evaluation at `ply` of the game; none for the one that plays best.
    fn plain(self, spec: &'static RuleSet, strength: Strength, ply: u64) -> Option<Plain> {
        let is_late = self.kings_after > 0 && ply >= u64::from(self.kings_after);
        let kind = if is_late { self.evaluation.map(|_| PlainKind::Kings) } else { self.evaluation };
        kind.map(|kind| Plain::new(kind, strength.seed_at(ply), spec))
    }

    /// The evaluation at `ply` of the game.
    pub(super) fn evaluation_at<W: Word>(self, rules: &GameRules<W>, strength: Strength, ply: u64) -> Evaluation<W> {
        let plain = self.plain(rules.spec(), strength, ply);
        plain.map_or_else(|| Evaluation::best(rules), Evaluation::Plain)
    }
}

/// The players by name, the full search first.
pub(super) fn player_names() -> Vec<&'static str> {
    std::iter::once(FULL).chain(PlainPlayer::ALL.map(PlainPlayer::name)).collect()
}

/// The player called `name`, as [`Style::player`] has it.
pub(super) fn player_named(name: &str) -> Option<Option<PlainPlayer>> {
    named(name, FULL, &PlainPlayer::ALL, PlainPlayer::name)
}

/// The evaluations by name, the one that plays best first.
pub(super) fn evaluation_names() -> Vec<&'static str> {
    std::iter::once(HAND).chain(PlainKind::ALL.map(PlainKind::name)).collect()
}

/// The evaluation called `name`, as [`Style::evaluation`] has it.
pub(super) fn evaluation_named(name: &str) -> Option<Option<PlainKind>> {
    named(name, HAND, &PlainKind::ALL, PlainKind::name)
}

fn named<T: Copy>(name: &str, none: &str, all: &[T], name_of: fn(T) -> &'static str) -> Option<Option<T>> {
    if name.eq_ignore_ascii_case(none) {
        return Some(None);
    }
    all.iter().find(|&&one| name_of(one).eq_ignore_ascii_case(name)).map(|&one| Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn names_lead_back() {
        for name in player_names() {
            assert_eq!(player_named(name).map(|player| player.map_or(FULL, PlainPlayer::name)), Some(name));
        }
        for name in evaluation_names() {
            assert_eq!(evaluation_named(name).map(|kind| kind.map_or(HAND, PlainKind::name)), Some(name));
        }
        assert_eq!((player_named("HUMAN"), evaluation_named("")), (None, None));
    }

    #[test]
    fn a_plain_evaluation_gives_way_to_kings_at_its_ply() {
        let strength = Strength { seed: 1, ..Strength::default() };
        let kind_at = |evaluation, kings_after, ply| {
            let style = Style { evaluation, kings_after, ..Style::default() };
            style.plain(Variant::English.spec(), strength, ply).map(|plain| plain.kind())
        };
        let centrality = Some(PlainKind::Centrality);
        assert_eq!(kind_at(centrality, 0, 500), centrality);
        assert_eq!(kind_at(centrality, 70, 69), centrality);
        assert_eq!(kind_at(centrality, 70, 70), Some(PlainKind::Kings));
        assert_eq!(kind_at(None, 70, 100), None, "the best evaluation needs no help");
    }
}
