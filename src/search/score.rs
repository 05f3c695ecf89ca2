//! Scores of positions, and the chances of win, draw and loss that go with them.

use crate::position::Position;
use crate::rules::{Objective, RuleSet, Variant, Word};
use crate::tables::{TableOutcome, TableValue};
use derive_more::Display;
use std::ops::{Add, Neg, Sub};

/// Most plies from the root that the search looks ahead.
pub(crate) const MAX_PLY: usize = 192;

/// A value of a position for the side to move: hundredths of a man, or the distance to the end of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(i16);

/// A [`Score`] in terms of the game. It prints as the native protocol writes it: `cp 12`, `win 3`, `loss 3`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Value {
    /// Hundredths of a man.
    #[cfg_attr(feature = "serde", serde(rename = "cp"))]
    #[display("cp {_0}")]
    Centimen(i16),
    /// The side to move wins in so many of its own moves.
    #[display("win {_0}")]
    Win(u16),
    /// The side to move loses after so many of its own moves.
    #[display("loss {_0}")]
    Loss(u16),
}

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// Above every score.
    pub(crate) const INFINITE: Self = Self(i16::MAX);
    /// A win at the root. Every ply until then costs 1.
    const WIN: i16 = 32_000;
    /// Evaluations stay within this bound, wins are beyond it: those that the search sees, and those that endgame tables
    /// report beyond its last ply.
    const MAX_EVALUATION: i16 = Self::WIN - MAX_PLY as i16 - TableValue::MOST_PLIES as i16 - 1;

    /// The score of an evaluation in hundredths of a man, cut where scores of wins begin.
    #[inline]
    pub fn evaluation(centimen: i32) -> Self {
        let most = i32::from(Self::MAX_EVALUATION);
        Self(centimen.clamp(-most, most) as i16)
    }

    /// The least score that is a win.
    #[inline]
    pub(crate) fn least_win() -> Self {
        Self(Self::MAX_EVALUATION + 1)
    }

    /// The score of a side that has lost, `ply` plies from the root.
    #[inline]
    pub(crate) fn lost_at(ply: usize) -> Self {
        Self(ply as i16 - Self::WIN)
    }

    /// The score of a position, `ply` plies from the root, whose side to move has no move.
    #[inline]
    pub fn without_move<W: Word>(position: &Position<W>, ply: usize) -> Self {
        if position.winner_without_move() == position.side() { -Self::lost_at(ply) } else { Self::lost_at(ply) }
    }

    /// The score of a position, `ply` plies from the root, that ends in this way, if it is not a draw.
    #[inline]
    pub(crate) fn of_decided(outcome: TableOutcome, ply: usize) -> Option<Self> {
        match outcome {
            TableOutcome::Win(plies) => Some(-Self::lost_at(ply + usize::from(plies))),
            TableOutcome::Draw => None,
            TableOutcome::Loss(plies) => Some(Self::lost_at(ply + usize::from(plies))),
        }
    }

    /// The worst and the best score that a position `ply` plies from the root can have: the game is over there already,
    /// or with the next move.
    #[inline]
    pub(crate) fn worst_and_best(spec: &RuleSet, ply: usize) -> (Self, Self) {
        match spec.objective {
            Objective::Normal | Objective::FirstKing => (Self::lost_at(ply), -Self::lost_at(ply + 1)),
            Objective::Losing => (Self::lost_at(ply + 1), -Self::lost_at(ply)),
        }
    }

    /// The score at the root of a win in so many of the winner's own moves.
    pub(crate) fn win_in(spec: &RuleSet, moves: u16) -> Self {
        -Self::lost_at(Self::plies_of_win(spec, moves))
    }

    /// Plies from the root to the end of a game that the side to move wins in so many of its own moves.
    pub(crate) fn plies_of_win(spec: &RuleSet, moves: u16) -> usize {
        let plies = 2 * usize::from(moves).clamp(1, MAX_PLY / 2);
        match spec.objective {
            Objective::Normal | Objective::FirstKing => plies - 1,
            Objective::Losing => plies,
        }
    }

    /// The score with so many hundredths of a man added; a win or a loss stays one.
    #[inline]
    pub(crate) fn shifted(self, centimen: i32) -> Self {
        if self.is_decided() { self } else { Self::evaluation(i32::from(self.0) + centimen) }
    }

    /// Returns whether this is a win or a loss.
    #[inline]
    pub fn is_decided(self) -> bool {
        self.0.abs() > Self::MAX_EVALUATION
    }

    /// By how much this score is above `later`, in hundredths of a man; 0 if it is not.
    #[inline]
    pub(crate) fn falls_to(self, later: Self) -> u32 {
        (i32::from(self.0) - i32::from(later.0)).max(0).unsigned_abs()
    }

    /// Returns whether a win or loss at `ply` plies from the root, counted from there, comes within `plies`.
    #[inline]
    pub(crate) fn is_decided_within(self, ply: usize, plies: u16) -> bool {
        self.is_decided() && i32::from(Self::WIN - self.0.abs()) - ply as i32 <= i32::from(plies)
    }

    /// The score in terms of the game.
    pub fn value(self) -> Value {
        let plies = (Self::WIN - self.0.abs()).max(0) as u16;
        if !self.is_decided() {
            Value::Centimen(self.0)
        } else if self.0 > 0 {
            Value::Win(plies.div_ceil(2))
        } else {
            Value::Loss(plies.div_ceil(2))
        }
    }

    /// The score as stored in the table: a win counts its plies from the position, not from the root.
    #[inline]
    pub(crate) fn at_position(self, ply: usize) -> i16 {
        match self.0 {
            score if score > Self::MAX_EVALUATION => score + ply as i16,
            score if score < -Self::MAX_EVALUATION => score - ply as i16,
            score => score,
        }
    }

    /// The inverse of [`Score::at_position`].
    #[inline]
    pub(crate) fn at_root(stored: i16, ply: usize) -> Self {
        Self(match stored {
            score if score > Self::MAX_EVALUATION => score - ply as i16,
            score if score < -Self::MAX_EVALUATION => score + ply as i16,
            score => score,
        })
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
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

/// The chances of the side to move in permille, 1000 together: what games of the engine against itself with about 800 nodes a move
/// ended in. A longer search makes fewer mistakes, and more of its games are draws.
///
/// It prints as the native protocol writes it: `120 700 180`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{win} {draw} {loss}")]
pub struct Wdl {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

/// The chance to win with a score of `s` hundredths of a man is 1 / (1 + exp((a - s) / b)). The four numbers are a of the start position
/// and of the empty board, between which it is linear in the pieces, and the same of b. `tests/campaigns/fit_wdl.py` finds them
/// from games and prints these lines. With a at 0 or above, wins and losses together are never more than everything.
const MODELS: &[(Variant, [f32; 4])] = &[
    (Variant::Armenian, [18.9, 163.0, 182.6, 29.2]),
    (Variant::Brazilian, [50.0, 154.9, 55.0, 36.1]),
    (Variant::Breakthrough, [0.0, 0.0, 112.6, 111.4]),
    (Variant::Canadian, [104.5, 214.9, 239.5, 53.2]),
    (Variant::Casual, [29.0, 90.7, 56.1, 8.9]),
    (Variant::Czech, [95.0, 160.0, 80.3, 36.7]),
    (Variant::Dumm, [263.2, 297.0, 673.5, 78.9]),
    (Variant::English, [33.5, 97.8, 64.4, 10.7]),
    (Variant::Frisian, [7.8, 92.1, 110.6, 44.4]),
    (Variant::Frysk, [52.0, 151.7, 49.8, 26.3]),
    (Variant::International, [58.1, 155.3, 96.1, 42.2]),
    (Variant::Italian, [37.4, 104.6, 59.3, 13.5]),
    (Variant::Jamaican, [61.2, 116.9, 66.8, 20.0]),
    (Variant::KillerBrazilian, [6.9, 83.5, 61.8, 22.1]),
    (Variant::KillerRussian, [3.3, 150.0, 53.9, 54.8]),
    (Variant::Killer, [17.2, 44.5, 133.7, 8.1]),
    (Variant::LosingBrazilian, [0.0, 13.9, 260.4, 5.0]),
    (Variant::LosingEnglish, [0.1, 85.6, 333.4, 5.9]),
    (Variant::LosingItalian, [3.4, 66.8, 237.8, 5.0]),
    (Variant::LosingRussian, [0.0, 13.3, 251.4, 5.0]),
    (Variant::Losing, [0.0, 2.1, 115.2, 97.8]),
    (Variant::Pool, [66.8, 105.6, 68.5, 16.6]),
    (Variant::Portuguese, [87.8, 166.3, 79.2, 34.5]),
    (Variant::Russian, [47.8, 139.2, 54.4, 29.7]),
    (Variant::Spanish, [87.8, 166.3, 79.2, 34.5]),
    (Variant::Spantsiretti, [32.3, 174.5, 77.3, 50.8]),
    (Variant::SriLankan, [104.5, 214.9, 239.5, 53.2]),
    (Variant::Thai, [20.9, 122.7, 52.4, 24.2]),
    (Variant::Turkish, [47.7, 139.0, 130.1, 51.9]),
];

impl Wdl {
    /// The chances of a side to move with `value` when both sides together have so many `pieces`.
    #[must_use]
    pub fn new(variant: Variant, value: Value, pieces: usize) -> Self {
        let centimen = match value {
            Value::Centimen(centimen) => f32::from(centimen),
            Value::Win(_) => return Self { win: 1000, draw: 0, loss: 0 },
            Value::Loss(_) => return Self { win: 0, draw: 0, loss: 1000 },
        };
        let model = |wanted| MODELS.iter().find(|&&(variant, _)| variant == wanted).map(|&(_, numbers)| numbers);
        let model = model(variant).or_else(|| model(variant.with_forced_capture()?));
        let [a_start, a_end, b_start, b_end] = model.unwrap_or([75.0, 75.0, 50.0, 50.0]);
        let share = pieces as f32 / (2.0 * f32::from(variant.spec().men()));
        let (a, b) = (a_start * share + a_end * (1.0 - share), b_start * share + b_end * (1.0 - share));
        let permille = |score: f32| (1000.0 / (1.0 + libm::expf((a - score) / b))).round() as u16;
        let win = permille(centimen);
        let loss = permille(-centimen).min(1000 - win);
        Self { win, draw: 1000 - win - loss, loss }
    }

    /// The same chances as the other side sees them.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_count_the_winners_own_moves() {
        assert_eq!((-Score::lost_at(1)).value(), Value::Win(1));
        assert_eq!((-Score::lost_at(3)).value(), Value::Win(2));
        assert_eq!(Score::lost_at(0).value(), Value::Loss(0));
        assert_eq!(Score::lost_at(4).value(), Value::Loss(2));
        // Where a side without a move has won, it is its opponent who moves last.
        assert_eq!((-Score::lost_at(2)).value(), Value::Win(1));
        assert_eq!(Score::lost_at(3).value(), Value::Loss(2));
        assert!(-Score::lost_at(1) > -Score::lost_at(3), "the shorter win is better");
        assert_eq!(Score::evaluation(-123).value(), Value::Centimen(-123));
    }

    #[test]
    fn evaluations_are_never_wins() {
        for centimen in [i32::MIN, -40_000, 40_000, i32::MAX] {
            assert!(!Score::evaluation(centimen).is_decided());
        }
        assert!(Score::lost_at(MAX_PLY).is_decided());
    }

    #[test]
    fn stored_scores_come_back() {
        for score in [Score::lost_at(7), -Score::lost_at(7), Score::DRAW, Score::evaluation(250)] {
            assert_eq!(Score::at_root(score.at_position(5), 5), score);
        }
        let stored = (-Score::lost_at(9)).at_position(4);
        assert_eq!(Score::at_root(stored, 2).value(), Value::Win(4), "5 plies from the position, 7 from the root");
    }

    #[test]
    fn margins_do_not_overflow() {
        assert_eq!(Score::INFINITE + 500, Score::INFINITE);
        assert_eq!(-Score::INFINITE - 500, -Score::INFINITE);
    }

    #[test]
    fn every_variant_has_a_model() {
        for variant in Variant::listed() {
            assert!(MODELS.iter().any(|&(other, _)| other == variant), "{variant}");
        }
    }

    #[test]
    fn chances_grow_with_the_score_and_are_everything_together() {
        for &variant in Variant::ALL {
            for pieces in [2, 5, 12, 2 * usize::from(variant.spec().men())] {
                let all = (-3000..=3000).step_by(10).map(|score| Wdl::new(variant, Value::Centimen(score), pieces));
                let all: Vec<_> = all.collect();
                assert!(all.iter().all(|wdl| wdl.win + wdl.draw + wdl.loss == 1000), "{variant} {pieces}");
                assert!(all.is_sorted_by_key(|wdl| wdl.win), "{variant} {pieces}");
                let mirrored = all.iter().rev().map(|wdl| wdl.reversed());
                for (wdl, mirrored) in all.iter().zip(mirrored) {
                    assert!(wdl.win.abs_diff(mirrored.win) <= 1, "{variant} {pieces}: {wdl} {mirrored}");
                }
                assert!(all.last().is_some_and(|wdl| wdl.win > 950), "{variant} {pieces}");
            }
        }
    }

    #[test]
    fn a_decided_game_leaves_no_chance() {
        let chances = |value| Wdl::new(Variant::Thai, value, 12).to_string();
        assert_eq!([Value::Win(3), Value::Loss(2)].map(chances), ["1000 0 0", "0 0 1000"]);
    }
}
