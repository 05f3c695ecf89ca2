//! Generates moves with their whole paths, for notation and error messages.
//!
//! This slow and simple generator works square by square and interprets a [`RuleSet`] at run time. It shares no code
//! with the fast generator, which is tested against it.

use super::{KingRun, Move, Piece, Setup};
use crate::board::{Bits, Direction, Square};
use crate::rules::{Color, Landing, Objective, Precedence, Promotion, Removal, RuleSet};
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use std::collections::HashSet;

/// Steps of a move. They are stored inline except for the longest captures.
pub type Steps<T> = SmallVec<[T; 16]>;

/// A move with its complete path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sequence {
    /// Origin square.
    pub from: Square,
    /// For a capture, one landing square per captured piece; for a quiet move, the destination. If a capture continues
    /// straight on, the landing square is the square directly behind the captured piece.
    pub landings: Steps<Square>,
    /// Squares of the captured pieces in the order of capture. The list is empty for a quiet move.
    pub captured: Steps<Square>,
    /// Direction of each step.
    pub directions: Steps<Direction>,
    /// Whether the piece was a king before the move.
    pub by_king: bool,
    /// Whether a man was crowned during the move but did not end the move on the far row.
    pub crowned_in_passing: bool,
}

impl Sequence {
    fn new(from: Square, piece: Piece) -> Self {
        Self {
            from,
            landings: Steps::new(),
            captured: Steps::new(),
            directions: Steps::new(),
            by_king: piece.king,
            crowned_in_passing: false,
        }
    }

    /// Returns the destination square.
    pub fn to(&self) -> Square {
        self.landings.last().copied().unwrap_or(self.from)
    }

    /// Returns whether the two sequences count as the same move in a game. They must have the same origin and
    /// destination, capture the same pieces in any order, and agree on whether a man is crowned in passing.
    pub fn same_move(&self, other: &Self) -> bool {
        let taken = |sequence: &Self| sequence.captured.iter().copied().collect::<HashSet<_>>();
        self.from == other.from
            && self.to() == other.to()
            && self.crowned_in_passing == other.crowned_in_passing
            && taken(self) == taken(other)
    }
}

/// Returns all legal moves, with every route of each capture.
pub fn legal_sequences(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    if spec.objective == Objective::FirstKing && setup.pieces.values().any(|piece| piece.king) {
        return Vec::new();
    }
    let captures = captures(spec, setup);
    let mut moves = best_captures(spec, setup, captures);
    if moves.is_empty() || !spec.compulsory {
        moves.extend(quiet_moves(spec, setup));
    }
    moves
}

/// Returns all legal moves, with only one route for each capture.
pub fn legal_moves(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    let mut moves: Vec<Sequence> = Vec::new();
    for sequence in legal_sequences(spec, setup) {
        if !moves.iter().any(|known| known.same_move(&sequence)) {
            moves.push(sequence);
        }
    }
    moves
}

/// Returns the quiet moves, even if a capture is compulsory.
pub fn quiet_moves(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    let barred = setup.barred_king(spec);
    let mut moves = Vec::new();
    for (from, piece) in own_pieces(setup).filter(|&(from, _)| Some(from) != barred) {
        for direction in Direction::ALL {
            let may_move =
                if piece.king { spec.moves.contains(direction) } else { spec.man_moves(piece.color, direction) };
            if !may_move {
                continue;
            }
            let reach = if piece.king && spec.flying_kings { usize::MAX } else { 1 };
            let free = ray(spec, from, direction).take_while(|square| !setup.pieces.contains_key(square));
            let step = |to| Sequence {
                landings: smallvec![to],
                directions: smallvec![direction],
                ..Sequence::new(from, piece)
            };
            moves.extend(free.take(reach).map(step));
        }
    }
    moves
}

/// Returns all complete captures without applying [`RuleSet::precedence`].
pub fn captures(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    let mut found = Vec::new();
    for (from, piece) in own_pieces(setup) {
        extend(spec, setup, piece, &Sequence::new(from, piece), &mut found);
    }
    for sequence in &mut found {
        let far_row = spec.far_row(setup.side);
        sequence.crowned_in_passing &= spec.shape.row(sequence.to()) != far_row;
    }
    // A king that continues straight on follows a single route, even if it could stop on different squares in between.
    let mut seen = HashSet::new();
    found.retain(|sequence| {
        seen.insert((sequence.from, sequence.to(), sequence.captured.clone(), sequence.directions.clone()))
    });
    found
}

