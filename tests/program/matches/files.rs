//! Tests of match files: their content, protection from overwriting, and resumption of killed matches.

use super::{SOFFIO, entry, logs, soffio_match, two_engines};
use crate::common::records::{new_file, records, replay};
use crate::process::{self, TIMEOUT, program, run_to_end};
use soffio::notation::FenRecord;
use soffio::rules::Variant;
use soffio_match::{GameLog, read_position};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn an_interrupted_match_resumes_without_losing_or_repeating_a_game() {
    let command = format!("cmd={SOFFIO}");
    let (pdn, json) = (new_file("resumed.pdn"), new_file("resumed.json"));
    let (pdn_name, json_name) = (pdn.display().to_string(), json.display().to_string());
    let play = |games: &str, more: &[&str]| {
        let mut words =
            two_engines(&command, &["nodes=100", "--games", games, "--pdn", &pdn_name, "--json", &json_name]);
        words.extend(["--seed", "4"]);
        words.extend(more);
        soffio_match(&words)
    };
    assert!(play("4", &[]).1);
    let (text, is_clean) = play("4", &[]);
    assert!(!is_clean && text.contains("the file exists; use --resume to continue"), "{text}");

    // An interruption can leave half a line and half a game.
    let lines = fs::read_to_string(&json).expect("it is written");
    let cut = lines.len() - 20;
    fs::write(&json, &lines[..cut]).expect("it can be written");
    let (text, is_clean) = play("8", &["--resume"]);
    assert!(is_clean && entry(&text, "games").starts_with("8: "), "{text}");
    let numbers: Vec<_> = logs(&json).iter().map(|log| log.game).collect();
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), 8, "{numbers:?}");
    let records = records(&pdn);
    let rounds: Vec<usize> = records.iter().filter_map(|record| record.tag("Round")?.parse().ok()).collect();
    assert_eq!(rounds, numbers);

    let (text, is_clean) = play("8", &["--resume", "--each", "nodes=101"]);
    let limits = "resumed.json: the journal belongs to a different match: limits of a: 100 nodes per move in the \
                  journal, 101 nodes per move now";
    assert!(!is_clean && text.contains(limits), "{text}");
    for (more, difference) in [
        (
            &["--openings", "startpos"][..],
            "openings: generate:plies=4,margin=60,depth=8,less=0 in the journal, startpos now",
        ),
        (&["--seed", "5"], "seed: 4 in the journal, 5 now"),
        (&["--draw", "move=3,count=2,score=10"], "draw: none in the journal, move=3,count=2,score=10 now"),
        (&["--win", "count=2,score=10"], "win: none in the journal, count=2,score=10 now"),
        (&["--max-moves", "9"], "max moves: 500 in the journal, 9 now"),
        (&["--margin", "1s"], "margin: 20 ms in the journal, 1 s now"),
        (&["--start", "2"], "start: 1 in the journal, 2 now"),
        (&["--no-swap"], "colours: change in the journal, stay now"),
        (&["--each", "option.Hash=2"], "options of a: Hash=1 TableMemory=0 in the journal, TableMemory=0 Hash=2 now"),
    ] {
        let (text, is_clean) = play("8", &[&["--resume"], more].concat());
        assert!(
            !is_clean && text.contains(&format!("the journal belongs to a different match: {difference}\n")),
            "{text}"
        );
    }
    let (text, is_clean) = play("4", &["--resume"]);
    assert!(!is_clean && text.contains("the journal contains game 8, but this match has only 4 games"), "{text}");
    let after = fs::read_to_string(&json).expect("it is there");
    assert_eq!(after.lines().count(), 9, "the journal is unchanged");
}

