//! Brazilian draughts: the international rules on the small board.

use super::international::INTERNATIONAL;
use super::russian::RUSSIAN;
use super::{DrawRules, Notation, RuleSet};
use crate::board::Shape;

/// Brazilian draughts, PDN game type 26.
pub(super) const BRAZILIAN: RuleSet = RuleSet {
    shape: Shape::BOARD8,
    men_rows: 3,
    // Summaries of the Brazilian federation: 20 moves of each side with kings only. Everything else as in Russian
    // draughts, by the common rules of FMJD-64.
    draws: DrawRules { quiet_plies: Some(40), ..RUSSIAN.draws },
    notation: Notation::ALGEBRAIC,
    ..INTERNATIONAL
};
