//! Tests that wins in the tables take the repetitions in a game into account. A slow solver with the moves of the game
//! is the reference.

use super::{engine as new_engine, game_of};
use fastrand::Rng;
use soffio::engine::{Bound, Engine, Limits, Report, Setting, Signal, TableOutcome, Value, Verdict};
use soffio::game::{Game, Move};
use soffio::position::{Piece, Setup, Status, with_width};
use soffio::rules::{Color, Variant};
use soffio::tables::{Adjudicator, AnyTables, Slice, Solver};
use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;

type Key = u64;

/// The winner and the number of plies to the end of the game, or `None` for a draw.
type Ending = Option<(Color, u16)>;

/// Longer than any win in the tests.
const MAX_PLIES: u16 = 150;

enum Child {
    /// A position with the same pieces, given by its index.
    Same(usize),
    /// The result of a position with fewer pieces or in which the game has ended.
    Later(Ending),
}

/// All positions with two white kings against a black king, or with the colours reversed.
struct TwoKings {
    sides: Vec<Color>,
    numbers: HashMap<Key, usize>,
    children: Vec<Vec<Child>>,
}

fn pairs<'a, T>(first: &'a [T], second: &'a [T]) -> impl Iterator<Item = (&'a T, &'a T)> {
    first.iter().flat_map(move |one| second.iter().map(move |other| (one, other)))
}

fn ending_of(outcome: TableOutcome, side: Color) -> Ending {
    outcome.winner(side).zip(outcome.plies().map(u16::from))
}

impl TwoKings {
    fn new(variant: Variant, strong: Color, engine: &mut Engine) -> Self {
        let spec = variant.spec();
        let squares: Vec<_> = spec.shape.all_squares().collect();
        let mut games = Vec::new();
        for side in [Color::White, Color::Black] {
            for (number, &first) in squares.iter().enumerate() {
                for (&second, &lone) in pairs(&squares[..number], &squares) {
                    let king = |color| Piece { color, king: true };
                    let pieces = [(first, king(strong)), (second, king(strong)), (lone, king(strong.opponent()))];
                    let setup = Setup { pieces: pieces.into(), side, ..Setup::start(spec) };
                    let game = (setup.pieces.len() == 3).then(|| Game::from_setup(variant, &setup).ok()).flatten();
                    games.extend(game);
                }
            }
        }
        let numbers = games.iter().enumerate().map(|(number, game)| (game.key(), number)).collect();
        let mut found = Self { sides: games.iter().map(Game::side).collect(), numbers, children: Vec::new() };
        for game in &games {
            let child = |mv: Move| {
                let mut after = game.clone();
                assert!(after.play(mv));
                match (found.numbers.get(&after.key()), after.status()) {
                    (_, Status::Won { winner, .. }) => Child::Later(Some((winner, 0))),
                    (Some(&number), _) => Child::Same(number),
                    (None, _) => {
                        let probed = engine.probe(&after).expect("a table").position.sure().expect("no draw rule");
                        Child::Later(ending_of(probed, after.side()))
                    }
                }
            };
            let children = game.legal_moves().into_iter().map(child).collect();
            found.children.push(children);
        }
        found
    }

    /// Returns the results of all positions if the game is drawn at the positions in `drawn`.
    fn endings(&self, drawn: &HashSet<usize>) -> Vec<Ending> {
        let mut endings = vec![None; self.sides.len()];
        let mut open: Vec<usize> = (0..self.sides.len()).filter(|number| !drawn.contains(number)).collect();
        for plies in 1..MAX_PLIES {
            let decided: Vec<_> = open
                .iter()
                .map(|&number| self.after_moves(number, &endings).filter(|&(_, end)| end == plies))
                .collect();
            for (&number, &ending) in open.iter().zip(&decided) {
                endings[number] = ending;
            }
            open.retain(|&number| endings[number].is_none());
        }
        endings
    }

    /// Returns the result of a position from the results after its moves.
    fn after_moves(&self, number: usize, endings: &[Ending]) -> Ending {
        let side = self.sides[number];
        let after = self.children[number].iter().map(|child| match child {
            Child::Same(number) => endings[*number],
            Child::Later(ending) => *ending,
        });
        let after: Vec<_> = after.collect();
        let wins = after.iter().flatten().filter(|(winner, _)| *winner == side).map(|(_, plies)| plies).min();
        let longest = || after.iter().copied().collect::<Option<Vec<_>>>()?.into_iter().map(|(_, plies)| plies).max();
        let lost = || longest().map(|plies| (side.opponent(), plies + 1));
        wins.map(|plies| (side, plies + 1)).or_else(lost)
    }
}

