//! Enters a move square by square.

use crate::play::{LegalMove, PlayRecord};
use crate::screen::theme::SquareMark;
use soffio::board::Square;
use soffio::notation::{IllegalMove, MoveRecord};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SquareChoice {
    Complete(MoveRecord),
    Changed,
    Refused(IllegalMove),
    /// An illegal move, which the game will refuse with the reason.
    Attempt(MoveRecord),
}

/// The chosen squares: the piece first, then squares where it lands.
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
        let ends: Vec<&LegalMove> = self.ways(record).filter(|way| self.leads_to(way, square, Reach::End)).collect();
        let passes = self.ways(record).any(|way| self.leads_to(way, square, Reach::OnTheWay));
        let is_repeated = self.chosen.len() > 1 && self.chosen.last() == Some(&square);
        match ends.as_slice() {
            [way] if !passes || is_repeated => return SquareChoice::Complete(way.record.clone()),
            [_, ..] if !passes => {
                return SquareChoice::Refused(IllegalMove::Ambiguous(
                    ends.iter().map(|way| way.text.clone()).collect(),
                ));
            }
            _ => {}
        }
        if passes {
            self.chosen.push(square);
        } else if square == from {
            self.clear();
        } else if record.legal().iter().any(|way| way.from == square) {
            self.chosen = vec![square];
        } else {
            let names = |square| record.spec().square_name(square);
            let path = self.chosen.iter().skip(1).chain([&square]).map(|&square| names(square)).collect();
            return SquareChoice::Attempt(MoveRecord { from: names(from), path, capture: false });
        }
        SquareChoice::Changed
    }

    fn choose_piece(&mut self, record: &PlayRecord, square: Square) -> SquareChoice {
        if record.legal().iter().any(|way| way.from == square) {
            self.chosen = vec![square];
            return SquareChoice::Changed;
        }
        let grid = record.grid(false);
        let piece = grid.place(square).and_then(|(row, column)| grid.cell(row, column)?.piece);
        let is_own = piece.is_some_and(|piece| piece.color == record.side());
        SquareChoice::Refused(if is_own {
            record.why_stuck(square)
        } else {
            IllegalMove::NoPiece(record.spec().square_name(square))
        })
    }

    fn ways<'a>(&'a self, record: &'a PlayRecord) -> impl Iterator<Item = &'a LegalMove> {
        let (from, way) = self.chosen.split_first().map_or((None, &[][..]), |(from, way)| (Some(*from), way));
        record.legal().iter().filter(move |legal| Some(legal.from) == from && rest(&legal.landings, way).is_some())
    }

    /// Returns true if `way` leads from the chosen squares to `square`, as its end or on the way there.
    fn leads_to(&self, way: &LegalMove, square: Square, place: Reach) -> bool {
        let chosen = self.chosen.get(1..).unwrap_or_default();
        let Some(rest) = rest(&way.landings, chosen) else { return false };
        // Another move may end on the last chosen square.
        let ends_here = rest.is_empty() && chosen.last() == Some(&square);
        match (place, rest.split_last()) {
            (Reach::End, last) => ends_here || last.is_some_and(|(&last, _)| last == square),
            (Reach::OnTheWay, last) => last.is_some_and(|(_, before)| before.contains(&square)),
        }
    }

    pub(super) fn mark(&self, record: &PlayRecord, square: Square) -> SquareMark {
        let leads = |place| self.ways(record).any(|way| self.leads_to(way, square, place));
        if self.chosen.is_empty() {
            let is_movable = record.legal().iter().any(|way| way.from == square);
            if is_movable { SquareMark::Movable } else { SquareMark::Plain }
        } else if leads(Reach::End) {
            SquareMark::Target
        } else if self.chosen.contains(&square) {
            SquareMark::Chosen
        } else if leads(Reach::OnTheWay) {
            SquareMark::OnTheWay
        } else {
            SquareMark::Plain
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    OnTheWay,
    End,
}

/// Returns the landings after the squares of `chosen`, if `landings` contains these squares in this order.
fn rest<'a>(landings: &'a [Square], chosen: &[Square]) -> Option<&'a [Square]> {
    chosen.iter().try_fold(landings, |rest, square| {
        let at = rest.iter().position(|landing| landing == square)?;
        rest.get(at + 1..)
    })
}
