//! A slow, simple generator of legal plays, used as a reference to test the fast generator. The two share only the
//! board.
//!
//! It tries every order of the dice and every checker for each die, and keeps all sequences of hops. At the end, it
//! removes the sequences that use fewer dice than possible.

use soffio_tavla::rules::{Checkers, Roll, TavlaBoard};
use std::collections::BTreeSet;

/// Checker counts of the side to roll and of its opponent, both indexed by the point numbers of the side to roll.
type Counts = ([u8; 26], [u8; 26]);

/// A sequence of hops with the resulting position, the dice used, and the origin and destination of each hop.
#[derive(Clone)]
struct Sequence {
    counts: Counts,
    dice: Vec<u8>,
    hops: Vec<(usize, usize)>,
    hitters: Vec<usize>,
}

/// Returns the positions after all legal plays of `roll`.
pub fn positions_after(board: &TavlaBoard, roll: Roll, hit_and_run: bool) -> BTreeSet<Vec<u8>> {
    let dice = if roll.is_double() { vec![roll.high(); 4] } else { vec![roll.high(), roll.low()] };
    let mut orders = vec![dice.clone()];
    orders.push(dice.into_iter().rev().collect());
    let mut all = Vec::new();
    for order in orders {
        let counts = (*board.own.counts(), mirrored(&board.other));
        let start = Sequence { counts, dice: Vec::new(), hops: Vec::new(), hitters: Vec::new() };
        extend(start, &order, hit_and_run, &mut all);
    }
    let most = all.iter().map(|sequence| sequence.hops.len()).max().unwrap_or(0);
    all.retain(|sequence| sequence.hops.len() == most);
    if most == 1 && !roll.is_double() && all.iter().any(|sequence| sequence.dice == [roll.high()]) {
        all.retain(|sequence| sequence.dice == [roll.high()]);
    }
    all.iter().map(|sequence| picture(&sequence.counts)).collect()
}

/// Returns a position in the format of [`positions_after`].
pub fn picture_of(board: &TavlaBoard) -> Vec<u8> {
    picture(&(*board.own.counts(), mirrored(&board.other)))
}

fn picture((own, other): &Counts) -> Vec<u8> {
    own.iter().chain(other).copied().collect()
}

/// Returns the opponent's counts, indexed by the point numbers of the side to roll. The opponent's bar is at index 0,
/// and its borne-off checkers are at index 25.
fn mirrored(side: &Checkers) -> [u8; 26] {
    let mut counts = *side.counts();
    counts.reverse();
    counts
}

fn extend(sequence: Sequence, dice: &[u8], hit_and_run: bool, all: &mut Vec<Sequence>) {
    if let [die, rest @ ..] = dice {
        for from in 1..=25 {
            if let Some(next) = one_hop(&sequence, from, *die, hit_and_run) {
                extend(next, rest, hit_and_run, all);
            }
        }
    }
    all.push(sequence);
}

fn one_hop(sequence: &Sequence, from: usize, die: u8, hit_and_run: bool) -> Option<Sequence> {
    let (own, other) = &sequence.counts;
    let to = from as i32 - i32::from(die);
    let must_enter = own[25] > 0;
    if own[from] == 0 || (must_enter && from != 25) {
        return None;
    }
    if !hit_and_run && own[from] == 1 && sequence.hitters.contains(&from) {
        return None;
    }
    let mut next = sequence.clone();
    if to <= 0 {
        let outside: u8 = own[7..=25].iter().sum();
        let behind: u8 = own.get(from + 1..=6).map_or(0, |points| points.iter().sum());
        if outside > 0 || (to < 0 && behind > 0) {
            return None;
        }
        next.counts.0[0] += 1;
    } else {
        let to = to as usize;
        match other[to] {
            0 => {}
            1 => {
                next.counts.1[to] = 0;
                next.counts.1[0] += 1;
                if to <= 6 {
                    next.hitters.push(to);
                }
            }
            _ => return None,
        }
        next.counts.0[to] += 1;
    }
    next.counts.0[from] -= 1;
    next.dice.push(die);
    next.hops.push((from, to.max(0) as usize));
    Some(next)
}