/// Plays quiet moves that often go back and forth, and returns the game with the numbers of the positions that would be
/// drawn if they occurred again. Returns `None` if the game ends.
fn shuffle(game: &Game, positions: &TwoKings, random: &mut Rng) -> Option<(Game, HashSet<usize>)> {
    let mut game = game.clone();
    let mut counts = HashMap::from([(game.key(), 1)]);
    let mut last: [Option<Move>; 2] = [None; 2];
    for _ in 0..random.usize(8..24) {
        let legal = game.legal_moves();
        let is_back = |mv: &&Move| game.side().pick(last).is_some_and(|last| (last.from, last.to) == (mv.to, mv.from));
        let back = legal.iter().find(is_back).filter(|_| random.u8(..4) > 0);
        let mv = back.or_else(|| random.choice(&legal)).copied()?;
        let side = game.side();
        game.play(mv);
        last[usize::from(side == Color::Black)] = Some(mv);
        *counts.entry(game.key()).or_default() += 1;
        let is_same = positions.numbers.contains_key(&game.key());
        if !is_same || !matches!(game.status(), Status::Playing { .. }) {
            return None;
        }
    }
    let drawn = counts.iter().filter(|&(_, &count)| count == 2).map(|(key, _)| positions.numbers[key]);
    let drawn: HashSet<_> = drawn.collect();
    (!drawn.is_empty()).then_some((game, drawn))
}

/// Solves all endings with at most three pieces.
fn adjudicator(variant: Variant) -> Adjudicator {
    let slices = Slice::all(variant.spec(), 3);
    let mut tables = AnyTables::new(variant);
    with_width!(&mut tables, tables => for &slice in &slices {
        let (threads, done) = (NonZeroUsize::MIN, &AtomicU64::new(0));
        let solver = Solver { tables: &*tables, threads, is_stopped: &|| false, done };
        let table = solver.solve(slice).expect("a slice");
        tables.add(table);
    });
    Adjudicator { tables, slices: slices.len() }
}

#[derive(Debug, Default)]
struct Counts {
    /// Wins in the tables that the repetitions turn into draws.
    drawn: usize,
    /// Wins in the tables that take longer because of the repetitions.
    slower: usize,
    /// Wins that are as short as in the tables.
    same: usize,
    /// Wins that the tables cannot prove.
    unproved: usize,
    /// Wins that a search found.
    found: usize,
}

fn check(variant: Variant, strong: Color, games: usize) -> Counts {
    let mut engine = new_engine(variant);
    let positions = TwoKings::new(variant, strong, &mut engine);
    let adjudicator = adjudicator(variant);
    let without = positions.endings(&HashSet::new());
    let mut without_tables = new_engine(variant);
    without_tables.apply(Setting::TablePieces(0)).expect("a valid number");
    let (mut random, mut counts) = (Rng::with_seed(5), Counts::default());
    let squares: Vec<_> = variant.spec().shape.all_squares().collect();
    let mut tried = 0;
    while tried < games {
        let pieces = [strong, strong, strong.opponent()]
            .map(|color| (squares[random.usize(..squares.len())], Piece { color, king: true }));
        let side = if random.bool() { Color::White } else { Color::Black };
        let setup = Setup { pieces: pieces.into(), side, ..Setup::start(variant.spec()) };
        let start = Game::from_setup(variant, &setup).ok().filter(|_| setup.pieces.len() == 3);
        let Some((game, drawn)) = start.and_then(|start| shuffle(&start, &positions, &mut random)) else { continue };
        tried += 1;
        let number = positions.numbers[&game.key()];
        let endings = positions.endings(&drawn);
        // The game is not drawn at the current position, even if its next occurrence is a draw.
        let expected = positions.after_moves(number, &endings);
        let moves = format!("{:?} after {} plies", setup.pieces, game.ply());
        let probed = engine.probe(&game).expect("a table");
        let adjudicated = with_width!(game.history(), history => adjudicator.outcome(history));
        assert_eq!(adjudicated, probed.position.sure(), "{moves}");
        match (expected, without[number]) {
            (None, Some(_)) => counts.drawn += 1,
            (Some(late), Some(soon)) if late != soon => counts.slower += 1,
            (Some(_), _) => counts.same += 1,
            (None, None) => {}
        }
        if let Some(outcome) = probed.position.sure() {
            assert_eq!(ending_of(outcome, game.side()), expected, "{moves}");
        } else {
            counts.unproved += usize::from(expected.is_some());
        }
        for &(mv, verdict) in &probed.moves {
            let mut after = game.clone();
            after.play(mv);
            if let Some(outcome) = verdict.and_then(Verdict::sure)
                && let Some(&next) = positions.numbers.get(&after.key())
            {
                let before = endings[next].map(|(winner, plies)| (winner, plies + 1));
                assert_eq!(ending_of(outcome, game.side()), before, "{moves} {mv:?}");
            }
        }
        for (has_tables, nodes) in [(true, 1_000_000), (true, 5_000), (false, 5_000)] {
            let engine = if has_tables { &mut engine } else { &mut without_tables };
            // The search of the same position without the moves leaves wins in the transposition table.
            engine.go(&game.restarted(), Limits { nodes: Some(5_000), ..Limits::default() }).expect("enough memory");
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut bound = Bound::Exact;
            let mut on_report = |report: &Report| bound = report.bound;
            let answer =
                engine.go_with_reports(&game, limits, &Signal::default(), &mut on_report).expect("enough memory");
            let (winner, moves_to_end) = match answer.value {
                Value::Win(moves) => (game.side(), moves),
                // If the search stops when it has found only losses, another move may be better.
                Value::Loss(moves) if bound == Bound::Exact => (game.side().opponent(), moves),
                Value::Loss(_) | Value::Cp(_) => continue,
            };
            let (known_winner, plies) = expected.unwrap_or_else(|| panic!("{moves}: {answer:?} instead of a draw"));
            assert_eq!(winner, known_winner, "{moves}: {answer:?}");
            assert!(plies.div_ceil(2) <= moves_to_end, "{moves}: {answer:?}, but {plies} plies");
            counts.found += usize::from(nodes == 1_000_000);
        }
    }
    counts
}

