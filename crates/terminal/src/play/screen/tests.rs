//! Drives the screen with keys and clicks, and compares its contents with files.

use super::app::PlayApp;
use super::board;
use crate::play::PlayView;
use crate::play::tests::files::file;
use crate::play::tests::{TIMEOUT, game};
use crate::screen::{theme, written};
use crossbeam_channel::Receiver;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::Modifier;
use soffio::board::Number;
use soffio::engine::Event;
use soffio::rules::Variant;
use std::time::{Duration, Instant};

struct Driver {
    app: PlayApp,
    events: Receiver<Event>,
    terminal: Terminal<TestBackend>,
    now: Instant,
}

impl Driver {
    fn new(variant: Variant, white: &str, black: &str) -> Self {
        let (game, events) = game(variant, white, black);
        let app = PlayApp::new(game, PlayView::default());
        Self { app, events, terminal: Terminal::new(TestBackend::new(80, 24)).unwrap(), now: Instant::now() }
    }

    fn press(&mut self, code: KeyCode) -> &mut Self {
        self.app.key(KeyEvent::new(code, KeyModifiers::NONE), self.now);
        self
    }

    fn control(&mut self, letter: char) -> &mut Self {
        self.app.key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL), self.now);
        self
    }

    /// Presses the keys of `text`. `^` adds Ctrl to the next key.
    fn keys(&mut self, text: &str) -> &mut Self {
        let mut keys = text.chars();
        while let Some(c) = keys.next() {
            match c {
                '\n' => self.press(KeyCode::Enter),
                '^' => self.control(keys.next().unwrap()),
                c => self.press(KeyCode::Char(c)),
            };
        }
        self
    }

    fn command(&mut self, line: &str) -> &mut Self {
        self.keys(&format!(":{line}\n"))
    }

    fn settle(&mut self) -> &mut Self {
        while self.app.game.is_busy() {
            if let Some(at) = self.app.game.move_at() {
                self.now = self.now.max(at);
                self.app.tick(self.now);
            } else {
                let event = self.events.recv_timeout(TIMEOUT).unwrap();
                self.app.event(event, self.now);
            }
        }
        self
    }

    fn buffer(&mut self) -> &Buffer {
        let now = self.now;
        self.terminal.draw(|frame| self.app.draw(frame, now)).unwrap();
        self.terminal.backend().buffer()
    }

    fn screen(&mut self) -> String {
        written::text(self.buffer())
    }

    fn click(&mut self, number: u8) -> &mut Self {
        self.buffer();
        let spec = self.app.game.record.spec();
        let square = Number::new(number).and_then(|number| spec.numbered(number)).unwrap();
        let (row, column) = self.app.game.record.grid(self.app.view.flipped).place(square).unwrap();
        let area = board::square(&self.app.layout, row, column);
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column: area.x + 1, row: area.y, modifiers: KeyModifiers::NONE };
        self.app.mouse(mouse, self.now);
        self
    }

    fn moves(&self) -> String {
        self.app.game.record.history().join(" ")
    }

    fn message(&mut self) -> String {
        let screen = self.screen();
        screen.lines().nth(21).and_then(|line| line.split_once("] ")).map_or("", |(_, text)| text).to_owned()
    }

    #[track_caller]
    fn assert_screen(&mut self, name: &str) {
        written::assert_same(name, &self.screen());
    }
}

#[test]
fn boards_of_all_sizes_are_drawn() {
    use Variant::{Canadian, International, Italian, Spantsiretti, Turkish};
    for (variant, name) in [(Italian, "8x8"), (International, "10x10"), (Turkish, "turkish")] {
        Driver::new(variant, "human", "level=hard").assert_screen(name);
    }
    for (variant, name) in [(Turkish, "turkish-flipped-plain"), (Spantsiretti, "10x8-flipped-plain")] {
        Driver::new(variant, "human", "level=hard").keys("^fn").assert_screen(name);
    }
    let mut driver = Driver::new(Canadian, "human", "level=hard");
    for (width, height, name) in [(120, 45, "12x12-large"), (60, 16, "12x12-small")] {
        driver.terminal.backend_mut().resize(width, height);
        driver.assert_screen(name);
    }
}

