//! The rules of a variant of draughts, as data.

use crate::board::{Corner, Direction, Lines, Number, Shape, Square, SquareName};
use crate::color::Color;

impl Color {
    /// The two diagonal directions that lead this side towards the other.
    pub const fn forward(self) -> [Direction; 2] {
        match self {
            Self::White => [Direction::UpLeft, Direction::UpRight],
            Self::Black => [Direction::DownLeft, Direction::DownRight],
        }
    }

    /// Returns whether a step in `direction` leads this side back towards its home row.
    #[inline(always)]
    pub const fn is_backward(self, direction: Direction) -> bool {
        match self {
            Self::White => direction.rows() > 0,
            Self::Black => direction.rows() < 0,
        }
    }
}

/// Where a man is crowned that reaches the far row in the middle of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// It is crowned and its move ends there.
    EndsMove,
    /// It goes on capturing as a man, and is crowned only if its move ends on the far row.
    AtRest,
    /// It is crowned at once and goes on capturing as a king.
    Passing,
}

/// Where a flying king may land beyond the piece it has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// On any empty square of the line.
    Anywhere,
    /// Only on the square right behind the piece.
    Behind,
    /// On any empty square, but right behind the piece if that is the last one of the capture and a king.
    BehindLastKing,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// After the move: until then they block the way and cannot be taken again.
    AtEnd,
    /// At once: lines open during the move.
    AtOnce,
}

/// The objective of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// A side wins when its opponent has no move.
    Normal,
    /// A side wins when it has no move.
    Losing,
    /// A side wins when it has the first king, or when its opponent has no move.
    FirstKing,
}

/// Which of several possible captures must be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// Any capture, but always to its end.
    Free,
    /// A capture of the greatest number of pieces; kings and men count the same.
    MostPieces,
    /// Most pieces; then most kings.
    MostPiecesMostKings,
    /// With a king rather than with a man; otherwise any.
    KingFirst,
    /// The greatest value, where a king is worth less than two men but any number of kings more than one man fewer
    /// than twice as many; then with a king.
    Value,
    /// Most pieces; then with a king rather than with a man; then most kings; then the sequence that meets a king
    /// earlier, compared king by king.
    Italian,
}

/// Values of captured pieces where they decide: with fewer than a thousand pieces, n kings are worth less than 2n men
/// and more than 2n - 1 men.
const MAN_VALUE: u32 = 1000;
const KING_VALUE: u32 = 1999;

impl Precedence {
    /// Rank of a capture that has not taken anything yet. The capture of the highest final rank must be played.
    #[inline(always)]
    pub const fn start(self, by_king: bool) -> u32 {
        match self {
            Self::Free | Self::MostPieces | Self::MostPiecesMostKings => 0,
            Self::KingFirst | Self::Value => by_king as u32,
            Self::Italian => (by_king as u32) << 20,
        }
    }

    /// Rank after one more piece, the one number `index` (from 0) of the sequence.
    #[inline(always)]
    pub const fn add(self, rank: u32, index: u32, king_taken: bool) -> u32 {
        match self {
            Self::Free | Self::KingFirst => rank,
            Self::MostPieces => rank + 1,
            Self::MostPiecesMostKings => rank + (1 << 8) + king_taken as u32,
            Self::Value => rank + 2 * if king_taken { KING_VALUE } else { MAN_VALUE },
            // Four fields, the most important on top: pieces, by king, kings taken, which of the steps took a king.
            Self::Italian => {
                let king = king_taken as u32;
                rank + (1 << 21) + (king << 16) + ((king << 15) >> index)
            }
        }
    }
}

/// The pieces that the strong side of an ending has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// Kings only, against a lone king.
    Kings,
    /// At least one king, against a lone king.
    WithKing,
    /// Pieces of any kind, against one piece of any kind.
    Pieces,
}

/// An ending of a few pieces against one that must be won within a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The pieces of the strong side.
    pub force: Force,
    /// Its fewest and most pieces.
    pub pieces: (u8, u8),
    /// Plies from the moment the ending arises to the draw.
    pub plies: u8,
    /// True if a capture that leaves the ending on the board, with fewer pieces, begins the count again.
    pub restarts: bool,
}