/// For each piece that `sequence` captures, returns the squares on which the capturing piece can land without changing
/// the move. If the path continues straight on, these are all squares up to the next captured piece; otherwise, there
/// is only one.
pub fn stops(spec: &RuleSet, sequence: &Sequence) -> Vec<Vec<Square>> {
    let flies_on = sequence.landings.len() > 1 && spec.landing != Landing::Behind;
    let stops = sequence.landings.iter().enumerate().map(|(index, &landing)| {
        let mut stops = vec![landing];
        let directions = (sequence.directions.get(index), sequence.directions.get(index + 1));
        if let (Some(&direction), Some(&next)) = directions
            && flies_on
            && direction == next
        {
            let target = sequence.captured.get(index + 1);
            stops.extend(ray(spec, landing, direction).take_while(|square| Some(square) != target));
        }
        stops
    });
    stops.collect()
}

/// Returns the path of a legal move that captures at most one piece, or `None` if the move captures more pieces.
pub fn simple(spec: &RuleSet, mv: Move<u128>, by_king: bool) -> Option<Sequence> {
    let captured: Steps<_> = mv.captured.squares().collect();
    let rows = spec.shape.row(mv.to).cmp(&spec.shape.row(mv.from)) as i8;
    let columns = spec.shape.column(mv.to).cmp(&spec.shape.column(mv.from)) as i8;
    let leads = |direction: &Direction| (direction.rows(), direction.columns()) == (rows, columns);
    let direction = Direction::ALL.into_iter().find(leads).filter(|_| captured.len() < 2)?;
    let (landings, directions, crowned_in_passing) = (smallvec![mv.to], smallvec![direction], mv.crowned_in_passing);
    Some(Sequence { from: mv.from, landings, captured, directions, by_king, crowned_in_passing })
}

/// Returns the `captures` that [`RuleSet::precedence`] allows.
pub fn best_captures(spec: &RuleSet, setup: &Setup, mut captures: Vec<Sequence>) -> Vec<Sequence> {
    let is_king = |square: &Square| setup.pieces.get(square).is_some_and(|piece| piece.king);
    let kings = |capture: &Sequence| capture.captured.iter().filter(|square| is_king(square)).count();
    match spec.precedence {
        Precedence::Free => {}
        Precedence::MostPieces => keep_greatest(&mut captures, |capture| capture.captured.len()),
        Precedence::MostPiecesMostKings => {
            keep_greatest(&mut captures, |capture| capture.captured.len());
            keep_greatest(&mut captures, kings);
        }
        Precedence::KingFirst => keep_greatest(&mut captures, |capture| capture.by_king),
        Precedence::Value => {
            // A king is worth slightly less than two men. The differences never add up to half a man.
            let doubled = |capture: &Sequence| capture.captured.len() + kings(capture);
            keep_greatest(&mut captures, |capture| doubled(capture) * 1000 - kings(capture));
            keep_greatest(&mut captures, |capture| capture.by_king);
        }
        Precedence::Italian => {
            keep_greatest(&mut captures, |capture| capture.captured.len());
            keep_greatest(&mut captures, |capture| capture.by_king);
            keep_greatest(&mut captures, kings);
            keep_greatest(&mut captures, |capture| capture.captured.iter().map(is_king).collect::<Vec<_>>());
        }
    }
    captures
}

fn keep_greatest<K: Ord>(captures: &mut Vec<Sequence>, value: impl Fn(&Sequence) -> K) {
    if let Some(greatest) = captures.iter().map(&value).max() {
        captures.retain(|capture| value(capture) == greatest);
    }
}

fn own_pieces(setup: &Setup) -> impl Iterator<Item = (Square, Piece)> {
    setup.pieces.iter().map(|(&square, &piece)| (square, piece)).filter(|(_, piece)| piece.color == setup.side)
}

/// Returns the squares on which a flying king can land after it has captured the piece at `index` of `sequence`,
/// including those from which it could not continue the capture.
pub fn landings(spec: &RuleSet, setup: &Setup, sequence: &Sequence, index: usize) -> Vec<Square> {
    let (Some(&target), Some(&direction)) = (sequence.captured.get(index), sequence.directions.get(index)) else {
        return Vec::new();
    };
    let is_free = |square: &Square| *square == sequence.from || !setup.pieces.contains_key(square);
    ray(spec, target, direction).take_while(is_free).collect()
}

fn ray(spec: &RuleSet, from: Square, direction: Direction) -> impl Iterator<Item = Square> {
    let shape = spec.shape;
    std::iter::successors(shape.neighbour(from, direction), move |&square| shape.neighbour(square, direction))
}

