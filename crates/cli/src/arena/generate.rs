//! Generated openings: all short lines that are still level.

use super::Opening;
use anyhow::{Result, ensure};
use fastrand::Rng;
use soffio::board::Square;
use soffio::notation::{FenRecord, move_text};
use soffio::position::{AnyRules, GameRules, Key, Move, Position, Setup, any_rules};
use soffio::rules::{Color, RuleSet, Variant, Word};
use std::collections::HashSet;

/// Most positions that are examined; more would fill the memory.
const MOST: usize = 100_000;

/// Returns the value of the position after an opening, in 1/100 man for the side to move; `None` if it is decided.
pub type Judge<'a> = &'a mut dyn FnMut(&Opening) -> Option<i32>;

/// Which lines to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generator {
    pub variant: Variant,
    /// The length of each.
    pub plies: u32,
    /// The distance that the value may have from 0, in 1/100 man.
    pub margin: u32,
    /// The seed of their order.
    pub seed: u64,
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

impl Generator {
    /// Returns up to `count` openings in an order that depends on the seed only: lines that lead to different positions, which
    /// `judge` calls level.
    ///
    /// # Errors
    /// When there are too many lines, or none is level.
    pub fn openings(&self, count: usize, judge: Judge<'_>) -> Result<Vec<Opening>> {
        let mut lines = match any_rules(self.variant) {
            AnyRules::Narrow(rules) => self.all_lines(rules)?,
            AnyRules::Wide(rules) => self.all_lines(rules)?,
        };
        Rng::with_seed(self.seed).shuffle(&mut lines);
        let is_level = |line: &Opening| judge(line).is_some_and(|value| value.unsigned_abs() <= self.margin);
        let openings: Vec<_> = lines.into_iter().filter(is_level).take(count).collect();
        ensure!(!openings.is_empty(), "no line is within the margin");
        Ok(openings)
    }

    /// Returns all lines of so many plies that lead to different positions in which the game goes on.
    fn all_lines<W: Word>(&self, rules: &'static GameRules<W>) -> Result<Vec<Opening>> {
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
                ensure!(longer.len() <= MOST, "more than {MOST} lines, ask for fewer plies");
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

/// Returns the positions where lines begin.
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

/// Returns the moves of a line that begins at `start`.
fn texts<W: Word>(rules: &'static GameRules<W>, start: &Setup, line: &[Move<W>]) -> Vec<String> {
    let Ok(mut position) = Position::from_setup(rules, start) else { return Vec::new() };
    let text = |&mv| {
        let text = move_text(rules.spec(), &position, mv);
        position = position.play(mv);
        text
    };
    line.iter().map(text).collect()
}
