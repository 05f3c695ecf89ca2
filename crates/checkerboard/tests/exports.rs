//! Tests that call the exported functions as CheckerBoard does. The library derives its game from the name of the file
//! that contains it. Here this is the test executable, whose name does not contain a game, so the library plays English
//! draughts. `loader` tests the exports for all games.
#![cfg(test)]
#![allow(unsafe_code, reason = "the exported functions are called as C code would call them")]

use soffio_checkerboard::board::{BLACK, BoardArray, BoardMove, KING, MAN, WHITE, start};
use soffio_checkerboard::ffi::{enginecommand, enginename, getmove, islegal};
use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Lock that a test holds while it uses the engine, which all tests share.
static TURN: Mutex<()> = Mutex::new(());

/// Byte that fills the space after a buffer, to detect writes past the end of the buffer.
const GUARD: c_char = 0x55;

/// Sends a command with a reply buffer of `buffer_size` bytes and asserts that nothing is written past its end. Returns
/// whether the command was handled, and the reply.
fn command_with_buffer(text: &str, buffer_size: usize) -> (bool, String) {
    let text = CString::new(text).unwrap();
    let mut reply = vec![GUARD; buffer_size + 64];
    // SAFETY: the text is terminated, and the buffer is larger than the library may assume.
    let handled = unsafe { enginecommand(text.as_ptr(), reply.as_mut_ptr()) };
    assert!(reply[buffer_size..].iter().all(|&byte| byte == GUARD), "{text:?} writes too much");
    // SAFETY: the function has written a terminated string.
    let answer = unsafe { CStr::from_ptr(reply.as_ptr()) };
    (handled == 1, answer.to_str().unwrap().to_owned())
}

fn command(text: &str) -> (bool, String) {
    command_with_buffer(text, 256)
}

struct Answer {
    claim: c_int,
    board: BoardArray,
    mv: BoardMove,
    status: String,
    time: Duration,
}

fn request_move(board: &BoardArray, color: c_int, seconds: f64, info: c_int) -> Answer {
    request_move_until(&AtomicI32::new(0), board, color, seconds, info)
}

/// Requests a move from a search that ends early if `play_now` becomes nonzero. Asserts that the status fits into its
/// buffer.
fn request_move_until(play_now: &AtomicI32, board: &BoardArray, color: c_int, seconds: f64, info: c_int) -> Answer {
    let (mut board, mut mv, mut status) = (*board, BoardMove::default(), vec![GUARD; 1024 + 64]);
    let started = Instant::now();
    // SAFETY: everything has the size that the function expects.
    let claim =
        unsafe { getmove(&mut board, color, seconds, status.as_mut_ptr(), play_now.as_ptr(), info, 0, &mut mv) };
    let time = started.elapsed();
    assert!(status[1024..].iter().all(|&byte| byte == GUARD), "the status is too long");
    // SAFETY: the function has written a terminated string.
    let status = unsafe { CStr::from_ptr(status.as_ptr()) }.to_str().unwrap().to_owned();
    Answer { claim, board, mv, status, time }
}

/// Repeats a request with more and more time until the first iteration is complete, and returns that answer. A busy
/// machine needs more time.
fn request_move_in_time(board: &BoardArray, color: c_int) -> Answer {
    let times = (0..10).map(|doublings| 0.2 * f64::from(1 << doublings));
    let mut answers = times.map(|seconds| request_move(board, color, seconds, 1));
    answers.find(|answer| !answer.status.starts_with("depth 0/")).unwrap()
}

