//! Binomial coefficients, and sets of squares as their sums.

use super::Material;
use crate::board::MAX_SQUARES;

/// Most squares in a set.
const MOST: usize = Material::MOST_OF_A_SIDE as usize;

/// By squares chosen, then by squares to choose from.
static COEFFICIENTS: [[u64; MAX_SQUARES + 1]; MOST + 1] = {
    let mut table = [[0; MAX_SQUARES + 1]; MOST + 1];
    let mut of = 0;
    while of <= MAX_SQUARES {
        table[0][of] = 1;
        let mut chosen = 1;
        while chosen <= MOST && chosen <= of {
            table[chosen][of] = table[chosen - 1][of - 1] + table[chosen][of - 1];
            chosen += 1;
        }
        of += 1;
    }
    table
};

/// In how many ways `chosen` squares can be taken out of `of`.
#[inline]
pub(super) fn choices(of: usize, chosen: usize) -> u64 {
    COEFFICIENTS[chosen][of]
}

/// The number of the set that has these squares, each counted from 0, in rising order: the combinatorial number system.
#[inline]
pub(super) fn number_of_set(squares: impl Iterator<Item = usize>) -> u64 {
    squares.zip(1..).map(|(square, place)| choices(square, place)).sum()
}

/// The squares of the set of `count` squares with this `number`, the last one first.
#[inline]
pub(super) fn set_of_number(mut number: u64, count: usize) -> impl Iterator<Item = usize> {
    (1..=count).rev().map(move |place| {
        let square = COEFFICIENTS[place].partition_point(|&ways| ways <= number).saturating_sub(1);
        number -= choices(square, place);
        square
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_without_a_gap() {
        for (of, count) in [(32, 0), (32, 1), (32, 3), (12, 5), (72, 2)] {
            let ways = choices(of, count);
            assert!(ways < 6000);
            for number in 0..ways {
                let mut squares: Vec<_> = set_of_number(number, count).collect();
                squares.reverse();
                assert!(squares.is_sorted_by(|one, other| one < other) && squares.iter().all(|&square| square < of));
                assert_eq!((squares.len(), number_of_set(squares.into_iter())), (count, number));
            }
        }
        assert_eq!(choices(32, 4), 35_960);
    }
}
