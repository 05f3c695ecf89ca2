//! Tests of valid and malformed game records.

mod results;

use super::*;

fn mv(text: &str, comment: Option<&str>) -> PdnMove {
    PdnMove { comment: comment.map(str::to_owned), ..PdnMove::new(text) }
}

fn one(text: &str) -> GameRecord {
    let games = read_games(text);
    assert_eq!(games.len(), 1, "{text}");
    games.into_iter().next().unwrap()
}

fn glyphs(text: &str) -> Vec<Vec<u16>> {
    one(text).moves.into_iter().map(|mv| mv.glyphs).collect()
}

#[test]
fn games_are_parsed_with_everything_in_a_file() {
    let text = "\u{feff}% made by hand\n[Event \"a \\\"b\\\" \\\\\"]\r\n[Round\t\"1\"]\n\n1. 32-28!? {good\n move} 19x23?! $4 (1... 18-23 \
                {:)} (1... 20-24)) 2.28x19 ; to the end\n14x23x30 1-0\n\n1... c3:e5 *[Event \"c\"] 1/2-1/2 2-0";
    let games = read_games(text);
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].tag("Event"), Some("a \"b\" \\"));
    assert_eq!(games[0].tag("Round"), Some("1"));
    let deepest = Variation { moves: vec![mv("20-24", None)], ..Variation::default() };
    let inner = PdnMove { variations: vec![deepest], ..mv("18-23", Some(":)")) };
    let variation = Variation { moves: vec![inner], ..Variation::default() };
    let moves = [
        PdnMove { glyphs: vec![5], ..mv("32-28", Some("good move")) },
        PdnMove { glyphs: vec![6, 4], variations: vec![variation], ..mv("19x23", None) },
        mv("28x19", Some("to the end")),
        mv("14x23x30", None),
    ];
    assert_eq!((games[0].moves.as_slice(), games[0].result), (&moves[..], GameResult::First));
    assert_eq!((games[1].moves.as_slice(), games[1].result), (&[mv("c3:e5", None)][..], GameResult::Unknown));
    assert_eq!((games[2].tag("Event"), games[2].result), (Some("c"), GameResult::Draw));
    for nothing in ["", " \n", "1-0", "* *", "{words} ; and more"] {
        assert_eq!(read_games(nothing), Vec::new());
    }
}

#[test]
fn unrecognised_text_that_would_be_misread_is_printed_as_a_comment() {
    for (text, comment) in [
        ("/FEN \"W:W1:B2\"/)[1-0- 7c3:e5", "1. /FEN \"W:W1:B2\"/ {) [ 1-0-} 1. 7c3:e5"),
        ("/FEN \"W:W1:B2\"/1-0- 7%1-0", "{1-0-} 1. 7%1-0"),
    ] {
        let game = one(text);
        let printed = game.to_string();
        assert_eq!(one(&printed).to_string(), printed, "{text}");
        assert!(printed.contains(comment), "{printed}");
    }
    let games = read_games("1-01-0[1-01-0 1.(1-5)");
    let printed: Vec<_> = games.iter().map(ToString::to_string).collect();
    assert_eq!(printed, ["\n1. 1-01-0\n[\n1-01-0\n\n", "\n{(} 1. 1-5 {)} *\n\n"]);
    assert_eq!(read_games(&printed.concat()).iter().map(ToString::to_string).collect::<Vec<_>>(), printed);
}

#[test]
fn annotations_become_glyphs() {
    assert_eq!(glyphs("1-5! 1-5? 1-5!! 1-5?? 1-5!? 1-5?! 1-5"), [&[1][..], &[2], &[3], &[4], &[5], &[6], &[]]);
    assert_eq!(glyphs("1-5 (!) 1-5(?) 1-5 !!! 1-5 $902 $7 $7 *"), [&[1][..], &[2], &[3], &[902, 7]]);
}

#[test]
fn characters_and_words_directly_after_a_move_become_comments() {
    for (remark, text) in [("+", "25x18"), ("#", "25x18"), ("=", "32-28"), ("+/-", "32-28"), ("+-", "9x18x27")] {
        let game = one(&format!("1. {text}{remark} 1-5 *"));
        let moves: Vec<_> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
        assert_eq!(moves, [text, "1-5"], "{text}{remark}");
        assert!(game.to_string().contains(&format!("{text} {{{remark}}}")), "{game}");
        assert_eq!(one(&game.to_string()), game);
    }
    assert_eq!(one("1. 8-11Resigns *").moves[0].text, "8-11");
    assert_eq!(one("1. 32-28 2-0+ *").moves.last().unwrap().text, "2-0+", "a move `2-0` would be read as a result");
}

