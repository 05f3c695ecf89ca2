//! The inputs of the networks: the number of checkers at each place, and hand-crafted features scaled to about 0..1.
//!
//! The features are common in backgammon programs. They measure the race, the distance from home, blots and hit
//! probabilities, blocks, and escapes.

use crate::rules::{BAR, Checkers, Roll, TavlaBoard};
use std::sync::LazyLock;

const FEATURES: usize = 22;

const POINTS: u32 = 0x01ff_fffe;

const HOME: u32 = 0x7e;

/// Number of rolls (out of 36) that let a checker play both dice. The index is a bit mask of the blocked points among
/// the next 12 points.
static ESCAPES: LazyLock<[u8; 1 << 12]> = LazyLock::new(|| {
    std::array::from_fn(|blocked| {
        let is_open = |distance: u8| blocked >> (distance - 1) & 1 == 0;
        let escapes = |roll: &&Roll| is_open(roll.high() + roll.low()) && (is_open(roll.high()) || is_open(roll.low()));
        Roll::ALL.iter().filter(escapes).map(|roll| roll.frequency() as u8).sum()
    })
});

struct Masks {
    /// Bit mask of the places with at least one checker, including the bar. `made` contains the points with at least
    /// two checkers, and `blots` the points with exactly one.
    held: u32,
    made: u32,
    blots: u32,
}

impl Masks {
    fn new(side: &Checkers) -> Self {
        let (held, made) = (side.mask(1) & !1, side.mask(2) & POINTS);
        Self { held, made, blots: held & POINTS & !made }
    }
}

fn facing(mask: u32) -> u32 {
    mask.reverse_bits() >> (31 - BAR)
}

fn features(board: &TavlaBoard) -> [[f32; FEATURES]; 2] {
    let [own, other] = [&board.own, &board.other].map(Masks::new);
    [of_side(&board.own, &own, &other, &board.other), of_side(&board.other, &other, &own, &board.own)]
}

fn of_side(side: &Checkers, masks: &Masks, enemy: &Masks, enemy_side: &Checkers) -> [f32; FEATURES] {
    let off = f32::from(side.off());
    let pips = side.pips() as f32;
    let farthest = side.farthest();
    let shots = Shots::count(side, masks, enemy);
    let enemy_home = (enemy.made & HOME).count_ones() as f32;
    let (mobility, min_escapes) = mobility(side, enemy);
    let (run, home_run) = (longest_run(masks.made), longest_run(masks.made & 0x1ffe));
    let mean = pips / 15.0;
    let mut spread = 0.0;
    let (mut outside, mut deep) = (0.0, 0.0);
    for (number, &count) in side.counts().iter().enumerate().skip(1) {
        let (number_f, count) = (number as f32, f32::from(count));
        let beyond = (number_f - mean).max(0.0);
        spread += beyond * beyond * count;
        outside += (number_f - 6.0).max(0.0) * count;
        deep += if number <= 2 { count } else { 0.0 };
    }
    let back = (masks.held & !0x0007_ffff).count_ones();
    let back_checkers: u8 = side.counts().iter().skip(19).sum();
    [
        (off / 5.0).min(1.0),
        ((off - 5.0) / 5.0).clamp(0.0, 1.0),
        ((off - 10.0) / 5.0).clamp(0.0, 1.0),
        pips / 167.0,
        (enemy_side.pips() as f32 - pips) / 80.0,
        farthest as f32 / 25.0,
        shots.hits / 36.0,
        shots.double_hits / 36.0,
        shots.lost / (36.0 * 12.0),
        (6.0 - enemy_home) * (6.0 + enemy_home) / 36.0,
        (masks.made & HOME).count_ones() as f32 / 6.0,
        f32::from(escapes_from(farthest, enemy)) / 36.0,
        min_escapes / 36.0,
        mobility / (36.0 * 15.0),
        run / 6.0,
        home_run * home_run / 36.0,
        (masks.blots.count_ones() as f32) / 5.0,
        spread / 800.0,
        outside / 80.0,
        deep / 6.0,
        back as f32 / 4.0,
        f32::from(back_checkers) / 6.0,
    ]
}

/// Returns the number of rolls (out of 36) with which a checker can play both dice past the opponent's made points.
fn escapes_from(number: usize, enemy: &Masks) -> u8 {
    if number == 0 {
        return 36;
    }
    let ahead = enemy.made >> (BAR + 1 - number).min(31) & 0xfff;
    ESCAPES[ahead as usize]
}

fn mobility(side: &Checkers, enemy: &Masks) -> (f32, f32) {
    let (mut sum, mut least) = (0.0, 36.0_f32);
    for (number, &count) in side.counts().iter().enumerate().skip(7) {
        if count > 0 {
            let escapes = f32::from(escapes_from(number, enemy));
            sum += escapes * f32::from(count);
            least = least.min(escapes);
        }
    }
    (sum, least)
}

fn longest_run(mut made: u32) -> f32 {
    let mut length = 0.0;
    while made != 0 {
        made &= made << 1;
        length += 1.0;
    }
    length
}

struct Shots {
    /// Number of rolls (out of 36) that hit.
    hits: f32,
    /// Number of rolls (out of 36) that can hit two blots.
    double_hits: f32,
    /// Maximum number of pips that the opponent can lose, summed over all 36 rolls.
    lost: f32,
}

