//! Analyses positions and games with the engine.

use super::annotation::{EvaluatedPosition, before_only_move};
use super::{Analysis, AnnotateError, PlayableGame};
use soffio::engine::{Bound, Engine, Limits, Report, Signal, Status, Value};
use soffio::game::Move;
use soffio::notation::WrittenGame;
use soffio::rules::Color;
use soffio::score::WhiteScore;
use soffio::stop::Stop;
use std::collections::BTreeMap;

/// When the engine clears its transposition table. A search with a depth or node limit and without a time limit never
/// uses the endgame tables that were solved for other searches, so no game depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashClearing {
    /// Before each game, so that a position benefits from the searches of later positions.
    EachGame,
    /// Before each position, so that results are independent of other positions.
    EachPosition,
}

#[derive(Debug)]
pub struct Analyst {
    pub engine: Engine,
}

/// The result of a search, or a known value if no search was necessary.
#[derive(Clone, Debug)]
pub struct PositionAnalysis {
    pub value: Value,
    pub line: Vec<Move>,
    /// The last report of each principal variation, best first. Empty if there was no search.
    pub reports: Vec<Report>,
}

impl PositionAnalysis {
    fn without_search(value: Value) -> Self {
        Self { value, line: Vec::new(), reports: Vec::new() }
    }
}

#[derive(Clone, Debug)]
pub struct AnalysisTask<'a> {
    pub limits: &'a Limits,
    /// Minimum loss in cp that makes a move a blunder.
    pub blunder: u32,
    pub stop: &'a Stop,
}

impl Analyst {
    pub fn new(mut engine: Engine, hash_clearing: HashClearing) -> Self {
        engine.set_forgetful(hash_clearing == HashClearing::EachPosition);
        engine.set_ignores_solved_tables(true);
        Self { engine }
    }

    /// Analyses all positions of `game` from the last to the first. When an earlier position is searched, the
    /// transposition table then already contains the results of the later positions. Calls `visit` for each position.
    pub fn analyse(
        &mut self,
        game: &PlayableGame,
        task: &AnalysisTask<'_>,
        visit: &mut dyn FnMut(&mut Engine, &WrittenGame, &PositionAnalysis),
    ) -> Result<Analysis, AnnotateError> {
        self.engine.clear_hash();
        let mut game = game.played().clone();
        let mut found = self.at_the_end(&game, task)?;
        let mut positions = Vec::new();
        loop {
            visit(&mut self.engine, &game, &found);
            let PositionAnalysis { value, line, .. } = &found;
            positions.push(self.evaluated(&game, *value, line, task.limits));
            let Some(played) = game.game().last_move() else { break };
            game.undo(1)?;
            found = self.before(&game, played, found.value, task)?;
        }
        positions.reverse();
        Ok(Analysis::new(positions, task.blunder, game.variant().spec().objective))
    }

    fn at_the_end(&mut self, game: &WrittenGame, task: &AnalysisTask<'_>) -> Result<PositionAnalysis, AnnotateError> {
        let is_over = |value| Ok(PositionAnalysis::without_search(value));
        match game.status() {
            Status::Won { winner, .. } if winner == game.side() => is_over(Value::Win(0)),
            Status::Won { .. } => is_over(Value::Loss(0)),
            Status::Drawn(_) => is_over(Value::Cp(0)),
            Status::Playing { .. } => self.search(game, task.limits, task.stop),
        }
    }

    /// Returns the value of the position before `played`, and the better line if there is one. If `played` was the only
    /// legal move, the value is derived from the value `after` the move.
    fn before(
        &mut self,
        game: &WrittenGame,
        played: Move,
        after: Value,
        task: &AnalysisTask<'_>,
    ) -> Result<PositionAnalysis, AnnotateError> {
        if game.game().legal_moves().len() == 1 {
            let objective = game.variant().spec().objective;
            return Ok(PositionAnalysis::without_search(before_only_move(after, objective)));
        }
        let mut found = self.search(game, task.limits, task.stop)?;
        if found.line.first() == Some(&played) {
            found.line.clear();
        }
        Ok(found)
    }