#[test]
fn an_asterisk_after_a_move_is_a_forced_move_or_the_end() {
    assert_eq!(glyphs("1-5* 5-9 *"), [&[7][..], &[]]);
    assert_eq!(glyphs("1-5 5-9*"), [[0u16; 0]; 2]);
    assert_eq!(read_games("1-5 * 5-9*\n[A \"\"]").len(), 3);
    for text in ["1. 1-5*\n\n1. 5-9*", "1. 1-5* {so}\n\n[A \"\"] 5-9*", "1. 1-5*\n% so\n[A \"\"] 5-9 *"] {
        let games = read_games(text);
        assert_eq!(games.iter().map(|game| game.moves[0].glyphs.len()).collect::<Vec<_>>(), [0; 2], "{text}");
    }
    assert_eq!(glyphs("1. 1-5* {so} 1... 5-9 *"), [&[7][..], &[]]);
}

#[test]
fn moves_are_parsed_with_every_kind_of_number_or_none() {
    for text in [
        "1. 32-28 19-23 2. 28x19",
        "1.32-28 19-23 2.28x19",
        "1 . 32-28 1... 19-23 2 28x19",
        "1 32-28 19-23 2 28x19",
        "[FEN \"\"] 12 32-28 13 19-23 28x19",
        "32-28 19-23 28x19",
        "1. 32-28 1. ... 19-23\r\n2.\r\n28x19\r\n",
        "01. 32-28\t...19-23\n% 5-10\n02. 28x19",
    ] {
        let game = one(text);
        let texts: Vec<_> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
        assert_eq!(texts, ["32-28", "19-23", "28x19"], "{text}");
    }
    let texts: Vec<_> = one("1. c3d4 a1x Ab2 C3:E5:g7 12*19*26 /FEN  \"W:W31:B20\"/ 31-27").moves;
    let texts: Vec<_> = texts.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(texts, ["c3d4", "Ab2", "C3:E5:g7", "12*19*26", "/FEN \"W:W31:B20\"/", "31-27"]);
}

#[test]
fn a_remark_in_brackets_is_not_read_as_a_tag_after_printing() {
    for text in ["[Event \"Cup\"]\n1. 33-29 {\"]}\n[4p\"] 2. 39-33 *", "1. 33-29 [;a\nFoo \"x\"] 19-23 *"] {
        let game = one(text);
        let again = one(&game.to_string());
        assert_eq!((again.moves.len(), again.tags), (game.moves.len(), game.tags.clone()), "{game}");
    }
}

#[test]
fn a_word_that_begins_with_a_separator_is_not_joined_to_the_move_before_it() {
    let game = one("1. 32-28 19-23 2. 28x19 12... X3x24 3. 37-32) 3. 37-32! 10-14 *");
    assert_eq!(game.moves.len(), 6);
    assert_eq!(one(&game.to_string()).moves.len(), 6, "{game}");
}

#[test]
fn a_setup_position_can_continue_on_the_next_line_and_damaged_ones_stay_damaged() {
    let game = one("1. 9-13 /FEN \"W:WK6,\r\n  22:B3,K32\"/ 2. 6-10 *");
    assert_eq!(game.moves[1].text, "/FEN \"W:WK6,22:B3,K32\"/");
    assert_eq!((one(&game.to_string()), game.moves[1].set_up().unwrap().is_ok()), (game, true));
    for damaged in
        ["1. 9-13 /FEN\n\"W:WK6:B3\"/ 6-10 *", "1. 9-13 /FEN {why} \"W:WK6:B3\"/ 6-10 *", "1. 9-13 / {} FEN 6-10 /"]
    {
        let game = one(damaged);
        assert!(game.moves.iter().all(|mv| !mv.is_set_up()), "{damaged}");
        assert_eq!(one(&game.to_string()).moves.len(), game.moves.len(), "{game}");
    }
}

