//! The scores that are used inside the search.

use crate::eval::{Chances, Wdl};
use crate::position::Position;
use crate::rules::{Objective, RuleSet, Word};
use crate::score::Value;
use crate::tables::{TableOutcome, TableValue};
use derive_more::Neg;
use std::ops::{Add, Sub};

pub(crate) const MAX_PLY: usize = 192;

/// A score from the point of view of the side to move. It is either an evaluation or the distance to the end of the
/// game.
#[derive(Clone, Copy, Debug, Default, Neg, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(i16);

impl Score {
    /// The score of a draw.
    pub const DRAW: Self = Self(0);
    pub(crate) const INFINITE: Self = Self(i16::MAX);
    /// Score of a side that has won at the root. Every ply until the win reduces the score by 1.
    const WIN: i16 = 32_000;
    /// Maximum evaluation. Larger scores are wins, including endgame table wins that come after `MAX_PLY`.
    const MAX_EVALUATION: i16 = Self::WIN - MAX_PLY as i16 - TableValue::MAX_PLIES as i16 - 1;

    /// Score of a side that is known to win at the root, at an unknown distance. It exceeds all evaluations, and every
    /// ply until such a position reduces it by 1.
    const KNOWN_WIN: i16 = 20_000;
    /// Smallest absolute score that counts plies.
    const MIN_KNOWN_WIN: i16 = Self::KNOWN_WIN - MAX_PLY as i16 - 1;

    /// Creates a score from an evaluation in cp, which is clamped so that it is neither a win nor a loss.
    #[inline]
    pub fn evaluation(cp: i32) -> Self {
        let most = i32::from(Self::MAX_EVALUATION);
        Self(cp.clamp(-most, most) as i16)
    }

    #[inline]
    pub(crate) fn min_win() -> Self {
        Self(Self::MAX_EVALUATION + 1)
    }

    #[inline]
    pub(crate) fn lost_at(ply: usize) -> Self {
        Self(ply as i16 - Self::WIN)
    }

    /// Returns the score of a position that is `ply` plies from the root and in which the side to move has no legal
    /// move.
    #[inline]
    pub fn without_move<W: Word>(position: &Position<W>, ply: usize) -> Self {
        if position.winner_without_move() == position.side() { -Self::lost_at(ply) } else { Self::lost_at(ply) }
    }

    /// Converts an outcome from the endgame tables to a score. Returns `None` for a draw.
    #[inline]
    pub(crate) fn from_outcome(outcome: TableOutcome, ply: usize) -> Option<Self> {
        let lost_after = |plies: Option<u8>| match plies {
            Some(plies) => Self::lost_at(ply + usize::from(plies)),
            None => Self(ply as i16 - Self::KNOWN_WIN),
        };
        match outcome {
            TableOutcome::Win(plies) => Some(-lost_after(plies)),
            TableOutcome::Draw => None,
            TableOutcome::Loss(plies) => Some(lost_after(plies)),
        }
    }

    /// Returns the worst and the best possible score of a position that is `ply` plies from the root. These are the
    /// scores of a game that ends at this position or with the next move.
    #[inline]
    pub(crate) fn worst_and_best(spec: &RuleSet, ply: usize) -> (Self, Self) {
        match spec.objective {
            Objective::Normal | Objective::FirstKing => (Self::lost_at(ply), -Self::lost_at(ply + 1)),
            Objective::Losing => (Self::lost_at(ply + 1), -Self::lost_at(ply)),
        }
    }

    pub(crate) fn win_in(spec: &RuleSet, moves: u16) -> Self {
        -Self::lost_at(Self::plies_of_win(spec, moves))
    }

    /// Returns the number of plies from the root to a win for which the winner needs `moves` moves.
    pub(crate) fn plies_of_win(spec: &RuleSet, moves: u16) -> usize {
        let plies = 2 * usize::from(moves).clamp(1, MAX_PLY / 2);
        match spec.objective {
            Objective::Normal | Objective::FirstKing => plies - 1,
            Objective::Losing => plies,
        }
    }

    #[inline]
    pub(crate) fn shifted(self, cp: i32) -> Self {
        if self.is_decided() { self } else { Self::evaluation(i32::from(self.0) + cp) }
    }

    /// Returns whether this score is a win or a loss.
    #[inline]
    pub fn is_decided(self) -> bool {
        self.0.abs() > Self::MAX_EVALUATION
    }

    #[inline]
    pub(crate) fn drop_to(self, later: Self) -> u32 {
        (i32::from(self.0) - i32::from(later.0)).max(0).unsigned_abs()
    }

    /// Returns whether this score is a win or a loss that comes at most `plies` plies after the position at `ply`.
    #[inline]
    pub(crate) fn is_decided_within(self, ply: usize, plies: u16) -> bool {
        self.is_decided() && i32::from(Self::WIN - self.0.abs()) - ply as i32 <= i32::from(plies)
    }

    /// Returns the evaluation in cp, or `None` if the score is a win or a loss.
    #[inline]
    pub fn cp(self) -> Option<i16> {
        (!self.is_decided()).then_some(self.0)
    }

