//! Adjudication: games end early when the scores of both engines agree on the result.

use super::answer::MoveEvaluation;
use crate::pairs::{Pair, unexpected};
use anyhow::{Error, Result};
use soffio::rules::Color;
use std::fmt;
use std::str::FromStr;

/// When a game is adjudicated a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// First move number from which it is looked at.
    pub from_move: u32,
    /// Moves in a row, of each side.
    pub count: u32,
    /// Greatest score in 1/100 man, either way.
    pub score: u32,
}

/// When a game is adjudicated a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRule {
    /// Moves in a row, of each side.
    pub count: u32,
    /// Least score in 1/100 man for the winner, with which the loser must agree.
    pub score: u32,
}

impl DrawRule {
    /// Whether the last moves of a game fit; the latest is last, and the next has the number `next_move`.
    pub(super) fn fits<'a>(
        &self,
        next_move: u32,
        evaluations: impl DoubleEndedIterator<Item = &'a MoveEvaluation>,
    ) -> bool {
        let is_level = |evaluation: &MoveEvaluation| {
            evaluation.score.is_some_and(|score| score.centimen().unsigned_abs() <= self.score)
        };
        next_move > self.from_move && holds_for_last(self.count, evaluations, |_, evaluation| is_level(evaluation))
    }
}

impl WinRule {
    /// Returns the winner by the last moves of a game, if there is one; the latest is last and was made by `last_side`.
    pub(super) fn winner<'a>(
        &self,
        last_side: Color,
        evaluations: impl DoubleEndedIterator<Item = &'a MoveEvaluation> + Clone,
    ) -> Option<Color> {
        let least = i64::from(self.score);
        let wins = |winner: Color| {
            holds_for_last(self.count, evaluations.clone(), |is_last_side, evaluation| {
                let is_winner = is_last_side == (winner == last_side);
                let own = evaluation.score.map(|score| i64::from(score.centimen()));
                own.is_some_and(|own| if is_winner { own >= least } else { own <= -least })
            })
        };
        [Color::White, Color::Black].into_iter().find(|&color| wins(color))
    }
}

/// Whether `test` holds for the last `count` evaluations of each side; it is told whether they are of the side that moved
/// last.
fn holds_for_last<'a>(
    count: u32,
    evaluations: impl DoubleEndedIterator<Item = &'a MoveEvaluation>,
    test: impl Fn(bool, &MoveEvaluation) -> bool,
) -> bool {
    let wanted = count.saturating_mul(2) as usize;
    let mut last = evaluations.rev().take(wanted).enumerate();
    let mut seen = 0;
    last.all(|(index, evaluation)| {
        seen += 1;
        test(index.is_multiple_of(2), evaluation)
    }) && seen == wanted
}

/// Reads `key=number,key=number` with exactly the `keys`, each with its least number, 0 or 1.
fn numbers<const N: usize>(text: &str, expected: &'static str, keys: [(&str, u32); N]) -> Result<[u32; N]> {
    let mut values = [None; N];
    for pair in Pair::list(text, expected) {
        let pair = pair?;
        let known = keys.iter().zip(&mut values).find(|((key, _), _)| *key == pair.key);
        let (&(_, least), value) = known.ok_or_else(|| pair.unknown(expected))?;
        let expected = if least == 0 { "a number" } else { "a number of at least 1" };
        *value = Some(pair.parse(expected, |&number| number >= least)?);
    }
    let complete = values.iter().all(Option::is_some);
    complete.then(|| values.map(Option::unwrap_or_default)).ok_or_else(|| unexpected(expected, text))
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move={},count={},score={}", self.from_move, self.count, self.score)
    }
}

impl fmt::Display for WinRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "count={},score={}", self.count, self.score)
    }
}

impl FromStr for DrawRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let expected = "move=<number>,count=<moves>,score=<1/100 man>";
        let [from_move, count, score] = numbers(text, expected, [("move", 0), ("count", 1), ("score", 0)])?;
        Ok(Self { from_move, count, score })
    }
}

impl FromStr for WinRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let [count, score] = numbers(text, "count=<moves>,score=<1/100 man>", [("count", 1), ("score", 1)])?;
        Ok(Self { count, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::answer::EngineScore;

    fn evaluations(scores: &[i32]) -> Vec<MoveEvaluation> {
        let evaluation =
            |&score| MoveEvaluation { score: Some(EngineScore::Centimen(score)), ..MoveEvaluation::default() };
        scores.iter().map(evaluation).collect()
    }

    #[test]
    fn a_draw_needs_level_scores_of_both_for_long_enough() {
        let rule: DrawRule = "move=10,count=2,score=5".parse().unwrap();
        assert!(rule.fits(11, evaluations(&[90, 5, -5, 0, 1]).iter()));
        assert!(!rule.fits(10, evaluations(&[0, 0, 0, 0]).iter()), "too early");
        assert!(!rule.fits(11, evaluations(&[0, 0, 0]).iter()), "too few");
        assert!(!rule.fits(11, evaluations(&[0, 6, 0, 0]).iter()), "not level");
        let mut silent = evaluations(&[0, 0, 0, 0]);
        silent[2].score = None;
        assert!(!rule.fits(11, silent.iter()), "who says nothing agrees to nothing");
    }

    #[test]
    fn a_win_needs_both_to_agree() {
        let rule: WinRule = "count=2,score=300".parse().unwrap();
        assert_eq!(rule.winner(Color::White, evaluations(&[-300, 400, -300, 300]).iter()), Some(Color::White));
        assert_eq!(rule.winner(Color::White, evaluations(&[300, -400, 300, -300]).iter()), Some(Color::Black));
        assert_eq!(rule.winner(Color::White, evaluations(&[0, 400, -300, 300]).iter()), None);
        assert_eq!(rule.winner(Color::White, evaluations(&[400, -300, 300]).iter()), None);
        let won = [EngineScore::Loss(4), EngineScore::Win(4), EngineScore::Loss(3), EngineScore::Win(3)];
        let won = won.map(|score| MoveEvaluation { score: Some(score), ..MoveEvaluation::default() });
        assert_eq!(rule.winner(Color::Black, won.iter()), Some(Color::Black));
    }

    #[test]
    fn rules_are_complete_or_refused() {
        for text in ["", "count=2", "count=2,score=x", "count=0,score=3", "count=2,score=0", "count=2,score=3,move=1"] {
            assert!(text.parse::<WinRule>().is_err(), "{text}");
        }
        let error = "count=2".parse::<DrawRule>().unwrap_err().to_string();
        assert_eq!(error, "expected move=<number>,count=<moves>,score=<1/100 man>, found 'count=2'");
        let error = "count=0,score=3".parse::<WinRule>().unwrap_err().to_string();
        assert_eq!(error, "count: expected a number of at least 1, found '0'");
    }
}
