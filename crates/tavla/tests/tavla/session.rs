//! Tests of the tavla session: the output of its commands.

use soffio::clock::TimeSource;
use soffio::session::{Conversation, Input, Session};
use soffio::stop::Stop;
use soffio_tavla::session::{TavlaAnswer, TavlaCommand, TavlaNative, TavlaSession, TavlaWork};
use std::thread;
use std::time::{Duration, Instant};

fn session() -> TavlaSession {
    TavlaSession::new(crossbeam_channel::unbounded().0)
}

/// Returns the output for `line`, including search reports. An error is returned as a line that begins with `error `.
fn send(session: &mut TavlaSession, line: &str) -> Vec<String> {
    let command = TavlaCommand::read(line).map(|command| command.expect("the line is not empty"));
    match command.and_then(|command| session.execute(command, Instant::now().into())) {
        Ok(TavlaAnswer { mut lines, work }) => {
            if let Some(work) = work {
                let last = work.run(&Stop::new(), &mut |line| lines.push(line));
                lines.push(last);
            }
            lines
        }
        Err(error) => vec![format!("error {error}")],
    }
}

/// Returns the output of the `uci` command.
fn introduction() -> Vec<String> {
    let mut conversation = Conversation::new(TavlaNative, crossbeam_channel::unbounded().0);
    conversation.input(Input::Line("uci".to_owned()), Instant::now());
    conversation.outputs().into_iter().map(|output| output.text).collect()
}

fn last(session: &mut TavlaSession, line: &str) -> String {
    send(session, line).pop().unwrap_or_default()
}

#[test]
fn a_game_is_played() {
    let mut session = session();
    assert_eq!(last(&mut session, "legal"), "error legal the dice have not been rolled; send dice or roll first");
    assert_eq!(last(&mut session, "dice 3 1"), "");
    assert!(last(&mut session, "legal").starts_with("legal 16 24/"));
    assert_eq!(last(&mut session, "go depth 1"), "bestmove 8/5,6/5");
    assert_eq!(last(&mut session, "move 6/5 8/5"), "");
    assert_eq!(last(&mut session, "status"), "status playing black to roll");
    assert_eq!(last(&mut session, "move 66:24/18(2),13/7(2)"), "");
    assert_eq!(last(&mut session, "undo 2"), "");
    assert_eq!(last(&mut session, "status"), "status playing white dice 3 1");
    assert_eq!(last(&mut session, "redo"), "");
    let moves = "position startpos moves 31:8/5,6/5 66:24/18,24/18,13/7,13/7";
    assert_eq!(last(&mut session, moves), "");
    assert!(last(&mut session, "d").contains("gnubgid "));
    let info = send(&mut session, "go dice 5 2 depth 2");
    assert!(info.len() == 3 && info[1].starts_with("info depth 2 multipv 1 equity "), "{info:?}");
}

#[test]
fn a_side_without_a_play_passes() {
    let mut session = session();
    let closed = "position xgid XGID=-BBBBBB---A--------------b:0:0:1:00:0:0:0:0:10";
    assert!(last(&mut session, closed).starts_with("error xgid"), "the bar of black is at the other end");
    assert_eq!(last(&mut session, "position xgid XGID=b-BBBBBBA---------------b-:0:0:-1:21:0:0:0:0:10"), "");
    assert_eq!(last(&mut session, "legal"), "legal 1 25/24");
    assert_eq!(last(&mut session, "dice 6 5"), "");
    assert_eq!(last(&mut session, "legal"), "legal 1 pass");
    assert_eq!(last(&mut session, "go movetime 10"), "bestmove pass");
    assert!(last(&mut session, "move 25/20").ends_with("the side must pass"));
    assert_eq!(last(&mut session, "move pass"), "");
}

