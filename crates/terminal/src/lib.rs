//! Games at the keyboard of a terminal: [`play`] draughts, [`tavla_play`] tavla, both on the widgets of `screen`.

pub mod play;
mod screen;
pub mod tavla_play;
