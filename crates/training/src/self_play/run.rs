//! Plays a shard of a plan on several threads, and writes the games to one file.

use super::game::{GamePlayer, Searcher};
use super::{Players, SelfPlayPlan};
use crate::data::{DataError, DataHeader, DataWriter, TrainingGame};
use anyhow::Result;
use soffio::pool::Pool;
use soffio::position::{GameRules, any_rules, with_width};
use soffio::rules::Word;
use soffio::search::Parameters;
use soffio::shard::Shard;
use soffio::stop::Stop;
use soffio::tables::Adjudicator;
use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Number of games between flushes. Flushing at time intervals would make the file different in every run.
const FLUSH: usize = 32;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelfPlayCounts {
    /// Number of games of the shard that earlier runs played, including duplicates.
    pub resumed: u64,
    /// Number of games that this run has played, including duplicates.
    pub played: u64,
    /// Number of games of the shard.
    pub total: u64,
    /// Number of positions that this run has written.
    pub positions: u64,
    /// Number of games of this run that are equal to an earlier game and were not written.
    pub duplicate_games: u64,
}

/// Plays the games of `shard` among the first `games` games of `plan`, and writes them to `path` in numeric order.
///
/// The file does not depend on the number of threads. An existing file is resumed.
pub fn play(
    plan: &SelfPlayPlan,
    (games, shard): (u64, Shard),
    path: &Path,
    threads: NonZeroUsize,
    stop: &Stop,
    progress: &mut dyn FnMut(SelfPlayCounts),
) -> Result<SelfPlayCounts> {
    let numbers = shard.numbers(games);
    with_width!(any_rules(plan.variant), rules => play_on(plan, rules, numbers, path, threads, stop, progress))
}

fn play_on<W: Word>(
    plan: &SelfPlayPlan,
    rules: &'static GameRules<W>,
    numbers: impl ExactSizeIterator<Item = u64>,
    path: &Path,
    threads: NonZeroUsize,
    stop: &Stop,
    progress: &mut dyn FnMut(SelfPlayCounts),
) -> Result<SelfPlayCounts> {
    let (players, weights) = Players::new(plan, rules)?;
    let adjudicator = plan.tables.as_deref().map(|folder| Adjudicator::open(folder, plan.variant)).transpose()?;
    let text = plan.text(weights, adjudicator.as_ref().map(|tables| tables.slices));
    let header = DataHeader::new(plan.variant, text);
    let mut writer = GameWriter::open(path, header, numbers)?;
    let numbers = std::mem::take(&mut writer.numbers);
    let worker = || {
        let searcher = Searcher::new(None);
        let mut player = searcher
            .map(|searcher| GamePlayer::new(plan, &players, adjudicator.as_ref(), rules, [searcher.clone(), searcher]));
        move |(place, number)| match &mut player {
            Ok(player) => anyhow::Ok((place, player.play(number))),
            Err(error) => Err((*error).into()),
        }
    };
    Pool { name: "self-play", threads, stop }.try_run(numbers.into_iter().enumerate(), worker, |(place, game)| {
        writer.take(place, game, progress)?;
        Ok(ControlFlow::Continue(()))
    })?;
    writer.writer.flush()?;
    Ok(writer.counts)
}

/// Plays game `number` of `plan` twice, with colours swapped, between two searches that use the given parameters.
/// Returns the number of wins minus the number of losses of the first search.
pub fn play_pair(plan: &SelfPlayPlan, number: u64, parameters: &[Arc<Parameters>; 2]) -> Result<i32> {
    with_width!(any_rules(plan.variant), rules => play_pair_by(rules, plan, number, parameters))
}

fn play_pair_by<W: Word>(
    rules: &'static GameRules<W>,
    plan: &SelfPlayPlan,
    number: u64,
    [first, second]: &[Arc<Parameters>; 2],
) -> Result<i32> {
    let (players, _) = Players::new(plan, rules)?;
    let (first, second) = (Searcher::new(Some(first.clone()))?, Searcher::new(Some(second.clone()))?);
    let play = |searchers| GamePlayer::new(plan, &players, None, rules, searchers).play(number).outcome.balance();
    Ok(play([first.clone(), second.clone()]) - play([second, first]))
}

struct GameWriter {
    writer: DataWriter,
    numbers: Vec<u64>,
    fingerprints: HashSet<u64>,
    /// Finished games waiting for earlier games to finish. The key is the game's position in the numeric order.
    waiting: BTreeMap<usize, TrainingGame>,
    next: usize,
    counts: SelfPlayCounts,
}

impl GameWriter {
    fn open(path: &Path, header: DataHeader, numbers: impl ExactSizeIterator<Item = u64>) -> Result<Self, DataError> {
        let total = numbers.len() as u64;
        let (mut fingerprints, mut last) = (HashSet::new(), None);
        let writer = if path.exists() {
            DataWriter::resume(path, header, |game| {
                fingerprints.insert(game.fingerprint());
                last = last.max(Some(game.number));
            })?
        } else {
            DataWriter::create(path, header)?
        };
        let numbers: Vec<_> = numbers.filter(|&number| last.is_none_or(|last| number > last)).collect();
        // Duplicate games were played as well, but are not in the file.
        let resumed = total - numbers.len() as u64;
        let counts = SelfPlayCounts { resumed, total, ..SelfPlayCounts::default() };
        Ok(Self { writer, numbers, fingerprints, waiting: BTreeMap::new(), next: 0, counts })
    }

    fn take(
        &mut self,
        place: usize,
        game: TrainingGame,
        progress: &mut dyn FnMut(SelfPlayCounts),
    ) -> Result<(), DataError> {
        self.waiting.insert(place, game);
        while let Some(game) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.write(&game)?;
            if self.next.is_multiple_of(FLUSH) {
                self.writer.flush()?;
            }
            progress(self.counts);
        }
        Ok(())
    }

    fn write(&mut self, game: &TrainingGame) -> Result<(), DataError> {
        self.counts.played += 1;
        if !self.fingerprints.insert(game.fingerprint()) {
            self.counts.duplicate_games += 1;
            return Ok(());
        }
        self.counts.positions += game.positions.len() as u64;
        self.writer.write(game)
    }
}
