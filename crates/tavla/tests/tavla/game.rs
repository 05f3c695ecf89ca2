//! Tests of tavla games: legal and illegal plays, undo, the opening roll and the points.

use soffio_tavla::game::{Color, TavlaGame, TavlaGameError, TavlaState, TavlaStatus};
use soffio_tavla::rules::{Checkers, Hop, OpeningRoll, Roll, Rules, TavlaBoard, TavlaPlay};

fn game(moves: &[(&str, &str)]) -> TavlaGame {
    let mut game = TavlaGame::new(Rules::default(), TavlaState::start());
    for (roll, play) in moves {
        game.set_dice(roll.parse().unwrap()).unwrap();
        game.play(&play.parse().unwrap()).unwrap();
    }
    game
}

fn refusal(game: &TavlaGame, play: &str) -> String {
    game.resolve(&play.parse().unwrap()).unwrap_err().to_string()
}

#[test]
fn plays_are_accepted_in_any_order_and_joined() {
    let mut game = game(&[]);
    assert_eq!(refusal(&game, "8/5,6/5"), "the dice have not been rolled; send dice or roll first");
    game.set_dice("31".parse().unwrap()).unwrap();
    for text in ["8/5,6/5", "6/5 8/5", "8/5,6/5*"] {
        assert_eq!(game.resolve(&text.parse().unwrap()).unwrap().play.ordered().to_string(), "8/5,6/5");
    }
    assert_eq!(game.resolve(&"24/20".parse().unwrap()).unwrap().after.own.count_at(20), 1, "two dice as one hop");
}

#[test]
fn rejections_give_the_reason() {
    let mut game = game(&[]);
    game.set_dice("61".parse().unwrap()).unwrap();
    for (play, reason) in [
        ("7/6,8/2", "there is no checker on point 7"),
        ("24/18,6/5,6/5", "no die goes from 6 to 5"),
        ("13/7", "2 dice can be played, so 2 must be played"),
        ("pass", "2 dice can be played, so 2 must be played"),
        ("24/18,18/15", "no die goes from 18 to 15"),
        ("8/2,6/0", "not all checkers are at home"),
        ("13/12,7/1", "point 12 is held by the other side"),
    ] {
        assert!(refusal(&game, play).ends_with(reason), "{play}: {}", refusal(&game, play));
    }
    let backwards = TavlaPlay::new(&[Hop { from: 8, to: 14 }]).unwrap();
    assert!(game.resolve(&backwards).unwrap_err().to_string().ends_with("no die goes from 8 to 14"));
    game.set_dice("65".parse().unwrap()).unwrap();
    assert!(refusal(&game, "24/19,13/7").ends_with("point 19 is held by the other side"));
}

#[test]
fn turns_are_undone_and_redone() {
    let mut game = game(&[("31", "8/5,6/5"), ("65", "24/18,18/13")]);
    let end = *game.state();
    assert_eq!(game.undo(3), Err(TavlaGameError::TooFew { turns: 2, what: "undo" }));
    game.undo(2).unwrap();
    assert_eq!(
        (game.state().board, game.state().dice.map(|roll| roll.to_string())),
        (TavlaBoard::start(), Some("31".into()))
    );
    game.redo(2).unwrap();
    assert_eq!(*game.state(), end);
    game.undo(1).unwrap();
    let before_last = game.clone();
    game.undo(1).unwrap();
    game.redo(1).unwrap();
    assert_eq!(game.state(), before_last.state(), "with the same dice");
    assert_eq!((game.legal(), game.next_to_redo()), (before_last.legal(), Some(before_last.state().side)));
    assert_eq!(game.legal().iter().filter(|legal| legal.play.ordered().to_string() == "24/18,18/13").count(), 1);
    game.play(&"24/18,13/8".parse().unwrap()).unwrap();
    assert_eq!(game.redo(1), Err(TavlaGameError::NoTurn("redo")));
}

#[test]
fn the_larger_die_moves_first() {
    let mut random = fastrand::Rng::with_seed(1);
    let (mut doubles, mut white) = (0, 0);
    for _ in 0..400 {
        let mut game = TavlaGame::new(Rules::default(), TavlaState::start());
        let (beginning, roll) = game.roll(&mut random).unwrap();
        let beginning = beginning.unwrap();
        assert_eq!(game.state().side == Color::White, beginning.white > beginning.black);
        white += usize::from(game.state().side == Color::White);
        doubles += usize::from(roll.is_double());
        let rules = Rules { opening: OpeningRoll::Single, ..Rules::default() };
        let mut game = TavlaGame::new(rules, TavlaState::start());
        let (beginning, roll) = game.roll(&mut random).unwrap();
        assert_eq!(Roll::new(beginning.unwrap().white, beginning.unwrap().black), Some(roll));
    }
    assert!((150..250).contains(&white) && (40..100).contains(&doubles), "{white} {doubles}");
}

#[test]
fn mars_counts_two_points_if_agreed() {
    let mut counts = [0; 26];
    (counts[0], counts[3]) = (14, 1);
    let own = Checkers::new(counts).unwrap();
    for mars in [false, true] {
        let board = TavlaBoard::new(own, TavlaBoard::start().other).unwrap();
        let state = TavlaState { board, side: Color::Black, dice: Some("32".parse().unwrap()) };
        let mut game = TavlaGame::new(Rules { mars, ..Rules::default() }, state);
        game.play(&"3/0".parse().unwrap()).unwrap();
        let points = if mars { 2 } else { 1 };
        assert_eq!(game.status(), TavlaStatus::Won { winner: Color::Black, is_mars: true, points });
        assert_eq!(game.set_dice("21".parse().unwrap()), Err(TavlaGameError::Over));
        assert!(game.legal().is_empty());
    }
}
