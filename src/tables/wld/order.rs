//! Numbers the positions of a table in the order that compresses best.
//!
//! An [`Index`](crate::tables::Index) combines four sets of squares. An order decides which of the four sets varies
//! fastest from one position to the next.

use std::array::from_fn;

/// A numbering of the positions of a material that combines the sets of its index in a different order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetOrder {
    /// The sets, from the most to the least significant. Set 0 is White's men, set 1 Black's men, set 2 White's kings
    /// and set 3 Black's kings.
    digits: [u8; 4],
    /// Number of possible values of each set.
    sets: [u64; 4],
    /// How much the number of a position increases when the number of each set increases by 1.
    weights: [u64; 4],
    /// The same for the number of the position in the index.
    index_weights: [u64; 4],
}

fn weights(digits: [u8; 4], sets: [u64; 4]) -> Option<[u64; 4]> {
    let (mut weights, mut weight) = ([0; 4], 1_u64);
    for &digit in digits.iter().rev() {
        let place = weights.get_mut(usize::from(digit)).filter(|place| **place == 0)?;
        *place = weight;
        weight = weight.checked_mul(*sets.get(usize::from(digit))?).filter(|&weight| weight > 0)?;
    }
    Some(weights)
}

impl SetOrder {
    /// Creates an order for sets of these sizes. Returns `None` if `digits` is not a permutation of the four sets, or
    /// the numbers of the positions do not fit into 64 bits.
    pub(super) fn new(digits: [u8; 4], sets: [u64; 4]) -> Option<Self> {
        Some(Self { digits, sets, weights: weights(digits, sets)?, index_weights: weights([0, 1, 2, 3], sets)? })
    }

    /// Returns one order for each distinct numbering of the positions.
    pub(super) fn all(sets: [u64; 4]) -> Vec<Self> {
        let permutations = (0..256_u16).map(|code| from_fn(|place| (code >> (6 - 2 * place) & 3) as u8));
        let orders = permutations.filter_map(|digits| Self::new(digits, sets));
        // A set with a single value does not matter, so it comes first.
        let is_plain = |order: &Self| {
            let size = |&digit: &u8| sets.get(usize::from(digit)).copied();
            let single = order.digits.iter().take_while(|&digit| size(digit) == Some(1));
            let singles = single.clone().count();
            singles == sets.iter().filter(|&&size| size == 1).count() && single.is_sorted()
        };
        orders.filter(is_plain).collect()
    }

    /// Returns the sets from the most to the least significant.
    pub(super) fn digits(&self) -> [u8; 4] {
        self.digits
    }

    pub(super) fn size(&self) -> u64 {
        self.sets.iter().product()
    }

    /// Returns the number of the position whose sets have these numbers.
    #[inline]
    pub(super) fn number(&self, sets: [u64; 4]) -> u64 {
        self.weights.iter().zip(sets).map(|(weight, set)| weight * set).sum()
    }

    /// Returns the index numbers of the positions in this order, starting with position `start`.
    pub(super) fn index_numbers(&self, start: u64) -> impl Iterator<Item = u64> + use<> {
        self.numbers(start, &self.index_weights)
    }

    /// Returns the numbers that the positions have in `other`, in this order.
    pub(super) fn numbers_in(&self, other: &Self) -> impl Iterator<Item = u64> + use<> {
        self.numbers(0, &other.weights)
    }

    fn numbers(&self, start: u64, weights: &[u64; 4]) -> impl Iterator<Item = u64> + use<> {
        let left = self.size().saturating_sub(start) as usize;
        let digit = |digit: u8| {
            let at = |values: &[u64; 4]| values.get(usize::from(digit)).copied().unwrap_or(1);
            Digit { size: at(&self.sets), weight: at(weights), value: start / at(&self.weights) }
        };
        let mut digits = self.digits.map(digit);
        digits.iter_mut().for_each(|digit| digit.value %= digit.size);
        let mut number = digits.iter().map(|digit| digit.value * digit.weight).sum();
        let next = move || {
            let current = number;
            for digit in digits.iter_mut().rev() {
                digit.value += 1;
                number += digit.weight;
                if digit.value < digit.size {
                    break;
                }
                number -= digit.size * digit.weight;
                digit.value = 0;
            }
            current
        };
        std::iter::repeat_with(next).take(left)
    }
}

struct Digit {
    size: u64,
    weight: u64,
    value: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of the position that has number `index_number` in the index.
    fn of_index(order: &SetOrder, index_number: u64) -> u64 {
        let [w0, w1, w2, _] = order.index_weights;
        let (rest, rest_kings) = (index_number % w0, index_number % w1);
        order.number([index_number / w0, rest / w1, rest_kings / w2, rest_kings % w2])
    }

    #[test]
    fn every_order_numbers_all_positions() {
        for sets in [[3, 5, 2, 7], [1, 4, 1, 6], [1, 1, 1, 1], [28, 1, 27, 26]] {
            let size: u64 = sets.iter().product();
            for order in SetOrder::all(sets) {
                let mut seen = vec![false; size as usize];
                for start in [0, size / 3] {
                    let numbers = order.index_numbers(start);
                    for (index_number, number) in numbers.zip(start..).take(100 + size as usize / 2) {
                        assert_eq!(of_index(&order, index_number), number, "{order:?}");
                        seen[index_number as usize] = true;
                    }
                }
                assert_eq!(order.index_numbers(0).count(), size as usize);
                assert!(seen.iter().filter(|&&seen| seen).count() * 2 >= size as usize, "{order:?}");
            }
        }
    }

    #[test]
    fn only_different_permutations_are_orders() {
        assert_eq!(SetOrder::all([3, 5, 2, 7]).len(), 24);
        assert_eq!(SetOrder::all([3, 1, 2, 7]).len(), 6);
        assert_eq!(SetOrder::all([1, 1, 1, 1]).len(), 1);
        assert_eq!(SetOrder::new([0, 1, 2, 2], [3, 5, 2, 7]), None);
        assert_eq!(SetOrder::new([0, 1, 2, 4], [3, 5, 2, 7]), None);
        assert_eq!(SetOrder::new([0, 1, 2, 3], [u64::MAX, 2, 1, 1]), None);
    }
}
