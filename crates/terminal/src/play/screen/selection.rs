//! Lets the user enter a move square by square.

use crate::play::{LegalMove, PlayRecord};
use crate::screen::theme::SquareMark;
use soffio::board::Square;
use soffio::notation::{IllegalMove, MoveRecord};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SquareChoice {
    Complete(MoveRecord),
    Changed,
    Rejected(IllegalMove),
    /// An illegal move. The game will reject it and give the reason.
    Attempt(MoveRecord),
}

/// The chosen squares: the square of the piece, followed by squares on which the piece lands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveSelection {
    chosen: Vec<Square>,
}

impl MoveSelection {
    pub(super) fn clear(&mut self) {
        self.chosen.clear();
    }

    pub(super) fn choose(&mut self, record: &PlayRecord, square: Square) -> SquareChoice {
        let Some(&from) = self.chosen.first() else { return self.choose_piece(record, square) };
        let ends = self.continuations(record).filter(|(_, rest)| self.ends_at(rest, square));
        let ends: Vec<_> = ends.map(|(mv, _)| mv).collect();
        let passes = self.continuations(record).any(|(_, rest)| passes(rest, square));
        let is_repeated = self.chosen.len() > 1 && self.chosen.last() == Some(&square);
        match ends.as_slice() {
            [mv] if !passes || is_repeated => return SquareChoice::Complete(mv.record.clone()),
            [_, ..] if !passes => {
                return SquareChoice::Rejected(IllegalMove::Ambiguous(ends.iter().map(|mv| mv.text.clone()).collect()));
            }
            _ => {}
        }
        if passes {
            self.chosen.push(square);
        } else if square == from {
            self.clear();
        } else if record.legal().iter().any(|mv| mv.from == square) {
            self.chosen = vec![square];
        } else {
            let names = |square| record.spec().square_name(square);
            let path = self.chosen.iter().skip(1).chain([&square]).map(|&square| names(square)).collect();
            return SquareChoice::Attempt(MoveRecord { from: names(from), path, capture: false });
        }
        SquareChoice::Changed
    }

    fn choose_piece(&mut self, record: &PlayRecord, square: Square) -> SquareChoice {
        if record.legal().iter().any(|mv| mv.from == square) {
            self.chosen = vec![square];
            return SquareChoice::Changed;
        }
        let grid = record.grid(false);
        let piece = grid.place(square).and_then(|(row, column)| grid.cell(row, column)?.piece);
        let is_own = piece.is_some_and(|piece| piece.color == record.side());
        SquareChoice::Rejected(if is_own {
            record.explain_immobile(square)
        } else {
            IllegalMove::NoPiece(record.spec().square_name(square))
        })
    }

    /// Returns the legal moves that visit the chosen squares, each with its landing squares after the last chosen
    /// square.
    fn continuations<'a>(&'a self, record: &'a PlayRecord) -> impl Iterator<Item = (&'a LegalMove, &'a [Square])> {
        let legal = record.legal().iter().filter(|mv| self.chosen.first() == Some(&mv.from));
        legal.filter_map(|mv| Some((mv, rest(&mv.landings, self.landings())?)))
    }

    fn landings(&self) -> &[Square] {
        self.chosen.get(1..).unwrap_or_default()
    }

    /// Returns true if a move ends at `square`. `rest` contains the landing squares of the move after the last chosen
    /// square. If `rest` is empty, the move ends at the last chosen square.
    fn ends_at(&self, rest: &[Square], square: Square) -> bool {
        rest.last().or(self.landings().last()) == Some(&square)
    }

    pub(super) fn mark(&self, record: &PlayRecord, square: Square) -> SquareMark {
        if self.chosen.is_empty() {
            let is_movable = record.legal().iter().any(|mv| mv.from == square);
            if is_movable { SquareMark::Movable } else { SquareMark::Plain }
        } else if self.continuations(record).any(|(_, rest)| self.ends_at(rest, square)) {
            SquareMark::Target
        } else if self.chosen.contains(&square) {
            SquareMark::Selected
        } else if self.continuations(record).any(|(_, rest)| passes(rest, square)) {
            SquareMark::OnTheWay
        } else {
            SquareMark::Plain
        }
    }
}

/// Returns true if a move lands on `square` before it ends. `rest` contains the landing squares of the move after the
/// last chosen square.
fn passes(rest: &[Square], square: Square) -> bool {
    rest.split_last().is_some_and(|(_, before)| before.contains(&square))
}

/// Returns the landing squares after `chosen`, or `None` if `landings` does not contain the chosen squares in this
/// order.
fn rest<'a>(landings: &'a [Square], chosen: &[Square]) -> Option<&'a [Square]> {
    chosen.iter().try_fold(landings, |rest, square| {
        let at = rest.iter().position(|landing| landing == square)?;
        rest.get(at + 1..)
    })
}
