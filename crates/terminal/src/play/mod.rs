//! `soffio play`: a person against the engine, another person, or the engine against itself.
//!
//! [`Game`] is the model and does not depend on a terminal. Two front ends execute the same [`Command`]s: the screen,
//! and a line mode for pipes and screen readers. The engine searches on its own threads; a front end waits for input
//! and engine events at the same time.

mod clock;
mod command;
mod evaluation;
mod file;
mod game;
mod grid;
mod lines;
mod player;
mod record;
mod screen;

pub use clock::{TimeControl, shown, shown_left};
pub use command::{Command, GameCommand, HELP, Show, Span, View, ViewCommand};
pub use evaluation::{EvaluationBar, SearchReport};
pub use game::{Game, GameEvent, Phase};
pub use grid::{Cell, Grid};
pub use lines::{LOST, run_lines};
pub use player::Player;
pub use record::{GameChoice, LegalMove, Ply, Record};
pub use screen::run_screen;

#[cfg(test)]
mod tests;
