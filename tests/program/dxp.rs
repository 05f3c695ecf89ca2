//! Tests of DXP over loopback connections, with a scripted peer and between two engines.

use crate::common;

use crate::process::{Engine, TIMEOUT, program, run_to_end};
use common::records::{new_file, records, replay};
use soffio::notation::pdn::{GameRecord, GameResult};
use soffio::rules::Variant;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

const REQUEST: &str = "R01Peer                            ";

/// A scripted peer of the engine.
struct Peer(TcpStream);

impl Peer {
    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        Self(stream)
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        // The engine may already have exited.
        let _ = self.0.write_all(bytes);
    }

    fn send(&mut self, message: &str) {
        self.send_bytes(format!("{message}\0").as_bytes());
    }

    /// Returns the next message, or `None` if the engine has closed the connection.
    fn receive(&mut self) -> Option<String> {
        let mut message = String::new();
        let mut byte = [0];
        while self.0.read(&mut byte).ok()? > 0 {
            if byte == [0] {
                return Some(message);
            }
            message.push(byte[0].into());
        }
        None
    }

    #[track_caller]
    fn expect(&mut self, start: &str) -> String {
        let message = self.receive().unwrap_or_default();
        assert!(message.starts_with(start), "expected {start}, received {message}");
        message
    }
}

/// Starts a listening engine and a peer that is connected to it.
fn follower(arguments: &[&str]) -> (Engine, Peer) {
    let mut engine = Engine::started(&[&["dxp", "--listen", "127.0.0.1:0"], arguments].concat());
    let line = engine.line_within(TIMEOUT).expect("the engine listens").1;
    let address = line.strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}"));
    let peer = Peer::new(TcpStream::connect(address).unwrap());
    engine.until("connection from ");
    (engine, peer)
}

/// Starts an engine that requests games, and the peer to which it connects.
fn initiator(arguments: &[&str]) -> (Engine, Peer) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let engine = Engine::started(&[&["dxp", "--connect", &address, "--move-time", "20ms"], arguments].concat());
    let peer = Peer::new(listener.accept().unwrap().0);
    (engine, peer)
}

#[track_caller]
fn assert_line(engine: &mut Engine, start: &str, end: &str) {
    let line = engine.until(start).1.pop().unwrap();
    assert!(line.ends_with(end), "{line}");
}

#[test]
fn a_follower_accepts_plays_and_confirms_the_end() {
    let (mut engine, mut peer) = follower(&["--move-time", "20ms", "--name", "Test"]);
    for color in ["W", "Z"] {
        peer.send(&format!("{REQUEST}{color}005075A"));
        assert_eq!(peer.receive().as_deref(), Some("ATest                            0"));
        if color == "Z" {
            peer.send("M0001322800");
        }
        let moved = peer.expect("M0000");
        assert_eq!((moved.len(), &moved[9..]), (11, "00"), "no capture is possible yet");
        peer.send("Chello");
        peer.send("E10");
        assert_eq!(peer.receive().as_deref(), Some("E00"));
        assert_line(&mut engine, "game ", if color == "W" { "2-0, black resigns" } else { "0-2, white resigns" });
    }
    peer.send(&format!("{REQUEST}W005075A"));
    peer.expect("ATest");
    peer.expect("M");
    peer.send("E01");
    peer.expect("E00");
    assert_line(&mut engine, "game 3: Test - Peer", "*, black ends the game");
    assert_eq!(peer.receive(), None, "the peer refused further games");
}