/// A limit for endings in which both sides have kings and the balance does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Fewest and most pieces of both sides together.
    pub pieces: (u8, u8),
    /// Plies since the last capture or promotion to the draw.
    pub plies: u8,
}

/// When a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// The occurrence of the same position, with the same side to move, that draws.
    pub repetitions: u8,
    /// Plies in a row without a capture or a man's move that draw: 40 are 20 moves of each side.
    pub quiet_plies: Option<u16>,
    /// Endings with a limit of their own; of several that fit, the first one.
    pub endings: &'static [Ending],
    /// The ending whose limit counts while the lone king stands on the main road, the long diagonal from White's left
    /// or right hand. Other limits go on counting meanwhile.
    pub main_road: Option<Ending>,
    /// Limits for endings with kings on both sides.
    pub balances: &'static [Balance],
}

impl Ending {
    /// Returns whether a side that begins with `men` can come to it, and its plies can be counted.
    const fn is_possible(&self, men: u8) -> bool {
        let (fewest, most) = self.pieces;
        // The counters stop at the greatest number that they can hold.
        0 < fewest && fewest <= most && most <= men && 0 < self.plies && self.plies < u8::MAX
    }
}

impl DrawRules {
    /// Nothing but the third occurrence of a position draws.
    pub const REPETITION: Self =
        Self { repetitions: 3, quiet_plies: None, endings: &[], main_road: None, balances: &[] };

    /// Returns whether an ending has a limit of its own.
    pub const fn limits_endings(&self) -> bool {
        !self.endings.is_empty() || self.main_road.is_some() || !self.balances.is_empty()
    }
}

/// The rules of one variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// The board.
    pub shape: Shape,
    /// The side that moves first.
    pub starts: Color,
    /// Rows that the men of each side fill at the start.
    pub men_rows: u8,
    /// Empty rows behind the men at the start.
    pub empty_rows: u8,
    /// Lines along which pieces move.
    pub moves: Lines,
    /// Lines along which pieces capture.
    pub captures: Lines,
    /// True if men capture backwards too.
    pub men_capture_backward: bool,
    /// True if men may capture kings.
    pub men_capture_kings: bool,
    /// True if kings move and capture over any distance; otherwise one step.
    pub flying_kings: bool,
    /// Where flying kings land.
    pub landing: Landing,
    /// When captured pieces leave the board.
    pub removal: Removal,
    /// True if a capture may turn back by 180 degrees. Where captured pieces stay on the board they prevent it anyway.
    pub may_reverse: bool,
    /// Crowning in the middle of a capture.
    pub promotion: Promotion,
    /// True if a side that can capture must.
    pub compulsory: bool,
    /// The choice among captures.
    pub precedence: Precedence,
    /// True if a man that captures a king is crowned at once, wherever it stands, and goes on capturing as a king.
    pub regicide: bool,
    /// The objective of the game.
    pub objective: Objective,
    /// Most quiet moves in a row that a side with men may make with one king.
    pub king_moves: Option<u8>,
    /// The draw rules.
    pub draws: DrawRules,
    /// How players write it.
    pub notation: Notation,
}

/// How the players of a variant write squares and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// True if they write squares as letter and digit rather than as numbers.
    pub algebraic: bool,
    /// Where the numbers begin.
    pub first: FirstSquare,
    /// Where letters and digits begin.
    pub letters: Letters,
    /// The sign between the squares of a capture.
    pub capture: char,
    /// True if a move is written as in the Hub protocol: a capture names the pieces taken, not where the piece lands.
    pub hub_moves: bool,
}

/// The square with the number 1, seen from White; from there numbers run along the rows, to the other end of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstSquare {
    /// At the top left.
    TopLeft,
    /// At the bottom right.
    BottomRight,
}

/// The square a1, seen from White, and the edges along which letters and digits run from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// At the bottom left, letters to the right and digits upwards, as on the board of chess.
    Upright,
    /// At the top left, letters downwards and digits to the right: the board of chess turned by a quarter.
    Turned,
}

