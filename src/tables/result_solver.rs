//! Solves a slice for wins, draws and losses, without distances. It needs only four bits for each position.
//!
//! 1. Initialise every position. Ended games, compulsory captures and promotions that win get a result.
//! 2. Work in rounds. A round decides the positions whose results follow from the positions decided before: a position
//!    is won if a move leads to a lost position, and lost if all moves lead to won positions. If few positions changed
//!    in the previous round, the moves that lead to them are retracted. Otherwise, every undecided position is visited.
//! 3. The remaining positions are drawn.
//!
//! A position that is decided in a round has no effect before the next round. The number of rounds therefore limits the
//! length of a game, and does not depend on the number of threads.

use super::board::{each_quiet_move, each_retraction, of_width};
use super::index::Cursor;
use super::main_road::may_be_limited;
use super::probe::{Answer, MoveProber};
use super::result_states::{ResultStates, State};
use super::wld::{ARBITRARY, MaterialResults, SliceResults, Wld};
use super::{Counts, Slice, SolveError, Solver, TableValue, Tables};
use crate::position::Pieces;
use crate::rules::{Color, Word};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Number of positions that a thread visits at once.
const CHUNK: usize = 1 << 15;

struct ResultSolver<'a, W: Word> {
    solver: &'a Solver<'a, W>,
    slice: Slice,
    compulsory: bool,
    /// The states of each material of the slice. A move that stays in the slice leads to the other material, or to the
    /// same one if the slice has only one.
    sides: Vec<ResultStates<W>>,
    before_crowning: W,
    undecided: AtomicU64,
}

/// The side whose states a chunk belongs to, and the first number of the chunk.
type Chunk = (usize, usize);

impl<W: Word> Tables<W> {
    /// Returns the memory in bytes that [`Solver::solve_results`] needs for `slice`, excluding other tables.
    pub fn memory_for_results(&self, slice: Slice) -> u64 {
        self.size(slice).div_ceil(2)
    }
}

impl<W: Word> Solver<'_, W> {
    /// Computes the results of all positions in `slice`, without distances.
    pub fn solve_results(&self, slice: Slice) -> Result<SliceResults<W>, SolveError> {
        type Solve<W> = fn(&Solver<'_, W>, Slice) -> Result<SliceResults<W>, SolveError>;
        static NARROW: Solve<u64> = |solver, slice| solver.solve_results_of_width(slice);
        static WIDE: Solve<u128> = |solver, slice| solver.solve_results_of_width(slice);
        of_width::<Solve<W>>(&NARROW, &WIDE)(self, slice)
    }

    fn solve_results_of_width(&self, slice: Slice) -> Result<SliceResults<W>, SolveError> {
        let sides = slice.materials().map(|material| ResultStates::new(self.tables.index(material))).collect();
        let mut work = ResultSolver {
            solver: self,
            slice,
            compulsory: self.tables.rules().compulsory(),
            sides,
            before_crowning: self.tables.board.before_crowning(),
            undecided: AtomicU64::new(0),
        };
        let chunks = work.chunks();
        self.run(&chunks, |tools, &chunk| work.begin_chunk(tools, chunk))?;
        let mut rounds: usize = 0;
        let mut changed = u64::MAX;
        while changed > 0 {
            let sum = AtomicU64::new(0);
            let visits_all = changed >= *work.undecided.get_mut();
            self.run(&chunks, |_, &chunk| {
                let found =
                    if visits_all { work.visit_chunk(chunk, rounds) } else { work.retract_chunk(chunk, rounds) };
                sum.fetch_add(found, Relaxed);
                Ok(())
            })?;
            changed = sum.into_inner();
            self.done.fetch_add(changed, Relaxed);
            *work.undecided.get_mut() -= changed;
            rounds += 1;
        }
        work.finish(&chunks, rounds)
    }
}

