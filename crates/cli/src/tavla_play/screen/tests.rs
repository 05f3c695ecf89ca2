//! The screen without a terminal: keys and clicks go in, what is drawn is compared with files.

use super::app::App;
use super::layout::Place;
use crate::screen::written;
use crate::tavla_play::Table;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use soffio::color::Color;
use soffio::stop::Stop;
use soffio_tavla::rules::Rules;
use soffio_tavla::session::Seat;

struct Sitting {
    app: App,
    terminal: Terminal<TestBackend>,
}

impl Sitting {
    fn new(white: &str, black: &str) -> Self {
        let seats = [white, black].map(|text| text.parse::<Seat>().unwrap());
        let names = [white, black].map(str::to_owned);
        let table = |seed| Table::new(Rules::default(), seats.clone(), names.clone(), fastrand::Rng::with_seed(seed));
        let white_begins = |app: &App| app.table.game().state().side == Color::White;
        let app = (0..).map(|seed| App::new(table(seed))).find(white_begins).unwrap();
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

    /// Types a command after a colon.
    fn command(&mut self, line: &str) -> &mut Self {
        self.keys(&format!(":{line}\n"))
    }

    /// Lets the program play as long as it is its turn.
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

    /// Clicks on the place with this number of the side to move.
    fn click(&mut self, number: usize) -> &mut Self {
        self.screen();
        let side = self.app.table.game().state().side;
        let place = Place::all().find(|place| place.number(side) == Some(number)).unwrap();
        let area = self.app.layout.place(place);
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.app.mouse(MouseEvent { kind, column: area.x, row: area.y, modifiers: KeyModifiers::NONE });
        self
    }

    fn played(&self) -> String {
        let turns = self.app.table.game().turns().iter();
        turns.map(|turn| format!("{}:{}", turn.roll, turn.play)).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn assert_says(&mut self, text: &str) -> &mut Self {
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
fn a_play_is_made_by_clicks_and_what_can_be_played_is_shown() {
    let mut sitting = Sitting::new("human", "human");
    sitting.command("dice 3 1").assert_screen("dice");
    sitting.click(8).assert_screen("chosen");
    sitting.click(5).assert_screen("begun");
    sitting.press(KeyCode::Esc).click(6).click(5).click(8).click(5).assert_screen("played");
    assert_eq!(sitting.played(), "31:8/5,6/5");
    // Black clicks in its own numbers; another order of the hops, and one checker with both dice.
    sitting.command("dice 64").click(24).click(18).click(18).click(14).assert_says("black 64: 24/18,18/14");
    sitting.keys("u").assert_says("black 64: ");
    sitting.keys("r").assert_says("white to roll: Space rolls");
    sitting.keys(" ");
    assert!(sitting.app.table.game().state().dice.is_some());
}

#[test]
fn the_cursor_and_the_line_do_the_same() {
    let mut sitting = Sitting::new("human", "human");
    sitting.keys("d31\n").press(KeyCode::Enter).press(KeyCode::Right).press(KeyCode::Enter);
    sitting.assert_says("6/5 ...");
    for _ in 0..4 {
        sitting.press(KeyCode::Left);
    }
    sitting.press(KeyCode::Enter);
    for _ in 0..4 {
        sitting.press(KeyCode::Right);
    }
    assert_eq!(sitting.press(KeyCode::Enter).played(), "31:8/5,6/5");
    sitting.keys("d 6 4\n24/18 13/9\n");
    assert_eq!(sitting.played(), "31:8/5,6/5 64:24/18,13/9");
}

#[test]
fn what_is_impossible_is_refused_with_the_reason() {
    let mut sitting = Sitting::new("human", "human");
    sitting.command("dice 61");
    sitting.click(7).assert_says("No: no checker can be played from point 7");
    sitting.click(13).click(9).assert_says("no die goes from 13 to 9").click(13);
    sitting.click(13).click(12).assert_says("point 12 is held by the other side").press(KeyCode::Esc);
    sitting.click(8).click(9).assert_says("No: point 8 to point 9 is no way").press(KeyCode::Esc);
    sitting.keys("8/3\n").assert_says("No: 8/3 is not legal with 61: no die goes from 8 to 3");
    sitting.keys(" ").assert_says("No: the dice are 61 already");
    sitting.command("fly").assert_says("No: 'fly' is no hop such as").assert_says("\ntry help");
    assert_eq!(sitting.played(), "");
    sitting.keys("24/18 13/12\n").assert_says("No: 24/18,13/12 is not legal with 61");
    sitting.keys("13/7 8/7\n").click(13).assert_says("No: the dice are not known: Space rolls them");
}

#[test]
fn the_program_plays_explains_and_is_not_disturbed() {
    let mut sitting = Sitting::new("human", "depth=1");
    sitting.command("dice 31").keys("8/5 6/5\n").assert_says(": thinking");
    sitting.keys("13/7\n").assert_says("No: black is played by the program");
    // A turn that is taken back is not thought about any more.
    let (old, task) = sitting.app.take_task().unwrap();
    sitting.keys("u");
    sitting.app.found(old, task.run(&Stop::new()));
    assert_eq!(sitting.played(), "");
    sitting.keys("8/5 6/5\n").settle();
    assert_eq!(sitting.app.table.game().turns().len(), 2);
    sitting.keys("w").assert_says("equity before the roll").assert_says("1. ").assert_says(" %");
    sitting.keys("q").assert_says("white to roll");
    sitting.command("dice 66").keys("w").assert_screen("why");
}

#[test]
fn two_programs_play_to_the_end() {
    let mut sitting = Sitting::new("depth=1", "player=expectiminimax,eval=second,depth=1");
    sitting.settle().assert_says("GAME OVER: ");
    sitting.click(6).assert_says("No: ");
    sitting.keys("q").assert_says("The game is not saved.").keys("x").keys("n");
    assert_eq!(sitting.played(), "", "a new game begins");
}

#[test]
fn a_checker_that_was_hit_enters_first() {
    let mut sitting = Sitting::new("human", "human");
    for (dice, play) in [("62", "24/18,13/11"), ("61", "13/7,8/7")] {
        sitting.command(&format!("dice {dice}")).command(play);
    }
    sitting.command("dice 52").click(6).assert_says("No: no checker can be played from point 6");
    sitting.click(25).assert_screen("bar");
    sitting.click(20).click(13).click(11);
    assert!(sitting.played().ends_with("52:25/20,13/11"), "{}", sitting.played());
}

#[test]
fn a_whole_game_is_played_by_clicks() {
    let mut sitting = Sitting::new("human", "human");
    let mut random = fastrand::Rng::with_seed(9);
    while sitting.app.table.end().is_none() {
        let turns = sitting.app.table.game().turns().len();
        assert!(turns < 2000, "{}", sitting.screen());
        if sitting.app.table.game().state().dice.is_none() {
            sitting.keys(" ");
        }
        let mut clicks = 0;
        while sitting.app.table.game().turns().len() == turns && sitting.app.table.end().is_none() {
            match random.choice(sitting.app.next_hops()) {
                Some(hop) => sitting.click(hop.from.into()).click(hop.to.into()),
                None => sitting.keys(" "),
            };
            clicks += 1;
            assert!(clicks < 5, "{}", sitting.screen());
        }
    }
    sitting.assert_says("GAME OVER: ");
    assert!(sitting.played().contains("/0"));
}

#[test]
fn screens_of_all_sizes_are_drawn() {
    let mut sitting = Sitting::new("human", "human");
    sitting.command("dice 66");
    for (width, height) in [(1, 1), (10, 5), (27, 12), (28, 12), (44, 16), (60, 20), (200, 60)] {
        sitting.terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let screen = sitting.screen();
        assert_eq!(screen.contains('○'), width >= 28 && height >= 12, "{width}x{height}\n{screen}");
        for keys in ["?", "x", ":legal\n", "x", "w", "x"] {
            sitting.keys(keys).screen();
        }
    }
    sitting.terminal = Terminal::new(TestBackend::new(28, 12)).unwrap();
    sitting.assert_screen("small");
}

#[test]
fn a_game_is_saved_and_left() {
    let folder = std::env::temp_dir().join(format!("soffio-tavla-screen-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("game.mat");
    let mut sitting = Sitting::new("human", "human");
    sitting.command("dice 31").keys("8/5 6/5\n");
    sitting.keys("q").assert_says("y leaves, s saves").keys("s").keys(&file.display().to_string()).keys("\n");
    assert!(std::fs::read_to_string(&file).unwrap().contains("31: 8/5 6/5"));
    assert!(!sitting.app.is_over());
    sitting.keys("q");
    assert!(sitting.app.is_over());
    std::fs::remove_dir_all(&folder).unwrap();
}
