//! Positions for the fast move generator, and the rules of a variant at run time.
//!
//! [`GameRules`] contains the rule set of a variant and the move generator of its rule family, as a table of functions.
//! With this table, the code that uses the generator is compiled once per bitboard width instead of once per variant.

use super::draw::{Counters, DrawLimits, PlyEffect};
use super::generator::{PerftTask, count};
use super::key::{countdown_key, full_key, piece_key, run_key, side_key};
use super::pieces::Side;
use super::{
    CaptureOrder, DrawReason, EndingAges, IsStopped, Key, KingRun, Move, MoveList, PartialPerft, Piece, Pieces, Setup,
    SetupError,
};
use crate::board::{Bits, Lines, Number, Square};
use crate::rules::{Color, Family, FamilyVisitor, Objective, RuleSet, Variant, Word};
use std::fmt;

/// If a move-count rule draws the game within this many plies, the number of plies left is part of the search key. The
/// limit is close to the usual search depth in endings.
const NEAR_DRAW: u16 = 32;

/// A legal position under the rules of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<W: Word> {
    rules: &'static GameRules<W>,
    pieces: Pieces<W>,
    side: Color,
    counters: Counters,
    runs: [Option<KingRun>; 2],
    key: Key,
}

impl<W: Word> Position<W> {
    /// Returns the start position.
    pub fn start(rules: &'static GameRules<W>) -> Self {
        let spec = rules.spec();
        let men = |color| W::from_mask(spec.start_mask(color));
        let pieces = Pieces { white: men(Color::White), black: men(Color::Black), kings: W::EMPTY };
        Self::from_pieces(rules, pieces, spec.starts)
    }

    /// Creates a position with all draw counters at 0. The pieces must be on squares of the board, and no man may stand
    /// on its promotion row.
    pub fn from_pieces(rules: &'static GameRules<W>, pieces: Pieces<W>, side: Color) -> Self {
        Self::new(rules, pieces, side, 0, EndingAges::default(), [None; 2])
    }

    fn new(
        rules: &'static GameRules<W>,
        pieces: Pieces<W>,
        side: Color,
        quiet_plies: u16,
        ages: EndingAges,
        runs: [Option<KingRun>; 2],
    ) -> Self {
        let key = full_key(&pieces, side, runs);
        Self { rules, pieces, side, counters: Counters::new(&rules.draw_limits, &pieces, quiet_plies, ages), runs, key }
    }

    /// Returns the same position with all draw counters at 0.
    pub fn with_fresh_counts(&self) -> Self {
        Self { counters: Counters::new(&self.rules.draw_limits, &self.pieces, 0, EndingAges::default()), ..*self }
    }

    /// Creates the position that `setup` describes. Returns an error if `setup` does not pass [`Setup::check`].
    pub fn from_setup(rules: &'static GameRules<W>, setup: &Setup) -> Result<Self, SetupError> {
        setup.check(rules.spec())?;
        let mut pieces = Pieces { white: W::EMPTY, black: W::EMPTY, kings: W::EMPTY };
        for (&square, piece) in &setup.pieces {
            let bit = W::from_square(square);
            match piece.color {
                Color::White => pieces.white |= bit,
                Color::Black => pieces.black |= bit,
            }
            if piece.king {
                pieces.kings |= bit;
            }
        }
        Ok(Self::new(rules, pieces, setup.side, setup.quiet_plies, setup.ages, setup.king_runs))
    }

    /// Returns whether the piece on `square` is a king.
    pub fn is_king(&self, square: Square) -> bool {
        self.pieces.kings.contains(square)
    }

    /// Converts the position to a [`Setup`]; `move_number` is the number of the next move.
    pub fn to_setup(&self, move_number: u16) -> Setup {
        let pieces = [Color::White, Color::Black].into_iter().flat_map(|color| {
            let squares = self.pieces.side(color).squares();
            squares.map(move |square| (square, Piece { color, king: self.pieces.kings.contains(square) }))
        });
        Setup {
            side: self.side,
            pieces: pieces.collect(),
            quiet_plies: self.counters.quiet,
            move_number,
            king_runs: self.runs,
            ages: self.counters.ages(&self.rules.draw_limits, &self.pieces),
        }
    }

