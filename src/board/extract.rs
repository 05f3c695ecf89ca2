//! Parallel bit extract (PEXT): gathers the bits of a mask into a small number. The standard library has no safe form
//! of the BMI2 instruction.
#![allow(unsafe_code)]

use super::Bits;

/// Gathers the bits of one mask: its lowest square becomes bit 0 of the result, the next one bit 1, and so on.
#[derive(Clone, Debug)]
pub struct Extractor {
    low: Half,
    high: Half,
    low_count: u32,
}

impl Extractor {
    /// Creates the extractor for `mask`, in which at most 64 bits may be set.
    pub fn new(mask: u128) -> Self {
        debug_assert!(mask.count_ones() <= 64);
        let low = mask as u64;
        Self { low: Half::new(low), high: Half::new((mask >> 64) as u64), low_count: low.count_ones() }
    }

    /// Returns the bits of `squares` that are in the mask, packed without gaps.
    #[inline(always)]
    pub fn extract<B: Bits>(&self, squares: B) -> u64 {
        let mask = squares.mask();
        let low = self.low.extract(mask as u64);
        if size_of::<B>() <= size_of::<u64>() {
            return low;
        }
        low | self.high.extract((mask >> 64) as u64).wrapping_shl(self.low_count)
    }
}

#[derive(Clone, Debug)]
struct Half {
    mask: u64,
    #[cfg(any(test, not(target_feature = "bmi2")))]
    moves: [u64; STEPS],
}

#[cfg(any(test, not(target_feature = "bmi2")))]
const STEPS: usize = 6;

impl Half {
    fn new(mask: u64) -> Self {
        Self {
            mask,
            #[cfg(any(test, not(target_feature = "bmi2")))]
            moves: moves(mask),
        }
    }

    #[cfg(target_feature = "bmi2")]
    #[inline(always)]
    fn extract(&self, word: u64) -> u64 {
        // SAFETY: this function is compiled only for targets with BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, self.mask) }
    }

    #[cfg(not(target_feature = "bmi2"))]
    #[inline(always)]
    fn extract(&self, word: u64) -> u64 {
        self.extract_in_steps(word)
    }

    /// Every bit moves down by the number of gaps below it, one binary digit of that number per step (Henry S. Warren,
    /// Hacker's Delight, section 7-4).
    #[cfg(any(test, not(target_feature = "bmi2")))]
    #[inline(always)]
    fn extract_in_steps(&self, word: u64) -> u64 {
        let mut word = word & self.mask;
        for (step, moving) in self.moves.iter().enumerate() {
            let part = word & moving;
            word = word ^ part | part >> (1 << step);
        }
        word
    }
}

/// Returns the bits that move in each step, at their positions after the previous steps.
#[cfg(any(test, not(target_feature = "bmi2")))]
fn moves(mask: u64) -> [u64; STEPS] {
    let mut moves = [0; STEPS];
    let bits = (0..u64::BITS).filter(|bit| mask >> bit & 1 == 1);
    for (target, bit) in bits.enumerate() {
        let way = bit - target as u32;
        let mut place = bit;
        for (step, moving) in moves.iter_mut().enumerate() {
            if way >> step & 1 == 1 {
                *moving |= 1 << place;
                place -= 1 << step;
            }
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    const LOW: u128 = u64::MAX as u128;

    fn slowly(mask: u128, squares: u128) -> u64 {
        let bits = (0..128).filter(|bit| mask >> bit & 1 == 1);
        bits.enumerate().map(|(target, bit)| ((squares >> bit & 1) as u64) << target).sum()
    }

    #[test]
    fn bits_are_gathered_in_their_order() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let squares = random.u128(..);
            let mask = random.u128(..) & random.u128(..) & random.u128(..);
            let extractor = Extractor::new(mask);
            assert_eq!(extractor.extract(squares), slowly(mask, squares));
            let low = Extractor::new(mask & LOW);
            assert_eq!(low.extract(squares as u64), slowly(mask & LOW, squares));
            let half = Half::new(mask as u64);
            assert_eq!(half.extract_in_steps(squares as u64), half.extract(squares as u64));
        }
    }

    #[test]
    fn empty_and_full_masks_have_no_special_case() {
        let all = u64::MAX;
        assert_eq!(Extractor::new(0).extract(all), 0);
        assert_eq!(Extractor::new(u128::from(all)).extract(all), all);
        assert_eq!(Half::new(all).extract_in_steps(all), all);
        assert_eq!(Extractor::new(u128::from(all) << 64).extract(u128::MAX), all);
        assert_eq!(Extractor::new(1 << 127).extract(<u128 as Bits>::of(Square::new(127))), 1);
    }
}
