//! What every game on the screen of a terminal needs, whichever game it is: the terminal itself, a line for typing, boxes, colours.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod entry;
mod input;
mod leave;
mod popup;
mod terminal;
pub(crate) mod theme;
#[cfg(test)]
pub(crate) mod written;

pub(crate) use entry::{Entry, EntryState};
pub(crate) use input::{ending_signal, read_terminal};
pub(crate) use leave::{LeaveAnswer, draw_leave_question};
pub(crate) use popup::popup;
pub(crate) use terminal::Screen;
