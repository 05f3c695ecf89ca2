//! Collects what is proved about each move in a position.

use crate::annotate::{Analyst, AnnotateError, before_only_move};
use derive_more::Display;
use serde::{Deserialize, Serialize};
use soffio::engine::{Gain, GainLimits, Lead, Limits, MAN, Status, TableOutcome, Value, Wdl, forced_gain, lead, wdl};
use soffio::game::{Game, Move};
use soffio::notation::WrittenGame;
use soffio::stop::Stop;

/// Node limit of the search that finds a line to show when the result comes from endgame tables.
const NODES_OF_LINE: u64 = 1000;

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    #[display("win")]
    Win,
    #[display("draw")]
    Draw,
    /// A gain of at least a man, or a win.
    #[display("gain")]
    Gain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleOutcome {
    /// A win in this many moves by the winner, including the current move.
    Win(u16),
    Draw,
    Loss,
}

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    #[display("table")]
    Table,
    /// A search reached the end of the game in every relevant line.
    #[display("search")]
    Search,
    /// An exhaustive search for material gains proved a gain.
    #[display("material")]
    Material,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleVerdict {
    Good(Proof),
    /// The move is proved not to reach the goal. If the goal is a gain, this is proved only up to the number of plies
    /// in which another move reaches it.
    Bad,
    Open,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofBudget {
    pub nodes: u64,
    /// Depth in plies of the search for material gains; 0 disables this search.
    pub plies: u8,
    /// If the normal search finds no win, an exhaustive search looks for a win in at most this many moves; 0 disables
    /// the exhaustive search.
    pub win_in: u16,
}

impl ProofBudget {
    pub const fn from_nodes(nodes: u64) -> Self {
        Self { nodes, plies: 12, win_in: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofGoal {
    /// The goal, if known. Gains are searched for only if the goal is [`Goal::Gain`], or if it is unknown and no move
    /// wins.
    pub goal: Option<Goal>,
    /// Material lead that counts as a gain, in half-men.
    pub wanted: i32,
}

impl ProofGoal {
    /// Creates an aim for `goal`. A gain must increase the current lead by at least a man.
    pub fn new(game: &Game, goal: Option<Goal>) -> Self {
        Self { goal, wanted: lead(game, game.side()) + MAN }
    }
}

#[derive(Clone, Debug)]
pub struct MoveFacts {
    pub mv: Move,
    pub result: Option<(PuzzleOutcome, Proof)>,
    pub value: Value,
    pub chances: Wdl,
    pub gain: Option<Gain>,
    pub line: Vec<Move>,
}

#[derive(Debug)]
pub struct Prover<'a> {
    pub analyst: &'a mut Analyst,
    pub stop: &'a Stop,
    pub nodes: u64,
}

fn decided(value: Value) -> Option<PuzzleOutcome> {
    match value {
        Value::Win(moves) => Some(PuzzleOutcome::Win(moves)),
        Value::Loss(_) => Some(PuzzleOutcome::Loss),
        Value::Cp(_) => None,
    }
}

impl<'a> Prover<'a> {
    /// Creates a prover. `analyst` must use `HashClearing::EachPosition`.
    pub fn new(analyst: &'a mut Analyst, stop: &'a Stop) -> Self {
        Self { analyst, stop, nodes: 0 }
    }

    /// Searches only the moves in `among`, or all moves if it is empty.
    pub fn search(
        &mut self,
        game: &WrittenGame,
        nodes: u64,
        among: Vec<Move>,
    ) -> Result<(Value, Vec<Move>), AnnotateError> {
        let limits = Limits { nodes: Some(nodes), root_moves: among, ..self.analyst.engine.limits() };
        self.limited(game, &limits)
    }

    fn limited(&mut self, game: &WrittenGame, limits: &Limits) -> Result<(Value, Vec<Move>), AnnotateError> {
        let found = self.analyst.search(game, limits, self.stop)?;
        self.nodes += found.reports.iter().map(|report| report.nodes).max().unwrap_or_default();
        Ok((found.value, found.line))
    }

    /// Evaluates each legal move. If several captures lead to the same position, only the first of them is kept.
    pub fn evaluate(
        &mut self,
        game: &WrittenGame,
        aim: ProofGoal,
        budget: ProofBudget,
    ) -> Result<Vec<MoveFacts>, AnnotateError> {
        let (mut facts, mut keys) = (Vec::new(), Vec::new());
        for mv in game.game().legal_moves() {
            let mut after = game.clone();
            after.play_found(mv);
            if !keys.contains(&after.game().key()) {
                keys.push(after.game().key());
                facts.push(self.evaluate_move(game, &after, mv, budget)?);
            }
        }
        let is_win = |fact: &MoveFacts| matches!(fact.result, Some((PuzzleOutcome::Win(_), _)));
        let is_wanted = aim.goal.map_or_else(|| !facts.iter().any(is_win), |goal| goal == Goal::Gain);
        if is_wanted && budget.plies > 0 {
            let limits = GainLimits::new(budget.plies, budget.nodes);
            for fact in facts.iter_mut().filter(|fact| fact.result.is_none()) {
                let gain = forced_gain(game.game(), Some(fact.mv), (Lead::HalfMen, aim.wanted), limits);
                self.nodes += gain.nodes;
                fact.gain = Some(gain);
            }
        }
        Ok(facts)
    }

    fn evaluate_move(
        &mut self,
        game: &WrittenGame,
        after: &WrittenGame,
        mv: Move,
        budget: ProofBudget,
    ) -> Result<MoveFacts, AnnotateError> {
        let side = game.side();
        let fact = |result: Option<(PuzzleOutcome, Proof)>, value, line| MoveFacts {
            mv,
            result,
            value,
            chances: wdl(game.game(), value),
            gain: None,
            line,
        };
        match after.status() {
            Status::Won { winner, .. } => {
                let (result, value) = if winner == side {
                    (PuzzleOutcome::Win(1), Value::Win(1))
                } else {
                    (PuzzleOutcome::Loss, Value::Loss(0))
                };
                return Ok(fact(Some((result, Proof::Search)), value, vec![mv]));
            }
            Status::Drawn(_) => {
                return Ok(fact(Some((PuzzleOutcome::Draw, Proof::Search)), Value::Cp(0), vec![mv]));
            }
            Status::Playing { .. } => {}
        }
        let table = self.analyst.engine.probe(after.game()).and_then(|probed| probed.position.sure());
        let before = |value| before_only_move(value, game.spec().objective);
        let value = table.and_then(|outcome| match outcome {
            TableOutcome::Win(plies) => Some(Value::Win(u16::from(plies?).div_ceil(2))),
            TableOutcome::Draw => Some(Value::Cp(0)),
            TableOutcome::Loss(plies) => Some(Value::Loss(u16::from(plies?).div_ceil(2))),
        });
        if let Some(value) = value.map(before) {
            let result = decided(value).unwrap_or(PuzzleOutcome::Draw);
            // Only problem evaluation, which sets `win_in`, needs a line.
            let line = if budget.win_in > 0 { self.search(after, NODES_OF_LINE, Vec::new())?.1 } else { Vec::new() };
            return Ok(fact(Some((result, Proof::Table)), value, [vec![mv], line].concat()));
        }
        let (value, line) = self.search(after, budget.nodes, Vec::new())?;
        let (value, line) = (before(value), [vec![mv], line].concat());
        if matches!(value, Value::Cp(_)) && budget.win_in > 0 {
            let usual = self.analyst.engine.limits();
            let limits =
                Limits { nodes: Some(budget.nodes), win_in: Some(budget.win_in), root_moves: vec![mv], ..usual };
            if let (Value::Win(moves), line) = self.limited(game, &limits)? {
                return Ok(fact(Some((PuzzleOutcome::Win(moves), Proof::Search)), Value::Win(moves), line));
            }
        }
        Ok(fact(decided(value).map(|result| (result, Proof::Search)), value, line))
    }
}

impl MoveFacts {
    /// Returns the verdict for `goal`. A gain counts as refuted only if the refutation covers at least `plies` plies.
    pub fn verdict(&self, goal: Goal, plies: u8) -> PuzzleVerdict {
        match (self.result, goal) {
            (Some((PuzzleOutcome::Win(_), proof)), _) | (Some((PuzzleOutcome::Draw, proof)), Goal::Draw) => {
                PuzzleVerdict::Good(proof)
            }
            (Some(_), _) => PuzzleVerdict::Bad,
            (None, Goal::Gain) => match self.gain {
                Some(gain) if gain.is_forced => PuzzleVerdict::Good(Proof::Material),
                Some(gain) if gain.plies >= plies.max(1) => PuzzleVerdict::Bad,
                _ => PuzzleVerdict::Open,
            },
            (None, _) => PuzzleVerdict::Open,
        }
    }
}
