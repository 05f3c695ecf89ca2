//! Armenian draughts (tama), as described by W. Schmidt (Le jeu de dames oriental, 1934, by way of Ludii), the English Wikipedia,
//! iGGameCenter and the checkers wiki of Fandom, which agree but on [`RuleSet::promotion`].

use super::turkish::TURKISH;
use super::{DrawRules, Promotion, RuleSet};
use crate::board::Lines;

/// Armenian draughts, which has no number in PDN: Turkish draughts with diagonal steps.
pub(super) const ARMENIAN: RuleSet = RuleSet {
    // Men step forwards, diagonally forwards and sideways, kings move like a queen of chess. Captures are those of Turkish
    // draughts, never diagonal: pieces are removed at once, and two jumps in a row do not go in opposite directions.
    moves: Lines::Both,
    // Disputed, as in Turkish draughts. A man that reaches the far row in the middle of a capture is crowned and goes on as a
    // king: Schmidt, Ludii, Fandom and the program hcheckers. At iGGameCenter only a man that ends its move there is crowned.
    promotion: Promotion::Passing,
    // No draw rule is documented; that one piece each is a draw is said of Turkish draughts alone.
    draws: DrawRules { endings: &[], ..TURKISH.draws },
    ..TURKISH
};
