//! An evaluation that is learned from games: patterns of men, and the kings.
//!
//! Every [`Windows`] pattern of men on some neighbouring squares has a value of its own for each way in which they can be occupied;
//! the values of all patterns add up. To them come the value of a man, of the turn, and of the [`Kings`]. All values exist twice,
//! for the full and for the empty board, and change in between with the number of pieces. The sum is made of integers, and the
//! same on every machine.
//!
//! [`Learned`] evaluates, [`Weights`] are what has been learned, and a [`WeightsFile`] is how they are kept.

mod embedded;
mod evaluate;
mod features;
mod file;
mod kings;
mod layout;
mod phase;
#[cfg(test)]
mod tests;
mod weights;
mod windows;

pub use super::drawish::{KEPT_PARTS, kept_parts};
pub use embedded::embedded;
pub use evaluate::{Learned, Part};
pub use features::{Features, GameKind};
pub use file::{WeightsError, WeightsFile};
pub use kings::{Kings, Relation};
pub use layout::{Layout, MAX_PATTERN_SQUARES};
pub use phase::{FULL_SHARE, Phases, Shares};
pub use weights::{UNIT, Weight, Weights};
pub use windows::Windows;
