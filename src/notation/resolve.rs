//! Finds the legal move that a written move denotes, or the reason why it is illegal. Most reasons are found by
//! checking which rule would have to be dropped to make the move legal.

use super::moves::{WrittenPath, bitboard_move, full_path, one_path_each, places};
use super::{MoveRecord, SquareError, SquareName};
use crate::board::Square;
use crate::position::paths::{Sequence, best_captures, captures, landings, legal_sequences, quiet_moves, stops};
use crate::position::{Move, Piece, Position, Setup};
use crate::rules::{Landing, Precedence, RuleSet, Word};
use std::borrow::Cow;
use std::collections::HashSet;

const MAX_LISTED: usize = 3;

/// Why a written move is illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// A square name does not denote a playable square of the board.
    #[error("{}", match .0 {
        SquareError::OffBoard { name, width, height } => format!("no square {name} on the {width}x{height} board"),
        SquareError::Light(_) => .0.to_string(),
    })]
    Square(#[from] SquareError),
    /// The side to move does not have a legal move.
    #[error("no legal move")]
    NoLegalMove,
    /// The origin is empty or is occupied by a piece of the opponent.
    #[error("no piece of the side to move on {0}")]
    NoPiece(SquareName),
    /// The destination is occupied.
    #[error("{0} is occupied")]
    Occupied(SquareName),
    /// The move is ambiguous. The strings are the legal moves that it can mean.
    #[error("ambiguous: {}", choice(.0))]
    Ambiguous(Vec<String>),
    /// A capture is compulsory. The strings are the legal captures.
    #[error("a capture is compulsory: {}", choice(.0))]
    CaptureCompulsory(Vec<String>),
    /// The capture ends too early. The string is the legal capture that continues it.
    #[error("the capture must continue: {0}")]
    MustContinue(String),
    /// A capture of more pieces is compulsory. The number is how many pieces must be captured.
    #[error("must capture {0} pieces")]
    MustTakePieces(usize),
    /// A capture with a king takes precedence over this capture with a man.
    #[error("must capture with a king")]
    MustTakeWithKing,
    /// A capture of higher value takes precedence. The string is that capture.
    #[error("must capture pieces of higher value: {0}")]
    MustTakeMoreValue(String),
    /// A capture of the same number of pieces takes precedence because it captures more kings. The number is how many
    /// kings must be captured.
    #[error("must capture {}", if *.0 == 1 { "a king".to_owned() } else { format!("{} kings", .0) })]
    MustTakeKings(usize),
    /// A capture of the same number of kings takes precedence because it captures a king earlier.
    #[error("must capture a king sooner")]
    MustTakeKingSooner,
    /// A man cannot capture a king in this variant.
    #[error("a man cannot capture a king")]
    ManTakesKing,
    /// A man cannot capture backwards in this variant.
    #[error("a man cannot capture backwards")]
    ManTakesBackwards,
    /// A man cannot move backwards.
    #[error("a man cannot move backwards")]
    ManMovesBackwards,
    /// In this variant, the capturing king must stop directly behind the last captured piece. The string is the legal
    /// capture.
    #[error("the king must stop directly behind the last captured piece: {0}")]
    MustStopBehind(String),
    /// The move is written as a capture, but it is a legal move that captures nothing. The squares are the origin and
    /// the destination.
    #[error("{0}-{1} does not capture a piece")]
    TakesNothing(SquareName, SquareName),
    /// The piece can reach this square only by a different path. The strings are the legal moves.
    #[error("the path to {to} is {moves}", to = .0, moves = choice(.1))]
    OtherPath(SquareName, Vec<String>),
    /// The king on this square has already made the maximum number of consecutive moves, which is the second value. The
    /// limit applies while its side has men.
    #[error("the king on {0} has made {1} moves in a row; a different piece must move")]
    KingMustWait(SquareName, u8),
    /// The piece on this square has no legal move.
    #[error("the piece on {0} cannot move")]
    CannotMove(SquareName),
    /// The piece on the first square can move, but cannot reach the second square.
    #[error("the piece on {0} cannot reach {1}")]
    CannotReach(SquareName, SquareName),
}

