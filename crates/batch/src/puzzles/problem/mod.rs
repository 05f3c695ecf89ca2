//! Checks problems: the first moves, the author's solution, and whether each piece is necessary.

mod read;
mod report;

pub use report::{ProblemReport, ProblemVerdict};

use derive_more::Display;
use report::{Dual, ProblemMove, ProvedResult};
use serde::Serialize;
use soffio::engine::{Limits, Status, Value};
use soffio::notation::pdn::PdnMove;
use soffio::notation::{FenRecord, WrittenGame};
use soffio::rules::Color;
use soffio_analysis::annotate::AnnotateError;
use soffio_analysis::puzzle::{Goal, MoveFacts, ProofBudget, ProofGoal, Prover, PuzzleOutcome, PuzzleVerdict};

/// The exhaustive search looks for a win in at most this many moves.
const WIN_IN: u16 = 12;

/// Depth in plies of the search for material gains.
const GAIN_DEPTH: u8 = 16;

/// Returns the number of moves within which another win counts as an alternative to a win in `moves` moves.
fn comparable(moves: u16) -> u16 {
    moves.saturating_mul(2).saturating_add(2)
}

#[derive(Clone, Debug)]
pub struct DraughtsProblem {
    pub id: String,
    pub game: WrittenGame,
    /// The result that the author claims for the side to move, or `None` if there is no claim.
    claim: Option<ProblemClaim>,
    /// The number of moves from a stipulation such as "win in 3", or `None` if there is none. A stipulation also sets
    /// `claim` to a win.
    win_in: Option<u16>,
    moves: Vec<PdnMove>,
}

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum ProblemClaim {
    #[display("win")]
    Win,
    #[display("draw")]
    Draw,
    #[display("loss")]
    Loss,
}

impl DraughtsProblem {
    /// Evaluates the problem. If `is_composition` is true, also checks the conventions for compositions.
    pub fn evaluate(
        &self,
        prover: &mut Prover<'_>,
        nodes: u64,
        is_composition: bool,
    ) -> Result<ProblemReport, AnnotateError> {
        let budget = ProofBudget { nodes, plies: GAIN_DEPTH, win_in: self.win_in.unwrap_or(WIN_IN) };
        let game = &self.game;
        let mut report = ProblemReport {
            id: self.id.clone(),
            variant: game.variant().name(),
            fen: game.fen().to_string(),
            claim: self.claim,
            claimed_win_in: self.win_in,
            ..ProblemReport::default()
        };
        let facts = prover.evaluate(game, ProofGoal::new(game.game(), None), budget)?;
        report.moves = facts.iter().map(|fact| ProblemMove::new(game, fact)).collect();
        let goal = self.result(&facts, &mut report);
        let requested = self.win_in.filter(|_| report.verdict == ProblemVerdict::Open).map(|_| Goal::Win);
        let Some(goal) = requested.or(goal) else { return Ok(report) };
        // A gain of material need not win, and the side that gains it may still lose.
        let undecided = self.claim.filter(|_| goal == Goal::Gain);
        if let Some(claim) = undecided {
            report.misses.push(format!("a gain of material neither proves nor refutes the claimed {claim}"));
        }
        let author = self.first(&mut report);
        let own = facts.iter().find(|fact| Some(fact.mv) == author);
        let wanted = SolutionGoal::new(goal, self.win_in, own, &facts);
        report.max_moves = wanted.max_moves;
        let solves: Vec<_> = facts.iter().map(|fact| wanted.is_reached(prover, game, fact, nodes)).collect();
        let good: Vec<_> =
            facts.iter().zip(&solves).filter(|(_, solves)| **solves == Some(true)).map(|(fact, _)| fact).collect();
        if good.is_empty() {
            report.add_missing_goal(wanted, solves.iter().all(|solves| *solves == Some(false)));
            return Ok(report);
        }
        if requested.is_some() {
            report.result = ProvedResult::Win;
        }
        let key =
            author.filter(|mv| good.iter().any(|fact| fact.mv == *mv)).or_else(|| good.first().map(|fact| fact.mv));
        if let (Some(author), false) = (author, author == key) {
            let refuted = facts.iter().zip(&solves).find(|(fact, solves)| fact.mv == author && **solves == Some(false));
            let fault = match refuted.map(|(fact, _)| fact.result) {
                None => "is not proved to reach the goal".to_owned(),
                Some(Some((PuzzleOutcome::Win(moves), _))) => format!("wins only in {moves}"),
                Some(Some((PuzzleOutcome::Draw, _))) => "draws".to_owned(),
                Some(Some((PuzzleOutcome::Loss, _))) => "loses".to_owned(),
                Some(None) => "does not reach the goal".to_owned(),
            };
            report.misses.push(format!("{} {fault}", game.text(author)));
        }
        let others = good.iter().filter(|fact| Some(fact.mv) != key);
        report.cooks = others.map(|fact| ProblemMove::new(game, fact)).collect();
        let is_unique = facts.iter().zip(&solves).all(|(fact, solves)| Some(fact.mv) == key || *solves == Some(false));
        report.verdict = match (report.cooks.is_empty(), is_unique) {
            _ if undecided.is_some() => ProblemVerdict::Open,
            // Other moves also gain material, but a gain of material need not win.
            (false, _) if goal == Goal::Gain => ProblemVerdict::Open,
            (false, _) => ProblemVerdict::Cooked,
            (true, true) => ProblemVerdict::Sound,
            (true, false) => ProblemVerdict::Sole,
        };
        report.win_in = good.iter().filter_map(|fact| won_in(fact)).min();
        if let Some(moves) = report.win_in {
            report.shortest =
                Some(moves).filter(|_| moves == 1 || has_no_shorter_win(prover, game, moves, nodes).unwrap_or(false));
        }
        self.follow(prover, goal, budget, &mut report)?;
        if is_composition {
            self.check_composition(prover, goal, budget, &mut report)?;
        }
        Ok(report)
    }