    /// Returns the rules of the variant.
    #[inline(always)]
    pub fn rules(&self) -> &'static GameRules<W> {
        self.rules
    }

    /// Returns the rule set of the variant.
    #[inline(always)]
    pub fn spec(&self) -> &'static RuleSet {
        self.rules.spec()
    }

    /// Returns the pieces of both sides.
    #[inline(always)]
    pub fn pieces(&self) -> &Pieces<W> {
        &self.pieces
    }

    /// Returns the side to move.
    #[inline(always)]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Returns the Zobrist key. It includes the king moves in a row of the Frisian rule, but not the draw counters.
    #[inline(always)]
    pub fn key(&self) -> Key {
        self.key
    }

    /// Returns the key for the transposition table. If a draw by a move-count rule is near, the key includes the number
    /// of plies left until the draw.
    #[inline(always)]
    pub fn search_key(&self) -> Key {
        match self.plies_to_draw() {
            Some(plies) if plies <= NEAR_DRAW => self.key ^ countdown_key(plies),
            _ => self.key,
        }
    }

    /// Returns the number of plies since the last capture or advance of a man. A sideways step by a man does not reset
    /// it. No position before that ply can occur again.
    #[inline(always)]
    pub fn quiet_plies(&self) -> u16 {
        self.counters.quiet
    }

    /// Returns the reason if a move-count rule draws the game in this position, otherwise `None`. The result applies
    /// only if the side to move has a legal move.
    #[inline(always)]
    pub fn draw_by_count(&self) -> Option<DrawReason> {
        self.counters.draw(&self.rules.draw_limits)
    }

    /// Returns the same position, but with [all counters at 0](Position::with_fresh_counts) if a move-count rule draws
    /// the game here.
    pub fn without_draw_counts(&self) -> Self {
        if self.draw_by_count().is_some() { self.with_fresh_counts() } else { *self }
    }

    /// Returns how many plies without progress are left before the first move-count rule draws the game, or `None` if
    /// no such rule is active.
    #[inline(always)]
    pub fn plies_to_draw(&self) -> Option<u16> {
        self.counters.plies_left(&self.rules.draw_limits)
    }

    /// Fills `list` with the legal moves.
    pub fn moves(&self, list: &mut MoveList<W>) {
        self.fill_moves(self.can_capture(self.side), list);
    }

    /// Fills `list` with the legal moves. `can_capture` must be the result of [`Position::can_capture`] for the side to
    /// move.
    #[inline]
    pub fn fill_moves(&self, can_capture: bool, list: &mut MoveList<W>) {
        self.rules.fill_moves(&self.pieces, self.side, can_capture, list);
        if let Some(barred) = self.barred_king() {
            list.retain(|mv| mv.is_capture() || mv.from != barred);
        }
    }

    /// Fills `list` with the legal captures. If captures are compulsory and at least one is possible, these are all the
    /// legal moves.
    #[inline]
    pub fn captures(&self, list: &mut MoveList<W>) {
        self.rules.captures(&self.pieces, self.side, list);
    }

    #[inline(always)]
    fn barred_king(&self) -> Option<Square> {
        if !self.rules.limits_king_moves {
            return None;
        }
        let most = self.spec().king_moves?;
        let run = self.runs[self.side as usize]?;
        (run.moves >= most).then_some(run.square)
    }

    /// Returns the legal moves in a new list.
    pub fn legal_moves(&self) -> MoveList<W> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list
    }

    /// Returns whether the side to move has a legal move. If it has none, the game has ended.
    #[inline]
    pub fn has_move(&self) -> bool {
        if self.barred_king().is_some() {
            return !self.legal_moves().is_empty();
        }
        self.rules.has_move(&self.pieces, self.side)
    }

    /// Returns the winner of a position in which the side to move has no legal move.
    #[inline]
    pub fn winner_without_move(&self) -> Color {
        match self.spec().objective {
            Objective::Normal => self.side.opponent(),
            Objective::Losing => self.side,
            // The side to move can have a king only in a setup position. If both sides have a king, the opponent
            // crowned one with the last move.
            Objective::FirstKing if self.pieces.kings(self.side.opponent()).is_empty() && self.is_won_by_king() => {
                self.side
            }
            Objective::FirstKing => self.side.opponent(),
        }
    }

    /// Returns whether the game has ended because a side got the first king (breakthrough).
    #[inline(always)]
    pub fn is_won_by_king(&self) -> bool {
        matches!(self.spec().objective, Objective::FirstKing) && !self.pieces.kings.is_empty()
    }

    /// Returns whether `color` could capture if it were to move.
    #[inline]
    pub fn can_capture(&self, color: Color) -> bool {
        self.rules.has_capture(&self.pieces, color)
    }

    /// Returns the pieces after the legal move `mv`, without the rest of the position.
    #[inline]
    pub fn pieces_after(&self, mv: Move<W>) -> Pieces<W> {
        self.rules.pieces_after(&self.pieces, self.side, mv)
    }

    /// Returns the position after the legal move `mv`.
    #[inline(always)]
    pub fn play(&self, mv: Move<W>) -> Self {
        self.rules.play(self, mv)
    }

    /// Returns the new king runs and the change to the key. This function is not inlined, because few variants limit
    /// king moves.
    #[inline(never)]
    fn count_king_moves(&self, mv: Move<W>, pieces: &Pieces<W>) -> ([Option<KingRun>; 2], Key) {
        let by_king = self.pieces.kings.contains(mv.from);
        let mut runs = self.runs;
        let own = &mut runs[self.side as usize];
        let made = own.filter(|run| run.square == mv.from).map_or(0, |run| run.moves);
        let run = KingRun { square: mv.to, moves: made.saturating_add(1) };
        *own = (by_king && !mv.is_capture()).then_some(run);
        let mut change = 0;
        for color in [Color::White, Color::Black] {
            let run = &mut runs[color as usize];
            *run = run.filter(|run| !pieces.men(color).is_empty() && pieces.side(color).contains(run.square));
            change ^= run_key(color, self.runs[color as usize]) ^ run_key(color, *run);
        }
        (runs, change)
    }
}

