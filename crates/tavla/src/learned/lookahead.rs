//! Look-ahead over all rolls, assuming the best play for each roll, and rollouts.

use super::{BearOffAccess, Estimate, TavlaWeights, certain};
use crate::rules::{LegalPlay, ORDERED_ROLLS, Plays, Roll, Rules, TavlaBoard};

pub const MAX_PLIES: u8 = 2;

const MAX_CANDIDATES: usize = 8;

/// A play is not searched deeper if its equity is lower than the equity of the best play by more than this margin.
const MARGIN: f32 = 0.3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayEquity {
    pub place: usize,
    pub plies: u8,
    /// Outcome probabilities for the side that has moved.
    pub estimate: Estimate,
    pub equity: f32,
}

pub struct Lookahead<'a> {
    weights: &'a TavlaWeights,
    rules: Rules,
    bear_off: BearOffAccess<'a>,
    plays: Vec<Plays>,
    pub nodes: u64,
}

impl<'a> Lookahead<'a> {
    pub fn new(weights: &'a TavlaWeights, rules: Rules, bear_off: BearOffAccess<'a>) -> Self {
        Self { weights, rules, bear_off, plays: vec![Plays::default(); usize::from(MAX_PLIES) + 1], nodes: 0 }
    }

    /// Returns the index of the best play without look-ahead, and the outcome probabilities for the side that has
    /// moved. Returns `None` if there are no legal plays.
    pub fn quickest(&mut self, legal: &[LegalPlay]) -> Option<(usize, Estimate)> {
        let mut best: Option<PlayEquity> = None;
        for (place, legal) in legal.iter().enumerate() {
            let play = self.at_once(place, legal);
            if best.is_none_or(|best| play.equity > best.equity) {
                best = Some(play);
            }
        }
        best.map(|best| (best.place, best.estimate))
    }

    fn at_once(&mut self, place: usize, legal: &LegalPlay) -> PlayEquity {
        self.nodes += 1;
        let estimate = self.weights.estimate(&legal.after.turned(), self.bear_off).turned();
        PlayEquity { place, plies: 0, estimate, equity: estimate.equity(self.rules.mars) }
    }

    pub fn evaluate(&mut self, legal: &[LegalPlay]) -> Vec<PlayEquity> {
        let mut plays: Vec<_> = legal.iter().enumerate().map(|(place, legal)| self.at_once(place, legal)).collect();
        sort(&mut plays);
        plays
    }

    /// Searches the best plays of the previous depth one ply deeper: the plays within the margin, and at least `least`
    /// plays in total. The remaining plays follow in unchanged order. `may_continue` is called with the number of nodes
    /// so far; if it returns false, this function returns false and leaves `plays` unchanged.
    pub fn deepen(
        &mut self,
        legal: &[LegalPlay],
        plays: &mut [PlayEquity],
        least: usize,
        may_continue: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        let Some(first) = plays.first().copied() else { return true };
        let plies = (first.plies + 1).min(MAX_PLIES);
        let is_kept = |play: &PlayEquity| play.plies == first.plies && play.equity >= first.equity - MARGIN;
        let close = plays.iter().take_while(|play| is_kept(play)).count().min(MAX_CANDIDATES);
        let kept = close.max(least).min(plays.len());
        let mut found = Vec::with_capacity(kept);
        for play in plays.iter().take(kept) {
            let Some(legal) = legal.get(play.place) else { continue };
            let Some(estimate) = self.ahead(&legal.after.turned(), plies, may_continue) else { return false };
            let estimate = estimate.turned();
            found.push(PlayEquity { plies, estimate, equity: estimate.equity(self.rules.mars), ..*play });
        }
        sort(&mut found);
        for (place, found) in plays.iter_mut().zip(found) {
            *place = found;
        }
        true
    }

    /// Returns the outcome probabilities for the side to roll after a look-ahead of `plies` plies. Returns `None` if
    /// `may_continue` returns false.
    pub fn ahead(
        &mut self,
        board: &TavlaBoard,
        plies: u8,
        may_continue: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Estimate> {
        if plies == 0 {
            self.nodes += 1;
            return Some(self.weights.estimate(board, self.bear_off));
        }
        if let Some(estimate) = certain(board, self.bear_off) {
            return Some(estimate);
        }
        if !may_continue(self.nodes) {
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
                    Some(next) => self.ahead(&next, plies - 1, may_continue).map(Estimate::turned),
                    None => None,
                },
                None => None,
            };
            *self.plays.get_mut(level)? = plays;
            sum.add(roll.frequency() as f32 / ORDERED_ROLLS as f32, &estimate?);
        }
        Some(sum)
    }
}

fn sort(plays: &mut [PlayEquity]) {
    plays.sort_by(|first, second| second.equity.total_cmp(&first.equity));
}

/// Games played from one position without look-ahead. Each game ends at a position whose probabilities are known
/// exactly. The first two rolls are stratified, and all rollouts with the same seed use the same dice.
#[derive(Clone, Debug)]
pub struct Rollout {
    board: TavlaBoard,
    seed: u64,
    games: u32,
    sum: Estimate,
    equities: f64,
    squares: f64,
}

impl Rollout {
    pub fn new(board: TavlaBoard, seed: u64) -> Self {
        Self { board, seed, games: 0, sum: Estimate::default(), equities: 0.0, squares: 0.0 }
    }

    /// Plays games until there are `games` in total. Returns false if `may_continue` returns false before that.
    pub fn play(
        &mut self,
        lookahead: &mut Lookahead<'_>,
        games: u32,
        may_continue: &mut dyn FnMut(u64) -> bool,
    ) -> bool {
        let mut plays = Plays::default();
        while self.games < games {
            let end = if may_continue(lookahead.nodes) { self.one_game(lookahead, &mut plays) } else { None };
            let Some(end) = end else { return false };
            self.games += 1;
            self.sum.add(1.0, &end);
            let equity = f64::from(end.equity(lookahead.rules.mars));
            self.equities += equity;
            self.squares += equity * equity;
        }
        true
    }

    fn one_game(&self, lookahead: &mut Lookahead<'_>, plays: &mut Plays) -> Option<Estimate> {
        let game = self.games;
        let mut random = fastrand::Rng::with_seed(self.seed ^ u64::from(game).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut board = self.board;
        let mut is_turned = false;
        let mut ply = 0;
        let end = loop {
            if let Some(estimate) = certain(&board, lookahead.bear_off) {
                break estimate;
            }
            let free = Roll::random(&mut random);
            let roll = match ply {
                0 => stratified(game).unwrap_or(free),
                1 => stratified(game / 36).unwrap_or(free),
                _ => free,
            };
            let found = plays.find(&board, roll, lookahead.rules.hit_and_run);
            let (place, _) = lookahead.quickest(found)?;
            board = found.get(place)?.after.turned();
            is_turned = !is_turned;
            ply += 1;
        };
        Some(if is_turned { end.turned() } else { end })
    }

    /// Returns the mean outcome probabilities for the side to roll, and the standard error of the equity.
    pub fn result(&self) -> (Estimate, f32) {
        let count = f64::from(self.games.max(1));
        let mut estimate = Estimate::default();
        estimate.add(1.0 / count as f32, &self.sum);
        let variance = (self.squares / count - (self.equities / count).powi(2)).max(0.0);
        (estimate, (variance / count).sqrt() as f32)
    }
}

fn stratified(number: u32) -> Option<Roll> {
    let number = (number % 36) as u8;
    Roll::new(number / 6 + 1, number % 6 + 1)
}
