//! Drives the engine through a game.

use super::judgement::{Certain, EvaluatedPosition, before_only_move};
use super::{Analysis, AnnotateError, PlayableGame, Thresholds, WhiteScore};
use soffio::engine::{Bound, Engine, Limits, Report, Signal, Status, Value};
use soffio::game::Move;
use soffio::notation::WrittenGame;
use soffio::rules::Color;
use soffio::stop::Stop;
use std::collections::BTreeMap;

/// When what earlier searches found is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgetting {
    /// Before each game: a position is helped by those after it.
    EachGame,
    /// Before each position: what is found does not depend on the others.
    EachPosition,
}

/// An engine that judges positions and games.
#[derive(Debug)]
pub struct Analyst {
    engine: Engine,
}

/// The result of a search, or what stands for it where there is nothing to search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The value for the side to move.
    pub value: Value,
    /// The line that both sides are expected to play; empty where there is nothing to choose.
    pub line: Vec<Move>,
    /// The last report of each line that was asked for, the best line first; none where nothing was searched.
    pub reports: Vec<Report>,
}

impl Found {
    fn without_search(value: Value) -> Self {
        Self { value, line: Vec::new(), reports: Vec::new() }
    }
}

/// The task of [`Analyst::analyse`].
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The limits of the search of each position.
    pub limits: &'a Limits,
    /// The losses that make a move bad.
    pub thresholds: Thresholds,
    /// When it is given, the analysis ends early.
    pub stop: &'a Stop,
}

impl Analyst {
    /// An analyst with this `engine`.
    pub fn new(mut engine: Engine, forgetting: Forgetting) -> Self {
        engine.set_forgetful(forgetting == Forgetting::EachPosition);
        Self { engine }
    }

    /// Its engine.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Judges all positions of `game`, the last one first, so that what is found after a move is known before it. Each
    /// of them is shown to `visit`.
    ///
    /// # Errors
    /// When the engine fails, or the signal to stop was given.
    pub fn analyse(
        &mut self,
        game: &PlayableGame,
        task: &Task<'_>,
        visit: &mut dyn FnMut(&mut Engine, &WrittenGame, &Found),
    ) -> Result<Analysis, AnnotateError> {
        self.engine.forget();
        let mut game = game.played().clone();
        let mut found = self.at_the_end(&game, task)?;
        let mut positions = Vec::new();
        loop {
            visit(&mut self.engine, &game, &found);
            let Found { value, line, .. } = &found;
            positions.push(self.evaluated(&game, (*value, line), task.limits));
            let Some(played) = game.game().last_move() else { break };
            game.undo(1)?;
            found = self.before(&game, played, found.value, task)?;
        }
        positions.reverse();
        Ok(Analysis::new(positions, task.thresholds))
    }

    /// The value of the last position, in which the game can be over.
    fn at_the_end(&mut self, game: &WrittenGame, task: &Task<'_>) -> Result<Found, AnnotateError> {
        let is_over = |value| Ok(Found::without_search(value));
        match game.status() {
            Status::Won { winner, .. } if winner == game.side() => is_over(Value::Win(0)),
            Status::Won { .. } => is_over(Value::Loss(0)),
            Status::Drawn(_) => is_over(Value::Centimen(0)),
            Status::Playing { .. } => self.search(game, task.limits, task.stop),
        }
    }

    /// The value of the current position, in which `played` was played, and the line that is better if there is one. Where
    /// that was the only move, the value follows from the one `after` it.
    fn before(
        &mut self,
        game: &WrittenGame,
        played: Move,
        after: Value,
        task: &Task<'_>,
    ) -> Result<Found, AnnotateError> {
        if game.game().legal_moves().len() == 1 {
            let objective = game.variant().spec().objective;
            return Ok(Found::without_search(before_only_move(after, objective)));
        }
        let mut found = self.search(game, task.limits, task.stop)?;
        if found.line.first() == Some(&played) {
            found.line.clear();
        }
        Ok(found)
    }

    /// Searches the current position of `game` until a limit is reached.
    ///
    /// # Errors
    /// When the engine fails, or `stop` was given.
    pub fn search(&mut self, game: &WrittenGame, limits: &Limits, stop: &Stop) -> Result<Found, AnnotateError> {
        let mut limits = limits.clone();
        if limits.root_moves.is_empty() {
            // A search of named moves is about their values: it does not end at once where only one is legal.
            limits.root_moves = game.game().legal_moves();
        }
        let mut last = BTreeMap::new();
        let mut keep = |report: &Report| {
            // A line that is only known to be worse than it was says nothing about the move to play.
            if report.bound != Bound::Upper {
                last.insert(report.rank, report.clone());
            }
        };
        let answer = self.engine.watch(game.game(), limits, &Signal::of(stop), &mut keep);
        let answer = answer.map_err(|error| AnnotateError::Engine(error.to_string()))?;
        if stop.is_stopped() {
            return Err(AnnotateError::Stopped);
        }
        let mut reports: Vec<Report> = Vec::new();
        for report in last.into_values() {
            // An iteration that was not finished can have a new first line, which was another one before.
            if reports.iter().all(|better| better.line.first() != report.line.first()) {
                reports.push(report);
            }
        }
        Ok(Found { value: answer.value, line: answer.line, reports })
    }

    /// The current position of `game` with its `value`.
    fn evaluated(
        &mut self,
        game: &WrittenGame,
        (value, better): (Value, &[Move]),
        limits: &Limits,
    ) -> EvaluatedPosition {
        let side = game.side();
        let certain = self.result(game, value, limits).map(|winner| Certain { winner });
        EvaluatedPosition { side, score: WhiteScore::new(value, side), certain, better: game.line_text(better) }
    }

    /// The winner by best play, `Some(None)` for a draw, if the result is certain.
    fn result(&mut self, game: &WrittenGame, value: Value, limits: &Limits) -> Option<Option<Color>> {
        let side = game.side();
        match (value, game.status()) {
            (Value::Win(_), _) => Some(Some(side)),
            (Value::Loss(_), _) => Some(Some(side.opponent())),
            (Value::Centimen(_), Status::Drawn(_)) => Some(None),
            (Value::Centimen(_), _) => {
                let outcome = self.engine.known(game.game(), limits)?.position.sure()?;
                Some(outcome.winner(side))
            }
        }
    }
}