/// Returns the position after the legal move `mv`. The rule family and the side to move are compile-time constants,
/// which saves a third of the instructions.
pub(super) fn play<F: Family, const WHITE: bool>(position: &Position<F::Word>, mv: Move<F::Word>) -> Position<F::Word> {
    let color = Color::from_is_white(WHITE);
    let rules = position.rules;
    let pieces = Side::<F, WHITE> { pieces: &position.pieces, spec: rules.spec() }.after(mv);
    let by_king = position.pieces.kings.contains(mv.from);
    let is_king = pieces.kings.contains(mv.to);
    let mut key = position.key ^ side_key() ^ piece_key(color, by_king, mv.from) ^ piece_key(color, is_king, mv.to);
    for square in mv.captured.squares() {
        key ^= piece_key(color.opponent(), position.pieces.kings.contains(square), square);
    }
    // A capture or a forward step by a man cannot be reversed, but a sideways step can.
    let is_sideways = || {
        let shape = F::SHAPE;
        matches!(F::RULES.moves, Lines::Orthogonal | Lines::Both) && shape.row(mv.from) == shape.row(mv.to)
    };
    let effect = PlyEffect {
        is_quiet: !mv.is_capture() && (by_king || is_sideways()),
        changes_balance: mv.is_capture() || by_king != is_king,
    };
    let counters = position.counters.after(effect, &rules.draw_limits, &pieces);
    let mut runs = [None; 2];
    if rules.limits_king_moves {
        let (counted, change) = position.count_king_moves(mv, &{ pieces });
        runs = counted;
        key ^= change;
    }
    let after = Position { rules, pieces, side: color.opponent(), counters, runs, key };
    debug_assert_eq!(after.key, full_key(&after.pieces, after.side, after.runs));
    after
}

/// Counts the sequences of `depth` legal moves from `position`. Draw rules and limits on king moves are ignored.
pub fn perft<W: Word>(
    position: &Position<W>,
    depth: u8,
    order: CaptureOrder,
    is_stopped: IsStopped<'_>,
) -> Result<u64, PartialPerft> {
    count_from(position, PerftTask { depth, order, is_stopped }, &mut lists(depth))
}

