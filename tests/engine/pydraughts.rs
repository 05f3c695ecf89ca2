//! Compares move generation with pydraughts, an independent library, in the variants that it supports.
//!
//! These tests are ignored by default, because they need Python with `venv` and network access to install packages.
//! pydraughts is slow, so only a few positions are compared with it. The slow generator of this project checks many
//! more.

use crate::common;

use common::{Listed, fast_moves, with_rules};
use fastrand::Rng;
use soffio::position::{CaptureOrder, GameRules, History, Position, Setup, paths, perft};
use soffio::rules::{Color, Variant, Word};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The variants that both libraries support, with their names in pydraughts.
const KNOWN: [(Variant, &str); 10] = [
    (Variant::International, "standard"),
    (Variant::English, "english"),
    (Variant::Italian, "italian"),
    (Variant::Russian, "russian"),
    (Variant::Brazilian, "brazilian"),
    (Variant::Turkish, "turkish"),
    (Variant::Frisian, "frisian"),
    (Variant::Frysk, "frysk!"),
    (Variant::Losing, "antidraughts"),
    (Variant::Breakthrough, "breakthrough"),
];

const GAMES: u64 = 12;
const MOST_PLIES: usize = 140;

/// Interval in plies between the positions of a game that are checked.
const STRIDE: usize = 5;

/// pydraughts, running in a separate process.
struct Oracle {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Oracle {
    /// Starts pydraughts. Installs it first if necessary.
    fn start() -> Self {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles");
        let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pydraughts");
        let python = home.join("bin/python");
        // Tests run in parallel, but only one of them may create the environment.
        static MAKING: Mutex<()> = Mutex::new(());
        let making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
        if !python.exists() {
            run(Command::new("python3").args(["-m", "venv"]).arg(&home));
        }
        let install = ["-m", "pip", "install", "--quiet", "-r"];
        run(Command::new(&python).args(install).arg(sources.join("requirements.txt")));
        drop(making);
        let mut command = Command::new(&python);
        command.arg(sources.join("pydraughts_moves.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("python starts");
        let input = child.stdin.take().expect("the input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        Self { child, input, output }
    }

    fn request(&mut self, request: &str) -> String {
        writeln!(self.input, "{request}").expect("pydraughts reads");
        let mut line = String::new();
        let length = self.output.read_line(&mut line).expect("pydraughts answers");
        assert!(length > 0, "pydraughts ended at {request}");
        line.trim_end().to_owned()
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // The process may already have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// Formats the position as in the Hub protocol: the side to move, followed by a letter for each square.
fn hub_position(variant: Variant, setup: &Setup) -> String {
    let letter = |square| match setup.pieces.get(&square) {
        None => 'e',
        Some(piece) => {
            let letter = if piece.color == Color::White { 'w' } else { 'b' };
            if piece.king { letter.to_ascii_uppercase() } else { letter }
        }
    };
    let side = if setup.side == Color::White { 'W' } else { 'B' };
    let squares = (1..=variant.spec().shape.squares()).map(|number| common::square(variant, number));
    std::iter::once(side).chain(squares.map(letter)).collect()
}

fn text(mv: &Listed) -> String {
    let captured: Vec<_> = mv.captured.iter().map(u8::to_string).collect();
    format!("{}-{}:{}", mv.from, mv.to, captured.join(","))
}

/// Returns whether pydraughts 0.6.7 is known to generate wrong moves for `setup`.
fn is_known_fault(variant: Variant, setup: &Setup) -> bool {
    let kings = |color| setup.pieces.values().filter(|piece| piece.king && piece.color == color).count();
    let captures = paths::captures(variant.spec(), setup);
    let own_kings = kings(setup.side);
    let prey_kings = kings(setup.side.opponent());
    match variant {
        // In pydraughts, quiet moves of Turkish kings jump over pieces.
        Variant::Turkish => own_kings > 0 && captures.is_empty(),
        // pydraughts adds fractions, so the sums of the same values can depend on their order. It also rates three
        // kings lower than five men.
        Variant::Frisian | Variant::Frysk => prey_kings > 0 && captures.iter().any(|way| way.captured.len() > 2),
        // If several kings are captured, pydraughts compares only the index of the first king.
        Variant::Italian => prey_kings > 1 && !captures.is_empty(),
        _ => false,
    }
}

/// Compares the legal moves in positions of random games with those of `oracle`, which knows the variant as `name`.
/// Returns the number of compared positions, the number of compared positions with a king, and the number of skipped
/// positions.
fn compare_games<W: Word>(rules: &'static GameRules<W>, oracle: &mut Oracle, name: &str) -> (usize, usize, usize) {
    let variant = rules.variant();
    let (mut compared, mut with_kings, mut left_out) = (0, 0, 0);
    for seed in 0..GAMES {
        let mut rng = Rng::with_seed(seed);
        let mut game = History::new(rules);
        for ply in 0..MOST_PLIES {
            let Some(&mv) = rng.choice(game.position().legal_moves().iter()) else { break };
            game.play(mv);
            if !(ply + seed as usize).is_multiple_of(STRIDE) {
                continue;
            }
            // pydraughts ignores the moves before a position, and therefore also the Frisian limit on king moves.
            let setup = Setup { king_runs: [None; 2], ..game.setup() };
            if is_known_fault(variant, &setup) {
                left_out += 1;
                continue;
            }
            let hub = hub_position(variant, &setup);
            let mut own: Vec<_> = fast_moves(&common::position(rules, &setup)).iter().map(text).collect();
            own.sort();
            let theirs = oracle.request(&format!("moves {name} {hub}"));
            assert_eq!(own.join(" "), theirs, "{variant} {hub}");
            compared += 1;
            with_kings += usize::from(setup.pieces.values().any(|piece| piece.king));
        }
    }
    (compared, with_kings, left_out)
}

#[test]
#[ignore = "downloads a Python library, and takes minutes"]
fn pydraughts_generates_the_same_moves() {
    let mut oracle = Oracle::start();
    for (variant, name) in KNOWN {
        let (compared, with_kings, left_out) = with_rules!(variant, rules => compare_games(rules, &mut oracle, name));
        println!("{variant}: {compared} positions, {with_kings} with kings, {left_out} skipped");
        assert!(compared >= 80, "{variant}: only {compared} positions");
    }
}

#[test]
#[ignore = "downloads a Python library, and takes minutes"]
fn pydraughts_has_the_same_perft_counts() {
    let mut oracle = Oracle::start();
    for (variant, name) in KNOWN {
        // From the fifth ply on, there are Turkish kings, whose moves are wrong in pydraughts.
        let depth = if variant == Variant::Turkish { 4 } else { 5 };
        let hub = hub_position(variant, &Setup::start(variant.spec()));
        let theirs = oracle.request(&format!("perft {name} {hub} {depth}"));
        println!("{variant}: depth {depth} {theirs}");
        let own = with_rules!(variant, rules => perft(&Position::start(rules), depth, CaptureOrder::Merged, &|| false));
        assert_eq!(own.map(|count| count.to_string()).ok(), Some(theirs), "{variant}");
    }
}
