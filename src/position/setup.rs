//! Positions that are described square by square and are not necessarily legal.

use crate::board::Square;
use crate::rules::{Color, RuleSet};
use std::collections::BTreeMap;

/// A man or king of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The side that owns the piece.
    pub color: Color,
    /// Whether the piece is a king.
    pub king: bool,
}

impl Piece {
    /// Returns the letter of the piece in diagrams: `w` or `b` for a man, `W` or `B` for a king.
    pub const fn letter(self) -> char {
        match (self.color, self.king) {
            (Color::White, false) => 'w',
            (Color::White, true) => 'W',
            (Color::Black, false) => 'b',
            (Color::Black, true) => 'B',
        }
    }
}

/// A position that is described square by square, with the side to move and the counters. It is not necessarily legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The side to move.
    pub side: Color,
    /// The pieces on the board and their squares.
    pub pieces: BTreeMap<Square, Piece>,
    /// Number of plies since the last capture or advance of a man. A sideways step by a man does not reset it.
    pub quiet_plies: u16,
    /// Number of the next move, counted from 1 as in a game record.
    pub move_number: u16,
    /// The king runs of White and Black. They must be `None` unless the rules limit king moves.
    pub king_runs: [Option<KingRun>; 2],
    /// How long endings with a move limit have lasted.
    pub ages: EndingAges,
}

/// How long endings with a move limit have lasted, in plies. If `ending` or `balance` is 0, the number of plies since
/// the last capture or advance of a man is used instead. Ages of endings that are not on the board have no effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndingAges {
    /// Age of an ending of several pieces against one. An age other than 0 must be at least the number of plies since
    /// the last capture or advance of a man.
    pub ending: u8,
    /// How long the lone king has stayed on the main road.
    pub road: u8,
    /// Age of an ending with kings on both sides, counted from the last capture or promotion. An age other than 0 must
    /// be at least the number of plies since the last capture or advance of a man.
    pub balance: u8,
}

/// A series of consecutive quiet moves by one king while its side has men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingRun {
    /// Current square of the king.
    pub square: Square,
    /// Number of consecutive moves (at least 1).
    pub moves: u8,
}

impl Setup {
    /// Returns the start position of `spec`.
    pub fn start(spec: &RuleSet) -> Self {
        let mut pieces = BTreeMap::new();
        for color in [Color::White, Color::Black] {
            for square in spec.shape.all_squares() {
                if spec.start_mask(color) >> square.index() & 1 == 1 {
                    pieces.insert(square, Piece { color, king: false });
                }
            }
        }
        Self::new(spec.starts, pieces)
    }

    /// Creates a position with all counters at 0 and the move number 1.
    pub fn new(side: Color, pieces: BTreeMap<Square, Piece>) -> Self {
        let ages = EndingAges::default();
        Self { side, pieces, quiet_plies: 0, move_number: 1, king_runs: [None; 2], ages }
    }

    /// Returns the square of the king that may not move because it has reached the limit on consecutive moves. Returns
    /// `None` if there is no such king.
    pub fn barred_king(&self, spec: &RuleSet) -> Option<Square> {
        let run = self.king_runs[self.side as usize]?;
        (run.moves >= spec.king_moves?).then_some(run.square)
    }

    /// Checks that this position can occur in a game under `spec`. There must be at least one piece, and neither side
    /// may have too many; no man may stand on its promotion row; king runs must be possible; and no ending may have
    /// begun after the last capture or advance of a man.
    pub fn check(&self, spec: &RuleSet) -> Result<(), SetupError> {
        let error = |text: String| Err(SetupError(text));
        if self.pieces.is_empty() {
            return error("there are no pieces on the board".to_owned());
        }
        for color in [Color::White, Color::Black] {
            let count = self.pieces.values().filter(|piece| piece.color == color).count();
            let most = spec.men();
            if count > usize::from(most) {
                return error(format!("too many pieces: {color} has {count}; at most {most} are possible"));
            }
        }
        for (square, piece) in spec.shape.all_squares().filter_map(|square| Some((square, self.pieces.get(&square)?))) {
            if !piece.king && spec.shape.row(square) == spec.far_row(piece.color) {
                let name = spec.square_name(square);
                return error(format!("a {} man on {name} stands on its promotion row", piece.color));
            }
        }
        for (color, run) in [Color::White, Color::Black].into_iter().zip(self.king_runs) {
            if let Some(run) = run
                && !self.can_have_run(spec, color, run)
            {
                let name = spec.square_name(run.square);
                return error(format!("impossible move count for the {color} king on {name}"));
            }
        }
        let quiet = self.quiet_plies;
        let is_too_young = |age: u8| age > 0 && u16::from(age) < quiet.min(u8::MAX.into());
        if let Some(age) = [self.ages.ending, self.ages.balance].into_iter().find(|&age| is_too_young(age)) {
            return error(format!(
                "ending age {age} is too low: expected 0 or at least {}, the number of plies since the last capture or \
                 advance of a man",
                quiet.min(u8::MAX.into())
            ));
        }
        Ok(())
    }

    fn can_have_run(&self, spec: &RuleSet, color: Color, run: KingRun) -> bool {
        let is_count = spec.king_moves.is_some_and(|most| (1..=most).contains(&run.moves));
        let is_king = self.pieces.get(&run.square) == Some(&Piece { color, king: true });
        is_count && is_king && self.has_man(color)
    }

    /// Returns whether `color` has a man. King runs are counted only for a side that has men.
    pub fn has_man(&self, color: Color) -> bool {
        self.pieces.values().any(|&piece| piece == Piece { color, king: false })
    }

    /// Draws the board as text, with White at the bottom and the square names on the right.
    pub fn draw(&self, spec: &RuleSet) -> String {
        self.draw_as_seen(spec, false, true)
    }

    /// Draws the board as text. Black is at the bottom if `flipped` is true, and the square names are drawn on the
    /// right if `numbers` is true.
    pub fn draw_as_seen(&self, spec: &RuleSet, flipped: bool, numbers: bool) -> String {
        let seen = |count: u8| (0..count).map(move |index| if flipped { count - 1 - index } else { index });
        let mut text = String::new();
        for row in seen(spec.shape.height) {
            let (mut line, mut names) = (String::new(), String::from("   "));
            for column in seen(spec.shape.width) {
                let square = spec.shape.square_at(row, column);
                let letter = |square| self.pieces.get(&square).map_or('.', |piece| piece.letter());
                line.extend([' ', square.map_or(' ', letter)]);
                let name = square.map(|square| spec.square_name(square).to_string());
                names.push_str(&format!("{:>3}", name.unwrap_or_default()));
            }
            if numbers {
                line.push_str(&names);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Why a position cannot occur in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(String);
