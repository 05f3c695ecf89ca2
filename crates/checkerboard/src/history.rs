//! Reconstructs the game so far, because `getmove` receives only a board.
//!
//! Draws by repetition and by move counts depend on the previous moves. Recent versions of CheckerBoard send the
//! reversible moves before each search. Older versions only flag a board that is unrelated to the previous board. The
//! game from the last search is therefore kept and extended to the next board: by two moves if the engine plays one
//! side, or by one move if it plays both sides.

use super::convert::{renamed_move, renamed_position};
use anyhow::{Context, Result};
use soffio::notation::{GameError, bitboard_move, printed_moves};
use soffio::position::Setup;
use soffio::{FenRecord, Game, MoveRecord, Variant, WrittenGame};

const MAX_MOVES: usize = 2;

/// Parses the argument of `set gamehist`: a FEN followed by moves with CheckerBoard's square numbers.
pub fn read_history(game: Variant, text: &str) -> Result<Game> {
    let mut words = text.split_whitespace();
    let fen = words.next().context("position missing")?;
    let start: FenRecord = fen.parse().map_err(GameError::Fen)?;
    let read = |word: &str| word.parse().map(|record: MoveRecord| renamed_move(game, &record));
    let moves: Vec<_> = words.map(read).collect::<Result<_, _>>()?;
    let mut written = WrittenGame::new(game);
    written.set_position(Some(&renamed_position(game, start)), &moves)?;
    Ok(written.game().clone())
}

fn is_same(one: &Setup, other: &Setup) -> bool {
    one.side == other.side && one.pieces == other.pieces
}

pub fn extended_to(game: &Game, board: &Setup) -> Option<Game> {
    fn search(game: &Game, board: &Setup, max_moves: usize) -> Option<Game> {
        let setup = game.setup();
        if is_same(&setup, board) {
            return Some(game.clone());
        }
        if max_moves == 0 || setup.pieces.len() < board.pieces.len() {
            return None;
        }
        printed_moves(game.spec(), &setup).iter().find_map(|sequence| {
            let mut next = game.clone();
            next.play(bitboard_move(sequence)).then(|| search(&next, board, max_moves - 1)).flatten()
        })
    }
    // Prefers the shortest path, because a board that can be reached in one move can sometimes also be reached in two.
    (0..=MAX_MOVES).find_map(|max_moves| search(game, board, max_moves))
}

fn backwards(game: &Game) -> impl Iterator<Item = Setup> {
    let mut game = Some(game.clone());
    std::iter::from_fn(move || {
        let mut now = game.take()?;
        let setup = now.setup();
        if now.ply() > 0 {
            now.undo();
            game = Some(now);
        }
        Some(setup)
    })
}

fn ends_as(longer: &Game, shorter: &Game) -> bool {
    longer.ply() >= shorter.ply() && backwards(shorter).zip(backwards(longer)).all(|(one, other)| is_same(&one, &other))
}

/// Returns the game that led to `board`: the history `sent` by CheckerBoard or, if that does not lead to `board`,
/// `last` extended to `board`. If the extended game ends with the whole history, the extended game is used, because it
/// also contains all earlier moves since the endgame began. Returns `None` if neither leads to `board`.
pub fn game_at(board: &Setup, last: Option<&Game>, sent: Option<&Game>) -> Option<Game> {
    let sent = sent.filter(|sent| is_same(&sent.setup(), board));
    let extended_to = last.and_then(|last| extended_to(last, board));
    match (extended_to, sent) {
        (Some(extended_to), Some(sent)) if ends_as(&extended_to, sent) => Some(extended_to),
        (_, Some(sent)) => Some(sent.clone()),
        (extended_to, None) => extended_to,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_moves(fen: &str, moves: &str) -> Game {
        read_history(Variant::English, &format!("{fen} {moves}")).unwrap()
    }

    const KINGS: &str = "B:WK32,31:BK1,2";

    #[test]
    fn one_or_two_moves_lead_to_the_next_board() {
        let start = Game::new(Variant::English);
        let mut next = start.clone();
        for plies in 0..=2 {
            let found = extended_to(&start, &next.setup()).unwrap();
            assert_eq!((found.ply(), found.key()), (plies, next.key()));
            next.play(next.legal_moves()[0]);
        }
        assert!(extended_to(&start, &next.setup()).is_none(), "three moves mean a different game");
    }

    #[test]
    fn repetitions_are_detected_from_boards_alone() {
        let sent = after_moves(KINGS, "1-6 32-28 6-1 28-32");
        let mut boards = vec![sent.setup()];
        let mut back = sent.clone();
        while back.ply() > 0 {
            back.undo();
            boards.push(back.setup());
        }
        // The engine plays both sides, so it receives every board.
        let start = after_moves(KINGS, "");
        let by_one = boards.iter().rev().fold(start.clone(), |game, board| game_at(board, Some(&game), None).unwrap());
        assert_eq!((by_one.ply(), by_one.status()), (4, sent.status()));
        // The engine plays one side, so it receives every second board.
        let by_two =
            boards.iter().rev().step_by(2).fold(start, |game, board| game_at(board, Some(&game), None).unwrap());
        assert_eq!(by_two.ply(), 4);
    }

    #[test]
    fn the_history_that_was_sent_takes_precedence_over_the_boards() {
        let sent = after_moves(KINGS, "1-6 32-28 6-1 28-32");
        let board = sent.setup();
        assert_eq!(game_at(&board, None, Some(&sent)).unwrap().ply(), 4);
        assert_eq!(game_at(&board, Some(&after_moves(KINGS, "")), Some(&sent)).unwrap().ply(), 4);
        let longer = after_moves("B:WK32,27:BK1,2", "1-6 32-28 6-1 28-32 1-6 32-28");
        let last = after_moves("B:WK28,27:BK6,2", "");
        assert_eq!(game_at(&longer.setup(), Some(&longer), Some(&last)).unwrap().ply(), 6, "both agree");
        let other = after_moves("B:WK32,K27:BK1,2", "");
        assert_eq!(game_at(&other.setup(), Some(&longer), Some(&sent)).map(|game| game.ply()), None);
    }
}
