//! Plain evaluations from four published reports on draughts programs. The module [`points`] contains the values and
//! the board regions, and explains where they deviate from the reports. Values are in cp.
//!
//! Some evaluations also reward moves ([`Plain::of_move`]). Only the plain players use these rewards, and add them up
//! along a line. The full search cannot use them, because it reaches a position through many lines and evaluates only
//! the position.

use super::points::{self, Regions};
use crate::eval::{Evaluation, Evaluator, MAX_EVALUATION};
use crate::position::{Move, Pieces, Position};
use crate::rules::{Color, Objective, RuleSet, Word};
use std::sync::Arc;
use strum::{IntoStaticStr, VariantArray};

/// The kind of a plain evaluation, named after what it counts besides men and kings. The names in parentheses are those
/// of the student reports; see the `seeds` command.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum PlainKind {
    /// A man is worth 1 and a king 2 (Italian draughts, desktop game and teaching notebook).
    Material,
    /// A man is worth 5 in its own half and 7 in the enemy's half, and a king is worth 10 (desktop game).
    Advance,
    /// The distance between kings in king endgames. The side with more kings approaches, and the other side keeps its
    /// distance (desktop game).
    Distance,
    /// Forward steps, captures and promotions along the line (checkers, user against machine).
    Moves,
    /// Only material counts. This evaluation and the following ones are the eight evaluations of the checkers
    /// automaton.
    Standard,
    Random,
    Centrality,
    BackRows,
    /// Pieces in the centre, on the edge, and next to enemy kings.
    Complete,
    Offensive,
    Defensive,
    Kings,
}

impl PlainKind {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A plain evaluation from the point of view of one side. Many plain evaluations give this side's pieces and enemy
/// pieces different weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    kind: PlainKind,
    spec: &'static RuleSet,
    regions: Regions,
    /// Seed of [`PlainKind::Random`], or 0 for all other kinds.
    seed: u64,
}

impl Plain {
    pub fn new(kind: PlainKind, seed: u64, spec: &'static RuleSet) -> Self {
        let regions = Regions::for_rules(spec);
        // Without randomness, all searches can share the entries of the transposition table.
        Self { kind, spec, regions, seed: if matches!(kind, PlainKind::Random) { seed } else { 0 } }
    }

    pub const fn kind(&self) -> PlainKind {
        self.kind
    }

    pub const fn counts_moves(&self) -> bool {
        matches!(self.kind, PlainKind::Moves | PlainKind::Offensive | PlainKind::Kings)
    }

    /// Returns the value in cp from the point of view of `own`. The value is negated in losing variants.
    #[inline]
    pub fn of_pieces<W: Word>(&self, pieces: &Pieces<W>, own: Color) -> i32 {
        let value = match self.kind {
            PlainKind::Material | PlainKind::Standard => points::material(pieces, own, points::KING),
            PlainKind::Moves => points::material(pieces, own, points::KING_OF_MOVES),
            _ => self.of_features(pieces, own),
        };
        self.flipped(value)
    }

    #[inline(never)]
    fn of_features<W: Word>(&self, pieces: &Pieces<W>, own: Color) -> i32 {
        let beyond = match self.kind {
            PlainKind::Material | PlainKind::Standard | PlainKind::Moves => 0,
            PlainKind::Advance => points::advance(&self.regions, pieces, own),
            PlainKind::Distance => points::distance(self.spec, pieces, own),
            PlainKind::Random => points::random(pieces, self.seed ^ own as u64),
            PlainKind::Centrality => points::centrality(&self.regions, pieces, own),
            PlainKind::BackRows => points::back_rows(&self.regions, pieces, own),
            PlainKind::Complete => points::complete(self.spec, &self.regions, pieces, own),
            PlainKind::Offensive => points::offensive(&self.regions, pieces, own),
            PlainKind::Defensive => points::defensive(self.spec, pieces, own),
            PlainKind::Kings => points::kings(self.spec, &self.regions, pieces, own),
        };
        points::material(pieces, own, points::KING) + beyond
    }

    /// Returns the reward in cp for `mv` from the point of view of the side that plays it.
    #[inline]
    pub fn of_move<W: Word>(&self, position: &Position<W>, mv: Move<W>) -> i32 {
        let by_king = position.pieces().kings.contains(mv.from);
        self.flipped(match self.kind {
            PlainKind::Moves if !by_king && !mv.is_capture() && self.changes_row(mv) => points::STEP_FORWARD,
            PlainKind::Offensive if mv.is_capture() => points::CAPTURE,
            PlainKind::Kings if mv.is_capture() && by_king => points::CAPTURE_BY_KING,
            PlainKind::Kings if mv.is_capture() => points::CAPTURE_BY_MAN,
            _ => 0,
        })
    }

    #[inline(always)]
    fn flipped(&self, value: i32) -> i32 {
        if matches!(self.spec.objective, Objective::Losing) { -value } else { value }
    }

    fn changes_row<W: Word>(&self, mv: Move<W>) -> bool {
        self.spec.shape.row(mv.from) != self.spec.shape.row(mv.to)
    }
}

