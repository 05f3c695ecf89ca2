//! Tables without files: what is worth solving before a search.

use super::{Material, Slice, Tables};
use crate::position::Position;
use crate::rules::{RuleSet, Word};

/// Most pieces of a slice that is solved without being asked for.
const MOST_PIECES: u8 = 4;

/// Most pieces at the root of a search for which it is worth while: of more, too few positions of so few pieces are seen.
const MOST_AT_ROOT: u32 = 8;

impl<W: Word> Tables<W> {
    /// The slices that a search from `position` can come to and that are worth solving in memory, in the order in which that
    /// can be done: all of two and three pieces, and those of four that fit `room`, the bytes of memory for all of them; the
    /// first of these, as far as they have no more than `most` positions that are still to solve. Empty if there are too many
    /// pieces yet.
    pub fn worth_solving(&self, position: &Position<W>, room: u64, mut most: u64) -> Vec<Slice> {
        let pieces = position.pieces();
        let smallest = self.board.squares.len() as u64 * self.board.row_length as u64;
        if pieces.all().count() > MOST_AT_ROOT || room == 0 || most < smallest {
            return Vec::new();
        }
        let root = Material::of(pieces);
        let spec = self.rules().spec();
        let mut left = room;
        let mut chosen: Vec<Slice> = Vec::new();
        for slice in Slice::all(spec, MOST_PIECES) {
            let is_small = slice.material().pieces() < MOST_PIECES;
            let size = self.size(slice);
            let has_promotions = |slice: Slice| slice.promotions().all(|to| chosen.contains(&to) || to.is_over(spec));
            if slice.is_within(root) && (is_small || (size <= left && has_promotions(slice))) {
                left = left.saturating_sub(size);
                chosen.push(slice);
            }
        }
        chosen.retain(|&slice| !self.has(slice));
        let fits = |slice: &Slice| match most.checked_sub(self.size(*slice)) {
            Some(rest) => {
                most = rest;
                true
            }
            None => false,
        };
        chosen.into_iter().take_while(fits).collect()
    }
}

impl Slice {
    /// Whether the game is over as soon as these pieces are on the board.
    fn is_over(self, spec: &RuleSet) -> bool {
        !self.is_solvable(spec) && spec.king_moves.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{GameRules, Piece, Setup};
    use crate::rules::{Color, Variant};

    /// Names of the slices for kings on the first and men on the last squares of a board.
    fn chosen(variant: Variant, [white_kings, black_kings, black_men]: [usize; 3], room: u64) -> Vec<String> {
        let rules = GameRules::<u64>::of(variant).unwrap();
        let squares: Vec<_> = rules.spec().shape.all_squares().collect();
        let mut setup = Setup { pieces: [].into(), ..Setup::start(rules.spec()) };
        let colors =
            [(Color::White, true, white_kings), (Color::Black, true, black_kings), (Color::Black, false, black_men)];
        let pieces =
            colors.into_iter().flat_map(|(color, king, count)| std::iter::repeat_n(Piece { color, king }, count));
        setup.pieces.extend(squares.iter().copied().zip(pieces));
        let position = crate::position::Position::from_setup(rules, &setup).unwrap();
        let slices = Tables::new(rules).worth_solving(&position, room, u64::MAX);
        slices.into_iter().map(|slice| slice.to_string()).collect()
    }

    #[test]
    fn only_what_a_game_can_come_to_is_solved() {
        assert_eq!(chosen(Variant::Russian, [2, 1, 0], 1 << 22), ["0m1k-0m1k", "0m2k-0m1k"]);
        let with_man = ["0m1k-0m1k", "0m1k-1m0k", "0m2k-0m1k", "0m2k-1m0k"];
        assert_eq!(chosen(Variant::Russian, [2, 0, 1], 1 << 22), with_man);
        assert!(chosen(Variant::Russian, [3, 1, 0], 1 << 22).contains(&"0m3k-0m1k".to_owned()));
        assert!(!chosen(Variant::Russian, [3, 1, 0], 1 << 16).contains(&"0m3k-0m1k".to_owned()));
        assert!(chosen(Variant::Russian, [6, 3, 0], 1 << 22).is_empty());
        assert!(chosen(Variant::Russian, [2, 1, 0], 0).is_empty());
    }
}
