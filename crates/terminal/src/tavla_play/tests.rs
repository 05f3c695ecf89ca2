//! Tests that drive tavla with lines, keys and clicks, and compare the screen with files.

use super::app::TavlaApp;
use super::board::{TavlaPlace, place_area};
use super::{TavlaPlayState, run_lines};
use crate::play::{LOST, lost_before};
use crate::screen::written;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use soffio::board::Color;
use soffio::stop::Stop;
use soffio_tavla::rules::Rules;

fn table(white: &str, black: &str, seed: u64) -> TavlaPlayState {
    TavlaPlayState::new(Rules::default(), [white, black], fastrand::Rng::with_seed(seed)).unwrap()
}

fn play(white: &str, black: &str, lines: &str) -> String {
    interactive(white, black, lines, false).0
}

/// Returns the output and the warnings.
fn interactive(white: &str, black: &str, lines: &str, is_interactive: bool) -> (String, String) {
    let (mut output, mut warnings) = (Vec::new(), Vec::new());
    run_lines(table(white, black, 4), lines.as_bytes(), &mut output, &mut warnings, is_interactive).unwrap();
    (String::from_utf8(output).unwrap(), String::from_utf8(warnings).unwrap())
}

#[test]
fn a_game_against_the_computer_continues_and_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.mat");
    let lines = format!("dice 3 1\n8/5 6/5\nwhy\nundo\ndice 31\n24/20\nsave {0}\nsave {0}\nquit\n", file.display());
    let printed = play("human", "depth=1", &lines);
    assert!(
        printed.contains("white rolls") && printed.contains("1. 8/5,6/5  equity +")
            || printed.contains("equity before the roll"),
        "{printed}"
    );
    assert!(printed.contains("the file exists"), "a file is never overwritten: {printed}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with(" 0 point match\n\n Game 1\n human : 0"), "{text}");
    assert!(text.contains("31: 24/21 21/20") || text.contains("31: 24/23 23/20"), "{text}");
}

#[test]
fn mistakes_are_reported_and_change_nothing() {
    let printed = play("human", "human", "dice 31\n8/2\nfly\ndice 9\nlegal\nundo\nsave\nwhy so\nquit\n");
    for text in [
        "error 8/2 is not legal with 31: no die goes from 8 to 2",
        "error 'fly' is not a hop such as 8/5, 25/20 from the bar or 3/0 off, and not a command; try help",
        "error dice: expected two dice from 1 to 6, as in 31",
        "16 plays: ",
        "error nothing to undo",
        "error save requires a file name",
        "error why takes no argument",
    ] {
        assert!(printed.contains(text), "{text}: {printed}");
    }
}

#[test]
fn two_computers_play_to_the_end() {
    let printed = play("depth=1", "player=expectiminimax,eval=second,depth=1", "quit\n");
    assert!(printed.contains(" wins "), "{printed}");
}

#[test]
fn a_person_is_asked_before_an_unsaved_game_is_left() {
    let lines = "dice 31\n8/5 6/5\nquit\nlegal\nquit\nquit\nfly\n";
    for (is_interactive, questions, lost) in [(true, 2, String::new()), (false, 0, format!("{LOST}\n"))] {
        let (printed, warnings) = interactive("human", "human", lines, is_interactive);
        assert_eq!(printed.matches("the game is not saved").count(), questions, "{printed}");
        assert_eq!((warnings, printed.contains("fly")), (lost, false), "{printed}");
    }
    assert_eq!(interactive("human", "human", "quit\n", false).1, "", "nothing was played");
}

struct TavlaDriver {
    app: TavlaApp,
    terminal: Terminal<TestBackend>,
}

impl TavlaDriver {
    fn new(white: &str, black: &str) -> Self {
        let white_begins = |app: &TavlaApp| app.table.game.state().side == Color::White;
        let app = (0..).map(|seed| TavlaApp::new(table(white, black, seed))).find(white_begins).unwrap();
        Self { app, terminal: Terminal::new(TestBackend::new(80, 24)).unwrap() }
    }

    fn press(&mut self, code: KeyCode) -> &mut Self {
        self.app.key(KeyEvent::new(code, KeyModifiers::NONE));
        self
    }