/// Returns the legal moves in `position`, each with the number of sequences of `depth` moves that start with it;
/// `depth` must be at least 1. Draw rules and limits on king moves are ignored.
pub fn divide<W: Word>(
    position: &Position<W>,
    depth: u8,
    order: CaptureOrder,
    is_stopped: IsStopped<'_>,
) -> Result<Vec<(Move<W>, u64)>, PartialPerft> {
    let mut lists = lists(depth);
    let mut moves = MoveList::new();
    position.rules().moves(position.pieces(), position.side(), order, &mut moves);
    let mut total = 0;
    let mut of_move = |&mv: &Move<W>| {
        let count =
            count_from(&position.play(mv), PerftTask { depth: depth.saturating_sub(1), order, is_stopped }, &mut lists);
        let (Ok(counted) | Err(PartialPerft(counted))) = count;
        total += counted;
        count.map(|count| (mv, count)).map_err(|_| PartialPerft(total))
    };
    moves.iter().map(&mut of_move).collect()
}

fn lists<W: Word>(depth: u8) -> Vec<MoveList<W>> {
    vec![MoveList::new(); usize::from(depth) + 1]
}

fn count_from<W: Word>(
    position: &Position<W>,
    task: PerftTask<'_>,
    lists: &mut [MoveList<W>],
) -> Result<u64, PartialPerft> {
    let rules = position.rules();
    (rules.generators[position.side() as usize].count_sequences)(position.pieces(), rules.spec, task, lists)
}

