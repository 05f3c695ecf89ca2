//! Drives the engine through a game.

use super::judgement::Opinion;
use super::score::before_only_move;
use super::{Analysis, AnnotateError, PlayableGame, Thresholds, WhiteScore};
use crate::engine::{Bound, Event, Handle, Info, Request, Status, Strength, Style, Table, Value, open};
use crate::notation::{MoveRecord, resolve};
use crate::rules::{Objective, Variant};
use crate::stop::Stop;
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much the engine may do for a position.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
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

/// The engine at the work of judging games.
pub struct Analyst {
    effort: Effort,
    thresholds: Thresholds,
    stop: Stop,
    /// The engine, and the variant that it plays.
    engine: Option<(Variant, Box<dyn Handle>)>,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

/// What a search found.
struct Found {
    value: Value,
    line: Vec<String>,
}

impl Analyst {
    /// An analyst that gives up when `stop` is given.
    pub fn new(effort: Effort, thresholds: Thresholds, stop: Stop) -> Self {
        let (sender, events) = unbounded();
        Self { effort, thresholds, stop, engine: None, sender, events }
    }

    /// Judges all positions of `game`, if it has moves, the last one first, so that what is found behind a move is known before
    /// it. After each of them `progress` is called. What other games left behind does not count.
    ///
    /// # Errors
    /// When the engine cannot do it, or the signal to stop was given.
    pub fn analyse(&mut self, game: PlayableGame, progress: &mut dyn FnMut()) -> Result<Analysis, AnnotateError> {
        let failed = |error: &dyn ToString| AnnotateError::Engine(error.to_string());
        let mut engine = match self.engine.take() {
            Some((variant, engine)) if variant == game.variant => engine,
            _ => open(game.variant, self.sender.clone()).map_err(|error| failed(&error))?,
        };
        engine.set_notation(game.style);
        let played = engine.set_position(game.start.as_ref(), &game.moves);
        let result = played.map_err(AnnotateError::from).and_then(|()| {
            if game.moves.is_empty() {
                return Ok(Vec::new());
            }
            let table = Arc::new(Table::new(self.effort.hash).map_err(|error| failed(&error))?);
            self.opinions(engine.as_mut(), &game, &table, progress)
        });
        self.engine = Some((game.variant, engine));
        Ok(Analysis::new(result?, self.thresholds))
    }

    /// The opinions on all positions of `game`, which has been played on `engine`, from the first to the last.
    fn opinions(
        &self,
        engine: &mut dyn Handle,
        game: &PlayableGame,
        table: &Arc<Table>,
        progress: &mut dyn FnMut(),
    ) -> Result<Vec<Opinion>, AnnotateError> {
        let last = self.at_the_end(engine, table)?;
        let mut behind = last.value;
        let mut opinions = vec![opinion(engine, behind, Vec::new())];
        progress();
        let objective = game.variant.spec().objective;
        for record in game.moves.iter().rev() {
            engine.undo(1)?;
            let (value, better) = self.before(engine, record, (behind, objective), table, game.variant)?;
            behind = value;
            opinions.push(opinion(engine, value, better));
            progress();
        }
        opinions.reverse();
        Ok(opinions)
    }

    /// The value of the last position, in which the game can be over.
    fn at_the_end(&self, engine: &mut dyn Handle, table: &Arc<Table>) -> Result<Found, AnnotateError> {
        let is_over = |value| Ok(Found { value, line: Vec::new() });
        match engine.status() {
            Status::Won { winner, .. } if winner == engine.fen().side => is_over(Value::Win(0)),
            Status::Won { .. } => is_over(Value::Loss(0)),
            Status::Drawn(_) => is_over(Value::Centimen(0)),
            Status::Playing { .. } => self.search(engine, table),
        }
    }

    /// The value of the position on `engine`, in which `played` was played, and the line that is better if there is one.
    /// Where that was the only move it is told by the value `behind` it.
    fn before(
        &self,
        engine: &mut dyn Handle,
        played: &MoveRecord,
        (behind, objective): (Value, Objective),
        table: &Arc<Table>,
        variant: Variant,
    ) -> Result<(Value, Vec<String>), AnnotateError> {
        if engine.legal_moves().len() == 1 {
            return Ok((before_only_move(behind, objective), Vec::new()));
        }
        let Found { value, line } = self.search(engine, table)?;
        let setup = engine.fen().to_setup(variant.spec()).map_err(AnnotateError::Fen)?;
        let meant = |record: &MoveRecord| resolve(variant.spec(), &setup, record).ok();
        let best = line.first().and_then(|text| text.parse().ok()).and_then(|record| meant(&record));
        let is_best = best.is_some() && best == meant(played);
        Ok((value, if is_best { Vec::new() } else { line }))
    }

    fn search(&self, engine: &mut dyn Handle, table: &Arc<Table>) -> Result<Found, AnnotateError> {
        let Effort { depth, nodes, move_time, threads, .. } = self.effort;
        let request = Request { depth, nodes, move_time, threads, ..Request::new(Instant::now()) };
        engine.search(request, table)?;
        let mut last: Option<Info> = None;
        loop {
            let event = select! {
                recv(self.events) -> event => event,
                recv(self.stop.receiver()) -> _ => {
                    engine.stop();
                    // Its last event is not one of the next search.
                    let _ = self.events.iter().find(Event::is_last);
                    return Err(AnnotateError::Stopped);
                }
            };
            match event.map_err(|error| AnnotateError::Engine(error.to_string()))? {
                Event::Info(info) if info.bound == Bound::Exact => last = Some(info),
                Event::BestMove { best, reply } => {
                    let (value, line) = match last {
                        Some(info) => (info.value, info.line),
                        // There was no time for anything.
                        None => (engine.evaluation(table, Style::default(), Strength::default()).1, Vec::new()),
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
}

/// The opinion on the position on `engine`.
fn opinion(engine: &dyn Handle, value: Value, better: Vec<String>) -> Opinion {
    let side = engine.fen().side;
    Opinion { side, score: WhiteScore::new(value, side), better }
}