#[test]
fn a_move_is_searched_played_and_shown() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let start = start();
    let answer = request_move_in_time(&start, BLACK);
    assert_eq!(answer.claim, 3, "{}", answer.status);
    let changed = (0..8).flat_map(|x| (0..8).map(move |y| (x, y))).filter(|&(x, y)| start[x][y] != answer.board[x][y]);
    assert_eq!(changed.count(), 2, "a man has moved");
    let BoardMove { from, to, jumps, old_piece, new_piece, .. } = answer.mv;
    assert_eq!((jumps, old_piece, new_piece), (0, BLACK | MAN, BLACK | MAN));
    assert_eq!(answer.board[from.x as usize][from.y as usize], 0);
    assert_eq!(answer.board[to.x as usize][to.y as usize], BLACK | MAN);
    for part in ["depth ", "value ", "speed ", "pv "] {
        assert!(answer.status.contains(part), "{}", answer.status);
    }
}

#[test]
fn the_flag_ends_a_search_that_answers_commands_meanwhile() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let start = start();
    let play_now = AtomicI32::new(0);
    thread::scope(|scope| {
        let request = scope.spawn(|| request_move_until(&play_now, &start, BLACK, 1000.0, 1));
        thread::sleep(Duration::from_millis(100));
        assert!(command("name").1.starts_with("Soffio "));
        assert_eq!(command("set hashsize 32"), (true, "hashsize 32".to_owned()));
        assert_eq!(command("get hashsize"), (true, "32".to_owned()));
        assert!(!request.is_finished(), "no command waited for the search");
        play_now.store(1, Ordering::Relaxed);
        let answer = request.join().unwrap();
        assert!(answer.time < Duration::from_secs(900) && answer.mv != BoardMove::default());
    });
    assert_eq!(command("set hashsize 64"), (true, "hashsize 64".to_owned()));
}

#[test]
fn a_second_request_ends_a_running_search() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let start = start();
    let play_now = AtomicI32::new(0);
    thread::scope(|scope| {
        let first = scope.spawn(|| request_move_until(&play_now, &start, BLACK, 1000.0, 1));
        thread::sleep(Duration::from_millis(50));
        let second = request_move(&start, BLACK, 0.05, 1);
        // On a busy machine, the first request may start after the second request.
        play_now.store(1, Ordering::Relaxed);
        assert!(second.time < Duration::from_secs(900) && second.mv != BoardMove::default());
        assert!(first.join().unwrap().mv != BoardMove::default());
    });
}

#[test]
fn all_scores_show_every_move() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let start = start();
    assert_eq!(command("get allscores"), (true, "0".to_owned()));
    assert_eq!(command("set allscores 1"), (true, "allscores 1".to_owned()));
    let answer = request_move_in_time(&start, BLACK);
    assert_eq!(command("set allscores 0"), (true, "allscores 0".to_owned()));
    for mv in ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"] {
        assert!(answer.status.contains(mv), "{mv} in {}", answer.status);
    }
}

/// Returns a board with the given pieces. Each entry consists of CheckerBoard's square number and the piece.
fn board_with(pieces: &[(c_int, c_int)]) -> BoardArray {
    let mut board = BoardArray::default();
    for &(number, piece) in pieces {
        let (row, column) = ((number - 1) / 4, 3 - (number - 1) % 4);
        board[(2 * column + row % 2) as usize][row as usize] = piece;
    }
    board
}

#[test]
fn the_principal_variation_shows_whole_captures() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    // The man on 1 captures three pieces and lands on 10, 19 and 26.
    let pieces =
        [(1, BLACK | MAN), (4, BLACK | MAN), (6, WHITE | MAN), (15, WHITE | MAN), (23, WHITE | MAN), (32, WHITE | MAN)];
    let answer = request_move_in_time(&board_with(&pieces), BLACK);
    assert_eq!(answer.mv.jumps, 3);
    assert!(answer.status.contains("pv 1x10x19x26"), "{}", answer.status);
    let shown: Vec<_> = ["depth ", "value ", "time ", "speed "].map(|part| answer.status.find(part)).into();
    assert!(shown.is_sorted() && shown.iter().all(Option::is_some), "{}", answer.status);
}