type FillMoves<W> = fn(&Pieces<W>, &'static RuleSet, CaptureOrder, &mut MoveList<W>);
type Fill<W> = fn(&Pieces<W>, &'static RuleSet, &mut MoveList<W>);
type CanMove<W> = fn(&Pieces<W>, &'static RuleSet) -> bool;
type Play<W> = fn(&Position<W>, Move<W>) -> Position<W>;
type CountSequences<W> =
    fn(&Pieces<W>, &'static RuleSet, PerftTask<'_>, &mut [MoveList<W>]) -> Result<u64, PartialPerft>;

/// The move generator for one side, as a table of functions.
struct Generator<W: Word> {
    moves: FillMoves<W>,
    captures: Fill<W>,
    quiet_moves: Fill<W>,
    has_capture: CanMove<W>,
    has_move: CanMove<W>,
    play: Play<W>,
    count_sequences: CountSequences<W>,
}

impl<W: Word> Generator<W> {
    /// Creates the generator for one side; `OTHER` is always `!WHITE`.
    const fn new<F: Family<Word = W>, const WHITE: bool, const OTHER: bool>() -> Self {
        Self {
            moves: |pieces, spec, order, list| Side::<F, WHITE> { pieces, spec }.moves(order, list),
            captures: |pieces, spec, list| Side::<F, WHITE> { pieces, spec }.captures(list),
            quiet_moves: |pieces, spec, list| Side::<F, WHITE> { pieces, spec }.add_quiet_moves(list),
            has_capture: |pieces, spec| Side::<F, WHITE> { pieces, spec }.has_capture(),
            has_move: |pieces, spec| Side::<F, WHITE> { pieces, spec }.has_move(),
            play: play::<F, WHITE>,
            count_sequences: count::<F, WHITE, OTHER>,
        }
    }
}

/// The rules of a variant with bitboards of type `W`.
pub struct GameRules<W: Word> {
    variant: Variant,
    spec: &'static RuleSet,
    /// The move generators for White and for Black.
    generators: [Generator<W>; 2],
    far_rows: [W; 2],
    pub(super) draw_limits: DrawLimits<W>,
    pub(super) limits_king_moves: bool,
    compulsory: bool,
    squares: Box<[Square]>,
}

impl<W: Word> GameRules<W> {
    pub(super) fn new(variant: Variant) -> Option<Self> {
        struct MakeGenerators;
        impl<W: Word> FamilyVisitor<W> for MakeGenerators {
            type Output = [Generator<W>; 2];
            fn visit<F: Family<Word = W>>(self) -> [Generator<W>; 2] {
                [Generator::new::<F, true, false>(), Generator::new::<F, false, true>()]
            }
        }
        let spec = variant.spec();
        let generators = W::with_family(spec, MakeGenerators)?;
        let far_row = |color| W::from_mask(spec.shape.row_mask(spec.far_row(color)));
        Some(Self {
            variant,
            spec,
            generators,
            far_rows: [far_row(Color::White), far_row(Color::Black)],
            draw_limits: DrawLimits::for_rules(spec),
            limits_king_moves: spec.king_moves.is_some(),
            compulsory: spec.compulsory,
            squares: (1..).map_while(Number::new).map_while(|number| spec.numbered(number)).collect(),
        })
    }

    /// Returns the playing squares in the order of their numbers in this variant.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Returns the variant to which these rules belong.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the rule set of the variant.
    #[inline(always)]
    pub fn spec(&self) -> &'static RuleSet {
        self.spec
    }

    /// Returns the number of plies that the ending with `pieces` can last before the game is drawn, or `None` if the
    /// rules have no limit for these pieces. Limits that depend on squares are ignored.
    pub fn ending_limit(&self, pieces: &Pieces<W>) -> Option<u8> {
        self.draw_limits.ending_limit(pieces)
    }

    /// Returns the number of plies after which the game is drawn if the lone king stays on the main road. Returns
    /// `None` if there is no lone king on the main road or the rules have no limit for it.
    pub fn main_road_limit(&self, pieces: &Pieces<W>) -> Option<u8> {
        self.draw_limits.main_road_limit(pieces)
    }

    /// Returns whether captures are compulsory.
    #[inline(always)]
    pub fn compulsory(&self) -> bool {
        self.compulsory
    }

    #[inline(always)]
    pub(crate) fn far_row(&self, color: Color) -> W {
        self.far_rows[color as usize]
    }

    #[inline(always)]
    pub(super) fn moves(&self, pieces: &Pieces<W>, color: Color, order: CaptureOrder, list: &mut MoveList<W>) {
        (self.generators[color as usize].moves)(pieces, self.spec, order, list);
    }

    #[inline(always)]
    pub(crate) fn captures(&self, pieces: &Pieces<W>, color: Color, list: &mut MoveList<W>) {
        (self.generators[color as usize].captures)(pieces, self.spec, list);
    }

    #[inline(always)]
    pub(crate) fn add_quiet_moves(&self, pieces: &Pieces<W>, color: Color, list: &mut MoveList<W>) {
        (self.generators[color as usize].quiet_moves)(pieces, self.spec, list);
    }

    /// Fills `list` with the legal moves of `color`, ignoring limits on king moves. `can_capture` must state whether
    /// `color` has a capture.
    #[inline(always)]
    pub(crate) fn fill_moves(&self, pieces: &Pieces<W>, color: Color, can_capture: bool, list: &mut MoveList<W>) {
        list.clear();
        if can_capture {
            self.captures(pieces, color, list);
        }
        if !(can_capture && self.compulsory) {
            self.add_quiet_moves(pieces, color, list);
        }
    }

    /// Returns whether `color` has a capture.
    #[inline(always)]
    pub fn has_capture(&self, pieces: &Pieces<W>, color: Color) -> bool {
        (self.generators[color as usize].has_capture)(pieces, self.spec)
    }

    /// Returns whether `color` has a legal move, ignoring limits on king moves.
    #[inline(always)]
    pub fn has_move(&self, pieces: &Pieces<W>, color: Color) -> bool {
        (self.generators[color as usize].has_move)(pieces, self.spec)
    }

    /// Returns the pieces after the legal move `mv` of `color`.
    #[inline]
    pub fn pieces_after(&self, pieces: &Pieces<W>, color: Color, mv: Move<W>) -> Pieces<W> {
        pieces.after(color, mv, self.far_row(color))
    }

    #[inline(always)]
    pub(super) fn play(&self, position: &Position<W>, mv: Move<W>) -> Position<W> {
        (self.generators[position.side() as usize].play)(position, mv)
    }
}

impl<W: Word> fmt::Debug for GameRules<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rules of {}", self.variant)
    }
}

impl<W: Word> PartialEq for GameRules<W> {
    fn eq(&self, other: &Self) -> bool {
        self.variant == other.variant
    }
}

impl<W: Word> Eq for GameRules<W> {}
