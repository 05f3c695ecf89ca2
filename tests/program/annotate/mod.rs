//! Tests of `soffio annotate`: scores, marks for bad moves, and better lines in game files.

mod games;
mod output;

use crate::process::{output, program};
use soffio::engine::{Engine, Limits, Setting};
use soffio::notation::WrittenGame;
use soffio::notation::pdn::{self, CommentPart, GameRecord, PdnMove, comment_parts, decode, read_games};
use soffio::rules::Variant;
use soffio::score::WhiteScore;
use soffio::stop::Stop;
use soffio_analysis::annotate::{AnalysisTask, Analyst, AnnotateError, HashClearing, MoveMark, PlayableGame};
use std::thread;

struct Annotated {
    output: Vec<u8>,
    errors: String,
    is_success: bool,
}

impl Annotated {
    fn games(&self) -> Vec<GameRecord> {
        read_games(&decode(&self.output).text)
    }
}

#[track_caller]
fn annotate(arguments: &[&str], input: &[u8]) -> Annotated {
    let output = output(program(&[&["annotate"], arguments].concat()), input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    Annotated { output: output.stdout, errors, is_success: output.status.success() }
}

/// A game in which one side loses material without compensation.
struct Blunder {
    variant: Variant,
    moves: &'static str,
    /// Index of the blunder among the moves.
    index: usize,
}

const BLUNDERS: [Blunder; 4] = [
    Blunder {
        variant: Variant::Italian,
        moves: "23-20 10-13 20-16 13-17 21-18 12-15 18-13 9x18 22x13 15-20 24x15 11x20 13-9 5-10 26-22 2-5 9x2 6-11 2-6 20-24",
        index: 15,
    },
    Blunder {
        variant: Variant::English,
        moves: "11-15 23-18 7-11 27-23 11-16 18x11 8x15 32-27 4-8 24-19 15x24 27x4 12-16 28-24",
        index: 8,
    },
    Blunder {
        variant: Variant::International,
        moves: "33-28 18-22 38-33 12-18 43-38 22-27 32x23 19-24 34-29 13-19 48-43 7-12 40-34 8-13",
        index: 5,
    },
    Blunder {
        variant: Variant::Russian,
        moves: "c3-b4 f6-g5 b4-a5 g5-h4 d2-c3 b6-c5 c3-d4 c7-b6 a5:c7:e5 e7-f6 d4:b6 a7:c5 e3-d4 c5:e3",
        index: 7,
    },
];

fn record(blunder: &Blunder) -> GameRecord {
    let number = blunder.variant.game_type().expect("it has a number").to_string();
    GameRecord {
        tags: vec![("GameType".to_owned(), number)],
        moves: blunder.moves.split(' ').map(PdnMove::new).collect(),
        ..GameRecord::default()
    }
}

fn texts(moves: &[PdnMove]) -> Vec<&str> {
    moves.iter().map(|mv| mv.text.as_str()).collect()
}

#[test]
fn a_blunder_is_marked_and_a_better_line_is_shown() {
    let input: String = BLUNDERS.iter().map(|blunder| record(blunder).to_string()).collect();
    let run = annotate(&["-", "--depth", "7", "--hash", "4"], input.as_bytes());
    assert!(run.is_success, "{}", run.errors);
    let games = run.games();
    assert_eq!(games.len(), BLUNDERS.len());
    let lines = run.errors.lines().filter(|line| line.contains(": White "));
    for ((blunder, game), line) in BLUNDERS.iter().zip(&games).zip(lines) {
        let before = record(blunder);
        assert_eq!(texts(&game.moves), texts(&before.moves));
        assert_eq!(game.tag("Annotator"), Some(concat!("Soffio ", env!("CARGO_PKG_VERSION"))));
        let blunders: Vec<_> = game.moves.iter().enumerate().filter(|(_, mv)| mv.glyphs.contains(&4)).collect();
        let [(index, bad)] = blunders[..] else { panic!("{game}") };
        assert_eq!(index, blunder.index, "{game}");
        assert!(line.contains("blunders 1, ") && line.contains("blunders 0, "), "{line}");

        // The variation starts from the position before the blunder. Scores are from White's point of view.
        let [better] = &bad.variations[..] else { panic!("{game}") };
        assert!(better.moves.len() > 1 && better.moves[0].text != bad.text, "{game}");
        let mut other = before.clone();
        other.moves.truncate(index);
        other.moves.extend(better.moves.iter().cloned());
        let replayed = annotate(&["-", "--depth", "1", "--hash", "1"], other.to_string().as_bytes());
        assert!(replayed.is_success, "{other}{}", replayed.errors);
        let score = |mv: &PdnMove| match comment_parts(mv.comment.as_deref().unwrap_or_default())[..] {
            [CommentPart::Command(pdn::Command::Evaluation(WhiteScore::Cp(score))), ..] => f64::from(score) / 100.0,
            _ => panic!("{mv:?}"),
        };
        let whites_loss = score(&better.moves[0]) - score(bad);
        let is_whites = (index % 2 == 0) == (blunder.variant != Variant::English);
        assert!(if is_whites { whites_loss >= 1.0 } else { whites_loss <= -1.0 }, "{game}");
    }
    let again = annotate(&["-", "--depth", "7", "--hash", "4"], input.as_bytes());
    assert!(again.output == run.output, "the same depth gives the same result");
    // The transposition table is cleared before each game.
    let alone = annotate(&["-", "--depth", "7", "--hash", "4", "--games", "4"], input.as_bytes());
    assert_eq!(alone.games(), games[3..]);
}

#[test]
fn the_blunder_threshold_can_be_set() {
    let text = record(&BLUNDERS[1]).to_string();
    let glyph = |loss: &str| {
        let run = annotate(&["-", "--depth", "6", "--hash", "1", "--blunder", loss], text.as_bytes());
        run.games()[0].moves[BLUNDERS[1].index].glyphs.clone()
    };
    // The loss is computed from the evaluation. The threshold rises with each step, so the loss becomes a smaller share
    // of it.
    let thresholds = (0..14).map(|step| (50.0 * 1.2_f64.powi(step)) as u32);
    let mut glyphs: Vec<_> = thresholds.map(|loss| glyph(&loss.to_string())).collect();
    glyphs.dedup();
    let all = [vec![4], vec![2], vec![6], vec![]];
    assert!(glyphs.len() >= 3 && all.starts_with(&glyphs), "{glyphs:?}");
}

#[test]
fn a_game_that_ends_by_the_rules_is_recognised() {
    let text = "[GameType \"20\"]\n[FEN \"W:W33:B24\"]\n1. 33-29 24x33 *\n[GameType \"20\"]\n[FEN \"W:W33:B28\"]\n1. 33x22 *\n\
                [GameType \"98\"]\n[FEN \"W:W26:B21\"]\n1. 26x17 *\n[GameType \"20\"]\n*\n[GameType \"20\"]\n[FEN \"W:W31:B1\"]\n1. 31-27 *";
    let run = annotate(&["-", "--depth", "5", "--hash", "1"], text.as_bytes());
    assert!(run.is_success, "{}", run.errors);
    let last = |game: &GameRecord| game.moves.last().and_then(|mv| mv.comment.clone());
    let lasts: Vec<_> = run.games().iter().map(last).collect();
    assert_eq!(lasts[0].as_deref(), Some("Black has won"));
    assert_eq!(lasts[1].as_deref(), Some("White has won"));
    assert_eq!(lasts[2].as_deref(), Some("Black has won"), "a side without a move has won");
    assert_eq!(lasts[3], None);
    assert!(lasts[4].is_some());
}

fn random_game(variant: Variant, random: &mut fastrand::Rng) -> GameRecord {
    let mut game = WrittenGame::new(variant);
    let mut record = GameRecord::default();
    while record.moves.len() < 24 {
        let moves = game.legal_moves();
        let Some(text) = random.choice(&moves) else { break };
        let mv = PdnMove::played(text);
        game.play(&[mv.record().expect("it is a move")]).expect("it is legal");
        record.moves.push(mv);
    }
    record.set_variant(variant);
    record
}

fn analyst() -> Analyst {
    let mut engine = Engine::new();
    engine.apply(Setting::Hash(1)).expect("there is enough memory");
    Analyst::new(engine, HashClearing::EachGame)
}

#[test]
fn every_variant_is_annotated_by_the_same_rules() {
    let mut random = fastrand::Rng::with_seed(3);
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let stop = Stop::new();
    let task = AnalysisTask { limits: &limits, blunder: 60, stop: &stop };
    let mut analyst = analyst();
    let mut marks = 0;
    for variant in Variant::listed() {
        let mut record = random_game(variant, &mut random);
        let mut positions = 0;
        let game = PlayableGame::new(&record, None).expect("it is a game");
        assert_eq!(game.variant(), variant);
        let analysis = analyst.analyse(&game, &task, &mut |_, _, _| positions += 1).expect("it is legal");
        assert_eq!((analysis.scores.len(), positions), (record.moves.len() + 1, record.moves.len() + 1), "{record}");
        for annotation in &analysis.moves {
            assert_eq!(annotation.mark, MoveMark::for_loss(annotation.loss, task.blunder));
            assert!(annotation.loss == 0 || !annotation.better.is_empty(), "{variant}: {annotation:?}");
        }
        let before = record.clone();
        soffio_analysis::annotate::annotate(&mut record, 0, &analysis);
        assert_eq!(texts(&record.moves), texts(&before.moves));
        assert_eq!(read_games(&record.to_string()), std::slice::from_ref(&record));
        for (index, mv) in record.moves.iter().enumerate() {
            for variation in &mv.variations {
                marks += 1;
                let mut other = before.clone();
                other.moves.truncate(index);
                other.moves.extend(variation.moves.iter().cloned());
                let game = PlayableGame::new(&other, None).expect("it is a game");
                assert!(analyst.analyse(&game, &task, &mut |_, _, _| {}).is_ok(), "{variant} {other}");
            }
        }
    }
    assert!(marks > 26, "random players make only {marks} mistakes");
}

#[test]
fn annotation_stops_on_request() {
    let stop = Stop::new();
    let on_time = stop.clone();
    let task = AnalysisTask { limits: &Limits::default(), blunder: 100, stop: &stop };
    let mut analyst = analyst();
    let game = PlayableGame::new(&record(&BLUNDERS[2]), None).expect("it is a game");
    thread::spawn(move || {
        thread::sleep(std::time::Duration::from_millis(200));
        on_time.stop();
    });
    // This search ends only when it is stopped.
    for _ in 0..2 {
        assert_eq!(analyst.analyse(&game, &task, &mut |_, _, _| {}), Err(AnnotateError::Stopped));
    }
}

#[test]
fn a_move_that_loses_a_table_result_is_marked() {
    // Only d4-c3 keeps the draw. After the move played, White can force a win.
    let record = "[GameType \"25\"]\n[FEN \"B:Wh6,Kh4:Bd4\"]\n\n1... d4-e3 *";
    // A depth-1 search leaves no time to probe tables.
    let run = annotate(&["--depth", "14", "-"], record.as_bytes());
    let games = run.games();
    let mv = &games[0].moves[0];
    assert!(mv.glyphs.contains(&4), "{mv:?}");
    let text = String::from_utf8_lossy(&run.output);
    assert!(text.contains("gives the draw away"), "{text}");
    assert!(text.contains("d4-c3"), "{text}");
    let missing = annotate(&["--tables", "no/such/folder", "-"], record.as_bytes());
    assert!(!missing.is_success && missing.errors.contains("no/such/folder"), "{}", missing.errors);
}

#[test]
fn records_do_not_depend_on_earlier_games() {
    // The tables that the first game solves would leave enough nodes for the tables of the second game.
    let games = "[GameType \"21\"]\n[FEN \"W:WK14:BK32\"]\n\n1. 14-18 32-28 *\n\n\
                 [GameType \"21\"]\n[FEN \"W:W22:B12\"]\n\n1. 22-18 12-16 *\n\n";
    for nodes in ["2000", "3000"] {
        let records = |shard: &str| {
            let found = annotate(&["-", "--nodes", nodes, "--json", "--shard", shard], games.as_bytes());
            assert!(found.is_success, "{}", found.errors);
            String::from_utf8(found.output).expect("records are text")
        };
        let whole = records("1/1");
        assert_eq!(whole.lines().count(), 6);
        assert!(whole.contains("\"table\":\"draw\""), "{whole}");
        let shards = ["1/2", "2/2"].map(records).concat();
        for line in shards.lines() {
            assert!(whole.contains(line), "{nodes} nodes: {line}\n{whole}");
        }
    }
}