#[test]
fn a_person_is_asked_before_an_unsaved_game_is_replaced() {
    let question = "The game is not saved. y discards it, s saves it first, any other key cancels.";
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.keys("11-15\n");
    assert!(driver.command("fen start").screen().contains(question));
    driver.keys("x");
    assert_eq!(driver.moves(), "1. 11-15", "another key cancels");
    driver.keys("y");
    assert_eq!(driver.moves(), "1. 11-15", "nothing is pending any more");
    driver.keys("^g").press(KeyCode::Right).keys("\n");
    assert!(driver.screen().contains(question));
    driver.press(KeyCode::Esc);
    assert_eq!((driver.moves().as_str(), driver.app.game.record.choice.variant), ("1. 11-15", Variant::English));
    let path = file("saved-first.pdn");
    driver.command("variant russian").keys(&format!("s{}\n", path.display()));
    assert!(std::fs::read_to_string(&path).unwrap().contains("1. 11-15"));
    assert_eq!((driver.moves().as_str(), driver.app.game.record.choice.variant), ("", Variant::Russian));
    driver.keys("c3-d4\n").command("fen start").keys("y");
    assert_eq!(driver.moves(), "");
    assert!(!driver.app.is_over);
}

#[test]
fn a_move_is_made_with_the_cursor() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.press(KeyCode::Left).keys("\n").assert_screen("chosen");
    driver.press(KeyCode::Up).press(KeyCode::Enter);
    assert_eq!(driver.moves(), "1. 22-18");
    driver.assert_screen("moved");
}

#[test]
fn moves_are_typed_in_letters_and_in_numbers() {
    let mut driver = Driver::new(Variant::Russian, "human", "human");
    driver.keys("c3-b4\nf6-G5\nE3-f4\ng5:e3\n");
    assert_eq!(driver.moves(), "1. c3-b4 f6-g5 2. e3-f4 g5:e3");
    driver.keys("^a").keys("22-17\n");
    assert_eq!(driver.moves(), "1. c3-b4");
    // Letters name squares even in variants with numeric notation.
    let mut driver = Driver::new(Variant::International, "human", "human");
    driver.keys("a3-b5\n");
    assert_eq!(driver.message(), "No: a3-b5: b5 is a light square");
    driver.keys("d4-e5\n");
    assert_eq!(driver.moves(), "1. 32-28");
}

#[test]
fn a_move_is_made_with_clicks() {
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.click(11).click(15).click(22).click(18);
    assert_eq!(driver.moves(), "1. 11-15 22-18");
    // Selecting a different piece moves the selection, and selecting the same piece twice clears it.
    driver.click(15).click(15).click(15).click(22);
    assert_eq!(driver.moves(), "1. 11-15 22-18 2. 15x22");
}

#[test]
fn invalid_choices_are_rejected_with_the_reason() {
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.click(1);
    assert_eq!(driver.message(), "No: the piece on 1 cannot move");
    driver.click(22);
    assert_eq!(driver.message(), "No: no piece of the side to move on 22");
    driver.click(9).click(18);
    assert_eq!(driver.message(), "No: 9-18: the piece on 9 cannot reach 18");
    driver.click(13);
    assert_eq!(driver.moves(), "1. 9-13");
    driver.click(22).click(18).command("11-15").click(18).click(11).click(12);
    assert_eq!(driver.moves(), "1. 9-13 22-18 2. 11-15 18x11");
    assert_eq!(driver.message(), "No: a capture is compulsory: 7x16 or 8x15");
    driver.command("9-14");
    assert_eq!(driver.message(), "No: 9-14: no piece of the side to move on 9");
}

#[test]
fn a_capture_with_several_paths_is_chosen_square_by_square() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.command("fen W:W30:B18,19,26,27").click(30).click(14);
    assert_eq!(driver.message(), "No: ambiguous: 30x21x14 or 30x23x14");
    driver.click(23).assert_screen("capture-route");
    driver.click(14);
    assert_eq!(driver.moves(), "1. 30x23x14");
    // A king returns to its starting square along two different routes.
    let mut driver = Driver::new(Variant::International, "human", "human");
    driver.command("fen W:WK3:B8,9,18,20,30,31");
    for text in ["3x12x34x25x14x3", "3x14x25x48x26x3"] {
        for number in text.split('x') {
            driver.click(number.parse().unwrap());
        }
        assert_eq!(driver.moves(), format!("1. {text}"));
        driver.keys("u");
    }
}

#[test]
fn a_game_against_the_engine_is_played_with_keys() {
    let mut driver = Driver::new(Variant::Italian, "human", "player=alphabeta,depth=3");
    driver.keys("t22-18\n").settle();
    driver.assert_screen("answered");
    driver.keys("u").assert_screen("undone");
    driver.keys("r ");
    driver.assert_screen("paused");
    driver.keys(" p").settle();
    assert_eq!(driver.app.game.record.played().len(), 4);
    driver.keys("x").settle();
    assert_eq!(driver.app.game.record.played().len(), 5);
    driver.keys("^a");
    assert_eq!(driver.moves(), "");
}

