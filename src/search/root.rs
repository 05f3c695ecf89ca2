//! Iterative deepening at the root.

use super::order::Ordering;
use super::score::{MAX_PLY, Score, Value};
use super::{Bound, Budget, Limits, Observer, Outcome, Report, Signal, Table, budget};
use crate::eval::Evaluate;
use crate::position::{Game, Key, Move, MoveList, Position};
use crate::rules::Rules;
use std::time::{Duration, Instant};

/// The deepest iteration: leaves room for quiescence and forced moves below it.
const MAX_DEPTH: u8 = 127;

/// Nodes between two looks at the clock: a fraction of a millisecond.
const NODES_PER_CHECK: u64 = 1024;

/// Iterations of at least this depth begin with a narrow window around the last score.
const ASPIRATION_DEPTH: u8 = 5;

/// Half the width of the first window in hundredths of a man; it doubles with each failure.
const ASPIRATION_WINDOW: i16 = 20;

/// A window wider than this is opened fully.
const WIDEST_WINDOW: i16 = 400;

/// What a search keeps for one ply.
pub(super) struct Frame<R: Rules> {
    pub(super) moves: MoveList<R>,
    pub(super) values: Vec<i32>,
    /// The principal variation from here.
    pub(super) line: Vec<Move<R>>,
}

impl<R: Rules> Frame<R> {
    fn new() -> Self {
        Self { moves: MoveList::new(), values: Vec::new(), line: Vec::new() }
    }
}

/// A search under way.
pub struct Search<'a, R: Rules, E> {
    pub(super) table: &'a Table,
    pub(super) evaluation: &'a E,
    signal: &'a Signal,
    limits: &'a Limits<R>,
    started: Instant,
    budget: Option<Budget>,
    pub(super) ordering: Ordering<R>,
    pub(super) frames: Vec<Frame<R>>,
    /// Keys of the positions that can occur again, from the game and from the way to the present node.
    pub(super) keys: Vec<Key>,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    next_check: u64,
    /// The depth of the present iteration.
    depth: u8,
    pub(super) stopped: bool,
}

/// Searches the present position of `game`. Time counts from `started`.
///
/// The answer comes when a limit is reached or `signal` stops the search; an infinite search and one that ponders
/// wait for the signal even when there is nothing more to find.
pub fn search<R: Rules, E: Evaluate<R>>(
    game: &Game<R>,
    limits: &Limits<R>,
    (table, evaluation): (&Table, &E),
    signal: &Signal,
    started: Instant,
    observer: &mut impl Observer<R>,
) -> Outcome<R> {
    let position = game.position();
    let mut moves = position.legal_moves();
    if !limits.root_moves.is_empty() {
        moves.retain(|mv| limits.root_moves.contains(mv));
    }
    table.new_search();
    let mut search = Search::new(game, limits, (table, evaluation), signal, started);
    search.budget = budget(limits, moves.len());
    let (line, score) = search.deepen(position, &mut moves, observer);
    if limits.infinite {
        signal.wait(false);
    } else if limits.ponder {
        signal.wait(true);
    }
    let best = line.first().or(moves.first()).copied();
    Outcome { best, reply: line.get(1).copied(), score, nodes: search.nodes }
}

/// The value of the present position of `game` after all captures that are pending.
pub fn quiesce<R: Rules, E: Evaluate<R>>(game: &Game<R>, (table, evaluation): (&Table, &E)) -> Score {
    let (limits, signal) = (Limits::default(), Signal::default());
    let mut search = Search::new(game, &limits, (table, evaluation), &signal, Instant::now());
    search.quiescence(game.position(), -Score::INFINITE, Score::INFINITE, 0)
}

impl<'a, R: Rules, E: Evaluate<R>> Search<'a, R, E> {
    fn new(
        game: &Game<R>,
        limits: &'a Limits<R>,
        (table, evaluation): (&'a Table, &'a E),
        signal: &'a Signal,
        started: Instant,
    ) -> Self {
        let mut keys = game.repeatable_keys();
        // The last one is the root itself, which the search adds.
        keys.pop();
        Self {
            table,
            evaluation,
            signal,
            limits,
            started,
            budget: None,
            ordering: Ordering::new(),
            frames: (0..=MAX_PLY + 1).map(|_| Frame::new()).collect(),
            keys,
            nodes: 0,
            selective_depth: 0,
            next_check: 0,
            depth: 0,
            stopped: false,
        }
    }

