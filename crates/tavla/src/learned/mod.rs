//! The trained evaluation, which consists of two networks and a bear-off database.
#![allow(clippy::indexing_slicing, reason = "the layers of a network have fixed sizes")]

mod bear_off;
mod features;
mod lookahead;
mod network;
mod temporal;

pub use bear_off::{BearOff, BearOffAccess};
pub use lookahead::{Lookahead, MAX_PLIES, PlayEquity, Rollout};
pub use network::TavlaWeightsFile;
pub use temporal::{Trainer, TrainingSchedule};

use crate::rules::{CHECKERS, TavlaBoard};
use features::TavlaInputs;
use network::TavlaNetwork;
use std::sync::OnceLock;

/// Outcome probabilities for the side to roll.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Probability of a win, including wins by mars.
    pub win: f32,
    pub win_mars: f32,
    pub lose_mars: f32,
}

impl Estimate {
    #[must_use]
    pub fn turned(self) -> Self {
        Self { win: 1.0 - self.win, win_mars: self.lose_mars, lose_mars: self.win_mars }
    }

    /// Returns the expected number of points for the side to roll. If `mars` is true, a mars is worth two points.
    pub fn equity(&self, mars: bool) -> f32 {
        2.0 * self.win - 1.0 + if mars { self.win_mars - self.lose_mars } else { 0.0 }
    }

    /// Returns the weighted mean of `self` (weight `share`) and `other` (weight `1 - share`).
    #[must_use]
    pub fn mixed(self, share: f32, other: &Self) -> Self {
        let mut mixed = Self::default();
        mixed.add(share, &self);
        mixed.add(1.0 - share, other);
        mixed
    }

    pub fn add(&mut self, weight: f32, other: &Self) {
        self.win += weight * other.win;
        self.win_mars += weight * other.win_mars;
        self.lose_mars += weight * other.lose_mars;
    }
}

/// Number of hidden units in the contact network, which is used while the two sides are in contact.
pub const CONTACT_UNITS: usize = 96;

pub const RACE_UNITS: usize = 32;

#[derive(Clone, Debug, PartialEq)]
pub struct TavlaWeights {
    pub contact: TavlaNetwork<CONTACT_UNITS>,
    /// Network for races that are not in the bear-off database.
    pub race: TavlaNetwork<RACE_UNITS>,
}

impl TavlaWeights {
    pub fn random(random: &mut fastrand::Rng) -> Self {
        Self { contact: TavlaNetwork::random(random), race: TavlaNetwork::random(random) }
    }

    pub fn approach(&mut self, other: &Self, part: f32) {
        self.contact.approach(&other.contact, part);
        self.race.approach(&other.race, part);
    }

    pub fn estimate(&self, board: &TavlaBoard, bear_off: BearOffAccess<'_>) -> Estimate {
        if let Some(estimate) = certain(board, bear_off) {
            return estimate;
        }
        let inputs = TavlaInputs::new(board);
        let estimate = if board.has_contact() { self.contact.estimate(&inputs) } else { self.race.estimate(&inputs) };
        possible(board, estimate)
    }

    /// Trains on one position, unless its outcome probabilities are known exactly. Returns the estimate before
    /// training.
    pub fn train(&mut self, board: &TavlaBoard, target: &Estimate, rate: f32) -> Estimate {
        if let Some(estimate) = certain(board, BearOffAccess::WAIT) {
            return estimate;
        }
        let inputs = TavlaInputs::new(board);
        let before = if board.has_contact() {
            self.contact.train(&inputs, target, rate)
        } else {
            self.race.train(&inputs, target, rate)
        };
        possible(board, before)
    }
}

/// Returns the exact probabilities if the game has ended or the position is in the bear-off database, and `None`
/// otherwise. If the database is not available, these positions count as unknown.
pub fn certain(board: &TavlaBoard, bear_off: BearOffAccess<'_>) -> Option<Estimate> {
    if board.other.off() == CHECKERS {
        let lose_mars = f32::from(board.own.off() == 0);
        return Some(Estimate { win: 0.0, win_mars: 0.0, lose_mars });
    }
    if board.own.off() == CHECKERS {
        let win_mars = f32::from(board.other.off() == 0);
        return Some(Estimate { win: 1.0, win_mars, lose_mars: 0.0 });
    }
    if bear_off::is_known(board) { bear_off.table()?.estimate(board) } else { None }
}

/// Removes impossible outcomes. A side that has borne off a checker cannot lose a mars, and wins by mars are included
/// in wins.
fn possible(board: &TavlaBoard, estimate: Estimate) -> Estimate {
    let Estimate { win, win_mars, lose_mars } = estimate;
    let win_mars = if board.other.off() > 0 { 0.0 } else { win_mars.min(win) };
    let lose_mars = if board.own.off() > 0 { 0.0 } else { lose_mars.min(1.0 - win) };
    Estimate { win, win_mars, lose_mars }
}

/// Returns the embedded weights, which are parsed on the first call.
pub fn embedded() -> &'static TavlaWeightsFile {
    static PARSED: OnceLock<TavlaWeightsFile> = OnceLock::new();
    const FILE: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/tavla.weights"));
    #[allow(clippy::expect_used, reason = "a test parses the embedded file")]
    PARSED.get_or_init(|| TavlaWeightsFile::parse(FILE).expect("the file is part of the program, and a test reads it"))
}
