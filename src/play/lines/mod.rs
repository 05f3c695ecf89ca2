//! The line mode: the game for pipes and for those who have lines read to them.

mod dialogue;
mod run;

pub use dialogue::Dialogue;
pub use run::run_lines;
