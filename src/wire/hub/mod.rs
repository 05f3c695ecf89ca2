//! The Hub protocol, version 2: lines with a command and arguments `name=value`. Times are in seconds, scores in men;
//! whatever is not known is ignored.

mod command;
mod level;
mod line;
mod position;
mod reply;

pub use command::{Command, Mode, PositionText};
pub use level::Level;
pub use reply::{Info, Param, Reply};