fn choice(moves: &[String]) -> String {
    let more = (moves.len() > MAX_LISTED).then_some("...");
    moves.iter().take(MAX_LISTED).map(String::as_str).chain(more).collect::<Vec<_>>().join(" or ")
}

/// Returns the legal move in `position` that `record` denotes. Errors use `spec`'s notation.
pub fn legal_move<W: Word>(
    spec: &RuleSet,
    position: &Position<W>,
    record: &MoveRecord,
) -> Result<Move<W>, IllegalMove> {
    match only_move_between(spec, position, record) {
        Some(mv) if mv.is_capture() || !record.capture => Ok(mv),
        _ => Ok(bitboard_move(&resolve(spec, &position.to_setup(1), record)?)),
    }
}

/// Returns the only legal move between the two squares of `record`. Returns `None` if `record` has more than two
/// squares, or if there is not exactly one such move. The separator of the record is ignored.
///
/// This is a fast path, because every `position` command replays a whole game, and [`resolve`] is slow.
pub(super) fn only_move_between<W: Word>(
    spec: &RuleSet,
    position: &Position<W>,
    record: &MoveRecord,
) -> Option<Move<W>> {
    let [to] = record.path.as_slice() else { return None };
    let (from, to) = (record.from.resolve(spec).ok()?, to.resolve(spec).ok()?);
    let moves = position.legal_moves();
    let mut candidates = moves.iter().filter(|mv| mv.from == from && mv.to == to);
    let only = *candidates.next()?;
    candidates.next().is_none().then_some(only)
}

/// Returns the legal move in `setup` that `record` denotes. The record may contain the full path, be in Hub form, or
/// contain only the origin, the destination and any of the squares in between. If several paths of the same move match,
/// the result is the path that [`printed_moves`](super::printed_moves) returns.
pub fn resolve(spec: &RuleSet, setup: &Setup, record: &MoveRecord) -> Result<Sequence, IllegalMove> {
    let legal = legal_sequences(spec, setup);
    let attempt = WrittenPath::new(spec, &*completed(spec, record, &legal)?)?;
    let moves = one_path_each(spec, attempt.matching(&legal));
    match moves.as_slice() {
        [] => Err(explain(spec, setup, &attempt, &legal)),
        [only] => Ok(only.clone()),
        several => Err(IllegalMove::Ambiguous(several.iter().map(|sequence| full_path(spec, sequence)).collect())),
    }
}

/// Returns `record` with the rank of its origin filled in if only the file is written, as in `cd4`.
pub(super) fn completed<'a>(
    spec: &RuleSet,
    record: &'a MoveRecord,
    legal: &[Sequence],
) -> Result<Cow<'a, MoveRecord>, IllegalMove> {
    let SquareName::Algebraic { file, rank: 0 } = record.from else { return Ok(Cow::Borrowed(record)) };
    let with = |rank| MoveRecord { from: SquareName::Algebraic { file, rank }, ..record.clone() };
    let means = |record: &MoveRecord| WrittenPath::new(spec, record).is_ok_and(|attempt| attempt.matches_any(legal));
    let mut found = (1..=spec.shape.height).map(with).filter(means);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(Cow::Owned(only)),
        (Some(one), Some(other)) => Err(IllegalMove::Ambiguous(vec![one.to_string(), other.to_string()])),
        (None, _) => Err(IllegalMove::CannotReach(record.from, *record.path.last().unwrap_or(&record.from))),
    }
}

