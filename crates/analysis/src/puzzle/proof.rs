//! Each move of a position, with what is proved of it.

use crate::annotate::{Analyst, AnnotateError, before_only_move};
use derive_more::Display;
use soffio::engine::{Gain, Limits, MAN, Status, TableOutcome, Value, Wdl, gain_of, lead, wdl};
use soffio::game::{Game, Move};
use soffio::notation::WrittenGame;
use soffio::stop::Stop;

/// Positions searched for the line where tables know the result.
const NODES_OF_LINE: u64 = 1000;

/// The task of the side to move.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Goal {
    /// To win the game.
    #[display("win")]
    Win,
    /// Not to lose it.
    #[display("draw")]
    Draw,
    /// To gain a man or more, or to win the game.
    #[display("gain")]
    Gain,
}

/// The result of a move for the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It wins, in so many moves of the winner with this one.
    Win(u16),
    /// It draws.
    Draw,
    /// It loses.
    Loss,
}

/// The means by which something is proved.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Proof {
    /// Endgame tables have the position.
    #[display("table")]
    Table,
    /// A search has come to the end of the game in every line that matters.
    #[display("search")]
    Search,
    /// A search of every answer ends with more material.
    #[display("material")]
    Material,
}

/// The verdict on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is proved to reach the goal.
    Good(Proof),
    /// It is proved not to reach it; a gain, not within the plies in which another move does.
    Bad,
    /// Neither is proved.
    Open,
}

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Positions searched for each move.
    pub nodes: u64,
    /// Plies within which a gain of material is looked for; 0 for none.
    pub plies: u8,
    /// Moves within which a win is looked for exhaustively where the search has not found one; 0 for none.
    pub win_in: u16,
}

impl Budget {
    /// The budget of a strict proof with so many `nodes`.
    pub const fn of_nodes(nodes: u64) -> Self {
        Self { nodes, plies: 12, win_in: 0 }
    }
}

/// The aim of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The goal, if it is known which can be reached. Then gains are looked for only if that is what it is, else where nothing wins.
    pub goal: Option<Goal>,
    /// The lead in material that counts as a gain, in 1/2 man.
    pub wanted: i32,
}

impl Aim {
    /// The aim of the side to move in the position of `game` with a `goal`: a gain is one of a man or more.
    pub fn new(game: &Game, goal: Option<Goal>) -> Self {
        Self { goal, wanted: lead(game, game.side()) + MAN }
    }
}

/// The knowledge about a move.
#[derive(Clone, Debug)]
pub struct MoveFacts {
    /// The move.
    pub mv: Move,
    /// The result, if it is proved, and how.
    pub result: Option<(Outcome, Proof)>,
    /// The value for the side that plays it.
    pub value: Value,
    /// The chances that go with it.
    pub chances: Wdl,
    /// The search for a gain of material, if one was made.
    pub gain: Option<Gain>,
    /// The line that both sides are expected to play, with the move.
    pub line: Vec<Move>,
}

/// An engine that proves.
#[derive(Debug)]
pub struct Prover<'a> {
    /// The engine.
    pub analyst: &'a mut Analyst,
    /// When it is given, the work ends early.
    pub stop: &'a Stop,
    /// Positions searched so far.
    pub nodes: u64,
}

/// The result that `value` proves.
fn decided(value: Value) -> Option<Outcome> {
    match value {
        Value::Win(moves) => Some(Outcome::Win(moves)),
        Value::Loss(_) => Some(Outcome::Loss),
        Value::Centimen(_) => None,
    }
}

impl<'a> Prover<'a> {
    /// A prover with the engine of `analyst`, which must forget each position.
    pub fn new(analyst: &'a mut Analyst, stop: &'a Stop) -> Self {
        Self { analyst, stop, nodes: 0 }
    }

    /// Searches the position of `game` for so many nodes, only the moves of `among` if there are any.
    ///
    /// # Errors
    /// When the engine fails, or the signal to stop was given.
    pub fn search(
        &mut self,
        game: &WrittenGame,
        nodes: u64,
        among: Vec<Move>,
    ) -> Result<(Value, Vec<Move>), AnnotateError> {
        let limits = Limits { nodes: Some(nodes), root_moves: among, ..self.analyst.engine().limits() };
        self.limited(game, &limits)
    }

    fn limited(&mut self, game: &WrittenGame, limits: &Limits) -> Result<(Value, Vec<Move>), AnnotateError> {
        let found = self.analyst.search(game, limits, self.stop)?;
        self.nodes += found.reports.iter().map(|report| report.nodes).max().unwrap_or_default();
        Ok((found.value, found.line))
    }

