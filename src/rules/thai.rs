//! Thai draughts (makhos), as described by the German Wikipedia and the PDN standard.

use super::{Color, DrawRules, FirstSquare, Landing, Notation, Removal, RuleSet};

/// Thai draughts, PDN game type 31.
pub(super) const THAI: RuleSet = RuleSet {
    // PDN; who begins is not settled among players.
    starts: Color::Black,
    men_rows: 2,
    flying_kings: true,
    // A king lands right behind the piece, which is removed at once; it may turn back.
    landing: Landing::Behind,
    removal: Removal::AtOnce,
    may_reverse: true,
    // No counts could be verified: repetition, and the limit of king moves of the Russian game.
    draws: DrawRules { quiet_plies: Some(30), ..DrawRules::REPETITION },
    notation: Notation { first: FirstSquare::BottomRight, capture: '-', ..Notation::NUMERIC },
    ..RuleSet::PLAIN
};