impl Shots {
    /// Counts the rolls that can hit a blot. A hit may use one die, or several dice if the points in between are open.
    fn count(side: &Checkers, masks: &Masks, enemy: &Masks) -> Self {
        let mut shots = Self { hits: 0.0, double_hits: 0.0, lost: 0.0 };
        let (targets, open) = (facing(enemy.blots), !facing(enemy.made) & POINTS);
        if targets == 0 {
            return shots;
        }
        let bar = side.bar();
        let from = if bar > 0 { 1 << BAR } else { masks.held };
        for roll in Roll::ALL {
            let (high, low) = (u32::from(roll.high()), u32::from(roll.low()));
            let frequency = roll.frequency() as f32;
            let (by_high, by_low) = (from >> high, from >> low);
            let mut reached = by_high | by_low;
            match bar {
                0 if roll.is_double() => {
                    let mut step = by_high & open;
                    for _ in 0..3 {
                        step >>= high;
                        reached |= step;
                        step &= open;
                    }
                }
                0 => reached |= (by_high & open) >> low | (by_low & open) >> high,
                1 => {
                    let rest = masks.held & !(1 << BAR);
                    if by_high & open != 0 {
                        reached |= rest >> low | (by_high & open) >> low;
                    }
                    if by_low & open != 0 {
                        reached |= rest >> high | (by_low & open) >> high;
                    }
                }
                _ => {}
            }
            let hit = reached & targets;
            if hit != 0 {
                shots.hits += frequency;
                shots.double_hits += if hit & (hit - 1) != 0 { frequency } else { 0.0 };
                // The blot on the lowest point in the hitter's numbering has travelled farthest, so it loses the most
                // pips.
                shots.lost += frequency * (BAR as u32 - hit.trailing_zeros()) as f32;
            }
        }
        shots
    }
}

/// Number of places that have inputs: points 1 to 24 and the bar.
const PLACES: usize = 25;

/// Number of inputs per place. The first three indicate one checker, two checkers, and three or more checkers; the
/// fourth is half the number of checkers beyond three.
const UNITS: usize = 4;

pub const INPUTS: usize = 2 * (PLACES * UNITS + FEATURES);

const MAX_ACTIVE: usize = 2 * (2 * 15 + FEATURES);

#[derive(Clone, Debug)]
pub struct TavlaInputs {
    active: [(u16, f32); MAX_ACTIVE],
    count: usize,
}

impl TavlaInputs {
    pub fn new(board: &TavlaBoard) -> Self {
        let mut inputs = Self { active: [(0, 0.0); MAX_ACTIVE], count: 0 };
        let half = INPUTS / 2;
        for (first, (side, features)) in
            [0, half].into_iter().zip([&board.own, &board.other].into_iter().zip(features(board)))
        {
            inputs.add_places(first, side);
            for (place, value) in (first + PLACES * UNITS..).zip(features) {
                inputs.add(place, value);
            }
        }
        inputs
    }

    pub fn active(&self) -> &[(u16, f32)] {
        &self.active[..self.count]
    }

    fn add(&mut self, input: usize, value: f32) {
        if value != 0.0 {
            self.active[self.count] = (input as u16, value);
            self.count += 1;
        }
    }

    fn add_places(&mut self, first: usize, side: &Checkers) {
        for (&count, input) in side.counts().iter().skip(1).zip((first..).step_by(UNITS)) {
            match count {
                0 => {}
                1 => self.add(input, 1.0),
                2 => self.add(input + 1, 1.0),
                more => {
                    self.add(input + 2, 1.0);
                    self.add(input + 3, f32::from(more - 3) / 2.0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::rules::Plays;

    #[test]
    fn a_free_checker_always_escapes_and_one_behind_a_prime_never() {
        assert_eq!(ESCAPES[0], 36);
        assert_eq!(ESCAPES[0b0011_1111], 0);
        assert_eq!(ESCAPES[0b1], 35, "only 11 cannot avoid the next point");
    }

    #[test]
    fn masks_mirror_each_other() {
        for number in 0..=BAR {
            assert_eq!(facing(1 << number), 1 << (BAR - number));
        }
    }

    #[test]
    fn every_roll_that_hits_is_a_shot() {
        let mut random = Random::new(3);
        let mut plays = Plays::default();
        for _ in 0..2000 {
            let board = random.board();
            let [own, other] = [&board.own, &board.other].map(Masks::new);
            let shots = Shots::count(&board.own, &own, &other);
            if board.own.bar() > 1 {
                continue;
            }
            let hits = |legal: &crate::rules::LegalPlay| legal.after.other.bar() > board.other.bar();
            let true_hits: u32 = Roll::ALL
                .iter()
                .filter(|roll| plays.find(&board, **roll, true).iter().any(hits))
                .map(|roll| roll.frequency())
                .sum();
            let doubles_from_bar = if board.own.bar() == 1 { 6.0 } else { 0.0 };
            assert!(shots.hits + doubles_from_bar >= true_hits as f32, "{board:?}: {} {true_hits}", shots.hits);
        }
    }

    #[test]
    fn all_features_are_small_numbers() {
        let mut random = Random::new(4);
        for _ in 0..2000 {
            let board = random.board();
            let all = features(&board);
            assert!(all.iter().flatten().all(|value| (-6.0..=6.0).contains(value)), "{board:?} {all:?}");
        }
    }
}
