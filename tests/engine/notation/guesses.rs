//! Tests of guessing the variant of games that have no variant tag.

use soffio::notation::pdn::{GameRecord, Guesses, PdnMove, read_games};
use soffio::notation::{FenRecord, full_path};
use soffio::position::Setup;
use soffio::position::paths::{after, legal_moves};
use soffio::rules::Variant;

/// Returns a random game of `variant` without a variant tag.
fn random_game(variant: Variant, plies: usize, random: &mut fastrand::Rng) -> GameRecord {
    let spec = variant.spec();
    let mut setup = Setup::start(spec);
    let mut record = GameRecord { tags: vec![("Event".to_owned(), "chance".to_owned())], ..GameRecord::default() };
    while record.moves.len() < plies {
        let moves = legal_moves(spec, &setup);
        let Some(mv) = random.choice(&moves) else { break };
        record.moves.push(PdnMove::played(full_path(spec, mv)));
        setup = after(spec, &setup, mv);
    }
    record
}

#[test]
fn games_in_a_file_show_their_variant() {
    let mut random = fastrand::Rng::with_seed(5);
    for variant in Guesses::candidates() {
        let mut games: Vec<_> = (0..12).map(|_| random_game(variant, 60, &mut random)).collect();
        // A game that is broken, too short or without moves is assigned the variant of the other games.
        games.push(random_game(variant, 2, &mut random));
        games.push(random_game(variant, 0, &mut random));
        let mut broken = random_game(variant, 9, &mut random);
        broken.moves.extend(broken.moves.clone());
        games.push(broken);
        let guesses = Guesses::new(&games);
        for game in &games {
            assert_eq!(guesses.variant(game), Some(variant), "{game}");
        }
    }
}

/// Returns the guess for each game in `text`, made without the other games.
fn alone(text: &str) -> Vec<Option<Variant>> {
    read_games(text).iter().map(|game| Guesses::default().variant(game)).collect()
}

#[test]
fn a_single_game_is_recognised_by_squares_side_and_legality() {
    let games = "[A \"\"] 1. 32-28 19-23 *\n[A \"\"] 1. 11-15 23-19 *\n[A \"\"] 1. c3-d4 f6-g5 *\n[A \"\"] 1. 22-18 11-15 *\n\
                 [A \"\"] 1. 11-15 23-19 2. 8-11 22-17 3. 11-16 17-13 4. 16-20 24x11 5. 7x16 *\n\
                 [A \"\"] 1. d3-d4 d6-d5 *\n[A \"\"] 1. 44-38 26-32 *\n[A \"\"] 1. 44-39 26-31 *\n[A \"\"] 1. e3-d4 j6-i5 *";
    let expected = [
        Some(Variant::International),
        Some(Variant::English),
        Some(Variant::Russian),
        Some(Variant::Italian),
        Some(Variant::English),
        Some(Variant::Turkish),
        Some(Variant::Canadian),
        Some(Variant::SriLankan),
        Some(Variant::Spantsiretti),
    ];
    assert_eq!(alone(games), expected);
    // A man captures backwards, and Black moves first. This excludes the variants that name squares with letters.
    assert_eq!(alone("[FEN \"B:W18,30:B22,1\"] 1. 22x15 *"), [Some(Variant::Pool)]);
}

#[test]
fn positions_alone_are_recognised_by_squares_and_side() {
    let men = "W:W21-32:B1-12";
    assert_eq!(alone(&format!("[FEN \"{men}\"] *")), [Some(Variant::Italian)]);
    assert_eq!(alone(&format!("[FEN \"B{}\"] *", &men[1..])), [Some(Variant::English)]);
    assert_eq!(alone("[FEN \"W:W31-50:B1-20\"] *"), [Some(Variant::International)]);
    assert_eq!(alone("[FEN \"W:Wc3,Kd4:Bf6\"] *"), [Some(Variant::Russian)]);
    assert_eq!(alone("[FEN \"W:W60:B20\"] *"), [Some(Variant::Canadian)]);
    // An endgame on the small board with either side to move.
    for fen in ["W:WK18,28:BK5", "B:WK18,28:BK5"] {
        assert!(fen.parse::<FenRecord>().is_ok());
        assert_eq!(alone(&format!("[FEN \"{fen}\"] *")), [Some(Variant::English)]);
    }
}

