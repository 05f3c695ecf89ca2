//! The program `soffio`: what needs a terminal, other processes, a network or files, around the engine of the package `soffio`.
//!
//! Rooms, each of which knows only those before it: [`pairs`]; [`stdio`], the conversation on standard input and output; [`arena`],
//! matches between engine processes; [`dxp`], games over a network; [`play`] and [`tavla_play`], games at the keyboard;
//! [`tavla_arena`], the games of matches of tavla; [`seeds`], the experiments of student reports; [`console`], the commands; [`command_line`].
#![deny(unsafe_code)]

pub mod arena;
pub mod batch;
pub mod command_line;
pub mod console;
pub mod dxp;
#[cfg(test)]
mod fuzz;
pub mod pairs;
pub mod play;
pub mod record;
mod screen;
pub mod seeds;
pub mod stdio;
pub mod tavla_arena;
pub mod tavla_play;
