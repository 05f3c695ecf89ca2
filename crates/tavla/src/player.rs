//! The players, and how they choose a play.

use super::learned::{Estimate, Lookahead, MAX_PLIES, PlayEquity, TavlaWeights, TavlaWeightsFile, embedded, roll_out};
use super::plain::{Expectiminimax, MAX_DEPTH, PlainEvaluation};
use super::rules::{Legal, Rules};
use std::sync::Arc;
use std::time::{Duration, Instant};
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
pub struct PlayFinding {
    pub place: usize,
    pub depth: u8,
    pub worth: Worth,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    Equity { estimate: Estimate, equity: f32, rollout: Option<(u32, f32)> },
    Value(f64),
}

#[derive(Clone, Debug)]
pub struct TavlaReport {
    pub findings: Vec<PlayFinding>,
    pub nodes: u64,
    pub time: Duration,
}

const ROLLED_OUT: usize = 5;

struct Watch<'a> {
    started: Instant,
    limits: TavlaLimits,
    is_stopped: &'a dyn Fn() -> bool,
}

impl Watch<'_> {
    fn may_continue(&self) -> bool {
        !(self.is_stopped)() && self.limits.time.is_none_or(|time| self.started.elapsed() < time)
    }

    fn may_begin(&self, depth: u8, nodes: u64) -> bool {
        depth <= self.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
            && self.limits.nodes.is_none_or(|most| nodes < most)
            && self.may_continue()
    }

    fn report(&self, findings: Vec<PlayFinding>, nodes: u64, lines: usize) -> TavlaReport {
        let findings = findings.into_iter().take(lines).collect();
        TavlaReport { findings, nodes, time: self.started.elapsed() }
    }
}

/// Chooses one of the `legal` plays and returns its index. There must be at least one legal play. Each completed depth
/// is passed to `report`. Depth 1 is always completed, so that there is always an answer.
pub fn think(
    settings: &TavlaSettings,
    legal: &[Legal],
    limits: TavlaLimits,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(TavlaReport),
) -> usize {
    let watch = Watch { started: Instant::now(), limits, is_stopped };
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
fn random(seed: u64, legal: &[Legal]) -> usize {
    let bytes = legal.iter().flat_map(|legal| [legal.after.own.counts(), legal.after.other.counts()]).flatten();
    let key = bytes.fold(seed, |key, &count| (key ^ u64::from(count)).wrapping_mul(0x0100_0000_01b3).rotate_left(7));
    fastrand::Rng::with_seed(key).usize(..legal.len().max(1))
}

fn expectiminimax(
    settings: &TavlaSettings,
    legal: &[Legal],
    watch: &Watch<'_>,
    report: &mut dyn FnMut(TavlaReport),
) -> usize {
    let TavlaSettings { evaluation, rules, hash, .. } = *settings;
    let mut search = Expectiminimax::new(evaluation, rules, hash);
    let (mut best, mut nodes, mut depth) = (0, 0, 1);
    while depth == 1 || watch.may_begin(depth, nodes) {
        let answer = search.search(legal, depth, &mut || depth == 1 || watch.may_continue());
        let Some(answer) = answer else { break };
        best = answer.best;
        nodes += answer.nodes;
        let finding = PlayFinding { place: best, depth, worth: Worth::Value(answer.mean) };
        report(watch.report(vec![finding], nodes, 1));
        depth += 1;
    }
    best
}

fn full(settings: &TavlaSettings, legal: &[Legal], watch: &Watch<'_>, report: &mut dyn FnMut(TavlaReport)) -> usize {
    let mut lookahead = Lookahead::new(settings.weights(), settings.rules);
    let mut plays = lookahead.evaluate(legal);
    report(watch.report(findings(&plays), lookahead.nodes, settings.lines));
    let mut depth = 2;
    while depth <= MAX_PLIES + 1 && watch.may_begin(depth, lookahead.nodes) {
        if !lookahead.deepen(legal, &mut plays, settings.lines, &mut || watch.may_continue()) {
            break;
        }
        report(watch.report(findings(&plays), lookahead.nodes, settings.lines));
        depth += 1;
    }
    let mut found = findings(&plays);
    if let Some(games) = watch.limits.rollout {
        found.truncate(ROLLED_OUT.max(settings.lines));
        if roll_out_all(settings, legal, &mut found, games, watch) {
            report(watch.report(found.clone(), lookahead.nodes, found.len()));
        }
    }
    found.first().map_or(0, |finding| finding.place)
}

fn findings(plays: &[PlayEquity]) -> Vec<PlayFinding> {
    let finding = |play: &PlayEquity| PlayFinding {
        place: play.place,
        depth: play.plies + 1,
        worth: Worth::Equity { estimate: play.estimate, equity: play.equity, rollout: None },
    };
    plays.iter().map(finding).collect()
}

/// Evaluates the plays again by rollouts and sorts them. If interrupted, returns false and leaves `found` unchanged.
fn roll_out_all(
    settings: &TavlaSettings,
    legal: &[Legal],
    found: &mut [PlayFinding],
    games: u32,
    watch: &Watch<'_>,
) -> bool {
    let mut rolled_out = Vec::with_capacity(found.len());
    for finding in found.iter() {
        let Some(legal) = legal.get(finding.place) else { return false };
        let board = legal.after.turned();
        let (weights, rules, seed) = (settings.weights(), settings.rules, settings.seed);
        let Some(rollout) = roll_out(weights, rules, &board, games, seed, &mut || watch.may_continue()) else {
            return false;
        };
        let estimate = rollout.estimate.turned();
        let equity = estimate.equity(rules.mars);
        let worth = Worth::Equity { estimate, equity, rollout: Some((games, rollout.error)) };
        rolled_out.push((equity, PlayFinding { worth, ..*finding }));
    }
    rolled_out.sort_by(|(first, _), (second, _)| second.total_cmp(first));
    for (place, (_, finding)) in found.iter_mut().zip(rolled_out) {
        *place = finding;
    }
    true
}
