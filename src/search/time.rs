//! The time manager: how long to think about a move, as a pure function of the limits.

use super::{Clock, Limits};
use crate::rules::Rules;
use std::time::Duration;

/// Moves that a game without a move limit is planned to last from any moment.
const PLANNED_MOVES: u32 = 30;

/// The hard limit, in multiples of the planned time, unless the clock allows less.
const HARD_FACTOR: u32 = 4;

/// Time for one move, counted from the moment the search was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// After this time no new iteration is begun.
    pub soft: Duration,
    /// After this time the search ends at once.
    pub hard: Duration,
}

/// The time for a move with `legal_moves` choices under `limits`; `None` when nothing limits the time.
///
/// With a clock, the hard limit never takes more than what is left after the overhead, so that a move can be late only
/// by the overhead being too small. A move without a choice is not thought about.
pub fn budget<R: Rules>(limits: &Limits<R>, legal_moves: usize) -> Option<Budget> {
    let by_move = limits.move_time.map(|time| {
        let time = time.saturating_sub(limits.overhead);
        Budget { soft: time, hard: time }
    });
    let by_clock = limits.clock.map(|clock| share_of(clock, limits.overhead, legal_moves));
    match (by_move, by_clock) {
        (Some(a), Some(b)) => Some(Budget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) }),
        (budget, None) | (None, budget) => budget,
    }
}

fn share_of(clock: Clock, overhead: Duration, legal_moves: usize) -> Budget {
    if legal_moves <= 1 {
        return Budget { soft: Duration::ZERO, hard: Duration::ZERO };
    }
    let usable = clock.remaining.saturating_sub(overhead);
    let moves = clock.moves_to_go.unwrap_or(PLANNED_MOVES).clamp(1, PLANNED_MOVES);
    // The last move before new time may use nearly all that is left, an earlier one never more than half.
    let most = if moves == 1 { usable * 9 / 10 } else { usable / 2 };
    let planned = usable / moves + clock.increment.saturating_sub(overhead) * 3 / 4;
    // An iteration takes longer than all before it together: begun after 60% of the planned time it would seldom end.
    Budget { soft: (planned * 3 / 5).min(most), hard: (planned * HARD_FACTOR).min(most) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::English;

    const MS: Duration = Duration::from_millis(1);

    fn limits(clock: Option<Clock>, move_time: Option<Duration>) -> Limits<English> {
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
    fn a_time_per_move_is_used_up_but_for_the_overhead() {
        let time = budget(&limits(None, Some(100 * MS)), 9);
        assert_eq!(time, Some(Budget { soft: 90 * MS, hard: 90 * MS }));
        assert_eq!(budget(&limits(None, Some(5 * MS)), 9).map(|b| b.hard), Some(Duration::ZERO));
    }

    #[test]
    fn the_clock_is_never_overdrawn() {
        for remaining in [0, 1, 9, 10, 11, 50, 1000, 60_000, 7_200_000] {
            for increment in [0, 1, 100, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = budget(&limits(clock(remaining, increment, moves_to_go), None), 9).unwrap();
                    assert!(budget.soft <= budget.hard);
                    assert!(budget.hard <= (remaining * MS).saturating_sub(10 * MS));
                }
            }
        }
    }

    #[test]
    fn whole_games_fit_into_the_clock() {
        let mut left = 200 * MS;
        for _ in 0..300 {
            let hard = budget(&limits(clock(left.as_millis() as u32, 12, None), None), 9).unwrap().hard;
            // Every move takes its hard limit and 2 ms on the way.
            left = (left + 12 * MS).checked_sub(hard + 2 * MS).expect("time is left");
        }
    }

    #[test]
    fn a_forced_move_takes_no_time_on_a_clock() {
        assert_eq!(budget(&limits(clock(60_000, 0, None), None), 1).map(|b| b.hard), Some(Duration::ZERO));
        assert_eq!(budget(&limits(None, Some(100 * MS)), 1).map(|b| b.hard), Some(90 * MS));
    }

    #[test]
    fn the_stricter_of_two_limits_counts() {
        let both = budget(&limits(clock(60_000, 0, None), Some(50 * MS)), 9).unwrap();
        assert_eq!(both.hard, 40 * MS);
        assert!(budget(&limits(clock(300, 0, None), Some(5_000 * MS)), 9).unwrap().hard < 150 * MS);
    }
}
