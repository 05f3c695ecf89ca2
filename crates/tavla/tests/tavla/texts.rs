//! Tests of the text formats of positions.

use super::random::Random;
use soffio_tavla::game::{Color, TavlaGame, TavlaState};
use soffio_tavla::notation::{drawing, gnubg_id, position_id, read_gnubg_id, read_xgid, xgid};
use soffio_tavla::rules::Rules;

#[test]
fn known_ids_are_parsed() {
    let start = TavlaState::start();
    assert_eq!(gnubg_id(&start), "4HPwATDgc/ABMA:cAkAAAAAAAAA");
    assert_eq!(xgid(&start), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
    let mut game = TavlaGame::new(Rules::default(), start);
    game.set_dice("31".parse().unwrap()).unwrap();
    assert_eq!(gnubg_id(game.state()), "4HPwATDgc/ABMA:cIkFAAAAAAAA");
    game.play(&"8/5,6/5".parse().unwrap()).unwrap();
    assert_eq!(position_id(&game.state().board), "sGfwATDgc/ABMA");
}

#[test]
fn every_position_is_read_back() {
    let mut random = Random::new(9);
    for number in 0..3000_u32 {
        let dice = (number % 3 > 0).then(|| random.roll());
        let side = if number.is_multiple_of(2) { Color::White } else { Color::Black };
        let state = TavlaState { board: random.board(), side, dice };
        assert_eq!(read_gnubg_id(&gnubg_id(&state)).unwrap(), state);
        assert_eq!(read_xgid(&xgid(&state)).unwrap(), state);
    }
}

#[test]
fn errors_describe_the_problem() {
    let error = |text: &str| read_xgid(text).unwrap_err().to_string();
    assert_eq!(error("XGID=-b"), "an XGID must begin with 26 characters, one per point and bar");
    assert_eq!(
        error("-b----E-C---eE---c-e----B-:0:0"),
        "an XGID must have cube, owner, turn and dice after the first 26 characters"
    );
    assert_eq!(error("-b----E-C---eE---c-e----B-:0:0:1:70"), "the dice must be two numbers from 1 to 6");
    assert_eq!(error("-b----E-C---eE---c-e----B-:0:0:2:00"), "the turn of an XGID must be 1 or -1");
    assert_eq!(error("-b----O-C---eE---c-e----B-:0:0:1:00"), "a side has more than 15 checkers");
    assert!(error("-b----E-C---eE---c-e----B-:0:0:1:D").contains("doubling cube"));
    assert!(error("-b----E-C---eE---c-e----Bb:0:0:1:00").contains("each bar may hold only its own side's"));
    let error = |text: &str| read_gnubg_id(text).unwrap_err().to_string();
    assert_eq!(error("4HPwATDgc/ABM"), "a Position ID must have 14 base64 characters");
    assert_eq!(error("4HPwATDgc/ABMA:"), "a Match ID must have 12 base64 characters");
    assert_eq!(error("4HPwATDgc/ABM\u{e9}"), "a Position ID must have 14 base64 characters");
    assert!(read_gnubg_id("//////////////").is_err());
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20_000 {
        let text: String = (0..14).map(|_| *random.choice(b"AB/8gw0z").unwrap() as char).collect();
        if let Ok(state) = read_gnubg_id(&text) {
            assert_eq!(read_gnubg_id(&gnubg_id(&state)).unwrap(), state);
        }
    }
}

#[test]
fn the_start_position_is_drawn() {
    let text = drawing(&TavlaState::start());
    assert!(text.starts_with(" 13 14 15 16 17 18      19 20 21 22 23 24\n+----"), "{text}");
    assert_eq!(text.matches('O').count(), 15);
    assert_eq!(text.matches('X').count(), 15);
    assert_eq!(text.lines().count(), 15);
}
