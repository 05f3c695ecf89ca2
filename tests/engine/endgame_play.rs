//! Tests that the engine plays perfectly in positions with few pieces, according to the endgame tables.

mod repetitions;
mod results_only;

use fastrand::Rng;
use soffio::engine::{Answer, Engine, Limits, Probed, Setting, TableOutcome, Verdict};
use soffio::game::{Game, Move};
use soffio::notation::{FenRecord, WrittenGame};
use soffio::position::{Piece, Setup, Status};
use soffio::rules::{Color, Variant};

const VARIANTS: [Variant; 10] = [
    Variant::English,
    Variant::Italian,
    Variant::Russian,
    Variant::Brazilian,
    Variant::International,
    Variant::Turkish,
    Variant::Spanish,
    Variant::Frisian,
    Variant::LosingRussian,
    Variant::Casual,
];

fn engine(variant: Variant) -> Engine {
    let mut engine = Engine::new();
    engine.apply(Setting::Variant(variant)).expect("a variant can always be set");
    engine.apply(Setting::Hash(1)).expect("there is enough memory for a small table");
    engine.apply(Setting::TableMemory(16)).expect("it is only a limit");
    engine
}

/// Returns a game from a position with `pieces` men and kings on random squares, at least one of each colour. Returns
/// `None` if two pieces share a square, the position is illegal, or the game has ended.
fn random_game(variant: Variant, pieces: usize, random: &mut Rng) -> Option<Game> {
    let spec = variant.spec();
    let squares: Vec<_> = spec.shape.all_squares().collect();
    let side = if random.bool() { Color::White } else { Color::Black };
    let mut setup = Setup { pieces: [].into(), side, ..Setup::start(spec) };
    let white = random.usize(1..pieces);
    for number in 0..pieces {
        let color = if number < white { Color::White } else { Color::Black };
        setup.pieces.insert(squares[random.usize(..squares.len())], Piece { color, king: random.bool() });
    }
    let is_whole = setup.pieces.len() == pieces;
    Game::from_setup(variant, &setup).ok().filter(|game| is_whole && matches!(game.status(), Status::Playing { .. }))
}

fn probe(engine: &mut Engine, game: &Game) -> Option<Probed> {
    let found = engine.probe(game)?;
    found.moves.iter().all(|(_, verdict)| verdict.is_some()).then_some(found)
}

/// Returns a move that keeps the result and the number of plies to the end of the game.
fn perfect_move(engine: &mut Engine, game: &Game) -> Move {
    let found = probe(engine, game).expect("it has a table");
    let best = found.moves.iter().find(|(_, verdict)| *verdict == Some(found.position));
    best.expect("one of the moves is as good as the position").0
}

fn answer(engine: &mut Engine, game: &Game) -> Answer {
    let limits = Limits { depth: Some(1), ..engine.limits() };
    engine.go(game, limits).expect("there is enough memory for a search")
}

/// Lets the engine play against a perfect player. `game` must end after `plies` plies of perfect play.
fn play_decided(engine: &mut Engine, game: &mut Game, plies: u8, engine_side: Color, fen: &str) {
    for ply in 0..plies {
        assert!(matches!(game.status(), Status::Playing { .. }), "{fen}: ended after {ply} of {plies} plies");
        let mv = if game.side() == engine_side {
            answer(engine, game).best.expect("the game continues")
        } else {
            perfect_move(engine, game)
        };
        assert!(game.play(mv), "{fen}");
    }
    assert!(matches!(game.status(), Status::Won { .. }), "{fen}: not ended after {plies} plies");
}

/// Lets the engine play a drawn game against a random player for up to 20 plies.
fn play_drawn(engine: &mut Engine, game: &mut Game, random: &mut Rng, fen: &str) {
    let engine_side = game.side();
    for _ in 0..20 {
        let Status::Playing { .. } = game.status() else { return };
        let mv = if game.side() == engine_side {
            answer(engine, game).best.expect("the game continues")
        } else {
            *random.choice(&game.legal_moves()).expect("the game continues")
        };
        assert!(game.play(mv), "{fen}");
        if game.side() == engine_side
            && let Some(Probed { position: Verdict::Sure(TableOutcome::Loss(_)), .. }) = engine.probe(game)
        {
            panic!("{fen}: a draw was lost");
        }
    }
}

/// Returns the best defence in a position that is lost unless a draw rule applies first. Prefers a move after which a
/// draw rule may apply, and then the longest loss. Returns `None` if there is no table for the position.
fn stubborn_move(engine: &mut Engine, game: &Game) -> Option<Move> {
    let found = probe(engine, game)?;
    let rank = |verdict: Option<Verdict>| match verdict {
        Some(Verdict::Sure(TableOutcome::Loss(plies))) => (0, plies),
        Some(Verdict::Cursed(TableOutcome::Loss(plies))) => (1, plies),
        _ => (2, None),
    };
    found.moves.iter().max_by_key(|(_, verdict)| rank(*verdict)).map(|&(mv, _)| mv)
}