#[test]
fn invalid_commands_are_rejected_and_change_nothing() {
    let mut session = session();
    send(&mut session, "position startpos moves 31:8/5,6/5");
    let before = last(&mut session, "d");
    for (line, reason) in [
        ("fly", "command 'fly' is not available in tavla; try help"),
        ("dice 7 1", "dice expected two dice from 1 to 6, as in 3 1, found '7'"),
        ("dice", "dice expected two dice from 1 to 6, as in 3 1, found nothing"),
        ("dice 31 2", "dice expected the end of the line, found '2'"),
        (
            "position startpos moves 31:8/5",
            "move 1 of the position: 8/5 is not legal with 31: 2 dice can be played, so 2 must be played",
        ),
        ("position fen W", "position expected startpos, xgid or gnubgid, found 'fen'"),
        ("position gnubgid abc", "gnubgid a Position ID must have 14 base64 characters"),
        ("position startpos moves 31:8/5,6/5 foo 52:24/22,13/8", "move foo: 'foo' is not a hop"),
        ("position startpos moves 31:8/5,6/5 moves 52:24/22,13/8", "move moves: 'moves' is not a hop"),
        ("position startpos moves 52:24-22,13-8", "move 52:24-22,13-8: '24-22' is not a hop"),
        ("position startpos moves 52:1/2", "move 52:1/2: '1/2' is not a hop"),
        ("position startpos moves 52:", "move 52:: '' is not a hop"),
        ("position startpos moves 52", "move 52: '52' is not a hop"),
        ("position startpos moves 77:24/22", "move 77:24/22: expected two dice from 1 to 6, as in 31"),
        ("position startpos move", "position expected moves or the end of the line, found 'move'"),
        ("move 9:8/5", "move 9:8/5: expected two dice from 1 to 6, as in 31"),
        ("move 8/9", "move 8/9: '8/9' is not a hop such as 8/5, 25/20 from the bar or 3/0 off"),
        ("move", "move expected a play such as 8/5,6/5, found nothing"),
        ("undo 2", "undo only 1 turn to undo"),
        ("redo", "redo nothing to redo"),
        ("undo 0", "undo expected a number of moves from 1 to 9999, found '0'"),
        ("go", "go the dice have not been rolled; send dice or roll first"),
        ("go depth 0", "go depth expected a depth of at least 1, found '0'"),
        (
            "go fast",
            "go expected dice, rollout, depth, movetime, nodes, wtime, btime, winc, binc, movestogo, infinite, \
             found 'fast'",
        ),
        ("perft 10", "perft expected a depth from 0 to 9, found '10'"),
        ("perft 2 all", "perft expected the end of the line, found 'all'"),
        ("setoption", "setoption expected 'name', found nothing"),
        ("setoption name Wings value 2", "unknown option 'Wings': uci lists all options"),
        ("setoption name Mars value maybe", "option Mars must be true or false, not 'maybe'"),
        ("setoption name Hash value 0", "option Hash must be a number from 1 to 4096, not '0'"),
        ("setoption name Eval value third", "option Eval: invalid value 'third'; expected plain, first, second"),
        ("setoption name EvalFile value /no/such/file", "option EvalFile /no/such/file: "),
        ("setoption name Player", "option Player needs a value"),
    ] {
        let reply = last(&mut session, line);
        assert!(reply.starts_with(&format!("error {reason}")), "{line}: {reply}");
    }
    assert_eq!(last(&mut session, "d"), before);
}

#[test]
fn options_are_set_and_listed() {
    let mut session = session();
    let listed = introduction();
    for (default, text) in [
        ("Mars", "check default false"),
        ("Hash", "spin default 16 min 1 max 4096"),
        ("EvalFile", "string default <empty>"),
        ("Opening Roll", "combo default anew var anew var single"),
    ] {
        assert!(listed.contains(&format!("option name {default} type {text}")), "{listed:?}");
    }
    for line in
        ["setoption name mars value TRUE", "setoption name Opening Roll value single", "setoption name Seed value 5"]
    {
        assert_eq!(send(&mut session, line), [""; 0]);
    }
    let first = send(&mut session, "roll");
    send(&mut session, "ucinewgame");
    send(&mut session, "setoption name Seed value 5");
    assert_eq!(send(&mut session, "roll"), first, "the same seed gives the same rolls");
    assert!(first[0].starts_with("info string white rolls ") && first[1].starts_with("dice "), "{first:?}");
}

