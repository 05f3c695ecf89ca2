//! Tests that compare the plain players with each other and with a naive search.

use crate::common::setup;
use soffio::clock::Stopwatch;
use soffio::eval::Evaluation;
use soffio::plain::{Plain, PlainKind, PlainPlayer, PlainStyle, plain_search};
use soffio::position::{CaptureOrder, GameRules, History, Move, Position, perft};
use soffio::rules::Color;
use soffio::rules::Variant::{self, Breakthrough, English, Frisian, International, Italian, LosingItalian, Turkish};
use soffio::search::{
    Bound, Handicap, Limits, Observer, Report, Score, SearchResult, Signal, Silent, Tools, TranspositionTable, Value,
};
use std::time::Duration;

fn rules(variant: Variant) -> &'static GameRules<u64> {
    GameRules::for_variant(variant).unwrap()
}

fn new_game(variant: Variant) -> History<u64> {
    History::new(rules(variant))
}

fn plain(variant: Variant, kind: PlainKind, seed: u64) -> Plain {
    Plain::new(kind, seed, variant.spec())
}

/// Returns a transposition table and an evaluation for a player. The player uses this evaluation if it has no plain
/// evaluation.
fn tools(variant: Variant) -> (TranspositionTable, Evaluation<u64>) {
    (TranspositionTable::new(1).unwrap(), Evaluation::best(rules(variant)))
}

fn lent<'a>(table: &'a TranspositionTable, evaluation: &'a Evaluation<u64>) -> Tools<'a, u64> {
    Tools { table, evaluation, endgames: None }
}

fn style(player: PlainPlayer) -> PlainStyle {
    PlainStyle { player, seed: 7, evaluation: None }
}

/// Returns a game after fewer than `max_plies` random plies. The side to move has a legal move.
fn random_game(variant: Variant, random: &mut fastrand::Rng, max_plies: usize) -> History<u64> {
    loop {
        let mut game = new_game(variant);
        for _ in 0..random.usize(..max_plies) {
            let Some(mv) = random.choice(game.position().legal_moves().to_vec()) else { break };
            game.play(mv);
        }
        if game.position().has_move() {
            return game;
        }
    }
}

fn play(game: &History<u64>, limits: &Limits, player: PlainPlayer, evaluation: Option<Plain>) -> SearchResult {
    let (table, best) = tools(game.position().rules().variant());
    let style = PlainStyle { evaluation, ..style(player) };
    plain_search(game, limits, style, lent(&table, &best), &Signal::default(), Stopwatch::start(), &mut Silent)
}

fn to_depth(depth: u8) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Asserts that all players find the same score in `count` random positions of a variant, and that each player searches
/// fewer nodes than the player before it.
fn compare(variant: Variant, count: usize, deepest: u8) {
    let random = &mut fastrand::Rng::with_seed(count as u64);
    let (mut visited, mut cut) = (0, [0; 3]);
    for index in 0..count {
        let game = random_game(variant, random, 120);
        let depth = random.u8(1..=deepest);
        let kind = PlainKind::ALL.get(index % (PlainKind::ALL.len() + 1));
        let evaluation = kind.map(|&kind| plain(variant, kind, 5));
        let place = format!("{kind:?} depth {depth} {}", game.setup().draw(variant.spec()));
        let limits = to_depth(depth);
        let full = play(&game, &limits, PlainPlayer::Minimax, evaluation);
        let count = |depth| perft(game.position(), depth, CaptureOrder::Merged, &|| false).unwrap();
        assert_eq!(full.nodes, (1..=depth).map(count).sum::<u64>(), "{place}");
        visited += full.nodes;
        let cutters = [PlainPlayer::AlphaBeta, PlainPlayer::Ordered, PlainPlayer::Memory];
        for (player, cut) in cutters.into_iter().zip(&mut cut) {
            let outcome = play(&game, &limits, player, evaluation);
            assert_eq!(outcome.score, full.score, "{player:?} {place}");
            assert!(outcome.nodes <= full.nodes, "{player:?} {place}");
            if player == PlainPlayer::AlphaBeta {
                assert_eq!(outcome.best, full.best, "{place}");
            }
            *cut += outcome.nodes;
        }
    }
    let [alpha_beta, ordered, memory] = cut;
    let steps = format!("{variant}: {visited} {alpha_beta} {ordered} {memory}");
    assert!(visited > alpha_beta && alpha_beta > ordered && ordered > memory, "each step saves nodes: {steps}");
}

