//! English draughts (American checkers), by the rules of the World Checkers Draughts Federation (WCDF).

use super::{Color, DrawRules, RuleSet};

/// English draughts, PDN game type 21.
pub(super) const ENGLISH: RuleSet = RuleSet {
    starts: Color::Black,
    // Art. 1.19: a man that reaches the king row ends its move there. Art. 1.20: free choice among captures, but each is
    // played to its end.
    // Art. 1.32: third occurrence; neither side advanced a man or captured in its last 40 moves.
    draws: DrawRules { quiet_plies: Some(80), ..DrawRules::REPETITION },
    ..RuleSet::PLAIN
};
