//! The rules of a draughts variant, as data.

use crate::board::{Color, Corner, Direction, Lines, Number, Shape, Square, SquareName};

impl Color {
    /// Returns whether `direction` leads pieces of this side back towards their home row.
    #[inline(always)]
    pub const fn is_backward(self, direction: Direction) -> bool {
        match self {
            Self::White => direction.rows() > 0,
            Self::Black => direction.rows() < 0,
        }
    }
}

/// When a man that reaches the far row during a capture is crowned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// The man is crowned at once and its move ends there.
    EndsMove,
    /// The man is crowned only if its move ends on the far row. Otherwise it continues as a man.
    AtRest,
    /// The man is crowned at once and continues capturing as a king.
    Passing,
}

/// Where a flying king may land beyond a captured piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// On any empty square of the line.
    Anywhere,
    /// Only on the square directly behind the captured piece.
    Behind,
    /// On any empty square of the line, but if the last captured piece is a king, only on the square directly behind
    /// it.
    BehindLastKing,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// After the move. Until then they block the line and cannot be captured again.
    AtEnd,
    /// Immediately, so that lines can open during the move.
    AtOnce,
}

/// How a game is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// A side wins when its opponent has no legal move.
    Normal,
    /// A side wins when it has no legal move.
    Losing,
    /// A side wins when it gets the first king or its opponent has no legal move.
    FirstKing,
}

/// Which of several captures must be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// Any capture may be chosen, but it must be completed.
    Free,
    /// A capture of the most pieces. Kings and men count the same.
    MostPieces,
    /// A capture of the most pieces and, among these captures, of the most kings.
    MostPiecesMostKings,
    /// A capture with a king if there is one, otherwise any capture.
    KingFirst,
    /// A capture with the greatest value and, among these captures, one by a king. The value of n kings is less than
    /// the value of 2n men but greater than the value of 2n - 1 men.
    Value,
    /// A capture of the most pieces; among these captures, one by a king; among these, one of the most kings. If
    /// several captures remain, the one that captures a king earliest takes precedence.
    Italian,
}

/// With these values, n kings are worth less than 2n men and more than 2n - 1 men if there are fewer than a thousand
/// pieces.
const MAN_VALUE: u32 = 1000;
const KING_VALUE: u32 = 1999;

impl Precedence {
    /// Returns the rank of a capture before any piece is captured. Among all captures, one with the highest final rank
    /// must be played.
    #[inline(always)]
    pub const fn start(self, by_king: bool) -> u32 {
        match self {
            Self::Free | Self::MostPieces | Self::MostPiecesMostKings => 0,
            Self::KingFirst | Self::Value => by_king as u32,
            Self::Italian => (by_king as u32) << 20,
        }
    }

    /// Returns the rank of a capture after another piece has been captured. `index` is the position of this piece in
    /// the order of capture, counted from 0.
    #[inline(always)]
    pub const fn add(self, rank: u32, index: u32, king_taken: bool) -> u32 {
        match self {
            Self::Free | Self::KingFirst => rank,
            Self::MostPieces => rank + 1,
            Self::MostPiecesMostKings => rank + (1 << 8) + king_taken as u32,
            Self::Value => rank + 2 * if king_taken { KING_VALUE } else { MAN_VALUE },
            // The rank has four fields, from the most to the least significant: the number of captured pieces, whether
            // a king captures, the number of captured kings, and the steps that captured a king (earlier steps have
            // higher bits).
            Self::Italian => {
                let king = king_taken as u32;
                rank + (1 << 21) + (king << 16) + ((king << 15) >> index)
            }
        }
    }
}

/// The pieces of the strong side in an ending against a single piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrongSide {
    /// Kings only, against a lone king.
    Kings,
    /// At least one king, against a lone king.
    WithKing,
    /// Any pieces, against one piece of any kind.
    Pieces,
}