    /// Searches deeper and deeper; returns the best line and its score.
    fn deepen(
        &mut self,
        position: &Position<R>,
        moves: &mut MoveList<R>,
        observer: &mut impl Observer<R>,
    ) -> (Vec<Move<R>>, Score) {
        let mut line = Vec::new();
        let mut score = Score::without_move(position, 0);
        if moves.is_empty() {
            return (line, score);
        }
        for depth in 1..=self.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
            self.depth = depth;
            self.selective_depth = 0;
            let found = self.aspire(position, moves, score, &mut line, observer);
            if self.stopped {
                break;
            }
            score = found;
            observer.report(self.report(score, Bound::Exact, &line));
            if self.is_enough(score) {
                break;
            }
        }
        (line, score)
    }

    /// One iteration, with a window around the score of the last one that is widened until the score lies inside.
    fn aspire(
        &mut self,
        position: &Position<R>,
        moves: &mut MoveList<R>,
        last: Score,
        line: &mut Vec<Move<R>>,
        observer: &mut impl Observer<R>,
    ) -> Score {
        let mut window = ASPIRATION_WINDOW;
        let (mut alpha, mut beta) = if self.depth < ASPIRATION_DEPTH || last.is_decided() {
            (-Score::INFINITE, Score::INFINITE)
        } else {
            (last - window, last + window)
        };
        loop {
            let score = self.search_root(position, moves, (alpha, beta), line);
            if self.stopped || (score > alpha && score < beta) {
                return score;
            }
            window = window.saturating_mul(2);
            let is_open = window > WIDEST_WINDOW || score.is_decided();
            let bound = if score <= alpha {
                alpha = if is_open { -Score::INFINITE } else { score - window };
                Bound::Upper
            } else {
                beta = if is_open { Score::INFINITE } else { score + window };
                Bound::Lower
            };
            observer.report(self.report(score, bound, line));
        }
    }

    /// Searches all root moves. `line` changes with every new best move, so that it is worth something after a stop;
    /// the best move is the first one of the next iteration.
    fn search_root(
        &mut self,
        position: &Position<R>,
        moves: &mut MoveList<R>,
        (mut alpha, beta): (Score, Score),
        line: &mut Vec<Move<R>>,
    ) -> Score {
        let mut best = -Score::INFINITE;
        self.keys.push(position.key());
        for index in 0..moves.len() {
            let child = position.play(moves[index]);
            self.nodes += 1;
            let score = self.search_child(&child, i32::from(self.depth) - 1, (alpha, beta), 0, index == 0);
            if self.stopped {
                break;
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha || line.is_empty() {
                alpha = alpha.max(score);
                self.extend_line(moves[index], 0);
                line.clone_from(&self.frames[0].line);
                moves[..=index].rotate_right(1);
                if score >= beta {
                    break;
                }
            }
        }
        self.keys.pop();
        best
    }

    /// Whether a finished iteration is the last one that is worth its time.
    fn is_enough(&self, score: Score) -> bool {
        // A win that was found within the depth cannot become shorter. The game ends with the winner's last move, or
        // with the answer after it.
        let is_settled = match score.value() {
            Value::Centimen(_) => false,
            Value::Win(moves) | Value::Loss(moves) => u16::from(self.depth) >= 2 * moves,
        };
        match (self.budget, self.counted_time()) {
            _ if self.limits.depth.is_some() => false,
            _ if is_settled => true,
            (Some(budget), Some(elapsed)) => elapsed >= budget.soft && !self.limits.infinite,
            _ => false,
        }
    }

    /// Time that counts against the budget: none while the opponent is thinking.
    fn counted_time(&self) -> Option<Duration> {
        if self.limits.ponder {
            self.signal.ponder_hit_at().map(|hit| hit.elapsed())
        } else {
            Some(self.started.elapsed())
        }
    }

    /// Whether the search has to end now. The first iteration is always finished, so that there is a move to play.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check && self.depth > 1 {
            self.check_limits();
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        let node_limit = self.limits.nodes.unwrap_or(u64::MAX);
        let is_late = match (self.budget, self.counted_time()) {
            (Some(budget), Some(elapsed)) => elapsed >= budget.hard && !self.limits.infinite,
            _ => false,
        };
        self.stopped |= is_late || self.nodes >= node_limit || self.signal.is_stopped();
        self.next_check = (self.nodes + NODES_PER_CHECK).min(node_limit);
    }

    fn report(&self, score: Score, bound: Bound, line: &[Move<R>]) -> Report<R> {
        Report {
            depth: self.depth,
            selective_depth: self.selective_depth as u16,
            score,
            bound,
            nodes: self.nodes,
            permille_used: self.table.permille_used(),
            time: self.started.elapsed(),
            line: line.to_vec(),
        }
    }
}