#[test]
fn shards_of_a_match_are_merged() {
    let command = format!("cmd={SOFFIO}");
    let words = |more: &[&str]| {
        let words = ["nodes=200", "--games", "12", "--openings", "built-in", "--quiet", "--seed", "9"];
        soffio_match(&two_engines(&command, &[&words[..], more].concat()))
    };
    // The table with games, faults and statistics, without times.
    let table = |text: &str| {
        let lines = text.lines().skip_while(|line| !line.contains("a against b"));
        let kept = lines.filter(|line| !line.contains("time") && !line.contains("nodes"));
        kept.map(str::to_owned).collect::<Vec<_>>()
    };
    let games = |path: &Path| {
        let moves =
            |log: &GameLog| log.moves.iter().map(|mv| (mv.text.clone(), mv.nodes, mv.depth)).collect::<Vec<_>>();
        let logs = logs(path).into_iter().map(|log| (log.game, (moves(&log), log.white, log.black, log.winner)));
        logs.collect::<BTreeMap<_, _>>()
    };
    let names = ["whole", "1", "2", "3", "merged", "lacking"].map(|name| new_file(&format!("part-{name}.json")));
    let [whole, parts @ .., merged, lacking] = names.each_ref().map(|path| path.to_str().expect("the path is text"));
    let (text, is_clean) = words(&["--json", whole]);
    assert!(is_clean, "{text}");
    for (path, part) in parts.iter().zip(["1/3", "2/3", "3/3"]) {
        // The results do not depend on concurrency or on the order of the games.
        let (text, is_clean) = words(&["--shard", part, "--json", path, "--concurrency", "2"]);
        assert!(is_clean && text.contains("4 games, ") && entry(&text, "games").starts_with("4: "), "{text}");
    }
    let (text, is_clean) = words(&["--shard", "2/3", "--json", parts[0], "--resume"]);
    assert!(!is_clean && text.contains("shard: 1/3 in the journal, 2/3 now"), "{text}");

    let merge = |parts: &[&str], out: &str| {
        let (_, errors, is_success) = run_to_end(program(&[&["merge", "--out", out], parts].concat()), "");
        (errors, is_success)
    };
    assert_eq!(merge(&parts, merged), ("12 games in 3 shards\n".to_owned(), true));
    assert_eq!(games(Path::new(merged)), games(Path::new(whole)), "the games do not depend on the shards");
    let [(all, _), (again, is_clean)] = [words(&["--json", whole, "--resume"]), words(&["--json", merged, "--resume"])];
    assert!(is_clean && table(&all).len() > 4, "{again}");
    assert_eq!(table(&again), table(&all));

    let (printed, is_whole) = merge(&[parts[0], parts[2], parts[2]], lacking);
    let expected = "4 games duplicated\n4 games missing: 3, 4, 9, 10\n8 games in 3 shards\n";
    assert_eq!((printed.as_str(), is_whole), (expected, false));
    // The resumed match plays the missing games.
    assert!(words(&["--json", lacking, "--resume"]).1);
    assert_eq!(games(Path::new(lacking)), games(Path::new(whole)));
    let (printed, is_whole) = merge(&[parts[0], "/dev/null"], "none.json");
    assert!(!is_whole && printed.contains("/dev/null: not a match journal"), "{printed}");
}

#[test]
fn a_resumed_match_adds_the_games_that_a_file_lacks() {
    let command = format!("cmd={SOFFIO}");
    let files = ["pdn", "epd", "json"].map(|end| new_file(&format!("lacking.{end}")));
    let [pdn, epd, json] = files.each_ref().map(|path| path.to_str().expect("the path is text"));
    let play = |games: &str, more: &[&str]| {
        let words = ["nodes=100", "--games", games, "--json", json, "--seed", "4", "--concurrency", "1"];
        soffio_match(&two_engines(&command, &[&words, more].concat()))
    };
    let both = ["--pdn", pdn, "--epd", epd];
    assert!(play("2", &both).1);
    assert!(play("4", &["--resume"]).1);
    assert!(play("6", &[&both[..], &["--resume"]].concat()).1);
    let expected: Vec<_> = logs(&files[2]).iter().map(|log| log.game).collect();
    let rounds =
        |path| -> Vec<usize> { records(path).iter().filter_map(|record| record.tag("Round")?.parse().ok()).collect() };
    assert_eq!((expected.len(), rounds(&files[0])), (6, expected.clone()));
    let positions = fs::read_to_string(epd).expect("it is written");
    assert!(
        positions.lines().zip(expected).all(|(line, game)| line.contains(&format!("\"game {game}, "))),
        "{positions}"
    );

    // A file that the journal does not know is kept. It may only contain the first games of the journal.
    let other = new_file("other.pdn");
    let journal = fs::read_to_string(json).expect("it is written");
    fs::write(json, journal.replace("_bytes\":", "_bytes\":0,\"old\":")).expect("it can be written");
    let resume = || play("6", &["--resume", "--pdn", other.to_str().expect("the path is text")]);
    let foreign = "[Event \"another\"]\n\n1. 11-15 *\n";
    fs::write(&other, foreign).expect("it can be written");
    let (text, is_clean) = resume();
    assert!(!is_clean && text.contains("other.pdn: the last 30 bytes do not belong to this match"), "{text}");
    assert_eq!(fs::read_to_string(&other).expect("it is there"), foreign);
    let whole = fs::read(pdn).expect("it is written");
    fs::write(&other, &whole[..whole.len() / 2]).expect("it can be written");
    let (text, is_clean) = resume();
    assert!(is_clean && fs::read(&other).expect("it is there") == whole, "{text}");
}

