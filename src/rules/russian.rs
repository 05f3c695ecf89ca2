//! Russian draughts, by the rules of the FMJD section for draughts on 64 squares (FMJD-64).

use super::{DrawRules, Ending, International, Notation, Precedence, Promotion, RuleSet, Rules, Variant};
use crate::board::{Board8, Board10x8, Geometry};

/// Russian draughts, PDN game type 25.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Russian;

impl Rules for Russian {
    type Geometry = Board8;
    const VARIANT: Variant = Variant::Russian;
    const SPEC: RuleSet = RuleSet {
        shape: Board8::SHAPE,
        men_rows: 3,
        // A man that touches the far row during a capture goes on as a king.
        promotion: Promotion::Passing,
        // Art. 4.6: free choice, but a king lands where it can go on.
        precedence: Precedence::Free,
        draws: DrawRules {
            repetitions: 3,
            // Art. 7.2.4: 15 moves of each side with kings only.
            quiet_plies: 30,
            endings: &[
                // Art. 7.2.3: three or more against a lone king must win by the 15th move.
                Ending { pieces: (3, 12), plies: 30 },
                // Art. 7.2.8: two against one, or one against one: 5 moves.
                Ending { pieces: (1, 2), plies: 10 },
            ],
        },
        notation: Notation { capture: ':', ..Notation::ALGEBRAIC },
        ..International::SPEC
    };
}

/// Spantsiretti: Russian draughts on a board of ten columns, PDN game type 41.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spantsiretti;

impl Rules for Spantsiretti {
    type Geometry = Board10x8;
    const VARIANT: Variant = Variant::Spantsiretti;
    const SPEC: RuleSet = RuleSet { shape: Board10x8::SHAPE, ..Russian::SPEC };
}
