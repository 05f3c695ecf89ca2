//! A position as it is written down, square by square, which may be impossible.

use crate::board::{Square, SquareName};
use crate::rules::{Color, RuleSet};
use std::collections::BTreeMap;

/// A man or king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its side.
    pub color: Color,
    /// True if it is a king.
    pub king: bool,
}

impl Piece {
    /// The letter that stands for it where a board is written square by square.
    pub const fn letter(self) -> char {
        match (self.color, self.king) {
            (Color::White, false) => 'w',
            (Color::White, true) => 'W',
            (Color::Black, false) => 'b',
            (Color::Black, true) => 'B',
        }
    }
}

/// Pieces by square, side to move and counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The side to move.
    pub side: Color,
    /// The pieces by square.
    pub pieces: BTreeMap<Square, Piece>,
    /// Plies since the last capture or man's move.
    pub quiet_plies: u16,
    /// Number of the move to be played, counted from 1 as in a game record.
    pub move_number: u16,
    /// The king that White and Black moved last, where the rules limit its moves.
    pub king_runs: [Option<KingRun>; 2],
    /// How long the endings have lasted that have limits of their own.
    pub ages: EndingAges,
}

/// Plies that endings with a limit of their own have lasted, 0 for what the rest of the set-up says. Those of endings that
/// are not on the board mean nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndingAges {
    /// Of few pieces against one: at least the plies since the last capture or man's move, which is what 0 stands for.
    pub ending: u8,
    /// Of the stay of the lone king on the main road.
    pub road: u8,
    /// Of kings on both sides since the last capture or promotion: as for `ending`.
    pub balance: u8,
}

/// Quiet moves in a row that a side with men has made with the same king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingRun {
    /// Where the king is now.
    pub square: Square,
    /// Moves, at least 1.
    pub moves: u8,
}

impl Setup {
    /// The start position of `spec`.
    pub fn start(spec: &RuleSet) -> Self {
        let mut pieces = BTreeMap::new();
        for color in [Color::White, Color::Black] {
            for square in spec.shape.all_squares() {
                if spec.start_mask(color) >> square.index() & 1 == 1 {
                    pieces.insert(square, Piece { color, king: false });
                }
            }
        }
        Self::of(spec.starts, pieces)
    }

    /// The position with these pieces and this side to move, nothing counted yet.
    pub fn of(side: Color, pieces: BTreeMap<Square, Piece>) -> Self {
        let ages = EndingAges::default();
        Self { side, pieces, quiet_plies: 0, move_number: 1, king_runs: [None; 2], ages }
    }

    /// The king that the side to move may not move, because it has moved too often in a row.
    pub fn barred_king(&self, spec: &RuleSet) -> Option<Square> {
        let run = self.king_runs[self.side as usize]?;
        (run.moves >= spec.king_moves?).then_some(run.square)
    }

    /// Checks that this can be a position of a game by the rules `spec`.
    ///
    /// # Errors
    /// Says what makes it impossible: no piece at all, too many of one side, a man on its promotion row, a count of king
    /// moves that the rules do not count, or an ending that is younger than the last change of its pieces.
    pub fn check(&self, spec: &RuleSet) -> Result<(), SetupError> {
        if self.pieces.is_empty() {
            return Err(SetupError::NoPieces);
        }
        for color in [Color::White, Color::Black] {
            let count = self.pieces.values().filter(|piece| piece.color == color).count();
            if count > usize::from(spec.men()) {
                return Err(SetupError::TooMany { color, count, most: spec.men() });
            }
        }
        for (square, piece) in spec.shape.all_squares().filter_map(|square| Some((square, self.pieces.get(&square)?))) {
            if !piece.king && spec.shape.row(square) == spec.far_row(piece.color) {
                let color = piece.color;
                return Err(SetupError::ManOnPromotionRow { color, square: spec.square_name(square) });
            }
        }
        for (color, run) in [Color::White, Color::Black].into_iter().zip(self.king_runs) {
            if let Some(run) = run
                && !self.can_have_run(spec, color, run)
            {
                return Err(SetupError::KingRun { color, square: spec.square_name(run.square) });
            }
        }
        let is_too_young = |age: u8| age > 0 && u16::from(age) < self.quiet_plies.min(u8::MAX.into());
        if let Some(age) = [self.ages.ending, self.ages.balance].into_iter().find(|&age| is_too_young(age)) {
            return Err(SetupError::EndingAge { age, quiet_plies: self.quiet_plies });
        }
        Ok(())
    }

    /// Returns whether the rules count moves of a king for `color`, which has a man too, and can have come to `run`.
    fn can_have_run(&self, spec: &RuleSet, color: Color, run: KingRun) -> bool {
        let is_count = spec.king_moves.is_some_and(|most| (1..=most).contains(&run.moves));
        let is_king = self.pieces.get(&run.square) == Some(&Piece { color, king: true });
        is_count && is_king && self.has_man(color)
    }

    /// Returns whether `color` has a man: without one no moves of its kings are counted.
    pub fn has_man(&self, color: Color) -> bool {
        self.pieces.values().any(|&piece| piece == Piece { color, king: false })
    }

    /// The board drawn in text, White at the bottom, with the names of the squares beside it.
    pub fn draw(&self, spec: &RuleSet) -> String {
        self.draw_as_seen(spec, false, true)
    }

    /// The board drawn in text, `flipped` with Black at the bottom; with `numbers` the names of the squares stand beside it.
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

/// Why a set-up cannot be a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The board is empty.
    #[error("there is no piece on the board")]
    NoPieces,
    /// A side has more pieces than the game gives it.
    #[error("too many pieces: {color} has {count}, at most {most} are possible")]
    TooMany {
        /// The side.
        color: Color,
        /// Its pieces.
        count: usize,
        /// The most it can have.
        most: u8,
    },
    /// A count of king moves that no game can have.
    #[error("the count of moves of a {color} king on {square} is impossible")]
    KingRun {
        /// The side of the king.
        color: Color,
        /// The square that was given.
        square: SquareName,
    },
    /// An ending is said to have arisen after the last capture or man's move.
    #[error("an ending of {age} plies is younger than the {quiet_plies} plies without a capture or man's move")]
    EndingAge {
        /// Plies that it has lasted.
        age: u8,
        /// Plies since that move.
        quiet_plies: u16,
    },
    /// A man stands where it would have been crowned.
    #[error("a {color} man on {square} stands on its promotion row")]
    ManOnPromotionRow {
        /// The side of the man.
        color: Color,
        /// Where.
        square: SquareName,
    },
}
