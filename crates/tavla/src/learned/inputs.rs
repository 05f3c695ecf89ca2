//! The inputs of a network: for every place of each side how many checkers stand there, and the features.

use super::features::{FEATURES, features};
use crate::rules::{Board, Side};

/// Numbers with inputs: the points 1 to 24 and the bar.
const PLACES: usize = 25;

/// Inputs of each place: one checker, two, three or more, and half of those beyond three.
const UNITS: usize = 4;

/// Inputs of a network.
pub const INPUTS: usize = 2 * (PLACES * UNITS + FEATURES);

/// The most inputs that can differ from zero: two for each checker, and the features.
const MOST: usize = 2 * (2 * 15 + FEATURES);

/// The inputs that differ from zero, with their values.
#[derive(Clone, Debug)]
pub struct Inputs {
    active: [(u16, f32); MOST],
    count: usize,
}

impl Inputs {
    /// The inputs of `board`: first those of the side to roll.
    pub fn of(board: &Board) -> Self {
        let mut inputs = Self { active: [(0, 0.0); MOST], count: 0 };
        let half = INPUTS / 2;
        for (first, (side, features)) in
            [0, half].into_iter().zip([&board.own, &board.other].into_iter().zip(features(board)))
        {
            inputs.add_places(first, side);
            for (place, value) in (first + PLACES * UNITS..).zip(features) {
                inputs.add(place, value);
            }
        }
        inputs
    }

    /// The inputs that differ from zero.
    pub fn active(&self) -> &[(u16, f32)] {
        &self.active[..self.count]
    }

    fn add(&mut self, input: usize, value: f32) {
        if value != 0.0 {
            self.active[self.count] = (input as u16, value);
            self.count += 1;
        }
    }

    fn add_places(&mut self, first: usize, side: &Side) {
        for (&count, input) in side.counts().iter().skip(1).zip((first..).step_by(UNITS)) {
            match count {
                0 => {}
                1 => self.add(input, 1.0),
                2 => self.add(input + 1, 1.0),
                more => {
                    self.add(input + 2, 1.0);
                    self.add(input + 3, f32::from(more - 3) / 2.0);
                }
            }
        }
    }
}
