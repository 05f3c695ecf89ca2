//! Choice of the book move to play.

use super::{Book, BookMove, BookScore, key, ordered_moves};
use crate::game::{Game, Move};
use crate::position::Status;
use fastrand::Rng;

/// Moves per side before a draw by counter. Within this distance book scores are not trusted, because they ignore
/// counters.
const NEAR_DRAW: u16 = 8;

/// A book move that can be played in the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The legal move that the record stands for.
    pub mv: Move,
    /// The record of the book, with its score capped at a draw if the rules draw the game after the move.
    pub record: BookMove,
}

/// Returns the playable moves of `book` that do not lose, best first. Returns no moves close to a draw by counter.
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
    // The limit on consecutive king moves can make a book move illegal.
    let is_played = after.play(mv);
    if !is_played || record.score.is_lost() {
        return None;
    }
    let is_drawn = match after.status() {
        Status::Won { winner, .. } if winner != game.side() => return None,
        Status::Won { .. } => false,
        Status::Drawn(_) => true,
        // The opponent may be able to draw with its reply.
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

/// Returns the book score of the start position of `game` for the side now to move; a draw if it is not in the book.
pub fn first_score(book: &Book, game: &Game) -> BookScore {
    let mut first = game.clone();
    while first.ply() > 0 {
        first.undo();
    }
    let scores = book.moves(key(&first)).into_iter().map(|record| record.score);
    let best = scores.filter(|score| score.is_known()).max().unwrap_or(BookScore::DRAW);
    if first.side() == game.side() { best } else { best.before() }
}

/// Picks one of the sorted `candidates` at random, in proportion to weight (0 for never), among those within `margin`
/// cp of the best one and of the [`first_score`] `first`. If no scores are known, only the weights count.
pub fn choose(candidates: &[Candidate], margin: u32, first: BookScore, seed: u64) -> Option<Candidate> {
    let best = candidates.first()?.record.score;
    let is_near = |candidate: &&Candidate| {
        let record = &candidate.record;
        // `margin` limits the sum of all concessions since the start of the game.
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
