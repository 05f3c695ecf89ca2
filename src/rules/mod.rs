//! The rules of every variant, as data.
//!
//! A [`RuleSet`] is one constant; [`Rules`] gives it to the compiler as a type, so that what a variant does not have
//! costs it nothing. The [`Variant`] registry is the only place that lists all variants.

mod brazilian;
mod canadian;
mod casual;
mod compositions;
mod czech;
mod english;
mod frisian;
mod international;
mod italian;
mod pool;
mod rule_set;
mod russian;
mod spanish;
mod thai;
mod turkish;
mod variant;

pub use brazilian::Brazilian;
pub use canadian::{Canadian, SriLankan};
pub use casual::Casual;
pub use compositions::{Breakthrough, Killer, Losing, Optional};
pub use czech::Czech;
pub use english::English;
pub use frisian::{Frisian, Frysk};
pub use international::International;
pub use italian::Italian;
pub use pool::Pool;
pub use rule_set::{
    Balance, BitsOf, Color, DrawRules, Ending, FirstSquare, Force, Landing, Notation, Objective, Precedence, Promotion,
    Removal, RuleSet, Rules,
};
pub use russian::{Russian, Spantsiretti};
pub use spanish::{Portuguese, Spanish};
pub use thai::Thai;
pub use turkish::Turkish;
pub use variant::{Variant, Visitor};
