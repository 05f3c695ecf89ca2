//! The states of the positions of a material while their results are being computed.

use super::Index;
use super::wld::{IN_WORD, Values, Wld};
use crate::rules::Word;
use std::iter::repeat_with;
use std::ops::Range;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// What is known about a position. During the solution, bits are only added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State(u64);

impl State {
    pub(super) const UNKNOWN: Self = Self(0);
    /// The side to move does not lose. An undecided position in this state is invalid, or has a capture that draws, or
    /// has a move to another slice that draws.
    pub(super) const SAFE: Self = Self(1);
    pub(super) const LOSS: Self = Self(2);
    pub(super) const WIN: Self = Self(3);

    pub(super) fn is_decided(self) -> bool {
        self.0 >= Self::LOSS.0
    }

    /// Returns the state of a position with this result and no move inside the slice.
    pub(super) fn without_moves(result: Wld) -> Self {
        match result {
            Wld::Draw => Self::SAFE,
            Wld::Win => Self::WIN,
            Wld::Loss => Self::LOSS,
        }
    }

    /// Returns the result at the end of the solution.
    pub(super) fn result(self) -> Wld {
        match self {
            Self::LOSS => Wld::Loss,
            Self::WIN => Wld::Win,
            _ => Wld::Draw,
        }
    }
}

/// Number of positions in a word that has one bit for each position.
const BITS: usize = u64::BITS as usize;

/// The states of all positions of a material, and the positions that change in a round.
pub(super) struct ResultStates<W: Word> {
    pub(super) index: Index<W>,
    states: Vec<AtomicU64>,
    /// The positions that changed in the previous round and in this round. The two sets swap places in every round.
    changed: [Vec<AtomicU64>; 2],
}

fn zeros(count: usize) -> Vec<AtomicU64> {
    repeat_with(AtomicU64::default).take(count).collect()
}

/// Returns the words that contain a chunk. `in_word` positions share a word.
fn words(words: &[AtomicU64], start: usize, count: usize, in_word: usize) -> &[AtomicU64] {
    &words[start / in_word..((start + count).div_ceil(in_word)).min(words.len())]
}

impl<W: Word> ResultStates<W> {
    pub(super) fn new(index: Index<W>) -> Self {
        let length = index.size() as usize;
        let bits = || zeros(length.div_ceil(BITS));
        Self { states: zeros(length.div_ceil(IN_WORD)), changed: [bits(), bits()], index }
    }

    pub(super) fn len(&self) -> usize {
        self.index.size() as usize
    }

    pub(super) fn numbers(&self, start: usize, count: usize) -> Range<usize> {
        start..(start + count).min(self.len())
    }

    /// Sets the state of a position that has none.
    pub(super) fn begin(&self, number: usize, state: State) {
        self.states[number / IN_WORD].fetch_or(state.0 << (2 * (number % IN_WORD)), Relaxed);
    }

    #[inline]
    pub(super) fn state(&self, number: usize) -> State {
        State(self.states[number / IN_WORD].load(Acquire) >> (2 * (number % IN_WORD)) & 3)
    }

    /// Returns the state before `round`. If the position was decided in this round, the state is [`State::SAFE`].
    #[inline]
    pub(super) fn state_before(&self, number: usize, round: usize) -> State {
        let state = self.state(number);
        let is_new = || self.changed[(round + 1) % 2][number / BITS].load(Relaxed) >> (number % BITS) & 1 == 1;
        if state.is_decided() && is_new() { State::SAFE } else { state }
    }

    /// Decides a position. Returns false if another thread has decided it.
    pub(super) fn decide(&self, number: usize, state: State, round: usize) -> bool {
        let bit = 1 << (number % BITS);
        // The bit is set first, so that nobody takes the state for one of an earlier round.
        let before = self.changed[(round + 1) % 2][number / BITS].fetch_or(bit, Relaxed);
        self.states[number / IN_WORD].fetch_or(state.0 << (2 * (number % IN_WORD)), Release);
        before & bit == 0
    }

    /// Calls `visit` for each position of a chunk that changed in the round before `round`.
    pub(super) fn each_changed(&self, start: usize, count: usize, round: usize, mut visit: impl FnMut(usize)) {
        let words = words(&self.changed[round % 2], start, count, BITS);
        for (word, first) in words.iter().zip((start..).step_by(BITS)) {
            let mut bits = word.load(Relaxed);
            while bits != 0 {
                visit(first + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }

    /// Forgets which positions of a chunk changed in the round before `round`.
    pub(super) fn clear(&self, start: usize, count: usize, round: usize) {
        words(&self.changed[round % 2], start, count, BITS).iter().for_each(|word| word.store(0, Relaxed));
    }

    /// Replaces the states of a chunk by values.
    pub(super) fn replace(&self, start: usize, count: usize, mut value: impl FnMut(usize, State) -> u8) {
        let mut numbers = self.numbers(start, count);
        for word in words(&self.states, start, count, IN_WORD) {
            let states = word.load(Relaxed);
            let place =
                |(number, at): (usize, u32)| u64::from(value(number, State(states >> (2 * at) & 3))) << (2 * at);
            let values = numbers.by_ref().take(IN_WORD).zip(0..).map(place);
            word.store(values.fold(0, |word, value| word | value), Relaxed);
        }
    }

    pub(super) fn into_values(self) -> (Index<W>, Values) {
        let length = self.len();
        let words = self.states.into_iter().map(AtomicU64::into_inner).collect();
        (self.index, Values::new(words, length))
    }
}