#[test]
fn moves_padded_with_blanks_are_parsed() {
    let text = "1.33-28 18-23  2.39-33  1- 7  3. 7 -12 16 x 7 4. 16x 7x18 c3 - d4 5. 6: 1! 8- 3{a}12 - 18*5-9 2 -  0";
    let game = one(text);
    let texts: Vec<_> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    let expected = ["33-28", "18-23", "39-33", "1-7", "7-12", "16x7", "16x7x18", "c3-d4", "6:1", "8-3", "12-18", "5-9"];
    assert_eq!((texts.as_slice(), game.result), (&expected[..], GameResult::First));
    assert_eq!(one(&game.to_string()), game);
    assert_eq!(one("[A \"\"] 5 32-28 19-23 6 28x19").moves.len(), 3, "numbers without dots are not squares");
    let open = one("1. 11-15 23-18 1/2-1/2 (");
    let written = one(&open.to_string());
    assert_eq!((open.result, written.result), (GameResult::Draw, GameResult::Draw), "{open}");
    assert!(open.to_string().contains("{(}"), "{open}");
    let alone = one("1. 32-28 - 2. 28x19");
    assert_eq!((alone.moves.len(), alone.moves[0].extra.as_slice()), (2, &["-".to_owned()][..]));
}

#[test]
fn words_right_after_a_move_are_a_comment() {
    let game = one("1. 8-11Redresigns 23x18x9time. 2. 22-1z c3d4 *");
    let moves: Vec<_> = game.moves.iter().map(|mv| (mv.text.as_str(), mv.comment.as_deref())).collect();
    let expected = [("8-11", Some("Redresigns")), ("23x18x9", Some("time.")), ("22-1z", None), ("c3d4", None)];
    assert_eq!(moves, expected);
}

#[test]
fn squares_with_letters_need_no_separator() {
    let read =
        |text: &str| PdnMove::new(text).record().map(|record| record.to_string()).map_err(|error| error.to_string());
    assert_eq!(read("c3d4").as_deref(), Ok("c3-d4"));
    assert_eq!(read("c3e5g7").as_deref(), Ok("c3-e5-g7"));
    assert_eq!(read("c3:e5").as_deref(), Ok("c3xe5"));
    assert_eq!(read("32-28").as_deref(), Ok("32-28"));
    assert_eq!(read("3228").as_deref(), Ok("32-28"));
    assert_eq!(read("c3").unwrap_err(), "expected '-' or 'x', found the end at column 3");
    assert_eq!(read("resigns").unwrap_err(), "expected a square, found 'resigns' at column 1");
}

#[test]
fn comments_are_kept_in_every_position() {
    let game = one(
        "; made by hand\n[Event \"a\"]\n{before} 1. {one} 32-28 {two} ; three {x}\n(; four\n1. 33-28 {five}) {six} *{seven}",
    );
    assert_eq!(game.comment.as_deref(), Some("made by hand before one"));
    assert_eq!(game.moves[0].comment.as_deref(), Some("two three [x] six seven"));
    assert_eq!(game.moves[0].variations[0].comment.as_deref(), Some("four"));
    assert_eq!(game.moves[0].variations[0].moves[0].comment.as_deref(), Some("five"));
    let timed = one("1-5 {[%clk 1:55:21]} 5-9 {[%emt 0:00:07] a} *");
    assert_eq!(timed.moves[0].comment.as_deref(), Some("[%clk 1:55:21]"));
    let games = read_games("1-5 * {of the first}\n{of the second} 5-9 *\n\n{at the end}");
    assert_eq!(games[0].moves[0].comment.as_deref(), Some("of the first"));
    assert_eq!(games[1].comment.as_deref(), Some("of the second"));
    assert_eq!(games[1].moves[0].comment.as_deref(), Some("at the end"));
    assert_eq!(one("$10 1-5 (1. 5-9 $1 0-1) *").comment.as_deref(), Some("$10"));
}

#[test]
fn games_without_moves_are_separated() {
    let games = read_games("[Event \"a\"]\n[Round \"1\"]\n\n[Event \"b\"]\n\n[Round \"2\"]\n1-5\n[Event \"c\"]");
    let events: Vec<_> = games.iter().map(|game| (game.tag("Event").unwrap(), game.moves.len())).collect();
    assert_eq!(events, [("a", 0), ("b", 1), ("c", 0)]);
}

