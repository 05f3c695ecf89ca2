//! The rules of every variant, as data.
//!
//! A [`RuleSet`] is one constant; [`Rules`] gives it to the compiler as a type, so that what a variant does not have
//! costs it nothing. The [`Variant`] registry is the only place that lists all variants.

mod english;
mod international;
mod italian;
mod rule_set;
mod variant;

pub use english::English;
pub use international::International;
pub use italian::Italian;
pub use rule_set::{BitsOf, Color, DrawRules, Ending, Precedence, Promotion, RuleSet, Rules};
pub use variant::{Variant, Visitor};