#[test]
fn a_follower_starts_from_the_given_position_and_reports_the_result() {
    let (mut engine, mut peer) = follower(&["--move-time", "20ms"]);
    // White captures the last piece, and Black must report the end of the game.
    peer.send(&format!("{REQUEST}W000000BW{}zeeew{}", "e".repeat(17), "e".repeat(28)));
    peer.expect("A");
    assert_eq!(peer.receive().as_deref(), Some("M000022130118"));
    peer.send("E10");
    peer.expect("E0");
    assert_line(&mut engine, "game 1", "2-0, no piece left");
    // Here the engine loses, so the engine must report the end of the game.
    peer.send(&format!("{REQUEST}Z000000BW{}zeeew{}", "e".repeat(17), "e".repeat(28)));
    peer.expect("A");
    peer.send("M000022130118");
    assert_eq!(peer.receive().as_deref(), Some("E10"));
    peer.send("E00");
    assert_line(&mut engine, "game 2", "2-0, no piece left");
    // The game ends after one move by each side, as agreed.
    peer.send(&format!("{REQUEST}W000001A"));
    peer.expect("A");
    peer.expect("M");
    peer.send("M0000192300");
    peer.expect("E00");
    peer.send("E00");
    assert_line(&mut engine, "game 3", "*, the agreed number of moves has been played");
    // Here the engine makes the last of these moves.
    peer.send(&format!("{REQUEST}Z000001A"));
    peer.expect("A");
    peer.send("M0000322800");
    peer.expect("M");
    peer.expect("E00");
    peer.send("E00");
    assert_line(&mut engine, "game 4", "*, the agreed number of moves has been played");
    // Here its last move wins.
    peer.send(&format!("{REQUEST}Z000001BW{}z{}w{}", "e".repeat(22), "e".repeat(8), "e".repeat(18)));
    peer.expect("A");
    peer.send("M0000322800");
    peer.expect("M");
    peer.send("E10");
    peer.expect("E00");
    assert_line(&mut engine, "game 5", "0-2, no piece left");
    // In these positions, the side to move has no legal move.
    for request in [format!("W000000BW{}z{}", "e".repeat(17), "e".repeat(32)), format!("W000000BW{}", "e".repeat(50))] {
        peer.send(&format!("{REQUEST}{request}"));
        assert!(peer.expect("A").ends_with('2'));
        engine.until("game declined: ");
    }
    // The first request has a wrong version, the second has an unknown side, and the third is correct.
    peer.send(&REQUEST.replace("R01", "R02"));
    assert!(peer.expect("A").ends_with('1'));
    peer.send(&format!("{REQUEST}B000000A"));
    assert!(peer.expect("A").ends_with('2'));
    peer.send(&format!("{REQUEST}Z000000A"));
    assert!(peer.expect("A").ends_with('0'), "a game can still be played");
}

#[test]
fn a_forced_move_is_played_at_once() {
    let (_engine, mut peer) = follower(&["--move-time", "10000s"]);
    peer.send(&format!("{REQUEST}W000000BW{}zeeew{}", "e".repeat(17), "e".repeat(28)));
    peer.expect("A");
    assert_eq!(peer.receive().as_deref(), Some("M000022130118"));
}

#[test]
fn moves_are_undone() {
    let (_engine, mut peer) = follower(&["--move-time", "20ms"]);
    peer.send(&format!("{REQUEST}Z000000A"));
    peer.expect("A");
    peer.send("M0000322800");
    peer.expect("M");
    // The peer goes back to White's second move. Nothing is undone, and the engine waits.
    peer.send("B002W");
    assert_eq!(peer.receive().as_deref(), Some("K0"));
    // The peer goes back to the engine's first move, and the engine plays again.
    peer.send("B001Z");
    assert_eq!(peer.receive().as_deref(), Some("K0"));
    peer.expect("M");
    peer.send("B001W");
    assert_eq!(peer.receive().as_deref(), Some("K0"));
    peer.send("M0000312700");
    peer.expect("M");
    for nowhere in ["B009W", "B000W"] {
        peer.send(nowhere);
        assert_eq!(peer.receive().as_deref(), Some("K2"));
    }
}

#[test]
fn a_protocol_violation_ends_the_game_with_a_reason() {
    for (message, reason) in [
        ("M0000322600", "move 32-26: "),
        ("M0000142300", "move 14-23: "),
        ("M00003228", "malformed message: 'M00003228'"),
        ("M000032280119", "move 32x28x19: "),
        ("M0000990100", "move 99-1: "),
    ] {
        let (mut engine, mut peer) = follower(&["--move-time", "20ms"]);
        peer.send(&format!("{REQUEST}Z000000A"));
        peer.expect("A");
        peer.send(message);
        let chat = peer.expect("C");
        assert!(chat[1..].starts_with(reason), "{message}: {chat}");
        peer.expect("E00");
        peer.send("E00");
        engine.until("game 1: Peer - Soffio");
        peer.send(&format!("{REQUEST}W000000A"));
        assert!(peer.expect("A").ends_with('0'), "{message}: a further game can be played");
    }
    let (_engine, mut peer) = follower(&["--move-time", "30s"]);
    peer.send(&format!("{REQUEST}W000000A"));
    peer.expect("A");
    peer.send("M0000192300");
    assert!(peer.expect("C").contains("not your turn"));
    peer.expect("E00");
}

