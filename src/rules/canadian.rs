//! The international rules on larger boards.

use super::RuleSet;
use super::international::INTERNATIONAL;
use crate::board::Shape;

/// Canadian draughts, PDN game type 27.
pub(super) const CANADIAN: RuleSet = RuleSet { shape: Shape::BOARD12, men_rows: 5, ..INTERNATIONAL };

/// Sri Lankan draughts: Canadian draughts on the mirrored board.
pub(super) const SRI_LANKAN: RuleSet = RuleSet { shape: Shape::BOARD12_MIRRORED, ..CANADIAN };

/// Dumm, or long draughts, of South Africa, on 14x14 with 42 men a side (mlwi.magix.net; the test page of the PDN standard has it as
/// `-1,W,14,14,N2,0`). The old rule to huff a piece that did not capture is left out, as there.
pub(super) const DUMM: RuleSet = RuleSet { shape: Shape::BOARD14, men_rows: 6, ..INTERNATIONAL };
