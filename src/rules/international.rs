//! International draughts, by the rules of the Fédération Mondiale du Jeu de Dames (FMJD), Annex 1 of 2015.

use super::{
    Color, DrawRules, Ending, Force, Landing, Notation, Objective, Precedence, Promotion, Removal, RuleSet, Rules,
    Variant,
};
use crate::board::{Board10, Geometry, Lines};

/// International draughts, PDN game type 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct International;

impl Rules for International {
    type Geometry = Board10;
    const VARIANT: Variant = Variant::International;
    const SPEC: RuleSet = RuleSet {
        shape: Board10::SHAPE,
        starts: Color::White,
        men_rows: 4,
        empty_rows: 0,
        moves: Lines::Diagonal,
        captures: Lines::Diagonal,
        // Art. 4.1: men capture in all four directions.
        men_capture_backward: true,
        men_capture_kings: true,
        // Art. 3.9, 4.3, 4.6.
        flying_kings: true,
        landing: Landing::Anywhere,
        // Art. 4.8, 4.11: no piece is jumped twice; pieces are lifted after the move.
        removal: Removal::AtEnd,
        may_reverse: false,
        // Art. 4.15: a man that only passes the far row stays a man.
        promotion: Promotion::AtRest,
        // Art. 4.1: a capture is compulsory.
        compulsory: true,
        // Art. 4.13, 4.14: most pieces; kings and men count the same, whoever captures.
        precedence: Precedence::MostPieces,
        regicide: false,
        objective: Objective::Normal,
        king_moves: None,
        notation: Notation::NUMERIC,
        draws: DrawRules {
            // Art. 6.1.
            repetitions: 3,
            // Art. 6.2: 25 moves by each side with kings only, without a capture.
            quiet_plies: Some(50),
            endings: &[
                // Art. 6.3: three pieces, one of them a king, against a lone king: 16 moves by each side.
                Ending { force: Force::WithKing, pieces: (3, 3), plies: 32 },
                // Art. 6.4: two kings, a king and a man, or a king against a lone king: 5 moves by each side.
                Ending { force: Force::WithKing, pieces: (1, 2), plies: 10 },
            ],
            main_road: None,
            balances: &[],
        },
    };
}
