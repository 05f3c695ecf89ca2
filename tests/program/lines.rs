//! Tests of the reported principal variations: they have the minimum length, are legal and sorted, and differ if
//! several are reported.

use crate::process::{Engine, TIMEOUT, beginning, field};

const POSITIONS: [(&str, &str); 5] = [
    ("italian", "startpos"),
    ("english", "fen W:W18,21,22,24,25,26,28,29,30,31,32:B1-4,6-8,10-12,16"),
    ("international", "fen W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26"),
    ("russian", "startpos"),
    ("turkish", "startpos"),
];

fn moves_of(info: &str) -> Vec<&str> {
    info.split_once(" pv ").map_or(Vec::new(), |(_, line)| line.split(' ').collect())
}

/// Returns whether the line may be short because, according to the score, it ends the game or a draw may cut it short.
fn may_be_short(info: &str) -> bool {
    info.contains(" score win ") || info.contains(" score loss ") || info.contains(" score cp 0 ")
}

#[test]
fn a_line_is_at_least_as_long_as_the_iteration_is_deep() {
    for (variant, position) in POSITIONS {
        let mut engine = Engine::with_options(&[("UCI_Variant", variant)]);
        let lines = engine.request(&format!("position {position}\ngo depth 10"), "bestmove ");
        for info in beginning(&lines, "info depth") {
            if info.contains("bound ") || may_be_short(info) {
                continue;
            }
            assert!(moves_of(info).len() >= field(info, "depth"), "{variant}: {info}");
        }
        let last = lines.iter().rfind(|line| line.contains(" pv ")).expect("an iteration was completed");
        let line = moves_of(last).join(" ");
        engine.send(&format!("move {line}"));
        engine.assert_silent();
    }
}

#[test]
fn several_lines_are_ordered_and_start_with_different_moves() {
    for (variant, position) in POSITIONS {
        let mut engine = Engine::with_options(&[("UCI_Variant", variant), ("MultiPV", "5")]);
        let lines = engine.request(&format!("position {position}\ngo depth 7"), "bestmove ");
        let exact = lines.iter().filter(|line| line.starts_with("info depth ") && !line.contains("bound "));
        let exact: Vec<_> = exact.map(String::as_str).collect();
        let legal = field::<usize>(&engine.request("legal", "legal ")[0], "legal");
        assert_eq!(exact.len(), 7 * legal.min(5), "{variant}: {exact:?}");
        for iteration in exact.chunks(legal.min(5)) {
            let mut first_moves: Vec<_> = iteration.iter().map(|info| moves_of(info)[0]).collect();
            first_moves.sort_unstable();
            first_moves.dedup();
            assert_eq!(first_moves.len(), iteration.len(), "{variant}: {iteration:?}");
            let scores: Vec<i32> = iteration.iter().map(|info| field(info, "cp")).collect();
            assert!(scores.is_sorted_by(|better, worse| better >= worse), "{variant}: {iteration:?}");
            let numbers: Vec<usize> = iteration.iter().map(|info| field(info, "multipv")).collect();
            assert!(numbers.into_iter().eq(1..=iteration.len()), "{variant}: {iteration:?}");
        }
        let best = exact.iter().rfind(|info| field::<usize>(info, "multipv") == 1).map(|info| moves_of(info)[0]);
        let played = lines.last().and_then(|line| line.split(' ').nth(1));
        assert_eq!(played, best, "{variant}");
    }
}

/// A player with limited strength searches several lines to choose from, but reports only the requested number.
#[test]
fn a_rating_limit_reports_no_further_lines() {
    for (variant, position) in POSITIONS {
        let options = [("UCI_Variant", variant), ("UCI_LimitStrength", "true"), ("UCI_Elo", "2000")];
        let mut engine = Engine::with_options(&options);
        let lines = engine.request(&format!("position {position}\ngo depth 9"), "bestmove ");
        let scored: Vec<_> = lines.iter().filter(|line| line.contains(" multipv ")).collect();
        assert!(!scored.is_empty() && scored.iter().all(|line| line.contains(" multipv 1 ")), "{variant}: {lines:?}");
    }
}

/// If the best move fails high, the lower bound is reported with the line already found for it.
#[test]
fn a_better_score_keeps_the_line() {
    let mut bounds = 0;
    for (variant, position) in POSITIONS {
        let mut engine = Engine::with_options(&[("UCI_Variant", variant)]);
        let lines = engine.request(&format!("position {position}\ngo depth 12"), "bestmove ");
        let mut known: Vec<&str> = Vec::new();
        for info in beginning(&lines, "info depth").into_iter().filter(|info| info.contains(" pv ")) {
            let moves = moves_of(info);
            if info.contains(" lowerbound ") && moves.first() == known.first() {
                bounds += 1;
                assert_eq!(moves, known, "{variant}: {info}");
            }
            known = moves;
        }
    }
    assert!(bounds > 0);
}

/// The score of a further line is the same as in a search of only its first move, provided that the score is certain.
#[test]
fn wins_of_further_lines_are_exact() {
    let mut engine = Engine::with_options(&[("UCI_Variant", "english"), ("MultiPV", "64")]);
    let position = "position fen W:WK24,K15:B12";
    let lines = engine.request(&format!("{position}\ngo depth 9"), "bestmove ");
    let decided: Vec<_> =
        lines.iter().filter(|line| line.starts_with("info depth 9 ") && line.contains(" win ")).collect();
    assert!(decided.len() > 1, "{lines:?}");
    for info in decided {
        let moves: u16 = field(info, "win");
        let first = moves_of(info)[0];
        let alone = |moves: u16| format!("ucinewgame\n{position}\ngo win {moves} searchmoves {first}");
        let found = engine.request(&alone(moves), "bestmove ");
        assert!(found.iter().any(|line| line.contains(&format!("score win {moves} nodes"))), "{info}: {found:?}");
    }
}

