//! The players, and how they choose a play.

use super::learned::{
    BearOffAccess, Estimate, Lookahead, MAX_PLIES, PlayEquity, Rollout, TavlaWeights, TavlaWeightsFile, embedded,
};
use super::plain::{Expectiminimax, MAX_DEPTH, PlainEvaluation};
use super::rules::{LegalPlay, ORDERED_ROLLS, Rules};
use soffio::clock::Stopwatch;
use std::sync::Arc;
use std::time::Duration;
use strum::{EnumString, VariantNames};

#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum PlayerKind {
    Full,
    Expectiminimax,
    Random,
}

#[derive(Clone, Debug)]
pub struct TavlaSettings {
    pub rules: Rules,
    pub player: PlayerKind,
    pub evaluation: PlainEvaluation,
    /// Size of the expectiminimax table in MiB.
    pub hash: usize,
    pub seed: u64,
    pub lines: usize,
    pub weights: Option<Arc<TavlaWeightsFile>>,
}

impl Default for TavlaSettings {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            player: PlayerKind::Full,
            evaluation: PlainEvaluation::First,
            hash: 16,
            seed: 0,
            lines: 1,
            weights: None,
        }
    }
}

impl TavlaSettings {
    pub fn weights(&self) -> &TavlaWeights {
        self.weights.as_ref().map_or_else(|| &embedded().weights, |file| &file.weights)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TavlaLimits {
    /// Search depth in plies from 1 to 3. `None` stands for 3.
    pub depth: Option<u8>,
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    /// Number of games in the rollout of each of the best plays after the search; `None` disables rollouts.
    pub rollout: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayEvaluation {
    pub place: usize,
    pub depth: u8,
    pub worth: PlayValue,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayValue {
    Equity { estimate: Estimate, equity: f32, rollout: Option<(u32, f32)> },
    Value(f64),
}

#[derive(Clone, Debug)]
pub struct TavlaReport {
    pub findings: Vec<PlayEvaluation>,
    pub nodes: u64,
    pub time: Duration,
}

const ROLLED_OUT: usize = 5;

/// Number of rollout games between two comparisons of the plays: one for each of the 36 possible first rolls.
const ROLLOUT_ROUND: u32 = ORDERED_ROLLS;

/// Minimum number of games per play for the result of an interrupted rollout to count. With fewer games, the look-ahead
/// before the rollout is more reliable.
const MIN_ROLLOUT_GAMES: u32 = 10 * ROLLOUT_ROUND;

struct Watch<'a> {
    clock: Stopwatch,
    limits: TavlaLimits,
    is_stopped: &'a dyn Fn() -> bool,
}

impl Watch<'_> {
    fn may_continue(&self, nodes: u64) -> bool {
        !(self.is_stopped)()
            && self.limits.nodes.is_none_or(|max_nodes| nodes < max_nodes)
            && self.limits.time.is_none_or(|time| self.clock.elapsed() < time)
    }

    fn may_begin(&self, depth: u8, nodes: u64) -> bool {
        depth <= self.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) && self.may_continue(nodes)
    }

    fn report(&self, findings: Vec<PlayEvaluation>, nodes: u64, lines: usize) -> TavlaReport {
        let findings = findings.into_iter().take(lines).collect();
        TavlaReport { findings, nodes, time: self.clock.elapsed() }
    }
}

/// Chooses one of the `legal` plays and returns its index. There must be at least one legal play. Each completed depth
/// is passed to `report`. Depth 1 is always completed, so that there is always an answer. The time limit counts from
/// the start of `clock`.
pub fn think(
    settings: &TavlaSettings,
    legal: &[LegalPlay],
    limits: TavlaLimits,
    clock: Stopwatch,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(TavlaReport),
) -> usize {
    let watch = Watch { clock, limits, is_stopped };
    match settings.player {
        PlayerKind::Random => {
            let place = random(settings.seed, legal);
            report(watch.report(Vec::new(), 0, 0));
            place
        }
        PlayerKind::Expectiminimax => expectiminimax(settings, legal, &watch, report),
        PlayerKind::Full => full(settings, legal, &watch, report),
    }
}

/// Returns the index of a random play. The choice depends only on the seed and the plays.
fn random(seed: u64, legal: &[LegalPlay]) -> usize {
    let bytes = legal.iter().flat_map(|legal| [legal.after.own.counts(), legal.after.other.counts()]).flatten();
    let key = bytes.fold(seed, |key, &count| (key ^ u64::from(count)).wrapping_mul(0x0100_0000_01b3).rotate_left(7));
    fastrand::Rng::with_seed(key).usize(..legal.len().max(1))
}

fn expectiminimax(
    settings: &TavlaSettings,
    legal: &[LegalPlay],
    watch: &Watch<'_>,
    report: &mut dyn FnMut(TavlaReport),
) -> usize {
    let TavlaSettings { evaluation, rules, hash, .. } = *settings;
    let mut search = Expectiminimax::new(evaluation, rules, hash);
    let (mut best, mut nodes, mut depth) = (0, 0, 1);
    while depth == 1 || watch.may_begin(depth, nodes) {
        let answer = search.search(legal, depth, &mut |more| depth == 1 || watch.may_continue(nodes + more));
        let Some(answer) = answer else { break };
        best = answer.best;
        nodes += answer.nodes;
        let finding = PlayEvaluation { place: best, depth, worth: PlayValue::Value(answer.mean) };
        report(watch.report(vec![finding], nodes, 1));
        depth += 1;
    }
    best
}

fn full(
    settings: &TavlaSettings,
    legal: &[LegalPlay],
    watch: &Watch<'_>,
    report: &mut dyn FnMut(TavlaReport),
) -> usize {
    let bear_off = match watch.limits.time {
        None => BearOffAccess::Wait(watch.is_stopped),
        Some(_) => BearOffAccess::IfReady,
    };
    let mut lookahead = Lookahead::new(settings.weights(), settings.rules, bear_off);
    let mut plays = lookahead.evaluate(legal);
    report(watch.report(findings(&plays), lookahead.nodes, settings.lines));
    let mut depth = 2;
    while depth <= MAX_PLIES + 1 && watch.may_begin(depth, lookahead.nodes) {
        if !lookahead.deepen(legal, &mut plays, settings.lines, &mut |nodes| watch.may_continue(nodes)) {
            break;
        }
        report(watch.report(findings(&plays), lookahead.nodes, settings.lines));
        depth += 1;
    }
    let mut found = findings(&plays);
    if let Some(games) = watch.limits.rollout {
        found.truncate(ROLLED_OUT.max(settings.lines));
        if let Some(rolled_out) = roll_out_all(&mut lookahead, settings, legal, &found, games, watch) {
            found = rolled_out;
            report(watch.report(found.clone(), lookahead.nodes, settings.lines));
        }
    }
    found.first().map_or(0, |finding| finding.place)
}

fn findings(plays: &[PlayEquity]) -> Vec<PlayEvaluation> {
    let finding = |play: &PlayEquity| PlayEvaluation {
        place: play.place,
        depth: play.plies + 1,
        worth: PlayValue::Equity { estimate: play.estimate, equity: play.equity, rollout: None },
    };
    plays.iter().map(finding).collect()
}

/// Evaluates the plays again by rollouts and returns them in their new order. If the search ends early, the result is
/// based on the rounds of games that have been completed for all plays, so all plays face the same dice. Returns `None`
/// if there are too few of them.
fn roll_out_all(
    lookahead: &mut Lookahead<'_>,
    settings: &TavlaSettings,
    legal: &[LegalPlay],
    found: &[PlayEvaluation],
    games: u32,
    watch: &Watch<'_>,
) -> Option<Vec<PlayEvaluation>> {
    let rollout_of = |finding: &PlayEvaluation| {
        let after = legal.get(finding.place)?.after;
        Some((*finding, Rollout::new(after.turned(), settings.seed)))
    };
    let mut completed: Vec<(PlayEvaluation, Rollout)> = found.iter().filter_map(rollout_of).collect();
    let mut played = 0;
    while played < games {
        let target = played.saturating_add(ROLLOUT_ROUND).min(games);
        let mut round = completed.clone();
        let mut play = |rollout: &mut Rollout| rollout.play(lookahead, target, &mut |nodes| watch.may_continue(nodes));
        if !round.iter_mut().all(|(_, rollout)| play(rollout)) {
            break;
        }
        (completed, played) = (round, target);
    }
    if played < games.min(MIN_ROLLOUT_GAMES) {
        return None;
    }
    let evaluated = completed.into_iter().map(|(finding, rollout)| {
        let (estimate, error) = rollout.result();
        let estimate = estimate.turned();
        let equity = estimate.equity(settings.rules.mars);
        (
            equity,
            PlayEvaluation { worth: PlayValue::Equity { estimate, equity, rollout: Some((played, error)) }, ..finding },
        )
    });
    let mut evaluated: Vec<_> = evaluated.collect();
    evaluated.sort_by(|(first, _), (second, _)| second.total_cmp(first));
    Some(evaluated.into_iter().map(|(_, finding)| finding).collect())
}
