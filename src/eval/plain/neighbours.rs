//! Which squares have neighbours, along the lines on which men move.

use crate::board::{Bits, Geometry, each_direction};
use crate::rules::{BitsOf, Rules};

/// The squares next to at least one square of `set`, and those next to more than one.
pub(super) fn counted<R: Rules>(set: BitsOf<R>) -> (BitsOf<R>, BitsOf<R>) {
    let (mut once, mut twice) = (BitsOf::<R>::EMPTY, BitsOf::<R>::EMPTY);
    each_direction!(DIRECTION => {
        if R::SPEC.moves.contain(DIRECTION) {
            let beside = R::Geometry::step(set, DIRECTION) & R::Geometry::all();
            twice |= once & beside;
            once |= beside;
        }
    });
    (once, twice)
}

/// The squares next to at least one square of `set`.
pub(super) fn once_or_more<R: Rules>(set: BitsOf<R>) -> BitsOf<R> {
    counted::<R>(set).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Number;
    use crate::rules::{English, Turkish};

    fn set<R: Rules>(numbers: &[u8]) -> BitsOf<R> {
        let square = |&number: &u8| Number::new(number).and_then(|number| R::SPEC.shape.numbered(number)).unwrap();
        numbers.iter().map(square).fold(BitsOf::<R>::EMPTY, |set, square| set | BitsOf::<R>::of(square))
    }

    #[test]
    fn neighbours_touch_where_men_go() {
        let (once, twice) = counted::<English>(set::<English>(&[14, 15]));
        assert_eq!(once, set::<English>(&[9, 10, 17, 18, 11, 19]));
        assert_eq!(twice, set::<English>(&[10, 18]));
        let (once, twice) = counted::<Turkish>(set::<Turkish>(&[1]));
        assert_eq!((once, twice), (set::<Turkish>(&[2, 9]), 0));
    }
}
