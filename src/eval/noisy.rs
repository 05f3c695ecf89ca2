//! An evaluation with noise, so that games of the same players differ.

use super::{Evaluation, MAX_EVALUATION};
use crate::position::Position;
use crate::rules::Word;

/// An evaluation that adds to another one a small noise, which depends on the position only and so is reproducible.
#[derive(Clone, Debug)]
pub struct Noisy<W: Word> {
    base: Evaluation<W>,
    seed: u64,
    most: u16,
}

impl<W: Word> Noisy<W> {
    /// `base` with noise of up to `most` 1/100 man, other noise for every seed.
    pub fn new(base: Evaluation<W>, seed: u64, most: u16) -> Self {
        Self { base, seed, most }
    }

    fn noise(&self, position: &Position<W>) -> i32 {
        let mixed = (position.key() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
        let most = i32::from(self.most);
        ((mixed * (2 * u64::from(self.most) + 1)) >> 32) as i32 - most
    }

    /// The value of `position` in 1/100 man for the side to move, which must have no compulsory capture.
    #[inline(never)]
    pub fn evaluate(&self, position: &Position<W>) -> i32 {
        let value = self.base.evaluate(position) + self.noise(position);
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The parts of which [`Noisy::evaluate`] is the sum.
    pub fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        let mut terms = self.base.terms(position);
        let sum: i32 = terms.iter().map(|(_, value)| value).sum();
        terms.push(("noise", self.evaluate(position) - sum));
        terms
    }

    /// A number that tells this evaluation from others.
    pub fn salt(&self) -> u64 {
        // Any number will do that depends on the seed.
        self.base.salt() ^ self.seed.wrapping_mul(0x9e6c_63d0_985b_2d4f).rotate_left(u32::from(self.most) % 64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::GameRules;
    use crate::rules::Variant;

    #[test]
    fn noise_is_small_and_hangs_on_position_and_seed() {
        let rules = GameRules::<u64>::of(Variant::English).unwrap();
        let (base, start) = (Evaluation::best(rules), Position::start(rules));
        let mut values = Vec::new();
        for seed in 0..200 {
            let noisy = Noisy::new(base.clone(), seed, 10);
            let offset = noisy.evaluate(&start) - base.evaluate(&start);
            assert_eq!(noisy.evaluate(&start), noisy.evaluate(&start));
            assert_eq!(noisy.terms(&start).iter().map(|(_, value)| value).sum::<i32>(), noisy.evaluate(&start));
            values.push(offset);
        }
        let (least, most) = (values.iter().min().unwrap(), values.iter().max().unwrap());
        assert_eq!((*least, *most), (-10, 10));
        assert!(values.iter().sum::<i32>().abs() < 400, "{values:?}");
    }
}
