//! Chooses the book move to play.

use super::{Book, BookMove, BookScore, key, ordered_moves};
use crate::game::{Game, Move};
use crate::position::Status;
use fastrand::Rng;

/// No book move is played if a move-count rule can end the game within this many moves per side, because book scores
/// ignore these rules.
const NEAR_DRAW: u16 = 8;

/// A book move that can be played in the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The legal move that the record identifies.
    pub mv: Move,
    /// The record from the book. If the game is drawn after the move or the opponent can draw it with a reply, the
    /// score is at most a draw.
    pub record: BookMove,
}

/// Returns the playable book moves that do not lose, with the best move first. Returns no moves if a draw by a
/// move-count rule is near.
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
    // A book move can be illegal because of the limit on consecutive king moves.
    let is_played = after.play(mv);
    if !is_played || record.score.is_lost() {
        return None;
    }
    let is_drawn = match after.status() {
        Status::Won { winner, .. } if winner != game.side() => return None,
        Status::Won { .. } => false,
        Status::Drawn(_) => true,
        // The opponent may be able to draw the game with a reply.
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

/// Returns the book score of the start position of `game`, from the point of view of the side that is now to move.
/// Returns a draw if the start position has no known score in the book.
pub fn first_score(book: &Book, game: &Game) -> BookScore {
    let mut first = game.clone();
    while first.ply() > 0 {
        first.undo();
    }
    let scores = book.moves(key(&first)).into_iter().map(|record| record.score);
    let best = scores.filter(|score| score.is_known()).max().unwrap_or(BookScore::DRAW);
    if first.side() == game.side() { best } else { best.before() }
}

/// Chooses one of the sorted `candidates` at random, with a probability proportional to its weight. A candidate is
/// eligible if its weight is not 0 and its score is at most `margin` cp below the best score. A candidate that scores
/// less than the best must also be at most `margin` cp below `first`, the [`first_score`] of the game. If no scores are
/// known, only the weights count. Returns `None` if no candidate is eligible.
pub fn choose(candidates: &[Candidate], margin: u32, first: BookScore, seed: u64) -> Option<Candidate> {
    let best = candidates.first()?.record.score;
    let is_near = |candidate: &&Candidate| {
        let record = &candidate.record;
        // This condition limits the total loss from book moves since the start of the game to `margin`.
        let is_affordable = record.score >= best || first.drop_to(record.score) <= margin;
        let is_within = record.score.is_known() == best.is_known() && best.drop_to(record.score) <= margin;
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
