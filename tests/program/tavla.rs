//! Tests of the program's tavla commands.

use crate::process::{program, run_to_end};
use std::fs;
use std::path::PathBuf;

/// Runs the program with these arguments and this input. Returns its standard output, its standard error, and whether
/// it succeeded.
fn soffio(arguments: &str, input: &str) -> (String, String, bool) {
    run_to_end(program(&arguments.split_whitespace().collect::<Vec<_>>()), input)
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("soffio-{}-{name}", std::process::id()))
}

#[test]
fn training_is_reproducible_and_the_engine_loads_the_weights() {
    let (one, two, on) = (file("one.weights"), file("two.weights"), file("on.weights"));
    let train = |path: &PathBuf, rest: &str| {
        let (output, errors, is_good) = soffio(&format!("tavla train --games 40 --out {} {rest}", path.display()), "");
        assert!(is_good && output.contains("40 games, "), "{output} {errors}");
        fs::read(path).expect("the weights are written")
    };
    let first = train(&one, "--seed 3 --every 20");
    assert_eq!(first, train(&two, "--seed 3"));
    let (_, errors, is_good) = soffio(&format!("tavla train --games 40 --seed 4 --out {}", two.display()), "");
    assert!(!is_good && errors.contains("two.weights: the file exists; use --overwrite to replace it"), "{errors}");
    assert_eq!(first, fs::read(&two).expect("it is there"));
    assert_ne!(first, train(&two, "--seed 4 --overwrite"));
    assert_ne!(first, train(&on, &format!("--seed 3 --from {}", one.display())));
    let lines = |path: &PathBuf| format!("setoption name EvalFile value {}\neval\n", path.display());
    let eval = |path: &PathBuf| soffio("tavla", &lines(path)).0;
    assert!(eval(&one).contains("eval equity ") && eval(&one) != eval(&on), "{}", eval(&one));
    fs::write(&two, &first[..first.len() - 1]).expect("a file can be written");
    assert!(eval(&two).contains(&format!("EvalFile {}: the file should have ", two.display())), "{}", eval(&two));
    [one, two, on].iter().for_each(|path| fs::remove_file(path).expect("it was there"));
}

#[test]
fn players_duel_with_the_same_dice_in_both_orders() {
    let (output, _, is_good) = soffio("tavla duel depth=1 player=random --games 20 --seed 2", "");
    assert!(is_good && output.contains(" of 20 games won"), "{output}");
    let points: f64 =
        output.split(": ").nth(1).and_then(|rest| rest.split(' ').next()).and_then(|n| n.parse().ok()).unwrap();
    assert!(points > 0.8, "{output}");
    assert_eq!(output, soffio("tavla duel depth=1 player=random --games 20 --seed 2", "").0);
    let same = soffio("tavla duel player=expectiminimax,depth=1 player=expectiminimax,depth=1 --games 10", "").0;
    assert!(same.contains(": +0.0000 +/- "), "{same}");
    for (arguments, reason) in [
        ("tavla duel human depth=1", "both players of a duel must be engines"),
        ("tavla duel depth=4 depth=1", "depth must be a number from 1 to 3, not '4'"),
        ("tavla duel wings=4 depth=1", "unknown name 'wings'; expected depth"),
        ("tavla train --games 1 --out /no/such/folder/file", "/no/such/folder/file: "),
        ("tavla train --games 1 --rate 7 --out x", "expected a number from 0 to 1"),
        ("play --variant tavla --flip", "tavla supports only --white, --black, --delay and --lines"),
        ("play --variant tavla --white wings", "expected human, computer, or options"),
    ] {
        let (_, errors, is_good) = soffio(arguments, "");
        assert!(!is_good && errors.contains(reason), "{arguments}: {errors}");
    }
}

#[test]
fn the_experiments_of_the_report_can_be_repeated() {
    let (output, _, is_good) = soffio("seeds tavla --games 2 --seed 5", "");
    assert!(is_good, "{output}");
    for text in ["published", "15 s to 90 minutes", "first - plain: ", "second - plain: ", "first - second: "] {
        assert!(output.contains(text), "{text}: {output}");
    }
}

#[test]
fn a_game_is_played_at_the_keyboard() {
    let (output, errors, is_good) = soffio("play --variant tavla --white depth=1 --black depth=1 --lines", "quit\n");
    assert!(is_good && output.contains(" begins\n") && output.contains(" wins 1 point"), "{output} {errors}");
    let (output, _, is_good) = soffio("play --variant tavla --black human", "dice 3 1\nlegal\n8/5 6/5\n");
    assert!(is_good && output.contains("16 plays: ") && output.contains(" 31> "), "{output}");
}

/// After any input, the engine must answer `isready` and exit on request. `perft` and `wait` are excluded, because
/// other commands may have to wait for a perft that takes arbitrarily long.
#[test]
fn random_lines_never_break_the_session() {
    let mut random = fastrand::Rng::with_seed(7);
    let words = [
        "dice", "roll", "move", "go", "legal", "undo", "redo", "position", "startpos", "xgid", "gnubgid", "moves",
        "31:8/5,6/5", "6", "1", "66", "pass", "8/5", "25/20", "3/0", "eval", "d", "status", "depth", "setoption",
        "name", "Mars", "value", "true", "stop", "0", "UCI_Variant", "tavla", "english", "movetime", "ucinewgame",
        "4HPwATDgc/ABMA", "\u{e9}/5", "bar/0(4)", "-1", ":",
    ];
    let mut input = String::new();
    for _ in 0..3000 {
        for _ in 0..=random.usize(..5) {
            input += words[random.usize(..words.len())];
            input.push(' ');
        }
        input.push('\n');
    }
    input += "stop\nisready\nquit\n";
    let (output, errors, is_good) = soffio("tavla", &input);
    assert!(is_good && output.contains("readyok"), "{errors}");
}
