//! The rules of all variants, as data.
//!
//! Each [`RuleSet`] is a constant. The [`Variant`] registry is the only list of variants. Rule sets that share a move
//! generator form a [`Family`].
#![allow(clippy::indexing_slicing, reason = "rule sets are indexed by their own enums")]

mod family;
mod games;
mod rule_set;
mod variant;

pub use crate::board::Color;
pub use family::{Family, FamilyVisitor, Word};
pub use rule_set::{
    DrawRules, Ending, FirstSquare, KingsLimit, Landing, Letters, Notation, Objective, Precedence, Promotion, Removal,
    RuleSet, StrongSide,
};
pub use variant::{Identity, Variant};
