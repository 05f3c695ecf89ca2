//! Looks up the book moves of a position, and the move with which a game leaves the book.

use soffio::book::{Book, BookMove, key, ordered_moves};
use soffio::game::Move;
use soffio::notation::{WrittenGame, bitboard_move};
use soffio_analysis::annotate::PlayableGame;

/// Returns the index of the first move of `game` that is not in `book`, and a comment for that move. Returns `None` if
/// the book does not contain the start of the game, or if the game never leaves the book.
pub fn leaving(game: &PlayableGame, book: &Book) -> Option<(usize, String)> {
    let mut position = game.played().clone();
    position.undo(game.moves().len()).ok()?;
    for (place, sequence) in game.moves().iter().enumerate() {
        let (found, mv) = (moves_of(book, &position), bitboard_move(sequence));
        if found.is_empty() {
            return (place > 0).then(|| (place, "the book ends here".to_owned()));
        }
        if !found.iter().any(|(known, _)| *known == mv) {
            let score = |record: &BookMove| record.score.value().map(|value| format!(" {value}")).unwrap_or_default();
            let text = |(mv, record): &(Move, BookMove)| position.text(*mv) + &score(record);
            let texts: Vec<_> = found.iter().map(text).collect();
            return Some((place, format!("leaves the book; book moves: {}", texts.join(", "))));
        }
        position.play_found(mv);
    }
    None
}

/// Returns the book moves in the current position of `game`, best first.
pub fn moves_of(book: &Book, game: &WrittenGame) -> Vec<(Move, BookMove)> {
    let moves = ordered_moves(game.game());
    let mut records = book.moves(key(game.game()));
    records.sort_by_key(|record| std::cmp::Reverse((record.score, record.weight)));
    let with_move = |record: BookMove| Some((*moves.get(usize::from(record.index))?, record));
    records.into_iter().filter_map(with_move).collect()
}