    /// Stores the proved result for the side to move in `report`. Returns the goal by which the moves are compared, or
    /// `None` if there is no such goal.
    fn result(&self, facts: &[MoveFacts], report: &mut ProblemReport) -> Option<Goal> {
        let any = |goal| facts.iter().any(|fact| is_good(fact, goal));
        let all_lose = facts.iter().all(|fact| matches!(fact.result, Some((PuzzleOutcome::Loss, _))));
        let no_win =
            facts.iter().all(|fact| matches!(fact.result, Some((PuzzleOutcome::Loss | PuzzleOutcome::Draw, _))));
        // The result, the claim that it proves (with the verb for messages), and the goal.
        let (result, proved, goal) = if any(Goal::Win) {
            (ProvedResult::Win, Some((ProblemClaim::Win, "wins")), Some(Goal::Win))
        } else if all_lose {
            (ProvedResult::Loss, Some((ProblemClaim::Loss, "loses")), None)
        } else if no_win {
            (ProvedResult::Draw, Some((ProblemClaim::Draw, "draws")), Some(Goal::Draw))
        } else if any(Goal::Gain) {
            (ProvedResult::Gain, None, Some(Goal::Gain))
        } else {
            (ProvedResult::Open, None, None)
        };
        report.result = result;
        match (self.claim, proved) {
            (Some(claim), Some((proved, verb))) if claim != proved => {
                report.verdict = ProblemVerdict::Unsolvable;
                report.misses.push(format!("the side to move {verb}"));
                return None;
            }
            (_, Some((ProblemClaim::Loss, _))) => report.verdict = ProblemVerdict::Sound,
            _ => {}
        }
        goal
    }

    fn first(&self, report: &mut ProblemReport) -> Option<soffio::game::Move> {
        let found = resolve_move(&self.game, self.moves.first()?);
        found.unwrap_or_else(|error| {
            report.misses.push(format!("the solution cannot be replayed: {error}"));
            None
        })
    }

