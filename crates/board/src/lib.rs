//! The analysis board: a page for a browser, which knows no rules, and the rules that it asks for.
//!
//! [`call`] takes a request and gives its answer, both JSON; [`Request`] has all of them. [`page()`] is the page as one file. Behind
//! the page stands an engine and this function: in a worker, or in the program that serves it.
#![deny(unsafe_code)]
#![deny(missing_docs)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

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
pub use request::{Request, call};
pub use tree::Tree;