impl Notation {
    /// Numbers from the top left, `x` for captures.
    pub const NUMERIC: Self = Self {
        algebraic: false,
        first: FirstSquare::TopLeft,
        letters: Letters::Upright,
        capture: 'x',
        hub_moves: false,
    };
    /// Letters and digits, `x` for captures.
    pub const ALGEBRAIC: Self = Self { algebraic: true, ..Self::NUMERIC };
}

impl RuleSet {
    /// The rules that every rule set begins with and says where it differs: the small board, men that capture forwards, kings of
    /// short steps, any capture, and no draw but by repetition.
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

    /// Men of each side at the start, which is also the most pieces that a side can have.
    pub const fn men(&self) -> u8 {
        self.men_rows * self.shape.row_length()
    }

    /// Returns whether men of `color` move in `direction`.
    #[inline(always)]
    pub const fn man_moves(&self, color: Color, direction: Direction) -> bool {
        self.moves.contain(direction) && !color.is_backward(direction)
    }

    /// Returns whether men of `color` capture in `direction`.
    #[inline(always)]
    pub const fn man_captures(&self, color: Color, direction: Direction) -> bool {
        self.captures.contain(direction) && (self.men_capture_backward || !color.is_backward(direction))
    }

    /// The number of `square` in this variant.
    pub const fn number(&self, square: Square) -> Number {
        self.counted_from_first(self.shape.number(square))
    }

    /// The square with the `number` of this variant, if the board has so many.
    pub const fn numbered(&self, number: Number) -> Option<Square> {
        if number.get() > self.shape.squares() {
            return None;
        }
        self.shape.numbered(self.counted_from_first(number))
    }

    /// From the number of a square of the board counted from the top left to the one in this variant, and back.
    const fn counted_from_first(&self, number: Number) -> Number {
        match self.notation.first {
            FirstSquare::TopLeft => number,
            FirstSquare::BottomRight => match Number::new(self.shape.squares() + 1 - number.get()) {
                Some(number) => number,
                None => unreachable!(),
            },
        }
    }

    /// The name of `square` as the players of this variant write it.
    pub const fn square_name(&self, square: Square) -> SquareName {
        if self.notation.algebraic {
            let (file, rank) = self.file_and_rank(self.shape.column(square), self.shape.row(square));
            SquareName::Algebraic { file: (b'a' + file) as char, rank: rank + 1 }
        } else {
            SquareName::Number(self.number(square))
        }
    }

    /// File and rank, both counted from 0, of the square in a column and row of the board.
    pub const fn file_and_rank(&self, column: u8, row: u8) -> (u8, u8) {
        match self.notation.letters {
            Letters::Upright => (column, self.shape.height - 1 - row),
            Letters::Turned => (row, column),
        }
    }

    /// The inverse of [`RuleSet::file_and_rank`]; `None` where the board ends before.
    pub const fn column_and_row(&self, file: u8, rank: u8) -> Option<(u8, u8)> {
        let Shape { width, height, .. } = self.shape;
        match self.notation.letters {
            Letters::Upright if file < width && rank < height => Some((file, height - 1 - rank)),
            Letters::Turned if file < height && rank < width => Some((rank, file)),
            _ => None,
        }
    }

    /// Returns whether a man can be crowned in the middle of a capture and go on as a king.
    #[inline(always)]
    pub const fn crowns_in_passing(&self) -> bool {
        self.regicide || matches!(self.promotion, Promotion::Passing)
    }

    /// The row, counted from 0 at the top, on which men of `color` are crowned.
    pub const fn far_row(&self, color: Color) -> u8 {
        match color {
            Color::White => 0,
            Color::Black => self.shape.height - 1,
        }
    }

