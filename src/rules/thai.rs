//! Thai draughts (makhos), as described by the German Wikipedia and the PDN standard.

use super::{
    Color, DrawRules, FirstSquare, International, Landing, Notation, Precedence, Promotion, Removal, RuleSet, Rules,
    Variant,
};
use crate::board::{Board8, Geometry};

/// Thai draughts, PDN game type 31.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thai;

impl Rules for Thai {
    type Geometry = Board8;
    const VARIANT: Variant = Variant::Thai;
    const SPEC: RuleSet = RuleSet {
        shape: Board8::SHAPE,
        // PDN; who begins is not settled among players.
        starts: Color::Black,
        men_rows: 2,
        men_capture_backward: false,
        // A king lands right behind the piece, which is removed at once; it may turn back.
        landing: Landing::Behind,
        removal: Removal::AtOnce,
        may_reverse: true,
        promotion: Promotion::EndsMove,
        precedence: Precedence::Free,
        // No counts could be verified: repetition, and the limit of king moves of the Russian game.
        draws: DrawRules { quiet_plies: Some(30), ..DrawRules::REPETITION },
        notation: Notation { first: FirstSquare::BottomRight, capture: '-', ..Notation::NUMERIC },
        ..International::SPEC
    };
}
