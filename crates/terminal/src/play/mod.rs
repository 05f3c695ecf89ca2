//! `soffio play`: human against engine, human against human, or engine against engine.
//!
//! [`PlayGame`] is the model and does not depend on a terminal. Two front ends execute the same [`PlayCommand`]s: the
//! screen, and a line mode for pipes and screen readers. The engine searches on its own threads. A front end waits for
//! input and for engine events at the same time.

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

pub use clock::{PlayTimeControl, shown, shown_left};
pub use command::{GameCommand, HELP, PlayCommand, PlayView, Show, Span, ViewCommand};
pub use evaluation::{EvaluationBar, SearchReport};
pub use game::{GameEvent, Phase, PlayGame};
pub use grid::{Cell, Grid};
pub use lines::run_lines;
pub(crate) use lines::{LOST, lost_before};
pub use player::SidePlayer;
pub use record::{GameChoice, LegalMove, PlayPly, PlayRecord};
pub use screen::run_screen;

#[cfg(test)]
mod tests;
