//! Which squares have neighbours, along the lines on which men move.

use crate::board::Direction;
use crate::rules::{RuleSet, Word};

/// The squares next to at least one square of `set`, and those next to more than one.
pub(super) fn counted<W: Word>(spec: &RuleSet, set: W) -> (W, W) {
    let (mut once, mut twice) = (W::EMPTY, W::EMPTY);
    let all = W::from_mask(spec.shape.mask());
    for direction in Direction::ALL {
        if spec.moves.contain(direction) {
            let beside = spec.shape.step(set, direction) & all;
            twice |= once & beside;
            once |= beside;
        }
    }
    (once, twice)
}

/// The squares next to at least one square of `set`.
pub(super) fn once_or_more<W: Word>(spec: &RuleSet, set: W) -> W {
    counted(spec, set).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bits, Number};
    use crate::rules::Variant;

    fn set(spec: &RuleSet, numbers: &[u8]) -> u64 {
        let square = |&number: &u8| Number::new(number).and_then(|number| spec.shape.numbered(number)).unwrap();
        numbers.iter().map(square).fold(0, |set, square| set | u64::of(square))
    }

    #[test]
    fn neighbours_touch_where_men_go() {
        let (english, turkish) = (Variant::English.spec(), Variant::Turkish.spec());
        let (once, twice) = counted(english, set(english, &[14, 15]));
        assert_eq!(once, set(english, &[9, 10, 17, 18, 11, 19]));
        assert_eq!(twice, set(english, &[10, 18]));
        let (once, twice) = counted(turkish, set(turkish, &[1]));
        assert_eq!((once, twice), (set(turkish, &[2, 9]), 0));
    }
}
