//! The program's choice of a play, and its reasons.

use soffio::stop::Stop;
use soffio_tavla::player::{Limits, Report, Settings, Worth, think};
use soffio_tavla::rules::{Board, Legal, Play};
use std::time::{Duration, Instant};

const SHOWN: usize = 5;

/// A turn for which the program chooses a play. It can be worked on in any thread.
#[derive(Clone, Debug)]
pub(super) struct Task {
    settings: Settings,
    limits: Limits,
    board: Board,
    legal: Vec<Legal>,
    /// The least time that the choice takes.
    delay: Duration,
}

/// A play, and what the program thinks of the best ones.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) play: Play,
    /// The points that the side could expect before the roll.
    before: f32,
    /// The best plays with their depth and worth.
    best: Vec<(Play, u8, Worth)>,
}

impl Task {
    /// The choice between the `legal` plays on `board`, of which there is at least one.
    pub(super) fn new(settings: Settings, limits: Limits, board: Board, legal: &[Legal]) -> Self {
        Self {
            settings: Settings { lines: SHOWN, ..settings },
            limits,
            board,
            legal: legal.to_vec(),
            delay: Duration::ZERO,
        }
    }

    /// The same choice, which takes at least so long.
    pub(super) fn delayed(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Chooses, and waits until the delay is over. When `stop` is given, with what has been found by then.
    pub(super) fn run(&self, stop: &Stop) -> Option<Choice> {
        let started = Instant::now();
        let mut findings = Vec::new();
        let is_stopped = &|| stop.is_stopped();
        let report = &mut |report: Report| findings = report.findings;
        let place = think(&self.settings, &self.legal, self.limits, is_stopped, report);
        let rest = self.delay.saturating_sub(started.elapsed());
        if !rest.is_zero() {
            // Nothing is ever sent: the end of the channel is the signal.
            let _ = stop.receiver().recv_timeout(rest);
        }
        let play = |place: usize| self.legal.get(place).map(|legal| legal.play.ordered());
        let before = self.settings.weights().estimate(&self.board).equity(self.settings.rules.mars);
        let best = findings.iter().filter_map(|found| Some((play(found.place)?, found.depth, found.worth))).collect();
        Some(Choice { play: play(place)?, before, best })
    }
}

impl Choice {
    /// In lines: the equity before the roll, and after it that of the best plays with the chances after it.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("equity before the roll {:+.4}", self.before)];
        for (number, (play, depth, worth)) in (1..).zip(&self.best) {
            let text = match worth {
                Worth::Equity { estimate, equity, rollout } => {
                    let percent = |chance: f32| 100.0 * chance;
                    let (win, mars, lost) = (estimate.win, estimate.win_mars, estimate.lose_mars);
                    let games =
                        rollout.map_or(String::new(), |(games, error)| format!(", {games} games +- {error:.4}"));
                    format!(
                        "equity {equity:+.4}  win {:.1} %, mars {:.1} %, lost by mars {:.1} %{games}",
                        percent(win),
                        percent(mars),
                        percent(lost)
                    )
                }
                Worth::Value(value) => format!("value {value:+.4}"),
            };
            lines.push(format!("{number}. {play}  {text}  (depth {depth})"));
        }
        lines
    }
}
