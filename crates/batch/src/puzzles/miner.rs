//! Searches games for puzzles.

use super::record::{MinedGame, PreviousPosition, PuzzleRecord};
use super::source::{GameSource, SourcePosition};
use crate::batch::BatchEngine;
use soffio::engine::{GainLimits, Lead, Value, forced_gain, wdl};
use soffio::game::{Game, Move};
use soffio::notation::WrittenGame;
use soffio::position::Setup;
use soffio::stop::Stop;
use soffio_analysis::annotate::AnnotateError;
use soffio_analysis::puzzle::{Goal, ProofBudget, ProofGoal, Prover, themes};

/// Minimum increase in win probability, in permille, that makes a position a candidate for a win.
const MIN_WIN_RISE: u16 = 200;

/// Minimum decrease in loss probability, in permille, that makes a position a candidate for a draw.
const MIN_LOSS_DROP: u16 = 500;

/// Minimum win probability of a candidate for a win, in permille.
const WINNING: u16 = 450;

/// Unplayed moves are also tried in every n-th position, where n is this number.
const STRIDE: usize = 6;

/// Limits of the first search for a shot after a move that was not played.
const FIRST_SEARCH: GainLimits = GainLimits::new(5, 300);

#[derive(Debug)]
pub struct Miner {
    engine: BatchEngine,
    /// Maximum number of nodes to search when proving a move. The first search is limited to an eighth of this number.
    nodes: u64,
}

impl Miner {
    pub fn new(engine: BatchEngine, nodes: u64) -> Self {
        Self { engine, nodes }
    }

    /// Returns the puzzles in `source`, or `None` if the search was interrupted by `stop`.
    pub fn mine(&mut self, source: GameSource, stop: &Stop) -> Option<MinedGame> {
        let variant = source.variant().map(|variant| variant.name().to_owned());
        let mut mined =
            MinedGame { id: source.id, input_hash: source.hash, variant, puzzles: Vec::new(), error: source.fault };
        match self.puzzles(&mined.id, &source.steps, stop) {
            Ok(puzzles) => mined.puzzles = puzzles,
            Err(AnnotateError::Stopped) => return None,
            Err(error) => mined.error = Some(error.to_string()),
        }
        Some(mined)
    }

    fn puzzles(&mut self, id: &str, steps: &[SourcePosition], stop: &Stop) -> Result<Vec<PuzzleRecord>, AnnotateError> {
        let mut hunt =
            GameMiner { prover: Prover::new(&mut self.engine.analyst, stop), nodes: self.nodes, puzzles: Vec::new() };
        let mut last: Option<(&SourcePosition, Value)> = None;
        for (index, step) in steps.iter().enumerate() {
            let before = last.filter(|_| step.follows);
            if step.game.game().legal_moves().is_empty() {
                continue;
            }
            let value = match step.value {
                Some(value) => value,
                None => hunt.prover.search(&step.game, hunt.first_search_nodes(), Vec::new())?.0,
            };
            last = Some((step, value));
            if index % STRIDE == STRIDE - 1 {
                hunt.try_unplayed_moves(&format!("{id}/{}", step.ply), &step.game, value)?;
            }
            let value_before = before.map(|(_, value)| -value).or(step.quiet_value);
            if value_before.is_some_and(|before| is_candidate(&step.game, before, value)) {
                let before = before.and_then(|(before, _)| Some((&before.game, played(&before.game, &step.game)?)));
                hunt.try_position(format!("{id}/{}", step.ply), &step.game, before)?;
            }
        }
        Ok(hunt.puzzles)
    }
}

struct GameMiner<'a> {
    prover: Prover<'a>,
    nodes: u64,
    puzzles: Vec<PuzzleRecord>,
}

impl GameMiner<'_> {
    fn first_search_nodes(&self) -> u64 {
        (self.nodes / 8).max(100)
    }

    /// Looks for shots after moves that could have been played in the position of `game`. `value` is the score of the
    /// position from the point of view of the side to move. Skips captures and moves to which the opponent can reply
    /// with a capture.
    fn try_unplayed_moves(&mut self, id: &str, game: &WrittenGame, value: Value) -> Result<(), AnnotateError> {
        if wdl(game.game(), value).loss >= WINNING {
            return Ok(());
        }
        for mv in game.game().legal_moves() {
            let mut after = game.clone();
            if mv.is_capture() || !after.play_found(mv) || after.game().can_capture() {
                continue;
            }
            let aim = ProofGoal::new(after.game(), Some(Goal::Gain));
            if forced_gain(after.game(), None, (Lead::HalfMen, aim.wanted), FIRST_SEARCH).is_forced {
                let known = self.puzzles.len();
                self.try_position(format!("{id}/{}", game.text(mv)), &after, Some((game, mv)))?;
                // A second move that allows the same shot is not a new puzzle.
                if self.puzzles.len() > known {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Adds the position of `game` if it is a puzzle. `before` is the previous position with the move that leads to
    /// `game`.
    fn try_position(
        &mut self,
        id: String,
        game: &WrittenGame,
        before: Option<(&WrittenGame, Move)>,
    ) -> Result<(), AnnotateError> {
        let game = &without_counters(game);
        let is_recapture = before.is_some_and(|(_, mv)| mv.is_capture()) && game.game().can_capture();
        if is_recapture || !self.prover.may_solve(game, self.first_search_nodes())? {
            return Ok(());
        }
        let Some(solution) = self.prover.solve(game, ProofBudget::from_nodes(self.nodes))? else { return Ok(()) };
        self.puzzles.push(PuzzleRecord {
            id,
            variant: game.variant().name().to_owned(),
            fen: game.fen().to_string(),
            before: before.map(|(before, mv)| PreviousPosition {
                fen: without_counters(before).fen().to_string(),
                text: before.text(mv),
            }),
            goal: solution.goal,
            proof: solution.proof,
            win_in: solution.win_in,
            solution: game.line_text(&solution.moves),
            themes: themes(game, &solution).iter().map(ToString::to_string).collect(),
            difficulty: self.prover.difficulty(game, &solution, self.nodes)?,
            nodes: self.nodes,
        });
        Ok(())
    }
}

/// Returns the position of `game` without the counters for draw rules, which are not visible on a board.
fn without_counters(game: &WrittenGame) -> WrittenGame {
    let setup = game.game().setup();
    let without_counters = Setup { king_runs: setup.king_runs, ..Setup::new(setup.side, setup.pieces) };
    Game::from_setup(game.variant(), &without_counters).map_or_else(|_| game.clone(), WrittenGame::from)
}

fn is_candidate(game: &WrittenGame, before: Value, value: Value) -> bool {
    let [before, now] = [before, value].map(|value| wdl(game.game(), value));
    let jumps = now.win >= WINNING && now.win >= before.win + MIN_WIN_RISE;
    let is_saved = before.loss >= now.loss + MIN_LOSS_DROP;
    (jumps || is_saved) && game.game().legal_moves().len() > 1
}

fn played(before: &WrittenGame, after: &WrittenGame) -> Option<Move> {
    let key = after.game().key();
    before.game().legal_moves().into_iter().find(|&mv| {
        let mut game = before.clone();
        game.play_found(mv) && game.game().key() == key
    })
}