/// An ending against a single piece that is drawn if it is not won within a given number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The pieces of the strong side.
    pub force: StrongSide,
    /// Minimum and maximum number of pieces of the strong side.
    pub pieces: (u8, u8),
    /// Number of plies after which the ending is drawn, counted from its start.
    pub plies: u8,
    /// Whether a capture restarts the count if the same ending remains on the board with fewer pieces.
    pub restarts: bool,
}

/// A limit for positions in which both sides have kings. The game is drawn if the material does not change for a given
/// number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingsLimit {
    /// Minimum and maximum total number of pieces on the board.
    pub pieces: (u8, u8),
    /// Number of plies since the last capture or promotion after which the game is drawn.
    pub plies: u8,
}

/// The rules that decide when a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// Number of occurrences of the same position, with the same side to move, at which the game is drawn.
    pub repetitions: u8,
    /// Number of consecutive plies without a capture or an advance of a man after which the game is drawn, or `None` if
    /// there is no limit. For example, 40 plies are 20 moves by each side.
    pub quiet_plies: Option<u16>,
    /// Endings that have their own limit. If several of them match the position, the first one applies.
    pub endings: &'static [Ending],
    /// An ending whose limit counts only while the lone king stands on the main road, which is the long diagonal from
    /// White's left or right corner. Other limits continue to count.
    pub main_road: Option<Ending>,
    /// Limits for endings with kings on both sides.
    pub kings_limits: &'static [KingsLimit],
}

impl Ending {
    const fn is_possible(&self, men: u8) -> bool {
        let (fewest, most) = self.pieces;
        // The counters use `u8::MAX` to mean that there is no limit.
        0 < fewest && fewest <= most && most <= men && 0 < self.plies && self.plies < u8::MAX
    }
}

impl DrawRules {
    /// A game is drawn only by the third occurrence of a position.
    pub const REPETITION: Self =
        Self { repetitions: 3, quiet_plies: None, endings: &[], main_road: None, kings_limits: &[] };

    /// Returns whether the rules set a limit for any ending.
    pub const fn limits_endings(&self) -> bool {
        !self.endings.is_empty() || self.main_road.is_some() || !self.kings_limits.is_empty()
    }
}

/// The rules of one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// The size of the board and its playing squares.
    pub shape: Shape,
    /// The side that moves first.
    pub starts: Color,
    /// Number of rows of men on each side at the start.
    pub men_rows: u8,
    /// Number of empty rows behind the men on each side at the start.
    pub empty_rows: u8,
    /// Lines along which pieces move.
    pub moves: Lines,
    /// Lines along which pieces capture.
    pub captures: Lines,
    /// Whether men also capture backwards.
    pub men_capture_backward: bool,
    /// Whether men may capture kings.
    pub men_capture_kings: bool,
    /// Whether kings move and capture over any distance. Otherwise they move one step at a time.
    pub flying_kings: bool,
    /// Where flying kings land after a capture.
    pub landing: Landing,
    /// When captured pieces leave the board.
    pub removal: Removal,
    /// Whether a capture may turn by 180 degrees. [`Removal::AtEnd`] makes such a turn impossible in any case.
    pub may_reverse: bool,
    /// When a man that reaches the far row during a capture is crowned.
    pub promotion: Promotion,
    /// Whether captures are compulsory.
    pub compulsory: bool,
    /// Which of several captures must be played.
    pub precedence: Precedence,
    /// Whether a man that captures a king is crowned at once, wherever it stands, and continues capturing as a king.
    pub regicide: bool,
    /// How the game is won.
    pub objective: Objective,
    /// Maximum number of consecutive quiet moves with the same king while its side has men, or `None` if there is no
    /// limit.
    pub king_moves: Option<u8>,
    /// When the game is drawn.
    pub draws: DrawRules,
    /// How players write squares and moves.
    pub notation: Notation,
}