    fn keys(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            self.press(if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) });
        }
        self
    }

    fn command(&mut self, line: &str) -> &mut Self {
        self.keys(&format!(":{line}\n"))
    }

    fn settle(&mut self) -> &mut Self {
        while let Some((work, task)) = self.app.take_task() {
            self.app.found(work, task.run(&Stop::new()));
        }
        self
    }

    fn screen(&mut self) -> String {
        self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
        written::text(self.terminal.backend().buffer())
    }

    fn click(&mut self, number: usize) -> &mut Self {
        self.screen();
        let side = self.app.table.game.state().side;
        let place = TavlaPlace::all().find(|place| place.number(side) == Some(number)).unwrap();
        let area = place_area(&self.app.layout, place);
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.app.mouse(MouseEvent { kind, column: area.x, row: area.y, modifiers: KeyModifiers::NONE });
        self
    }

    fn played(&self) -> String {
        let turns = self.app.table.game.turns().iter();
        turns.map(|turn| format!("{}:{}", turn.roll, turn.play)).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn assert_message(&mut self, text: &str) -> &mut Self {
        let screen = self.screen();
        assert!(screen.contains(text), "no '{text}' in\n{screen}");
        self
    }

    #[track_caller]
    fn assert_screen(&mut self, name: &str) -> &mut Self {
        written::assert_same(&format!("tavla-{name}"), &self.screen());
        self
    }
}

#[test]
fn a_play_is_made_with_clicks_and_legal_plays_are_shown() {
    let mut driver = TavlaDriver::new("human", "human");
    driver.command("dice 3 1").assert_screen("dice");
    driver.click(8).assert_screen("chosen");
    driver.click(5).assert_screen("begun");
    driver.press(KeyCode::Esc).click(6).click(5).click(8).click(5).assert_screen("played");
    assert_eq!(driver.played(), "31:8/5,6/5");
    // Black's clicks use Black's own numbers. One checker uses both dice.
    driver.command("dice 64").click(24).click(18).click(18).click(14).assert_message("black 64: 24/18,18/14");
    driver.keys("u").assert_message("black 64: ");
    driver.keys("r").assert_message("white to roll: press Space");
    driver.keys(" ");
    assert!(driver.app.table.game.state().dice.is_some());
}

#[test]
fn the_cursor_and_the_line_do_the_same() {
    let mut driver = TavlaDriver::new("human", "human");
    driver.keys("d31\n").press(KeyCode::Enter).press(KeyCode::Right).press(KeyCode::Enter);
    driver.assert_message("6/5 ...");
    for _ in 0..4 {
        driver.press(KeyCode::Left);
    }
    driver.press(KeyCode::Enter);
    for _ in 0..4 {
        driver.press(KeyCode::Right);
    }
    assert_eq!(driver.press(KeyCode::Enter).played(), "31:8/5,6/5");
    driver.keys("d 6 4\n24/18 13/9\n");
    assert_eq!(driver.played(), "31:8/5,6/5 64:24/18,13/9");
}

#[test]
fn illegal_input_is_rejected_with_the_reason() {
    let mut driver = TavlaDriver::new("human", "human");
    driver.command("dice 61");
    driver.click(7).assert_message("No: no checker can move from point 7");
    driver.click(13).click(9).assert_message("no die goes from 13 to 9").click(13);
    driver.click(13).click(12).assert_message("point 12 is held by the other side").press(KeyCode::Esc);
    driver.click(8).click(9).assert_message("No: no legal hop from point 8 to point 9").press(KeyCode::Esc);
    driver.keys("8/3\n").assert_message("No: 8/3 is not legal with 61: no die goes from 8 to 3");
    driver.keys(" ").assert_message("No: the dice are already 61");
    driver.command("fly").assert_message("No: 'fly' is not a hop such as").assert_message("try help");
    assert_eq!(driver.played(), "");
    driver.keys("24/18 13/12\n").assert_message("No: 24/18,13/12 is not legal with 61");
    driver.keys("13/7 8/7\n").click(13).assert_message("No: the dice have not been rolled: press Space to roll");
}

#[test]
fn the_program_plays_explains_and_is_not_disturbed() {
    let mut driver = TavlaDriver::new("human", "depth=1");
    driver.command("dice 31").keys("8/5 6/5\n").assert_message(": thinking");
    driver.keys("13/7\n").assert_message("No: black is played by the program");
    // The result of a search for an undone turn is discarded.
    let (old, task) = driver.app.take_task().unwrap();
    driver.keys("u");
    driver.app.found(old, task.run(&Stop::new()));
    assert_eq!(driver.played(), "");
    driver.keys("8/5 6/5\n").settle();
    assert_eq!(driver.app.table.game.turns().len(), 2);
    driver.keys("w").assert_message("equity before the roll").assert_message("1. ").assert_message(" %");
    driver.keys("q").assert_message("white to roll");
    driver.command("dice 66").keys("w").assert_screen("why");
}

