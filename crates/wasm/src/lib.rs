//! The engine as a WebAssembly module for a worker in a browser or in Node. The module receives and returns lines, and
//! the first line selects the protocol.
//!
//! There are no threads. Every few milliseconds, a search calls a JavaScript function that suspends the module, so that
//! the worker's event loop gets a turn. To make this possible, `wasm-opt` rewrites the module (asyncify); see
//! `docs/browser.md`.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod foreign;
mod talk;

pub use talk::BrowserSession;
