//! Generates and counts (perft) legal plays, and the legal hops for entering a play step by step.

use super::play::{Hop, MAX_HOPS, Roll, TavlaPlay};
use super::{BAR, CHECKERS, HOME, OFF, TavlaBoard};

/// A legal play and the position after it, as seen from the side that has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalPlay {
    pub play: TavlaPlay,
    pub after: TavlaBoard,
    key: u64,
}

/// The legal plays of a roll, with one play per reachable position. The memory is reused for the next roll.
#[derive(Clone, Debug, Default)]
pub struct Plays {
    found: Vec<LegalPlay>,
    max_hops: usize,
}

#[derive(Clone, Copy, Debug)]
struct PlayPrefix {
    board: TavlaBoard,
    /// Bit mask of the points in the side's own home on which this play has hit a blot.
    hits: u32,
    hit_and_run: bool,
}

struct Walk<'a> {
    plays: &'a mut Plays,
    now: PlayPrefix,
    play: TavlaPlay,
}

impl Plays {
    /// Generates the legal plays of `roll`. A side that cannot move has exactly one play, which has no hops.
    ///
    /// As many dice as possible must be played; if only one die can be played, it must be the larger one. Checkers on
    /// the bar enter first. If `hit_and_run` is false, a checker that has hit in its own home stays there for the rest
    /// of the play.
    pub fn find(&mut self, board: &TavlaBoard, roll: Roll, hit_and_run: bool) -> &[LegalPlay] {
        self.found.clear();
        self.max_hops = 0;
        let (high, low) = (roll.high(), roll.low());
        if roll.is_double() {
            self.walk(board, &[high; MAX_HOPS], hit_and_run);
        } else {
            self.walk(board, &[high, low], hit_and_run);
            // If the larger die can only be played alone, plays that start with the smaller die are legal only if they
            // use both dice.
            let of_larger_die = if self.max_hops == 1 { self.found.len() } else { 0 };
            if of_larger_die > 0 {
                self.max_hops = 2;
            }
            self.walk(board, &[low, high], hit_and_run);
            if self.found.len() > of_larger_die {
                self.found.drain(..of_larger_die);
            }
        }
        &self.found
    }

    pub fn found(&self) -> &[LegalPlay] {
        &self.found
    }

    fn walk(&mut self, board: &TavlaBoard, dice: &[u8], hit_and_run: bool) {
        let now = PlayPrefix { board: *board, hits: 0, hit_and_run };
        Walk { plays: self, now, play: TavlaPlay::default() }.play_rest(dice, BAR);
    }

    fn add(&mut self, play: TavlaPlay, after: &TavlaBoard) {
        let hops = play.hops().len();
        if hops < self.max_hops {
            return;
        }
        if hops > self.max_hops {
            self.max_hops = hops;
            self.found.clear();
        }
        let key = key(after);
        if !self.found.iter().any(|known| known.key == key && known.after == *after) {
            self.found.push(LegalPlay { play, after: *after, key });
        }
    }
}

fn key(board: &TavlaBoard) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let hash = |counts: &[u8; 26]| {
        counts.iter().fold(0_u64, |key, &count| key.wrapping_mul(STEP).wrapping_add(u64::from(count) + 1))
    };
    hash(board.own.counts()) ^ hash(board.other.counts()).rotate_left(17)
}

impl PlayPrefix {
    /// Moves a checker on `from` by `die` and returns the hop, or returns `None` if the hop is illegal. The caller must
    /// make sure that checkers on the bar enter first.
    fn hop(&mut self, from: usize, die: u8) -> Option<Hop> {
        let own = &self.board.own;
        let count = own.count_at(from);
        let die = usize::from(die);
        if count == 0 || (!self.hit_and_run && count == 1 && self.hits >> from & 1 == 1) {
            return None;
        }
        let to = from.saturating_sub(die);
        if to != OFF && !self.board.is_open(to) {
            return None;
        }
        if to == OFF {
            let farthest = own.farthest();
            if farthest > HOME || (from != die && from != farthest) {
                return None;
            }
        }
        if self.board.hop(from, to) && to <= HOME {
            self.hits |= 1 << to;
        }
        Some(Hop { from: from as u8, to: to as u8 })
    }

