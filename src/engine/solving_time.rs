//! How long a search may wait for endgame tables, and how many positions may be solved for it.

use crate::game::Game;
use crate::search::{Limits, budget};
use std::time::Duration;

/// Approximate number of nodes in a depth-0 search with few pieces on the board. Each additional ply doubles this
/// number.
const NODES_PER_LEAF: u64 = 16;

/// Estimated time for solving one position. It includes a margin over the time measured on an idle machine.
const TIME_PER_POSITION: Duration = Duration::from_micros(1);

/// Maximum time for which an open-ended search waits for tables.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Returns approximately how many nodes the limits allow. This is also the maximum number of positions that the search
/// solves for endgame tables. Solving a position takes about half as long as searching a node.
pub(super) fn nodes_within(limits: &Limits) -> u64 {
    let leaves = |depth: u8| 1_u64.checked_shl(depth.into()).unwrap_or(u64::MAX);
    let by_depth = limits.depth.map(|depth| leaves(depth).saturating_mul(NODES_PER_LEAF));
    by_depth.into_iter().chain(limits.nodes).min().unwrap_or(u64::MAX)
}

pub(super) fn is_timed(limits: &Limits) -> bool {
    limits.move_time.is_some() || limits.clock.is_some()
}

/// Returns whether the search ends on its own and always at the same node.
pub(super) fn is_bounded(limits: &Limits) -> bool {
    !is_timed(limits) && (limits.depth.is_some() || limits.nodes.is_some() || limits.win_in.is_some())
}

pub(super) fn max_wait(game: &Game, limits: &Limits, work: u64) -> Duration {
    match planned_time(game, limits) {
        Some(time) if expected(work) > time / 2 => Duration::ZERO,
        Some(time) => time * 3 / 4,
        None => MAX_WAIT,
    }
}

/// Returns the part of the search time that may be used to solve tables for positions in the search tree.
pub(super) fn spare_time(game: &Game, limits: &Limits) -> Duration {
    planned_time(game, limits).unwrap_or(MAX_WAIT) / 8
}

fn planned_time(game: &Game, limits: &Limits) -> Option<Duration> {
    let counts = !limits.infinite && !limits.ponder;
    budget(limits, game.legal_moves().len()).filter(|_| counts).map(|budget| budget.soft)
}

pub(super) fn expected(work: u64) -> Duration {
    TIME_PER_POSITION.saturating_mul(u32::try_from(work).unwrap_or(u32::MAX))
}
