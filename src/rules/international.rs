//! International draughts, by the rules of the Fédération Mondiale du Jeu de Dames (FMJD), Annex 1 of 2015.

use super::{DrawRules, Ending, Force, Precedence, Promotion, RuleSet};
use crate::board::Shape;

/// International draughts, PDN game type 20.
pub(super) const INTERNATIONAL: RuleSet = RuleSet {
    shape: Shape::BOARD10,
    men_rows: 4,
    // Art. 4.1: men capture in all four directions.
    men_capture_backward: true,
    // Art. 3.9, 4.3, 4.6.
    flying_kings: true,
    // Art. 4.15: a man that only passes the far row stays a man.
    promotion: Promotion::AtRest,
    // Art. 4.13, 4.14: most pieces; kings and men count the same, whichever captures.
    precedence: Precedence::MostPieces,
    draws: DrawRules {
        // Art. 6.1.
        repetitions: 3,
        // Art. 6.2: 25 moves by each side with kings only, without a capture.
        quiet_plies: Some(50),
        endings: &[
            // Art. 6.3: three pieces, one of them a king, against a lone king: 16 moves by each side.
            Ending { force: Force::WithKing, pieces: (3, 3), plies: 32, restarts: false },
            // Art. 6.4: two kings, a king and a man, or a king against a lone king: 5 moves by each side.
            Ending { force: Force::WithKing, pieces: (1, 2), plies: 10, restarts: false },
        ],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};
