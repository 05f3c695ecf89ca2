//! All legal plays of a roll.

use super::board::{BAR, Board, OFF};
use super::dice::Roll;
use super::play::{Hop, MAX_HOPS, Play};

/// A legal play and the position after it, still seen by the side that has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legal {
    /// The play.
    pub play: Play,
    /// The position after it.
    pub after: Board,
    /// A number that differs between positions, so that few have to be compared.
    key: u64,
}

/// The legal plays of a roll, one for each position that can be reached. Its memory is used again for the next roll.
#[derive(Clone, Debug, Default)]
pub struct Plays {
    found: Vec<Legal>,
    most_hops: usize,
}

/// The search for plays: what does not change during it, and what does.
struct Walk<'a> {
    plays: &'a mut Plays,
    hit_and_run: bool,
    board: Board,
    play: Play,
    /// Points of the own home on which this play has hit.
    hits: u32,
}

impl Plays {
    /// Finds the legal plays of `roll`. A side that cannot move has one play without hops.
    ///
    /// As many dice as possible must be played, and the larger one if only one can be; checkers enter from the bar first;
    /// without `hit_and_run` a checker that has hit in its own home stays there for the rest of the play.
    pub fn find(&mut self, board: &Board, roll: Roll, hit_and_run: bool) -> &[Legal] {
        self.found.clear();
        self.most_hops = 0;
        let (high, low) = (roll.high(), roll.low());
        if roll.is_double() {
            self.walk(board, &[high; MAX_HOPS], hit_and_run);
        } else {
            self.walk(board, &[high, low], hit_and_run);
            // If the larger die leaves nothing for the smaller one, plays of the smaller one count only if both are played.
            let of_larger_die = if self.most_hops == 1 { self.found.len() } else { 0 };
            if of_larger_die > 0 {
                self.most_hops = 2;
            }
            self.walk(board, &[low, high], hit_and_run);
            if self.found.len() > of_larger_die {
                self.found.drain(..of_larger_die);
            }
        }
        &self.found
    }

    /// The plays that were found last.
    pub fn found(&self) -> &[Legal] {
        &self.found
    }

    fn walk(&mut self, board: &Board, dice: &[u8], hit_and_run: bool) {
        Walk { plays: self, hit_and_run, board: *board, play: Play::default(), hits: 0 }.go_on(dice, BAR);
    }

    fn add(&mut self, play: Play, after: &Board) {
        let hops = play.hops().len();
        if hops < self.most_hops {
            return;
        }
        if hops > self.most_hops {
            self.most_hops = hops;
            self.found.clear();
        }
        let key = key(after);
        if !self.found.iter().any(|known| known.key == key && known.after == *after) {
            self.found.push(Legal { play, after: *after, key });
        }
    }
}

/// Sums of odd numbers by place: equal for equal positions, almost always different for others.
fn key(board: &Board) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let hash = |counts: &[u8; 26]| {
        counts.iter().fold(0_u64, |key, &count| key.wrapping_mul(STEP).wrapping_add(u64::from(count) + 1))
    };
    hash(board.own.counts()) ^ hash(board.other.counts()).rotate_left(17)
}

impl Walk<'_> {
    /// Plays the first of `dice` in every way, and then the others. Equal dice are played from `highest` downwards, so that
    /// no set of hops comes twice.
    fn go_on(&mut self, dice: &[u8], highest: usize) {
        let mut is_end = true;
        if let Some((&die, rest)) = dice.split_first() {
            let is_double = rest.first() == Some(&die);
            let top = if self.board.own.bar() > 0 { BAR } else { highest.min(BAR - 1) };
            let bottom = if top == BAR { BAR } else { 1 };
            for from in (bottom..=top).rev() {
                if let Some(to) = target(&self.board, self.hits, self.hit_and_run, from, die) {
                    is_end = false;
                    let (board, hits) = (self.board, self.hits);
                    if self.board.hop(from, to) && to <= 6 {
                        self.hits |= 1 << to;
                    }
                    self.play.push(Hop { from: from as u8, to: to as u8 });
                    self.go_on(rest, if is_double { from } else { BAR });
                    self.play.pop();
                    (self.board, self.hits) = (board, hits);
                }
            }
        }
        if is_end {
            self.plays.add(self.play, &self.board);
        }
    }
}