#[test]
fn the_end_of_the_game_is_shown() {
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.command("fen W:W22,K5:BK18,10").keys("22-15\n").click(10).click(19);
    driver.assert_screen("continued");
    driver.command("fen W:W22:B18").keys("22-15\n").assert_screen("game-ended");
    driver.click(15);
    assert_eq!(driver.message(), "No: the game has ended: white wins, no piece left");
}

#[test]
fn players_are_chosen_in_a_form() {
    let mut driver = Driver::new(Variant::English, "human", "level=hard,hash=1");
    driver.keys("^b").press(KeyCode::Down).press(KeyCode::Right).assert_screen("player-form");
    driver.keys("\n");
    assert_eq!(driver.message(), "black hash=1,level=expert");
    driver.keys("w").press(KeyCode::Right).keys("\n");
    assert_eq!(driver.message(), "white computer");
    driver.keys("^b").press(KeyCode::Left).keys("\n");
    assert_eq!(driver.message(), "black human");
    driver.keys("w").press(KeyCode::Up).press(KeyCode::Right).press(KeyCode::Esc);
    assert_eq!(driver.app.game.player(soffio::rules::Color::White).to_string(), "computer");
}

#[test]
fn the_game_is_chosen_in_a_form() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.keys("^g").assert_screen("game-form");
    driver.press(KeyCode::Right).press(KeyCode::Down).press(KeyCode::Right).press(KeyCode::Down);
    driver.press(KeyCode::Right).press(KeyCode::Down).press(KeyCode::Right).keys("\n");
    assert_eq!(driver.app.game.clock.control, "1+0".parse().ok());
    assert_eq!(driver.app.game.record.choice.to_string(), "english without forced captures");
    assert_eq!(driver.app.game.delay, Duration::from_millis(250));
    driver.keys("+++--^g\n");
    assert_eq!(driver.app.game.delay, Duration::from_millis(350));
    driver.keys("-".repeat(9).as_str());
    assert_eq!(driver.app.game.delay, Duration::ZERO);
}

#[test]
fn keys_and_commands_are_listed() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.keys("?").assert_screen("keys");
    driver.keys("?").command("help").assert_screen("commands");
}

#[test]
fn leaving_an_unsaved_game_needs_confirmation() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.keys("22-18\nq").assert_screen("leave");
    let folder = tempfile::tempdir().unwrap();
    let (path, used) = (folder.path().join("game.pdn"), folder.path().join("used"));
    std::fs::write(&used, "used").unwrap();
    let mut other = Driver::new(Variant::Italian, "human", "human");
    other.keys("22-18\nqs").keys(&format!("{}\n", used.display()));
    assert!(!other.app.is_over, "a failed save does not quit");
    other.keys("s").keys(&format!("{}\n", path.display()));
    assert!(!other.app.is_over && path.exists(), "a save alone does not quit");
    other.keys("9-13\nqs").press(KeyCode::Esc);
    other.command(&format!("replace {}", path.display())).keys("23-20\n");
    assert!(!other.app.is_over, "the question was dismissed");
    other.keys("qs\n");
    assert!(other.app.is_over, "a game may overwrite its own file");
    assert!(!driver.app.is_over);
    driver.keys("n");
    assert!(!driver.app.is_over);
    driver.keys("qs").press(KeyCode::Esc).keys("qy");
    assert!(driver.app.is_over);
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.keys("q");
    assert!(driver.app.is_over);
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.keys("22-18\n:sa").app.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), Instant::now());
    assert!(driver.app.is_over);
}

#[test]
fn a_hint_is_shown_on_the_board() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.keys("^h").settle();
    let hint = driver.app.game.hint.clone().unwrap();
    assert_eq!(driver.message(), format!("hint {hint}"));
    let mv = driver.app.game.record.legal().iter().find(|mv| mv.text == hint).unwrap().clone();
    for square in [mv.from, *mv.landings.last().unwrap()] {
        let (row, column) = driver.app.game.record.grid(false).place(square).unwrap();
        let place = board::square(&driver.app.layout, row, column).as_position();
        let expected = theme::ground(theme::SquareMark::Hint, false).bg;
        assert_eq!(driver.buffer().cell(place).unwrap().style().bg, expected);
    }
}