#[test]
fn whole_games_end_with_a_winner() {
    for (player, depth) in [("full", 1), ("random", 1), ("expectiminimax", 1)] {
        let mut session = session();
        send(&mut session, &format!("setoption name Player value {player}"));
        send(&mut session, "setoption name Seed value 3");
        let mut turns = 0;
        while last(&mut session, "status").starts_with("status playing") {
            let rolled = last(&mut session, "roll");
            assert!(rolled.starts_with("dice "), "{rolled}");
            let best = last(&mut session, &format!("go depth {depth}"));
            let play = best.strip_prefix("bestmove ").unwrap();
            assert_eq!(send(&mut session, &format!("move {play}")), [""; 0]);
            turns += 1;
            assert!(turns < 3000);
        }
        assert!(last(&mut session, "status").contains("all borne off"));
        assert_eq!(last(&mut session, "legal"), "legal 0");
        assert_eq!(last(&mut session, "go"), "bestmove none");
        assert_eq!(last(&mut session, "roll"), "error roll the game has ended");
    }
}

fn time_of(session: &mut TavlaSession, line: &str) -> Option<Duration> {
    let command = TavlaCommand::read(line).unwrap().unwrap();
    match session.execute(command, Instant::now().into()).unwrap().work {
        Some(TavlaWork::Search { limits, .. }) => limits.time,
        _ => panic!("{line} starts no search"),
    }
}

#[test]
fn the_time_of_a_move_fits_into_the_clock() {
    let mut session = session();
    send(&mut session, "dice 3 1");
    let mut time = |line: &str| time_of(&mut session, line).map(|time| time.as_micros());
    assert_eq!([time("go movetime 100"), time("go movetime 12")], [Some(90_000), Some(6_000)], "minus the overhead");
    assert_eq!([time("go depth 2"), time("go infinite movetime 100")], [None; 2]);
    for remaining in [0, 1, 50, 1000] {
        let clock = format!("go wtime {remaining} btime {remaining} winc 10000 binc 10000");
        assert!(time(&clock) <= Some(remaining * 500), "{clock}: {:?}", time(&clock));
    }
    assert!(time("go wtime 9000 btime 1 movestogo 2") > time("go wtime 9000 btime 1"));
    send(&mut session, "position xgid XGID=b-BBBBBBA---------------b-:0:0:-1:65:0:0:0:0:10");
    let mut time = |line: &str| time_of(&mut session, line).map(|time| time.as_millis());
    assert_eq!([time("go movetime 100"), time("go movetime 100 rollout 36")], [Some(0), Some(90)], "a forced play");
}

#[test]
fn time_counts_from_the_moment_when_the_line_was_read() {
    let mut session = session();
    let read_at = TimeSource::default().now();
    let command = TavlaCommand::read("go dice 3 1 movetime 40").unwrap().unwrap();
    thread::sleep(Duration::from_millis(40));
    let mut infos = 0;
    let work = session.execute(command, read_at).unwrap().work.unwrap();
    work.run(&Stop::new(), &mut |_| infos += 1);
    assert_eq!(infos, 1, "no time is left for depth 2");
}

#[test]
fn an_endless_search_cannot_be_waited_for() {
    let (sender, events) = crossbeam_channel::unbounded();
    let mut conversation = Conversation::new(TavlaNative, sender);
    for line in ["go dice 3 1 infinite", "wait", "status", "move 8/5,6/5", "ponderhit", "stop"] {
        conversation.input(Input::Line(line.to_owned()), Instant::now());
    }
    while conversation.is_busy() {
        conversation.event(events.recv().unwrap());
    }
    let outputs = conversation.outputs().into_iter().map(|output| output.text);
    let outputs: Vec<_> = outputs.filter(|text| !text.starts_with("info ")).collect();
    let expected = [
        "error wait the search ends only when it is stopped",
        "status playing white dice 3 1",
        "error move a search is running; send stop first",
        "error ponderhit no search is pondering",
        "bestmove 8/5,6/5",
    ];
    assert_eq!(outputs, expected);
}