pub(super) fn explain(spec: &RuleSet, setup: &Setup, attempt: &WrittenPath<'_>, legal: &[Sequence]) -> IllegalMove {
    let from = spec.square_name(attempt.from);
    let to = attempt.to(setup);
    let Some(best) = legal.first() else { return IllegalMove::NoLegalMove };
    let own = setup.pieces.get(&attempt.from).filter(|piece| piece.color == setup.side);
    let Some(&piece) = own else { return IllegalMove::NoPiece(from) };
    let to_name = spec.square_name(to);
    if to != attempt.from && setup.pieces.contains_key(&to) {
        return IllegalMove::Occupied(to_name);
    }
    let takes = spec.compulsory && !best.captured.is_empty();
    let printed = |sequences: Vec<Sequence>| {
        one_path_each(spec, sequences).iter().map(|sequence| full_path(spec, sequence)).collect::<Vec<_>>()
    };
    let own_moves = |mut moves: Vec<Sequence>| {
        moves.retain(|sequence| sequence.from == attempt.from);
        moves
    };
    let possible_captures = own_moves(captures(spec, setup));
    let possible_quiet = own_moves(quiet_moves(spec, setup));
    let unsigned = WrittenPath { spec, from: attempt.from, path: attempt.path.clone(), capture: false };
    let short = WrittenPath { spec, from: attempt.from, path: vec![to], capture: attempt.capture };

    if let Some(reason) = rejected_capture(spec, setup, attempt, &possible_captures, legal) {
        return reason;
    }
    if unsigned.matches_any(&possible_quiet) {
        return if takes {
            IllegalMove::CaptureCompulsory(printed(legal.to_vec()))
        } else {
            IllegalMove::TakesNothing(from, to_name)
        };
    }
    if !takes && let Some(reason) = barred_king(spec, setup, &unsigned) {
        return reason;
    }
    if let Some(reason) = beyond_a_man(spec, setup, &unsigned, piece) {
        return reason;
    }
    if let Some(reason) = beyond_the_last_piece(spec, setup, &unsigned, legal) {
        return reason;
    }
    let other_paths = short.matching(legal);
    if !other_paths.is_empty() {
        IllegalMove::OtherPath(to_name, printed(other_paths))
    } else if takes && !attempt.capture {
        IllegalMove::CaptureCompulsory(printed(legal.to_vec()))
    } else if possible_captures.is_empty() && possible_quiet.is_empty() {
        IllegalMove::CannotMove(from)
    } else {
        IllegalMove::CannotReach(from, to_name)
    }
}

fn rejected_capture(
    spec: &RuleSet,
    setup: &Setup,
    attempt: &WrittenPath<'_>,
    possible: &[Sequence],
    legal: &[Sequence],
) -> Option<IllegalMove> {
    let refused = |tried: Vec<Sequence>| {
        let tried = best_captures(spec, setup, tried);
        Some(preferred(spec, setup, tried.first()?, legal.first()?))
    };
    if let Some(reason) = refused(attempt.matching(possible)) {
        return Some(reason);
    }
    let begun = legal.iter().filter(|sequence| means_beginning(attempt, setup, sequence));
    if let Some(sequence) = begun.min_by_key(|sequence| places(spec, &sequence.landings)) {
        return Some(IllegalMove::MustContinue(full_path(spec, sequence)));
    }
    refused(possible.iter().filter(|sequence| means_beginning(attempt, setup, sequence)).cloned().collect())
}

fn means_beginning(attempt: &WrittenPath<'_>, setup: &Setup, sequence: &Sequence) -> bool {
    let flies = sequence.by_king && attempt.spec.flying_kings && attempt.capture;
    let mut stops = stops(attempt.spec, sequence);
    for (index, stops) in stops.iter_mut().enumerate().filter(|_| flies) {
        stops.extend(landings(attempt.spec, setup, sequence, index));
    }
    let counts = (1..sequence.captured.len()).zip(&stops);
    let mut beginnings = counts.flat_map(|(count, stops)| {
        stops.iter().map(move |&stop| Sequence {
            landings: sequence.landings.iter().take(count - 1).copied().chain([stop]).collect(),
            captured: sequence.captured.iter().take(count).copied().collect(),
            ..sequence.clone()
        })
    });
    beginnings.any(|beginning| attempt.matches_any(&[beginning]))
}