#[test]
fn a_forced_move_is_played_at_once() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let board = board_with(&[(1, BLACK | MAN), (6, WHITE | MAN), (23, WHITE | MAN), (32, WHITE | MAN)]);
    for info in [1, 3] {
        let answer = request_move(&board, BLACK, 600.0, info);
        assert!(answer.mv.jumps == 1 && answer.time < Duration::from_secs(60), "{:?}: {}", answer.time, answer.status);
    }
}

#[test]
fn repetitions_are_detected_from_history_or_successive_boards() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let pieces = [(1, BLACK | KING), (2, BLACK | KING), (31, WHITE | KING), (32, WHITE | KING)];
    let start = board_with(&pieces);
    // A single board without a history is not a draw.
    assert_eq!(request_move(&start, BLACK, 0.05, 1).claim, 3);
    let back_and_forth = "1-6 32-28 6-1 28-32 1-6 32-28 6-1 28-32";
    let history = format!("set gamehist B:WK31,K32:BK1,K2 {back_and_forth}");
    assert_eq!(command(&history), (true, "ok".to_owned()));
    let repeated = request_move(&start, BLACK, 0.05, 0);
    assert_eq!(repeated.claim, 0, "the position has occurred three times: {}", repeated.status);
    // The reset bit clears the history unless the history is sent again.
    assert_eq!(request_move(&start, BLACK, 0.05, 1).claim, 3);
    // Boards alone are enough, because each board is one move after the previous board.
    let (mut boards, mut board) = (vec![start], start);
    for (from, to) in [(1, 6), (32, 28), (6, 1), (28, 32), (1, 6), (32, 28), (6, 1), (28, 32)] {
        let place = |number: c_int| {
            let (row, column) = ((number - 1) / 4, 3 - (number - 1) % 4);
            ((2 * column + row % 2) as usize, row as usize)
        };
        let ((x, y), (to_x, to_y)) = (place(from), place(to));
        board[to_x][to_y] = std::mem::take(&mut board[x][y]);
        boards.push(board);
    }
    let claims: Vec<_> = boards
        .iter()
        .enumerate()
        .map(|(ply, board)| {
            request_move(board, if ply % 2 == 0 { BLACK } else { WHITE }, 0.02, c_int::from(ply == 0)).claim
        })
        .collect();
    // The second-to-last board may also be claimed as a draw, because the reply to it can repeat the position for the
    // third time.
    assert_eq!((&claims[..7], claims[8]), (&[3; 7][..], 0), "{claims:?}");
}

#[test]
fn a_solved_problem_is_claimed() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    // White has two kings against a man, and wins in a few moves.
    let pieces = [(18, WHITE | KING), (22, WHITE | KING), (13, BLACK | MAN)];
    let board = board_with(&pieces);
    assert_eq!(command("set solve 1"), (true, "solve 1".to_owned()));
    let answer = request_move(&board, WHITE, 1000.0, 1);
    assert_eq!(command("set solve 0"), (true, "solve 0".to_owned()));
    assert_eq!(answer.claim, 1, "{}", answer.status);
    assert!(answer.status.contains("value win in "), "{}", answer.status);
    // A selective search also finds the win, but does not claim it.
    assert_eq!(request_move(&board, WHITE, 0.1, 1).claim, 3);
}

#[test]
fn islegal_accepts_only_legal_moves() {
    let (start, empty) = (start(), BoardArray::default());
    let legal = |board: &BoardArray, color, from, to| {
        let mut mv = BoardMove::default();
        // SAFETY: the board and the move have the sizes that the function expects.
        (unsafe { islegal(board, color, from, to, &mut mv) } == 1).then_some(mv)
    };
    assert_eq!(legal(&start, BLACK, 11, 15).map(|mv| (mv.jumps, mv.old_piece)), Some((0, BLACK | MAN)));
    assert_eq!(legal(&start, WHITE, 11, 15), None);
    assert_eq!(legal(&start, BLACK, 11, 18), None);
    assert_eq!(legal(&start, BLACK, c_int::MIN, c_int::MAX), None);
    assert_eq!(legal(&start, 7, 11, 15), None);
    assert_eq!(legal(&empty, BLACK, 11, 15), None);
}

