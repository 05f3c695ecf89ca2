//! Replays a written game. If a move is ambiguous, later moves can show which legal move is meant.

use super::moves::{WrittenPath, bitboard_move, full_path, one_path_each};
use super::resolve::{completed, explain, resolve};
use super::{FenRecord, IllegalMove, MoveRecord, SquareName, WrittenGame};
use crate::position::Setup;
use crate::position::paths::{Sequence, after, legal_sequences};
use crate::rules::RuleSet;
use std::collections::BTreeSet;

const MAX_LINES: usize = 64;

/// A game whose moves are all legal.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The game after the last move.
    pub game: WrittenGame,
    /// The full paths of the moves.
    pub moves: Vec<Sequence>,
    /// Indices of the moves whose meaning was determined with the help of later moves.
    pub settled: Vec<usize>,
}

/// Why a written game cannot be replayed: a move is illegal, or it is still ambiguous when all moves are considered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// Index of the illegal or ambiguous move, counted from 0.
    pub index: usize,
    /// Why the move is illegal or ambiguous.
    pub reason: IllegalMove,
    /// Number of leading moves that can be read as a sequence of legal moves. Ambiguous moves count as legal.
    pub legal: usize,
}

/// Plays `moves` from the position of `start`.
///
/// Old files contain moves that are written with a capture separator but capture nothing. Such a move is accepted if it
/// is legal with a hyphen. If the moves can be read in several ways, the reading in which all moves are legal is
/// chosen. If all moves are legal in several readings, the reading in which the most moves have their preferred meaning
/// is chosen.
///
/// # Errors
/// Returns an error if a move is illegal in every reading, or if several readings remain.
pub fn replay(start: &WrittenGame, moves: &[MoveRecord]) -> Result<Replay, ReplayError> {
    let spec = start.spec();
    let mut lines = vec![GameReading { game: start.clone(), moves: Vec::new(), forced_readings: 0 }];
    for (index, record) in moves.iter().enumerate() {
        if let [only] = lines.as_mut_slice()
            && let Some(sequence) = only.game.plain_move(record)
        {
            only.push(sequence, false);
            continue;
        }
        let mut next = Vec::new();
        let mut refused = None;
        for line in lines {
            match line.after(record) {
                Ok(longer) => next.extend(longer),
                Err(reason) => refused = refused.or(Some(reason)),
            }
        }
        if let (true, Some(reason)) = (next.is_empty(), refused) {
            return Err(ReplayError { index, reason, legal: index });
        }
        next.sort_by_key(|line| line.forced_readings);
        let least = most_natural(&next);
        if least.len() > MAX_LINES {
            return Err(left_open(spec, least, index + 1));
        }
        next.truncate(MAX_LINES);
        lines = next;
    }
    match most_natural(&lines) {
        [line] => Ok(line.clone().replay()),
        several => Err(left_open(spec, several, moves.len())),
    }
}

/// Returns the number of leading moves that [`replay`] can read as a sequence of legal moves.
pub(super) fn legal_move_count(start: &WrittenGame, moves: &[MoveRecord]) -> usize {
    // Most games can be played without finding the paths of their moves. Finding these paths takes most of the time in
    // `replay`.
    if start.clone().play_clear_moves(moves) {
        return moves.len();
    }
    replay(start, moves).map_or_else(|error| error.legal, |_| moves.len())
}

/// Returns the position after the placements of a flying opening (IDF-64), and the number of placements. In a flying
/// opening, one or two men are moved to other squares of an 8x8 board before the game begins.
///
/// Returns `None` if the first moves are legal or cannot be placements.
pub fn placements(spec: &RuleSet, start: Option<&FenRecord>, moves: &[MoveRecord]) -> Option<(FenRecord, usize)> {
    let placed = moves.get(..moves.len().min(2)).filter(|placed| !placed.is_empty())?;
    let is_lettered = |mv: &MoveRecord| matches!(mv.from, SquareName::Algebraic { rank: 1.., .. });
    if spec.shape.height != 8 || !placed.iter().all(is_lettered) {
        return None;
    }
    let mut setup = start.map_or_else(|| Ok(Setup::start(spec)), |start| start.to_setup(spec)).ok()?;
    let is_legal =
        |setup: &Setup, mv: &MoveRecord| resolve(spec, setup, mv).ok().map(|sequence| after(spec, setup, &sequence));
    let is_played = placed.iter().try_fold(setup.clone(), |setup, mv| is_legal(&setup, mv)).is_some();
    if is_played || setup.pieces.len() < 2 * usize::from(spec.men()) {
        return None;
    }
    // All men are removed first, because a man can be placed on the square that another man leaves.
    let mut men = Vec::new();
    for mv in placed {
        let to = mv.path.first().filter(|_| mv.path.len() == 1 && !mv.capture)?.resolve(spec).ok()?;
        men.push((to, setup.pieces.remove(&mv.from.resolve(spec).ok()?)?));
    }
    for (to, man) in men {
        if setup.pieces.insert(to, man).is_some() {
            return None;
        }
    }
    let is_next_legal = moves.get(placed.len()).is_none_or(|next| is_legal(&setup, next).is_some());
    is_next_legal.then(|| (FenRecord::from_setup(spec, &setup), placed.len()))
}

