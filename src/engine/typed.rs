//! A game and its search thread.

use super::text::legal_move;
use super::worker::{Job, Task, Worker};
use super::{EngineError, Event, Handle, PerftRequest, Request, SquareStyle, Strength, Style};
use crate::game::Game;
use crate::notation::{FenRecord, MoveRecord, printed_moves, written};
use crate::position::Status;
use crate::rules::{Color, RuleSet, Variant};
use crate::search::{Limits, Signal, Table, Value, quiesce};
use crate::with_history;
use crossbeam_channel::Sender;
use std::sync::Arc;
use std::time::Instant;

/// A game and its search thread.
pub(super) struct Typed {
    game: Game,
    /// The rules, with the notation in which moves and positions are printed.
    spec: RuleSet,
    worker: Worker,
    /// The signal of the last job.
    signal: Arc<Signal>,
}

impl Typed {
    pub(super) fn new(variant: Variant, events: Sender<Event>) -> std::io::Result<Self> {
        Ok(Self {
            game: Game::new(variant),
            spec: *variant.spec(),
            worker: Worker::start(events)?,
            signal: Arc::default(),
        })
    }

    /// Plies played since the game's first position.
    fn ply(&self) -> u64 {
        self.game.undoable() as u64
    }

    fn start(&mut self, task: Task) {
        self.signal = Arc::default();
        let signal = Arc::clone(&self.signal);
        self.worker.send(Job { game: self.game.clone(), spec: self.spec, signal, task });
    }
}

impl Drop for Typed {
    fn drop(&mut self) {
        self.signal.stop();
    }
}

/// `game` by the rules `spec` with `moves` played.
fn played(spec: &RuleSet, mut game: Game, moves: &[MoveRecord]) -> Result<Game, EngineError> {
    for (index, record) in moves.iter().enumerate() {
        let mv = legal_move(spec, &game, record, (index, moves.len()))?;
        game.play(mv);
    }
    Ok(game)
}

impl Handle for Typed {
    fn set_notation(&mut self, style: SquareStyle) {
        self.spec.notation = style.of(self.game.spec().notation);
    }

    fn set_position(&mut self, start: Option<&FenRecord>, moves: &[MoveRecord]) -> Result<(), EngineError> {
        let game = match start {
            None => Game::new(self.game.variant()),
            Some(fen) => {
                let setup = fen.to_setup(&self.spec).map_err(EngineError::Fen)?;
                Game::from_setup(self.game.variant(), &setup).map_err(|error| EngineError::Fen(error.into()))?
            }
        };
        self.game = played(&self.spec, game, moves)?;
        Ok(())
    }

    fn play(&mut self, moves: &[MoveRecord]) -> Result<(), EngineError> {
        self.game = played(&self.spec, self.game.clone(), moves)?;
        Ok(())
    }

    fn undo(&mut self, count: usize) -> Result<(), EngineError> {
        let possible = self.game.undoable();
        if count > possible {
            return Err(EngineError::Undo { possible });
        }
        (0..count).for_each(|_| self.game.undo());
        Ok(())
    }

    fn redo(&mut self, count: usize) -> Result<(), EngineError> {
        let possible = self.game.redoable();
        if count > possible {
            return Err(EngineError::Redo { possible });
        }
        (0..count).for_each(|_| self.game.redo());
        Ok(())
    }

    fn legal_moves(&self) -> Vec<String> {
        printed_moves(&self.spec, &self.game.setup()).iter().map(|way| written(&self.spec, way)).collect()
    }

    fn fen(&self) -> FenRecord {
        FenRecord::from_setup(&self.spec, &self.game.setup())
    }

    fn drawing(&self) -> String {
        self.game.setup().draw(&self.spec)
    }

    fn side(&self) -> String {
        self.game.side().to_string()
    }

    fn status(&self) -> Status {
        self.game.status()
    }

    fn evaluation(&self, table: &Table, style: Style, strength: Strength) -> (Vec<(&'static str, i32)>, Value) {
        with_history!(self.game.history(), history => {
            let position = history.position();
            let evaluation = style.evaluation_at(position.rules(), strength, self.ply());
            let is_quiet = !position.can_capture(position.side()) && position.has_move();
            let terms = if is_quiet { evaluation.terms(position) } else { Vec::new() };
            (terms, quiesce(history, (table, &evaluation)).value())
        })
    }

    fn search(&mut self, request: Request, table: &Arc<Table>) -> Result<(), EngineError> {
        let (own, other, parameter) = match self.game.side() {
            Color::White => (request.white, request.black, "wtime"),
            Color::Black => (request.black, request.white, "btime"),
        };
        if own.is_none() && other.is_some() {
            return Err(EngineError::NoClock { parameter });
        }
        let count = request.root_moves.len();
        let root_moves = request.root_moves.iter().enumerate();
        let root_moves = root_moves.map(|(index, record)| legal_move(&self.spec, &self.game, record, (index, count)));
        let ply = self.ply();
        let Request { style, strength, .. } = request;
        let limits = Limits {
            depth: request.depth,
            win_in: request.win_in,
            nodes: request.nodes,
            move_time: request.move_time,
            clock: own,
            overhead: request.overhead,
            ponders: request.ponders,
            infinite: request.infinite,
            ponder: request.ponder,
            analysis: request.analysis,
            // An analysis and a problem are no game: they are done as well as they can be.
            handicap: if request.analysis || request.win_in.is_some() { None } else { strength.handicap(ply) },
            threads: request.threads,
            lines: request.lines,
            root_moves: root_moves.collect::<Result<_, _>>()?,
        };
        // Only the full search proves wins.
        let player = style.player.filter(|_| request.win_in.is_none());
        self.start(Task::Search {
            limits: Box::new(limits),
            table: Arc::clone(table),
            style,
            strength,
            plain: player.map(|player| (player, strength.seed_at(ply))),
            asked_at: request.asked_at,
        });
        Ok(())
    }

    fn perft(&mut self, request: PerftRequest) {
        self.start(Task::Perft(request));
    }

    fn bench(&mut self) {
        self.start(Task::Bench);
    }

    fn stop(&self) {
        self.signal.stop();
    }

    fn ponder_hit(&self, instant: Instant) {
        self.signal.ponder_hit(instant);
    }
}