#[test]
fn a_failing_peer_leaves_the_engine_free_for_the_next_one() {
    let mut engine = Engine::started(&["dxp", "--listen", "127.0.0.1:0", "--move-time", "20ms"]);
    let line = engine.line_within(TIMEOUT).expect("the engine listens").1;
    let address = line.trim_start_matches("listening on ").to_owned();
    let megabyte = vec![b'x'; 1 << 20];
    let half_request = format!("{REQUEST}W0000");
    let cases: [(&[u8], &str); 5] = [
        (b"", "closed by the other program"),
        (half_request.as_bytes(), "closed by the other program in the middle of a message"),
        (&megabyte, "message exceeds 1024 bytes"),
        (b"\0\0\xff\xfe\0GET / HTTP/1.1\0K7\0E\0", "closed by the other program"),
        (b"M0000322800\0E00\0B001W\0K0\0A\0", "closed by the other program"),
    ];
    for (bytes, reason) in cases {
        let mut peer = Peer::new(TcpStream::connect(&address).unwrap());
        peer.send_bytes(bytes);
        drop(peer);
        let line = engine.until("connection closed: ").1.pop().unwrap();
        let is_reset = line.contains("reset");
        assert!(line.ends_with(reason) || is_reset, "{line}");
    }
    // The connection is closed in the middle of a game.
    let mut peer = Peer::new(TcpStream::connect(&address).unwrap());
    peer.send(&format!("{REQUEST}W000000A"));
    peer.expect("A");
    peer.expect("M");
    drop(peer);
    assert_line(&mut engine, "game 1", "*, connection lost: closed by the other program");
    assert_line(&mut engine, "connection closed", ": connection lost: closed by the other program");
    // Garbage between two moves is ignored, and a message may arrive in several parts.
    let mut peer = Peer::new(TcpStream::connect(&address).unwrap());
    peer.send(&format!("{REQUEST}Z000000A"));
    peer.expect("A");
    peer.send_bytes(b"??\0\0K1\0M00003");
    std::thread::sleep(std::time::Duration::from_millis(100));
    peer.send_bytes(b"22800\0");
    peer.expect("M");
}

#[test]
fn an_initiator_requests_games_with_alternating_colours() {
    let start = "W:W31-50:B1-20";
    let other = "B:WK50:BK1,2";
    let arguments =
        ["--games", "3", "--minutes", "7", "--moves", "60", "--fen", start, "--fen", other, "--color", "black"];
    let (mut engine, mut peer) = initiator(&arguments);
    let name = format!("{:<32}", concat!("Soffio ", env!("CARGO_PKG_VERSION")));
    assert_eq!(peer.receive(), Some(format!("R01{name}W007060A")));
    peer.send("APeer                            0");
    peer.send("M0000322800");
    peer.expect("M");
    peer.send("E30");
    assert_eq!(peer.receive().as_deref(), Some("E00"));
    assert_line(&mut engine, "game 1: Peer - Soffio", "2-0, white claims a win");
    assert_eq!(peer.receive(), Some(format!("R01{name}Z007060A")));
    peer.send("Cnot yet");
    peer.send("APeer                            0");
    peer.expect("M");
    peer.send("E20");
    peer.expect("E00");
    assert_line(&mut engine, "game 2: Soffio", "1-1, black claims a draw");
    assert_eq!(peer.receive(), Some(format!("R01{name}W007060BZZz{}W", "e".repeat(47))));
    // The name must not control the user's terminal.
    peer.send("AP\u{1b}]0;\u{7}eer                       2");
    assert_line(&mut engine, "connection closed", "P?]0;?eer declined the game (code 2)");
    assert!(!engine.exit_within(TIMEOUT).success(), "only 2 of the 3 requested games have been played");
}

#[test]
fn each_start_position_is_played_twice_by_default() {
    let (mut engine, mut peer) = initiator(&["--fen", "W:W31-50:B1-20", "--fen", "B:WK50:BK1,2"]);
    for game in 0..4 {
        let request = peer.receive().unwrap();
        assert_eq!(request.ends_with('A'), game < 2, "{request}");
        assert_eq!(request.chars().nth(35), Some(if game % 2 == 0 { 'Z' } else { 'W' }), "{request}");
        peer.send("APeer                            0");
        if game == 0 || game == 3 {
            peer.expect("M");
        }
        peer.send("E10");
        peer.expect("E");
    }
    assert!(engine.exit_within(TIMEOUT).success());
    let (_, error, is_success) = run_to_end(program(&["dxp", "--listen", "--follow", "--fen", "W:WK50:BK1"]), "");
    assert!(!is_success && error.contains("cannot be used with"), "{error}");
    let (mut engine, mut peer) = follower(&["--fen", "W:WK50:BK1"]);
    peer.expect("R01");
    drop(peer);
    engine.until("connection closed");
}

