//! Builds solutions, which consist of only moves and the best reply to each, and detects the themes of solutions.

use super::proof::{Goal, MoveFacts, Proof, ProofBudget, ProofGoal, Prover, PuzzleOutcome, PuzzleVerdict};
use crate::annotate::AnnotateError;
use derive_more::Display;
use soffio::engine::{Limits, Report, Signal, Status, Value, has_gained, wdl};
use soffio::game::{Game, Move};
use soffio::notation::{FenRecord, WrittenGame};
use soffio::position::paths::{best_captures, captures};
use soffio::position::{Piece, Setup, WinReason};
use soffio::rules::{Color, Precedence};

/// Maximum length of a solution in plies.
const MAX_SOLUTION_PLIES: usize = 41;

/// Minimum number of plies for which a gain must last.
const MIN_PLIES: u8 = 4;

/// Minimum win probability after a gain, in permille.
const WINNING: u16 = 500;

/// Minimum gap, in permille, between the win probability after the gain and the win probability after any other move.
/// Other moves must also stay below [`WINNING`].
const MIN_GAP: u16 = 200;

/// Positions with at most this many pieces are endgames. In an endgame, only a proof shows that a move does not win.
const ENDING_PIECES: usize = 6;

/// Minimum win probability after the gain in the confirmation search, in permille.
const MIN_CONFIRMED_WIN: u16 = 750;

/// Maximum win probability after any other move in the confirmation search, in permille.
const MAX_OTHER_WIN: u16 = 150;

/// Each of the two confirmation searches gets this many times the node budget. The first searches the gain, and the
/// second searches all unproved moves together.
const CONFIRMATION_FACTOR: u64 = 25;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub goal: Goal,
    pub proof: Proof,
    /// Moves of both sides; the solver makes the first and the last move.
    pub moves: Vec<Move>,
    pub choices: usize,
    /// Number of moves that the winner needs to end the game, if known.
    pub win_in: Option<u16>,
}

enum Turn {
    Only(usize),
    Nothing,
    Several,
}

/// Finds the only move that reaches `goal`. In an endgame (`is_ending`), there must be a proof that all others fail.
fn only(facts: &[MoveFacts], goal: Goal, is_ending: bool) -> Turn {
    let since = |fact: &MoveFacts| fact.gain.filter(|gain| gain.is_forced).map(|gain| gain.since);
    let needed = facts.iter().filter_map(since).max().unwrap_or_default().max(MIN_PLIES);
    let is_good = |fact: &MoveFacts| matches!(fact.verdict(goal, needed), PuzzleVerdict::Good(_));
    let mut good = (0..).zip(facts).filter(|(_, fact)| is_good(fact));
    let Some((best, found)) = good.next() else { return Turn::Nothing };
    if good.next().is_some() {
        return Turn::Several;
    }
    let is_gain = goal == Goal::Gain && found.result.is_none();
    if is_gain && (found.chances.win < WINNING || found.gain.is_none_or(|gain| gain.plies < MIN_PLIES)) {
        return Turn::Nothing;
    }
    let most = WINNING.min(found.chances.win.saturating_sub(MIN_GAP));
    let is_worse = |(index, fact): (usize, &MoveFacts)| {
        let is_excluded = match goal {
            // For a draw, every other move must be proved to lose.
            Goal::Draw => return index == best || matches!(fact.result, Some((PuzzleOutcome::Loss, _))),
            _ if is_ending => false,
            Goal::Win => true,
            Goal::Gain => fact.verdict(goal, needed) == PuzzleVerdict::Bad,
        };
        index == best || fact.result.is_some() || (is_excluded && fact.chances.win <= most)
    };
    if facts.iter().enumerate().all(is_worse) { Turn::Only(best) } else { Turn::Several }
}

fn goal_of(facts: &[MoveFacts]) -> Option<Goal> {
    let any = |is: &dyn Fn(&MoveFacts) -> bool| facts.iter().any(is);
    if any(&|fact| matches!(fact.result, Some((PuzzleOutcome::Win(_), _)))) {
        Some(Goal::Win)
    } else if any(&|fact| fact.gain.is_some_and(|gain| gain.is_forced)) {
        Some(Goal::Gain)
    } else {
        any(&|fact| matches!(fact.result, Some((PuzzleOutcome::Draw, _)))).then_some(Goal::Draw)
    }
}

