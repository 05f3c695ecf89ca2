//! Generates legal plays, and the legal hops for entering a play step by step.

use super::board::{BAR, Board, HOME, OFF};
use super::play::{Hop, MAX_HOPS, Play, Roll};

/// A legal play and the position after it, from the view of the side that has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legal {
    pub play: Play,
    pub after: Board,
    key: u64,
}

/// The legal plays of a roll, one per reachable position. The memory is reused for the next roll.
#[derive(Clone, Debug, Default)]
pub struct Plays {
    found: Vec<Legal>,
    most_hops: usize,
}

struct Walk<'a> {
    plays: &'a mut Plays,
    hit_and_run: bool,
    board: Board,
    play: Play,
    /// Points of the own home on which this play has hit.
    hits: u32,
}

impl Plays {
    /// Generates the legal plays of `roll`; a side that cannot move has one play without hops.
    ///
    /// As many dice as possible must be played, and the larger one if only one can be. Checkers on the bar enter first.
    /// Without `hit_and_run`, a checker that has hit in its own home stays there for the rest of the play.
    pub fn find(&mut self, board: &Board, roll: Roll, hit_and_run: bool) -> &[Legal] {
        self.found.clear();
        self.most_hops = 0;
        let (high, low) = (roll.high(), roll.low());
        if roll.is_double() {
            self.walk(board, &[high; MAX_HOPS], hit_and_run);
        } else {
            self.walk(board, &[high, low], hit_and_run);
            // If the larger die can only be played alone, starting with the smaller one counts only if both are played.
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

fn key(board: &Board) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let hash = |counts: &[u8; 26]| {
        counts.iter().fold(0_u64, |key, &count| key.wrapping_mul(STEP).wrapping_add(u64::from(count) + 1))
    };
    hash(board.own.counts()) ^ hash(board.other.counts()).rotate_left(17)
}

impl Walk<'_> {
    /// Plays the first of `dice` in every way, then the rest. Equal dice are played from `highest` downwards to avoid
    /// duplicates.
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
                    if self.board.hop(from, to) && to <= HOME {
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

/// Returns where a checker on `from` gets with `die`, if that is allowed after hits on the points `hits`. The caller
/// must make checkers on the bar enter first.
fn target(board: &Board, hits: u32, hit_and_run: bool, from: usize, die: u8) -> Option<usize> {
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
    (farthest <= HOME && (from == die || from == farthest)).then_some(OFF)
}

#[derive(Clone, Debug)]
struct Begun {
    board: Board,
    hits: u32,
    dice: Vec<u8>,
}

impl Begun {
    /// Returns the possible hops, each with the play after it; a hop occurs once per die that allows it.
    fn hops(&self, hit_and_run: bool) -> Vec<(Hop, Self)> {
        let mut found = Vec::new();
        let bottom = if self.board.own.bar() > 0 { BAR } else { 1 };
        for (place, &die) in self.dice.iter().enumerate() {
            if self.dice.iter().take(place).any(|&before| before == die) {
                continue;
            }
            for from in bottom..=BAR {
                let Some(to) = target(&self.board, self.hits, hit_and_run, from, die) else { continue };
                let mut next = self.clone();
                next.dice.remove(place);
                if next.board.hop(from, to) && to <= HOME {
                    next.hits |= 1 << to;
                }
                found.push((Hop { from: from as u8, to: to as u8 }, next));
            }
        }
        found
    }

    fn ends_well(&self, legal: &[Legal], hit_and_run: bool) -> bool {
        legal.iter().any(|legal| legal.after == self.board)
            || self.hops(hit_and_run).iter().any(|(_, next)| next.ends_well(legal, hit_and_run))
    }
}

/// Returns the hops that continue `done` towards a `legal` play, sorted by origin. Empty if the play is complete or
/// `done` starts no legal play.
pub fn next_hops(board: &Board, roll: Roll, legal: &[Legal], done: &[Hop], hit_and_run: bool) -> Vec<Hop> {
    let dice = if roll.is_double() { vec![roll.high(); MAX_HOPS] } else { vec![roll.high(), roll.low()] };
    let mut begun = vec![Begun { board: *board, hits: 0, dice }];
    for hop in done {
        let goes_on =
            |play: &Begun| play.hops(hit_and_run).into_iter().filter(|(made, _)| made == hop).collect::<Vec<_>>();
        begun = begun.iter().flat_map(goes_on).map(|(_, next)| next).collect();
    }
    let mut found: Vec<Hop> = begun
        .iter()
        .flat_map(|play| play.hops(hit_and_run))
        .filter(|(_, next)| next.ends_well(legal, hit_and_run))
        .map(|(hop, _)| hop)
        .collect();
    found.sort_unstable_by_key(|hop| (hop.from, hop.to));
    found.dedup();
    found
}

/// Returns the board after the hops, legal or not; `None` if a checker is missing or the destination is blocked.
pub fn after_hops(board: &Board, done: &[Hop]) -> Option<Board> {
    let mut board = *board;
    for &Hop { from, to } in done {
        let (from, to) = (usize::from(from), usize::from(to));
        if board.own.at(from) == 0 || (to != OFF && !board.is_open(to)) {
            return None;
        }
        board.hop(from, to);
    }
    Some(board)
}
