//! Moves taken back.

use super::board::TableBoard;
use crate::position::Pieces;
use crate::rules::{Color, Word};

/// Calls `visit` with the pieces before each quiet move of White that leads to `pieces`, except crownings. The caller must
/// check that White could not have captured instead.
#[inline]
pub(super) fn each_retraction<W: Word>(board: &TableBoard<W>, pieces: &Pieces<W>, mut visit: impl FnMut(&Pieces<W>)) {
    let free = board.free(pieces.all());
    let men = pieces.men(Color::White);
    for &direction in &board.men_from {
        for to in (board.step(men, direction) & free).squares() {
            let from = board.step(W::of(to), direction.opposite());
            visit(&Pieces { white: pieces.white ^ from ^ W::of(to), ..*pieces });
        }
    }
    let flies = board.rules.spec().flying_kings;
    for king in pieces.kings(Color::White).squares() {
        let here = W::of(king);
        for &direction in &board.kings_from {
            let mut to = board.step(here, direction) & free;
            while !to.is_empty() {
                let moved = here ^ to;
                visit(&Pieces { white: pieces.white ^ moved, kings: pieces.kings ^ moved, ..*pieces });
                to = if flies { board.step(to, direction) & free } else { W::EMPTY };
            }
        }
    }
}
