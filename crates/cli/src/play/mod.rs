//! The game at the keyboard: a person against the engine, another person, or the engine against itself.
//!
//! A [`Game`] is the model: the board with all moves played and taken back, the players, their time. It does not depend on a
//! terminal. A person enters [`Command`]s. Two front ends obey the same commands: the screen for a terminal, and a line mode
//! for pipes and screen readers. The engine searches on threads of its own, and a front end waits for input and for engine
//! events at the same time.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod command;
mod computer;
mod error;
mod evaluation;
mod file;
mod game;
mod game_choice;
mod game_clock;
mod grid;
mod limits;
mod lines;
mod origin;
mod player;
mod record;
mod screen;
mod stopwatch;
mod thought;
mod time_control;
mod view;

pub use command::{Command, GameCommand, HELP, Show, Span, ViewCommand};
pub use error::PlayError;
pub use evaluation::EvaluationBar;
pub use game::{Game, GameEvent, Phase};
pub use game_choice::GameChoice;
pub use grid::{Cell, Grid};
pub use lines::{Dialogue, LOST, run_lines};
pub use player::Player;
pub use record::{Ply, Record, Way};
pub use screen::{App, run_screen};
pub use stopwatch::{shown, shown_left};
pub use thought::Thought;
pub use time_control::TimeControl;
pub use view::View;

#[cfg(test)]
mod tests;
