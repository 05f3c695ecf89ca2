//! Converts CheckerBoard's boards and moves to the engine's types and back.

use super::board::{
    BLACK, BoardArray, BoardMove, Coordinates, KING, MAN, MAX_CAPTURED, WHITE, coordinates_of, number_of, square_at,
    square_numbered,
};
use anyhow::{Context, Result, bail};
use soffio::board::{Square, SquareName};
use soffio::notation::{FenPiece, FenRecord};
use soffio::position::paths::{Sequence, after};
use soffio::position::{Piece, Setup};
use soffio::{Color, MoveRecord, Variant};
use std::collections::BTreeMap;
use std::ffi::c_int;

pub fn side_numbered(side: c_int) -> Result<Color> {
    match side {
        WHITE => Ok(Color::White),
        BLACK => Ok(Color::Black),
        other => bail!("unknown side {other}: expected {WHITE} (White) or {BLACK} (Black)"),
    }
}

const fn number_of_piece(piece: Piece) -> c_int {
    let side = match piece.color {
        Color::White => WHITE,
        Color::Black => BLACK,
    };
    side | if piece.king { KING } else { MAN }
}

fn piece_on(setup: &Setup, square: &Square) -> c_int {
    setup.pieces.get(square).map_or(0, |&piece| number_of_piece(piece))
}

fn piece_numbered(number: c_int, place: Coordinates) -> Result<Option<Piece>> {
    let pieces =
        [Color::White, Color::Black].into_iter().flat_map(|color| [false, true].map(|king| Piece { color, king }));
    match pieces.into_iter().find(|&piece| number_of_piece(piece) == number) {
        None if number != 0 => bail!("unknown piece {number} at x {}, y {}", place.x, place.y),
        piece => Ok(piece),
    }
}

/// Returns the position on `board` with `side` to move. The position has no history.
pub fn setup_of(game: Variant, board: &BoardArray, side: c_int) -> Result<Setup> {
    let side = side_numbered(side)?;
    let mut pieces = BTreeMap::new();
    for (x, column) in (0..).zip(board) {
        for (y, &number) in (0..).zip(column) {
            let place = Coordinates { x, y };
            if let Some(piece) = piece_numbered(number, place)? {
                let square = square_at(game, place).with_context(|| format!("no piece can stand at x {x}, y {y}"))?;
                pieces.insert(square, piece);
            }
        }
    }
    Ok(Setup::new(side, pieces))
}

pub fn board_of(game: Variant, setup: &Setup) -> BoardArray {
    let mut board = BoardArray::default();
    for (&square, &piece) in &setup.pieces {
        put(&mut board, coordinates_of(game, square), number_of_piece(piece));
    }
    board
}

fn put(board: &mut BoardArray, place: Coordinates, piece: c_int) {
    let column = usize::try_from(place.x).ok().and_then(|x| board.get_mut(x));
    if let Some(square) = column.and_then(|column| column.get_mut(usize::try_from(place.y).ok()?)) {
        *square = piece;
    }
}

pub fn board_move(game: Variant, setup: &Setup, sequence: &Sequence) -> BoardMove {
    let next = after(game.spec(), setup, sequence);
    let place = |&square: &Square| coordinates_of(game, square);
    let mut found = BoardMove {
        jumps: sequence.captured.len().min(MAX_CAPTURED) as c_int,
        new_piece: piece_on(&next, &sequence.to()),
        old_piece: piece_on(setup, &sequence.from),
        from: place(&sequence.from),
        to: place(&sequence.to()),
        ..BoardMove::default()
    };
    if !sequence.captured.is_empty() {
        fill(&mut found.path, std::iter::once(&sequence.from).chain(&sequence.landings).map(place));
        fill(&mut found.captured, sequence.captured.iter().map(place));
        fill(&mut found.captured_pieces, sequence.captured.iter().map(|square| piece_on(setup, square)));
    }
    found
}

fn fill<T>(places: &mut [T], values: impl Iterator<Item = T>) {
    places.iter_mut().zip(values).for_each(|(place, value)| *place = value);
}

/// Returns a move that leaves the board unchanged. It is the answer for a board that cannot be searched, because
/// CheckerBoard plays any move that it receives.
pub fn no_move(board: &BoardArray) -> BoardMove {
    let piece = board.first().and_then(|column| column.first()).copied().unwrap_or(0);
    BoardMove { new_piece: piece, old_piece: piece, ..BoardMove::default() }
}

