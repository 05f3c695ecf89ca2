//! Tests of the results of games, in the forms found in files.

use super::*;

#[test]
fn every_result_ends_a_game() {
    for (text, result) in [
        ("1-0", GameResult::First),
        ("2-0", GameResult::First),
        ("1-0F", GameResult::First),
        ("0-1", GameResult::Second),
        ("0-2", GameResult::Second),
        ("1/2-1/2", GameResult::Draw),
        ("½-½", GameResult::Draw),
        ("1-1", GameResult::Draw),
        ("0-0", GameResult::BothLost),
        ("*", GameResult::Unknown),
    ] {
        let games = read_games(&format!("1. 32-28 {text}\n1. 33-28 {text}"));
        assert_eq!(games.iter().map(|game| game.result).collect::<Vec<_>>(), [result; 2], "{text}");
        let tagged = one(&format!("[Result \"{text}\"]\n1. 32-28 1-18"));
        assert_eq!((tagged.result, tagged.moves.len()), (result, 2), "the tag counts if there is no other result");
        assert!(tagged.to_string().ends_with(&format!("1-18 {text}\n\n")), "it is written like the tag");
    }
    assert_eq!(one("[Result \"2-0\"]\n1. 32-28 *").result, GameResult::First, "the asterisk can be a mere separator");
    assert_eq!(one("[Result \"?\"]\n1. 32-28 0-2").result, GameResult::Second);
    for (tag, end, text, words) in [
        ("4-6", "*", "4-6", "result 4-6"),
        ("4-6", "", "4-6", "result 4-6"),
        ("4-6", "1-0", "1-0", "White won"),
        ("12-8", "12-8", "12-8", "result 12-8"),
        ("?", "0.5-0.5", "0.5-0.5", "result 0.5-0.5"),
        ("1:1", "*", "1/2-1/2", "a draw"),
        ("", "*", "*", "not finished"),
        ("*", "*", "*", "not finished"),
        ("?", "*", "*", "not finished"),
    ] {
        let game = one(&format!("[Result \"{tag}\"]\n1. 32-28 19-23 {end}"));
        let found = (game.result_text(), game.result_in_words(Variant::International));
        assert_eq!(found, (text.to_owned(), words.to_owned()), "{tag} {end}");
        assert_eq!(one(&game.to_string()), game, "{tag} {end}");
    }
}

#[test]
fn a_result_directly_followed_by_a_word_is_not_a_move() {
    let game = one("1. 31-27 18-22 2. 0-2the *");
    assert_eq!(game.moves.last().unwrap().text, "0-2the");
    assert_eq!(one(&game.to_string()), game, "a move `0-2` would be read as the end of the game");
}

#[test]
fn results_with_dashes_colons_and_blanks_are_read() {
    for (text, written, result, notes) in [
        ("1–0", "1–0", GameResult::First, 1),
        ("1−0", "1−0", GameResult::First, 1),
        ("1 – 0", "1–0", GameResult::First, 1),
        ("0—2", "0—2", GameResult::Second, 1),
        ("½–½", "½–½", GameResult::Draw, 1),
        ("½ - ½", "½-½", GameResult::Draw, 0),
        ("1/2–1/2", "1/2–1/2", GameResult::Draw, 1),
        ("1/2 - 1/2", "1/2-1/2", GameResult::Draw, 0),
        ("1:0", "1:0", GameResult::First, 1),
        ("2:0", "2:0", GameResult::First, 1),
        ("1 : 1", "1 : 1", GameResult::Draw, 1),
        ("1/2 : 1/2", "1/2 : 1/2", GameResult::Draw, 1),
    ] {
        for next in ["", " {so}", "\n\n[Event \"b\"]\n\n1. 33-28 *"] {
            let file = format!("[Event \"a\"]\n\n1. 32-28 19-23 {text}{next}");
            let games: Vec<_> = PdnReader::new(&file).collect();
            let ReadGame { record, notes: found, .. } = &games[0];
            let expected = (2, result, written.to_owned(), notes);
            assert_eq!(
                (record.moves.len(), record.result, record.result_text(), found.len()),
                expected,
                "{text}{next}"
            );
            assert_eq!(one(&record.to_string()), *record, "{text}{next}");
        }
        let tagged = one(&format!("[Result \"{text}\"]\n1. 32-28 *"));
        assert_eq!((tagged.result, &one(&tagged.to_string())), (result, &tagged), "{text}");
    }
    for text in ["1. 32-28 1:1 2. 28-22 1-0", "1. 32-28 2:0 (1:1) 1-0", "1. 32-28 11:20 1-0"] {
        assert_eq!((one(text).moves.len() > 1, one(text).result), (true, GameResult::First), "{text}");
    }
    assert_eq!(one("[A \"\"] 1. 32-28 11:20").moves.len(), 2);
}

