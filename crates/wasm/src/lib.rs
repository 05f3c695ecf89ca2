//! The engine in a worker of a browser or of Node: lines in, lines out, in the protocol in which the conversation begins.
//!
//! There are no threads. A search is done in the one that there is, and gives the worker's event loop a turn every few
//! milliseconds: it calls a function of JavaScript, which leaves the module and comes back later. The build lets `wasm-opt` rewrite
//! the module so that this is possible (asyncify); `docs/browser.md` tells more.
#![deny(unsafe_code)]
#![deny(missing_docs)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[cfg(target_arch = "wasm32")]
mod foreign;
mod talk;

pub use talk::Talk;
