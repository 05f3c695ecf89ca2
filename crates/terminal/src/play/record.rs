//! The game on the board: its rules, its start position, the moves played and those taken back; but not its players.

use super::Grid;
use super::command::shown;
use anyhow::{Error, Result, anyhow, bail};
use derive_more::Display;
use soffio::board::Square;
use soffio::engine::{Engine, Options, Status, Value};
use soffio::notation::pdn::PdnMove;
use soffio::notation::{FenRecord, IllegalMove, MoveRecord, WrittenGame, full_path, printed_moves, resolve};
use soffio::position::Setup;
use soffio::position::reference::Sequence;
use soffio::rules::{Color, RuleSet, Variant};
use soffio_support::words::counted;
use std::cell::OnceCell;
use std::time::Duration;

/// A variant, and whether its captures are compulsory, where players may agree on that.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{variant}{}", if self.rules() == *variant { "" } else { " without forced captures" })]
pub struct GameChoice {
    pub variant: Variant,
    pub forced_capture: bool,
}

impl GameChoice {
    /// `variant` by its standard rules.
    pub fn of(variant: Variant) -> Self {
        Self { variant, forced_capture: true }
    }

    /// The variant and option that lead to these rules.
    pub(super) fn with_rules(rules: Variant) -> Self {
        let forced = Variant::listed().find(|listed| listed.with_optional_capture() == Some(rules));
        forced.map_or(Self::of(rules), |variant| Self { variant, forced_capture: false })
    }

    pub fn rules(self) -> Variant {
        Options { variant: self.variant, forced_capture: self.forced_capture, ..Options::default() }.rules()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move as it is printed.
    pub text: String,
    /// The same move, parsed.
    pub record: MoveRecord,
    /// The side that made it.
    pub color: Color,
    /// The time that it took, unless it comes from a file that does not say.
    pub time: Option<Duration>,
    /// The comments of a file on it, without the time.
    pub note: PdnMove,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    pub text: String,
    pub record: MoveRecord,
    pub from: Square,
    /// The squares where it lands, at least one.
    pub landings: Vec<Square>,
}

impl LegalMove {
    fn new(spec: &RuleSet, sequence: &Sequence) -> Self {
        let names = |square| spec.square_name(square);
        let record = MoveRecord {
            from: names(sequence.from),
            path: sequence.landings.iter().copied().map(names).collect(),
            capture: !sequence.captured.is_empty(),
        };
        let text = full_path(spec, sequence);
        Self { text, record, from: sequence.from, landings: sequence.landings.clone() }
    }
}

/// The game on the board.
pub struct Record {
    pub(super) choice: GameChoice,
    pub(super) board: WrittenGame,
    start: Option<FenRecord>,
    plies: Vec<Ply>,
    /// How many of `plies` have been played; the others were taken back.
    played: usize,
    setup: Setup,
    legal: Vec<LegalMove>,
    /// The value of the position, computed when it is first asked for.
    value: OnceCell<Value>,
}

impl Record {
    /// A game at `start`, or at the start position of its variant.
    pub fn new(choice: GameChoice, start: Option<FenRecord>) -> Result<Self> {
        let mut board = WrittenGame::new(choice.rules());
        board.set_position(start.as_ref(), &[])?;
        let setup = Setup::start(choice.rules().spec());
        let (plies, legal, value) = (Vec::new(), Vec::new(), OnceCell::new());
        let mut record = Self { choice, board, start, plies, played: 0, setup, legal, value };
        record.look()?;
        Ok(record)
    }

    /// Brings what is derived from the board up to date.
    fn look(&mut self) -> Result<()> {
        let spec = self.choice.rules().spec();
        self.value = OnceCell::new();
        self.setup = self.board.fen().to_setup(spec).map_err(|error| anyhow!("fen {error}"))?;
        self.legal = printed_moves(spec, &self.setup).iter().map(|sequence| LegalMove::new(spec, sequence)).collect();
        Ok(())
    }

    pub fn spec(&self) -> &'static RuleSet {
        self.choice.rules().spec()
    }

    /// Where it began, if not at the start position of its variant.
    pub fn start(&self) -> Option<&FenRecord> {
        self.start.as_ref()
    }

    pub fn played(&self) -> &[Ply] {
        self.plies.get(..self.played).unwrap_or_default()
    }

    /// The moves taken back, the next one first.
    pub fn taken_back(&self) -> &[Ply] {
        self.plies.get(self.played..).unwrap_or_default()
    }

    pub fn side(&self) -> Color {
        self.setup.side
    }

    /// The state or result of the game, in words.
    pub fn outcome(&self) -> String {
        match self.board.status() {
            Status::Playing { countdown: Some(1) } => "draw after 1 more move each".to_owned(),
            Status::Playing { countdown: Some(moves) } => format!("draw after {} each", counted(moves, "more move")),
            Status::Playing { countdown: None } => "no draw is counted".to_owned(),
            Status::Won { winner, reason } => format!("{winner} wins, {reason}"),
            Status::Drawn(reason) => format!("draw, {reason}"),
        }
    }