#[test]
fn any_result_is_kept_in_its_style() {
    for (text, ending) in [
        ("1. 32-28 20-0", "20-0"),
        ("1. 32-28 2.5-0", "2.5-0"),
        ("[GameType \"30\"] 1. 41-33 7-30", "7-30"),
        ("[Result \"4-6\"] 1. 32-28 4-6", "4-6"),
        ("1. 32-28 4-6", "4-6"),
        ("1. 32-28 1.01-0.99", "1.01-0.99"),
        ("1. 32-28 2-1", "2-1"),
        ("[A \"\"] 1. 32-28 2-1 {so}", "2-1"),
        ("1. 32-28 1+ - 1-", "1+ - 1-"),
        ("[Result \"7-3\"] 1. 32-28 7-3", "7-3"),
        ("1. 32-28 2-0", "2-0"),
        ("1. 32-28 1-1", "1-1"),
        ("[Result \"1-0\"] 1. 32-28 2-0", "2-0"),
    ] {
        let game = one(text);
        assert_eq!((game.moves.len(), game.result_text().as_str()), (1, ending), "{text}");
        let printed = game.to_string();
        assert!(printed.ends_with(&format!(" {ending}\n\n")), "{printed}");
        assert_eq!(one(&printed), game);
    }
    assert_eq!(one("1. 32-28 4-6 19-23 *").moves.len(), 3, "not at the end");
    assert_eq!(one("1. 32-28 7-3").moves.len(), 2, "a move of a king");
    assert_eq!(one("[GameType \"30\"] 1. 41-33 33-34").moves.len(), 2, "a move along a row");
    let game = one("1. 32-28 19-23 45.2-0");
    assert_eq!((game.moves.len(), game.result_text().as_str()), (2, "2-0"), "a move number before the result");
}

#[test]
fn a_result_outside_the_game_is_kept() {
    for (end, printed, result) in [
        ("* {time} 0-1", "{time} 0-1", GameResult::Second),
        ("*\n\n{time}\n1-0F * {so}", "{time so} 1-0F", GameResult::First),
        ("* 4-6", "4-6", GameResult::Unknown),
        ("1-0 0-1 (so) 2-0", "{(so) 0-1 2-0} 1-0", GameResult::First),
    ] {
        for (before, after) in [("", ""), ("[A \"\"]\n", "\n\n[B \"\"]\n\n1. 33-28 *")] {
            let text = format!("{before}1. 32-28 {end}{after}");
            let game = PdnReader::new(&text).next().unwrap();
            assert_eq!(game.record.result, result, "{text}");
            assert_eq!(game.record.to_string(), format!("{before}\n1. 32-28 {printed}\n\n"));
            assert!(game.notes.iter().any(|note| note.kind == NoteKind::OtherResult), "{text}");
        }
    }
    assert_eq!(one("1-0\n\n1. 32-28").to_string(), "\n1. 32-28 1-0\n\n");
    let note = "line 2 column 1: a result outside the game, kept as a comment unless the game has none: '0-1'";
    assert_eq!(notes("1. 32-28 1-0\n0-1\n* *"), [note]);
}

