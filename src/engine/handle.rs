//! The engine without its types: what a session holds.

use super::typed::Typed;
use super::{EngineError, Event, PerftRequest, Request, SquareStyle, Strength, Style};
use crate::notation::{FenRecord, MoveRecord};
use crate::position::Status;
use crate::rules::Variant;
use crate::search::{Table, Value};
use crossbeam_channel::Sender;
use std::sync::Arc;
use std::time::Instant;

/// A game of some variant, and the thread that searches it.
///
/// At most one job runs at a time; the owner starts the next one after the last event of the one before. What fails
/// changes nothing.
pub trait Handle {
    /// Prints squares and moves in `style` from the next answer or job on; at first it is that of the variant.
    fn set_notation(&mut self, style: SquareStyle);

    /// Sets up `start`, or the start position, and plays `moves`.
    ///
    /// # Errors
    /// When the position is impossible or a move is not legal.
    fn set_position(&mut self, start: Option<&FenRecord>, moves: &[MoveRecord]) -> Result<(), EngineError>;

    /// Plays `moves`.
    ///
    /// # Errors
    /// When one of them is not legal.
    fn play(&mut self, moves: &[MoveRecord]) -> Result<(), EngineError>;

    /// Takes back `count` moves.
    ///
    /// # Errors
    /// When fewer have been played.
    fn undo(&mut self, count: usize) -> Result<(), EngineError>;

    /// Plays `count` moves again that were taken back.
    ///
    /// # Errors
    /// When there are fewer.
    fn redo(&mut self, count: usize) -> Result<(), EngineError>;

    /// The legal moves, ordered by their squares.
    fn legal_moves(&self) -> Vec<String>;

    /// The position as FEN.
    fn fen(&self) -> FenRecord;

    /// The board drawn in text.
    fn drawing(&self) -> String;

    /// The side to move, `white` or `black`.
    fn side(&self) -> String;

    /// Whether the game is over.
    fn status(&self) -> Status;

    /// The evaluation of `style` for the side to move, and its terms in 1/100 man. With a capture pending there are no terms, and
    /// the value is the one after all captures.
    fn evaluation(&self, table: &Table, style: Style, strength: Strength) -> (Vec<(&'static str, i32)>, Value);

    /// Starts a search of the present position.
    ///
    /// # Errors
    /// When one of the root moves is not legal, or the clock of the side to move is missing.
    fn search(&mut self, request: Request, table: &Arc<Table>) -> Result<(), EngineError>;

    /// Starts a count of move sequences.
    fn perft(&mut self, request: PerftRequest);

    /// Starts the bench.
    fn bench(&mut self);

    /// Ends the job that runs, if one does.
    fn stop(&self);

    /// Tells a pondering search that the expected move was played at `instant`.
    fn ponder_hit(&self, instant: Instant);
}

/// A game of `variant` at its start position; what its thread finds goes to `events`.
///
/// # Errors
/// When the system has no more threads.
pub fn open(variant: Variant, events: Sender<Event>) -> std::io::Result<Box<dyn Handle>> {
    Ok(Box::new(Typed::new(variant, events)?))
}