#[test]
fn redo_restores_the_program_s_play_and_all_dice() {
    let mut driver = TavlaDriver::new("human", "depth=1");
    driver.command("dice 31").keys("8/5 6/5\n").settle().keys(" ");
    let (played, state) = (driver.played(), *driver.app.table.game.state());
    assert!(driver.app.table.game.turns().len() == 2 && state.dice.is_some(), "{played}");
    driver.keys("u").assert_message("white 31: ").keys("r").settle();
    assert_eq!((driver.played(), *driver.app.table.game.state()), (played, state));
    let program_s = driver.app.table.game.turns()[1];
    driver.assert_message(&format!("black {}: {}", program_s.roll, program_s.play));
}

#[test]
fn two_programs_play_to_the_end_on_the_screen() {
    let mut driver = TavlaDriver::new("depth=1", "player=expectiminimax,eval=second,depth=1");
    driver.settle().assert_message("GAME OVER: ");
    driver.click(6).assert_message("No: ");
    driver.keys("q").assert_message("The game is not saved.").keys("x").keys("n");
    driver.assert_message("The game is not saved. y discards it").keys("x").keys("r");
    assert_ne!(driver.played(), "");
    driver.keys("n").keys("y");
    assert_eq!(driver.played(), "", "a new game starts");
}

#[test]
fn a_checker_that_was_hit_enters_first() {
    let mut driver = TavlaDriver::new("human", "human");
    for (dice, play) in [("62", "24/18,13/11"), ("61", "13/7,8/7")] {
        driver.command(&format!("dice {dice}")).command(play);
    }
    driver.command("dice 52").click(6).assert_message("No: no checker can move from point 6");
    driver.click(25).assert_screen("bar");
    driver.click(20).click(13).click(11);
    assert!(driver.played().ends_with("52:25/20,13/11"), "{}", driver.played());
}

#[test]
fn a_whole_game_is_played_by_clicks() {
    let mut driver = TavlaDriver::new("human", "human");
    let mut random = fastrand::Rng::with_seed(9);
    while driver.app.table.end().is_none() {
        let turns = driver.app.table.game.turns().len();
        assert!(turns < 2000, "{}", driver.screen());
        if driver.app.table.game.state().dice.is_none() {
            driver.keys(" ");
        }
        let mut clicks = 0;
        while driver.app.table.game.turns().len() == turns && driver.app.table.end().is_none() {
            match random.choice(driver.app.next_hops()) {
                Some(hop) => driver.click(hop.from.into()).click(hop.to.into()),
                None => driver.keys(" "),
            };
            clicks += 1;
            assert!(clicks < 5, "{}", driver.screen());
        }
    }
    driver.assert_message("GAME OVER: ");
    assert!(driver.played().contains("/0"));
}

#[test]
fn screens_of_all_sizes_are_drawn() {
    let mut driver = TavlaDriver::new("human", "human");
    driver.command("dice 66");
    for (width, height) in [(1, 1), (10, 5), (27, 12), (28, 12), (44, 16), (60, 20), (200, 60)] {
        driver.terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let screen = driver.screen();
        assert_eq!(screen.contains('○'), width >= 28 && height >= 12, "{width}x{height}\n{screen}");
        for keys in ["?", "x", ":legal\n", "x", "w", "x"] {
            driver.keys(keys).screen();
        }
    }
    driver.terminal = Terminal::new(TestBackend::new(28, 12)).unwrap();
    driver.assert_screen("small");
}

#[test]
fn a_game_is_saved_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.mat");
    let mut driver = TavlaDriver::new("human", "human");
    driver.command("dice 31").keys("8/5 6/5\n");
    driver.keys("q").assert_message("y quits, s saves and quits");
    driver.keys(&format!("s{}\n", file.display()));
    assert!(std::fs::read_to_string(&file).unwrap().contains("31: 8/5 6/5"));
    assert!(driver.app.is_over);
    // A failed save does not quit.
    let mut driver = TavlaDriver::new("human", "human");
    driver.command("dice 31").keys("8/5 6/5\n");
    driver.keys("q").keys("s").keys("/no/such/folder/file\n");
    assert!(!driver.app.is_over);
}

#[test]
fn an_unsaved_game_is_replaced_only_after_a_question() {
    let question = "the game is not saved: use save FILE, or repeat the command to discard the game";
    let moves = "dice 31\n8/5 6/5\n";
    let (printed, _) = interactive("human", "human", &format!("{moves}new\nlegal\nnew\nquit\n"), true);
    assert_eq!(printed.matches(question).count(), 2, "another command came first: {printed}");
    for (lines, is_interactive, questions, lost) in
        [("new\nnew\nquit\n", true, 1, String::new()), ("new\nquit\n", false, 0, lost_before("new") + "\n")]
    {
        let (printed, warnings) = interactive("human", "human", &format!("{moves}{lines}"), is_interactive);
        assert_eq!((printed.matches(question).count(), warnings), (questions, lost), "{printed}");
    }
}