/// Adds every completion of the capture `so_far` to `found`. Returns whether another piece can be captured.
fn extend(spec: &RuleSet, setup: &Setup, piece: Piece, so_far: &Sequence, found: &mut Vec<Sequence>) -> bool {
    let mut so_far = Cow::Borrowed(so_far);
    let mut piece = Piece { king: piece.king || so_far.crowned_in_passing, ..piece };
    let row = spec.shape.row(so_far.to());
    let crowned = !piece.king && !so_far.captured.is_empty() && row == spec.far_row(piece.color);
    if crowned && spec.promotion == Promotion::EndsMove {
        return false;
    }
    if crowned && spec.promotion == Promotion::Passing {
        piece.king = true;
        so_far.to_mut().crowned_in_passing = true;
    }
    let mut extended = false;
    for direction in Direction::ALL {
        let may_capture =
            if piece.king { spec.captures.contains(direction) } else { spec.man_captures(piece.color, direction) };
        let turns_back = so_far.directions.last().is_some_and(|last| last.opposite() == direction);
        if !may_capture || (turns_back && !spec.may_reverse) {
            continue;
        }
        let Some((target, landings)) = next_target(spec, setup, piece, &so_far, direction) else { continue };
        extended = true;
        let king_taken = setup.pieces.get(&target).is_some_and(|victim| victim.king);
        let steps: Vec<Sequence> = landings
            .into_iter()
            .map(|landing| {
                let mut next = Sequence::clone(&so_far);
                next.landings.push(landing);
                next.captured.push(target);
                next.directions.push(direction);
                next.crowned_in_passing |= spec.regicide && !piece.king && king_taken;
                next
            })
            .collect();
        // The capture must continue if it can continue from any landing square behind the captured piece.
        let continues = steps.iter().fold(false, |any, step| extend(spec, setup, piece, step, found) | any);
        if !continues {
            let stops_behind = spec.landing == Landing::BehindLastKing && piece.king && king_taken;
            let ends = if stops_behind { 1 } else { steps.len() };
            found.extend(steps.into_iter().take(ends));
        }
    }
    extended
}

fn next_target(
    spec: &RuleSet,
    setup: &Setup,
    piece: Piece,
    so_far: &Sequence,
    direction: Direction,
) -> Option<(Square, Vec<Square>)> {
    let flies = piece.king && spec.flying_kings;
    let is_gone = |square: &Square| spec.removal == Removal::AtOnce && so_far.captured.contains(square);
    // The capturing piece is lifted from the board, so its origin is empty during the capture.
    let piece_on = |square: &Square| setup.pieces.get(square).filter(|_| *square != so_far.from);
    let is_empty = |square: &Square| piece_on(square).is_none() || is_gone(square);
    let mut line = ray(spec, so_far.to(), direction);
    let target = if flies { line.find(|square| !is_empty(square))? } else { line.next()? };
    let victim = piece_on(&target)?;
    let may_take = victim.color != piece.color
        && !so_far.captured.contains(&target)
        && (piece.king || !victim.king || spec.men_capture_kings);
    let reach = if flies && spec.landing != Landing::Behind { usize::MAX } else { 1 };
    let landings: Vec<Square> = line.take_while(is_empty).take(reach).collect();
    (may_take && !landings.is_empty()).then_some((target, landings))
}

/// Returns the position after the legal move `sequence`.
pub fn after(spec: &RuleSet, setup: &Setup, sequence: &Sequence) -> Setup {
    let mut next = setup.clone();
    let moved = next.pieces.remove(&sequence.from);
    for square in &sequence.captured {
        next.pieces.remove(square);
    }
    if let Some(piece) = moved {
        let crowned = sequence.crowned_in_passing || spec.shape.row(sequence.to()) == spec.far_row(piece.color);
        next.pieces.insert(sequence.to(), Piece { king: piece.king || crowned, ..piece });
    }
    // A sideways step does not bring a man closer to promotion.
    let sideways = spec.shape.row(sequence.from) == spec.shape.row(sequence.to());
    let quiet = (sequence.by_king || sideways) && sequence.captured.is_empty();
    next.quiet_plies = if quiet { setup.quiet_plies.saturating_add(1) } else { 0 };
    next.move_number = setup.move_number.saturating_add(u16::from(setup.side != spec.starts));
    next.king_runs = king_runs_after(spec, setup, &next, sequence);
    next.side = setup.side.opponent();
    next
}

fn king_runs_after(spec: &RuleSet, setup: &Setup, next: &Setup, sequence: &Sequence) -> [Option<KingRun>; 2] {
    let mut runs = setup.king_runs;
    let own = setup.side as usize;
    let before = runs[own].filter(|run| run.square == sequence.from).map_or(0, |run| run.moves);
    let is_king_move = sequence.by_king && sequence.captured.is_empty() && spec.king_moves.is_some();
    runs[own] = is_king_move.then_some(KingRun { square: sequence.to(), moves: before + 1 });
    for color in [Color::White, Color::Black] {
        let has_men = next.pieces.values().any(|piece| *piece == Piece { color, king: false });
        let run = &mut runs[color as usize];
        *run = run.filter(|run| has_men && next.pieces.contains_key(&run.square));
    }
    runs
}