/// Kills a match and its engines at random times, and resumes it each time. Asserts that every game has been played
/// exactly once and is contained in all files.
fn kill_and_resume(kills: u64, games: usize) {
    let (pdn, json, epd) = (new_file("killed.pdn"), new_file("killed.json"), new_file("killed.epd"));
    let names = [&pdn, &json, &epd].map(|path| path.display().to_string());
    let (command, count) = (format!("cmd={SOFFIO}"), games.to_string());
    let mut words = two_engines(&command, &["nodes=100", "--games", &count, "--resume", "--openings", "built-in"]);
    words.extend(["--pdn", &names[0], "--json", &names[1], "--epd", &names[2], "--quiet", "--variant", "english"]);
    let mut rng = fastrand::Rng::with_seed(9);
    let mut survived = 0;
    for _ in 0..kills {
        let runner = program(&["match"]).args(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut runner = runner.expect("the program can be started");
        thread::sleep(Duration::from_millis(rng.u64(1..400)));
        runner.kill().expect("it can be killed");
        survived += u64::from(runner.wait().expect("it is a child").success());
    }
    assert!(survived <= kills / 2, "the match was killed before its end: {survived} of {kills} runs were completed");
    let (text, is_clean) = soffio_match(&words);
    assert!(is_clean && entry(&text, "games").starts_with(&format!("{games}: ")), "{text}");
    let numbers: Vec<_> = logs(&json).iter().map(|log| log.game).collect();
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), games, "{numbers:?}");
    assert_eq!(numbers.len(), games);
    let records = records(&pdn);
    let rounds: Vec<usize> = records.iter().filter_map(|record| record.tag("Round")?.parse().ok()).collect();
    assert_eq!(rounds, numbers);
    records.iter().for_each(|record| replay(Variant::English, record));
    let ends: Vec<_> = logs(&json).iter().map(epd_line).collect();
    assert_eq!(fs::read_to_string(&epd).expect("it is written").lines().collect::<Vec<_>>(), ends);
}