#[test]
fn repetitions_that_prevent_a_win_are_taken_into_account() {
    for (variant, strong) in [(Variant::English, Color::White), (Variant::LosingEnglish, Color::Black)] {
        let counts = check(variant, strong, 60);
        println!("{variant} {counts:?}");
        assert!(counts.same > 0 && counts.drawn + counts.slower > 0 && counts.found > 0, "{variant} {counts:?}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn a_thousand_games_with_repetitions() {
    for variant in [Variant::English, Variant::LosingEnglish, Variant::Casual] {
        for strong in [Color::White, Color::Black] {
            println!("{variant} {strong:?} {:?}", check(variant, strong, 1000));
        }
    }
}

/// Returns `fen` after `moves`.
fn played(variant: Variant, fen: &str, moves: &str) -> Game {
    let mut game = game_of(variant, fen);
    for text in moves.split_whitespace() {
        let (from, to) = text.split_once('-').expect("a move");
        let name = |square| variant.spec().square_name(square).to_string();
        let is_meant = |mv: &&Move| name(mv.from) == from && name(mv.to) == to;
        let mv = game.legal_moves().iter().find(is_meant).copied().expect("a legal move");
        assert!(game.play(mv));
    }
    game
}

#[test]
fn a_game_that_repeats_its_only_winning_path_is_not_won() {
    let english = "13-9 26-22 9-14 22-26 14-9 26-22 9-14 22-26 14-18 16-20 15-19 26-30 18-14 30-26 14-18 26-30 18-14 \
                   30-26 14-10 26-22";
    let turkish = "d6-d7 c8-d8 d7-c7 d8-c8 c7-b7 c8-b8 b7-a7 b8-a8 a7-b7 a8-b8 b7-a7";
    let cases = [(Variant::English, "B:WK16,K26:BK15,K13", english), (Variant::Turkish, "W:W17,20:B3", turkish)];
    for (variant, fen, moves) in cases {
        let game = played(variant, fen, moves);
        for limits in
            [Limits { nodes: Some(2_000_000), ..Limits::default() }, Limits { depth: Some(8), ..Limits::default() }]
        {
            let mut engine = new_engine(variant);
            engine.set_root_first(true);
            let answer = engine.go(&game, limits).expect("enough memory");
            assert!(matches!(answer.value, Value::Cp(_)), "{variant}: {answer:?}");
            let probed = engine.probe(&game).expect("a table").position;
            assert!(matches!(probed, Verdict::Cursed(_)), "{variant}: {probed:?}");
            assert!(matches!(engine.probe(&game.restarted()).expect("a table").position, Verdict::Sure(_)));
        }
    }
}