#[test]
fn a_result_stays_at_the_end_of_a_game_with_unrecognised_text() {
    let end = "1. 32-28 19-23 {x} +/-";
    for (tag, result) in [("2-0", "1-0"), ("1-0", "2-0"), ("1/2-1/2", "1-1"), ("1-0F", "1-0F")] {
        let mut game = one(&format!("[Result \"{tag}\"]\n{end} {result}"));
        for tag in [tag, result] {
            game.set_tag("Result", tag.to_owned());
            assert_eq!(game.to_string(), format!("[Result \"{tag}\"]\n\n{end} {result}\n\n"));
        }
    }
    // Text that cannot be written back takes no result with it into the comment.
    let mut game = one("1. 32-28 19-23 {x} 2-0");
    game.moves[1].extra.push("1.".to_owned());
    assert_eq!(game.to_string(), "\n1. 32-28 19-23 {x 1.} 2-0\n\n");
}

#[test]
fn a_result_with_a_colon_ends_a_game_without_tags() {
    for (text, results) in [
        ("1. 32-28 19-23 1:0\n\n1. 33-29 19-23 0:1\n", ["1:0", "0:1"]),
        ("1. 32-28 1:1 {so} 1. 33-29 19-23 2:0", ["1:1", "2:0"]),
        ("1. 32-28 19-23 4-6\n% by X\n1. 33-29 19-23 *", ["4-6", "*"]),
    ] {
        assert_eq!(read_games(text).iter().map(GameRecord::result_text).collect::<Vec<_>>(), results, "{text}");
    }
    assert_eq!(one("1. 32-28 {12-8} 1... 19-23 2. 28x19 14x23 1-0").moves.len(), 4);
}

#[test]
fn a_game_without_moves_keeps_its_result_before_another_game() {
    for result in ["2:0", "1:1", "0:1", "1 : 0", "2-0", "1/2-1/2", "12-8", "*", ""] {
        for (tags, end) in [("[White \"a\"]", "\n\n"), ("[White \"a\"]\n[Result \"1-0\"]", "\n"), ("[White \"a\"]", "")]
        {
            let (game, next) = (format!("{tags}\n\n{result}{end}"), "[White \"b\"]\n\n1. 32-28 1:1\n");
            let joined = read_games(&(game.clone() + &game_separator(&game, next) + next));
            assert_eq!(joined, [one(&game), one(next)], "{game:?}");
        }
    }
}

#[test]
fn a_remark_after_the_result_is_a_comment() {
    let text = "[A \"\"]\n1. 32-28 19-23 ";
    for (end, comment, result) in [
        ("1-0 (time)", "(time)", "1-0"),
        ("1-0 {so} (20 moves) ; late", "so (20 moves) late", "1-0"),
        ("*\n(time)", "(", "*"),
        ("1-0 (time", "(", "1-0"),
        ("4-6 (time)", "(time)", "4-6"),
        ("1:0 (time)", "(time)", "1:0"),
    ] {
        let game = one(&format!("{text}{end}"));
        assert_eq!((game.moves[1].comment.as_deref(), game.result_text().as_str()), (Some(comment), result), "{end}");
        assert_eq!(one(&game.to_string()), game, "{end}");
    }
    assert_eq!(notes(&format!("{text}1-0 (time)")), ["line 2 column 20: a remark, kept as a comment: '(time)'"]);
    assert_eq!(
        notes(&format!("{text}1–0 (time)")),
        [
            "line 2 column 16: an unusual result, kept as is: '1?0'",
            "line 2 column 20: a remark, kept as a comment: '(time)'"
        ]
    );
    assert_eq!(read_games("1. 32-28 1-0\n(1. 33-28 *)").len(), 2);
}

#[test]
fn an_unusual_result_before_the_first_move_stays_in_the_game() {
    for (text, printed) in [
        ("[A \"\"]\n\n1-0- 7c3:e5", "1-0-\n1. 7c3:e5 *"),
        ("[A \"\"]\n\n1-01-0(1-5)1.32-28", "1. 1-01-0 (1. 1-5) 1... 32-28 *"),
    ] {
        let once = one(text).to_string();
        assert!(once.contains(printed), "{once}");
        assert_eq!(one(&once).to_string(), once);
    }
}
