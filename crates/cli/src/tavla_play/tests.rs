use super::*;
use soffio_tavla::rules::Rules;
use soffio_tavla::session::Seat;

fn play(white: &str, black: &str, lines: &str) -> String {
    attended(white, black, lines, false).0
}

/// The output, and whether a game was lost; `is_attended` says whether somebody can be asked.
fn attended(white: &str, black: &str, lines: &str, is_attended: bool) -> (String, bool) {
    let seats = [white, black].map(|text| text.parse::<Seat>().unwrap());
    let names = [white, black].map(str::to_owned);
    let table = Table::new(Rules::default(), seats, names, fastrand::Rng::with_seed(4));
    let mut output = Vec::new();
    let is_lost = run_lines(table, lines.as_bytes(), &mut output, is_attended).unwrap();
    (String::from_utf8(output).unwrap(), is_lost)
}

#[test]
fn a_game_against_the_computer_goes_on_and_is_saved() {
    let folder = std::env::temp_dir().join(format!("soffio-tavla-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("game.mat");
    let lines = format!("dice 3 1\n8/5 6/5\nwhy\nundo\ndice 31\n24/20\nsave {0}\nsave {0}\nquit\n", file.display());
    let said = play("human", "depth=1", &lines);
    assert!(
        said.contains("white rolls") && said.contains("1. 8/5,6/5  equity +")
            || said.contains("equity before the roll"),
        "{said}"
    );
    assert!(said.contains("File exists"), "a file is never overwritten: {said}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with(" 0 point match\n\n Game 1\n human : 0"), "{text}");
    assert!(text.contains("31: 24/21 21/20") || text.contains("31: 24/23 23/20"), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn mistakes_are_told_and_change_nothing() {
    let said = play("human", "human", "dice 31\n8/2\nfly\ndice 9\nlegal\nundo\nsave\nwhy so\nquit\n");
    for text in [
        "error 8/2 is not legal with 31: no die goes from 8 to 2",
        "error 'fly' is no hop such as 8/5, 25/20 from the bar or 3/0 off, and no command; try help",
        "error dice: expected two dice from 1 to 6, as in 31",
        "16 plays: ",
        "error there is no turn to take back",
        "error save needs the name of a file",
        "error why stands alone",
    ] {
        assert!(said.contains(text), "{text}: {said}");
    }
}

#[test]
fn two_computers_play_to_the_end() {
    let said = play("depth=1", "player=expectiminimax,eval=second,depth=1", "quit\n");
    assert!(said.contains(" wins "), "{said}");
}

#[test]
fn a_person_is_asked_before_an_unsaved_game_is_left() {
    let lines = "dice 31\n8/5 6/5\nquit\nlegal\nquit\nquit\nfly\n";
    for (is_attended, questions) in [(true, 2), (false, 0)] {
        let (said, is_lost) = attended("human", "human", lines, is_attended);
        assert_eq!(said.matches("the game is not saved").count(), questions, "{said}");
        assert_eq!((is_lost, said.contains("fly")), (!is_attended, false), "{said}");
    }
    assert!(!attended("human", "human", "quit\n", true).1, "nothing was played");
}