#[test]
fn the_tags_determine_the_variant() {
    for &variant in Variant::ALL {
        let game = PlayedGame {
            event: "a test",
            site: "?",
            round: 1,
            date: "2026.01.31",
            players: ["a", "b"],
            variant,
            fen: None,
            controls: [TimeControl::Unlimited, TimeControl::Unlimited],
            moves: Vec::new(),
            result: GameResult::Draw,
            reason: "it was agreed",
        };
        assert_eq!(one(&GameRecord::from(game.clone()).to_string()).variant(), Ok(Some(variant)));
        for (controls, tags) in [
            (["300+3", "300+3"], "[TimeControl \"300+3\"]\n"),
            (["40/60", "*0.5"], "[TimeControlWhite \"40/60\"]\n[TimeControlBlack \"*0.5\"]\n"),
        ] {
            let controls = controls.map(|text| text.parse().unwrap());
            let text = GameRecord::from(PlayedGame { controls: controls.clone(), ..game.clone() }).to_string();
            assert!(text.contains(tags), "{text}");
            assert_eq!([Color::White, Color::Black].map(|side| one(&text).time_control(side)), controls.map(Some));
        }
    }
    let read = |tags: &str| one(tags).variant().map_err(|error| error.to_string());
    assert_eq!(read("[Variant \"Poddavki\"]"), Ok(Some(Variant::LosingRussian)));
    for (name, number, variant) in [
        ("x", 25, Variant::Russian),
        ("Standard", 40, Variant::Frisian),
        ("Antidraughts", 20, Variant::Losing),
        ("Frysk!", 40, Variant::Frysk),
        ("Poddavki", 20, Variant::International),
    ] {
        let mut game = one(&format!("[Variant \"{name}\"] [GameType \"{number}\"] *"));
        assert_eq!(game.variant(), Ok(Some(variant)), "{name}");
        game.set_variant(Variant::International);
        assert_eq!(game.variant(), Ok(Some(Variant::International)), "{name}");
    }
    assert_eq!(read("[Event \"x\"]"), Ok(None));
    for open in ["", "?", "-"] {
        let game = one(&format!("[GameType \"{open}\"] [Variant \"{open}\"] [FEN \"{open}\"] 1-5"));
        assert_eq!((game.variant(), game.start()), (Ok(None), Ok(None)));
    }
    assert_eq!(read("[Variant \"chess\"]"), Err("unknown variant or game type 'chess'".to_owned()));
}

fn notes(text: &str) -> Vec<String> {
    let games: Vec<_> = PdnReader::new(text).collect();
    assert_eq!(games.len(), 1, "{text}");
    assert_eq!(games[0].source, text);
    games[0].notes.iter().map(ToString::to_string).collect()
}

#[test]
fn unrecognised_text_is_kept_and_noted() {
    for (text, kept, note) in [
        ("1. 32-28 +/- 19-23 *", "1. 32-28 +/- 19-23 *", "line 1 column 10: unrecognised text, kept as is: '+/-'"),
        ("1. 32-28 = 19-23 *", "1. 32-28 = 19-23 *", "line 1 column 10: unrecognised text, kept as is: '='"),
        ("1. 32-28 12-16x *", "1. 32-28\n12-16x\n*", "line 1 column 10: unrecognised text, kept as is: '12-16x'"),
        ("1. <..> 32-28 *", "<..> 1. 32-28 *", "line 1 column 4: unrecognised text, kept as is: '<..>'"),
        ("1. 32-28 ) *", "1. 32-28 ) *", "line 1 column 10: unrecognised text, kept as is: ')'"),
        ("(1-5) *", "( 1. 1-5 ) *", "line 1 column 1: unrecognised text, kept as is: '('"),
        ("1-5 $65536 *", "1. 1-5 $65536 *", "line 1 column 5: unrecognised text, kept as is: '$65536'"),
        (
            "1-5 Black resigns 1-0",
            "1. 1-5 Black resigns 1-0",
            "line 1 column 5: unrecognised text, kept as is: 'Black'",
        ),
        ("1-5 77 *", "1. 1-5 77 *", "line 1 column 5: unrecognised text, kept as is: '77'"),
        ("1-5 1 5-9 2 *", "1. 1-5 1 5-9 2 *", "line 1 column 5: unrecognised text, kept as is: '1'"),
        ("1-5 1 5-9 2 9-14 *", "1. 1-5 1 5-9 2 2. 9-14 *", "line 1 column 5: unrecognised text, kept as is: '1'"),
        ("1-5 5-9 2 1-0", "1. 1-5 5-9 2 1-0", "line 1 column 9: unrecognised text, kept as is: '2'"),
        ("1-5 0.5 5-9 12.30s *", "1. 1-5 0.5 5-9 12.30s *", "line 1 column 5: unrecognised text, kept as is: '0.5'"),
        ("1-5 (1. 1-6 99 6-9) *", "1. 1-5 (1. 1-6 99 6-9) *", "line 1 column 13: unrecognised text, kept as is: '99'"),
        ("1-5 (611 2218) *", "1. 1-5 (611 1. 2218) *", "line 1 column 6: unrecognised text, kept as is: '611'"),
        ("1-5 % 5-9 *", "1. 1-5\n%\n5-9 *", "line 1 column 5: unrecognised text, kept as is: '%'"),
        ("5. 1-5 5-9 6. 9-14 3. *", "1. 1-5 5-9 2. 9-14 *", "line 1 column 1: a wrong move number, ignored: '5.'"),
        ("1-5 (5... 5-9 7. 1-6) *", "1. 1-5 (1. 5-9 1-6) *", "line 1 column 15: a wrong move number, ignored: '7.'"),
        ("1. 32-28 {no end", "1. 32-28 {no end} *", "line 1 column 10: unclosed comment, closed: '{no end'"),
        ("1-5\n (1. 5-9", "1. 1-5 (1. 5-9) *", "line 2 column 6: unclosed variation, closed: '('"),
    ] {
        let text = format!("[A \"\"]\n{text}");
        let note = note.replace("line 2", "line 3").replace("line 1", "line 2");
        assert_eq!(notes(&text)[0], note, "{text}");
        let printed = one(&text).to_string();
        assert_eq!(printed, format!("[A \"\"]\n\n{kept}\n\n"));
        assert_eq!(one(&printed).to_string(), printed);
    }
    let deep = format!("[A \"\"] {}", "1-5 (".repeat(1000));
    assert!(notes(&deep)[0].ends_with("column 512: unrecognised text, kept as is: '('"), "{:?}", notes(&deep)[0]);
    let lines = "[A \"\"]\n[B \"x\n% one\n1. 32-28\n% 5-10\n19-23 *";
    let printed = one(lines).to_string();
    assert_eq!(printed, "[A \"\"]\n\n[B \"x\n% one\n1. 32-28\n% 5-10\n19-23 *\n\n");
    assert_eq!(one(&printed).to_string(), printed);
}