impl<W: Word> Evaluator<W> for Plain {
    /// Returns half the difference between the values for the two sides. Its sign changes if the sides are exchanged,
    /// as the full search requires.
    fn evaluate(&self, position: &Position<W>) -> i32 {
        let side = position.side();
        let difference = self.of_pieces(position.pieces(), side) - self.of_pieces(position.pieces(), side.opponent());
        (difference / 2).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        let material = Self::new(PlainKind::Material, 0, self.spec).evaluate(position);
        vec![("material", material), (self.kind.name(), self.evaluate(position) - material)]
    }

    fn salt(&self) -> u64 {
        // Any number can be used, as long as it is different for each kind and seed.
        (self.kind as u64 + 1).wrapping_mul(0x9e6c_63d0_985b_2d4f) ^ self.seed.rotate_left(17)
    }
}

impl<W: Word> From<Plain> for Evaluation<W> {
    fn from(plain: Plain) -> Self {
        Self::Other(Arc::new(plain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::tests::position;
    use crate::position::GameRules;
    use crate::rules::Variant;
    use crate::rules::Variant::{English, International, Italian, LosingEnglish, Turkish};
    use std::collections::HashSet;

    fn plain(kind: PlainKind, seed: u64) -> Plain {
        Plain::new(kind, seed, English.spec())
    }

    fn chance(seed: u64) -> Plain {
        Plain::new(PlainKind::Random, seed, Italian.spec())
    }

    fn start() -> Position<u64> {
        Position::start(GameRules::for_variant(Italian).expect("a board of 64 squares"))
    }

    fn value(variant: Variant, kind: PlainKind, pieces: &str) -> i32 {
        let plain = Plain::new(kind, 0, variant.spec());
        let (white, black) = (position(variant, Color::White, pieces), position(variant, Color::Black, pieces));
        let seen = plain.of_pieces(white.pieces(), Color::White);
        if kind != PlainKind::Random {
            assert_eq!(plain.of_pieces(black.pieces(), Color::White), seen, "the side to move does not matter");
        }
        seen
    }

    #[test]
    fn piece_values_match_the_reports() {
        for (variant, kind, pieces, expected) in [
            (English, PlainKind::Material, "w30 w31 W5 b1 B32", 200 + 200 - 100 - 200),
            (English, PlainKind::Standard, "w30 w31 W5 b1 B32", 200 + 200 - 100 - 200),
            (English, PlainKind::Moves, "w30 W5 b1 b2", 100 + 150 - 200),
            // A white man on 16 has crossed the middle, and a white man on 17 has not. A black man on 17 has crossed
            // it.
            (English, PlainKind::Advance, "w16 w17 b12 b13", 40),
            (English, PlainKind::Advance, "w30 b17", -40),
            (English, PlainKind::Advance, "W1 b5", 200 - 100),
            // An uneven king endgame. The distance to 4 (h8) is 7 steps from 29 (a1) and 6 steps from 25 (b2), which
            // gives `7 * 13 / 2`.
            (English, PlainKind::Distance, "W29 W25 B4", 200 - 45),
            (English, PlainKind::Distance, "W4 B29 B25", -200 + 45),
            (English, PlainKind::Distance, "W29 B4", 0),
            (English, PlainKind::Distance, "W29 W25 w24 B4", 300),
            (Turkish, PlainKind::Distance, "W57 W58 B8", 200 - 94),
            // 18 is a centre square, 16 lies only on a centre row, 2 lies only on a centre column, and 29 lies on
            // neither.
            (English, PlainKind::Centrality, "w18 w16 W2 w29", 500 + 800 + 600 + 400),
            (English, PlainKind::Centrality, "b18 b16 B2 b4", -500 - 1000 - 800 - 600),
            (English, PlainKind::BackRows, "w30 W2 w26 w6 w18", 600 + 2 * 800 + 2 * 600),
            (English, PlainKind::BackRows, "b3 b7 b18", -300 - 1000 - 800),
            (International, PlainKind::BackRows, "w50 w45 w40", 300 + 800 + 600),
            // 18 and 10 are centre squares, and 29 and 4 are edge squares.
            (English, PlainKind::Complete, "w18 w29 b4 b10", 500 + 200 - 100 - 200),
            // A man next to an enemy king counts -3 for the side of the man and +1 for the side of the king.
            (English, PlainKind::Complete, "w27 B24", 100 - 200 - 300),
            (English, PlainKind::Complete, "W27 b24", 200 - 100 + 100),
            (English, PlainKind::Offensive, "w18 w17 w7 w24 b14 b27", 400 - 200 + 2 * 200 + 500),
            // 14 and 15 each have two neighbours of the same colour (10 and 18), which also have two neighbours each.
            (English, PlainKind::Defensive, "w10 w14 w15 w18", 400 + 4 * 200),
            (English, PlainKind::Defensive, "w14 w10 b18", 100 + 2 * 100 - 200),
            (English, PlainKind::Defensive, "w14 b17 b18", -100 - 300),
            (English, PlainKind::Kings, "W18 b14", 100 + 700 + 700),
            (English, PlainKind::Kings, "W16 b11 b12", 500),
            (English, PlainKind::Kings, "W29 b1", 100 - 1000),
            (English, PlainKind::Kings, "W30 b1", 100 - 700),
            (English, PlainKind::Kings, "W2 b12", 100 - 400),
            (English, PlainKind::Kings, "w30 B1", -100),
        ] {
            assert_eq!(value(variant, kind, pieces), expected, "{kind:?} {pieces}");
        }
    }

    #[test]
    fn each_step_counts_even_with_many_kings() {
        let [near, far] = ["B14 B15 B18", "B30 B31 B32"]
            .map(|black| value(English, PlainKind::Distance, &format!("W1 W2 W3 W5 W6 W9 W10 {black}")));
        assert!(near > far && far > 300, "there is no bonus for it");
    }

    #[test]
    fn random_values_are_the_same_for_the_same_position_and_seed() {
        let start = start();
        let values: Vec<_> = (0..50).map(|seed| chance(seed).of_pieces(start.pieces(), Color::White)).collect();
        assert!(values.iter().all(|value| (100..=2000).contains(value)), "{values:?}");
        assert!(values.iter().any(|&value| value != values[0]));
        assert_eq!(chance(7).of_pieces(start.pieces(), Color::White), values[7]);
    }

    fn moves(variant: Variant, kind: PlainKind, pieces: &str) -> Vec<i32> {
        let position = position(variant, Color::White, pieces);
        let plain = Plain::new(kind, 0, variant.spec());
        position.legal_moves().iter().map(|&mv| plain.of_move(&position, mv)).collect()
    }

    #[test]
    fn moves_are_counted_by_the_evaluations_that_use_them() {
        assert_eq!(moves(English, PlainKind::Moves, "w29 b1"), [50]);
        assert_eq!(moves(English, PlainKind::Moves, "W29 b1"), [0]);
        assert_eq!(moves(English, PlainKind::Moves, "w29 b25 b1"), [0], "the capture shows in the position");
        let mut turkish = moves(Turkish, PlainKind::Moves, "w36 b1");
        turkish.sort_unstable();
        assert_eq!(turkish, [0, 0, 50], "sideways is not forward");
        assert_eq!(moves(English, PlainKind::Offensive, "w29 b25 b1"), [700]);
        assert_eq!(moves(English, PlainKind::Kings, "w29 b25 b1"), [1000]);
        assert_eq!(moves(English, PlainKind::Kings, "W29 b25 b1"), [1500]);
        for &kind in PlainKind::ALL {
            let counts = moves(English, kind, "w29 b25 b1") != [0] || moves(English, kind, "w29 b1") != [0];
            assert_eq!(plain(kind, 0).counts_moves(), counts, "{kind:?}");
        }
    }

    #[test]
    fn random_values_affect_the_full_search() {
        let start = start();
        let values: Vec<_> = (0..50).map(|seed| chance(seed).evaluate(&start)).collect();
        assert!(values.iter().any(|&value| value > 300) && values.iter().any(|&value| value < -300), "{values:?}");
    }

    #[test]
    fn in_losing_variants_pieces_count_negative() {
        for kind in PlainKind::ALL.iter().copied().filter(|&kind| kind != PlainKind::Random) {
            let (pieces, own) = ("w18 W2 w29 b14", Color::White);
            let value = |variant: Variant| {
                Plain::new(kind, 0, variant.spec()).of_pieces(position(variant, own, pieces).pieces(), own)
            };
            assert_eq!(value(LosingEnglish), -value(English), "{kind:?}");
        }
        assert_eq!(moves(LosingEnglish, PlainKind::Offensive, "w29 b25 b1"), [-700]);
    }

    #[test]
    fn the_full_search_is_symmetric() {
        for &kind in PlainKind::ALL {
            let pieces = "w18 W2 w29 b14 b10 B31";
            let value = |side| plain(kind, 0).evaluate(&position(English, side, pieces));
            assert_eq!(value(Color::White), -value(Color::Black), "{kind:?}");
            let terms = plain(kind, 3).terms(&position(English, Color::Black, pieces));
            let sum: i32 = terms.iter().map(|(_, value)| value).sum();
            assert_eq!(sum, plain(kind, 3).evaluate(&position(English, Color::Black, pieces)));
        }
    }

    #[test]
    fn no_two_evaluations_share_a_table() {
        let salt = |kind, seed| Evaluator::<u64>::salt(&plain(kind, seed));
        let mut salts: HashSet<_> = PlainKind::ALL.iter().map(|&kind| salt(kind, 1)).collect();
        salts.extend([0, salt(PlainKind::Random, 2)]);
        assert_eq!(salts.len(), PlainKind::ALL.len() + 2);
        assert_eq!(plain(PlainKind::Kings, 1), plain(PlainKind::Kings, 2), "without randomness there is no seed");
    }
}
