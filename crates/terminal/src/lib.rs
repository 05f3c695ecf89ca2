//! Terminal front ends for draughts ([`play`]) and tavla ([`tavla_play`]). Both use the widgets in `screen`.

pub mod play;
mod screen;
pub mod tavla_play;
