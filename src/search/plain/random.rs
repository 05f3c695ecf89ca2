//! The random player.

use crate::rules::Word;
use crate::search::root_move::RootMove;

/// Puts any of `moves` first, each as often as the others; which one depends on `seed` alone.
pub(super) fn choose<W: Word>(moves: &mut [RootMove<W>], seed: u64) {
    if !moves.is_empty() {
        let index = fastrand::Rng::with_seed(seed).usize(..moves.len());
        moves.swap(0, index);
    }
}
