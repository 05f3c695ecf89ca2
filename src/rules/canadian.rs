//! Draughts on 144 squares: the international rules.

use super::{International, RuleSet, Rules, Variant};
use crate::board::{Board12, Board12Mirrored, Geometry};

/// Canadian draughts, PDN game type 27.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canadian;

impl Rules for Canadian {
    type Geometry = Board12;
    const VARIANT: Variant = Variant::Canadian;
    const SPEC: RuleSet = RuleSet { shape: Board12::SHAPE, men_rows: 5, ..International::SPEC };
}

/// Sri Lankan draughts: Canadian draughts on the mirrored board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SriLankan;

impl Rules for SriLankan {
    type Geometry = Board12Mirrored;
    const VARIANT: Variant = Variant::SriLankan;
    const SPEC: RuleSet = RuleSet { shape: Board12Mirrored::SHAPE, ..Canadian::SPEC };
}