#[test]
fn unsupported_settings_are_reported_at_the_start() {
    for (arguments, reason) in [
        (&["dxp", "--listen", "--variant", "english"][..], "DXP supports only games on a 10x10 board, not english"),
        (&["dxp", "--connect", "127.0.0.1:1"], "refused"),
        (&["dxp", "--connect", "127.0.0.1:1", "--ballots", "/does/not/exist"], "/does/not/exist"),
        (&["dxp", "--connect", "127.0.0.1:1", "--pdn", "/does/not/exist"], "/does/not/exist: "),
        (&["dxp", "--listen", "127.0.0.1:0", "--pdn", "/does/not/exist"], "/does/not/exist: "),
    ] {
        let (output, error, is_success) = run_to_end(program(arguments), "");
        assert!(!is_success && error.contains(reason), "{arguments:?}: {error}");
        assert_eq!((error.lines().count(), output.len()), (1, 0), "{arguments:?}: {error}");
    }
    let ballots = new_file("ballots.epd");
    std::fs::write(&ballots, "W:W31:B1; id \"a\";\n\nW:W31:Bx\n").unwrap();
    let ballots = ballots.display().to_string();
    for (arguments, reason) in [
        (&["--listen", "127.0.0.1:1x"][..], "port of 127.0.0.1: expected a number from 0 to 65535, found '1x'"),
        (&["--listen", "127.0.0.1:99999"], "port of 127.0.0.1: expected a number from 0 to 65535, found '99999'"),
        (&["--connect", ":27531"], "expected host:port, found ':27531'"),
        (&["--listen", "192.0.2.1"], "cannot listen on 192.0.2.1:27531: "),
        (&["--connect", "127.0.0.1:1"], "cannot connect to 127.0.0.1:1: "),
        (&["--connect", "127.0.0.1:1"], "; start the other program first"),
        (&["--connect", "127.0.0.1:1", "--ballots", &ballots], "ballots.epd: line 3: fen "),
    ] {
        let (_, error, is_success) = run_to_end(program(&[&["dxp"], arguments].concat()), "");
        assert!(!is_success && error.contains(reason), "{arguments:?}: {error}");
    }
}

#[test]
fn any_bytes_leave_the_engine_able_to_play() {
    let (_engine, mut peer) = follower(&["--move-time", "20ms"]);
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..200 {
        let length = rng.usize(..100);
        let mut noise: Vec<u8> = std::iter::repeat_with(|| rng.u8(..)).take(length).collect();
        if rng.bool() {
            noise.insert(0, *rng.choice(b"RAMEBKC").unwrap());
        }
        noise.push(0);
        peer.send_bytes(&noise);
    }
    peer.send(&format!("{REQUEST}W000000A"));
    while !peer.expect("A").ends_with('0') {}
    peer.expect("M");
}

#[test]
fn games_are_appended_to_a_file_as_they_end() {
    let file = new_file("dxp-added.pdn");
    let before = "[Event \"before\"]\n\n1. 32-28 1-0";
    std::fs::write(&file, before).unwrap();
    let (mut engine, mut peer) = follower(&["--move-time", "20ms", "--pdn", &file.display().to_string()]);
    // The engine is Black and must capture two men. The DXP message lists the captured men, but not the square between
    // the captures.
    let squares = (1..=50).map(|square| match square {
        19 | 30 | 43 => 'w',
        8 | 13 => 'z',
        _ => 'e',
    });
    let request = format!("{REQUEST}Z005075BW{}", squares.collect::<String>());
    peer.send(&request);
    peer.expect("A");
    peer.send("M0000433900");
    assert_eq!(peer.expect("M")[5..], *"1335021930");
    // An undone move is not part of the recorded game.
    peer.send("B001W");
    assert_eq!(peer.receive().as_deref(), Some("K0"));
    peer.send("M0000433900");
    peer.expect("M");
    peer.send("E10");
    peer.expect("E00");
    assert_line(&mut engine, "game 1", "0-2, white resigns");
    let [old, game] = &records(&file)[..] else { panic!("{:?}", records(&file)) };
    assert_eq!((old.tag("Event"), old.moves.len()), (Some("before"), 1));
    assert_eq!(game.moves.iter().map(|mv| &*mv.text).collect::<Vec<_>>(), ["43-39", "13x24x35"]);
    let tags = ["White", "Black", "Result", "GameType", "TimeControl", "Termination", "FEN"];
    let expected = [
        "Peer",
        concat!("Soffio ", env!("CARGO_PKG_VERSION")),
        "0-1",
        "20,W,10,10,N2,0",
        "75/300",
        "black wins: white resigns",
        "W:W19,30,43:B8,13",
    ];
    assert_eq!(tags.map(|tag| game.tag(tag).unwrap_or_default()), expected);

    // An abandoned game is also recorded.
    peer.send(&request);
    peer.expect("A");
    drop(peer);
    engine.until("connection closed");
    let games = records(&file);
    let last = games.last().unwrap();
    assert_eq!((games.len(), last.result, last.moves.len()), (3, GameResult::Unknown, 0));
    assert_eq!(last.tag("Termination"), Some("unfinished: connection lost: closed by the other program"));
}

