//! Frisian draughts, by the Official Rules of 2011.

use super::{DrawRules, Ending, Force, International, Precedence, RuleSet, Rules, Variant};
use crate::board::{Board10, Lines};

/// Frisian draughts, PDN game type 40.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frisian;

impl Rules for Frisian {
    type Geometry = Board10;
    const VARIANT: Variant = Variant::Frisian;
    const SPEC: RuleSet = RuleSet {
        // Pieces capture along rows and columns too.
        captures: Lines::Both,
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
                Ending { force: Force::Kings, pieces: (2, 2), plies: 14 },
                // Art. 21.1: one king each is a draw unless a capture follows at once or is forced; as on lidraughts,
                // two moves of each side show whether it does.
                Ending { force: Force::Kings, pieces: (1, 1), plies: 4 },
            ],
            ..DrawRules::REPETITION
        },
        ..International::SPEC
    };
}

/// Frysk!: Frisian draughts with five men each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frysk;

impl Rules for Frysk {
    type Geometry = Board10;
    const VARIANT: Variant = Variant::Frysk;
    const SPEC: RuleSet = RuleSet { men_rows: 1, ..Frisian::SPEC };
}
