//! The move that is played from a book.

use super::{Book, BookMove, BookScore, key, ordered_moves};
use crate::game::{Game, Move};
use crate::position::Status;
use fastrand::Rng;

/// Moves of each side before a draw by count from which on the scores of a book, which knows no counts, mean nothing.
const NEAR_DRAW: u16 = 8;

/// A move that a book has in a position, which does not lose by the rules there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The record of the book. Its score is at most a draw if the rules draw the game after it.
    pub record: BookMove,
}

/// Returns the moves of `book` in the current position of `game` that may be played there, the best one first. None lose by the book
/// or by the rules at once, and where a draw by count is near there are none.
pub fn candidates(book: &Book, game: &Game) -> Vec<Candidate> {
    let Status::Playing { countdown } = game.status() else { return Vec::new() };
    if countdown.is_some_and(|moves| moves <= NEAR_DRAW) {
        return Vec::new();
    }
    let records = book.moves(key(game));
    if records.is_empty() {
        return Vec::new();
    }
    let moves = ordered_moves(game);
    let mut found: Vec<_> = records.iter().filter_map(|record| candidate(game, &moves, record)).collect();
    found.sort_by_key(|candidate| std::cmp::Reverse((candidate.record.score, candidate.record.weight)));
    found
}

fn candidate(game: &Game, moves: &[Move], record: &BookMove) -> Option<Candidate> {
    let mv = *moves.get(usize::from(record.index))?;
    let mut after = game.clone();
    // A king that has moved too often in a row may not.
    let is_played = after.play(mv);
    if !is_played || record.score.is_lost() {
        return None;
    }
    let is_drawn = match after.status() {
        Status::Won { winner, .. } if winner != game.side() => return None,
        Status::Won { .. } => false,
        Status::Drawn(_) => true,
        // The other side may draw with its reply.
        Status::Playing { .. } => {
            let mut is_drawn = false;
            for reply in after.legal_moves() {
                after.play(reply);
                match after.status() {
                    Status::Won { winner, .. } if winner != game.side() => return None,
                    Status::Drawn(_) => is_drawn = true,
                    _ => {}
                }
                after.undo();
            }
            is_drawn
        }
    };
    let score = if is_drawn && record.score.is_known() { record.score.min(BookScore::DRAW) } else { record.score };
    Some(Candidate { mv, record: BookMove { score, ..*record } })
}

/// Returns the score that the side to move in `game` had by `book` where the game began, or that of a draw if it is not in the book there.
pub fn first_score(book: &Book, game: &Game) -> BookScore {
    let mut first = game.clone();
    while first.undoable() > 0 {
        first.undo();
    }
    let scores = book.moves(key(&first)).into_iter().map(|record| record.score);
    let best = scores.filter(|score| score.is_known()).max().unwrap_or(BookScore::DRAW);
    if first.side() == game.side() { best } else { best.before() }
}

/// Chooses one of `candidates`, which are sorted, among those whose score is within `margin` of the best one, in 1/100 man, and of `first`,
/// the [`first_score`]: by chance, in proportion to their weights. Where no score is known, weights alone count; a move without weight is
/// never chosen.
pub fn choose(candidates: &[Candidate], margin: u32, first: BookScore, seed: u64) -> Option<Candidate> {
    let best = candidates.first()?.record.score;
    let is_near = |candidate: &&Candidate| {
        let record = &candidate.record;
        // What each move gives up would add up: the margin is that of all moves together.
        let is_affordable = record.score >= best || first.falls_to(record.score) <= margin;
        let is_within = record.score.is_known() == best.is_known() && best.falls_to(record.score) <= margin;
        record.weight > 0 && is_within && is_affordable
    };
    let near: Vec<_> = candidates.iter().filter(is_near).collect();
    let sum: u64 = near.iter().map(|candidate| u64::from(candidate.record.weight)).sum();
    if sum == 0 {
        return None;
    }
    let mut drawn = Rng::with_seed(seed).u64(..sum);
    near.into_iter().copied().find(|candidate| {
        let weight = u64::from(candidate.record.weight);
        let is_it = drawn < weight;
        drawn = drawn.saturating_sub(weight);
        is_it
    })
}
