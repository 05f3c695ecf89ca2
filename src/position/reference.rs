//! The slow and obvious move generator.
//!
//! It works square by square on a [`Setup`] with the [`RuleSet`] read at run time, and finds whole capture sequences:
//! every landing square and every piece taken, in order. It shares no code with the fast generator, which is tested
//! against it, and it serves where a person is told about moves: in notation, and to say why a move is refused.

use super::{Piece, Setup};
use crate::board::{Direction, Square};
use crate::rules::{Color, Precedence, Promotion, RuleSet};
use std::collections::HashSet;

/// A move with its whole way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sequence {
    /// The square that the piece leaves.
    pub from: Square,
    /// The squares where it lands, one for each piece taken, the last one being where it comes to rest. Where the way
    /// goes straight on, the landing square is the one right behind the piece taken.
    pub landings: Vec<Square>,
    /// The pieces taken, in order; none in a quiet move.
    pub captured: Vec<Square>,
    /// Whether a king moves.
    pub by_king: bool,
}

impl Sequence {
    /// The square where the piece comes to rest.
    pub fn to(&self) -> Square {
        self.landings.last().copied().unwrap_or(self.from)
    }

    /// Whether both take the same piece to the same square and capture the same pieces, in whatever order.
    pub fn same_move(&self, other: &Self) -> bool {
        let taken = |sequence: &Self| sequence.captured.iter().copied().collect::<HashSet<_>>();
        self.from == other.from && self.to() == other.to() && taken(self) == taken(other)
    }
}

/// Every legal move of `setup`, captures by every way.
pub fn legal_sequences(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    let captures = captures(spec, setup);
    if captures.is_empty() { quiet_moves(spec, setup) } else { best_captures(spec, setup, captures) }
}

/// The moves of [`legal_sequences`] with captures of the same pieces by another way left out.
pub fn legal_moves(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    let mut moves: Vec<Sequence> = Vec::new();
    for sequence in legal_sequences(spec, setup) {
        if !moves.iter().any(|known| known.same_move(&sequence)) {
            moves.push(sequence);
        }
    }
    moves
}

/// The moves without a capture that the pieces could make if there were no captures.
pub fn quiet_moves(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    let mut moves = Vec::new();
    for (from, piece) in own_pieces(setup) {
        for direction in Direction::ALL {
            if !piece.king && !piece.color.forward().contains(&direction) {
                continue;
            }
            let reach = if piece.king && spec.flying_kings { usize::MAX } else { 1 };
            let free = ray(spec, from, direction).take_while(|square| !setup.pieces.contains_key(square));
            moves.extend(free.take(reach).map(|to| Sequence {
                from,
                landings: vec![to],
                captured: Vec::new(),
                by_king: piece.king,
            }));
        }
    }
    moves
}

/// Every capture that is played to its end, before the rule that chooses among captures.
pub fn captures(spec: &RuleSet, setup: &Setup) -> Vec<Sequence> {
    let mut found = Vec::new();
    for (from, piece) in own_pieces(setup) {
        // The piece is lifted: its square is empty during the capture.
        let mut others = setup.clone();
        others.pieces.remove(&from);
        let start = Sequence { from, landings: Vec::new(), captured: Vec::new(), by_king: piece.king };
        extend(spec, &others, piece, &start, &mut found);
    }
    // A king that goes straight on may be thought to stop on any square in between: that is one way.
    let mut seen = HashSet::new();
    found.retain(|sequence| seen.insert((sequence.from, sequence.to(), sequence.captured.clone())));
    found
}

/// Those of `captures` that the rules let a player choose from.
pub fn best_captures(spec: &RuleSet, setup: &Setup, mut captures: Vec<Sequence>) -> Vec<Sequence> {
    let is_king = |square: &Square| setup.pieces.get(square).is_some_and(|piece| piece.king);
    match spec.precedence {
        Precedence::Free => {}
        Precedence::MostPieces => keep_greatest(&mut captures, |capture| capture.captured.len()),
        Precedence::Italian => {
            keep_greatest(&mut captures, |capture| capture.captured.len());
            keep_greatest(&mut captures, |capture| capture.by_king);
            keep_greatest(&mut captures, |capture| capture.captured.iter().filter(|s| is_king(s)).count());
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

/// The squares from `from` in `direction` up to the edge, without `from`.
fn ray(spec: &RuleSet, from: Square, direction: Direction) -> impl Iterator<Item = Square> {
    let shape = spec.shape;
    std::iter::successors(shape.neighbour(from, direction), move |&square| shape.neighbour(square, direction))
}

/// Adds to `found` every way in which `piece` can end the capture that has come as far as `so_far`.
/// Returns whether it can take one more piece.
fn extend(spec: &RuleSet, others: &Setup, piece: Piece, so_far: &Sequence, found: &mut Vec<Sequence>) -> bool {
    let at = so_far.to();
    let row = spec.shape.row(at);
    let crowned = !piece.king && !so_far.captured.is_empty() && row == spec.promotion_row(piece.color);
    if crowned && spec.promotion == Promotion::EndsMove {
        return false;
    }
    let mut extended = false;
    for direction in Direction::ALL {
        if !piece.king && !spec.men_capture_backward && !piece.color.forward().contains(&direction) {
            continue;
        }
        let Some((prey, landings)) = next_prey(spec, others, piece, so_far, direction) else { continue };
        extended = true;
        let steps: Vec<Sequence> = landings
            .into_iter()
            .map(|landing| {
                let mut next = so_far.clone();
                next.landings.push(landing);
                next.captured.push(prey);
                next
            })
            .collect();
        // The capture must go on if any square behind the piece allows it.
        let goes_on = steps.iter().fold(false, |any, step| extend(spec, others, piece, step, found) | any);
        if !goes_on {
            found.extend(steps);
        }
    }
    extended
}

/// The piece that can be taken next in `direction`, and the squares behind it.
fn next_prey(
    spec: &RuleSet,
    others: &Setup,
    piece: Piece,
    so_far: &Sequence,
    direction: Direction,
) -> Option<(Square, Vec<Square>)> {
    let flies = piece.king && spec.flying_kings;
    let is_empty = |square: &Square| !others.pieces.contains_key(square);
    let mut way = ray(spec, so_far.to(), direction);
    let prey = if flies { way.find(|square| !is_empty(square))? } else { way.next()? };
    let victim = others.pieces.get(&prey)?;
    let may_take = victim.color != piece.color
        && !so_far.captured.contains(&prey)
        && (piece.king || !victim.king || spec.men_capture_kings);
    let reach = if flies { usize::MAX } else { 1 };
    let landings: Vec<Square> = way.take_while(is_empty).take(reach).collect();
    (may_take && !landings.is_empty()).then_some((prey, landings))
}

/// The set-up after `sequence`, one of the legal ones.
pub fn after(spec: &RuleSet, setup: &Setup, sequence: &Sequence) -> Setup {
    let mut next = setup.clone();
    let moved = next.pieces.remove(&sequence.from);
    for square in &sequence.captured {
        next.pieces.remove(square);
    }
    if let Some(piece) = moved {
        let crowned = spec.shape.row(sequence.to()) == spec.promotion_row(piece.color);
        next.pieces.insert(sequence.to(), Piece { king: piece.king || crowned, ..piece });
    }
    let quiet = sequence.by_king && sequence.captured.is_empty();
    next.quiet_plies = if quiet { setup.quiet_plies.saturating_add(1) } else { 0 };
    next.move_number = setup.move_number.saturating_add(u16::from(setup.side != spec.starts));
    next.side = match setup.side {
        Color::White => Color::Black,
        Color::Black => Color::White,
    };
    next
}
