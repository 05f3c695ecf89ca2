//! A position of the fast generator: pieces, side to move, key and draw counters.

use super::draw::{Counters, Progress};
use super::key::{countdown_key, full_key, piece_key, run_key, side_key};
use super::{CaptureOrder, DrawReason, Key, KingRun, Move, MoveList, Piece, Pieces, Setup, SetupError};
use crate::board::{Bits, Lines, Square};
use crate::rules::{BitsOf, Color, Objective, Rules};

/// Plies before a draw by count from which on they matter: about as far as a search of an ending looks.
const NEAR_DRAW: u16 = 32;

/// A legal position by the rules `R`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<R: Rules> {
    pieces: Pieces<R>,
    side: Color,
    counters: Counters,
    /// The king that White and Black moved last, where the rules limit its moves.
    runs: [Option<KingRun>; 2],
    key: Key,
}

impl<R: Rules> Position<R> {
    /// The start position.
    pub fn start() -> Self {
        let pieces = Pieces {
            white: BitsOf::<R>::from_mask(const { R::SPEC.start_mask(Color::White) }),
            black: BitsOf::<R>::from_mask(const { R::SPEC.start_mask(Color::Black) }),
            kings: BitsOf::<R>::EMPTY,
        };
        Self::new(pieces, R::SPEC.starts, 0, [None; 2])
    }

    fn new(pieces: Pieces<R>, side: Color, quiet_plies: u16, runs: [Option<KingRun>; 2]) -> Self {
        let key = full_key(&pieces, side, runs);
        Self { pieces, side, counters: Counters::new(&pieces, quiet_plies), runs, key }
    }

