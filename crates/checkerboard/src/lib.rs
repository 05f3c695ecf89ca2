//! Soffio as an engine of CheckerBoard, the Windows program in which most people play checkers with a computer.
//!
//! CheckerBoard loads its engines as libraries and calls four functions of them, which [`ffi`] exports. What they do is here, as
//! safe code over the same [`Engine`](soffio::Engine) as everything else: [`Instance`] is the engine behind one library. The
//! interface is that of CheckerBoard's `cb_interface.h` and `cb_api_reference.htm` (protocol version 2).
//!
//! One library serves all games that CheckerBoard has; the name of its file says which one it plays.
#![deny(unsafe_code)]
#![deny(missing_docs)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod board;
mod command;
mod convert;
pub mod ffi;
mod game_type;
mod history;
mod instance;
mod search;
pub mod settings;
mod status;
mod time;

pub use game_type::GameType;
pub use instance::{Instance, Played, Reply};
pub use time::Request;
