//! Lets users play games in a terminal: [`play`] draughts, [`tavla_play`] tavla, both built on the widgets in `screen`.

pub mod play;
mod screen;
pub mod tavla_play;