impl Prover<'_> {
    /// Returns whether the position may have a solution, which requires that a short search clearly prefers one move.
    /// This check is much cheaper than a proof.
    pub fn may_solve(&mut self, game: &WrittenGame, nodes: u64) -> Result<bool, AnnotateError> {
        let legal = game.game().legal_moves();
        let (value, line) = self.search(game, nodes, Vec::new())?;
        let Some(best) = line.first() else { return Ok(false) };
        let others: Vec<_> = legal.iter().copied().filter(|mv| mv != best).collect();
        if others.is_empty() {
            return Ok(false);
        }
        let (second, _) = self.search(game, nodes, others)?;
        let [best, second] = [value, second].map(|value| wdl(game.game(), value));
        let is_win = best.win >= WINNING && second.win <= WINNING.min(best.win.saturating_sub(MIN_GAP));
        let is_draw = best.loss <= 200 && second.loss >= 900;
        Ok(is_win || is_draw)
    }

    /// Returns whether a much longer search confirms that `found` is the only solution and that its gain is winning.
    fn is_confirmed(
        &mut self,
        game: &WrittenGame,
        facts: &[MoveFacts],
        found: &MoveFacts,
        budget: ProofBudget,
    ) -> Result<bool, AnnotateError> {
        let nodes = budget.nodes * CONFIRMATION_FACTOR;
        if found.result.is_none() {
            let (value, _) = self.search(game, nodes, vec![found.mv])?;
            if wdl(game.game(), value).win < MIN_CONFIRMED_WIN {
                return Ok(false);
            }
        }
        let is_open = |fact: &&MoveFacts| fact.result.is_none() && fact.mv != found.mv;
        let open: Vec<_> = facts.iter().filter(is_open).map(|fact| fact.mv).collect();
        if open.is_empty() {
            return Ok(true);
        }
        let (value, _) = self.search(game, nodes, open)?;
        let is_win = matches!(value, Value::Win(_));
        Ok(!is_win && wdl(game.game(), value).win <= MAX_OTHER_WIN)
    }

    /// Returns the solution of the position, or `None` if there is no solution that is proved and unique at every turn.
    /// A solution that wins or draws ends before the first turn at which several moves reach the goal. A solution that
    /// gains material must have completed the gain before that turn.
    pub fn solve(&mut self, game: &WrittenGame, budget: ProofBudget) -> Result<Option<Solution>, AnnotateError> {
        let solver = game.side();
        let mut aim = ProofGoal::new(game.game(), None);
        let mut game = game.clone();
        let mut found: Option<Solution> = None;
        let mut moves = Vec::new();
        let mut is_made = false;
        while moves.len() < MAX_SOLUTION_PLIES && matches!(game.status(), Status::Playing { .. }) {
            let legal = game.game().legal_moves();
            let mv = if game.side() != solver {
                match legal.as_slice() {
                    [only] => *only,
                    _ => match self.search(&game, budget.nodes, Vec::new())?.1.first() {
                        Some(&reply) => reply,
                        None => break,
                    },
                }
            } else if let ([only], Some(solution)) = (legal.as_slice(), &mut found) {
                solution.moves = [&moves[..], &[*only]].concat();
                *only
            } else {
                let facts = self.evaluate(&game, aim, budget)?;
                aim.goal = aim.goal.or_else(|| goal_of(&facts));
                let Some(goal) = aim.goal else { return Ok(None) };
                let is_ending = game.game().setup().pieces.len() <= ENDING_PIECES;
                let Turn::Only(index) = only(&facts, goal, is_ending) else { break };
                let Some(fact) = facts.get(index) else { break };
                if !self.is_confirmed(&game, &facts, fact, budget)? {
                    break;
                }
                let solution = found.get_or_insert_with(|| {
                    let win_in = match fact.result {
                        Some((PuzzleOutcome::Win(moves), _)) => Some(moves),
                        _ => None,
                    };
                    let proof = fact.result.map_or(Proof::Material, |(_, proof)| proof);
                    Solution { goal, proof, moves: Vec::new(), choices: 0, win_in }
                });
                solution.choices += 1;
                solution.moves = [&moves[..], &[fact.mv]].concat();
                fact.mv
            };
            game.play_found(mv);
            moves.push(mv);
            // A gain is complete when the position is quiet.
            if game.side() != solver && found.as_ref().is_some_and(|solution| solution.goal == Goal::Gain) {
                is_made = has_gained(game.game(), solver, aim.wanted);
                if is_made {
                    break;
                }
            }
        }
        let is_over = matches!(game.status(), Status::Won { .. });
        Ok(found.filter(|solution| {
            let own_moves = solution.moves.len().div_ceil(2);
            let is_whole = match solution.goal {
                Goal::Gain => is_made || is_over,
                // A solution that stops before the end of the game must contain more than one choice.
                Goal::Win | Goal::Draw => is_over || solution.choices > 1,
            };
            own_moves > 1 && is_whole
        }))
    }

    /// Returns the difficulty of the solution, from 1 to 20: 1, plus half the binary logarithm of the number of nodes
    /// after which a search settles on the first move, plus 1 for each quiet move by the solver.
    pub fn difficulty(&mut self, game: &WrittenGame, solution: &Solution, nodes: u64) -> Result<u8, AnnotateError> {
        let Some(&first) = solution.moves.first() else { return Ok(0) };
        let engine = &mut self.analyst.engine;
        let limits = Limits { nodes: Some(nodes), ..engine.limits() };
        let mut since = None;
        let mut on_report = |report: &Report| {
            if report.rank == 0 && report.line.first() == Some(&first) {
                since.get_or_insert(report.nodes);
            } else if report.rank == 0 {
                since = None;
            }
        };
        let answer = engine.go_with_reports(game.game(), limits, &Signal::from_stop(self.stop), &mut on_report);
        let answer = answer.map_err(|error| AnnotateError::Engine(error.to_string()))?;
        let taken = since.unwrap_or(answer.nodes).max(1);
        let quiet = solution.moves.iter().step_by(2).filter(|mv| !mv.is_capture()).count() as u32;
        Ok((1 + taken.ilog2() / 2 + quiet).min(20) as u8)
    }
}

