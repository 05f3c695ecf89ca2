//! Drives the engine through a game.

use super::judgement::{Certain, EvaluatedPosition};
use super::score::before_only_move;
use super::{Analysis, AnnotateError, PlayableGame, Thresholds, WhiteScore};
use crate::engine::{Bound, Engine, Event, Limits, Setting, SettingError, Status, Value, Verdict};
use crate::game::Move;
use crate::notation::WrittenGame;
use crate::rules::Color;
use crate::stop::Stop;
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

/// The limits of the engine for a position.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits {
    /// Plies.
    pub depth: Option<u8>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time.
    pub move_time: Option<Duration>,
    /// Threads.
    pub threads: NonZeroUsize,
    /// Size of the transposition table in MiB.
    pub hash: usize,
}

/// An engine that judges games.
pub struct Analyst {
    limits: SearchLimits,
    thresholds: Thresholds,
    stop: Stop,
    engine: Engine,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

/// The result of a search.
struct Found {
    value: Value,
    line: Vec<Move>,
}

impl Analyst {
    /// An analyst that stops when `stop` is given.
    pub fn new(limits: SearchLimits, thresholds: Thresholds, stop: Stop) -> Self {
        let (sender, events) = unbounded();
        Self { limits, thresholds, stop, engine: Engine::new(), sender, events }
    }

    /// Uses the endgame tables in `folder` from now on.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn use_tables(&mut self, folder: &Path) -> Result<(), SettingError> {
        self.engine.apply(Setting::TablePath(Some(folder.to_owned())))
    }

    /// Judges all positions of `game`, if it has moves, the last one first, so that what is found after a move is known before
    /// it. After each of them `progress` is called. The table is cleared first, so that earlier games have no influence.
    ///
    /// # Errors
    /// When the engine fails, or the signal to stop was given.
    pub fn analyse(&mut self, game: &PlayableGame, progress: &mut dyn FnMut()) -> Result<Analysis, AnnotateError> {
        let failed = |error: &dyn ToString| AnnotateError::Engine(error.to_string());
        if game.moves().is_empty() {
            return Ok(Analysis::new(Vec::new(), self.thresholds));
        }
        for setting in [Setting::Hash(self.limits.hash), Setting::Threads(self.limits.threads)] {
            self.engine.apply(setting).map_err(|error| failed(&error))?;
        }
        self.engine.forget();
        Ok(Analysis::new(self.evaluate_all(&mut game.played().clone(), progress)?, self.thresholds))
    }

    /// Evaluates all positions of `game`, which has been played to its end, from the first to the last.
    fn evaluate_all(
        &mut self,
        game: &mut WrittenGame,
        progress: &mut dyn FnMut(),
    ) -> Result<Vec<EvaluatedPosition>, AnnotateError> {
        let mut after = self.at_the_end(game)?.value;
        let mut positions = vec![self.evaluated(game, after, &[])];
        progress();
        while let Some(played) = game.game().last_move() {
            game.undo(1)?;
            let found = self.before(game, played, after)?;
            after = found.value;
            positions.push(self.evaluated(game, found.value, &found.line));
            progress();
        }
        positions.reverse();
        Ok(positions)
    }

    /// The value of the last position, in which the game can be over.
    fn at_the_end(&mut self, game: &WrittenGame) -> Result<Found, AnnotateError> {
        let is_over = |value| Ok(Found { value, line: Vec::new() });
        match game.status() {
            Status::Won { winner, .. } if winner == game.side() => is_over(Value::Win(0)),
            Status::Won { .. } => is_over(Value::Loss(0)),
            Status::Drawn(_) => is_over(Value::Centimen(0)),
            Status::Playing { .. } => self.search(game),
        }
    }

    /// The value of the current position, in which `played` was played, and the line that is better if there is one. Where
    /// that was the only move, the value follows from the one `after` it.
    fn before(&mut self, game: &WrittenGame, played: Move, after: Value) -> Result<Found, AnnotateError> {
        if game.game().legal_moves().len() == 1 {
            let objective = game.variant().spec().objective;
            return Ok(Found { value: before_only_move(after, objective), line: Vec::new() });
        }
        let mut found = self.search(game)?;
        if found.line.first() == Some(&played) {
            found.line.clear();
        }
        Ok(found)
    }

    fn search(&mut self, game: &WrittenGame) -> Result<Found, AnnotateError> {
        let failed = |error: &dyn ToString| AnnotateError::Engine(error.to_string());
        let SearchLimits { depth, nodes, move_time, .. } = self.limits;
        let limits = Limits { depth, nodes, move_time, overhead: Duration::ZERO, ..self.engine.limits() };
        let started = self.engine.start(game.game(), limits, self.engine.now(), &self.sender);
        started.map_err(|error| failed(&error))?;
        let mut last = None;
        loop {
            let event = select! {
                recv(self.events) -> event => event,
                recv(self.stop.receiver()) -> _ => {
                    self.engine.stop();
                    // Its last event must not be taken for one of the next search.
                    let _ = self.events.iter().find(Event::is_last);
                    return Err(AnnotateError::Stopped);
                }
            };
            match event.map_err(|error| failed(&error))? {
                Event::Report(report) if report.bound == Bound::Exact => last = Some(report),
                Event::BestMove { best, reply } => {
                    let (value, line) = match last {
                        Some(report) => (report.score.value(), report.line),
                        // There was no time for a single depth.
                        None => (self.engine.evaluation(game.game()).1, Vec::new()),
                    };
                    let is_its_line = line.first() == best.as_ref();
                    let line = if is_its_line { line } else { best.into_iter().chain(reply).collect() };
                    return Ok(Found { value, line });
                }
                Event::Failed { message, .. } => return Err(AnnotateError::Engine(message)),
                _ => {}
            }
        }
    }

    /// The current position of `game` with its `value`.
    fn evaluated(&mut self, game: &WrittenGame, value: Value, better: &[Move]) -> EvaluatedPosition {
        let side = game.side();
        let certain = self.result(game, value).map(|winner| Certain { winner });
        EvaluatedPosition { side, score: WhiteScore::new(value, side), certain, better: game.line_text(better) }
    }

    /// The winner by best play, `Some(None)` for a draw, if the result is certain.
    fn result(&mut self, game: &WrittenGame, value: Value) -> Option<Option<Color>> {
        let side = game.side();
        match (value, game.status()) {
            (Value::Win(_), _) => Some(Some(side)),
            (Value::Loss(_), _) => Some(Some(side.opponent())),
            (Value::Centimen(_), Status::Drawn(_)) => Some(None),
            (Value::Centimen(_), _) => match self.engine.known(game.game())?.position {
                Verdict::Sure(outcome) => Some(outcome.winner(side)),
                Verdict::Cursed(_) => None,
            },
        }
    }
}