    /// Checks the author's solution after its first move. Reports duals, moves that miss the goal, and unanswered
    /// defences.
    fn follow(
        &self,
        prover: &mut Prover<'_>,
        goal: Goal,
        budget: ProofBudget,
        report: &mut ProblemReport,
    ) -> Result<(), AnnotateError> {
        let (mut game, solver) = (self.game.clone(), self.game.side());
        let aim = ProofGoal::new(game.game(), Some(goal));
        let mut before = Vec::new();
        for mv in &self.moves {
            let played = match resolve_move(&game, mv) {
                Ok(Some(played)) => played,
                Ok(None) => break,
                Err(error) => {
                    if !before.is_empty() {
                        report.misses.push(format!("the solution cannot be replayed: {error}"));
                    }
                    break;
                }
            };
            let text = game.text(played);
            let is_choice = game.game().legal_moves().len() > 1;
            if game.side() != solver && is_choice {
                let answered = |text: &str| {
                    mv.variations.iter().any(|line| line.moves.first().is_some_and(|first| first.text == text))
                };
                let (_, line) = prover.search(&game, budget.nodes, Vec::new())?;
                if let Some(best) = line.first().filter(|&&best| best != played).map(|&best| game.text(best))
                    && !answered(&best)
                {
                    let after = before.join(" ");
                    report.misses.push(format!("the solution has no answer to {best}, the best defence after {after}"));
                }
            } else if game.side() == solver && is_choice && !before.is_empty() {
                let facts = prover.evaluate(&game, aim, budget)?;
                let own = facts.iter().find(|fact| fact.mv == played);
                let left = self.win_in.map(|moves| moves.saturating_sub((before.len() / 2) as u16).max(1));
                let wanted = SolutionGoal::new(goal, left, own, &facts);
                let mut solves = |fact: &MoveFacts| wanted.is_reached(prover, &game, fact, budget.nodes);
                let is_refuted = own.is_some_and(|own| solves(own) == Some(false));
                let others = facts.iter().filter(|fact| fact.mv != played && solves(fact) == Some(true));
                let others: Vec<_> = others.map(|fact| game.text(fact.mv)).collect();
                if is_refuted {
                    report.misses.push(format!("{text} after {} does not reach the goal", before.join(" ")));
                }
                if !others.is_empty() {
                    report.duals.push(Dual { after: before.clone(), text: text.clone(), others });
                }
            }
            game.play_found(played);
            before.push(text);
        }
        Ok(())
    }

    /// Reports faults of a composition: kings in the start position, pieces that are not needed, and more than one
    /// solution.
    fn check_composition(
        &self,
        prover: &mut Prover<'_>,
        goal: Goal,
        budget: ProofBudget,
        report: &mut ProblemReport,
    ) -> Result<(), AnnotateError> {
        let (spec, setup) = (self.game.spec(), self.game.game().setup());
        let name = |square: &soffio::board::Square| spec.square_name(*square).to_string();
        let kings: Vec<_> =
            setup.pieces.iter().filter(|(_, piece)| piece.king).map(|(square, _)| name(square)).collect();
        let mut faults = Vec::new();
        if !kings.is_empty() {
            faults.push(format!("kings in the start position: {}", kings.join(" ")));
        }
        let mut idle = Vec::new();
        for square in setup.pieces.keys() {
            let mut less = setup.clone();
            less.pieces.remove(square);
            let has_both = [Color::White, Color::Black]
                .iter()
                .all(|&color| less.pieces.values().any(|piece| piece.color == color));
            let fen = FenRecord::from_setup(spec, &less);
            let Some(game) = WrittenGame::from_start(self.game.variant(), Some(&fen)).ok().filter(|_| has_both) else {
                continue;
            };
            if !matches!(game.status(), Status::Playing { .. }) {
                continue;
            }
            let facts = prover.evaluate(&game, ProofGoal::new(game.game(), Some(goal)), budget)?;
            let good: Vec<_> = facts.iter().filter(|fact| is_good(fact, goal)).map(|fact| game.text(fact.mv)).collect();
            let key = report.moves.iter().find(|known| known.result == report.result).map(|known| known.text.as_str());
            if let [only] = good.as_slice()
                && Some(only.as_str()) == key
            {
                idle.push(name(square));
            }
        }
        if !idle.is_empty() {
            faults.push(format!("the piece on {} is not needed", idle.join(" or ")));
        }
        if !report.cooks.is_empty() || !report.duals.is_empty() {
            faults.push("more than one solution".to_owned());
        }
        report.composition = faults;
        Ok(())
    }
}

