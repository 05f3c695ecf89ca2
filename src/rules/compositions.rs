//! Variants that are another variant with one rule changed.

use super::{DrawRules, Landing, Objective, Precedence, RuleSet};

/// Killer draughts (Christian Freeling): a king whose last captured piece is a king stops right behind it.
pub(super) const fn killer(base: RuleSet) -> RuleSet {
    RuleSet { landing: Landing::BehindLastKing, ..base }
}

/// The losing game: a side without a move has won.
pub(super) const fn losing(base: RuleSet) -> RuleSet {
    // The counts of the base are for the side that tries to win by force. On lidraughts repetition alone draws, but kings
    // can wander for thousands of moves without one: two programs need a count, and 50 moves of each side disturb nobody.
    let draws = DrawRules { repetitions: base.draws.repetitions, quiet_plies: Some(100), ..DrawRules::REPETITION };
    RuleSet { objective: Objective::Losing, draws, ..base }
}

/// Breakthrough: the side that has the first king has won.
pub(super) const fn breakthrough(base: RuleSet) -> RuleSet {
    // No king ever moves: there is nothing that a draw rule could count.
    RuleSet { objective: Objective::FirstKing, draws: DrawRules::REPETITION, ..base }
}

/// The game without the duty to capture: any capture or quiet move may be played. A capture that was begun is still
/// played to its end.
pub(super) const fn optional(base: RuleSet) -> RuleSet {
    // A side that need not capture at all need not capture the most.
    RuleSet { compulsory: false, precedence: Precedence::Free, ..base }
}
