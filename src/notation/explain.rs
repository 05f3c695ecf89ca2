//! Finds out why a move is not legal, mostly by asking which rule would have to be dropped to make it legal.

use super::IllegalMove;
use super::attempt::Attempt;
use super::move_text::{full_path, one_way_each, places};
use crate::board::Square;
use crate::position::reference::{Sequence, best_captures, captures, quiet_moves, stops};
use crate::position::{Piece, Setup};
use crate::rules::{Precedence, RuleSet};

/// Why `attempt`, which means none of the `legal` moves of `setup`, cannot be played.
pub(super) fn explain(spec: &RuleSet, setup: &Setup, attempt: &Attempt<'_>, legal: &[Sequence]) -> IllegalMove {
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
    let printed =
        |ways: Vec<Sequence>| one_way_each(spec, ways).iter().map(|way| full_path(spec, way)).collect::<Vec<_>>();
    let own_moves = |mut moves: Vec<Sequence>| {
        moves.retain(|way| way.from == attempt.from);
        moves
    };
    let possible_captures = own_moves(captures(spec, setup));
    let possible_quiet = own_moves(quiet_moves(spec, setup));
    let unsigned = Attempt { spec, from: attempt.from, path: attempt.path.clone(), capture: false };
    let short = Attempt { spec, from: attempt.from, path: vec![to], capture: attempt.capture };

    if let Some(reason) = refused_capture(spec, setup, attempt, &possible_captures, legal) {
        return reason;
    }
    if unsigned.means_one_of(&possible_quiet) {
        return if takes {
            IllegalMove::CaptureCompulsory(printed(legal.to_vec()))
        } else {
            IllegalMove::TakesNothing { from, to: to_name }
        };
    }
    if !takes && let Some(reason) = barred_king(spec, setup, &unsigned) {
        return reason;
    }
    if let Some(reason) = beyond_a_man(spec, setup, &unsigned, piece) {
        return reason;
    }
    let other_ways = short.meant(legal);
    if !other_ways.is_empty() {
        IllegalMove::OtherWay { to: to_name, moves: printed(other_ways) }
    } else if takes && !attempt.capture {
        IllegalMove::CaptureCompulsory(printed(legal.to_vec()))
    } else if possible_captures.is_empty() && possible_quiet.is_empty() {
        IllegalMove::CannotMove(from)
    } else {
        IllegalMove::CannotReach { from, to: to_name }
    }
}

/// Why a capture that the piece can make, or the beginning of one, is not legal.
fn refused_capture(
    spec: &RuleSet,
    setup: &Setup,
    attempt: &Attempt<'_>,
    possible: &[Sequence],
    legal: &[Sequence],
) -> Option<IllegalMove> {
    let refused = |tried: Vec<Sequence>| {
        let tried = best_captures(spec, setup, tried);
        Some(preferred(spec, setup, tried.first()?, legal.first()?))
    };
    if let Some(reason) = refused(attempt.meant(possible)) {
        return Some(reason);
    }
    let begun = legal.iter().filter(|way| means_beginning(attempt, way));
    if let Some(way) = begun.min_by_key(|way| places(spec, &way.landings)) {
        return Some(IllegalMove::MustGoOn(full_path(spec, way)));
    }
    refused(possible.iter().filter(|way| means_beginning(attempt, way)).cloned().collect())
}

/// Whether `attempt` means the capture `way`, stopped before its end.
fn means_beginning(attempt: &Attempt<'_>, way: &Sequence) -> bool {
    let stops = stops(attempt.spec, way);
    let counts = (1..way.captured.len()).zip(&stops);
    let mut beginnings = counts.flat_map(|(count, stops)| {
        stops.iter().map(move |&stop| Sequence {
            landings: way.landings.iter().take(count - 1).copied().chain([stop]).collect(),
            captured: way.captured.iter().take(count).copied().collect(),
            ..way.clone()
        })
    });
    beginnings.any(|beginning| attempt.means_one_of(&[beginning]))
}

/// What the rules prefer in the capture `best` to the capture `tried`.
fn preferred(spec: &RuleSet, setup: &Setup, tried: &Sequence, best: &Sequence) -> IllegalMove {
    let is_king = |square: &Square| setup.pieces.get(square).is_some_and(|piece| piece.king);
    let kings = |way: &Sequence| way.captured.iter().filter(|square| is_king(square)).count();
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

/// Whether `attempt` moves a king that has used up its moves in a row.
fn barred_king(spec: &RuleSet, setup: &Setup, attempt: &Attempt<'_>) -> Option<IllegalMove> {
    let moves = spec.king_moves.filter(|_| setup.barred_king(spec) == Some(attempt.from))?;
    let otherwise_possible = quiet_moves(&RuleSet { king_moves: None, ..*spec }, setup);
    let square = spec.square_name(attempt.from);
    attempt.means_one_of(&otherwise_possible).then_some(IllegalMove::KingMustWait { square, moves })
}

/// What `piece` tries to do that a man may not.
fn beyond_a_man(spec: &RuleSet, setup: &Setup, attempt: &Attempt<'_>, piece: Piece) -> Option<IllegalMove> {
    if piece.king {
        return None;
    }
    let takes_by = |rules: RuleSet| {
        let possible = captures(&rules, setup);
        attempt.means_one_of(&possible) || possible.iter().any(|way| means_beginning(attempt, way))
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
    attempt.means_one_of(&steps).then_some(IllegalMove::ManMovesBackwards)
}
