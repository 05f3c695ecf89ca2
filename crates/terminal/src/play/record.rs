//! The game on the board: rules, start position, played moves and undone moves. The players are stored elsewhere.

use super::Grid;
use anyhow::{Error, Result, ensure};
use derive_more::Display;
use soffio::board::Square;
use soffio::engine::{Engine, Options, Status, Value};
use soffio::notation::pdn::PdnMove;
use soffio::notation::{FenRecord, IllegalMove, MoveRecord, WrittenGame, full_path, printable, printed_moves, resolve};
use soffio::position::Setup;
use soffio::position::paths::Sequence;
use soffio::rules::{Color, RuleSet, Variant};
use soffio_support::words::counted;
use std::cell::OnceCell;
use std::time::Duration;

/// A variant, and whether captures are compulsory. Only some variants leave this choice to the players.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{variant}{}", if self.rules() == *variant { "" } else { " without forced captures" })]
pub struct GameChoice {
    pub variant: Variant,
    pub forced_capture: bool,
}

impl GameChoice {
    pub fn new(variant: Variant) -> Self {
        Self { variant, forced_capture: true }
    }

    pub(super) fn with_rules(rules: Variant) -> Self {
        let forced = Variant::listed().find(|listed| listed.with_optional_capture() == Some(rules));
        forced.map_or(Self::new(rules), |variant| Self { variant, forced_capture: false })
    }

    pub fn rules(self) -> Variant {
        Options { variant: self.variant, forced_capture: self.forced_capture, ..Options::default() }.rules()
    }
}

/// The countdown to a draw is shown from this many plies on.
const SHOWN_COUNTDOWN: u16 = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayPly {
    pub text: String,
    pub record: MoveRecord,
    pub color: Color,
    /// Time used for the move, or `None` if the move comes from a file that contains no times.
    pub time: Option<Duration>,
    pub note: PdnMove,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    pub text: String,
    pub record: MoveRecord,
    pub from: Square,
    /// The squares on which the piece lands (at least one).
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
        Self { text, record, from: sequence.from, landings: sequence.landings.to_vec() }
    }
}

pub struct PlayRecord {
    pub(super) choice: GameChoice,
    pub(super) board: WrittenGame,
    start: Option<FenRecord>,
    plies: Vec<PlayPly>,
    /// Number of `plies` that have been played; the remaining plies have been undone.
    played: usize,
    setup: Setup,
    legal: Vec<LegalMove>,
    value: OnceCell<Value>,
}

impl PlayRecord {
    pub fn new(choice: GameChoice, start: Option<FenRecord>) -> Result<Self> {
        let mut board = WrittenGame::new(choice.rules());
        board.set_position(start.as_ref(), &[])?;
        let setup = Setup::start(choice.rules().spec());
        let (plies, legal, value) = (Vec::new(), Vec::new(), OnceCell::new());
        let mut record = Self { choice, board, start, plies, played: 0, setup, legal, value };
        record.refresh();
        Ok(record)
    }

    fn refresh(&mut self) {
        let spec = self.choice.rules().spec();
        self.value = OnceCell::new();
        self.setup = self.board.game().setup();
        self.legal = printed_moves(spec, &self.setup).iter().map(|sequence| LegalMove::new(spec, sequence)).collect();
    }