    /// Returns the possible hops, each with the play and the dice that remain after it. A hop occurs once for each die
    /// that allows it.
    fn hops(self, dice: &[u8]) -> Vec<(Hop, (Self, Vec<u8>))> {
        let mut found = Vec::new();
        let bottom = if self.board.own.bar() > 0 { BAR } else { 1 };
        for (place, &die) in dice.iter().enumerate().filter(|&(place, die)| !dice[..place].contains(die)) {
            let rest = [&dice[..place], &dice[place + 1..]].concat();
            for from in bottom..=BAR {
                let mut next = self;
                found.extend(next.hop(from, die).map(|hop| (hop, (next, rest.clone()))));
            }
        }
        found
    }

    fn ends_well(self, dice: &[u8], legal: &[LegalPlay]) -> bool {
        legal.iter().any(|legal| legal.after == self.board)
            || self.hops(dice).iter().any(|(_, (next, rest))| next.ends_well(rest, legal))
    }
}

impl Walk<'_> {
    /// Plays the first of `dice` in every possible way, then the remaining dice. Equal dice are played from `highest`
    /// downwards to avoid duplicates.
    fn play_rest(&mut self, dice: &[u8], highest: usize) {
        let mut is_end = true;
        if let Some((&die, rest)) = dice.split_first() {
            let is_double = rest.first() == Some(&die);
            let before = self.now;
            let top = if before.board.own.bar() > 0 { BAR } else { highest.min(BAR - 1) };
            let bottom = if top == BAR { BAR } else { 1 };
            for from in (bottom..=top).rev() {
                if let Some(hop) = self.now.hop(from, die) {
                    is_end = false;
                    self.play.push(hop);
                    self.play_rest(rest, if is_double { from } else { BAR });
                    self.play.pop();
                    self.now = before;
                }
            }
        }
        if is_end {
            self.plays.add(self.play, &self.now.board);
        }
    }
}

/// Returns the hops with which `done` can be continued towards a `legal` play, sorted by origin. The result is empty if
/// the play is complete or no legal play starts with `done`.
pub fn next_hops(board: &TavlaBoard, roll: Roll, legal: &[LegalPlay], done: &[Hop], hit_and_run: bool) -> Vec<Hop> {
    let dice = if roll.is_double() { vec![roll.high(); MAX_HOPS] } else { vec![roll.high(), roll.low()] };
    let mut begun = vec![(PlayPrefix { board: *board, hits: 0, hit_and_run }, dice)];
    for hop in done {
        let next = begun.iter().flat_map(|(play, dice)| play.hops(dice)).filter(|(made, _)| made == hop);
        begun = next.map(|(_, next)| next).collect();
    }
    let next = begun.iter().flat_map(|(play, dice)| play.hops(dice));
    let mut found: Vec<Hop> =
        next.filter(|(_, (next, rest))| next.ends_well(rest, legal)).map(|(hop, _)| hop).collect();
    found.sort_unstable_by_key(|hop| (hop.from, hop.to));
    found.dedup();
    found
}

/// Returns the board after the hops, which need not be legal. Returns `None` if a checker is missing or a destination
/// is blocked.
pub fn after_hops(board: &TavlaBoard, done: &[Hop]) -> Option<TavlaBoard> {
    let mut board = *board;
    for &Hop { from, to } in done {
        let (from, to) = (usize::from(from), usize::from(to));
        if board.own.count_at(from) == 0 || (to != OFF && !board.is_open(to)) {
            return None;
        }
        board.hop(from, to);
    }
    Some(board)
}

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
        let frequency = u64::from(roll.frequency());
        let found = plays.find(board, roll, hit_and_run);
        if deeper.is_empty() {
            sum.count += found.len() as u64;
            sum.weighted += found.len() as u64 * frequency;
            continue;
        }
        if !may_continue() {
            return None;
        }
        for legal in found {
            let below = count(&legal.after.turned(), hit_and_run, deeper, may_continue)?;
            sum.count += below.count;
            sum.weighted += below.weighted * frequency;
        }
    }
    Some(sum)
}