#[test]
fn a_second_process_of_a_match_changes_nothing() {
    let names = ["twice.json", "twice.pdn", "twice.epd"].map(|name| new_file(name).display().to_string());
    let command = format!("cmd={SOFFIO}");
    let words = |games: &'static str| {
        let words =
            ["nodes=100", "--games", games, "--resume", "--openings", "built-in", "--quiet", "--json", &names[0]];
        // Concurrent games could end out of order, and the first match could then have started more games than the
        // third match plays.
        let others = ["--concurrency", "1", "--pdn", &names[1], "--epd", &names[2]];
        two_engines(&command, &[&words[..], &others].concat()).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut first = program(&["match"]);
    let mut first =
        first.args(words("1000000")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it is started");
    let started = Instant::now();
    while fs::read_to_string(&names[0]).map_or(0, |text| text.lines().count()) < 5 {
        assert!(started.elapsed() < TIMEOUT, "no game ends");
        thread::sleep(Duration::from_millis(10));
    }
    let second = words("1000000");
    let (text, is_clean) = soffio_match(&second.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(!is_clean && text == format!("soffio: {}: another process is writing to this file\n", names[0]), "{text}");
    assert!(first.try_wait().expect("it is a child").is_none(), "the first match continues");
    first.kill().expect("it can be killed");
    first.wait().expect("it is a child");
    let played = complete_lines(Path::new(&names[0]));
    let games = (played + 2).to_string();
    let mut third = words("1000000");
    third.extend(["--games".to_owned(), games.clone()]);
    let (text, is_clean) = soffio_match(&third.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(is_clean && entry(&text, "games").starts_with(&format!("{games}: ")), "{text}");
    let rounds = records(Path::new(&names[1])).len();
    assert_eq!((logs(Path::new(&names[0])).len(), rounds), (played + 2, played + 2));
}

/// Returns the number of complete game lines in a file, which may end in the middle of a line.
fn complete_lines(path: &Path) -> usize {
    fs::read_to_string(path).expect("it is written").matches('\n').count() - 1
}

fn epd_line(log: &GameLog) -> String {
    let GameLog { game, white, black, .. } = log;
    format!("{} id \"game {game}, {white} - {black}\";", log.end)
}

#[test]
fn a_match_killed_at_any_moment_can_be_resumed() {
    kill_and_resume(4, 100);
}

#[test]
#[ignore = "takes minutes: a match is killed two hundred times"]
fn a_match_killed_two_hundred_times_can_be_resumed() {
    kill_and_resume(200, 6000);
}

#[test]
fn existing_files_are_kept() {
    let command = format!("cmd={SOFFIO}");
    let mine = new_file("mine.txt");
    fs::write(&mine, "mine").expect("it can be written");
    let (name, fresh) = (mine.display().to_string(), new_file("fresh.json").display().to_string());
    let exists = "mine.txt: the file exists; ";
    for (more, error) in [
        (vec!["--plot", &name], format!("{exists}use --overwrite to replace it, or choose another name")),
        (vec!["--pdn", &name], format!("{exists}choose another name")),
        (vec!["--json", &fresh, "--pdn", &name], format!("{exists}choose another name")),
        (vec!["--json", &name], format!("{exists}use --resume to continue its match, or choose another name")),
        (vec!["--epd", &name], format!("{exists}choose another name")),
        (vec!["--json", &fresh, "--pdn", &fresh], "fresh.json: each output needs its own file".to_owned()),
        (vec!["--json", &fresh, "--plot", &fresh], "fresh.json: each output needs its own file".to_owned()),
        (vec!["--json", &name, "--resume"], "mine.txt: not a match journal".to_owned()),
        (
            vec!["--json", &fresh, "--resume", "--pdn", &name],
            "mine.txt: the last 4 bytes do not belong to this match".to_owned(),
        ),
        (vec!["--json", "/dev/zero", "--resume"], "/dev/zero: not a regular file".to_owned()),
        (vec!["--plot", "/no/folder/a.svg"], "/no/folder/a.svg: No such file or directory".to_owned()),
        (vec!["--pdn", "/no/folder/a.pdn"], "/no/folder/a.pdn: No such file or directory".to_owned()),
        (vec!["--log-file", "/no/folder/a.log"], "/no/folder/a.log: No such file or directory".to_owned()),
    ] {
        let words =
            two_engines(&command, &[&["depth=1", "--games", "2", "--openings", "startpos"], &more[..]].concat());
        let (text, is_clean) = soffio_match(&words);
        let lines: Vec<_> = text.lines().collect();
        assert!(
            !is_clean && lines.len() == 1 && lines[0].starts_with("soffio: ") && text.contains(&error),
            "{more:?}: {text}"
        );
        assert_eq!(fs::read_to_string(&mine).expect("it is there"), "mine");
        assert!(!Path::new(&fresh).exists(), "nothing is left behind: {more:?}");
    }
    let words = ["depth=1", "--games", "2", "--openings", "startpos", "--plot", &name, "--overwrite"];
    assert!(soffio_match(&two_engines(&command, &words)).1);
    assert!(fs::read_to_string(&mine).expect("it is there").starts_with("<svg"));
}

#[test]
fn the_log_has_the_input_and_output_of_each_engine() {
    let (log, command) = (new_file("match.log"), format!("cmd={SOFFIO}"));
    let name = log.display().to_string();
    let words = ["depth=1", "--games", "2", "--openings", "startpos", "--log-file", &name];
    assert!(soffio_match(&two_engines(&command, &words)).1);
    let text = fs::read_to_string(&log).expect("it is written");
    for line in ["> a: go depth 1", "> b: quit", "< a: bestmove ", "< b: option name Hash "] {
        assert!(text.contains(&format!("] {line}")), "{line}: {text}");
    }
}

#[test]
fn a_full_disk_is_reported() {
    let command = format!("cmd={SOFFIO}");
    let words = ["depth=1", "--games", "2", "--openings", "startpos", "--plot", "/dev/full"];
    let (text, is_clean) = soffio_match(&two_engines(&command, &words));
    assert!(!is_clean && text.contains("soffio: /dev/full: No space left on device"), "{text}");
    // Writing the log is optional, so the match continues.
    let words = ["depth=1", "--games", "2", "--openings", "startpos", "--log-file", "/dev/full"];
    let (text, is_clean) = soffio_match(&two_engines(&command, &words));
    let full = "soffio: /dev/full: No space left on device; logging stops here";
    assert!(is_clean && text.matches(full).count() == 1, "{text}");
    // A limit on the file size has the same effect as a disk that becomes full during a match.
    let (pdn, json) = (new_file("full.pdn"), new_file("full.json"));
    for (option, path) in [("--pdn", &pdn), ("--json", &json)] {
        let script = format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" match {option} '{}' \"$@\"", path.display());
        let words = two_engines(&command, &["depth=1", "--games", "400", "--openings", "startpos", "--quiet"]);
        let output = process::command("sh").args(["-c", &script, SOFFIO]).args(words).output().expect("a shell exists");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains("File too large"), "{errors}");
        assert!(errors.starts_with(&format!("soffio: {}: ", path.display())), "{errors}");
    }
}

#[test]
fn final_positions_and_record_tags_are_written() {
    let command = format!("cmd={SOFFIO}");
    let (pdn, epd) = (new_file("tags.pdn"), new_file("tags.epd"));
    let names = [&pdn, &epd].map(|path| path.display().to_string());
    let mut words = two_engines(&command, &["depth=2", "--games", "2", "--openings", "startpos", "--pdn", &names[0]]);
    words.extend(["--epd", &names[1], "--event", "Spring cup", "--site", "Torino"]);
    let (text, is_clean) = soffio_match(&words);
    assert!(is_clean, "{text}");
    let records = records(&pdn);
    let ends = fs::read_to_string(&epd).expect("it is written");
    assert_eq!((records.len(), ends.lines().count()), (2, 2));
    for (record, end) in records.iter().zip(ends.lines()) {
        assert_eq!((record.tag("Event"), record.tag("Site")), (Some("Spring cup"), Some("Torino")));
        let mut game = soffio::notation::WrittenGame::new(Variant::Italian);
        for mv in &record.moves {
            game.play(&[mv.text.parse().expect("a move")]).expect("it is legal");
        }
        assert_eq!(read_position(end), Ok(game.fen()));
        // Other programs parse EPD as a position up to a space, followed by operations that end with a semicolon.
        let (fen, operations) = end.split_once(' ').expect("an operation follows");
        assert_eq!(fen.parse::<FenRecord>(), Ok(game.fen()));
        assert!(operations.starts_with("id \"game ") && operations.ends_with("\";"), "{end}");
    }
}

#[test]
fn the_players_time_is_written_as_the_standard_specifies() {
    let command = format!("cmd={SOFFIO}");
    let play = |one: &str, other: &str| {
        let pdn = new_file("controls.pdn");
        let name = pdn.display().to_string();
        let engines = ["--engine", &command, "name=a", one, "--engine", &command, "name=b", other];
        let rest = ["--each", "option.Hash=1", "--games", "2", "--openings", "startpos", "--max-moves", "1"];
        let (text, is_clean) = soffio_match(&[&engines[..], &rest, &["--margin", "1m", "--pdn", &name]].concat());
        assert!(is_clean, "{text}");
        let tags = ["TimeControl", "TimeControlWhite", "TimeControlBlack"];
        let mut records = records(&pdn);
        records.sort_by_key(|record| record.tag("Round").map(str::to_owned));
        records.iter().map(|record| tags.map(|tag| record.tag(tag).map(str::to_owned))).collect::<Vec<_>>()
    };
    let own = |tags: [Option<&str>; 3]| tags.map(|tag| tag.map(str::to_owned));
    let same = own([Some("3+0.1"), None, None]);
    assert_eq!(play("tc=3+0.1", "tc=3s+100ms"), [same.clone(), same]);
    let periods = own([Some("40/6+0.1:20/3:1+0.2"), None, None]);
    assert_eq!(play("tc=40/6+0.1:20/3s:1+0.2", "tc=40/0:06+100ms:20/3s:1+0.2"), [periods.clone(), periods]);
    let expected = [own([None, Some("40/6"), Some("*0.05")]), own([None, Some("*0.05"), Some("40/6")])];
    assert_eq!(play("tc=40/0:06", "movetime=50"), expected);
    assert_eq!(play("depth=1", "nodes=9"), [own([Some("-"), None, None]), own([Some("-"), None, None])]);
}
