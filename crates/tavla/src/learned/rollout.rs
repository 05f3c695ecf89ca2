//! Rollouts: a play judged by games that are played to their end after it.

use super::estimate::Estimate;
use super::evaluator::{Weights, certain};
use super::lookahead::Judge;
use crate::rules::{Board, Plays, Roll, Rules};

/// What the games of a rollout have shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rollout {
    /// Games.
    pub games: u32,
    /// The mean of their ends, for the side that was to roll.
    pub estimate: Estimate,
    /// The standard error of the equity.
    pub error: f32,
}

/// Plays `games` games from `board` with the side to roll, without looking ahead, up to a position whose chances are certain. The
/// first two rolls go through all possible ones, and the same seed makes the same dice for every position. `goes_on` is
/// asked before each game.
pub fn roll_out(
    weights: &Weights,
    rules: Rules,
    board: &Board,
    games: u32,
    seed: u64,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Rollout> {
    let mut judge = Judge::new(weights, rules);
    let mut plays = Plays::default();
    let mut sum = Estimate::default();
    let (mut equities, mut squares) = (0.0_f64, 0.0_f64);
    for game in 0..games {
        if !goes_on() {
            return None;
        }
        let mut random = fastrand::Rng::with_seed(seed ^ u64::from(game).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut board = *board;
        let mut is_turned = false;
        let mut ply = 0;
        let end = loop {
            if let Some(estimate) = certain(&board) {
                break estimate;
            }
            let free = Roll::random(&mut random);
            let roll = match ply {
                0 => stratified(game).unwrap_or(free),
                1 => stratified(game / 36).unwrap_or(free),
                _ => free,
            };
            let found = plays.find(&board, roll, rules.hit_and_run);
            let (place, _) = judge.quickest(found)?;
            board = found.get(place)?.after.turned();
            is_turned = !is_turned;
            ply += 1;
        };
        let end = if is_turned { end.turned() } else { end };
        sum.add(1.0, &end);
        let equity = f64::from(end.equity(rules.mars));
        equities += equity;
        squares += equity * equity;
    }
    let count = f64::from(games.max(1));
    let mut estimate = Estimate::default();
    estimate.add(1.0 / count as f32, &sum);
    let variance = (squares / count - (equities / count).powi(2)).max(0.0);
    Some(Rollout { games, estimate, error: (variance / count).sqrt() as f32 })
}

/// The roll with this number modulo 36.
fn stratified(number: u32) -> Option<Roll> {
    let number = (number % 36) as u8;
    Roll::new(number / 6 + 1, number % 6 + 1)
}