#[test]
fn players_agree_and_each_saves_nodes() {
    compare(English, 500, 6);
    compare(Italian, 300, 6);
    compare(International, 150, 5);
}

#[test]
fn players_agree_in_variants_with_unusual_rules() {
    compare(Turkish, 200, 4);
    compare(Frisian, 200, 4);
    compare(LosingItalian, 200, 5);
    compare(Breakthrough, 200, 4);
}

/// Returns the value of a position for the side to move, calculated by naive recursion. The bonus for each of the
/// player's own moves is added to the value of the position after the move.
fn naive(position: &Position<u64>, own: Color, kind: PlainKind, depth: u8, ply: usize) -> Score {
    let plain = Plain::new(kind, 5, position.spec());
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Score::without_move(position, ply);
    }
    let sign = if position.side() == own { 1 } else { -1 };
    if depth == 0 {
        return Score::evaluation(sign * plain.of_pieces(position.pieces(), own));
    }
    let worth = |&mv: &Move<u64>| {
        let score = -naive(&position.play(mv), own, kind, depth - 1, ply + 1);
        let gain = if position.side() == own { plain.of_move(position, mv) } else { 0 };
        match score.value(None) {
            Value::Cp(value) => Score::evaluation(i32::from(value) + gain),
            Value::Win(_) | Value::Loss(_) => score,
        }
    };
    moves.iter().map(worth).max().unwrap()
}

/// Asserts that minimax and the naive recursion agree in `count` random positions.
fn compare_naive(variant: Variant, count: usize, deepest: u8) {
    let random = &mut fastrand::Rng::with_seed(count as u64);
    for index in 0..count {
        let game = random_game(variant, random, 120);
        let depth = random.u8(1..=deepest);
        let kind = PlainKind::ALL[index % PlainKind::ALL.len()];
        let outcome = play(&game, &to_depth(depth), PlainPlayer::Minimax, Some(plain(variant, kind, 5)));
        let position = game.position();
        let expected = naive(position, position.side(), kind, depth, 0);
        assert_eq!(outcome.score, expected, "{kind:?} depth {depth} {}", game.setup().draw(variant.spec()));
    }
}

#[test]
fn minimax_matches_its_definition() {
    compare_naive(English, 600, 4);
    compare_naive(Italian, 240, 4);
    compare_naive(Turkish, 120, 3);
    compare_naive(Frisian, 120, 3);
    compare_naive(LosingItalian, 240, 4);
    compare_naive(Breakthrough, 240, 3);
}

#[test]
fn a_win_within_the_depth_is_found() {
    let setup = setup(English, "W:W22:B18");
    let game = History::from_setup(rules(English), &setup).unwrap();
    for player in &PlainPlayer::ALL[1..] {
        let outcome = play(&game, &to_depth(1), *player, None);
        assert_eq!(outcome.value, Value::Win(1), "{player:?}");
    }
}

#[test]
fn random_moves_are_uniform() {
    let game = new_game(English);
    let mut counts = [0; 7];
    for seed in 0..7000 {
        let limits = Limits::default();
        let (table, evaluation) = tools(English);
        let random = PlainStyle { seed, ..style(PlainPlayer::Random) };
        let now = Stopwatch::start();
        let chosen =
            plain_search(&game, &limits, random, lent(&table, &evaluation), &Signal::default(), now, &mut Silent);
        let moves = game.position().legal_moves();
        counts[moves.iter().position(|&mv| Some(mv.widened()) == chosen.best).unwrap()] += 1;
    }
    assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
}

#[test]
fn only_the_requested_root_moves_are_played() {
    let game = new_game(English);
    for only_move in game.position().legal_moves().iter().copied() {
        for &player in PlainPlayer::ALL {
            let limits = Limits { root_moves: vec![only_move.widened()], ..to_depth(3) };
            assert_eq!(play(&game, &limits, player, None).best, Some(only_move.widened()));
        }
    }
}