#[test]
fn without_evidence_nothing_is_guessed() {
    assert_eq!(
        alone("[A \"\"] *\n[A \"\"] 1. 1-2 *\n[A \"\"] resigns *\n[FEN \"nothing\"] *\n[FEN \"W:W120:B1\"] *"),
        [None; 5]
    );
}

/// Returns the guess for each game in `text` if all games belong to the same file.
fn guessed_variants(text: &str) -> Vec<Option<Variant>> {
    let games = read_games(text);
    let guesses = Guesses::new(&games);
    games.iter().map(|game| guesses.variant(game)).collect()
}

#[test]
fn a_mistake_in_a_file_is_not_a_different_variant() {
    let english = "[A \"\"] 1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 4. 10-14 19x10 5. 14x23 26x19 6. 7x14 24-20 7. 6-10 30-26 \
                   8. 11-15 28-24 9. 14-18 20-16 10. 18-23 16-11 11. 23x30 11x4 *\n";
    // A man stands on its promotion row, which is impossible in Thai draughts, and a man captures backwards, as in pool
    // checkers.
    let mistakes = "[FEN \"B:WK23,12,3:BK15,K11\"] 1... 15-10 *\n[FEN \"B:W18,30:B22,1\"] 1. 22x15 *\n";
    assert!(alone(mistakes).iter().all(|guess| !matches!(guess, None | Some(Variant::English))));
    assert_eq!(guessed_variants(&format!("{english}{mistakes}")), [Some(Variant::English); 3]);
    // Even many mistakes do not prove a different variant.
    assert_eq!(guessed_variants(&format!("{}{}", english.repeat(3), mistakes.repeat(2))), [Some(Variant::English); 7]);
    let tagged = english.replace("[A", "[GameType \"21\"] [A");
    assert_eq!(guessed_variants(&format!("{tagged}{mistakes}"))[1..], [Some(Variant::English); 2]);
    // A game that is illegal from its first move belongs to a different variant. If a whole game proves that variant, a
    // single position may belong to it too.
    let other = "[A \"\"] 1. 32-28 19-23 2. 28x19 14x23 *\n";
    assert_eq!(guessed_variants(&format!("{english}{other}")), [Some(Variant::English), Some(Variant::International)]);
    let position = "[FEN \"W:W33,38:B24,19\"] 1. 33-28 *\n";
    let file = format!("{}{position}", english.repeat(2));
    assert_eq!(guessed_variants(&file), [Some(Variant::English); 3]);
    assert_eq!(guessed_variants(&format!("{file}{other}"))[2..], [Some(Variant::International); 2]);
    // If the moves of the records do not show the variant, the tags of other records do.
    let losing = "[Variant \"losing-english\"] 1. 11-15 *\n";
    let losing_english = read_games(losing)[0].variant().unwrap();
    assert!(losing_english.is_some_and(|variant| variant != Variant::English));
    assert_eq!(guessed_variants(&format!("{losing}[A \"\"] 1. 11-15 23-19 *\n"))[1], losing_english);
}

#[test]
fn the_tag_matches_the_squares() {
    let tagged = |text: &str, variant: Variant| {
        let mut game = read_games(text).remove(0);
        game.set_variant(variant);
        assert_eq!(game.variant(), Ok(Some(variant)));
        game.tags.pop().unwrap()
    };
    let tag = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(tagged("1. 32-28 *", Variant::International), tag("GameType", "20,W,10,10,N2,0"));
    assert_eq!(tagged("1. 22-18 *", Variant::Russian), tag("GameType", "25"));
    assert_eq!(tagged("[GameType \"?\"] 1. c3-d4 *", Variant::Russian), tag("GameType", "25,W,8,8,A0,0"));
    assert_eq!(tagged("1. 49-43 *", Variant::SriLankan), tag("Variant", "srilankan"));
}