    /// Returns the reason why these rules contradict themselves, if they do.
    pub const fn contradiction(&self) -> Option<&'static str> {
        let (shape, draws) = (self.shape, self.draws);
        if !shape.width.is_multiple_of(2) || !shape.height.is_multiple_of(2) {
            return Some("the lattice of a board needs even numbers of rows and columns");
        }
        if self.men_rows == 0 || 2 * (self.men_rows + self.empty_rows) > shape.height {
            return Some("the men of both sides do not fit on the board");
        }
        if !self.flying_kings && !matches!(self.landing, Landing::Anywhere) {
            return Some("only flying kings have a choice where to land");
        }
        if self.may_reverse && matches!(self.removal, Removal::AtEnd) {
            return Some("nobody can turn back over pieces that stay on the board");
        }
        if matches!(self.promotion, Promotion::Passing) && !self.flying_kings {
            return Some("a man crowned in passing goes on as a flying king");
        }
        if self.regicide && (self.flying_kings || !self.men_capture_kings) {
            return Some("a man that takes a king goes on as a king of short steps");
        }
        if !self.compulsory && !matches!(self.precedence, Precedence::Free) {
            return Some("no capture comes before another where no capture need be made");
        }
        if matches!(self.precedence, Precedence::Italian) && self.men() > 15 {
            return Some("the rank of an Italian capture has room for 15 pieces");
        }
        if matches!(self.king_moves, Some(0)) {
            return Some("a king must be able to move");
        }
        if draws.repetitions < 2 {
            return Some("no position is a repetition when it first occurs");
        }
        if matches!(draws.quiet_plies, Some(0)) {
            return Some("a draw rule must leave time for a move");
        }
        if let Some(road) = draws.main_road {
            if shape.width != shape.height || matches!(shape.corner, Corner::Both) {
                return Some("only a square board with one kind of playing squares has a main road");
            }
            if matches!(road.force, Force::Pieces) || !road.is_possible(self.men()) {
                return Some("the ending on the main road cannot arise");
            }
        }
        let mut index = 0;
        while index < draws.endings.len() {
            if !draws.endings[index].is_possible(self.men()) {
                return Some("an ending cannot arise");
            }
            index += 1;
        }
        let mut index = 0;
        while index < draws.balances.len() {
            let Balance { pieces: (fewest, most), plies } = draws.balances[index];
            if fewest < 2 || fewest > most || plies == 0 || plies == u8::MAX {
                return Some("a balance cannot arise");
            }
            index += 1;
        }
        None
    }

    /// The mask of the squares on which the men of `color` start.
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
    fn rules_that_contradict_themselves_are_found() {
        use crate::rules::Variant;
        let [good, english, italian, turkish] =
            [Variant::International, Variant::English, Variant::Italian, Variant::Turkish]
                .map(|variant| *variant.spec());
        assert_eq!(good.contradiction(), None);
        const NO_ENDING: Ending = Ending { force: Force::Kings, pieces: (3, 1), plies: 10, restarts: false };
        let road = Ending { force: Force::Kings, pieces: (3, 3), plies: 10, restarts: false };
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
            RuleSet { draws: DrawRules { balances: &[Balance { pieces: (4, 5), plies: 0 }], ..good.draws }, ..good },
        ] {
            assert!(bad.contradiction().is_some(), "{bad:?}");
        }
    }

    #[test]
    fn the_italian_rank_orders_pieces_king_kings_and_earliest_king() {
        let rank = |by_king, taken: &[bool]| {
            (0..).zip(taken).fold(Precedence::Italian.start(by_king), |rank, (index, &king)| {
                Precedence::Italian.add(rank, index, king)
            })
        };
        let most_pieces = rank(false, &[false; 12]);
        let by_king = rank(true, &[false; 11]);
        let most_kings = rank(true, &[false, true, true]);
        let early_king = rank(true, &[true, false, false]);
        let later_king = rank(true, &[false, true, false]);
        assert!(most_pieces > by_king && by_king > most_kings);
        assert!(most_kings > early_king && early_king > later_king);
        assert!(rank(true, &[false, false]) > rank(false, &[false, false]));
        assert!(rank(true, &[true, true, false, false]) > rank(true, &[true, false, true, false]));
        assert!(rank(true, &[true; 12]) > rank(true, &[true; 11]));
    }
}