impl<W: Word> ResultSolver<'_, W> {
    fn chunks(&self) -> Vec<Chunk> {
        let starts = |(side, states): (usize, &ResultStates<W>)| {
            (0..states.len()).step_by(CHUNK).map(move |start| (side, start)).collect::<Vec<_>>()
        };
        self.sides.iter().enumerate().flat_map(starts).collect()
    }

    /// Returns the states before a move that leads to `side`, or after a move by `side`.
    fn opposite(&self, side: usize) -> &ResultStates<W> {
        &self.sides[self.sides.len() - 1 - side]
    }

    fn begin_chunk(&self, tools: &mut MoveProber<'_, W>, (side, start): Chunk) -> Result<(), SolveError> {
        let side = &self.sides[side];
        let mut cursor = Cursor::new(&side.index);
        let (mut undecided, numbers) = (0, side.numbers(start, CHUNK));
        let count = numbers.len() as u64;
        for number in numbers {
            let state = match cursor.pieces(number as u64) {
                Some(pieces) => self.begin(tools, &pieces)?,
                None => State::SAFE,
            };
            undecided += u64::from(!state.is_decided());
            side.begin(number, state);
        }
        self.undecided.fetch_add(undecided, Relaxed);
        self.solver.done.fetch_add(2 * count - undecided, Relaxed);
        Ok(())
    }

    fn begin(&self, tools: &mut MoveProber<'_, W>, pieces: &Pieces<W>) -> Result<State, SolveError> {
        let board = &*self.solver.tables.board;
        let missing = || SolveError::Missing(self.slice);
        let can_capture = board.rules.has_capture(pieces, Color::White);
        if can_capture && self.compulsory {
            return tools.prober.best_capture(pieces, 0).map(State::without_moves).ok_or_else(missing);
        }
        let objective = board.rules.spec().objective;
        let mut best: Option<Wld> = None;
        if can_capture || !(pieces.men(Color::White) & self.before_crowning).is_empty() {
            let MoveProber { prober, moves } = tools;
            board.rules.fill_moves(pieces, Color::White, can_capture, moves);
            for mv in moves.iter() {
                let is_man = pieces.men(Color::White).contains(mv.from);
                if mv.is_capture() || (is_man && board.rules.far_row(Color::White).contains(mv.to)) {
                    let after = board.after(pieces, *mv);
                    let answer: Wld = prober.answer_of(&after, 0).and_then(Answer::before).ok_or_else(missing)?;
                    best = Some(best.map_or(answer, |best| best.or_better(answer, objective)));
                }
            }
        }
        let stays = || each_quiet_move(board, pieces, |_| ControlFlow::Break(())).is_break();
        Ok(match best {
            Some(Wld::Win) => State::WIN,
            Some(Wld::Draw) => State::SAFE,
            _ if stays() => State::UNKNOWN,
            Some(Wld::Loss) => State::LOSS,
            None => State::without_moves(Wld::of_value(TableValue::END, objective)),
        })
    }

    /// Decides the positions of a chunk that follow from the previous rounds. Returns their number.
    fn visit_chunk(&self, (side, start): Chunk, round: usize) -> u64 {
        let (here, after) = (&self.sides[side], self.opposite(side));
        let mut cursor = Cursor::new(&here.index);
        let mut changed = 0;
        here.clear(start, CHUNK, round);
        for number in here.numbers(start, CHUNK) {
            let state = here.state(number);
            if state.is_decided() {
                continue;
            }
            let Some(pieces) = cursor.pieces(number as u64) else { continue };
            if state == State::SAFE && self.must_capture(&pieces) {
                continue;
            }
            if let Some(found) = self.result_of_moves(after, &pieces, state, round) {
                changed += u64::from(here.decide(number, found, round));
            }
        }
        changed
    }

    fn must_capture(&self, pieces: &Pieces<W>) -> bool {
        self.compulsory && self.solver.tables.rules().has_capture(pieces, Color::White)
    }

    fn result_of_moves(
        &self,
        after: &ResultStates<W>,
        pieces: &Pieces<W>,
        state: State,
        round: usize,
    ) -> Option<State> {
        let board = &*self.solver.tables.board;
        let mut is_lost = state == State::UNKNOWN;
        let flow = each_quiet_move(board, pieces, |moved| {
            match after.state_before(after.index.number(&board.turned(moved)) as usize, round) {
                State::LOSS => return ControlFlow::Break(()),
                State::WIN => {}
                _ => is_lost = false,
            }
            ControlFlow::Continue(())
        });
        if flow.is_break() { Some(State::WIN) } else { is_lost.then_some(State::LOSS) }
    }

    /// Decides the positions whose results follow from the positions of a chunk that changed in the previous round.
    /// Returns their number.
    fn retract_chunk(&self, (side, start): Chunk, round: usize) -> u64 {
        let board = &*self.solver.tables.board;
        let (here, before) = (&self.sides[side], self.opposite(side));
        let mut cursor = Cursor::new(&here.index);
        let mut changed = 0;
        here.each_changed(start, CHUNK, round, |number| {
            let Some(pieces) = cursor.pieces(number as u64) else { return };
            let is_won = here.state(number) == State::WIN;
            each_retraction(board, &board.turned(&pieces), |earlier| {
                let number = before.index.number(earlier) as usize;
                let state = before.state(number);
                if is_won {
                    // Positions with a compulsory capture are never unknown.
                    if state == State::UNKNOWN && self.is_lost(here, earlier, round) {
                        changed += u64::from(before.decide(number, State::LOSS, round));
                    }
                } else if state == State::UNKNOWN || (state == State::SAFE && !self.must_capture(earlier)) {
                    changed += u64::from(before.decide(number, State::WIN, round));
                }
            });
        });
        here.clear(start, CHUNK, round);
        changed
    }

    fn is_lost(&self, after: &ResultStates<W>, pieces: &Pieces<W>, round: usize) -> bool {
        let board = &*self.solver.tables.board;
        let flow = each_quiet_move(board, pieces, |moved| {
            let number = after.index.number(&board.turned(moved)) as usize;
            let is_won = after.state_before(number, round) == State::WIN;
            if is_won { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        flow.is_continue()
    }

    fn finish(self, chunks: &[Chunk], rounds: usize) -> Result<SliceResults<W>, SolveError> {
        let counts: Vec<_> = self.sides.iter().map(|_| Mutex::new(Counts::default())).collect();
        self.solver.run(chunks, |_, &(side, start)| {
            let found = self.finish_chunk(&self.sides[side], start);
            counts[side].lock().unwrap_or_else(PoisonError::into_inner).merge(&found);
            Ok(())
        })?;
        let tables = self.solver.tables;
        // A move that leaves the slice is followed by the longest game of another slice.
        let needed = self.slice.leads_to(tables.rules().spec());
        let materials = needed.iter().flat_map(|slice| slice.materials());
        let longest = materials.filter_map(|material| tables.counts(material)).map(|counts| counts.longest_game).max();
        let longest_game = u8::try_from(rounds + 1 + usize::from(longest.unwrap_or(0))).unwrap_or(u8::MAX);
        let results = self.sides.into_iter().zip(counts).map(|(states, counts)| {
            let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
            // Without distances, the time on the main road is unknown.
            let longest_on_main_road = if may_be_limited(tables, &states.index) { u8::MAX } else { 0 };
            let counts = Counts { longest_game, longest_on_main_road, ..counts };
            let (index, values) = states.into_values();
            MaterialResults { index, values, counts }
        });
        Ok(SliceResults { slice: self.slice, tables: results.collect() })
    }

    /// Replaces the states of a chunk by the values that are stored in a file, and counts them.
    fn finish_chunk(&self, side: &ResultStates<W>, start: usize) -> Counts {
        let rules = self.solver.tables.rules();
        let mut counts = Counts::default();
        let mut cursor = Cursor::new(&side.index);
        let mut undecided = 0;
        side.replace(start, CHUNK, |number, state| {
            undecided += u64::from(!state.is_decided());
            let Some(pieces) = cursor.pieces(number as u64) else { return ARBITRARY };
            let result = state.result();
            let can_capture = rules.has_capture(&pieces, Color::White);
            counts.add(number as u64, result.into(), can_capture);
            if can_capture && self.compulsory { ARBITRARY } else { result as u8 }
        });
        self.solver.done.fetch_add(undecided, Relaxed);
        counts
    }
}
