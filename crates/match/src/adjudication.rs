//! Adjudication, which ends a game early when the scores of both engines agree on the result.

use super::answer::cp;
use anyhow::{Error, Result};
use derive_more::Display;
use soffio::engine::Value;
use soffio::rules::Color;
use soffio_support::key_value::{KeyValue, unexpected};
use std::str::FromStr;

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("move={from_move},count={count},score={score}")]
pub struct DrawRule {
    /// The rule applies only after this move number.
    pub from_move: u32,
    /// Number of consecutive moves by each side that must satisfy the rule.
    pub count: u32,
    /// Maximum absolute score in cp, as the engines report it.
    pub score: u32,
}

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("count={count},score={score}")]
pub struct WinRule {
    pub count: u32,
    /// Minimum score of the winner in cp. The score of the loser must not exceed the negative of this value.
    pub score: u32,
}

impl DrawRule {
    /// Returns true if the rule declares the game a draw. The last of `scores` belongs to the latest move; `next_move`
    /// is the number of the next move.
    pub(super) fn fits(&self, next_move: u32, scores: impl Scores) -> bool {
        let is_level = |_, score: Value| cp(score).unsigned_abs() <= self.score;
        next_move > self.from_move && holds_for_last(self.count, scores, is_level)
    }
}

impl WinRule {
    /// Returns the winner, or `None` if the rule does not apply. The last of `scores` belongs to the latest move, which
    /// was made by `last_side`.
    pub(super) fn winner(&self, last_side: Color, scores: impl Scores) -> Option<Color> {
        let least = i64::from(self.score);
        let wins = |winner: Color| {
            holds_for_last(self.count, scores.clone(), |is_last_side, score| {
                let own = i64::from(cp(score));
                if is_last_side == (winner == last_side) { own >= least } else { own <= -least }
            })
        };
        [Color::White, Color::Black].into_iter().find(|&color| wins(color))
    }
}

pub(super) trait Scores: DoubleEndedIterator<Item = Option<Value>> + Clone {}

impl<I: DoubleEndedIterator<Item = Option<Value>> + Clone> Scores for I {}

/// Returns true if `test` holds for the last `count` scores of each side. The first argument of `test` is true for
/// scores of the side that moved last.
fn holds_for_last(count: u32, scores: impl Scores, test: impl Fn(bool, Value) -> bool) -> bool {
    let wanted = count.saturating_mul(2) as usize;
    let mut last = scores.rev().take(wanted).enumerate();
    let mut seen = 0;
    last.all(|(index, score)| {
        seen += 1;
        score.is_some_and(|score| test(index.is_multiple_of(2), score))
    }) && seen == wanted
}

/// Parses `key=number,key=number`. Exactly the given keys must be present, and each number must be at least the minimum
/// for its key (0 or 1).
fn numbers<const N: usize>(text: &str, expected: &'static str, keys: [(&str, u32); N]) -> Result<[u32; N]> {
    let mut values = [None; N];
    for pair in KeyValue::list(text, expected) {
        let pair = pair?;
        let known = keys.iter().zip(&mut values).find(|((key, _), _)| *key == pair.key);
        let (&(_, least), value) = known.ok_or_else(|| pair.unknown(expected))?;
        let expected = if least == 0 { "a number" } else { "a number of at least 1" };
        *value = Some(pair.parse(expected, |&number| number >= least)?);
    }
    let complete = values.iter().all(Option::is_some);
    complete.then(|| values.map(Option::unwrap_or_default)).ok_or_else(|| unexpected(expected, text))
}

impl FromStr for DrawRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let expected = "move=<number>,count=<moves>,score=<cp>";
        let [from_move, count, score] = numbers(text, expected, [("move", 0), ("count", 1), ("score", 0)])?;
        Ok(Self { from_move, count, score })
    }
}

impl FromStr for WinRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let [count, score] = numbers(text, "count=<moves>,score=<cp>", [("count", 1), ("score", 1)])?;
        Ok(Self { count, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(scores: &[i16]) -> impl Scores {
        scores.iter().map(|&score| Some(Value::Cp(score)))
    }

    #[test]
    fn a_draw_needs_balanced_scores_from_both_for_long_enough() {
        let rule: DrawRule = "move=10,count=2,score=5".parse().unwrap();
        assert!(rule.fits(11, scores(&[90, 5, -5, 0, 1])));
        assert!(!rule.fits(10, scores(&[0, 0, 0, 0])), "too early");
        assert!(!rule.fits(11, scores(&[0, 0, 0])), "too few");
        assert!(!rule.fits(11, scores(&[0, 6, 0, 0])), "not level");
        let silent = scores(&[0, 0]).chain([None]).chain(scores(&[0]));
        assert!(!rule.fits(11, silent), "an engine without a score agrees to nothing");
    }

    #[test]
    fn a_win_needs_both_to_agree() {
        let rule: WinRule = "count=2,score=300".parse().unwrap();
        assert_eq!(rule.winner(Color::White, scores(&[-300, 400, -300, 300])), Some(Color::White));
        assert_eq!(rule.winner(Color::White, scores(&[300, -400, 300, -300])), Some(Color::Black));
        assert_eq!(rule.winner(Color::White, scores(&[0, 400, -300, 300])), None);
        assert_eq!(rule.winner(Color::White, scores(&[400, -300, 300])), None);
        let won = [Value::Loss(4), Value::Win(4), Value::Loss(3), Value::Win(3)];
        assert_eq!(rule.winner(Color::Black, won.into_iter().map(Some)), Some(Color::Black));
    }

    #[test]
    fn rules_are_complete_or_rejected() {
        for text in ["", "count=2", "count=2,score=x", "count=0,score=3", "count=2,score=0", "count=2,score=3,move=1"] {
            assert!(text.parse::<WinRule>().is_err(), "{text}");
        }
        let error = "count=2".parse::<DrawRule>().unwrap_err().to_string();
        assert_eq!(error, "expected move=<number>,count=<moves>,score=<cp>, found 'count=2'");
        let error = "count=0,score=3".parse::<WinRule>().unwrap_err().to_string();
        assert_eq!(error, "count: expected a number of at least 1, found '0'");
    }
}
