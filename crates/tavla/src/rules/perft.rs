//! Counts of all sequences of rolls and plays, the measure of the generator.

use super::board::{Board, CHECKERS};
use super::dice::Roll;
use super::generator::Plays;

/// The sequences of a length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Those that end with a position in which the game goes on or has just ended.
    pub count: u64,
    /// The same with each of the 36 ways that the dice can fall counted for itself.
    pub weighted: u64,
}

/// Counts the sequences of `depth` rolls, each with one of its plays; a side that cannot move passes. `goes_on` is asked now and
/// then; when it says no, there is no count.
pub fn perft(board: &Board, depth: u8, hit_and_run: bool, goes_on: &mut dyn FnMut() -> bool) -> Option<Perft> {
    let mut buffers = vec![Plays::default(); depth.into()];
    count(board, hit_and_run, &mut buffers, goes_on)
}

fn count(board: &Board, hit_and_run: bool, buffers: &mut [Plays], goes_on: &mut dyn FnMut() -> bool) -> Option<Perft> {
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
        if !goes_on() {
            return None;
        }
        for legal in found {
            let below = count(&legal.after.turned(), hit_and_run, deeper, goes_on)?;
            sum.count += below.count;
            sum.weighted += below.weighted * ways;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::super::reference::positions_after;
    use super::*;

    fn perft_of(depth: u8) -> Perft {
        perft(&Board::start(), depth, true, &mut || true).unwrap()
    }

    #[test]
    fn the_counts_from_the_start_are_those_of_the_slow_generator() {
        let plays = |roll: &Roll| positions_after(&Board::start(), *roll, true).len() as u64;
        let count = Roll::ALL.iter().map(plays).sum();
        let weighted = Roll::ALL.iter().map(|roll| plays(roll) * u64::from(roll.ways())).sum();
        assert_eq!(perft_of(0), Perft { count: 1, weighted: 1 });
        assert_eq!(perft_of(1), Perft { count, weighted });
        assert_eq!(perft_of(1).count, 447);
    }

    #[test]
    fn a_count_can_be_broken_off() {
        assert_eq!(perft(&Board::start(), 3, true, &mut || false), None);
    }
}