#[derive(Clone)]
struct GameReading {
    game: WrittenGame,
    moves: Vec<Choice>,
    /// Number of moves whose meaning in this reading differs from the meaning that they would have on their own.
    forced_readings: usize,
}

#[derive(Clone)]
struct Choice {
    sequence: Sequence,
    /// Whether the move would be ambiguous or have a different meaning on its own.
    is_open: bool,
}

impl GameReading {
    /// Returns one copy of the reading for each meaning of `record`, with that meaning appended. The preferred meaning
    /// comes first.
    fn after(mut self, record: &MoveRecord) -> Result<Vec<Self>, IllegalMove> {
        if let Some(sequence) = self.game.plain_move(record) {
            self.push(sequence, false);
            return Ok(vec![self]);
        }
        let (spec, setup) = (*self.game.spec(), self.game.game().setup());
        let legal = legal_sequences(&spec, &setup);
        let record = &*completed(&spec, record, &legal)?;
        let attempt = WrittenPath::new(&spec, record)?;
        let mut readings = attempt.readings(&legal).map(|reading| one_path_each(&spec, reading));
        if record.capture && readings.iter().all(Vec::is_empty) {
            let unsigned = WrittenPath::new(&spec, &MoveRecord { capture: false, ..record.clone() })?;
            readings = unsigned.readings(&legal).map(|reading| one_path_each(&spec, reading));
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
            return Err(explain(&spec, &setup, &attempt, &legal));
        }
        let has_choice = meanings.iter().filter(|(_, is_forced)| !is_forced).count() > 1;
        let mut lines = vec![self; meanings.len()];
        for (line, (sequence, is_forced)) in lines.iter_mut().zip(meanings) {
            line.push(sequence, has_choice || is_forced);
            line.forced_readings += usize::from(is_forced);
        }
        Ok(lines)
    }

    fn push(&mut self, sequence: Sequence, is_open: bool) {
        self.game.play_legal(bitboard_move(&sequence));
        self.moves.push(Choice { sequence, is_open });
    }

    fn replay(self) -> Replay {
        let open = self.moves.iter().enumerate().filter(|(_, choice)| choice.is_open);
        let settled = open.map(|(index, _)| index).collect();
        Replay { game: self.game, moves: self.moves.into_iter().map(|choice| choice.sequence).collect(), settled }
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
    ReplayError { index, reason: IllegalMove::Ambiguous(meanings.into_iter().collect()), legal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    /// Returns `record` with random changes: often reduced to its origin and destination, sometimes with the wrong
    /// sign, and rarely made illegal.
    fn rewritten(record: &MoveRecord, random: &mut fastrand::Rng) -> MoveRecord {
        let mut record = record.clone();
        if random.bool() {
            record.path.drain(..record.path.len() - 1);
        }
        match random.u8(..) {
            0 => record.path[0] = record.from,
            1..=20 => record.capture = !record.capture,
            _ => {}
        }
        record
    }

    #[test]
    fn legal_moves_are_counted_as_in_a_replay() {
        let mut random = fastrand::Rng::with_seed(7);
        for variant in Variant::listed() {
            for _ in 0..20 {
                let start = WrittenGame::new(variant);
                let (mut game, mut moves) = (start.clone(), Vec::new());
                while moves.len() < 60
                    && let Some(sequence) = random.choice(legal_sequences(game.spec(), &game.game().setup()))
                {
                    game.play_legal(bitboard_move(&sequence));
                    let record: MoveRecord = full_path(game.spec(), &sequence).parse().unwrap();
                    moves.push(rewritten(&record, &mut random));
                }
                let replayed = replay(&start, &moves).map_or_else(|error| error.legal, |_| moves.len());
                assert_eq!(legal_move_count(&start, &moves), replayed, "{variant} {moves:?}");
            }
        }
    }
}