/// Returns a FEN that identifies a position regardless of swapped colours and, on boards that use every square, of
/// reflection.
pub fn canonical(game: &Game) -> String {
    let (spec, setup) = (game.spec(), game.setup());
    let shape = spec.shape;
    let moved = |flipped: bool, mirrored: bool| {
        let place = |square| {
            let (row, column) = (shape.row(square), shape.column(square));
            let row = if flipped { shape.height - 1 - row } else { row };
            let column = if flipped != mirrored { shape.width - 1 - column } else { column };
            shape.square_at(row, column)
        };
        let color = |color: Color| if flipped { color.opponent() } else { color };
        let piece =
            |(&square, piece): (&_, &Piece)| Some((place(square)?, Piece { color: color(piece.color), ..*piece }));
        let pieces = setup.pieces.iter().filter_map(piece).collect();
        FenRecord::from_setup(spec, &Setup::new(color(setup.side), pieces)).to_string()
    };
    let mirrors: &[bool] = if shape.is_full() { &[false, true] } else { &[false] };
    let all = mirrors.iter().flat_map(|&mirrored| [moved(false, mirrored), moved(true, mirrored)]);
    all.min().unwrap_or_default()
}

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Theme {
    /// A sacrifice followed by a multiple capture. The number counts all captured pieces.
    #[display("shot-{_0}")]
    Shot(u32),
    #[display("sacrifice")]
    Sacrifice,
    #[display("breakthrough")]
    Breakthrough,
    /// Both sides have the same small number of pieces and nothing is captured, so the opposition (who is to move)
    /// decides the game.
    #[display("opposition")]
    Opposition,
    /// The opponent has pieces left but no legal move.
    #[display("stalemate")]
    Stalemate,
    #[display("table")]
    Table,
    #[display("trapped-king")]
    TrappedKing,
    /// The precedence rules force a particular capture.
    #[display("majority")]
    Majority,
}

const OPPOSITION_PIECES: usize = 8;

pub fn themes(game: &WrittenGame, solution: &Solution) -> Vec<Theme> {
    let (spec, solver) = (game.spec(), game.side());
    let pieces = game.game().setup().pieces;
    let own = pieces.values().filter(|piece| piece.color == solver).count();
    let is_even = pieces.len() <= OPPOSITION_PIECES && 2 * own == pieces.len();
    let (mut taken, mut largest, mut given) = (0, 0, 0);
    let (mut is_crowned, mut is_king_taken, mut is_ordered) = (false, false, false);
    let mut game = game.clone();
    for &mv in &solution.moves {
        let before = game.game().setup();
        let count = mv.captured.count_ones();
        if mv.is_capture() && spec.precedence != Precedence::Free {
            let all = captures(spec, &before);
            let count = all.len();
            is_ordered |= best_captures(spec, &before, all).len() < count;
        }
        let is_own = game.side() == solver;
        let is_taken = |(square, piece): (&soffio::board::Square, &soffio::position::Piece)| {
            piece.king && mv.captured >> square.index() & 1 == 1
        };
        let takes_king = before.pieces.iter().any(|(square, piece)| is_taken((square, piece)));
        game.play_found(mv);
        if is_own {
            (taken, largest) = (taken + count, largest.max(count));
            is_king_taken |= takes_king;
            let is_king = game.game().setup().pieces.get(&mv.to).is_some_and(|piece| piece.king);
            is_crowned |= is_king && before.pieces.get(&mv.from).is_some_and(|piece| !piece.king);
        } else {
            given += count;
        }
    }
    let is_stalemate = matches!(game.status(), Status::Won { reason: WinReason::NoMove, .. });
    let all = [
        (given > 0 && largest > 1, Theme::Shot(taken)),
        (given > 0, Theme::Sacrifice),
        (is_crowned, Theme::Breakthrough),
        (is_even && taken + given == 0, Theme::Opposition),
        (is_stalemate, Theme::Stalemate),
        (solution.proof == Proof::Table, Theme::Table),
        (is_king_taken, Theme::TrappedKing),
        (is_ordered, Theme::Majority),
    ];
    all.into_iter().filter(|(is_shown, _)| *is_shown).map(|(_, theme)| theme).collect()
}
