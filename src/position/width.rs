//! Values whose type depends on the bitboard width, and the rules of all variants.

use super::GameRules;
use crate::rules::{Variant, Word};
use std::any::Any;
use std::sync::LazyLock;

/// One of two values, depending on the bitboard width.
#[derive(Clone, Debug)]
pub enum ByWidth<N, W> {
    /// The value for boards whose layout fits in 64 bits.
    Narrow(N),
    /// The value for larger boards.
    Wide(W),
}

impl<N: Any, W: Any> ByWidth<N, W> {
    /// Returns the value if its type is `T`, or `None` if it has a different type.
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        with_width!(self, thing => (thing as &dyn Any).downcast_ref())
    }
}

/// Evaluates an expression with the value in a [`ByWidth`], regardless of the width.
#[macro_export]
macro_rules! with_width {
    ($any:expr, $thing:pat => $body:expr) => {
        match $any {
            $crate::position::ByWidth::Narrow($thing) => $body,
            $crate::position::ByWidth::Wide($thing) => $body,
        }
    };
}

macro_rules! map_width {
    ($any:expr, $thing:ident => $body:expr) => {
        match $any {
            $crate::position::ByWidth::Narrow($thing) => $crate::position::ByWidth::Narrow($body),
            $crate::position::ByWidth::Wide($thing) => $crate::position::ByWidth::Wide($body),
        }
    };
}

pub(crate) use map_width;
pub use with_width;

/// The rules of any variant, for either bitboard width.
pub type AnyRules = ByWidth<GameRules<u64>, GameRules<u128>>;

/// Returns the rules of `variant`. The rules of all variants are built on first use.
pub fn any_rules(variant: Variant) -> &'static AnyRules {
    static ALL: LazyLock<Vec<AnyRules>> = LazyLock::new(|| {
        let rules = |&variant| {
            let narrow = GameRules::new(variant).map(AnyRules::Narrow);
            narrow.or_else(|| GameRules::new(variant).map(AnyRules::Wide))
        };
        Variant::ALL.iter().filter_map(rules).collect()
    });
    &ALL[variant as usize]
}

impl<W: Word> GameRules<W> {
    /// Returns the rules of `variant`, or `None` if its board does not use bitboards of type `W`.
    pub fn for_variant(variant: Variant) -> Option<&'static Self> {
        any_rules(variant).downcast_ref()
    }
}
