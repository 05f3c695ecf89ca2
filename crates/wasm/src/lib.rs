//! The engine in a worker of a browser or of Node: lines in, lines out. The first line selects the protocol.
//!
//! There are no threads. Every few milliseconds a search calls a JavaScript function that suspends the module, so that
//! the worker's event loop gets a turn. `wasm-opt` rewrites the module for that (asyncify); see `docs/browser.md`.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod foreign;
mod talk;

pub use talk::Talk;
