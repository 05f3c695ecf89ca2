//! Time management: the time budget of a move, and how it is adjusted after each iteration.

use super::{Clock, Limits, Score};
use std::time::Duration;

/// Maximum number of remaining moves to plan for. This number is also used if the time control does not specify one.
const PLANNED_MOVES: u32 = 30;

/// Hard limit as a multiple of the planned time.
const HARD_FACTOR: u32 = 4;

/// The time budget for one move, counted from the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Time after which no new iteration normally starts.
    pub soft: Duration,
    /// Time after which the search stops immediately.
    pub hard: Duration,
}

/// Number of iterations for which the best move must stay the same before its share of the nodes is used as a measure
/// of how clear the choice is.
const SETTLED_AFTER: u32 = 2;

/// Share of the nodes, in percent, that is assumed for the best move until it has stayed the same for [`SETTLED_AFTER`]
/// iterations.
const UNSETTLED_SHARE: u32 = 60;

/// Statistics about the iterations of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct IterationStats {
    /// Whether the search is an analysis, in which no choice is considered clear.
    is_analysis: bool,
    best: Option<(u16, Score)>,
    /// Number of consecutive iterations in which the best move has not changed.
    unchanged: u32,
    /// Measure of how often the best move changes. It is halved in each iteration, and then each change adds 100.
    instability: u32,
    /// Drop of the score in the last iteration, in cp.
    fall: u32,
    /// Percentage of the last iteration's nodes that were spent on the best move, or `None` if they were not counted.
    share: Option<u32>,
}

impl IterationStats {
    /// Creates statistics for a search that has not completed any iteration.
    pub fn new(is_analysis: bool) -> Self {
        Self { is_analysis, ..Self::default() }
    }

    /// Records a completed iteration with its best move (as a code) and its score. `nodes` contains the number of nodes
    /// spent on this move and on all moves, or is `None` if they were not counted.
    pub fn iteration(&mut self, code: u16, score: Score, nodes: Option<(u64, u64)>) {
        let last = self.best.replace((code, score));
        let is_same = last.is_none_or(|(last, _)| last == code);
        self.unchanged = if is_same { self.unchanged + 1 } else { 0 };
        self.instability = self.instability / 2 + if is_same { 0 } else { 100 };
        self.fall = last.map_or(0, |(_, last)| last.drop_to(score));
        self.share = nodes.map(|(nodes, all_nodes)| (nodes * 100 / all_nodes.max(1)).min(100) as u32);
    }

    fn percent(&self) -> u32 {
        let by_trend = 100 + (self.instability / 2).min(60) + (self.fall * 2).min(100);
        by_trend * self.by_share() / 100
    }

    /// Returns the time factor in percent, which depends on the best move's share of the nodes. If no other move is
    /// nearly as good, the other moves take few nodes, and less time is needed.
    fn by_share(&self) -> u32 {
        match self.share {
            Some(share) if !self.is_analysis => {
                let share = if self.unchanged >= SETTLED_AFTER { share } else { UNSETTLED_SHARE };
                (260 - 2 * share).min(170)
            }
            _ => 100,
        }
    }
}

impl Budget {
    /// Returns the time after which no new iteration starts. It is longer if the best move changes, the score falls or
    /// other moves take many nodes, and shorter if the choice is clear. A fixed time per move is used in full.
    pub fn target(&self, stats: &IterationStats) -> Duration {
        if self.soft == self.hard { self.soft } else { (self.soft * stats.percent() / 100).min(self.hard) }
    }
}

/// Returns the time budget for choosing among `legal_moves` moves, or `None` if there is no time limit.
///
/// A forced move gets no time unless the limits request more than the best move. The hard limit never exceeds the time
/// left after the overhead, unless the remaining time is shorter than twice the overhead.
pub fn budget(limits: &Limits, legal_moves: usize) -> Option<Budget> {
    let by_move = limits.move_time.map(|time| {
        let time = usable(time, limits);
        Budget { soft: time, hard: time }
    });
    let by_clock = limits.clock.map(|clock| share_of(clock, limits));
    let budget = match (by_move, by_clock) {
        (Some(a), Some(b)) => Budget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) },
        (budget, None) | (None, budget) => budget?,
    };
    let is_forced = legal_moves <= 1 && !needs_value(limits);
    Some(if is_forced { Budget { soft: Duration::ZERO, hard: Duration::ZERO } } else { budget })
}

