//! How long players take for a move.

use super::{Contender, Progress, Sample};
use std::io;
use std::time::Duration;

/// Size of the transposition table in MiB: a new one for each move, which costs more time the larger it is.
const TABLE_MIB: usize = 1;

/// What a move of a player costs.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeRow {
    /// The player.
    pub contender: Contender,
    /// Mean time for a move.
    pub time: Duration,
    /// Mean positions searched for a move.
    pub nodes: f64,
}

/// The mean cost of a move of each of `contenders` over `sample`. Measured one after the other, with nothing else running.
///
/// # Errors
/// When a search breaks off.
pub fn mean_times(sample: &Sample, contenders: Vec<Contender>, progress: Progress<'_>) -> io::Result<Vec<TimeRow>> {
    let all = contenders.len() * sample.positions.len();
    let mut rows = Vec::new();
    for contender in contenders {
        let (mut time, mut nodes) = (Duration::ZERO, 0);
        for (index, position) in sample.positions.iter().enumerate() {
            let answer = contender.think(&mut contender.engine(TABLE_MIB)?, position, 1)?;
            time += answer.time;
            nodes += answer.nodes;
            progress(rows.len() * sample.positions.len() + index + 1, all);
        }
        let count = sample.positions.len().max(1);
        rows.push(TimeRow { contender, time: time / count as u32, nodes: nodes as f64 / count as f64 });
    }
    Ok(rows)
}
