//! Counts sequences of plays to test the generator.

use super::board::{CHECKERS, TavlaBoard};
use super::generator::Plays;
use super::play::Roll;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    pub count: u64,
    /// Number of sequences, each weighted by the frequencies (out of 36) of its rolls.
    pub weighted: u64,
}

/// Counts the sequences of `depth` rolls and plays. A pass counts as a play, and games that end before `depth` are not
/// counted. Returns `None` if `may_continue` returns false.
pub fn perft(
    board: &TavlaBoard,
    depth: u8,
    hit_and_run: bool,
    may_continue: &mut dyn FnMut() -> bool,
) -> Option<Perft> {
    let mut buffers = vec![Plays::default(); depth.into()];
    count(board, hit_and_run, &mut buffers, may_continue)
}

fn count(
    board: &TavlaBoard,
    hit_and_run: bool,
    buffers: &mut [Plays],
    may_continue: &mut dyn FnMut() -> bool,
) -> Option<Perft> {
    let Some((plays, deeper)) = buffers.split_first_mut() else { return Some(Perft { count: 1, weighted: 1 }) };
    if board.own.off() == CHECKERS || board.other.off() == CHECKERS {
        return Some(Perft::default());
    }
    let mut sum = Perft::default();
    for roll in Roll::ALL {
        let ways = u64::from(roll.ways());
        let found = plays.find(board, roll, hit_and_run);
        if deeper.is_empty() {
            sum.count += found.len() as u64;
            sum.weighted += found.len() as u64 * ways;
            continue;
        }
        if !may_continue() {
            return None;
        }
        for legal in found {
            let below = count(&legal.after.turned(), hit_and_run, deeper, may_continue)?;
            sum.count += below.count;
            sum.weighted += below.weighted * ways;
        }
    }
    Some(sum)
}