    /// The moves played, each with its number before it. If the first move of the record is the second of a pair, it comes after
    /// three dots.
    pub fn history(&self) -> Vec<String> {
        let first = self.spec().starts;
        let start = self.start.as_ref();
        let begins_late = start.is_some_and(|start| start.side != first);
        let number = start.and_then(|start| start.move_number).unwrap_or(1);
        let numbered = |(index, ply): (usize, &Ply)| {
            let place = index + usize::from(begins_late);
            let number = usize::from(number) + place / 2;
            match (ply.color == first, index) {
                (true, _) => format!("{number}. {}", ply.text),
                (false, 0) => format!("{number}... {}", ply.text),
                (false, _) => ply.text.clone(),
            }
        };
        self.played().iter().enumerate().map(numbered).collect()
    }

    /// The value of the position for the side to move without a search, after all captures that are pending.
    pub fn value(&self) -> Value {
        *self.value.get_or_init(|| Engine::new().evaluation(self.board.game()).1)
    }

    /// The legal moves, ordered by their squares.
    pub fn legal(&self) -> &[LegalMove] {
        &self.legal
    }

    /// The board square by square; `flipped` with Black at the bottom.
    pub fn grid(&self, flipped: bool) -> Grid {
        Grid::new(self.spec(), &self.setup, flipped)
    }

    /// The board as text for people who read lines: `w` and `b` are men, `W` and `B` kings.
    pub fn drawing(&self, flipped: bool, numbers: bool) -> String {
        self.setup.draw_as_seen(self.spec(), flipped, numbers)
    }

    /// Plays the move that `record` means, which took `time` if that is known; moves that were taken back are forgotten.
    pub fn play(&mut self, record: &MoveRecord, time: Option<Duration>) -> Result<()> {
        let text = || shown(&record.to_string());
        // The reason itself stays below what is said of it.
        let refused = |reason: IllegalMove| Error::new(reason.clone()).context(format!("{}: {reason}", text()));
        let sequence = resolve(self.spec(), &self.setup, record).map_err(refused)?;
        let LegalMove { text, record, .. } = LegalMove::new(self.spec(), &sequence);
        self.board.play(std::slice::from_ref(&record))?;
        let color = self.side();
        self.plies.truncate(self.played);
        self.plies.push(Ply { text, record, color, time, note: PdnMove::default() });
        self.played += 1;
        self.look()
    }

    pub(super) fn note(&mut self, note: PdnMove) {
        if let Some(ply) = self.played.checked_sub(1).and_then(|last| self.plies.get_mut(last)) {
            ply.note = note;
        }
    }

    /// Why the piece on `from`, which has no legal move, cannot move.
    pub fn why_stuck(&self, from: Square) -> IllegalMove {
        let spec = self.spec();
        let record = |to| MoveRecord {
            from: spec.square_name(from),
            path: [spec.square_name(to)].into_iter().collect(),
            capture: false,
        };
        let tried = spec.shape.all_squares().filter(|&to| to != from);
        let mut reasons = tried.filter_map(|to| resolve(spec, &self.setup, &record(to)).err());
        let is_telling = |reason: &IllegalMove| {
            use IllegalMove::{CannotMove, CannotReach, ManMovesBackwards, ManTakesBackwards, Occupied, Square};
            !matches!(
                reason,
                CannotMove(_) | CannotReach { .. } | ManMovesBackwards | ManTakesBackwards | Occupied(_) | Square(_)
            )
        };
        reasons.find(is_telling).unwrap_or(IllegalMove::CannotMove(spec.square_name(from)))
    }

    /// Takes back `count` moves.
    pub fn undo(&mut self, count: usize) -> Result<()> {
        match self.played {
            0 if count > 0 => bail!("no move has been played"),
            played if count > played => bail!("only {played} can be taken back"),
            _ => {}
        }
        self.board.undo(count)?;
        self.played -= count;
        self.look()
    }

    /// Plays `count` moves again that were taken back.
    pub fn redo(&mut self, count: usize) -> Result<()> {
        match self.taken_back().len() {
            0 if count > 0 => bail!("no move has been taken back"),
            possible if count > possible => bail!("only {possible} can be played again"),
            _ => {}
        }
        self.board.redo(count)?;
        self.played += count;
        self.look()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_choice_is_known_by_its_rules() {
        for &rules in Variant::ALL {
            assert_eq!(GameChoice::with_rules(rules).rules(), rules);
        }
        let free = GameChoice { forced_capture: false, ..GameChoice::of(Variant::English) };
        assert_eq!(free.to_string(), "english without forced captures");
        assert_eq!(GameChoice { forced_capture: false, ..GameChoice::of(Variant::Russian) }.to_string(), "russian");
    }
}
