//! The players: how a play is chosen.

mod settings;
mod think;

pub use settings::{Limits, PlayerKind, Settings};
pub use think::{Finding, Report, Worth, think};

#[cfg(test)]
mod tests;
