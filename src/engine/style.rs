//! The player that chooses moves, and its evaluation.

use super::Strength;
use super::eval_file::EvalFile;
use crate::eval::Evaluation;
use crate::plain::{Plain, PlainKind, PlainPlayer};
use crate::position::GameRules;
use crate::rules::{RuleSet, Word};

/// The name of the full search among the players.
pub(super) const FULL: &str = "full";

/// An evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvaluationKind {
    /// The one learned from games.
    #[default]
    Learned,
    /// A plain one.
    Plain(PlainKind),
}

impl EvaluationKind {
    /// All evaluations, the strongest first.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Learned).chain(PlainKind::ALL.map(Self::Plain))
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Learned => "learned",
            Self::Plain(kind) => kind.name(),
        }
    }

    /// The evaluation called `name`; upper and lower case are the same.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }
}

/// The player that chooses moves, and its evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// A plain player; none for the full search.
    pub player: Option<PlainPlayer>,
    /// The evaluation.
    pub evaluation: EvaluationKind,
    /// The ply of the game from which on [`PlainKind::Kings`] replaces a plain evaluation; 0 for never.
    pub kings_after: u16,
}

impl Style {
    /// The evaluation at `ply` of the game.
    fn kind_at(self, ply: u64) -> EvaluationKind {
        let is_late = self.kings_after > 0 && ply >= u64::from(self.kings_after);
        match self.evaluation {
            EvaluationKind::Plain(_) if is_late => EvaluationKind::Plain(PlainKind::Kings),
            kind => kind,
        }
    }

    /// The evaluation at `ply` of the game; a learned one takes its weights from `file`, if that is for the variant.
    pub(super) fn evaluation_at<W: Word>(
        self,
        rules: &GameRules<W>,
        (strength, ply): (Strength, u64),
        file: Option<&EvalFile>,
    ) -> Evaluation<W> {
        match self.kind_at(ply) {
            EvaluationKind::Learned => {
                let learned = file.and_then(|file| file.for_variant(rules.variant()));
                learned.cloned().map_or_else(|| Evaluation::best(rules), Evaluation::Learned)
            }
            EvaluationKind::Plain(kind) => Plain::new(kind, strength.seed_at(ply), rules.spec()).into(),
        }
    }

    /// The evaluation at `ply` of the game if it is a plain one.
    pub(super) fn plain_at(self, (strength, ply): (Strength, u64), spec: &'static RuleSet) -> Option<Plain> {
        match self.kind_at(ply) {
            EvaluationKind::Plain(kind) => Some(Plain::new(kind, strength.seed_at(ply), spec)),
            EvaluationKind::Learned => None,
        }
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

fn named<T: Copy>(name: &str, none: &str, all: &[T], name_of: fn(T) -> &'static str) -> Option<Option<T>> {
    if name.eq_ignore_ascii_case(none) {
        return Some(None);
    }
    all.iter().find(|&&one| name_of(one).eq_ignore_ascii_case(name)).map(|&one| Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for name in player_names() {
            assert_eq!(player_named(name).map(|player| player.map_or(FULL, PlainPlayer::name)), Some(name));
        }
        for kind in EvaluationKind::all() {
            assert_eq!(EvaluationKind::named(&kind.name().to_uppercase()), Some(kind));
        }
        assert_eq!((player_named("HUMAN"), EvaluationKind::named("")), (None, None));
    }

    #[test]
    fn a_plain_evaluation_gives_way_to_kings_at_its_ply() {
        let kind_at = |evaluation, kings_after, ply| {
            let style = Style { evaluation, kings_after, ..Style::default() };
            style.kind_at(ply)
        };
        let centrality = EvaluationKind::Plain(PlainKind::Centrality);
        assert_eq!(kind_at(centrality, 0, 500), centrality);
        assert_eq!(kind_at(centrality, 70, 69), centrality);
        assert_eq!(kind_at(centrality, 70, 70), EvaluationKind::Plain(PlainKind::Kings));
        assert_eq!(kind_at(EvaluationKind::Learned, 70, 100), EvaluationKind::Learned, "the best one needs no help");
    }
}
