//! The text protocols. Commands and replies can be both parsed and printed, because sessions of this engine and the
//! match runner use them from opposite sides.

pub mod hub;
pub mod native;

pub use crate::search::Value;

/// The declaration of an option, which Hub calls a *parameter*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// Name of the option, which may contain spaces in the native protocol.
    pub name: String,
    /// Type of the option: `check`, `spin`, `combo`, `string` or `button` in the native protocol, and `bool`, `int`,
    /// `enum` or others in Hub.
    pub kind: String,
    /// Default value, or `None` for a button.
    pub default: Option<String>,
    /// Minimum and maximum value, or `None` if the option does not have them.
    pub bounds: Option<[String; 2]>,
    /// Allowed values of a `combo` or `enum`; empty for all other types.
    pub choices: Vec<String>,
}