/// Where a checker of the side to roll comes from `from` with `die`, if it may go there in a play that has hit on the points `hits` of
/// the own home. That checkers on the bar come first is for the caller to see to.
pub(super) fn target(board: &Board, hits: u32, hit_and_run: bool, from: usize, die: u8) -> Option<usize> {
    let own = &board.own;
    let count = own.at(from);
    let die = usize::from(die);
    if count == 0 || (!hit_and_run && count == 1 && hits >> from & 1 == 1) {
        return None;
    }
    if from > die {
        let to = from - die;
        return board.is_open(to).then_some(to);
    }
    let farthest = own.farthest();
    (farthest <= 6 && (from == die || from == farthest)).then_some(OFF)
}

#[cfg(test)]
mod tests {
    use super::super::board::Side;
    use super::super::{Random, reference};
    use super::*;
    use std::collections::BTreeSet;

    fn texts(own: &[(usize, u8)], other: &[(usize, u8)], roll: &str, hit_and_run: bool) -> Vec<String> {
        let board = Board::new(Side::at_points(own).unwrap(), Side::at_points(other).unwrap()).unwrap();
        let mut plays = Plays::default();
        let found = plays.find(&board, roll.parse().unwrap(), hit_and_run);
        let mut texts: Vec<_> = found.iter().map(|legal| legal.play.ordered().to_string()).collect();
        texts.sort();
        texts
    }

    #[test]
    fn the_larger_die_is_played_if_only_one_can_be() {
        // 8/2 and 8/7 can both be played, but from neither point the other die.
        let blocks = [(25 - 1, 2), (25 - 6, 0)];
        assert_eq!(texts(&[(8, 1)], &blocks, "61", true), ["8/2"]);
        assert_eq!(texts(&[(8, 1)], &[(25 - 1, 2), (25 - 2, 2)], "61", true), ["8/7"]);
        assert_eq!(texts(&[(8, 1)], &[(25 - 7, 2), (25 - 2, 2)], "61", true), ["pass"]);
    }

    #[test]
    fn checkers_enter_before_anything_else_moves() {
        assert_eq!(texts(&[(25, 2), (6, 1)], &[(5, 2)], "52", true), ["25/23"]);
        assert_eq!(texts(&[(25, 1), (6, 1)], &[(5, 2)], "52", true), ["25/23,23/18", "25/23,6/1"]);
    }

    #[test]
    fn the_overshoot_bears_off_the_farthest_checker_only() {
        assert_eq!(texts(&[(5, 1), (3, 1)], &[(1, 1)], "64", true), ["5/0,3/0", "5/1,3/0"]);
        assert_eq!(texts(&[(7, 1), (3, 1)], &[(1, 1)], "61", true), ["7/1,1/0", "7/1,3/2"]);
    }

    #[test]
    fn a_checker_that_hit_at_home_stays_if_it_may_not_run() {
        let (own, other) = ([(8, 1), (24, 1)], [(25 - 5, 1), (25 - 22, 2)]);
        let free = texts(&own, &other, "32", true);
        assert!(free.contains(&"8/5,5/3".to_owned()), "{free:?}");
        let banned = texts(&own, &other, "32", false);
        // The same checker may come there with the other die first, which hits nothing.
        assert!(banned.contains(&"8/6,6/3".to_owned()), "{banned:?}");
        assert!(!banned.contains(&"8/5,5/3".to_owned()), "{banned:?}");
    }

    fn agree(count: usize, seed: u64) {
        let mut random = Random::new(seed);
        let mut plays = Plays::default();
        for _ in 0..count {
            let (board, roll) = (random.board(), random.roll());
            for hit_and_run in [true, false] {
                let found = plays.find(&board, roll, hit_and_run);
                let fast: BTreeSet<_> = found.iter().map(|legal| reference::picture_of(&legal.after)).collect();
                assert_eq!(fast.len(), found.len(), "{board:?} {roll}: a position comes twice");
                assert_eq!(fast, reference::positions_after(&board, roll, hit_and_run), "{board:?} {roll}");
            }
        }
    }

    #[test]
    fn the_slow_generator_agrees() {
        agree(3000, 1);
    }

    #[test]
    #[ignore = "a minute"]
    fn the_slow_generator_agrees_on_a_million() {
        agree(1_000_000, 2);
    }
}