    pub fn search(
        &mut self,
        game: &WrittenGame,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<PositionAnalysis, AnnotateError> {
        let mut limits = limits.clone();
        if limits.root_moves.is_empty() {
            // A search with restricted root moves does not end early if there is only one legal move.
            limits.root_moves = game.game().legal_moves();
        }
        let mut last = BTreeMap::new();
        let mut is_open = false;
        let mut keep = |report: &Report| {
            // A fail-low does not show which move to play.
            if report.bound == Bound::Upper {
                return;
            }
            // If the search stops when it has found only losses, a move that it has not searched may save the game.
            let is_open_loss = report.bound == Bound::Lower && matches!(report.value, Value::Loss(_));
            if report.rank == 0 {
                is_open = is_open_loss;
            }
            if !is_open_loss {
                last.insert(report.rank, report.clone());
            }
        };
        let answer = self.engine.go_with_reports(game.game(), limits, &Signal::from_stop(stop), &mut keep);
        let answer = answer.map_err(|error| AnnotateError::Engine(error.to_string()))?;
        if stop.is_stopped() {
            return Err(AnnotateError::Stopped);
        }
        let mut reports: Vec<Report> = Vec::new();
        for report in last.into_values() {
            // An unfinished iteration can report a new best line that previously had a different rank.
            if reports.iter().all(|better| better.line.first() != report.line.first()) {
                reports.push(report);
            }
        }
        let (value, line) = match reports.first() {
            Some(best) if is_open => (best.value, best.line.clone()),
            _ => (answer.value, answer.line),
        };
        Ok(PositionAnalysis { value, line, reports })
    }

    fn evaluated(&mut self, game: &WrittenGame, value: Value, better: &[Move], limits: &Limits) -> EvaluatedPosition {
        let side = game.side();
        let value = if let Status::Drawn(_) = game.status() { Value::Cp(0) } else { value };
        let certain = self.result(game, value, limits);
        EvaluatedPosition { side, score: WhiteScore::new(value, side), certain, better: game.line_text(better) }
    }

    /// Returns the winner with best play (`Some(None)` for a draw), or `None` if the result is not proved.
    fn result(&mut self, game: &WrittenGame, value: Value, limits: &Limits) -> Option<Option<Color>> {
        let side = game.side();
        match (value, game.status()) {
            (Value::Win(_), _) => Some(Some(side)),
            (Value::Loss(_), _) => Some(Some(side.opponent())),
            (Value::Cp(_), Status::Drawn(_)) => Some(None),
            (Value::Cp(_), _) => {
                let outcome = self.engine.probe_within_limits(game.game(), limits)?.position.sure()?;
                Some(outcome.winner(side))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::MoveMark;
    use soffio::notation::pdn::PdnReader;
    use soffio::rules::Variant;

    fn game(variant: Variant, fen: &str, moves: &[&str]) -> WrittenGame {
        let mut game = WrittenGame::from_start(variant, Some(&fen.parse().unwrap())).unwrap();
        let moves: Vec<_> = moves.iter().map(|text| text.parse().unwrap()).collect();
        game.play(&moves).unwrap();
        game
    }

    fn value(game: &WrittenGame, nodes: u64) -> Value {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut analyst = Analyst::new(Engine::new(), HashClearing::EachPosition);
        analyst.search(game, &limits, &Stop::default()).unwrap().value
    }

    #[test]
    fn a_loss_is_not_certain_while_moves_are_unsearched() {
        let game = game(Variant::Breakthrough, "W:W23,28,33,35,37,38,40,46:B7,9,10,12,13,17,26,27,36", &["33-29"]);
        for nodes in (300..1200).step_by(20) {
            let value = value(&game, nodes);
            assert!(matches!(value, Value::Cp(_)), "{nodes} nodes: {value:?}");
        }
    }

    #[test]
    fn one_repetition_does_not_turn_a_won_position_into_a_draw() {
        let back_and_forth = ["1-5", "32-28", "5-1", "28-32"];
        for plies in 0..=6 {
            let moves: Vec<_> = back_and_forth.into_iter().cycle().take(plies).collect();
            let game = game(Variant::English, "W:WK1,K10,11,12:BK32,13", &moves);
            let value = value(&game, 20_000);
            let is_won = match value {
                Value::Cp(value) => value.abs() > 200,
                _ => true,
            };
            assert!(is_won, "{plies} plies: {value:?}");
        }
    }

    #[test]
    fn a_win_in_the_tables_that_a_repetition_prevents_is_not_claimed() {
        let text = "[GameType \"21\"]\n[FEN \"B:WK16,K26:BK15,K13\"]\n\n1. 13-9 26-22 2. 9-14 22-26 3. 14-9 26-22 \
                    4. 9-14 22-26 5. 14-18 16-20 6. 15-19 26-30 7. 18-14 30-26 8. 14-18 26-30 9. 18-14 30-26 \
                    10. 14-10 26-22 11. 10-14 22-26 1/2-1/2\n";
        let record = PdnReader::new(text).next().unwrap().record;
        let game = PlayableGame::new(&record, None).unwrap();
        let mut engine = Engine::new();
        engine.set_root_first(true);
        let mut analyst = Analyst::new(engine, HashClearing::EachGame);
        let (limits, stop) = (Limits { nodes: Some(100_000), ..Limits::default() }, Stop::default());
        let task = AnalysisTask { limits: &limits, blunder: 80, stop: &stop };
        let analysis = analyst.analyse(&game, &task, &mut |_, _, _| {}).unwrap();
        let marks: Vec<_> = analysis.moves.iter().map(|mv| mv.mark).collect();
        assert_eq!(analysis.scores[16], WhiteScore::Black(3));
        assert_eq!((marks[16], &marks[17..]), (Some(MoveMark::Blunder), &[None; 5][..]));
        assert!(analysis.scores[17..].iter().all(|score| score.winner().is_none()), "{:?}", analysis.scores);
        assert!(analysis.moves[17..].iter().all(|mv| mv.given_away.is_none()));
    }
}