/// How the players of a variant write squares and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// Whether squares are written as a letter and a digit instead of a number.
    pub algebraic: bool,
    /// The square that has the number 1.
    pub first: FirstSquare,
    /// The position of a1 and the directions of letters and digits.
    pub letters: Letters,
    /// The separator between the squares of a capture.
    pub capture: char,
    /// Whether moves are written in Hub notation, which lists the captured pieces instead of the landing squares.
    pub hub_moves: bool,
}

/// The square that has the number 1, from White's point of view. Numbers run along the rows to the opposite end of the
/// board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstSquare {
    /// The top left square.
    TopLeft,
    /// The bottom right square.
    BottomRight,
}

/// The position of a1 and the directions of letters and digits, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// The square a1 is at the bottom left. Letters run to the right and digits run upwards, as in chess.
    Upright,
    /// The square a1 is at the top left. Letters run downwards and digits run to the right, as on a chess board that is
    /// rotated by 90 degrees.
    Turned,
}

impl Notation {
    /// Squares are written as numbers counted from the top left, and captures with `x`.
    pub const NUMERIC: Self = Self {
        algebraic: false,
        first: FirstSquare::TopLeft,
        letters: Letters::Upright,
        capture: 'x',
        hub_moves: false,
    };
    /// Squares are written as a letter and a digit, and captures with `x`.
    pub const ALGEBRAIC: Self = Self { algebraic: true, ..Self::NUMERIC };
}

impl RuleSet {
    /// Returns whether an evaluation for these rules is also valid for `other`. The rule sets may differ only in their
    /// draw rules, first mover and notation, and one board may be the mirror image of the other.
    pub(crate) fn shares_weights_with(&self, other: &Self) -> bool {
        let seen = |spec: &Self| Self {
            shape: if spec.shape.is_full() { spec.shape } else { Shape { corner: Corner::Left, ..spec.shape } },
            starts: Color::White,
            draws: DrawRules::REPETITION,
            notation: Notation::NUMERIC,
            ..*spec
        };
        seen(self) == seen(other)
    }

    /// The base of all rule sets: an 8x8 board, men that capture only forwards, kings that move one step at a time, a
    /// free choice of captures, and draws only by repetition.
    pub const PLAIN: Self = Self {
        shape: Shape::BOARD8,
        starts: Color::White,
        men_rows: 3,
        empty_rows: 0,
        moves: Lines::Diagonal,
        captures: Lines::Diagonal,
        men_capture_backward: false,
        men_capture_kings: true,
        flying_kings: false,
        landing: Landing::Anywhere,
        removal: Removal::AtEnd,
        may_reverse: false,
        promotion: Promotion::EndsMove,
        compulsory: true,
        precedence: Precedence::Free,
        regicide: false,
        objective: Objective::Normal,
        king_moves: None,
        draws: DrawRules::REPETITION,
        notation: Notation::NUMERIC,
    };

    /// Returns the number of men per side at the start, which is also the maximum number of pieces per side.
    pub const fn men(&self) -> u8 {
        self.men_rows * self.shape.row_length()
    }

    /// Returns whether men of `color` can move in `direction`.
    #[inline(always)]
    pub const fn man_moves(&self, color: Color, direction: Direction) -> bool {
        self.moves.contains(direction) && !color.is_backward(direction)
    }

    /// Returns whether men of `color` can capture in `direction`.
    #[inline(always)]
    pub const fn man_captures(&self, color: Color, direction: Direction) -> bool {
        self.captures.contains(direction) && (self.men_capture_backward || !color.is_backward(direction))
    }

    /// Returns the number of `square` in this variant's notation.
    pub const fn number(&self, square: Square) -> Number {
        self.counted_from_first(self.shape.number(square))
    }

    /// Returns the square that has this `number` in the variant's notation, or `None` if the board has fewer squares.
    pub const fn numbered(&self, number: Number) -> Option<Square> {
        if number.get() > self.shape.squares() {
            return None;
        }
        self.shape.numbered(self.counted_from_first(number))
    }

