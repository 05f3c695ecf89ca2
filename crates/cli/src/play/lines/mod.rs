//! The line mode: the game for pipes and screen readers.

mod dialogue;
mod run;

pub use dialogue::Dialogue;
pub use run::{LOST, run_lines};