/// Returns whether the limits request more than the best move, in which case even a forced move has to be searched.
fn needs_value(limits: &Limits) -> bool {
    let has_lines = limits.lines.get() > 1 && limits.handicap.is_none();
    limits.analysis || limits.win_in.is_some() || !limits.root_moves.is_empty() || has_lines
}

fn usable(time: Duration, limits: &Limits) -> Duration {
    time - limits.overhead.min(time / 2)
}

fn share_of(clock: Clock, limits: &Limits) -> Budget {
    let usable = usable(clock.remaining, limits);
    let moves = clock.moves_to_go.unwrap_or(PLANNED_MOVES).clamp(1, PLANNED_MOVES);
    // The last move before the time control may use nearly all of the time, and an earlier move at most half of it.
    let most = if moves == 1 { usable * 9 / 10 } else { usable / 2 };
    let planned = usable / moves + clock.increment.saturating_sub(limits.overhead) * 3 / 4;
    // An engine that ponders has often searched the opponent's move already, so it can spend more time on the other
    // moves.
    let planned = if limits.ponders { planned * 5 / 4 } else { planned };
    // An iteration usually takes longer than all previous iterations together, so an iteration that starts after 60 %
    // of the planned time would seldom be completed.
    Budget { soft: (planned * 3 / 5).min(most), hard: (planned * HARD_FACTOR).min(most) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{GameRules, Position};
    use crate::rules::Variant;
    use crate::search::Handicap;
    use std::num::NonZeroUsize;

    const MS: Duration = Duration::from_millis(1);

    fn limits(clock: Option<Clock>, move_time: Option<Duration>) -> Limits {
        Limits { clock, move_time, overhead: 10 * MS, ..Limits::default() }
    }

    fn clock(remaining: u32, increment: u32, moves_to_go: Option<u32>) -> Option<Clock> {
        Some(Clock { remaining: remaining * MS, increment: increment * MS, moves_to_go })
    }

    #[test]
    fn without_time_limits_there_is_no_budget() {
        assert_eq!(budget(&limits(None, None), 9), None);
    }

    #[test]
    fn a_time_per_move_is_used_except_for_the_overhead() {
        let time = budget(&limits(None, Some(100 * MS)), 9);
        assert_eq!(time, Some(Budget { soft: 90 * MS, hard: 90 * MS }));
        let hard = |time| budget(&limits(None, Some(time)), 9).map(|budget| budget.hard);
        assert_eq!([12, 5, 0].map(|ms| hard(ms * MS)), [6000, 2500, 0].map(|us| Some(us * MS / 1000)), "at least half");
    }

    #[test]
    fn the_clock_is_never_overdrawn() {
        for remaining in [0, 1, 9, 10, 11, 50, 1000, 60_000, 7_200_000] {
            for increment in [0, 1, 100, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = budget(&limits(clock(remaining, increment, moves_to_go), None), 9).unwrap();
                    assert!(budget.soft <= budget.hard);
                    assert!(budget.hard <= remaining * MS - (10 * MS).min(remaining * MS / 2));
                }
            }
        }
    }

    #[test]
    fn whole_games_fit_into_the_clock() {
        let mut left = 200 * MS;
        for _ in 0..300 {
            let hard = budget(&limits(clock(left.as_millis() as u32, 12, None), None), 9).unwrap().hard;
            // Every move takes its hard limit plus 2 ms of latency.
            left = (left + 12 * MS).checked_sub(hard + 2 * MS).expect("time is left");
        }
    }

    #[test]
    fn a_pondering_player_uses_more_time_within_the_same_limits() {
        let plain = limits(clock(60_000, 0, None), None);
        let ponders = Limits { ponders: true, ..plain.clone() };
        assert!(budget(&ponders, 9).unwrap().soft > budget(&plain, 9).unwrap().soft);
        assert!(budget(&ponders, 9).unwrap().hard <= 30_000 * MS);
    }

    fn stats(iterations: &[(u16, i32, u64)]) -> IterationStats {
        stats_of(false, iterations)
    }

    fn stats_of(is_analysis: bool, iterations: &[(u16, i32, u64)]) -> IterationStats {
        let mut stats = IterationStats::new(is_analysis);
        for &(code, score, nodes) in iterations {
            stats.iteration(code, Score::evaluation(score), Some((nodes, 100)));
        }
        stats
    }

    #[test]
    fn a_clear_choice_takes_less_time_than_an_unclear_one() {
        let budget = budget(&limits(clock(60_000, 0, None), None), 9).unwrap();
        let plain = budget.target(&stats(&[(1, 10, 80); 6]));
        assert_eq!(plain, budget.soft);
        assert!(budget.target(&stats(&[(1, 10, 95); 6])) < plain);
        assert!(budget.target(&stats(&[(1, 10, 50); 6])) > plain, "other moves are close to it");
        assert!(budget.target(&stats(&[(1, 10, 95)])) > plain, "the best move changed recently");
        assert_eq!(budget.target(&stats_of(true, &[(1, 10, 95); 6])), plain, "an analysis");
        assert!(budget.target(&stats(&[(1, 10, 80), (2, 10, 80)])) > plain, "a different best move");
        let falling = [(1, 10, 80), (1, 10, 80), (1, 10, 80), (1, -30, 80)];
        assert!(budget.target(&stats(&falling)) > plain, "a falling score");
        assert_eq!(budget.target(&stats(&[(1, -30, 80), (1, 10, 80), (1, 10, 80)])), plain, "a rising one");
        assert!(budget.target(&stats(&[(1, 900, 50), (2, -900, 50)])) <= budget.hard);
        let mut uncounted = IterationStats::new(false);
        uncounted.iteration(1, Score::DRAW, None);
        assert_eq!(budget.target(&uncounted), plain, "uncounted nodes have no effect");
    }

    #[test]
    fn a_time_per_move_is_used_up_whatever_happens() {
        let budget = budget(&limits(None, Some(100 * MS)), 9).unwrap();
        assert_eq!(budget.target(&stats(&[(1, 10, 95); 6])), 90 * MS);
    }

    #[test]
    fn a_forced_move_takes_no_time_unless_its_value_is_requested() {
        let first =
            Position::<u64>::start(GameRules::for_variant(Variant::English).unwrap()).legal_moves()[0].widened();
        let clock = clock(60_000, 0, None);
        let none = Some(Budget { soft: Duration::ZERO, hard: Duration::ZERO });
        let candidates = NonZeroUsize::new(Handicap::CANDIDATES).unwrap();
        for limits in [limits(clock, None), limits(None, Some(100 * MS)), limits(clock, Some(100 * MS))] {
            let usual = budget(&limits, 9);
            assert_eq!(budget(&limits, 1), none);
            assert_eq!(budget(&Limits { ponder: true, ..limits.clone() }, 1), none, "after the expected move");
            let handicap = Some(Handicap { depth: 3, spread: 20, seed: 1 });
            assert_eq!(budget(&Limits { lines: candidates, handicap, ..limits.clone() }, 1), none, "a weakened player");
            for request in [
                Limits { analysis: true, ..limits.clone() },
                Limits { win_in: Some(9), ..limits.clone() },
                Limits { lines: candidates, ..limits.clone() },
                Limits { root_moves: vec![first], ..limits.clone() },
            ] {
                assert_eq!(budget(&request, 1), usual, "{request:?}");
            }
        }
        assert_eq!(budget(&Limits { depth: Some(9), nodes: Some(900), ..Limits::default() }, 1), None);
    }

    #[test]
    fn stricter_time_limit_applies() {
        let both = budget(&limits(clock(60_000, 0, None), Some(50 * MS)), 9).unwrap();
        assert_eq!(both.hard, 40 * MS);
        assert!(budget(&limits(clock(300, 0, None), Some(5_000 * MS)), 9).unwrap().hard < 150 * MS);
    }
}