fn resolve_move(game: &WrittenGame, mv: &PdnMove) -> Result<Option<soffio::game::Move>, String> {
    let record = mv.record().map_err(|error| error.to_string())?;
    Ok(game.resolve(&[record]).map_err(|error| error.to_string())?.first().copied())
}

fn is_good(fact: &MoveFacts, goal: Goal) -> bool {
    matches!(fact.verdict(goal, 1), PuzzleVerdict::Good(_))
}

fn won_in(fact: &MoveFacts) -> Option<u16> {
    match fact.result {
        Some((PuzzleOutcome::Win(moves), _)) => Some(moves),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug)]
struct SolutionGoal {
    goal: Goal,
    max_moves: Option<u16>,
    /// Whether the author demands a specific number of moves.
    is_requested: bool,
}

impl SolutionGoal {
    /// Creates the goal. A win must not take more than the `requested` number of moves. If `requested` is `None`, the
    /// length of the win must be comparable to that of the win after the author's `own` move or, if that move does not
    /// win, to that of the shortest win.
    fn new(goal: Goal, requested: Option<u16>, own: Option<&MoveFacts>, facts: &[MoveFacts]) -> Self {
        let shortest = || facts.iter().filter_map(won_in).min();
        let max_moves = requested.or_else(|| own.and_then(won_in).or_else(shortest).map(comparable));
        Self { goal, max_moves: max_moves.filter(|_| goal == Goal::Win), is_requested: requested.is_some() }
    }

    /// Returns whether the move of `fact` reaches the goal, or `None` if this is neither proved nor refuted.
    fn is_reached(self, prover: &mut Prover<'_>, game: &WrittenGame, fact: &MoveFacts, nodes: u64) -> Option<bool> {
        let verdict = fact.verdict(self.goal, 1);
        let is_long = won_in(fact).zip(self.max_moves).is_some_and(|(moves, max_moves)| moves > max_moves);
        let max_moves = self.max_moves.filter(|_| is_long || (self.is_requested && verdict == PuzzleVerdict::Open));
        match (verdict, max_moves) {
            (PuzzleVerdict::Bad, _) => Some(false),
            (_, Some(max_moves)) => {
                let engine = &mut prover.analyst.engine;
                let usual = engine.limits();
                let limits =
                    Limits { win_in: Some(max_moves), nodes: Some(4 * nodes), root_moves: vec![fact.mv], ..usual };
                let answer = engine.go(game.game(), limits).ok()?;
                let is_win = matches!(answer.value, Value::Win(found) if found <= max_moves);
                (is_win || answer.has_no_win).then_some(is_win)
            }
            (PuzzleVerdict::Good(_), None) => Some(true),
            (PuzzleVerdict::Open, None) => None,
        }
    }
}

/// Returns whether a win in fewer than `moves` moves is proved to be impossible, or `None` if the search cannot run.
fn has_no_shorter_win(prover: &mut Prover<'_>, game: &WrittenGame, moves: u16, nodes: u64) -> Option<bool> {
    let engine = &mut prover.analyst.engine;
    let limits = Limits { win_in: Some(moves.checked_sub(1)?), nodes: Some(4 * nodes), ..engine.limits() };
    engine.go(game.game(), limits).ok().map(|answer| answer.has_no_win)
}
