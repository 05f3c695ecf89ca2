//! The protocols as text, in both directions: what one side writes the other side reads, and both stand here.
//!
//! Sessions and adapters speak them for this engine, the arena with other engines. What the words mean for a game or a search
//! is decided there.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod hub;
pub mod native;

pub use crate::search::Value;

/// The declaration of an option, which Hub calls a parameter: what can be set, and to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// Its name, which may have spaces in the native protocol.
    pub name: String,
    /// Its type: `check`, `spin`, `combo`, `string` or `button`; in Hub `bool`, `int`, `enum` and others.
    pub kind: String,
    /// Its value at the start.
    pub default: Option<String>,
    /// The least and the greatest number it can be.
    pub bounds: Option<[String; 2]>,
    /// The words that it can be.
    pub choices: Vec<String>,
}
