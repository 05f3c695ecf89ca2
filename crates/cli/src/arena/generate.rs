//! Generated openings: all short lines that are still level.

use super::Opening;
use fastrand::Rng;
use soffio::board::Square;
use soffio::notation::{FenRecord, move_text};
use soffio::position::{AnyRules, GameRules, Key, Move, Position, Setup, any_rules};
use soffio::rules::{Color, RuleSet, Variant, Word};
use std::collections::HashSet;
use std::fmt;

/// Most positions that are examined; more would fill the memory.
const MOST: usize = 100_000;

/// Evaluates positions, to tell which openings are level.
pub trait Judge {
    /// The value in 1/100 man for the side to move after `opening`; `None` if it is decided.
    fn value(&mut self, opening: &Opening) -> Option<i32>;
}

impl<F: FnMut(&Opening) -> Option<i32>> Judge for F {
    fn value(&mut self, opening: &Opening) -> Option<i32> {
        self(opening)
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
    /// Where they begin.
    pub start: LineStart,
}

/// Where lines begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStart {
    /// At the start position.
    AllMen,
    /// At the start position without one man of each side, any two.
    OneManLess,
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
        let mut lines = match any_rules(self.variant) {
            AnyRules::Narrow(rules) => self.all_lines(rules)?,
            AnyRules::Wide(rules) => self.all_lines(rules)?,
        };
        Rng::with_seed(self.seed).shuffle(&mut lines);
        let is_level = |line: &Opening| judge.value(line).is_some_and(|value| value.unsigned_abs() <= self.margin);
        let openings: Vec<_> = lines.into_iter().filter(is_level).take(count).collect();
        if openings.is_empty() { Err(GenerateError::NoneLevel) } else { Ok(openings) }
    }

    /// All lines of so many plies that lead to different positions in which the game goes on.
    fn all_lines<W: Word>(&self, rules: &'static GameRules<W>) -> Result<Vec<Opening>, GenerateError> {
        let starts = starts(rules.spec(), self.start);
        let positions = starts.iter().filter_map(|start| Some((start, Position::from_setup(rules, start).ok()?)));
        let mut lines: Vec<_> = positions.map(|(start, position)| (start, position, Vec::new())).collect();
        for _ in 0..self.plies {
            let mut seen: HashSet<Key> = HashSet::new();
            let mut longer = Vec::new();
            for (start, position, line) in &lines {
                for &mv in position.legal_moves().iter() {
                    let next = position.play(mv);
                    if next.has_move() && seen.insert(next.key()) {
                        longer.push((*start, next, line.iter().copied().chain([mv]).collect()));
                    }
                }
                if longer.len() > MOST {
                    return Err(GenerateError::TooMany);
                }
            }
            lines = longer;
        }
        let opening = |(start, _, line): &(&Setup, Position<W>, Vec<Move<W>>)| Opening {
            start: (self.start != LineStart::AllMen).then(|| FenRecord::from_setup(rules.spec(), start)),
            moves: texts(rules, start, line),
        };
        Ok(lines.iter().map(opening).collect())
    }
}

/// The positions where lines begin.
fn starts(spec: &RuleSet, start: LineStart) -> Vec<Setup> {
    let all_men = Setup::start(spec);
    let of =
        |color: Color| spec.shape.all_squares().filter(move |square| spec.start_mask(color) >> square.index() & 1 == 1);
    let without = |white: Square, black: Square| {
        let mut setup = all_men.clone();
        setup.pieces.retain(|&square, _| square != white && square != black);
        setup
    };
    match start {
        LineStart::AllMen => vec![all_men],
        LineStart::OneManLess => {
            let pairs = of(Color::White).flat_map(|white| of(Color::Black).map(move |black| (white, black)));
            pairs.map(|(white, black)| without(white, black)).collect()
        }
    }
}

/// The moves of a line that begins at `start`.
fn texts<W: Word>(rules: &'static GameRules<W>, start: &Setup, line: &[Move<W>]) -> Vec<String> {
    let Ok(mut position) = Position::from_setup(rules, start) else { return Vec::new() };
    let text = |&mv| {
        let text = move_text(rules.spec(), &position, mv);
        position = position.play(mv);
        text
    };
    line.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generator(plies: u32, seed: u64) -> Generator {
        Generator { variant: Variant::English, plies, margin: 50, seed, start: LineStart::AllMen }
    }

    fn generate(plies: u32, seed: u64, judge: &mut dyn Judge) -> Result<Vec<Opening>, GenerateError> {
        generator(plies, seed).openings(usize::MAX, judge)
    }

    #[test]
    fn two_moves_of_english_give_its_two_move_ballots() {
        // The 7 first moves have 7 answers each. No two of the 49 lines lead to the same position.
        let all = generate(2, 1, &mut |_: &Opening| Some(0)).unwrap();
        assert_eq!(all.len(), 49);
        let again = generate(2, 1, &mut |_: &Opening| Some(0)).unwrap();
        assert_eq!(all, again, "the same seed gives the same order");
        let other = generate(2, 2, &mut |_: &Opening| Some(0)).unwrap();
        assert_ne!(all, other);
    }

    #[test]
    fn only_level_lines_are_taken() {
        let mut judge = |line: &Opening| match line.moves[0].as_str() {
            "9-13" => Some(-51),
            "9-14" => None,
            _ => Some(50),
        };
        let level = generate(1, 1, &mut judge).unwrap();
        assert_eq!(level.len(), 5);
        assert_eq!(generate(1, 1, &mut |_: &Opening| None), Err(GenerateError::NoneLevel));
        let few = generator(1, 1).openings(2, &mut judge);
        assert_eq!(few.map(|openings| openings.len()), Ok(2));
    }

    #[test]
    fn each_side_can_begin_with_one_man_less() {
        let generator = Generator { start: LineStart::OneManLess, ..generator(0, 1) };
        let openings = generator.openings(usize::MAX, &mut |_: &Opening| Some(0)).unwrap();
        assert_eq!(openings.len(), 12 * 12);
        for opening in openings {
            let start = opening.start.unwrap();
            assert_eq!((start.white.len(), start.black.len()), (11, 11));
        }
    }
}