    /// The position that `setup` describes.
    ///
    /// # Errors
    /// When it cannot be a position of a game: see [`Setup::check`].
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        setup.check(&R::SPEC)?;
        let mut pieces = Pieces { white: BitsOf::<R>::EMPTY, black: BitsOf::<R>::EMPTY, kings: BitsOf::<R>::EMPTY };
        for (&square, piece) in &setup.pieces {
            let bit = BitsOf::<R>::of(square);
            match piece.color {
                Color::White => pieces.white |= bit,
                Color::Black => pieces.black |= bit,
            }
            if piece.king {
                pieces.kings |= bit;
            }
        }
        Ok(Self::new(pieces, setup.side, setup.quiet_plies, setup.king_runs))
    }

    /// The position square by square; `move_number` is the number of the move to be played.
    pub fn to_setup(&self, move_number: u16) -> Setup {
        let pieces = [Color::White, Color::Black].into_iter().flat_map(|color| {
            let squares = self.pieces.of(color).squares();
            squares.map(move |square| (square, Piece { color, king: self.pieces.kings.contains(square) }))
        });
        Setup {
            side: self.side,
            pieces: pieces.collect(),
            quiet_plies: self.counters.quiet,
            move_number,
            king_runs: self.runs,
        }
    }

    /// The pieces of both sides.
    #[inline(always)]
    pub fn pieces(&self) -> &Pieces<R> {
        &self.pieces
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The hash of pieces and side to move.
    #[inline(always)]
    pub fn key(&self) -> Key {
        self.key
    }

    /// The key under which a search stores what it finds: near a draw by count, positions that have other numbers of
    /// plies left are different positions.
    #[inline(always)]
    pub fn search_key(&self) -> Key {
        match self.plies_to_draw() {
            Some(plies) if plies <= NEAR_DRAW => self.key ^ countdown_key(plies),
            _ => self.key,
        }
    }

    /// Plies since the last capture or man's move. No earlier position can occur again.
    #[inline(always)]
    pub fn quiet_plies(&self) -> u16 {
        self.counters.quiet
    }

    /// The move-count rule by which the game is drawn here, provided that the side to move has a move.
    #[inline(always)]
    pub fn draw_by_count(&self) -> Option<DrawReason> {
        self.counters.draw::<R>()
    }

    /// Plies until the first move-count rule draws the game, if neither a capture nor a man's move comes before. None if
    /// no such rule counts.
    #[inline(always)]
    pub fn plies_to_draw(&self) -> Option<u16> {
        self.counters.plies_left::<R>()
    }

    /// Fills `list` with the legal moves.
    #[inline]
    pub fn moves(&self, list: &mut MoveList<R>) {
        match self.side {
            Color::White => self.pieces.moves::<true>(CaptureOrder::Merged, list),
            Color::Black => self.pieces.moves::<false>(CaptureOrder::Merged, list),
        }
        if let Some(barred) = self.barred_king() {
            list.retain(|mv| mv.is_capture() || mv.from != barred);
        }
    }

    /// Fills `list` with the legal captures: with all legal moves, where a capture is compulsory and possible.
    #[inline]
    pub fn captures(&self, list: &mut MoveList<R>) {
        match self.side {
            Color::White => self.pieces.captures::<true>(list),
            Color::Black => self.pieces.captures::<false>(list),
        }
    }

    /// The king that the side to move may not move, because it has moved too often in a row.
    #[inline(always)]
    fn barred_king(&self) -> Option<Square> {
        let most = R::SPEC.king_moves?;
        let run = self.runs[self.side as usize]?;
        (run.moves >= most).then_some(run.square)
    }

    /// The legal moves in a new list.
    pub fn legal_moves(&self) -> MoveList<R> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list
    }

    /// Whether the side to move has a legal move; without one the game is over.
    #[inline]
    pub fn has_move(&self) -> bool {
        if self.barred_king().is_some() {
            return !self.legal_moves().is_empty();
        }
        match self.side {
            Color::White => self.pieces.has_move::<true>(),
            Color::Black => self.pieces.has_move::<false>(),
        }
    }

    /// Who has won, provided that the side to move has no move.
    #[inline]
    pub fn winner_without_move(&self) -> Color {
        match R::SPEC.objective {
            Objective::Normal => self.side.opponent(),
            Objective::Losing => self.side,
            // Only a set-up leaves a king to the side to move. If both have one, the last move made the other.
            Objective::FirstKing if self.pieces.kings(self.side.opponent()).is_empty() && self.is_over_by_king() => {
                self.side
            }
            Objective::FirstKing => self.side.opponent(),
        }
    }

    /// Whether the first king has ended the game, where that is the rule.
    #[inline(always)]
    pub fn is_over_by_king(&self) -> bool {
        self.pieces.is_over_by_king()
    }

    /// Whether `color` could capture if it were to move.
    #[inline]
    pub fn can_capture(&self, color: Color) -> bool {
        match color {
            Color::White => self.pieces.has_capture::<true>(),
            Color::Black => self.pieces.has_capture::<false>(),
        }
    }

    /// The pieces after the legal move `mv`, without the rest of the position.
    #[inline]
    pub fn pieces_after(&self, mv: Move<R>) -> Pieces<R> {
        match self.side {
            Color::White => self.pieces.play::<true>(mv),
            Color::Black => self.pieces.play::<false>(mv),
        }
    }

    /// The position after the legal move `mv`.
    #[inline]
    pub fn play(&self, mv: Move<R>) -> Self {
        let color = self.side;
        let pieces = self.pieces_after(mv);
        let by_king = self.pieces.kings.contains(mv.from);
        let is_king = pieces.kings.contains(mv.to);
        let mut key = self.key ^ side_key() ^ piece_key(color, by_king, mv.from) ^ piece_key(color, is_king, mv.to);
        for square in mv.captured.squares() {
            key ^= piece_key(color.opponent(), self.pieces.kings.contains(square), square);
        }
        let quiet_by_king = by_king && !mv.is_capture();
        let runs = if R::SPEC.king_moves.is_some() { self.runs_after(mv, quiet_by_king, &pieces) } else { [None; 2] };
        if R::SPEC.king_moves.is_some() {
            for color in [Color::White, Color::Black] {
                key ^= run_key(color, self.runs[color as usize]) ^ run_key(color, runs[color as usize]);
            }
        }
        debug_assert_eq!(key, full_key(&pieces, color.opponent(), runs));
        let progress = Progress {
            is_quiet: Self::can_be_undone(mv, by_king),
            changes_balance: mv.is_capture() || by_king != is_king,
        };
        let counters = self.counters.after(progress, &pieces);
        Self { pieces, side: color.opponent(), counters, runs, key }
    }

    /// Whether the piece could go back later: not after a capture, and not after a step of a man, unless it was sideways.
    #[inline(always)]
    fn can_be_undone(mv: Move<R>, by_king: bool) -> bool {
        let shape = R::SPEC.shape;
        let sideways =
            matches!(R::SPEC.moves, Lines::Orthogonal | Lines::Both) && shape.row(mv.from) == shape.row(mv.to);
        !mv.is_capture() && (by_king || sideways)
    }

    /// The counts of king moves after `mv`, which leads to `pieces`.
    fn runs_after(&self, mv: Move<R>, quiet_by_king: bool, pieces: &Pieces<R>) -> [Option<KingRun>; 2] {
        let mut runs = self.runs;
        let own = &mut runs[self.side as usize];
        let before = own.filter(|run| run.square == mv.from).map_or(0, |run| run.moves);
        *own = quiet_by_king.then_some(KingRun { square: mv.to, moves: before.saturating_add(1) });
        for color in [Color::White, Color::Black] {
            let run = &mut runs[color as usize];
            *run = run.filter(|run| !pieces.men(color).is_empty() && pieces.of(color).contains(run.square));
        }
        runs
    }
}
