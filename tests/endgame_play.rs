//! Games from positions of few pieces: what endgame tables know is played.

use fastrand::Rng;
use soffio::engine::{Answer, Engine, Limits, Outcome, Probed, Setting, Verdict};
use soffio::game::{Game, Move};
use soffio::position::{Piece, Setup, Status};
use soffio::rules::{Color, Variant};

/// The variants that are played.
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
    engine.apply(Setting::Variant(variant)).expect("a variant needs nothing");
    engine.apply(Setting::Hash(1)).expect("there is room for a small table");
    engine.apply(Setting::TableMemory(16)).expect("it is only a limit");
    engine
}

/// A position of `pieces` men and kings on random squares, at least one of each color.
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

/// The best defence or attack: one of the moves that keep `plies` to the end.
fn perfect_move(engine: &mut Engine, game: &Game) -> Move {
    let found = probe(engine, game).expect("there is a table for it");
    let best = found.moves.iter().find(|(_, verdict)| *verdict == Some(found.position));
    best.expect("one of the moves is as good as the position").0
}

fn answer(engine: &mut Engine, game: &Game) -> Answer {
    let limits = Limits { depth: Some(1), ..engine.limits() };
    engine.go(game, limits).expect("there is memory for a search")
}

/// Lets the engine play `game`, which ends after so many plies by best play, against a perfect player.
fn play_decided(engine: &mut Engine, game: &mut Game, plies: u8, engine_side: Color, fen: &str) {
    for ply in 0..plies {
        assert!(matches!(game.status(), Status::Playing { .. }), "{fen}: over after {ply} of {plies} plies");
        let mv = if game.side() == engine_side {
            answer(engine, game).best.expect("the game goes on")
        } else {
            perfect_move(engine, game)
        };
        assert!(game.play(mv), "{fen}");
    }
    assert!(matches!(game.status(), Status::Won { .. }), "{fen}: not over after {plies} plies");
}

/// Lets the engine play a drawn game for a while against a random player.
fn play_drawn(engine: &mut Engine, game: &mut Game, random: &mut Rng, fen: &str) {
    let engine_side = game.side();
    for _ in 0..20 {
        let Status::Playing { .. } = game.status() else { return };
        let mv = if game.side() == engine_side {
            answer(engine, game).best.expect("the game goes on")
        } else {
            *random.choice(&game.legal_moves()).expect("the game goes on")
        };
        assert!(game.play(mv), "{fen}");
        if game.side() == engine_side
            && let Some(Probed { position: Verdict::Sure(Outcome::Loss(_)), .. }) = engine.probe(game)
        {
            panic!("{fen}: a draw was given away");
        }
    }
}

/// Plays from `positions` random positions of `pieces` pieces. Returns how many were won, drawn and lost.
fn play_random_endings(variant: Variant, pieces: usize, positions: usize, seed: u64) -> [usize; 3] {
    let mut random = Rng::with_seed(seed);
    let mut engine = engine(variant);
    let mut counts = [0; 3];
    while counts.iter().sum::<usize>() < positions {
        let Some(mut game) = random_game(variant, pieces, &mut random) else { continue };
        let Some(found) = probe(&mut engine, &game) else { continue };
        let fen = format!("{variant} {:?}", game.setup().pieces);
        let side = game.side();
        match found.position {
            Verdict::Sure(Outcome::Win(plies)) => {
                counts[0] += 1;
                play_decided(&mut engine, &mut game, plies, side, &fen);
            }
            Verdict::Sure(Outcome::Loss(plies)) => {
                counts[2] += 1;
                play_decided(&mut engine, &mut game, plies, side, &fen);
            }
            Verdict::Sure(Outcome::Draw) => {
                counts[1] += 1;
                play_drawn(&mut engine, &mut game, &mut random, &fen);
            }
            Verdict::Late(_) => {}
        }
    }
    counts
}

#[test]
fn what_is_won_is_won_in_time_what_is_lost_lasts_what_is_drawn_is_kept() {
    let positions = if cfg!(debug_assertions) { 5 } else { 30 };
    for variant in VARIANTS {
        let [won, drawn, lost] = play_random_endings(variant, 3, positions, 7);
        assert_eq!(won + drawn + lost, positions, "{variant}");
    }
}

/// Prints how many positions were won, drawn and lost, of three and of four pieces.
#[test]
#[ignore = "a campaign of many minutes"]
fn ten_thousand_endings_of_each_variant() {
    for variant in VARIANTS {
        for pieces in [3, 4] {
            let [won, drawn, lost] = play_random_endings(variant, pieces, 10_000, 11);
            println!("{variant} {pieces}: won {won}, drawn {drawn}, lost {lost}");
        }
    }
}