/// Formats a legal move for `get movelist`. The first numbers are the number of captures, the piece before and after
/// the move, and the origin and the destination. For each capture, they are followed by the landing square, the
/// captured square and the captured piece.
pub fn listed_move(game: Variant, setup: &Setup, sequence: &Sequence) -> String {
    let next = after(game.spec(), setup, sequence);
    let number = |square: &Square| c_int::from(number_of(game, *square));
    let head = [
        sequence.captured.len() as c_int,
        piece_on(setup, &sequence.from),
        piece_on(&next, &sequence.to()),
        number(&sequence.from),
        number(&sequence.to()),
    ];
    let captures = sequence.landings.iter().zip(&sequence.captured);
    let captures = captures.flat_map(|(landing, taken)| [number(landing), number(taken), piece_on(setup, taken)]);
    head.into_iter().chain(captures).map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}

/// Translates one of CheckerBoard's square numbers into the engine's name for the square. An invalid number is left
/// unchanged, so that the parser reports it.
fn renamed(game: Variant, name: SquareName) -> SquareName {
    match name {
        SquareName::Number(number) => {
            square_numbered(game, number.get()).map_or(name, |square| game.spec().square_name(square))
        }
        SquareName::Algebraic { .. } => name,
    }
}

pub fn renamed_position(game: Variant, mut record: FenRecord) -> FenRecord {
    let rename = |piece: &mut FenPiece| piece.square = renamed(game, piece.square);
    record.white.iter_mut().chain(&mut record.black).for_each(rename);
    record
}

pub fn renamed_move(game: Variant, record: &MoveRecord) -> MoveRecord {
    MoveRecord {
        from: renamed(game, record.from),
        path: record.path.iter().map(|&square| renamed(game, square)).collect(),
        capture: record.capture,
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{SUPPORTED_GAMES, start};
    use super::*;
    use soffio::WrittenGame;

    #[test]
    fn the_start_position_matches_the_game() {
        for game in SUPPORTED_GAMES {
            let spec = game.spec();
            let side = if spec.starts == Color::White { WHITE } else { BLACK };
            assert_eq!(setup_of(game, &start(), side).unwrap(), Setup::start(spec), "{game}");
            assert_eq!(board_of(game, &Setup::start(spec)), start(), "{game}");
        }
    }

    #[test]
    fn an_impossible_board_is_rejected_with_the_reason() {
        let refused = |x: usize, y: usize, piece| {
            let mut board = start();
            board[x][y] = piece;
            setup_of(Variant::English, &board, WHITE).unwrap_err().to_string()
        };
        assert_eq!(refused(1, 0, 5), "no piece can stand at x 1, y 0");
        assert_eq!(refused(0, 0, 7), "unknown piece 7 at x 0, y 0");
        assert_eq!(refused(0, 0, -1), "unknown piece -1 at x 0, y 0");
        let side = setup_of(Variant::English, &start(), 3).unwrap_err();
        assert_eq!(side.to_string(), "unknown side 3: expected 1 (White) or 2 (Black)");
    }

    fn moves(game: Variant, fen: &str) -> Vec<(String, BoardMove)> {
        let record = renamed_position(game, fen.parse().unwrap());
        let found = WrittenGame::from_start(game, Some(&record)).unwrap();
        let setup = found.game().setup();
        found
            .sequences()
            .iter()
            .map(|sequence| (listed_move(game, &setup, sequence), board_move(game, &setup, sequence)))
            .collect()
    }

    #[test]
    fn moves_are_listed_in_checkerboards_format() {
        let listed = |game, fen: &str| moves(game, fen).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
        assert_eq!(listed(Variant::Italian, "B:W31:B3"), ["0,6,6,3,6", "0,6,6,3,7"]);
        let captures = ["2,6,6,6,22,15,11,5,22,19,5", "2,6,6,9,25,18,13,5,25,21,5"];
        assert_eq!(listed(Variant::Italian, "B:W11,13,19,21:B6,9"), captures);
        assert_eq!(listed(Variant::English, "W:W5:B20"), ["0,5,9,5,1"], "a man that is promoted");
        // The lower left corner is square 29 in CheckerBoard's numbers, and a1 in the engine.
        let expected = ["1,9,9,29,8,8,18,6", "1,9,9,29,11,11,18,6", "1,9,9,29,15,15,18,6"];
        assert_eq!(listed(Variant::Russian, "W:WK29:B4,18"), expected);
    }

    #[test]
    fn a_capture_has_its_landing_squares_and_captured_pieces() {
        let all = moves(Variant::Italian, "B:W11,13,19,21:B6,9");
        let (_, found) = all[1];
        let place = |number| coordinates_of(Variant::Italian, square_numbered(Variant::Italian, number).unwrap());
        assert_eq!((found.jumps, found.old_piece, found.new_piece), (2, 6, 6));
        assert_eq!((found.from, found.to), (place(9), place(25)));
        assert_eq!(found.path[1..3], [place(18), place(25)]);
        assert_eq!((&found.captured[..2], &found.captured_pieces[..3]), (&[place(13), place(21)][..], &[5, 5, 0][..]));
    }
}
