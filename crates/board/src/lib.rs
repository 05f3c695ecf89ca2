//! The analysis board. It consists of a browser page, which contains no rules, and of functions that compute the rules
//! for the page.
//!
//! [`call`] answers a [`BoardRequest`]. The request and the answer are JSON. [`page()`] returns the page as a single
//! file. The page needs a host that runs [`call`] and an engine. The host is either a web worker or the program that
//! serves the page.

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
