//! Soffio as an engine library for CheckerBoard, the most widely used checkers program for Windows.
//!
//! CheckerBoard calls four functions, which [`ffi`] exports and [`Instance`] implements in safe code. The interface is
//! described in CheckerBoard's `cb_interface.h` and `cb_api_reference.htm` (protocol version 2). The same library
//! serves all games; its file name selects the game.

pub mod board;
mod command;
mod convert;
pub mod ffi;
mod history;
mod instance;
mod search;
pub mod settings;
mod status;
mod time;

pub use instance::{CommandReply, Instance, MoveReply};
pub use time::TimeRequest;
