//! Initialises the positions of a slice.

use super::bit_matrix::BITS;
use super::{Area, Decisive, QuietMoves, ResultSolver, SideMatrix, Tile};
use crate::position::Pieces;
use crate::rules::{Color, Word};
use crate::tables::board::each_quiet_move;
use crate::tables::probe::{MoveProber, TableAnswer};
use crate::tables::wld::Wld;
use crate::tables::{SolveError, TableValue};
use std::ops::ControlFlow;

/// What is known about a position before the first round.
enum KnownStart {
    /// The result is known, because the position has a compulsory capture, a move to another slice that wins, or no
    /// move inside the slice.
    Decided(Wld),
    /// A move to another slice draws.
    Safe,
    /// All moves to other slices lose, if there are any.
    Open,
}

impl<W: Word> ResultSolver<'_, W> {
    pub(super) fn begin(&self, tools: &mut MoveProber<'_, W>, number: usize, area: Area) -> Result<(), SolveError> {
        let side = &self.sides[number];
        let count = side.words(area);
        let (mut won, mut lost) = (Tile::new(count), Tile::new(count));
        for (row, bit) in area.rows().take_while(|&row| row < side.own.len()).zip(0..) {
            let exit = side.exits.binary_search(&row).ok();
            for word in 0..count {
                (won.0[word][bit], lost.0[word][bit]) =
                    self.begin_word(tools, side, (row, exit), area.first_word + word)?;
            }
        }
        self.store(won, number, area, Decisive::Win);
        self.store(lost, number, area, Decisive::Loss);
        Ok(())
    }

    /// Initialises the positions of a word. `exit` is the index of the row among the rows with moves to other slices.
    /// Returns the won positions and the lost positions.
    fn begin_word(
        &self,
        tools: &mut MoveProber<'_, W>,
        side: &SideMatrix<W>,
        (row, exit): (usize, Option<usize>),
        word: usize,
    ) -> Result<(u64, u64), SolveError> {
        let white = side.own.own(row);
        let [mut won, mut lost, mut open, mut safe] = [0; 4];
        for (column, bit) in (word * BITS..side.other.len().min((word + 1) * BITS)).zip(0..) {
            let black = side.other.flipped(column);
            if !(white.all() & black.all()).is_empty() {
                continue;
            }
            let pieces = Pieces { white: white.all(), black: black.all(), kings: white.kings | black.kings };
            let bit = 1 << bit;
            match self.start(tools, &pieces, exit.is_some())? {
                KnownStart::Decided(Wld::Win) => won |= bit,
                KnownStart::Decided(Wld::Loss) => lost |= bit,
                KnownStart::Decided(Wld::Draw) => {}
                KnownStart::Open => open |= bit,
                KnownStart::Safe => (open, safe) = (open | bit, safe | bit),
            }
        }
        side.open.add(row, word, open);
        if let Some(exit) = exit.filter(|_| self.moves == QuietMoves::All) {
            side.safe.add(exit, word, safe);
        }
        Ok((won, lost))
    }

    fn start(
        &self,
        tools: &mut MoveProber<'_, W>,
        pieces: &Pieces<W>,
        has_exit: bool,
    ) -> Result<KnownStart, SolveError> {
        let board = &*self.solver.tables.board;
        let missing = || SolveError::Missing(self.slice);
        let can_capture = board.rules.has_capture(pieces, Color::White);
        if can_capture && board.rules.compulsory() {
            return tools.prober.best_capture(pieces, 0).map(KnownStart::Decided).ok_or_else(missing);
        }
        let objective = board.rules.spec().objective;
        let mut best: Option<Wld> = None;
        if has_exit {
            let MoveProber { prober, moves } = tools;
            board.rules.fill_moves(pieces, Color::White, can_capture, moves);
            for mv in moves.iter() {
                let is_man = pieces.men(Color::White).contains(mv.from);
                if mv.is_capture() || (is_man && board.rules.far_row(Color::White).contains(mv.to)) {
                    let after = board.after(pieces, *mv);
                    let answer: Wld = prober.answer_of(&after, 0).and_then(TableAnswer::before).ok_or_else(missing)?;
                    best = Some(best.map_or(answer, |best| best.or_better(answer, objective)));
                }
            }
        }
        let stays = || each_quiet_move(board, pieces, |_| ControlFlow::Break(())).is_break();
        Ok(match best {
            Some(Wld::Win) => KnownStart::Decided(Wld::Win),
            Some(Wld::Draw) => KnownStart::Safe,
            _ if stays() => KnownStart::Open,
            Some(Wld::Loss) => KnownStart::Decided(Wld::Loss),
            None => KnownStart::Decided(Wld::from_value(TableValue::END, objective)),
        })
    }
}
