//! All search constants that `soffio tune` can tune, with their defaults and ranges. A name in quotation marks refers
//! to a section of docs/search.md. [`OVERRIDES`] lists the differences between variants.

use crate::board::Lines;
use crate::rules::{Objective, Variant};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Number of depths and number of move indices in the reduction table. Larger depths and indices use the last entry.
const SIZE: usize = 64;

/// A tunable search parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Field name in [`Parameters`].
    pub name: &'static str,
    /// Default value.
    pub value: i32,
    /// Range of the allowed values.
    pub range: RangeInclusive<i32>,
}

macro_rules! parameters {
    ($($(#[$meaning:meta])* $name:ident = $value:literal in $range:expr;)*) => {
        /// The parameters of a search. Margins are in cp.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$meaning])* pub $name: i32,)*
            /// Late move reductions in plies, indexed by depth and move index.
            reductions: Box<[[u8; SIZE]; SIZE]>,
        }

        impl Parameters {
            /// All parameters, in the order in which [`Parameters::new`] expects their values.
            pub const ALL: &'static [Parameter] =
                &[$(Parameter { name: stringify!($name), value: $value, range: $range }),*];

            /// Creates parameters from `values`. Each value is clamped to the range of its parameter, and missing
            /// values are replaced by defaults.
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
    /// Margin for reverse futility pruning ("Selectivity"). The static evaluation must exceed beta by `depth + 1` times
    /// this margin.
    reverse_futility_margin = 35 in 10..=120;
    /// Margin for futility pruning ("Nodes to a depth"). The static evaluation must be below alpha by `depth` times
    /// this margin.
    futility_margin = 100 in 20..=300;
    /// Margin for ProbCut ("Selectivity"). The score of the shallow search must exceed beta by this margin.
    probcut_margin = 30 in 5..=120;
    /// Depth of the shallow ProbCut search as a percentage of the full depth.
    probcut_percent = 40 in 20..=75;
    /// Margin for the singular extension ("Selectivity"). A hash move is singular if all other moves score less than
    /// the hash score minus this margin and minus 1 cp per ply of depth.
    singular_margin = 5 in 0..=60;
    /// Constant part of a late move reduction ("Selectivity"), in hundredths of a ply.
    lmr_base = 75 in 0..=200;
    /// Divisor of `ln(depth) * ln(index)` in the formula for late move reductions, in hundredths.
    lmr_divisor = 150 in 80..=400;
    /// History value that changes a late move reduction by one ply.
    lmr_history_divisor = 6000 in 1000..=30_000;
    /// Half the width of the first aspiration window of an iteration.
    aspiration_window = 20 in 4..=100;
    /// Maximum depth for reverse futility pruning.
    reverse_futility_depth = 4 in 1..=8;
    /// Maximum depth for futility pruning.
    futility_depth = 2 in 0..=4;
    /// Maximum gain in cp that is expected from a shot. Futility pruning still searches the offers of a position whose
    /// bound is below alpha by less than this gain ("Shots").
    futility_gain = 0 in 0..=1000;
    /// Minimum depth for the enhanced transposition cutoff ("Nodes to a depth"). At smaller depths, the probes cost
    /// more than they save.
    etc_depth = 5 in 3..=10;
    /// Minimum depth for ProbCut ("Shots").
    probcut_depth = 4 in 3..=10;
    /// Minimum depth for the singular extension.
    singular_depth = 6 in 4..=12;
    /// A singular extension is tried only if the hash entry is at most this many plies shallower than the node.
    singular_slack = 3 in 1..=6;
    /// Minimum depth for internal iterative reduction ("Nodes to a depth").
    iir_depth = 4 in 2..=10;
    /// Minimum depth for late move reductions.
    lmr_depth = 3 in 2..=6;
    /// Number of moves at the front of the move order that are never reduced.
    lmr_min_moves = 3 in 1..=8;
    /// Maximum number of plies that history adds to a late move reduction or subtracts from it.
    lmr_max_history = 2 in 0..=4;
    /// Number of plies that are subtracted from the late move reduction of an offer. An offer is a quiet move after
    /// which the opponent must capture. Shots and breakthroughs begin with an offer.
    lmr_offer = 1 in 0..=3;
    /// Maximum history bonus for a cutoff ("Move ordering"), before it is scaled.
    history_bonus = 400 in 50..=512;
    /// Minimum depth of an iteration that uses an aspiration window.
    aspiration_depth = 5 in 2..=10;
    /// Maximum half width of an aspiration window. A window that would become wider is opened completely.
    aspiration_limit = 400 in 50..=2000;
}

/// A change to the parameters for the variants that meet a condition.
struct Override {
    applies: fn(Variant) -> bool,
    change: fn(&mut Parameters),
}

/// All overrides. The measurements are in docs/search.md, "Selectivity". An override may leave a parameter's range: to
/// reduce late moves by one ply less, subtract 100 from `lmr_base`.
const OVERRIDES: &[Override] = &[
    // Futility pruning is disabled in these variants, because a single quiet move can change the score completely.
    Override {
        applies: |variant| variant.spec().objective != Objective::Normal,
        change: |parameters| parameters.futility_depth = 0,
    },
    Override {
        applies: |variant| variant.spec().captures == Lines::Orthogonal,
        change: |parameters| parameters.futility_margin *= 2,
    },
    // Shots are frequent, and ProbCut and futility pruning overlook them (docs/search.md, "Shots").
    Override {
        applies: |variant| variant == Variant::International,
        change: |parameters| {
            parameters.probcut_depth = i32::MAX;
            parameters.futility_gain = 200;
        },
    },
];

static DEFAULTS: LazyLock<Parameters> = LazyLock::new(|| Parameters::new(&[]));

impl Parameters {
    fn with_reductions(mut self) -> Self {
        let logarithms: [f64; SIZE] = std::array::from_fn(|number| (number.max(1) as f64).ln());
        let (base, divisor) = (f64::from(self.lmr_base) / 100.0, f64::from(self.lmr_divisor) / 100.0);
        *self.reductions = logarithms.map(|depth| logarithms.map(|index| (base + depth * index / divisor) as u8));
        self
    }

    /// Returns the parameters for `variant`, which are `base` with the overrides that apply. If `base` is `None`, the
    /// defaults are used.
    pub(super) fn for_variant(base: Option<&Self>, variant: Variant) -> Self {
        let mut parameters = base.unwrap_or(&DEFAULTS).clone();
        for change in OVERRIDES.iter().filter(|change| (change.applies)(variant)) {
            (change.change)(&mut parameters);
        }
        parameters.with_reductions()
    }

    #[inline]
    pub(super) fn reduction(&self, depth: i32, index: usize) -> i32 {
        i32::from(self.reductions[(depth.max(0) as usize).min(SIZE - 1)][index.min(SIZE - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_clamped_and_missing_ones_are_defaults() {
        let parameters = Parameters::new(&[36, 5000]);
        assert_eq!((parameters.reverse_futility_margin, parameters.futility_margin), (36, 300));
        assert_eq!(Parameters { reverse_futility_margin: 35, futility_margin: 100, ..parameters }, *DEFAULTS);
        for Parameter { name, value, range } in Parameters::ALL {
            assert!(range.contains(value), "{name}");
        }
    }

    #[test]
    fn futility_pruning_depends_on_the_variant() {
        let futility = |variant: Variant| {
            let parameters = Parameters::for_variant(None, variant);
            (parameters.futility_depth, parameters.futility_margin)
        };
        assert_eq!([Variant::English, Variant::Frisian, Variant::Killer].map(futility), [(2, 100); 3]);
        assert_eq!([Variant::Turkish, Variant::Armenian].map(futility), [(2, 200); 2]);
        assert_eq!([Variant::Losing, Variant::LosingEnglish, Variant::Breakthrough].map(|v| futility(v).0), [0; 3]);
    }

    #[test]
    fn international_draughts_looks_for_shots() {
        let of = |variant| {
            let parameters = Parameters::for_variant(None, variant);
            (parameters.probcut_depth, parameters.futility_gain)
        };
        assert_eq!(of(Variant::International), (i32::MAX, 200));
        assert_eq!([Variant::English, Variant::Russian].map(of), [(4, 0); 2]);
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
