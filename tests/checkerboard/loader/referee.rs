//! The game in CheckerBoard's formats: the board as numbers, the square numbers, and the history that CheckerBoard
//! sends to engines.
//!
//! Squares are converted with the formulas in CheckerBoard's header, and moves are checked with the reference
//! generator, so that nothing depends on the library.

use super::library::{Board, RawMove};
use soffio::board::Square;
use soffio::notation::{bitboard_move, printed_moves};
use soffio::position::paths::{Sequence, after};
use soffio::position::{Piece, Setup};
use soffio::{Color, Game, Status, Variant};
use std::ffi::c_int;

pub struct Referee {
    game: Game,
    /// The position after the last irreversible move, and the moves since then in CheckerBoard's notation.
    line: (String, Vec<String>),
}

/// Returns the column and the row of a square number, calculated with the formulas in the header.
fn place(variant: Variant, number: c_int) -> (usize, usize) {
    let index = number - 1;
    let (x, y) = match variant {
        Variant::Italian => (2 * (index % 4), index / 4),
        Variant::Spanish => (2 * (3 - index % 4), 7 - index / 4),
        _ => (2 * (3 - index % 4), index / 4),
    };
    ((x + y % 2) as usize, y as usize)
}

/// Returns CheckerBoard's number of `square`. On mirrored boards, CheckerBoard's columns are numbered as displayed; on
/// other boards, they are numbered in the opposite direction.
pub fn number(variant: Variant, square: Square) -> c_int {
    let shape = variant.spec().shape;
    let (row, column) = (usize::from(shape.row(square)), usize::from(shape.column(square)));
    let is_mirrored = matches!(variant, Variant::Italian | Variant::Spanish);
    let x = if is_mirrored { column } else { 7 - column };
    (1..=32).find(|&number| place(variant, number) == (x, row)).expect("every square has a number")
}

const fn piece_number(piece: Piece) -> c_int {
    (match piece.color {
        Color::White => 1,
        Color::Black => 2,
    }) + if piece.king { 8 } else { 4 }
}

impl Referee {
    pub fn new(variant: Variant) -> Self {
        let mut referee = Self { game: Game::new(variant), line: Default::default() };
        referee.line.0 = referee.fen();
        referee
    }

    fn variant(&self) -> Variant {
        self.game.variant()
    }

    pub fn setup(&self) -> Setup {
        self.game.setup()
    }

    pub fn status(&self) -> Status {
        self.game.status()
    }

    pub fn plies(&self) -> usize {
        self.game.ply()
    }

    pub fn color(&self) -> c_int {
        if self.game.side() == Color::White { 1 } else { 2 }
    }

    pub fn board(&self) -> Board {
        board(self.variant(), &self.game.setup())
    }

    /// Formats the position as a FEN in CheckerBoard's style.
    pub fn fen(&self) -> String {
        let setup = self.game.setup();
        let list = |color: Color| {
            let own = setup.pieces.iter().filter(|(_, piece)| piece.color == color);
            let text = own.map(|(&square, piece)| {
                format!("{}{}", if piece.king { "K" } else { "" }, number(self.variant(), square))
            });
            text.collect::<Vec<_>>().join(",")
        };
        let side = if setup.side == Color::White { 'W' } else { 'B' };
        format!("{side}:W{}:B{}", list(Color::White), list(Color::Black))
    }

    /// Returns the game history in the form that CheckerBoard sends before it requests a move.
    pub fn history(&self) -> String {
        let (start, moves) = &self.line;
        [start.clone()].into_iter().chain(moves.iter().cloned()).collect::<Vec<_>>().join(" ")
    }

    pub fn moves(&self) -> Vec<Sequence> {
        printed_moves(self.variant().spec(), &self.game.setup())
    }

    /// Returns the numbers of the first and last square of a move.
    pub fn ends(&self, sequence: &Sequence) -> (c_int, c_int) {
        (number(self.variant(), sequence.from), number(self.variant(), sequence.to()))
    }

    /// Returns whether `raw` describes the move `sequence`, including every captured piece and the piece after it.
    pub fn is_move(&self, raw: &RawMove, sequence: &Sequence) -> bool {
        let setup = self.game.setup();
        let next = after(self.variant().spec(), &setup, sequence);
        let at = |square: &Square| {
            let (x, y) = place(self.variant(), number(self.variant(), *square));
            [x as c_int, y as c_int]
        };
        let piece = |setup: &Setup, square: &Square| setup.pieces.get(square).map(|&piece| piece_number(piece));
        let head = [sequence.captured.len() as c_int, raw[1], raw[2]];
        let is_head = raw[..3] == head
            && Some(raw[1]) == piece(&next, &sequence.to())
            && Some(raw[2]) == piece(&setup, &sequence.from)
            && raw[3..5] == at(&sequence.from)
            && raw[5..7] == at(&sequence.to());
        let mut captures: Vec<_> = (0..sequence.captured.len())
            .map(|index| ([raw[31 + 2 * index], raw[32 + 2 * index]], Some(raw[55 + index])))
            .collect();
        let mut expected: Vec<_> = sequence.captured.iter().map(|square| (at(square), piece(&setup, square))).collect();
        captures.sort();
        expected.sort();
        let is_path = sequence.captured.is_empty() || {
            let last = 7 + 2 * sequence.captured.len();
            raw[last..last + 2] == at(&sequence.to())
        };
        is_head && captures == expected && is_path
    }

    pub fn board_after(&self, sequence: &Sequence) -> Board {
        board(self.variant(), &after(self.variant().spec(), &self.game.setup(), sequence))
    }

    pub fn play(&mut self, sequence: &Sequence) {
        let (from, to) = self.ends(sequence);
        let is_reversible = sequence.by_king && sequence.captured.is_empty();
        assert!(self.game.play(bitboard_move(sequence)), "both generators agree");
        if is_reversible {
            self.line.1.push(format!("{from}-{to}"));
        } else {
            self.line = (self.fen(), Vec::new());
        }
    }
}

fn board(variant: Variant, setup: &Setup) -> Board {
    let mut board = Board::default();
    for (&square, &piece) in &setup.pieces {
        let (x, y) = place(variant, number(variant, square));
        board[x][y] = piece_number(piece);
    }
    board
}
