//! The analysis board: a browser page that contains no rules, and the rules that it requests.
//!
//! [`call`] answers a [`BoardRequest`]; both are JSON. [`page()`] returns the page as a single file. The page needs a
//! host that runs [`call`] and an engine: a web worker, or the program that serves the page.

mod comment;
mod page;
mod pdn;
mod position;
mod request;
#[cfg(test)]
mod tests;
mod tree;
mod variants;

pub use page::{Host, page};
pub use request::{BoardRequest, call};
pub use tree::GameTree;