    const fn counted_from_first(&self, number: Number) -> Number {
        match self.notation.first {
            FirstSquare::TopLeft => number,
            FirstSquare::BottomRight => match Number::new(self.shape.squares() + 1 - number.get()) {
                Some(number) => number,
                None => unreachable!(),
            },
        }
    }

    /// Returns the name of `square` as the players of this variant write it.
    pub const fn square_name(&self, square: Square) -> SquareName {
        if self.notation.algebraic {
            let (file, rank) = self.file_and_rank(self.shape.column(square), self.shape.row(square));
            SquareName::Algebraic { file: (b'a' + file) as char, rank: rank + 1 }
        } else {
            SquareName::Number(self.number(square))
        }
    }

    /// Converts a column and a row of the board to a file and a rank. All of them are counted from 0.
    pub const fn file_and_rank(&self, column: u8, row: u8) -> (u8, u8) {
        match self.notation.letters {
            Letters::Upright => (column, self.shape.height - 1 - row),
            Letters::Turned => (row, column),
        }
    }

    /// Converts a file and a rank to a column and a row of the board, or returns `None` if they are outside the board.
    pub const fn column_and_row(&self, file: u8, rank: u8) -> Option<(u8, u8)> {
        let Shape { width, height, .. } = self.shape;
        match self.notation.letters {
            Letters::Upright if file < width && rank < height => Some((file, height - 1 - rank)),
            Letters::Turned if file < height && rank < width => Some((rank, file)),
            _ => None,
        }
    }

    /// Returns whether a man can be crowned during a capture and continue as a king.
    #[inline(always)]
    pub const fn crowns_in_passing(&self) -> bool {
        self.regicide || matches!(self.promotion, Promotion::Passing)
    }

    /// Returns the row on which men of `color` are crowned, counted from 0 at the top.
    pub const fn far_row(&self, color: Color) -> u8 {
        match color {
            Color::White => 0,
            Color::Black => self.shape.height - 1,
        }
    }

