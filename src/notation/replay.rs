//! Replays a written game; later moves can resolve an ambiguous one.

use super::moves::{Attempt, full_path, one_path_each};
use super::resolve::explain;
use super::{FenError, FenRecord, IllegalMove, MoveRecord};
use crate::position::Setup;
use crate::position::paths::{Sequence, after, legal_sequences};
use crate::rules::RuleSet;
use std::collections::BTreeSet;

const MOST_LINES: usize = 64;

/// A game whose moves are all legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The moves with their full, unambiguous paths.
    pub moves: Vec<Sequence>,
    /// Indices of the moves whose meaning was settled by later moves.
    pub settled: Vec<usize>,
}

/// Why a written game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The start position is not valid in the variant.
    Fen(FenError),
    /// A move is illegal, or ambiguous even given the whole game.
    Move {
        /// Index of the move, counted from 0.
        index: usize,
        /// The rule that the move breaks.
        reason: IllegalMove,
        /// Number of leading moves that are legal in some reading; all moves if one is only ambiguous.
        legal: usize,
    },
}

/// Plays `moves` from `start`, or from the start position of `spec`.
///
/// A capture sign on a move that captures nothing, as in old files, is accepted if the move is legal with a hyphen.
/// Among several readings, the one in which all moves are legal is chosen; among several of these, the one with the
/// most moves in their preferred meaning.
///
/// # Errors
/// Returns an error if the position is impossible, a move is illegal in every reading, or several readings remain.
pub fn replay(spec: &RuleSet, start: Option<&FenRecord>, moves: &[MoveRecord]) -> Result<Replay, ReplayError> {
    let setup = start.map_or_else(|| Ok(Setup::start(spec)), |start| start.to_setup(spec)).map_err(ReplayError::Fen)?;
    setup.check(spec).map_err(|error| ReplayError::Fen(error.into()))?;
    let mut lines = vec![GameReading { setup, moves: Vec::new(), forced_readings: 0 }];
    for (index, record) in moves.iter().enumerate() {
        let mut next = Vec::new();
        let mut refused = None;
        for line in lines {
            match line.after(spec, record) {
                Ok(longer) => next.extend(longer),
                Err(reason) => refused = refused.or(Some(reason)),
            }
        }
        if let (true, Some(reason)) = (next.is_empty(), refused) {
            return Err(ReplayError::Move { index, reason, legal: index });
        }
        next.sort_by_key(|line| line.forced_readings);
        let least = most_natural(&next);
        if least.len() > MOST_LINES {
            return Err(left_open(spec, least, index + 1));
        }
        next.truncate(MOST_LINES);
        lines = next;
    }
    match most_natural(&lines) {
        [line] => Ok(line.replay()),
        several => Err(left_open(spec, several, moves.len())),
    }
}

#[derive(Clone)]
struct GameReading {
    setup: Setup,
    moves: Vec<Choice>,
    /// Number of moves that would have a different meaning on their own.
    forced_readings: usize,
}

#[derive(Clone)]
struct Choice {
    sequence: Sequence,
    /// Whether the move has or could have a different meaning on its own.
    is_open: bool,
}

impl GameReading {
    /// Returns the reading extended by each meaning of `record`, in order of preference.
    fn after(self, spec: &RuleSet, record: &MoveRecord) -> Result<Vec<Self>, IllegalMove> {
        let legal = legal_sequences(spec, &self.setup);
        let attempt = Attempt::new(spec, record)?;
        let mut readings = attempt.readings(&legal).map(|reading| one_path_each(spec, reading));
        if record.capture && readings.iter().all(Vec::is_empty) {
            let unsigned = Attempt::new(spec, &MoveRecord { capture: false, ..record.clone() })?;
            readings = unsigned.readings(&legal).map(|reading| one_path_each(spec, reading));
        }
        let mut meanings: Vec<(Sequence, bool)> = Vec::new();
        let first = readings.iter().position(|reading| !reading.is_empty());
        for (index, reading) in readings.into_iter().enumerate() {
            let is_forced = Some(index) != first;
            for sequence in reading {
                if !meanings.iter().any(|(known, _)| known.same_move(&sequence)) {
                    meanings.push((sequence, is_forced));
                }
            }
        }
        if meanings.is_empty() {
            return Err(explain(spec, &self.setup, &attempt, &legal));
        }
        let has_choice = meanings.iter().filter(|(_, is_forced)| !is_forced).count() > 1;
        let mut lines = vec![self; meanings.len()];
        for (line, (sequence, is_forced)) in lines.iter_mut().zip(meanings) {
            line.setup = after(spec, &line.setup, &sequence);
            line.moves.push(Choice { sequence, is_open: has_choice || is_forced });
            line.forced_readings += usize::from(is_forced);
        }
        Ok(lines)
    }

    fn replay(&self) -> Replay {
        let open = self.moves.iter().enumerate().filter(|(_, choice)| choice.is_open);
        Replay {
            moves: self.moves.iter().map(|choice| choice.sequence.clone()).collect(),
            settled: open.map(|(index, _)| index).collect(),
        }
    }
}

fn most_natural(lines: &[GameReading]) -> &[GameReading] {
    let least = lines.first().map_or(0, |line| line.forced_readings);
    let count = lines.iter().take_while(|line| line.forced_readings == least).count();
    lines.get(..count).unwrap_or_default()
}

fn left_open(spec: &RuleSet, lines: &[GameReading], legal: usize) -> ReplayError {
    let meaning = |line: &GameReading, index: usize| Some(full_path(spec, &line.moves.get(index)?.sequence));
    let meanings = |index| lines.iter().filter_map(|line| meaning(line, index)).collect::<BTreeSet<_>>();
    let first = (0..legal).map(|index| (index, meanings(index))).find(|(_, meanings)| meanings.len() > 1);
    let (index, meanings) = first.unwrap_or_default();
    ReplayError::Move { index, reason: IllegalMove::Ambiguous(meanings.into_iter().collect()), legal }
}