    /// Returns the knowledge about each move of the position of `game`; of captures that end in the same position, of the first one.
    ///
    /// # Errors
    /// When the engine fails, or the signal to stop was given.
    pub fn judge(&mut self, game: &WrittenGame, aim: Aim, budget: Budget) -> Result<Vec<MoveFacts>, AnnotateError> {
        let (mut facts, mut keys) = (Vec::new(), Vec::new());
        for mv in game.game().legal_moves() {
            let mut after = game.clone();
            after.play_found(mv);
            if !keys.contains(&after.game().key()) {
                keys.push(after.game().key());
                facts.push(self.judge_move((game, &after), mv, budget)?);
            }
        }
        let is_win = |fact: &MoveFacts| matches!(fact.result, Some((Outcome::Win(_), _)));
        let is_wanted = aim.goal.map_or_else(|| !facts.iter().any(is_win), |goal| goal == Goal::Gain);
        if is_wanted && budget.plies > 0 {
            for fact in facts.iter_mut().filter(|fact| fact.result.is_none()) {
                let gain = gain_of(game.game(), Some(fact.mv), aim.wanted, (budget.plies, budget.nodes));
                self.nodes += gain.nodes;
                fact.gain = Some(gain);
            }
        }
        Ok(facts)
    }

    /// Returns the knowledge about `mv`, which leads from the one of two games to the other, without gains.
    fn judge_move(
        &mut self,
        (game, after): (&WrittenGame, &WrittenGame),
        mv: Move,
        budget: Budget,
    ) -> Result<MoveFacts, AnnotateError> {
        let side = game.side();
        let fact = |result: Option<(Outcome, Proof)>, value, line| MoveFacts {
            mv,
            result,
            value,
            chances: wdl(game.game(), value),
            gain: None,
            line,
        };
        match after.status() {
            Status::Won { winner, .. } => {
                let (result, value) =
                    if winner == side { (Outcome::Win(1), Value::Win(1)) } else { (Outcome::Loss, Value::Loss(0)) };
                return Ok(fact(Some((result, Proof::Search)), value, vec![mv]));
            }
            Status::Drawn(_) => return Ok(fact(Some((Outcome::Draw, Proof::Search)), Value::Centimen(0), vec![mv])),
            Status::Playing { .. } => {}
        }
        let table = self.analyst.engine().probe(after.game()).and_then(|probed| probed.position.sure());
        let before = |value| before_only_move(value, game.spec().objective);
        if let Some(outcome) = table {
            let value = before(match outcome {
                TableOutcome::Win(plies) => Value::Win(u16::from(plies).div_ceil(2)),
                TableOutcome::Draw => Value::Centimen(0),
                TableOutcome::Loss(plies) => Value::Loss(u16::from(plies).div_ceil(2)),
            });
            let result = decided(value).unwrap_or(Outcome::Draw);
            // The move alone needs no line.
            let line = if budget.win_in > 0 { self.search(after, NODES_OF_LINE, Vec::new())?.1 } else { Vec::new() };
            return Ok(fact(Some((result, Proof::Table)), value, [vec![mv], line].concat()));
        }
        let (value, line) = self.search(after, budget.nodes, Vec::new())?;
        let (value, line) = (before(value), [vec![mv], line].concat());
        if matches!(value, Value::Centimen(_)) && budget.win_in > 0 {
            let usual = self.analyst.engine().limits();
            let limits =
                Limits { nodes: Some(budget.nodes), win_in: Some(budget.win_in), root_moves: vec![mv], ..usual };
            if let (Value::Win(moves), line) = self.limited(game, &limits)? {
                return Ok(fact(Some((Outcome::Win(moves), Proof::Search)), Value::Win(moves), line));
            }
        }
        Ok(fact(decided(value).map(|result| (result, Proof::Search)), value, line))
    }
}

impl MoveFacts {
    /// The verdict on the move for `goal`. That it gains nothing is proved if that is so within `plies`.
    pub fn verdict(&self, goal: Goal, plies: u8) -> Verdict {
        match (self.result, goal) {
            (Some((Outcome::Win(_), proof)), _) | (Some((Outcome::Draw, proof)), Goal::Draw) => Verdict::Good(proof),
            (Some(_), _) => Verdict::Bad,
            (None, Goal::Gain) => match self.gain {
                Some(gain) if gain.is_forced => Verdict::Good(Proof::Material),
                Some(gain) if gain.plies >= plies.max(1) => Verdict::Bad,
                _ => Verdict::Open,
            },
            (None, _) => Verdict::Open,
        }
    }
}