#[test]
fn clocks_and_the_evaluation_are_shown() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.command("fen W:W22,K30,K31:B9").command("tc 1+5").keys("v ");
    driver.now += Duration::from_millis(52_400);
    driver.assert_screen("clock-and-evaluation");
    driver.now = driver.app.deadline(driver.now).unwrap();
    assert!(driver.app.game.deadline().is_some_and(|at| at > driver.now), "the clock is drawn before it runs out");
    driver.now += Duration::from_secs(60);
    let now = driver.now;
    driver.app.tick(now);
    assert_eq!(driver.message(), "white has run out of time");
    driver.assert_screen("out-of-time");
    driver.click(22);
    assert_eq!(driver.message(), "No: the game has ended: black wins on time");
}

#[test]
fn a_long_reason_is_shown_in_full_until_the_next_key() {
    let mut driver = Driver::new(Variant::Canadian, "human", "human");
    driver.terminal.backend_mut().resize(24, 15);
    driver.keys("61-9\n");
    let reason = "No: 61-9: ";
    let whole = |screen: &str| screen.lines().map(|line| line.trim().to_owned() + " ").collect::<String>();
    let text = driver.app.message_line();
    assert!(text.contains(reason) && text.len() > 24, "{text}");
    let screen = driver.screen();
    assert!(whole(&screen).contains(&text), "{text}: {screen}");
    driver.assert_screen("long-reason");
    driver.press(KeyCode::Left).assert_screen("long-reason-read");
    driver.terminal.backend_mut().resize(12, 3);
    driver.keys("61-9\n").screen();
}

#[test]
fn movable_pieces_are_marked_by_more_than_colour() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    let count =
        |buffer: &Buffer| buffer.content().iter().filter(|cell| cell.modifier.contains(Modifier::UNDERLINED)).count();
    assert_eq!(count(driver.buffer()), 4);
    driver.click(22);
    assert_eq!(driver.screen().matches('•').count(), 2);
    assert_eq!(count(driver.buffer()), 0);
}

#[test]
fn every_screen_size_is_drawn() {
    let draw = |driver: &mut Driver, width, height| {
        driver.terminal.backend_mut().resize(width, height);
        driver.buffer();
    };
    let sizes = || (1..=100).flat_map(|width| (1..=40).map(move |height| (width, height)));
    for variant in [Variant::Turkish, Variant::Canadian] {
        let mut driver = Driver::new(variant, "human", "human");
        sizes().step_by(7).for_each(|(width, height)| draw(&mut driver, width, height));
    }
    // Boxes and lines share the layout of the board, so fewer sizes suffice.
    for mode in [":fen W:W31", "^b", "^g", "?", "22-18\nq", "t22-18\n:help\n", "v22-18\n", "a3-b5\n", ":tc 5+3\n"] {
        let mut driver = Driver::new(Variant::Italian, "human", "human");
        driver.keys(mode);
        sizes().step_by(17).for_each(|(width, height)| draw(&mut driver, width, height));
    }
}

#[test]
fn random_keys_and_clicks_leave_a_screen_that_can_be_drawn() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut driver = Driver::new(Variant::English, "human", "level=easy");
    use KeyCode::{Backspace, Delete, Down, Enter, Esc, F, Home, Left, Right, Tab, Up};
    let codes = [Up, Down, Left, Right, Enter, Enter, Enter, Esc, Backspace, Delete, Home, Tab, F(1)];
    for _ in 0..3000 {
        match random.u8(0..10) {
            0..=4 => {
                driver.press(codes[random.usize(0..codes.len())]);
            }
            // Press a key that neither quits nor opens a file.
            5..=7 => {
                let keys = b"urURahpxfntv+-wbge:12-x ? ";
                let key = char::from(keys[random.usize(0..keys.len())]);
                if random.bool() {
                    driver.press(KeyCode::Char(key))
                } else {
                    driver.control(key)
                };
            }
            _ => {
                let kind = MouseEventKind::Down(if random.bool() { MouseButton::Left } else { MouseButton::Right });
                let (column, row) = (random.u16(0..100), random.u16(0..40));
                driver.app.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }, driver.now);
            }
        }
        if random.u8(0..50) == 0 {
            // Engines would play whole games and use up all the time on their clocks.
            driver.command("pause").settle();
            // A search that starts in the future would last until that time.
            driver.now = driver.now.min(Instant::now());
            driver.buffer();
        }
    }
}
