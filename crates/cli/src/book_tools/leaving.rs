//! Where a game left a book.

use soffio::annotate::PlayableGame;
use soffio::book::{Book, BookMove, key, ordered_moves};
use soffio::notation::{WrittenGame, fast_move};

/// Returns the place of the first move of `game` that `book` does not have, and what is said of it: what it has instead, or that it ends
/// before. `None` if the game does not begin in the book, or all of its moves are there.
pub fn leaving(game: &PlayableGame, book: &Book) -> Option<(usize, String)> {
    let mut position = game.played().clone();
    position.undo(game.moves().len()).ok()?;
    for (place, way) in game.moves().iter().enumerate() {
        let (mut records, mv) = (book.moves(key(position.game())), fast_move(way));
        if records.is_empty() {
            return (place > 0).then(|| (place, "the book ends here".to_owned()));
        }
        let moves = ordered_moves(position.game());
        let is_played = |record: &BookMove| moves.get(usize::from(record.index)) == Some(&mv);
        if !records.iter().any(is_played) {
            records.sort_by_key(|record| std::cmp::Reverse((record.score, record.weight)));
            let texts: Vec<_> = records.iter().filter_map(|record| said(&position, &moves, record)).collect();
            return Some((place, format!("left the book, which has {}", texts.join(", "))));
        }
        position.play_found(mv);
    }
    None
}

/// The text of a move of a book and its score.
fn said(position: &WrittenGame, moves: &[soffio::game::Move], record: &BookMove) -> Option<String> {
    let mv = position.text(*moves.get(usize::from(record.index))?);
    Some(record.score.value().map_or_else(|| mv.clone(), |value| format!("{mv} {value}")))
}
