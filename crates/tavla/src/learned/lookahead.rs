//! Looking ahead: what the networks think of a position after all rolls and the best plays.

use super::estimate::Estimate;
use super::evaluator::{Weights, certain};
use crate::rules::{Board, Legal, Plays, Roll, Rules, WAYS};

/// The most rolls to look ahead.
pub const MAX_PLIES: u8 = 2;

/// How many of the best plays are looked at with one more ply.
const KEPT: usize = 8;

/// A play whose estimate is worse than the best by more than this is not kept.
const MARGIN: f32 = 0.3;

/// A play with what is expected of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The number of the play among the legal ones.
    pub place: usize,
    /// Rolls that were looked ahead.
    pub plies: u8,
    /// The chances of the side that has moved.
    pub estimate: Estimate,
    /// The points that it wins on the average.
    pub equity: f32,
}

/// Judges positions and plays by the networks.
pub struct Judge<'a> {
    weights: &'a Weights,
    rules: Rules,
    /// Memory for the plays of each ply.
    plays: Vec<Plays>,
    /// Positions that were evaluated.
    pub nodes: u64,
}

impl<'a> Judge<'a> {
    /// A judge with these weights.
    pub fn new(weights: &'a Weights, rules: Rules) -> Self {
        Self { weights, rules, plays: vec![Plays::default(); usize::from(MAX_PLIES) + 1], nodes: 0 }
    }

    /// The best of the `legal` plays without looking ahead, and the chances of the side that has moved.
    pub fn quickest(&mut self, legal: &[Legal]) -> Option<(usize, Estimate)> {
        let mut best: Option<(usize, Estimate, f32)> = None;
        for (place, legal) in legal.iter().enumerate() {
            self.nodes += 1;
            let estimate = self.weights.estimate(&legal.after.turned()).turned();
            let equity = estimate.equity(self.rules.mars);
            if best.is_none_or(|(.., least)| equity > least) {
                best = Some((place, estimate, equity));
            }
        }
        best.map(|(place, estimate, _)| (place, estimate))
    }

    /// All `legal` plays without looking ahead, the best first.
    pub fn judge(&mut self, legal: &[Legal]) -> Vec<Judged> {
        let mut judged: Vec<_> = legal
            .iter()
            .enumerate()
            .map(|(place, legal)| {
                self.nodes += 1;
                let estimate = self.weights.estimate(&legal.after.turned()).turned();
                Judged { place, plies: 0, estimate, equity: estimate.equity(self.rules.mars) }
            })
            .collect();
        sort(&mut judged);
        judged
    }

    /// Looks one ply farther at the best of the plays that were judged with all plies before, and at least `least` of them. Those that
    /// are not looked at keep their place after the others. `goes_on` is asked now and then; when it says no, nothing is
    /// changed and false returned.
    pub fn deepen(
        &mut self,
        legal: &[Legal],
        judged: &mut [Judged],
        least: usize,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        let Some(first) = judged.first().copied() else { return true };
        let plies = (first.plies + 1).min(MAX_PLIES);
        let is_kept = |play: &Judged| play.plies == first.plies && play.equity >= first.equity - MARGIN;
        let close = judged.iter().take_while(|play| is_kept(play)).count().min(KEPT);
        let kept = close.max(least).min(judged.len());
        let mut found = Vec::with_capacity(kept);
        for play in judged.iter().take(kept) {
            let Some(legal) = legal.get(play.place) else { continue };
            let Some(estimate) = self.ahead(&legal.after.turned(), plies, goes_on) else { return false };
            let estimate = estimate.turned();
            found.push(Judged { plies, estimate, equity: estimate.equity(self.rules.mars), ..*play });
        }
        sort(&mut found);
        for (place, found) in judged.iter_mut().zip(found) {
            *place = found;
        }
        true
    }

    /// The chances of the side to roll, as many rolls ahead.
    pub fn ahead(&mut self, board: &Board, plies: u8, goes_on: &mut dyn FnMut() -> bool) -> Option<Estimate> {
        if plies == 0 {
            self.nodes += 1;
            return Some(self.weights.estimate(board));
        }
        if let Some(estimate) = certain(board) {
            return Some(estimate);
        }
        if !goes_on() {
            return None;
        }
        let level = usize::from(plies);
        let mut sum = Estimate::default();
        for roll in Roll::ALL {
            let mut plays = std::mem::take(self.plays.get_mut(level)?);
            let found = plays.find(board, roll, self.rules.hit_and_run);
            let estimate = match self.quickest(found) {
                Some((_, estimate)) if plies == 1 => Some(estimate),
                Some((place, _)) => match found.get(place).map(|legal| legal.after.turned()) {
                    Some(next) => self.ahead(&next, plies - 1, goes_on).map(Estimate::turned),
                    None => None,
                },
                None => None,
            };
            *self.plays.get_mut(level)? = plays;
            sum.add(roll.ways() as f32 / WAYS as f32, &estimate?);
        }
        Some(sum)
    }
}

fn sort(judged: &mut [Judged]) {
    judged.sort_by(|first, second| second.equity.total_cmp(&first.equity));
}
