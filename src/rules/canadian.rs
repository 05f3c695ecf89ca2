//! Draughts on 144 squares: the international rules.

use super::RuleSet;
use super::international::INTERNATIONAL;
use crate::board::Shape;

/// Canadian draughts, PDN game type 27.
pub(super) const CANADIAN: RuleSet = RuleSet { shape: Shape::BOARD12, men_rows: 5, ..INTERNATIONAL };

/// Sri Lankan draughts: Canadian draughts on the mirrored board.
pub(super) const SRI_LANKAN: RuleSet = RuleSet { shape: Shape::BOARD12_MIRRORED, ..CANADIAN };
