//! Variants that are another variant with one rule changed.

use super::{DrawRules, Ending, Force, Landing, Objective, Precedence, RuleSet};

/// Killer draughts (Christian Freeling): a king whose last captured piece is a king stops right behind it.
pub(super) const fn killer(base: RuleSet) -> RuleSet {
    // The base ends the hopeless chase of few pieces after a lone king after 5 or 16 moves. Here two kings catch one, which is
    // what the variant was made for, and often need more: only the counts for everything else, and of kings alone, are kept.
    let draws = DrawRules { endings: of_kings_alone(base.draws.endings), main_road: None, ..base.draws };
    RuleSet { landing: Landing::BehindLastKing, draws, ..base }
}

/// Those of `endings`, in which they come first, where the strong side has kings only, and at least three: with fewer it could
/// not win in the base.
const fn of_kings_alone(endings: &'static [Ending]) -> &'static [Ending] {
    let mut kept = 0;
    while kept < endings.len() && matches!(endings[kept].force, Force::Kings) && endings[kept].pieces.0 >= 3 {
        kept += 1;
    }
    endings.split_at(kept).0
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
