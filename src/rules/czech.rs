//! Czech draughts, as the texts of the Czech federation are cited by dctl and the Czech Wikipedia.

use super::russian::RUSSIAN;
use super::{DrawRules, Notation, Precedence, RuleSet};

/// Czech draughts, PDN game type 29.
pub(super) const CZECH: RuleSet = RuleSet {
    flying_kings: true,
    // If a king can capture, a king must; beyond that the choice is free.
    precedence: Precedence::KingFirst,
    // No exact counts could be verified: repetition and 15 king moves of each side, as in Russian draughts.
    draws: DrawRules { quiet_plies: RUSSIAN.draws.quiet_plies, ..DrawRules::REPETITION },
    notation: Notation::ALGEBRAIC,
    ..RuleSet::PLAIN
};