    /// Returns the number of moves that the side to move makes until the end of the game, or `None` for an evaluation.
    pub(crate) fn moves_to_end(self) -> Option<u16> {
        let plies = (Self::WIN - self.0.abs()).max(0) as u16;
        self.is_decided().then_some(plies.div_ceil(2))
    }

    /// Converts the score to a value for reports. If `chances` is `None`, an evaluation is not rescaled.
    pub fn value(self, chances: Option<Chances>) -> Value {
        match self.moves_to_end() {
            Some(moves) if self.0 > 0 => Value::Win(moves),
            Some(moves) => Value::Loss(moves),
            None => {
                let score = chances.map_or(i32::from(self.0), |chances| chances.score(self.0.into()));
                Value::Cp(Self::evaluation(score).0)
            }
        }
    }

    /// Converts the score of a position at `ply` for the transposition table. The table counts the plies to a win or a
    /// loss from this position, not from the root.
    #[inline]
    pub(crate) fn at_position(self, ply: usize) -> i16 {
        match self.0 {
            score if score > Self::MIN_KNOWN_WIN => score + ply as i16,
            score if score < -Self::MIN_KNOWN_WIN => score - ply as i16,
            score => score,
        }
    }

    #[inline]
    pub(crate) fn at_root(stored: i16, ply: usize) -> Self {
        Self(match stored {
            score if score > Self::MIN_KNOWN_WIN => score - ply as i16,
            score if score < -Self::MIN_KNOWN_WIN => score + ply as i16,
            score => score,
        })
    }
}

impl Value {
    /// Returns the win, draw and loss probabilities of this value.
    #[must_use]
    pub fn wdl(self, chances: Chances) -> Wdl {
        match self {
            Self::Cp(score) => chances.wdl(score),
            Self::Win(_) => Wdl { win: 1000, draw: 0, loss: 0 },
            Self::Loss(_) => Wdl { win: 0, draw: 0, loss: 1000 },
        }
    }
}

impl Add<i16> for Score {
    type Output = Self;

    #[inline]
    fn add(self, margin: i16) -> Self {
        Self(self.0.saturating_add(margin).clamp(-i16::MAX, i16::MAX))
    }
}

impl Sub<i16> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i16) -> Self {
        self + -margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn wins_and_losses_count_the_moves_of_the_side_to_move() {
        assert_eq!((-Score::lost_at(1)).value(None), Value::Win(1));
        assert_eq!((-Score::lost_at(3)).value(None), Value::Win(2));
        assert_eq!(Score::lost_at(0).value(None), Value::Loss(0));
        assert_eq!(Score::lost_at(4).value(None), Value::Loss(2));
        // If the side without a legal move wins, its opponent makes the last move.
        assert_eq!((-Score::lost_at(2)).value(None), Value::Win(1));
        assert_eq!(Score::lost_at(3).value(None), Value::Loss(2));
        assert!(-Score::lost_at(1) > -Score::lost_at(3), "the shorter win is better");
        assert_eq!(Score::evaluation(-123).value(None), Value::Cp(-123));
    }

    #[test]
    fn a_value_depends_on_the_chances() {
        let chances = Chances::for_pieces(Variant::English, 24);
        let value = Score::evaluation(80).value(Some(chances));
        assert_eq!(value, Value::Cp(chances.score(80) as i16));
        assert_eq!((Value::Win(3).wdl(chances).win, Value::Loss(3).wdl(chances).loss), (1000, 1000));
        assert_eq!(Score::lost_at(4).value(Some(chances)), Value::Loss(2));
        let most = Score::evaluation(i32::MAX);
        assert_eq!(most.value(Some(chances)), Value::Cp(most.0), "no evaluation becomes a win");
    }

    #[test]
    fn evaluations_are_never_wins() {
        for cp in [i32::MIN, -40_000, 40_000, i32::MAX] {
            assert!(!Score::evaluation(cp).is_decided());
        }
        assert!(Score::lost_at(MAX_PLY).is_decided());
    }

    #[test]
    fn known_wins_are_better_than_evaluations_and_worse_than_wins_with_a_distance() {
        let known = |ply| Score::from_outcome(TableOutcome::Win(None), ply).unwrap();
        assert!(known(MAX_PLY) > Score::evaluation(crate::eval::MAX_EVALUATION) && known(3) > known(5));
        assert!(known(0) < Score::from_outcome(TableOutcome::Win(Some(u8::MAX)), MAX_PLY).unwrap());
        assert!(!known(0).is_decided() && known(5).at_position(5) == known(0).at_position(0));
    }

    #[test]
    fn stored_scores_are_restored() {
        let known_loss = Score::from_outcome(TableOutcome::Loss(None), 7).unwrap();
        for score in [Score::lost_at(7), -Score::lost_at(7), known_loss, Score::DRAW, Score::evaluation(250)] {
            assert_eq!(Score::at_root(score.at_position(5), 5), score);
        }
        let stored = (-Score::lost_at(9)).at_position(4);
        assert_eq!(Score::at_root(stored, 2).value(None), Value::Win(4), "5 plies from the position, 7 from the root");
    }

    #[test]
    fn margins_do_not_overflow() {
        assert_eq!(Score::INFINITE + 500, Score::INFINITE);
        assert_eq!(-Score::INFINITE - 500, -Score::INFINITE);
    }
}