#[test]
fn wrong_quotation_marks_in_tags_are_corrected() {
    let game = one("[Event \"The \"Open\"\"]\n[Round 1]\n[Site \"a\\\"b\"]\n1. 32-28 *");
    let tags = [("Event", "The \"Open\""), ("Round", "1"), ("Site", "a\"b")];
    assert_eq!(game.tags, tags.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(one(&game.to_string()), game);
    let note = "line 1 column 1: misquoted tag value, corrected: '[Event \"The \"Open\"\"]'";
    assert_eq!(notes("[Event \"The \"Open\"\"] *"), [note]);
    assert_eq!(one("[A \"\"]\n1-5\n[in brackets] 5-9 *").moves.len(), 2, "a remark is no tag");
    for text in ["[White-Elo \"1500\"]\n[White \"x\"] *", "\u{feff}[White-Elo 1500]\n[White \"x\"] *"] {
        assert_eq!((one(text).tag("White"), one(text).tag("White-Elo")), (Some("x"), Some("1500")), "{text}");
    }
}

#[test]
fn moves_are_read_in_every_dialect() {
    for (text, moves) in [
        ("[GameType \"21\"] 1. 1116 2319 *", "11-16 23-19"),
        ("1. 11-16 2319 2. 8-11 22-18 *", "11-16 23-19 8-11 22-18"),
        ("1. 32–28 28×19 18—23 *", "32-28 28x19 18-23"),
        ("1. cd4 ba5 с3-d4 С3:е5 b6×d4 *", "c-d4 b-a5 c3-d4 c3xe5 b6xd4"),
        ("1. c:e5 cxe5 *", "cxe5 cxe5"),
        ("1. 32-28(!) 19-23(?!) *", "32-28 19-23"),
        ("1. 22x15 15x6 1-5 *", "22x15x6 1-5"),
        ("1. 22x15 {so} 15x6 6x13 *", "22x15x6x13"),
    ] {
        let game = one(text);
        let read = game.moves.iter().map(|mv| mv.record().map(|record| record.to_string()));
        assert_eq!(read.collect::<Result<Vec<_>, _>>().unwrap().join(" "), moves, "{text}");
        assert!(game.moves.iter().all(|mv| mv.extra.is_empty()));
        assert_eq!(one(&game.to_string()), game);
    }
    let game = one("1. 32-28 -- 2. - - 19-23 *");
    assert_eq!(game.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>(), ["32-28", "--", "--", "19-23"]);
}

#[test]
fn the_texts_of_games_are_the_whole_text() {
    let text = "% by hand\n1-0 {lone}\n[Event \"a\"]\n1-5 *\n\n* {b}\n\n[Event \"c\"] 1-5 1-0\n ; end";
    let games: Vec<_> = PdnReader::new(text).collect();
    assert_eq!(games.iter().map(|game| game.source).collect::<String>(), text);
    assert_eq!(games.iter().map(|game| (game.number, game.location.line)).collect::<Vec<_>>(), [(1, 3), (2, 8)]);
    let resumed = PdnReader::after(text, 5, 10).next().unwrap();
    assert_eq!((resumed.number, resumed.location.line), (6, 13));
}

#[test]
fn a_fault_does_not_end_a_game_or_swallow_the_next() {
    let good = "[Event \"good\"]\n\n1. 32-28 *\n\n";
    for (bad, moves) in [
        ("[Event \"bad\"]\n[Round 1]\n[Result \"*\"]\n\n1. 32-28 {a}\n19-23 *\n\n", 2),
        ("[Event \"bad\"]\n1. 32-28 {not closed\n19-23 *\n\n", 1),
        ("[Event \"bad\"]\n1. 32-28 <?>\n19-23 *\n", 2),
        ("[Event \"bad\"]\n1. 32-28 (1. 33-28\n19-23 *\n", 1),
        ("[Event \"bad\"]\n1. 32-28 } [Result\n", 1),
    ] {
        let text = [good, bad, good, good].concat();
        let games: Vec<_> = PdnReader::new(&text).collect();
        let found: Vec<_> = games.iter().map(|game| (game.number, game.record.moves.len())).collect();
        assert_eq!(found, [(1, 1), (2, moves), (3, 1), (4, 1)], "{bad}");
        assert_eq!(games.iter().map(|game| game.notes.is_empty()).collect::<Vec<_>>(), [true, false, true, true]);
        assert_eq!(games.iter().map(|game| game.source).collect::<String>(), text);
    }
    for (comment, games) in [
        ("{see\n[Event \"b\"]\nhere}", 1),
        ("{see\n[Event \"b\"]\n1. 33-28 {so}", 2),
        ("{see\n\n[Event \"b\"]\n1. 33-28 }", 2),
        ("{see\n[Event \"b\"]\n\n1. 33-28 }", 2),
        ("{see\n[Event \"b\"]\n[Round \"1\"]\n1. 33-28 }", 2),
        ("{see 1-0\n[Event \"b\"]\n1. 33-28 }", 2),
    ] {
        assert_eq!(read_games(&format!("[Event \"a\"]\n1. 32-28 {comment} *")).len(), games, "{comment}");
    }
    let lines = "[FEN \"a\"] *\n[FEN \"b\"] <\n[FEN \"c\"] *\n[FEN \"d\n[FEN \"e\"] *";
    assert_eq!(PdnReader::new(lines).map(|game| game.record.tags.len()).collect::<Vec<_>>(), [1; 4]);
}

#[test]
fn a_remark_in_brackets_after_the_result_is_not_a_tag_of_the_next_game() {
    let next = "[White \"C\"]\n[Black \"D\"]\n\n1. 33-29 *\n";
    for end in ["1-0 [Black resigns]", "1-0 {so} [Black resigns]", "1-0[Black resigns]", "[Black resigns] 1-0"] {
        let text = format!("[White \"A\"]\n[Black \"B\"]\n\n1. 32-28 19-23 {end}\n\n{next}");
        let games: Vec<_> = PdnReader::new(&text).collect();
        assert_eq!(games.len(), 2, "{end}");
        assert_eq!(games[0].record.moves[1].extra, ["[Black resigns]"], "{end}");
        assert_eq!((games[0].notes.len(), games[1].record.tag("Black")), (1, Some("D")), "{end}");
    }
    let games = read_games("1. 32-28 *\n  [Round 1]\n[Event \"a\"]\n1. 33-29 * + [Round 2]\n");
    assert_eq!((games[1].tag("Round"), games[1].tags.len()), (Some("1"), 2));
}

#[test]
fn a_mark_at_the_end_of_a_file_is_a_blank() {
    assert_eq!(notes("1. 32-28 1-0\r\n\u{1a}\0\0"), [""; 0]);
}

#[test]
fn a_carriage_return_ends_a_line() {
    let text = "% by hand\r[A \"\"]\r\r1. 32-28 ; good\r19-23\r% not 2. 28x19\r2. 28x19 {open\r[A \"b\"]\r\r1. 33-28 *\r\
                \n";
    let lines = text.replace('\r', "\n");
    let read = |text: &str| {
        let of_game = |game: ReadGame<'_>| (game.record, game.location, game.moves, game.notes);
        PdnReader::new(text).map(of_game).collect::<Vec<_>>()
    };
    let games = read(text);
    assert_eq!(games.iter().map(|game| game.0.moves.len()).collect::<Vec<_>>(), [3, 1]);
    assert_eq!(games[0].0.moves[0].comment.as_deref(), Some("good"));
    assert_eq!(games, read(&lines));
    assert_eq!(one("1. 9-13 /FEN \"W:WK6,\r  22:B3,K32\"/\n*").moves[1].text, "/FEN \"W:WK6,22:B3,K32\"/");
}

#[test]
fn moves_have_positions_in_the_text() {
    let game = PdnReader::new("[A \"\"]\n\n1. 32-28 {é\n} 19-23 (1... 18-23)\n2. 28x19").next().unwrap();
    let places: Vec<_> = game.moves.iter().map(Location::to_string).collect();
    assert_eq!(places, ["line 3 column 4", "line 4 column 3", "line 5 column 4"]);
    assert_eq!(game.moves.len(), game.record.moves.len());
}

#[test]
fn a_game_that_shares_a_line_is_read_equally_on_its_own_lines() {
    let pieces =
        ["[A \"\"]", "[A \"b", "[B \"x\"y\"]", "[C x]", "%", "1. 32-28", "19-23", "1-0", "*", "2:0", "{a}", "(", "\n"];
    let texts = |moves: &[PdnMove]| moves.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>();
    let (mut random, mut moved) = (fastrand::Rng::with_seed(3), 0);
    for _ in 0..20_000 {
        let words: Vec<_> = (0..random.usize(2..12)).map(|_| pieces[random.usize(0..pieces.len())]).collect();
        let text = words.join(if random.bool() { " " } else { "" });
        for game in PdnReader::new(&text) {
            let own = game.on_own_lines();
            moved += usize::from(own != game.source);
            let parts = |game: &GameRecord| (game.tags.clone(), texts(&game.moves), game.result_text());
            let read: Vec<_> = read_games(&own).iter().map(parts).collect();
            assert_eq!(read, [parts(&game.record)], "{text:?} {own:?}");
        }
    }
    assert!(moved > 0);
}

#[test]
fn tags_and_results_have_locations() {
    let text = "[A \"\"] [B \"\"]\n[A \"\"]\n\n1. 32-28 1-0\n";
    let game = PdnReader::new(text).next().unwrap();
    let tags: Vec<_> = game.tags.iter().map(Location::to_string).collect();
    assert_eq!(tags, ["line 1 column 1", "line 1 column 8", "line 2 column 1"]);
    assert_eq!(game.result.unwrap().to_string(), "line 4 column 10");
    assert_eq!([game.tag_location("B"), game.tag_location("C"), game.move_location(1)].map(|at| at.column), [8, 1, 1]);
    let game = PdnReader::new("[A \"\"]\n1. 32-28\n*\n1-0").next().unwrap();
    assert_eq!(game.result.unwrap().to_string(), "line 4 column 1");
}

#[test]
fn a_game_is_printed_in_standard_form() {
    let text = "[FEN \"B:W32:B1\"]\n\n{a} 1... 1-5 2. 32-28 $1 $7 {a [b]} 5-9 (2... 5-10 {c}) ({d} 2... 6-10 3. 28-23\n\
                (3. 28-22) 10-14) 3. 28-23 () 9-14 1/2-1/2\n\n";
    let numbered = text.replace("3. 28-23 () 9-14", "3. 28-23 () 3... 9-14").replace("10-14) 3", "3... 10-14) 3");
    assert_eq!(one(text).to_string(), numbered);
    let mut game = one("[FEN \"B:W32:B1\"] 1-5 32-28 5-9");
    game.tags.clear();
    assert_eq!(game.to_string(), "\n1. 1-5 32-28 2. 5-9 *\n\n");
}

#[test]
fn a_line_for_other_programs_can_follow_the_result() {
    for (tags, result) in [("[Result \"4-6\"]", "4-6"), ("", "4-6"), ("", "1:1"), ("", "1-0"), ("", "*")] {
        let game = one(&format!("[GameType \"20\"]\n{tags}\n1. 32-28 19-23 {result}\n% by X\n"));
        assert_eq!((game.moves.len(), game.result_text().as_str()), (2, result), "{tags}");
        assert_eq!(game.moves[1].extra, ["% by X"]);
        assert_eq!(one(&game.to_string()), game);
    }
}

#[test]
fn any_two_games_are_kept_apart() {
    let pieces = [
        "32-28", "19-23", "1.", "2...", "1-0", "*", "(", "(1... 19-23", ")", "{a}", "{", "}", "; a", "\n", "\n% b\n",
        "/FEN \"W:W31:B20\"/", "$1", "+/-", "!", "<..>", "--", "...",
    ];
    let mut random = fastrand::Rng::with_seed(7);
    let text = |random: &mut fastrand::Rng| {
        let words: Vec<_> = (0..random.usize(1..7)).map(|_| pieces[random.usize(0..pieces.len())]).collect();
        words.join(" ")
    };
    for _ in 0..20_000 {
        let [one, other] = [text(&mut random), text(&mut random)];
        if read_games(&one).len() == 1 && read_games(&other).len() == 1 {
            let separator = game_separator(&one, &other);
            let joined = read_games(&[&*one, &separator, &other].concat());
            assert_eq!(joined.len(), 2, "{one:?} {separator:?} {other:?}");
        }
    }
}

#[test]
fn text_after_a_comment_stays_after_it() {
    for (text, printed) in [
        ("1. 32-28 {a {b} c} 19-23", "1. 32-28 {a {b} c } 19-23 *"),
        ("{a {b} c} 1. 32-28", "{a {b} c } 1. 32-28 *"),
        ("1. 32-28 ({nested {brace}} 1. 33-28)", "1. 32-28 ({nested {brace} } 1. 33-28) *"),
    ] {
        let game = one(&format!("[A \"\"]\n{text}"));
        assert_eq!(game.to_string(), format!("[A \"\"]\n\n{printed}\n\n"));
        assert_eq!(one(&game.to_string()), game);
    }
}

#[test]
fn unusual_marks_and_missing_moves_are_noted() {
    for (text, printed, kind) in [
        ("32-28(?!?!)", "32-28 $6 *", "unusual marks, read as the nearest usual ones: '(?!?!)'"),
        ("32-28!!!", "32-28 $3 *", "unusual marks, read as the nearest usual ones: '!!!'"),
        ("32-28????", "32-28 $4 *", "unusual marks, read as the nearest usual ones: '????'"),
        ("32-28 (!?!!!)", "32-28 $5 *", "unusual marks, read as the nearest usual ones: '(!?!!!)'"),
        ("32-28 ... 2. 37-32", "32-28 -- 2. 37-32 *", "an unknown move: '...'"),
        ("32-28 .. {so} 1-0", "32-28 -- {so} 1-0", "an unknown move: '..'"),
    ] {
        let text = format!("[A \"\"]\n1. {text}");
        assert!(notes(&text).len() == 1 && notes(&text)[0].ends_with(&format!(": {kind}")), "{:?}", notes(&text));
        assert_eq!(one(&text).to_string(), format!("[A \"\"]\n\n1. {printed}\n\n"));
    }
    for text in ["1. 32-28! 19-23(?) 2. 28x19!! 14x23 (!?)", "1. 32-28 {a} ... 19-23", "1. ... 19-23 2. 28x19"] {
        assert_eq!(notes(&format!("[A \"\"]\n{text} *")), [""; 0], "{text}");
    }
}

#[test]
fn moves_are_numbered_from_the_side_that_starts_in_the_variant() {
    for (tags, moves) in [
        ("[GameType \"20\"]\n[FEN \"W:W32:B1\"]", "1. 32-28 1-6"),
        ("[GameType \"20\"]\n[FEN \"B:W32:B1\"]", "1... 1-6 2. 32-28"),
        ("[GameType \"21\"]\n[FEN \"B:W18,K32:B1,K7\"]", "1. 7-11 18-15"),
        ("[GameType \"21\"]\n[FEN \"W:W18,K32:B1,K7\"]", "1... 18-15 2. 7-11"),
        ("[Variant \"thai\"]\n[FEN \" w:W18,K32:B1,K7\"]", "1... 18-15 2. 7-11"),
        ("[FEN \"B:W32:B1\"]", "1... 1-6 2. 32-28"),
        ("[GameType \"21\"]", "1. 11-15 23-19 /FEN \"W:W32:B1\"/ 2... 32-28 3. 1-6 /FEN \"B:W32:B1\"/ 4. 1-6"),
    ] {
        let printed = format!("{tags}\n\n{moves} *\n\n");
        assert_eq!(one(&printed).to_string(), printed);
    }
}
