//! Search parameters, tunable with `soffio tune`.

use crate::board::Lines;
use crate::rules::{Objective, RuleSet};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Larger depths and move indices use the last entry.
const SIZE: usize = 64;

/// A tunable search parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Field name in [`Parameters`].
    pub name: &'static str,
    /// Default value.
    pub value: i32,
    /// Allowed values.
    pub range: RangeInclusive<i32>,
}

macro_rules! parameters {
    ($($(#[$meaning:meta])* $name:ident = $value:literal in $range:expr;)*) => {
        /// Parameters of a search; margins are in cp.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$meaning])* pub $name: i32,)*
            /// LMR reductions in plies, by depth and move index.
            reductions: Box<[[u8; SIZE]; SIZE]>,
        }

        impl Parameters {
            /// All parameters, in the order of [`Parameters::new`].
            pub const ALL: &'static [Parameter] =
                &[$(Parameter { name: stringify!($name), value: $value, range: $range }),*];

            /// Creates parameters from `values`, clamped to their ranges; missing values default.
            pub fn new(values: &[i32]) -> Self {
                let mut values = Self::ALL.iter().enumerate().map(|(index, parameter)| {
                    let value = values.get(index).copied().unwrap_or(parameter.value);
                    value.clamp(*parameter.range.start(), *parameter.range.end())
                });
                $(let $name = values.next().unwrap_or($value);)*
                Self { $($name,)* reductions: Box::new([[0; SIZE]; SIZE]) }.with_reductions()
            }
        }
    };
}

parameters! {
    /// Reverse futility pruning: required excess of the static evaluation over beta, times `depth + 1`.
    reverse_futility_margin = 35 in 10..=120;
    /// Futility pruning: required deficit of the static evaluation below alpha, per ply; doubled or unused in some
    /// variants.
    futility_margin = 100 in 20..=300;
    /// ProbCut: required excess of the shallow search over beta.
    probcut_margin = 30 in 5..=120;
    /// ProbCut: depth of the shallow search, in percent.
    probcut_percent = 40 in 20..=75;
    /// Singular extension: margin below the hash score, plus 1 per ply of depth.
    singular_margin = 5 in 0..=60;
    /// LMR: constant part of the reduction, in hundredths of a ply.
    reduction_base = 75 in 0..=200;
    /// LMR: divisor of `ln(depth) * ln(index)`, in hundredths.
    reduction_divisor = 150 in 80..=400;
    /// LMR: history value that changes the reduction by a ply.
    history_of_a_ply = 6000 in 1000..=30_000;
    /// Half the width of the first aspiration window.
    aspiration_window = 20 in 4..=100;
}

pub(super) static DEFAULTS: LazyLock<Parameters> = LazyLock::new(|| Parameters::new(&[]));

impl Parameters {
    fn with_reductions(mut self) -> Self {
        let logarithms: [f64; SIZE] = std::array::from_fn(|number| (number.max(1) as f64).ln());
        let (base, divisor) = (f64::from(self.reduction_base) / 100.0, f64::from(self.reduction_divisor) / 100.0);
        *self.reductions = logarithms.map(|depth| logarithms.map(|index| (base + depth * index / divisor) as u8));
        self
    }

    /// Returns the futility margin for `spec`, or `None` in variants where a quiet move can change everything
    /// (docs/search.md, "Selectivity").
    pub(super) fn futility_margin_by(&self, spec: &RuleSet) -> Option<i32> {
        let percent = match spec.objective {
            Objective::Losing | Objective::FirstKing => return None,
            Objective::Normal if spec.captures == Lines::Orthogonal => 200,
            Objective::Normal => 100,
        };
        Some(self.futility_margin * percent / 100)
    }

    #[inline]
    pub(super) fn reduction(&self, depth: i32, index: usize) -> i32 {
        i32::from(self.reductions[(depth.max(0) as usize).min(SIZE - 1)][index.min(SIZE - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn values_are_brought_into_their_range_and_those_not_given_are_defaults() {
        let parameters = Parameters::new(&[36, 5000]);
        assert_eq!((parameters.reverse_futility_margin, parameters.futility_margin), (36, 300));
        assert_eq!(Parameters { reverse_futility_margin: 35, futility_margin: 100, ..parameters }, *DEFAULTS);
        for Parameter { name, value, range } in Parameters::ALL {
            assert!(range.contains(value), "{name}");
        }
    }

    #[test]
    fn futility_pruning_goes_by_the_game() {
        let margin = |variant: Variant| DEFAULTS.futility_margin_by(variant.spec());
        assert_eq!([Variant::English, Variant::Frisian, Variant::Killer].map(margin), [Some(100); 3]);
        assert_eq!([Variant::Turkish, Variant::Armenian].map(margin), [Some(200); 2]);
        assert_eq!([Variant::Losing, Variant::LosingEnglish, Variant::Breakthrough].map(margin), [None; 3]);
    }

    #[test]
    fn later_moves_and_deeper_searches_are_reduced_more() {
        assert_eq!(
            [(3, 3), (8, 10), (20, 10), (20, 40)].map(|(depth, index)| DEFAULTS.reduction(depth, index)),
            [1, 3, 5, 8]
        );
        let more = Parameters::new(&Parameters::ALL.iter().map(|parameter| parameter.value + 50).collect::<Vec<_>>());
        assert_eq!((more.reduction(1, 1), DEFAULTS.reduction(1, 1)), (1, 0));
        assert_eq!(DEFAULTS.reduction(200, 200), DEFAULTS.reduction(63, 63));
    }
}
