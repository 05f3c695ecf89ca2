//! The program `soffio`: the terminal, other processes, the network and files around the engine of the package
//! `soffio`.
//!
//! The modules; each uses only those before it: `key_value`, lists of `key=value`; `words`, counts and sizes; `json`,
//! JSON objects field by field; `of_file`, errors that name their file; `output_file`, files that appear when they are
//! complete; `stdio`, the conversation on standard input and output; [`dxp`], games over a network; `record`, output
//! for scripts; [`arena`], matches between engine processes; [`batch`], bulk analysis; `book_tools`, opening books;
//! `screen`, the terminal; `play` and `tavla_play`, games at the keyboard; [`tavla_arena`], matches of tavla;
//! [`seeds`], the experiments of student reports; `console`, the commands; [`command_line`].
#![deny(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod book_tools;
pub mod command_line;
mod console;
pub mod seeds;
