//! Frisian draughts, by the Official Rules of 2011.

use super::{DrawRules, Ending, Force, Precedence, Promotion, RuleSet};
use crate::board::{Lines, Shape};

/// Frisian draughts, PDN game type 40.
pub(super) const FRISIAN: RuleSet = RuleSet {
    shape: Shape::BOARD10,
    men_rows: 4,
    // Pieces capture along rows and columns too, men in all directions.
    captures: Lines::Both,
    men_capture_backward: true,
    flying_kings: true,
    promotion: Promotion::AtRest,
    // Art. 11, 12: the greatest value; at equal value with a king.
    precedence: Precedence::Value,
    // Art. 17: while it has men, a side makes at most three quiet moves in a row with the same king.
    king_moves: Some(3),
    draws: DrawRules {
        // The rules of 2011 have no repetition and no general limit; without the international ones two engines
        // would never end a drawn game.
        quiet_plies: Some(50),
        endings: &[
            // Art. 18: two kings against one: 7 moves.
            Ending { force: Force::Kings, pieces: (2, 2), plies: 14, restarts: false },
            // Art. 21.1: one king each is a draw unless a capture follows at once or is forced; as on lidraughts,
            // two moves of each side show whether it does.
            Ending { force: Force::Kings, pieces: (1, 1), plies: 4, restarts: false },
        ],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};

/// Frysk!: Frisian draughts with five men each.
pub(super) const FRYSK: RuleSet = RuleSet { men_rows: 1, ..FRISIAN };
