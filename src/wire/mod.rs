//! The protocols as text, parsed and printed in both directions: for sessions of this engine and for the match runner.

pub mod hub;
pub mod native;

pub use crate::search::Value;

/// The declaration of an option (a *parameter* in Hub).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// Name, which may contain spaces in the native protocol.
    pub name: String,
    /// `check`, `spin`, `combo`, `string` or `button`; in Hub `bool`, `int`, `enum` and others.
    pub kind: String,
    /// Default value.
    pub default: Option<String>,
    /// Minimum and maximum value.
    pub bounds: Option<[String; 2]>,
    /// Allowed words of a combo.
    pub choices: Vec<String>,
}
