//! Openings made by the program itself: all short lines, less those that are already decided.

use super::Opening;
use crate::notation::move_text;
use crate::position::{Key, Move, Position};
use crate::rules::{Rules, Variant, Visitor};
use fastrand::Rng;
use std::collections::HashSet;
use std::fmt;

/// Most positions that are looked at; more would fill the memory.
const MOST: usize = 2_000_000;

/// One who values a position that a line of moves leads to.
pub trait Judge {
    /// The value in 1/100 man for the side to move after `moves` from the start position; `None` if it is decided.
    fn value(&mut self, moves: &[String]) -> Option<i32>;
}

impl<F: FnMut(&[String]) -> Option<i32>> Judge for F {
    fn value(&mut self, moves: &[String]) -> Option<i32> {
        self(moves)
    }
}

/// Which lines to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generator {
    /// The variant.
    pub variant: Variant,
    /// Their length.
    pub plies: u32,
    /// How far the value may be from 0, in 1/100 man.
    pub margin: u32,
    /// What their order depends on.
    pub seed: u64,
}

/// Why there are no openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenerateError {
    /// There are too many lines.
    TooMany,
    /// No line is level.
    NoneLevel,
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => write!(f, "more than {MOST} lines, ask for fewer plies"),
            Self::NoneLevel => f.write_str("no line is within the margin"),
        }
    }
}

impl std::error::Error for GenerateError {}

impl Generator {
    /// Up to `count` openings in an order that depends on the seed only: lines that lead to different positions, which
    /// `judge` calls level.
    ///
    /// # Errors
    /// When there are too many lines, or none is level.
    pub fn openings(&self, count: usize, judge: &mut dyn Judge) -> Result<Vec<Opening>, GenerateError> {
        let mut lines = self.variant.with(All(self.plies))?;
        Rng::with_seed(self.seed).shuffle(&mut lines);
        let is_level = |line: &Vec<String>| judge.value(line).is_some_and(|value| value.unsigned_abs() <= self.margin);
        let level = lines.into_iter().filter(is_level).take(count);
        let openings: Vec<_> = level.map(|moves| Opening { moves, ..Opening::default() }).collect();
        if openings.is_empty() { Err(GenerateError::NoneLevel) } else { Ok(openings) }
    }
}

/// All lines of so many plies that lead to different positions in which the game goes on.
struct All(u32);

impl Visitor for All {
    type Output = Result<Vec<Vec<String>>, GenerateError>;

    fn visit<R: Rules>(self) -> Self::Output {
        let mut lines: Vec<(Position<R>, Vec<Move<R>>)> = vec![(Position::start(), Vec::new())];
        for _ in 0..self.0 {
            let mut seen: HashSet<Key> = HashSet::new();
            let mut longer = Vec::new();
            for (position, line) in &lines {
                for &mv in position.legal_moves().iter() {
                    let next = position.play(mv);
                    if next.has_move() && seen.insert(next.key()) {
                        longer.push((next, line.iter().copied().chain([mv]).collect()));
                    }
                }
                if longer.len() > MOST {
                    return Err(GenerateError::TooMany);
                }
            }
            lines = longer;
        }
        Ok(lines.iter().map(|(_, line)| texts(line)).collect())
    }
}

/// The moves of a line from the start position.
fn texts<R: Rules>(line: &[Move<R>]) -> Vec<String> {
    let mut position = Position::<R>::start();
    let text = |&mv| {
        let text = move_text(&R::SPEC, &position, mv);
        position = position.play(mv);
        text
    };
    line.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generate(plies: u32, seed: u64, judge: &mut dyn Judge) -> Result<Vec<Opening>, GenerateError> {
        Generator { variant: Variant::English, plies, margin: 50, seed }.openings(usize::MAX, judge)
    }

    #[test]
    fn two_moves_of_english_give_its_two_move_ballots() {
        // The 7 first moves have 7 answers each. No two of the 49 lines lead to the same position.
        let all = generate(2, 1, &mut |_: &[String]| Some(0)).unwrap();
        assert_eq!(all.len(), 49);
        let again = generate(2, 1, &mut |_: &[String]| Some(0)).unwrap();
        assert_eq!(all, again, "the same seed gives the same order");
        let other = generate(2, 2, &mut |_: &[String]| Some(0)).unwrap();
        assert_ne!(all, other);
    }

    #[test]
    fn only_level_lines_are_taken() {
        let mut judge = |line: &[String]| match line[0].as_str() {
            "9-13" => Some(-51),
            "9-14" => None,
            _ => Some(50),
        };
        let level = generate(1, 1, &mut judge).unwrap();
        assert_eq!(level.len(), 5);
        assert_eq!(generate(1, 1, &mut |_: &[String]| None), Err(GenerateError::NoneLevel));
        let few = Generator { variant: Variant::English, plies: 1, margin: 50, seed: 1 }.openings(2, &mut judge);
        assert_eq!(few.map(|openings| openings.len()), Ok(2));
    }
}