#[test]
fn limits_end_a_search_with_a_move() {
    let game = new_game(International);
    for player in &PlainPlayer::ALL[1..] {
        let nodes = play(&game, &Limits { nodes: Some(5000), ..Limits::default() }, *player, None);
        assert!(nodes.nodes <= 5000 && nodes.best.is_some(), "{player:?} {nodes:?}");
        let started = Stopwatch::start();
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..to_depth(40) };
        assert!(play(&game, &limits, *player, None).best.is_some(), "{player:?}");
        assert!(started.elapsed() < Duration::from_secs(60), "{player:?}");
        let level = Handicap { depth: 2, spread: 0, seed: 0 };
        let limits = Limits { handicap: Some(level), ..Limits::default() };
        assert_eq!(play(&game, &limits, *player, None), play(&game, &to_depth(2), *player, None));
    }
}

#[derive(Default)]
struct Listener(Vec<(u8, Bound)>);

impl Observer for Listener {
    fn report(&mut self, report: Report) {
        assert!(!report.line.is_empty());
        self.0.push((report.depth, report.bound));
    }
}

/// Returns the reports of a player under `limits`. If `is_stopped` is true, the stop signal is set before the search.
fn reports_of(player: PlainPlayer, limits: &Limits, is_stopped: bool) -> Vec<(u8, Bound)> {
    let (game, signal, (table, evaluation)) = (new_game(International), Signal::default(), tools(International));
    if is_stopped {
        signal.stop();
    }
    let mut listener = Listener::default();
    plain_search(&game, limits, style(player), lent(&table, &evaluation), &signal, Stopwatch::start(), &mut listener);
    listener.0
}

#[test]
fn the_played_move_was_searched() {
    let no_time = Some(Duration::ZERO);
    for &player in PlainPlayer::ALL.iter().skip(1) {
        for limits in [
            Limits { nodes: Some(1), ..Limits::default() },
            Limits { move_time: no_time, ..Limits::default() },
            Limits { move_time: no_time, depth: Some(20), ..Limits::default() },
        ] {
            assert_eq!(reports_of(player, &limits, false), [(1, Bound::Exact)], "{player:?} {limits:?}");
        }
        for depth in [None, Some(1), Some(20)] {
            let limits = Limits { depth, ..Limits::default() };
            assert_eq!(reports_of(player, &limits, true), [(1, Bound::Exact)], "{player:?} {limits:?}");
        }
    }
}

/// A player that is stopped before it has found a move falls back to a one-ply search. The line it reports must not
/// contain stale replies from the stopped search.
#[test]
fn the_line_of_a_stopped_player_is_legal() {
    struct Playable(History<u64>);
    impl Observer for Playable {
        fn report(&mut self, report: Report) {
            let mut game = self.0.clone();
            for mv in report.line.into_iter().map(|mv| mv.narrowed()) {
                assert!(game.position().legal_moves().contains(&mv), "{mv:?}");
                game.play(mv);
            }
        }
    }
    let setup = setup(English, "W:W22,26,27,31:B14,3,1,6");
    let game = History::from_setup(rules(English), &setup).unwrap();
    for player in &PlainPlayer::ALL[1..] {
        let ((table, evaluation), signal) = (tools(English), Signal::default());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                signal.stop();
            });
            let tools = lent(&table, &evaluation);
            let observer = &mut Playable(game.clone());
            plain_search(&game, &to_depth(60), style(*player), tools, &signal, Stopwatch::start(), observer);
        });
    }
}

#[test]
fn the_table_is_kept_between_searches() {
    let game = new_game(English);
    let (table, evaluation) = (TranspositionTable::new(4).unwrap(), Evaluation::best(rules(English)));
    let memory =
        PlainStyle { evaluation: Some(plain(English, PlainKind::Centrality, 3)), ..style(PlainPlayer::Memory) };
    let nodes = || {
        let (signal, now, limits) = (Signal::default(), Stopwatch::start(), to_depth(7));
        plain_search(&game, &limits, memory, lent(&table, &evaluation), &signal, now, &mut Silent).nodes
    };
    let first = nodes();
    assert!(nodes() < first / 10);
}
