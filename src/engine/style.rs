//! The player that chooses moves, and its evaluation, whose weights may come from a file.

use super::Strength;
use crate::eval::Evaluation;
use crate::eval::learned::{EvalFileError, Learned, read_eval_file};
use crate::plain::{Plain, PlainKind, PlainPlayer};
use crate::position::GameRules;
use crate::rules::{RuleSet, Variant, Word};

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

    /// Returns the name that the option has for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Learned => "learned",
            Self::Plain(kind) => kind.name(),
        }
    }

    /// Returns the evaluation called `name`; upper and lower case are the same.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }
}

/// The player that chooses moves, and its evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// A plain player, or the full search.
    pub player: Option<PlainPlayer>,
    /// The evaluation.
    pub evaluation: EvaluationKind,
    /// The ply of the game from which on [`PlainKind::Kings`] replaces a plain evaluation; 0 for never.
    pub kings_after: u16,
}

impl Style {
    /// The name of the full search among the players.
    pub(super) const FULL: &'static str = "full";

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

/// Returns the players with their names, the full search first.
pub(super) fn players() -> impl Iterator<Item = (&'static str, Option<PlainPlayer>)> {
    std::iter::once((Style::FULL, None)).chain(PlainPlayer::ALL.map(|player| (player.name(), Some(player))))
}

/// Weights that were read from a file, for one variant.
#[derive(Clone, Debug)]
pub(super) struct EvalFile {
    variant: Variant,
    learned: Learned,
}

impl EvalFile {
    /// Reads the weights for `variant` in the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or is for another game.
    pub(super) fn read(path: &std::path::Path, variant: Variant) -> Result<Self, EvalFileError> {
        Ok(Self { variant, learned: read_eval_file(path, variant)? })
    }

    /// The evaluation, if it is one for `variant`.
    pub(super) fn for_variant(&self, variant: Variant) -> Option<&Learned> {
        (self.variant == variant).then_some(&self.learned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for kind in EvaluationKind::all() {
            assert_eq!(EvaluationKind::named(&kind.name().to_uppercase()), Some(kind));
        }
        assert_eq!(EvaluationKind::named(""), None);
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