    pub fn spec(&self) -> &'static RuleSet {
        self.choice.rules().spec()
    }

    /// Returns the start position, or `None` if it is the normal start position of the variant.
    pub fn start(&self) -> Option<&FenRecord> {
        self.start.as_ref()
    }

    pub fn played(&self) -> &[PlayPly] {
        self.plies.get(..self.played).unwrap_or_default()
    }

    /// Returns the undone moves. The first of them is the next move to redo.
    pub fn undone(&self) -> &[PlayPly] {
        self.plies.get(self.played..).unwrap_or_default()
    }

    pub fn side(&self) -> Color {
        self.setup.side
    }

    /// Returns the result of the game, or the side to move.
    pub fn outcome(&self) -> String {
        match self.board.status() {
            Status::Playing { .. } => {
                let countdown = self.countdown().map_or_else(String::new, |countdown| format!(", {countdown}"));
                format!("{} to move{countdown}", self.side())
            }
            Status::Won { winner, reason } => format!("{winner} wins, {reason}"),
            Status::Drawn(reason) => format!("draw, {reason}"),
        }
    }

    /// Describes how soon a move-count rule draws the game. Returns `None` unless this is near.
    pub fn countdown(&self) -> Option<String> {
        match self.board.game().plies_to_draw()? {
            1 => Some("draw after 1 more move".to_owned()),
            plies if plies <= SHOWN_COUNTDOWN => {
                Some(format!("draw after {} each", counted(plies.div_ceil(2), "more move")))
            }
            _ => None,
        }
    }

    /// Returns the played moves with their numbers. If the second side moves first, its first move is written `1... `.
    pub fn history(&self) -> Vec<String> {
        let first = self.spec().starts;
        let start = self.start.as_ref();
        let begins_late = start.is_some_and(|start| start.side != first);
        let number = start.and_then(|start| start.move_number).unwrap_or(1);
        let numbered = |(index, ply): (usize, &PlayPly)| {
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

    /// Returns the static value after pending captures, from the point of view of the side to move.
    pub fn value(&self) -> Value {
        *self.value.get_or_init(|| Engine::new().evaluation(self.board.game()).1)
    }

    /// Returns the legal moves, sorted by their squares.
    pub fn legal(&self) -> &[LegalMove] {
        &self.legal
    }

    /// Returns the displayed board. If `flipped` is true, Black is at the bottom.
    pub fn grid(&self, flipped: bool) -> Grid {
        Grid::new(self.spec(), &self.setup, flipped)
    }

    /// Draws the board as text. `w` and `b` are men; `W` and `B` are kings.
    pub fn drawing(&self, flipped: bool, numbers: bool) -> String {
        self.setup.draw_as_seen(self.spec(), flipped, numbers)
    }

    /// Plays a move. If it is the next undone move, its annotations and the undone moves after it are kept.
    pub fn play(&mut self, record: &MoveRecord, time: Option<Duration>) -> Result<()> {
        let text = || printable(record.to_string().chars());
        // Callers downcast the error to the reason, so the reason stays in the error chain below the message.
        let reject = |reason: IllegalMove| Error::new(reason.clone()).context(format!("{}: {reason}", text()));
        let sequence = resolve(self.spec(), &self.setup, record).map_err(reject)?;
        let LegalMove { text, record, .. } = LegalMove::new(self.spec(), &sequence);
        if let Some(ply) = self.plies.get_mut(self.played).filter(|ply| ply.text == text) {
            ply.time = time;
            return self.redo(1);
        }
        self.board.play(std::slice::from_ref(&record))?;
        let color = self.side();
        self.plies.truncate(self.played);
        self.plies.push(PlayPly { text, record, color, time, note: PdnMove::default() });
        self.played += 1;
        self.refresh();
        Ok(())
    }

    pub(super) fn note(&mut self, note: PdnMove) {
        if let Some(ply) = self.played.checked_sub(1).and_then(|last| self.plies.get_mut(last)) {
            ply.note = note;
        }
    }

    pub fn explain_immobile(&self, from: Square) -> IllegalMove {
        let spec = self.spec();
        let record = |to| MoveRecord {
            from: spec.square_name(from),
            path: [spec.square_name(to)].into_iter().collect(),
            capture: false,
        };
        let tried = spec.shape.all_squares().filter(|&to| to != from);
        let mut reasons = tried.filter_map(|to| resolve(spec, &self.setup, &record(to)).err());
        let is_specific = |reason: &IllegalMove| {
            use IllegalMove::{CannotMove, CannotReach, ManMovesBackwards, ManTakesBackwards, Occupied, Square};
            !matches!(
                reason,
                CannotMove(_) | CannotReach { .. } | ManMovesBackwards | ManTakesBackwards | Occupied(_) | Square(_)
            )
        };
        reasons.find(is_specific).unwrap_or(IllegalMove::CannotMove(spec.square_name(from)))
    }

    pub fn undo(&mut self, count: usize) -> Result<()> {
        check_count(count, self.played, "played", "undone")?;
        self.board.undo(count)?;
        self.played -= count;
        self.refresh();
        Ok(())
    }

    pub fn redo(&mut self, count: usize) -> Result<()> {
        check_count(count, self.undone().len(), "undone", "redone")?;
        self.board.redo(count)?;
        self.played += count;
        self.refresh();
        Ok(())
    }
}

fn check_count(count: usize, possible: usize, before: &str, wanted: &str) -> Result<()> {
    ensure!(count == 0 || possible > 0, "no move has been {before}");
    ensure!(count <= possible, "only {} can be {wanted}", counted(possible, "move"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_choice_is_identified_by_its_rules() {
        for &rules in Variant::ALL {
            assert_eq!(GameChoice::with_rules(rules).rules(), rules);
        }
        let free = GameChoice { forced_capture: false, ..GameChoice::new(Variant::English) };
        assert_eq!(free.to_string(), "english without forced captures");
        assert_eq!(GameChoice { forced_capture: false, ..GameChoice::new(Variant::Russian) }.to_string(), "russian");
    }
}