/// The answer must match the last line even if the search is stopped within an iteration.
#[test]
fn the_answer_is_the_start_of_the_last_line() {
    let mut within = 0;
    for (variant, position) in POSITIONS {
        for several in ["1", "3"] {
            let mut engine = Engine::with_options(&[("UCI_Variant", variant), ("MultiPV", several)]);
            for nodes in (100..=20_000).step_by(300) {
                let lines = engine.request(&format!("ucinewgame\nposition {position}\ngo nodes {nodes}"), "bestmove ");
                let last = lines.iter().rfind(|line| line.contains(" multipv 1 ")).expect("an iteration was completed");
                within += usize::from(last.contains(" lowerbound "));
                let answer = lines.last().map_or("", |line| line);
                let words: Vec<_> = answer.split(' ').filter(|word| !["bestmove", "ponder"].contains(word)).collect();
                assert!(moves_of(last).starts_with(&words), "{variant}: {last} but {answer}");
            }
        }
    }
    assert!(within > 20, "{within}");
}

/// A draw by repetition depends on the game, so it must not be used as a proof for a different game.
#[test]
fn a_proof_holds_only_for_its_game() {
    let mut engine = Engine::with_options(&[("UCI_Variant", "english")]);
    let position = "position fen W:WK1,K10:BK16";
    let moves = "10-15 16-12 1-5 12-8 5-1 8-12 15-10 12-16";
    let mut answers = |position: &str| engine.request(&format!("{position}\ngo win 3"), "bestmove ");
    let no_win = "info string no win in 3 moves".to_owned();
    assert!(
        answers(&format!("{position} moves {moves}")).contains(&no_win),
        "its own king moves back and forth to a draw"
    );
    let found = answers(position);
    assert!(!found.contains(&no_win) && found.iter().any(|line| line.contains(" score win 3 nodes ")), "{found:?}");
}

#[test]
fn an_analysis_takes_its_time_for_a_forced_move() {
    let go = "position fen W:W22,30,31:B18,1,2,3\ngo wtime 600000 btime 600000";
    let engine = |mode| Engine::with_options(&[("UCI_Variant", "english"), ("UCI_AnalyseMode", mode)]);
    let lines = engine("false").request(go, "bestmove ");
    assert_eq!(beginning(&lines, "info depth").len(), 1, "the move is played at once: {lines:?}");
    let mut engine = engine("true");
    let lines = engine.request(go, "info depth 4 ");
    assert!(beginning(&lines, "bestmove ").is_empty(), "{lines:?}");
    engine.request("stop", "bestmove ");
}

/// A draw by move count takes effect before a side can decline a capture.
#[test]
fn the_move_count_draws_even_if_captures_are_optional() {
    let options = [("UCI_Variant", "english"), ("Forced Capture", "false")];
    let mut engine = Engine::with_options(&options);
    let position = "position fen W:W18,26,K32:BK15,K11,K3,K4,K12:H79";
    // Only draws score between -20 and 20 cp. The other move, a man's move, restarts the count.
    let mut score = |mv: &str| {
        let lines = engine.request(&format!("{position}\ngo depth 1 searchmoves {mv}"), "bestmove ");
        let score =
            lines.iter().find_map(|line| line.split_once(" score cp ")?.1.split(' ').next()?.parse::<i32>().ok());
        score.unwrap_or_else(|| panic!("{lines:?}"))
    };
    assert!((-20..0).contains(&score("32-27")));
    assert!(score("18-14") < -20);
}

#[test]
fn a_long_search_reports_the_current_move() {
    let mut engine = Engine::with_options(&[("UCI_Variant", "international")]);
    engine.send("go infinite");
    let reported = std::iter::repeat_with(|| engine.line_within(TIMEOUT).expect("the search is infinite").1);
    for line in reported.filter(|line| line.contains(" currmove ")).take(3) {
        let number: usize = field(&line, "currmovenumber");
        assert!((1..=9).contains(&number), "{line}");
    }
    engine.request("stop", "bestmove ");
}

#[test]
fn several_threads_find_what_one_thread_finds() {
    for (variant, position) in POSITIONS {
        let mut engine = Engine::with_options(&[("UCI_Variant", variant), ("Threads", "4")]);
        let lines = engine.request(&format!("position {position}\ngo depth 9"), "bestmove ");
        let iterations = lines.iter().filter(|line| line.starts_with("info depth 9 ") && line.contains(" pv "));
        assert!(iterations.count() > 0, "{variant}: {lines:?}");
        let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("there is a move");
        engine.send(&format!("move {best}"));
        engine.assert_silent();
    }
    // All threads stop with the search, so the next search finds the same win immediately.
    let mut engine = Engine::with_options(&[("UCI_Variant", "english"), ("Threads", "8")]);
    for _ in 0..20 {
        let lines = engine.request("position fen W:WK24:B12\ngo depth 9", "bestmove ");
        assert!(lines.iter().any(|line| line.contains(" score win 2 ")), "{lines:?}");
    }
}
