//! The rules of a variant at run time: the rule set, and its family's generator as a table of functions.
//!
//! With this table, code above the generator is compiled once per bitboard width instead of once per variant.

use super::draw::DrawLimits;
use super::perft::count;
use super::position::play;
use super::side::Side;
use super::{CaptureOrder, IsStopped, Move, MoveList, PartialPerft, Pieces, Position};
use crate::rules::{Color, Family, FamilyVisitor, RuleSet, Variant, Word};
use std::any::Any;
use std::fmt;
use std::sync::LazyLock;

type FillMoves<W> = fn(&Pieces<W>, &'static RuleSet, CaptureOrder, &mut MoveList<W>);
type Fill<W> = fn(&Pieces<W>, &'static RuleSet, &mut MoveList<W>);
type CanMove<W> = fn(&Pieces<W>, &'static RuleSet) -> bool;
type Play<W> = fn(&Position<W>, Move<W>) -> Position<W>;
type CountSequences<W> = fn(
    &Pieces<W>,
    &'static RuleSet,
    (u8, CaptureOrder),
    (&mut [MoveList<W>], IsStopped<'_>),
) -> Result<u64, PartialPerft>;

/// The generator of one side.
struct Generator<W: Word> {
    moves: FillMoves<W>,
    captures: Fill<W>,
    quiet_moves: Fill<W>,
    has_capture: CanMove<W>,
    has_move: CanMove<W>,
    play: Play<W>,
    count_sequences: CountSequences<W>,
}

impl<W: Word> Generator<W> {
    /// `OTHER` is always `!WHITE`.
    const fn of<F: Family<Word = W>, const WHITE: bool, const OTHER: bool>() -> Self {
        Self {
            moves: |pieces, spec, order, list| Side::<F, WHITE> { pieces, spec }.moves(order, list),
            captures: |pieces, spec, list| Side::<F, WHITE> { pieces, spec }.captures(list),
            quiet_moves: |pieces, spec, list| Side::<F, WHITE> { pieces, spec }.add_quiet_moves(list),
            has_capture: |pieces, spec| Side::<F, WHITE> { pieces, spec }.has_capture(),
            has_move: |pieces, spec| Side::<F, WHITE> { pieces, spec }.has_move(),
            play: play::<F, WHITE>,
            count_sequences: count::<F, WHITE, OTHER>,
        }
    }
}

/// The rules of a variant with bitboards of type `W`.
pub struct GameRules<W: Word> {
    variant: Variant,
    spec: &'static RuleSet,
    /// For White and Black to move.
    generators: [Generator<W>; 2],
    far_rows: [W; 2],
    pub(super) draw_limits: DrawLimits<W>,
    pub(super) limits_king_moves: bool,
    compulsory: bool,
}

impl<W: Word> GameRules<W> {
    /// Returns the rules of `variant`, or `None` if its board does not use bitboards of type `W`.
    pub fn of(variant: Variant) -> Option<&'static Self> {
        any_rules(variant).of_width()
    }

    fn new(variant: Variant) -> Option<Self> {
        struct MakeGenerators;
        impl<W: Word> FamilyVisitor<W> for MakeGenerators {
            type Output = [Generator<W>; 2];
            fn visit<F: Family<Word = W>>(self) -> [Generator<W>; 2] {
                [Generator::of::<F, true, false>(), Generator::of::<F, false, true>()]
            }
        }
        let spec = variant.spec();
        let generators = W::with_family(spec, MakeGenerators)?;
        let far_row = |color| W::from_mask(spec.shape.row_mask(spec.far_row(color)));
        Some(Self {
            variant,
            spec,
            generators,
            far_rows: [far_row(Color::White), far_row(Color::Black)],
            draw_limits: DrawLimits::of(spec),
            limits_king_moves: spec.king_moves.is_some(),
            compulsory: spec.compulsory,
        })
    }

    /// Returns the variant of these rules.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the rule set of the variant.
    #[inline(always)]
    pub fn spec(&self) -> &'static RuleSet {
        self.spec
    }

    /// Returns the plies to the draw for the ending on the board with `pieces`, counted from its start, if the limit
    /// depends only on the pieces, not on their squares.
    pub fn ending_limit(&self, pieces: &Pieces<W>) -> Option<u8> {
        self.draw_limits.ending_limit(pieces)
    }

    /// Returns the plies to the draw while the lone king stands on the main road, if it does.
    pub fn main_road_limit(&self, pieces: &Pieces<W>) -> Option<u8> {
        self.draw_limits.main_road_limit(pieces)
    }

    /// Returns whether captures are compulsory.
    #[inline(always)]
    pub fn compulsory(&self) -> bool {
        self.compulsory
    }

    #[inline(always)]
    pub(crate) fn far_row(&self, color: Color) -> W {
        self.far_rows[color as usize]
    }

    #[inline(always)]
    pub(super) fn moves(&self, pieces: &Pieces<W>, color: Color, order: CaptureOrder, list: &mut MoveList<W>) {
        (self.generators[color as usize].moves)(pieces, self.spec, order, list);
    }

    #[inline(always)]
    pub(crate) fn captures(&self, pieces: &Pieces<W>, color: Color, list: &mut MoveList<W>) {
        (self.generators[color as usize].captures)(pieces, self.spec, list);
    }

    #[inline(always)]
    pub(crate) fn add_quiet_moves(&self, pieces: &Pieces<W>, color: Color, list: &mut MoveList<W>) {
        (self.generators[color as usize].quiet_moves)(pieces, self.spec, list);
    }

    /// Ignores limits of king moves. `can_capture` must be accurate.
    #[inline(always)]
    pub(crate) fn fill_moves(&self, pieces: &Pieces<W>, color: Color, can_capture: bool, list: &mut MoveList<W>) {
        list.clear();
        if can_capture {
            self.captures(pieces, color, list);
        }
        if !(can_capture && self.compulsory) {
            self.add_quiet_moves(pieces, color, list);
        }
    }

    /// Returns whether `color` has a capture.
    #[inline(always)]
    pub fn has_capture(&self, pieces: &Pieces<W>, color: Color) -> bool {
        (self.generators[color as usize].has_capture)(pieces, self.spec)
    }

    /// Returns whether `color` has a legal move, ignoring limits of king moves.
    #[inline(always)]
    pub fn has_move(&self, pieces: &Pieces<W>, color: Color) -> bool {
        (self.generators[color as usize].has_move)(pieces, self.spec)
    }

    /// Returns the pieces after the legal move `mv` of `color`.
    #[inline]
    pub fn pieces_after(&self, pieces: &Pieces<W>, color: Color, mv: Move<W>) -> Pieces<W> {
        pieces.after(color, mv, self.far_row(color))
    }

    #[inline(always)]
    pub(super) fn play(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        (self.generators[position.side() as usize].play)(position, mv)
    }

    pub(super) fn count_sequences(
        &self,
        pieces: &Pieces<W>,
        color: Color,
        what: (u8, CaptureOrder),
        tools: (&mut [MoveList<W>], IsStopped<'_>),
    ) -> Result<u64, PartialPerft> {
        (self.generators[color as usize].count_sequences)(pieces, self.spec, what, tools)
    }
}

impl<W: Word> fmt::Debug for GameRules<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rules of {}", self.variant)
    }
}

impl<W: Word> PartialEq for GameRules<W> {
    fn eq(&self, other: &Self) -> bool {
        self.variant == other.variant
    }
}

impl<W: Word> Eq for GameRules<W> {}

/// One of two values, depending on the bitboard width.
#[derive(Clone, Debug)]
pub enum ByWidth<N, W> {
    /// For boards whose layout fits 64 bits.
    Narrow(N),
    /// For larger boards.
    Wide(W),
}

impl<N: Any, W: Any> ByWidth<N, W> {
    /// Returns the value if it has type `T`.
    pub fn of_width<T: Any>(&self) -> Option<&T> {
        with_width!(self, thing => (thing as &dyn Any).downcast_ref())
    }
}

/// Evaluates an expression with the value in a [`ByWidth`], whatever its width.
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

/// The rules of any variant, narrow or wide.
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