#[test]
fn a_side_that_cannot_move_has_lost_and_a_win_is_claimed() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let empty = BoardArray::default();
    let mut board = empty;
    board[0][0] = BLACK | MAN;
    let lost = request_move(&board, WHITE, 0.05, 1);
    assert_eq!((lost.claim, lost.board), (2, board), "{}", lost.status);
    assert_eq!(
        (lost.mv.old_piece, lost.mv.new_piece, lost.mv.from),
        (BLACK | MAN, BLACK | MAN, lost.mv.to),
        "no piece is lost"
    );
    // White captures Black's last man.
    let mut board = empty;
    board[2][4] = BLACK | MAN;
    board[3][5] = WHITE | MAN;
    let won = request_move(&board, WHITE, 0.05, 1);
    assert_eq!((won.claim, won.mv.jumps, won.mv.captured_pieces[0]), (1, 1, BLACK | MAN), "{}", won.status);
}

#[test]
fn nonsense_is_rejected_and_changes_nothing() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let (start, empty) = (start(), BoardArray::default());
    let mut board = start;
    board[0][1] = 77;
    for (board, color) in [(&board, BLACK), (&start, 0), (&start, -1)] {
        let answer = request_move(board, color, 0.05, 0);
        assert_eq!((answer.claim, answer.board), (3, *board), "{}", answer.status);
        assert!(answer.status.contains("unknown "), "{}", answer.status);
    }
    assert_eq!(request_move(&empty, BLACK, 0.05, 0).claim, 3, "an empty board is not a loss");
    for text in
        ["", "?", "set", "set hashsize 99999999999999999999", "set gamehist x", "get movelist \u{e9}", "set book 4"]
    {
        let (is_handled, answer) = command(text);
        assert!(!is_handled && !answer.is_empty(), "{text}");
    }
    // SAFETY: null pointers are allowed.
    unsafe {
        assert_eq!(enginecommand(ptr::null(), ptr::null_mut()), 0);
        assert_eq!(enginecommand(c"name".as_ptr(), ptr::null_mut()), 1);
        assert_eq!(islegal(ptr::null(), BLACK, 11, 15, ptr::null_mut()), 0);
        assert_eq!(islegal(&start, BLACK, 11, 15, ptr::null_mut()), 1);
        let null = ptr::null_mut();
        assert_eq!(getmove(ptr::null_mut(), BLACK, 0.1, null, ptr::null_mut(), 0, 0, ptr::null_mut()), 3);
        let mut board = start;
        assert_eq!(getmove(&mut board, BLACK, 0.01, null, ptr::null_mut(), 3, 0, ptr::null_mut()), 3);
        assert_ne!(board, start, "a move was made nevertheless");
    }
}

#[test]
fn answers_fit_their_buffers() {
    let settings = "hashsize searchthreads allscores solve enable_wld max_dbpieces dbmbytes gametype protocolversion";
    let questions = settings.split(' ').map(|name| format!("get {name}"));
    for text in questions.chain(["name", "about", "help", "get movelist B:W1:B"].map(str::to_owned)) {
        let (is_handled, answer) = command(&text);
        assert!(is_handled && !answer.is_empty() && answer.len() < 255, "{text} {answer}");
    }
    let kings = command_with_buffer("get movelist W:WK14,K15,K18,K19,K22:B1", 1024).1;
    assert!(kings.starts_with("movelist ") && kings.len() > 100, "{kings}");
    let mut name = [GUARD; 256];
    // SAFETY: the buffer is large enough.
    assert_eq!(unsafe { enginename(name.as_mut_ptr()) }, 1);
    assert_eq!(name[255], GUARD);
}