/// Lets the engine play a win that a draw rule may prevent, against the best defence. Returns whether the engine won.
fn wins_late(engine: &mut Engine, game: &mut Game) -> bool {
    let engine_side = game.side();
    while let Status::Playing { .. } = game.status() {
        let stubborn = if game.side() == engine_side { None } else { stubborn_move(engine, game) };
        let mv = stubborn.unwrap_or_else(|| answer(engine, game).best.expect("the game continues"));
        assert!(game.play(mv));
    }
    matches!(game.status(), Status::Won { winner, .. } if winner == engine_side)
}

/// Numbers of random positions with each result.
#[derive(Clone, Copy, Debug, Default)]
struct Endings {
    won: usize,
    drawn: usize,
    lost: usize,
    /// Lost positions that may be saved by a draw rule.
    perhaps_lost: usize,
    /// Won positions in which a draw rule may apply before the win.
    perhaps_won: usize,
    won_all_the_same: usize,
}

impl Endings {
    /// Returns the number of positions whose result no draw rule can change.
    fn sure(self) -> usize {
        self.won + self.drawn + self.lost
    }
}

/// Plays from random positions with `pieces` pieces until `positions` of them had a result that no draw rule can
/// change.
fn play_random_endings(variant: Variant, pieces: usize, positions: usize, seed: u64) -> Endings {
    let mut random = Rng::with_seed(seed);
    let mut engine = engine(variant);
    let mut endings = Endings::default();
    while endings.sure() < positions {
        let Some(mut game) = random_game(variant, pieces, &mut random) else { continue };
        let Some(found) = probe(&mut engine, &game) else { continue };
        let fen = format!("{variant} {:?}", game.setup().pieces);
        let side = game.side();
        match found.position {
            Verdict::Sure(TableOutcome::Win(Some(plies))) => {
                endings.won += 1;
                play_decided(&mut engine, &mut game, plies, side, &fen);
            }
            Verdict::Sure(TableOutcome::Loss(Some(plies))) => {
                endings.lost += 1;
                play_decided(&mut engine, &mut game, plies, side, &fen);
            }
            Verdict::Sure(TableOutcome::Draw) => {
                endings.drawn += 1;
                play_drawn(&mut engine, &mut game, &mut random, &fen);
            }
            Verdict::Cursed(TableOutcome::Win(_)) => {
                endings.perhaps_won += 1;
                endings.won_all_the_same += usize::from(wins_late(&mut engine, &mut game));
            }
            Verdict::Cursed(_) => endings.perhaps_lost += 1,
            Verdict::Sure(outcome) => panic!("{fen}: {outcome} without a distance"),
        }
    }
    endings
}

#[test]
fn the_engine_plays_wins_losses_and_draws_perfectly() {
    let positions = if cfg!(debug_assertions) { 5 } else { 30 };
    for variant in VARIANTS {
        assert_eq!(play_random_endings(variant, 3, positions, 7).sure(), positions, "{variant}");
    }
}

fn game_of(variant: Variant, fen: &str) -> Game {
    let record: FenRecord = fen.parse().expect("a FEN");
    WrittenGame::from_start(variant, Some(&record)).expect("a position").game().clone()
}

#[test]
fn a_draw_is_kept_if_a_draw_rule_may_save_a_loss() {
    let (variant, mut random) = (Variant::Russian, Rng::with_seed(5));
    let mut engine = engine(variant);
    let fen = "B:Wh6,Kh4:Bd4";
    let game = game_of(variant, fen);
    assert_eq!(engine.probe(&game).map(|found| found.position), Some(Verdict::Sure(TableOutcome::Draw)));
    for _ in 0..20 {
        play_drawn(&mut engine, &mut game.clone(), &mut random, fen);
    }
}

/// In Russian draughts, three pieces including a king must catch, within 5 moves, a man that is promoted on the main
/// road.
#[test]
fn a_draw_rule_that_starts_later_is_foreseen() {
    let mut engine = engine(Variant::Russian);
    let cases = [
        ("B:Wa7,Kf6,a1:Bf2", Verdict::Cursed(TableOutcome::Loss(Some(42)))),
        // Petrov's triangle: the lone king can reach the main road, but cannot stay there.
        ("W:WKc1,Ke1,Kg1:BKb8", Verdict::Sure(TableOutcome::Win(Some(19)))),
    ];
    for (fen, verdict) in cases {
        let game = game_of(Variant::Russian, fen);
        assert_eq!(engine.probe(&game).map(|found| found.position), Some(verdict), "{fen}");
    }
}

/// Prints how many positions with three and with four pieces had each result.
#[test]
#[ignore = "takes many minutes"]
fn ten_thousand_endings_of_each_variant() {
    for variant in VARIANTS {
        for pieces in [3, 4] {
            println!("{variant} {pieces}: {:?}", play_random_endings(variant, pieces, 10_000, 11));
        }
    }
}