#[test]
fn games_are_not_appended_to_a_file_in_utf_16() {
    let file = new_file("dxp-utf-16.pdn");
    let path = file.display().to_string();
    let before = "\u{feff}[Event \"before\"]\n\n1. 32-28 *\n";
    let bytes: Vec<u8> = before.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for content in [&bytes[..], &bytes[2..]] {
        std::fs::write(&file, content).unwrap();
        let (_, error, is_success) = run_to_end(program(&["dxp", "--listen", "127.0.0.1:0", "--pdn", &path]), "");
        let expected = format!(
            "soffio: {path}: games cannot be appended to a file in UTF-16LE; convert it with soffio pdn convert --to \
             utf-8, or choose another name\n"
        );
        assert!(!is_success && error == expected, "{error}");
        assert_eq!(std::fs::read(&file).unwrap(), content);
    }
}

/// Plays `games` games of `variant` between two engines. Returns the output and the game records of each engine.
fn two_engines(variant: &str, games: &str) -> [(Vec<String>, Vec<GameRecord>); 2] {
    let common = ["--variant", variant, "--move-time", "5ms", "--hash", "8"];
    let files = ["one", "other"].map(|name| new_file(&format!("dxp-{variant}-{name}.pdn")));
    let names = [&files[0], &files[1]].map(|file| file.display().to_string());
    let listen = ["dxp", "--listen", "127.0.0.1:0", "--once", "--name", "One", "--pdn", &names[0]];
    let mut one = Engine::started(&[&listen, &common[..]].concat());
    let line = one.line_within(TIMEOUT).expect("the engine listens").1;
    let address = line.trim_start_matches("listening on ");
    let connect = ["dxp", "--connect", address, "--games", games, "--name", "Other", "--pdn", &names[1]];
    let mut other = Engine::started(&[&connect, &common[..]].concat());
    let timeout = TIMEOUT * 2;
    assert!(other.exit_within(timeout).success());
    assert!(one.exit_within(timeout).success());
    [(one.rest(), records(&files[0])), (other.rest(), records(&files[1]))]
}

#[test]
fn two_engines_play_whole_games_of_every_dxp_variant() {
    for variant in ["international", "frisian", "frysk", "killer", "breakthrough", "losing"] {
        let [(one, records), (other, same_records)] = two_engines(variant, "2");
        let games =
            |lines: &[String]| lines.iter().filter(|line| line.starts_with("game ")).cloned().collect::<Vec<_>>();
        assert_eq!(games(&one), games(&other), "{variant}: both see the same results");
        assert_eq!(games(&one).len(), 2, "{variant}: {one:?}");
        let is_decided = |line: &String| ["2-0", "0-2", "1-1"].iter().any(|result| line.contains(result));
        assert!(games(&one).iter().all(is_decided), "{variant}: {one:?}");
        assert_eq!(other.last().map(String::as_str), Some("connection closed: all games have been played"));
        assert_eq!(records, same_records, "{variant}: both write the same games");
        assert_eq!(records.len(), 2, "{variant}");
        for (record, line) in records.iter().zip(games(&one)) {
            replay(Variant::named(variant).unwrap(), record);
            let result = match record.result {
                GameResult::First => "2-0",
                GameResult::Second => "0-2",
                _ => "1-1",
            };
            let tag = |name| record.tag(name).unwrap_or_default();
            let start = format!("game {}: {} - {} {result}, ", tag("Round"), tag("White"), tag("Black"));
            let why = line.strip_prefix(&start).unwrap_or_else(|| panic!("{line} is not of {record}"));
            assert!(tag("Termination").ends_with(&format!(": {why}")), "{line} is not of {record}");
        }
    }
}
