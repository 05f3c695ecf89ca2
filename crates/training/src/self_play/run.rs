//! Plays a shard of a plan on many threads into one file.

use super::game::{Referee, Searcher};
use super::{Plan, Players};
use crate::data::{DataError, DataWriter, Header, TrainingGame};
use crossbeam_channel::{Receiver, bounded};
use soffio::eval::learned::EvalFileError;
use soffio::position::{GameRules, any_rules, with_width};
use soffio::rules::{Variant, Word};
use soffio::search::AllocationError;
use soffio::shard::Shard;
use soffio::stop::Stop;
use soffio::tables::{Adjudicator, NoTables};
use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of games between flushes. Not a time: the file must be the same in every run.
const FLUSH: usize = 32;

/// Maximum number of games waiting to be written; a thread that is further ahead blocks.
const WAITING: usize = 256;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    pub before: u64,
    pub now: u64,
    pub all: u64,
    pub positions: u64,
    pub equal: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    #[error("nobody plays")]
    Nobody,
    #[error("{}: no player uses these weights", .0.display())]
    UnusedFile(PathBuf),
    #[error("there are no weights for {0}: name a file")]
    NoWeights(Variant),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[error(transparent)]
    Tables(#[from] NoTables),
    #[error(transparent)]
    File(#[from] DataError),
    #[error(transparent)]
    Memory(#[from] AllocationError),
}

/// Plays the games of `shard` among the first `games` of `plan` and writes them to `path` in the order of their
/// numbers.
///
/// The file does not depend on the number of threads. An existing file is resumed.
pub fn play(
    plan: &Plan,
    (games, shard): (u64, Shard),
    path: &Path,
    threads: NonZeroUsize,
    stop: &Stop,
    progress: &mut dyn FnMut(Played),
) -> Result<Played, SelfPlayError> {
    let numbers = shard.numbers(games);
    with_width!(any_rules(plan.variant), rules => play_on(plan, rules, numbers, path, threads, stop, progress))
}

fn play_on<W: Word>(
    plan: &Plan,
    rules: &'static GameRules<W>,
    numbers: impl ExactSizeIterator<Item = u64>,
    path: &Path,
    threads: NonZeroUsize,
    stop: &Stop,
    progress: &mut dyn FnMut(Played),
) -> Result<Played, SelfPlayError> {
    let (players, weights) = Players::new(plan, rules)?;
    let adjudicator = plan.tables.as_deref().map(|folder| Adjudicator::open(folder, plan.variant)).transpose()?;
    let text = plan.text(weights, adjudicator.as_ref().map(|tables| tables.slices));
    let header = Header::of(plan.variant, text);
    let mut writer = GameWriter::open(path, header, numbers)?;
    let searchers = (0..threads.get()).map(|_| Searcher::new(None)).collect::<Result<Vec<_>, _>>()?;
    let numbers = std::mem::take(&mut writer.numbers);
    let next = AtomicUsize::new(0);
    let (sender, finished) = bounded(WAITING);
    let result = std::thread::scope(|scope| {
        for searcher in searchers {
            let (numbers, next, players, sender) = (&numbers, &next, &players, sender.clone());
            let adjudicator = adjudicator.as_ref();
            scope.spawn(move || {
                let mut referee = Referee::new(plan, players, adjudicator, rules, [searcher.clone(), searcher]);
                while !stop.is_stopped() {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&number) = numbers.get(place) else { return };
                    // The receiver has hung up if the file cannot be written.
                    if sender.send((place, referee.play(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        writer.write_all(finished, progress)
    });
    result?;
    Ok(writer.played)
}

struct GameWriter {
    writer: DataWriter,
    numbers: Vec<u64>,
    fingerprints: HashSet<u64>,
    played: Played,
}

impl GameWriter {
    fn open(path: &Path, header: Header, numbers: impl ExactSizeIterator<Item = u64>) -> Result<Self, DataError> {
        let all = numbers.len() as u64;
        let (mut fingerprints, mut last, mut before) = (HashSet::new(), None, 0);
        let writer = if path.exists() {
            DataWriter::resume(path, header, |game| {
                fingerprints.insert(game.fingerprint());
                last = last.max(Some(game.number));
                before += 1;
            })?
        } else {
            DataWriter::create(path, header)?
        };
        let numbers = numbers.filter(|&number| last.is_none_or(|last| number > last)).collect();
        Ok(Self { writer, numbers, fingerprints, played: Played { before, all, ..Played::default() } })
    }

    fn write_all(
        &mut self,
        finished: Receiver<(usize, TrainingGame)>,
        progress: &mut dyn FnMut(Played),
    ) -> Result<(), DataError> {
        let mut waiting = BTreeMap::new();
        let mut place = 0;
        for (at, game) in finished {
            waiting.insert(at, game);
            while let Some(game) = waiting.remove(&place) {
                place += 1;
                self.write(&game)?;
                if place.is_multiple_of(FLUSH) {
                    self.writer.flush()?;
                }
                progress(self.played);
            }
        }
        self.writer.flush()
    }

    fn write(&mut self, game: &TrainingGame) -> Result<(), DataError> {
        self.played.now += 1;
        if !self.fingerprints.insert(game.fingerprint()) {
            self.played.equal += 1;
            return Ok(());
        }
        self.played.positions += game.positions.len() as u64;
        self.writer.write(game)
    }
}