    /// Returns a description of the first contradiction in these rules, or `None` if there is no contradiction.
    pub const fn contradiction(&self) -> Option<&'static str> {
        let (shape, draws) = (self.shape, self.draws);
        if !shape.width.is_multiple_of(2) || !shape.height.is_multiple_of(2) {
            return Some("a board must have even numbers of rows and columns");
        }
        if self.men_rows == 0 || 2 * (self.men_rows + self.empty_rows) > shape.height {
            return Some("the men of both sides do not fit on the board");
        }
        if !self.flying_kings && !matches!(self.landing, Landing::Anywhere) {
            return Some("only flying kings have a choice of landing square");
        }
        if self.may_reverse && matches!(self.removal, Removal::AtEnd) {
            return Some("a capture can turn back only if captured pieces are removed at once");
        }
        if matches!(self.promotion, Promotion::Passing) && !self.flying_kings {
            return Some("promotion in passing requires flying kings");
        }
        if self.regicide && (self.flying_kings || !self.men_capture_kings) {
            return Some("regicide requires short-range kings and men that capture kings");
        }
        if !self.compulsory && !matches!(self.precedence, Precedence::Free) {
            return Some("a capture precedence requires compulsory captures");
        }
        if matches!(self.precedence, Precedence::Italian) && self.men() > 15 {
            return Some("Italian precedence supports at most 15 men per side");
        }
        if matches!(self.king_moves, Some(0)) {
            return Some("the limit on king moves must be at least 1");
        }
        if draws.repetitions < 2 {
            return Some("a draw by repetition requires at least two occurrences");
        }
        if matches!(draws.quiet_plies, Some(0)) {
            return Some("the limit on quiet plies must be at least 1");
        }
        if let Some(road) = draws.main_road {
            if shape.width != shape.height || matches!(shape.corner, Corner::Both) {
                return Some("a main-road rule requires a square board with playing squares of one colour");
            }
            if matches!(road.force, StrongSide::Pieces) || !road.is_possible(self.men()) {
                return Some("the main-road rule describes an impossible ending");
            }
        }
        let mut index = 0;
        while index < draws.endings.len() {
            if !draws.endings[index].is_possible(self.men()) {
                return Some("a draw limit describes an impossible ending");
            }
            index += 1;
        }
        let mut index = 0;
        while index < draws.kings_limits.len() {
            let KingsLimit { pieces: (fewest, most), plies } = draws.kings_limits[index];
            if fewest < 2 || fewest > most || plies == 0 || plies == u8::MAX {
                return Some("a limit for kings on both sides is impossible");
            }
            index += 1;
        }
        None
    }

    /// Returns the mask of the squares on which the men of `color` start.
    pub const fn start_mask(&self, color: Color) -> u128 {
        let mut mask = 0;
        let mut row = 0;
        while row < self.men_rows {
            let distance = self.empty_rows + row;
            mask |= match color {
                Color::White => self.shape.row_mask(self.shape.height - 1 - distance),
                Color::Black => self.shape.row_mask(distance),
            };
            row += 1;
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictory_rules_are_detected() {
        use crate::rules::Variant;
        let [good, english, italian, turkish] =
            [Variant::International, Variant::English, Variant::Italian, Variant::Turkish]
                .map(|variant| *variant.spec());
        assert_eq!(good.contradiction(), None);
        const NO_ENDING: Ending = Ending { force: StrongSide::Kings, pieces: (3, 1), plies: 10, restarts: false };
        let road = Ending { force: StrongSide::Kings, pieces: (3, 3), plies: 10, restarts: false };
        for bad in [
            RuleSet { men_rows: 6, ..good },
            RuleSet { men_rows: 0, ..good },
            RuleSet { empty_rows: 2, ..good },
            RuleSet { may_reverse: true, ..good },
            RuleSet { precedence: Precedence::Italian, ..good },
            RuleSet { king_moves: Some(0), ..good },
            RuleSet { landing: Landing::Behind, ..english },
            RuleSet { promotion: Promotion::Passing, ..italian },
            RuleSet { regicide: true, ..italian },
            RuleSet { regicide: true, ..good },
            RuleSet { compulsory: false, ..good },
            RuleSet { draws: DrawRules { repetitions: 0, ..good.draws }, ..good },
            RuleSet { draws: DrawRules { quiet_plies: Some(0), ..good.draws }, ..good },
            RuleSet { draws: DrawRules { main_road: Some(road), ..good.draws }, ..turkish },
            RuleSet { draws: DrawRules { endings: &[NO_ENDING], ..good.draws }, ..good },
            RuleSet {
                draws: DrawRules { kings_limits: &[KingsLimit { pieces: (4, 5), plies: 0 }], ..good.draws },
                ..good
            },
        ] {
            assert!(bad.contradiction().is_some(), "{bad:?}");
        }
    }

    #[test]
    fn the_italian_rank_orders_pieces_king_kings_and_earliest_king() {
        let rank = |by_king, captured: &[bool]| {
            (0..).zip(captured).fold(Precedence::Italian.start(by_king), |rank, (index, &king)| {
                Precedence::Italian.add(rank, index, king)
            })
        };
        let max_pieces = rank(false, &[false; 12]);
        let by_king = rank(true, &[false; 11]);
        let max_kings = rank(true, &[false, true, true]);
        let early_king = rank(true, &[true, false, false]);
        let later_king = rank(true, &[false, true, false]);
        assert!(max_pieces > by_king && by_king > max_kings);
        assert!(max_kings > early_king && early_king > later_king);
        assert!(rank(true, &[false, false]) > rank(false, &[false, false]));
        assert!(rank(true, &[true, true, false, false]) > rank(true, &[true, false, true, false]));
        assert!(rank(true, &[true; 12]) > rank(true, &[true; 11]));
    }
}
