//! A per-thread cache of static evaluations. It is useful because positions recur by transposition and in searches to
//! different depths, and because positions near the leaves are not in the transposition table.

use super::score::Score;
use crate::position::Key;

/// Number of slots. The cache takes 32 KiB. More slots would speed up long searches slightly but slow down short
/// searches, which start with an empty cache (docs/search.md, "Time for a node").
const SLOTS: usize = 1 << 12;

const SCORE_BITS: u32 = u16::BITS;

pub(super) struct EvaluationCache {
    /// Each slot holds the upper bits of the key and the score. An empty slot looks like a slot for key 0.
    slots: Box<[u64]>,
}

impl EvaluationCache {
    pub(super) fn new() -> Self {
        Self { slots: vec![0; SLOTS].into_boxed_slice() }
    }

    #[inline(always)]
    pub(super) fn get_or_insert_with(&mut self, key: Key, evaluate: impl FnOnce() -> Score) -> Score {
        let mask = self.slots.len() - 1;
        let slot = &mut self.slots[key as usize & mask];
        if (*slot ^ key) >> SCORE_BITS == 0 {
            return Score::at_root(*slot as i16, 0);
        }
        let score = evaluate();
        *slot = key >> SCORE_BITS << SCORE_BITS | u64::from(score.at_position(0) as u16);
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_is_kept_until_it_is_replaced() {
        let score = |cp| Score::evaluation(cp);
        let mut cache = EvaluationCache::new();
        let (key, same_slot) = (0x0123_4567_89ab_cdef, 0x0123_4567_89ac_cdef);
        for cp in [-31_000, -1, 0, 250] {
            let mut cache = EvaluationCache::new();
            assert_eq!(cache.get_or_insert_with(key, || score(cp)), score(cp));
            assert_eq!(cache.get_or_insert_with(key, || unreachable!("it is known")), score(cp));
        }
        assert_eq!(cache.get_or_insert_with(key, || score(1)), score(1));
        assert_eq!(cache.get_or_insert_with(same_slot, || score(2)), score(2));
        assert_eq!(cache.get_or_insert_with(key, || score(3)), score(3));
    }
}
