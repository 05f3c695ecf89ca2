//! Casual checkers: English draughts as it is played at home, with most captures and regicide.

use super::english::ENGLISH;
use super::{Precedence, RuleSet};

/// Casual checkers. No federation has rules for it; what is not said here is as in [`English`]: board, numbers, the side
/// that starts, the steps of men and kings, and draws.
pub(super) const CASUAL: RuleSet = RuleSet {
    // A capture of the most pieces must be played; kings and men count the same, whoever captures.
    precedence: Precedence::MostPieces,
    // A man that takes a king is crowned where it lands and goes on as a king, also from the far row. A man that
    // reaches the far row without having taken a king ends its move there.
    regicide: true,
    ..ENGLISH
};
