//! The game at the keyboard: a person against the engine, another person, or the engine against itself.
//!
//! A [`Game`] is the model: the board with all moves played and taken back, the players, their time. It does not depend on a
//! terminal. A person enters [`Command`]s. Two front ends obey the same commands: the screen for a terminal, and a line mode
//! for pipes and screen readers. The engine searches on threads of its own, and a front end waits for input and for engine
//! events at the same time.

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
