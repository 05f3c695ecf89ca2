//! The engine in a worker in a browser or in Node: it receives and returns lines. The first line selects the protocol.
//!
//! There are no threads. Every few milliseconds, a search calls a JavaScript function that suspends the module, so that
//! the worker's event loop gets a turn. `wasm-opt` rewrites the module for this (asyncify); see `docs/browser.md`.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod foreign;
mod talk;

pub use talk::Talk;