fn preferred(spec: &RuleSet, setup: &Setup, tried: &Sequence, best: &Sequence) -> IllegalMove {
    let is_king = |square: &Square| setup.pieces.get(square).is_some_and(|piece| piece.king);
    let kings = |sequence: &Sequence| sequence.captured.iter().filter(|square| is_king(square)).count();
    let is_more = best.captured.len() > tried.captured.len();
    let takes_the_same = (best.captured.len(), kings(best)) == (tried.captured.len(), kings(tried));
    match spec.precedence {
        Precedence::KingFirst => IllegalMove::MustTakeWithKing,
        Precedence::Value if takes_the_same => IllegalMove::MustTakeWithKing,
        Precedence::Value => IllegalMove::MustTakeMoreValue(full_path(spec, best)),
        _ if is_more => IllegalMove::MustTakePieces(best.captured.len()),
        Precedence::Italian if best.by_king && !tried.by_king => IllegalMove::MustTakeWithKing,
        _ if kings(best) > kings(tried) => IllegalMove::MustTakeKings(kings(best)),
        _ => IllegalMove::MustTakeKingSooner,
    }
}

fn barred_king(spec: &RuleSet, setup: &Setup, attempt: &WrittenPath<'_>) -> Option<IllegalMove> {
    let moves = spec.king_moves.filter(|_| setup.barred_king(spec) == Some(attempt.from))?;
    let otherwise_possible = quiet_moves(&RuleSet { king_moves: None, ..*spec }, setup);
    let square = spec.square_name(attempt.from);
    attempt.matches_any(&otherwise_possible).then_some(IllegalMove::KingMustWait(square, moves))
}

fn beyond_a_man(spec: &RuleSet, setup: &Setup, attempt: &WrittenPath<'_>, piece: Piece) -> Option<IllegalMove> {
    if piece.king {
        return None;
    }
    let takes_by = |rules: RuleSet| {
        let possible = captures(&rules, setup);
        attempt.matches_any(&possible) || possible.iter().any(|sequence| means_beginning(attempt, setup, sequence))
    };
    if takes_by(RuleSet { men_capture_kings: true, ..*spec }) {
        return Some(IllegalMove::ManTakesKing);
    }
    if takes_by(RuleSet { men_capture_backward: true, ..*spec }) {
        return Some(IllegalMove::ManTakesBackwards);
    }
    let mut as_king = setup.clone();
    as_king.pieces.insert(attempt.from, Piece { king: true, ..piece });
    let steps = quiet_moves(&RuleSet { flying_kings: false, ..*spec }, &as_king);
    attempt.matches_any(&steps).then_some(IllegalMove::ManMovesBackwards)
}

fn beyond_the_last_piece(
    spec: &RuleSet,
    setup: &Setup,
    attempt: &WrittenPath<'_>,
    legal: &[Sequence],
) -> Option<IllegalMove> {
    if spec.landing == Landing::Anywhere {
        return None;
    }
    let flying_on = attempt.matching(&captures(&RuleSet { landing: Landing::Anywhere, ..*spec }, setup));
    let captured = |sequence: &Sequence| sequence.captured.iter().copied().collect::<HashSet<_>>();
    let meant = legal.iter().find(|sequence| {
        sequence.from == attempt.from && flying_on.iter().any(|possible| captured(possible) == captured(sequence))
    })?;
    Some(IllegalMove::MustStopBehind(full_path(spec, meant)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_few_moves_are_listed() {
        let listed = |count| {
            let moves = ["1-5", "1-6", "1-7", "1-8"].into_iter().take(count).map(String::from).collect();
            IllegalMove::Ambiguous(moves).to_string()
        };
        assert_eq!(listed(2), "ambiguous: 1-5 or 1-6");
        assert_eq!(listed(3), "ambiguous: 1-5 or 1-6 or 1-7");
        assert_eq!(listed(4), "ambiguous: 1-5 or 1-6 or 1-7 or ...");
    }
}
