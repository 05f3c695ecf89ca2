//! Tests the line mode with simulated time.

use super::files::file;
use super::{TIMEOUT, game};
use crate::play::PlayView;
use crate::play::lines::Dialogue;
use crossbeam_channel::Receiver;
use soffio::engine::Event;
use soffio::rules::Variant;
use std::time::{Duration, Instant};

struct LineDriver {
    dialogue: Dialogue,
    events: Receiver<Event>,
    now: Instant,
}

impl LineDriver {
    fn new(white: &str, black: &str) -> Self {
        Self::interactive(white, black, false)
    }

    fn interactive(white: &str, black: &str, is_interactive: bool) -> Self {
        let (game, events) = game(Variant::English, white, black);
        let mut dialogue = Dialogue::new(game, PlayView { boards: false, ..PlayView::default() }, is_interactive);
        dialogue.output();
        Self { dialogue, events, now: Instant::now() }
    }

    fn send(&mut self, lines: &[&str]) -> String {
        lines.iter().for_each(|line| self.dialogue.line(line, self.now));
        self.dialogue.output()
    }

    /// Waits for the engine's move.
    fn settle(&mut self) -> String {
        while self.dialogue.game.is_busy() {
            self.dialogue.event(self.events.recv_timeout(TIMEOUT).unwrap(), self.now);
            self.dialogue.tick(self.now);
        }
        self.dialogue.output()
    }

    fn end(&mut self) -> String {
        while !self.dialogue.is_over() {
            match self.dialogue.game.deadline() {
                Some(at) => {
                    self.now = self.now.max(at);
                    self.dialogue.tick(self.now);
                }
                None => self.dialogue.event(self.events.recv_timeout(TIMEOUT).unwrap(), self.now),
            }
        }
        self.dialogue.output()
    }
}

#[test]
fn quit_waits_for_a_game_that_will_be_saved() {
    // Black moves first, so the saved game contains the engine's reply and a further move by the human.
    let path = file("quit.pdn");
    let save = format!("save {}", path.display());
    let mut driver = LineDriver::new("depth=1", "human");
    let printed = driver.send(&["11-15", &save, "quit", "9-13", "hint"]);
    let waits = format!("quit waits for \"{save}\"; enter pause to save now, or quit again to leave without saving\n");
    assert!(printed.ends_with(&waits) && !path.exists(), "{printed}");
    let printed = driver.end();
    assert!(printed.ends_with(&format!("saved {}\n", path.display())), "{printed}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("1. 11-15") && !text.contains("9-13"), "{text}");
    assert!(driver.send(&["moves", "quit"]).is_empty(), "nothing follows the end");
}

#[test]
fn the_end_of_the_input_waits_too() {
    let path = file("end.pdn");
    let mut driver = LineDriver::new("depth=1", "human");
    driver.send(&["11-15", &format!("save {}", path.display())]);
    driver.dialogue.end();
    driver.end();
    assert!(path.exists());
}

#[test]
fn leaving_without_waiting_reports_what_is_lost() {
    let path = file("lost.pdn");
    let mut driver = LineDriver::new("movetime=3600000", "human");
    driver.send(&["11-15", &format!("save {}", path.display()), "quit"]);
    assert_eq!(driver.send(&["quit"]), format!("error not saved: {}\n", path.display()));
    driver.end();
    assert!(!path.exists());
}

#[test]
fn a_pause_ends_the_waiting_and_saves() {
    for delay in ["delay 0", "delay 2000"] {
        let path = file("pause.pdn");
        let save = format!("replace {}", path.display());
        let mut driver = LineDriver::new(if delay == "delay 0" { "movetime=3600000" } else { "depth=1" }, "human");
        driver.send(&[delay, "11-15"]);
        // With a delay, the move is found but held back, and the engine sends no more events.
        while delay != "delay 0" && driver.dialogue.game.deadline().is_none() {
            driver.dialogue.event(driver.events.recv_timeout(TIMEOUT).unwrap(), driver.now);
        }
        driver.now += Duration::from_millis(1);
        driver.send(&[&save, "quit", "pause"]);
        assert!(driver.end().contains("saved ") || path.exists(), "{delay}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("1. 11-15") && text.trim_end().ends_with("*"), "{text}");
    }
}

#[test]
fn quit_leaves_at_once_if_nothing_has_to_be_saved() {
    let mut driver = LineDriver::new("movetime=3600000", "human");
    assert!(!driver.send(&["11-15", "moves", "9-13", "quit"]).contains("waits"));
    assert_eq!(driver.end(), "");
}

#[test]
fn a_person_is_asked_before_an_unsaved_game_is_left() {
    let question = "the game is not saved: use save FILE, or quit again to leave without saving\n";
    let path = file("asked.pdn");
    let mut driver = LineDriver::interactive("human", "human", true);
    assert!(driver.send(&["11-15", "quit"]).ends_with(question) && !driver.dialogue.is_over());
    assert!(driver.send(&["moves", "quit"]).ends_with(question), "any other command means no");
    assert_eq!(driver.send(&["quit"]), "");
    assert!(driver.dialogue.is_over() && !driver.dialogue.has_lost_moves());
    let mut driver = LineDriver::interactive("human", "human", true);
    assert!(!driver.send(&["11-15", &format!("save {}", path.display()), "quit"]).contains(question));
    assert!(driver.dialogue.is_over() && !driver.dialogue.has_lost_moves());
    // A failed save does not quit.
    let mut driver = LineDriver::interactive("depth=1", "human", true);
    driver.send(&["11-15", "save /no/such/folder/file", "quit"]);
    assert!(driver.settle().ends_with(question) && !driver.dialogue.is_over());
    // If there is no user at the terminal, the moves are reported as lost.
    let mut driver = LineDriver::new("human", "human");
    driver.send(&["11-15", "quit"]);
    assert!(driver.dialogue.is_over() && driver.dialogue.has_lost_moves());
    let mut driver = LineDriver::new("human", "human");
    driver.send(&["quit"]);
    assert!(driver.dialogue.is_over() && !driver.dialogue.has_lost_moves(), "nothing was played");
}

#[test]
fn an_unsaved_game_is_not_replaced_silently() {
    let other = file("other.pdn");
    std::fs::write(&other, "[GameType \"21\"]\n\n1. 9-13 *\n").unwrap();
    let load = format!("load {}", other.display());
    let commands =
        [("variant russian", "variant"), ("capture optional", "capture"), ("fen start", "fen"), (&load, "load")];
    for (command, name) in commands {
        let mut driver = LineDriver::interactive("human", "human", true);
        let question = "the game is not saved: use save FILE, or repeat the command to discard the game\n";
        assert!(driver.send(&["11-15", command]).ends_with(question), "{command}");
        assert_eq!(driver.send(&["history"]), "1. 11-15\n");
        assert_eq!(driver.send(&[command]), question, "another command came first");
        driver.send(&[command]);
        assert!(!driver.send(&["history"]).contains("11-15") && driver.dialogue.warnings().is_empty());
        assert!(!driver.send(&[command]).contains("not saved"), "nothing has been played since then");
        // Commands that were entered before the question do not answer it.
        let mut driver = LineDriver::interactive("depth=1", "human", true);
        driver.send(&["11-15", command, command]);
        assert_eq!(driver.settle().matches(question).count(), 2, "{command}");
        assert!(driver.send(&["history"]).starts_with("1. 11-15 "));

        let mut driver = LineDriver::new("human", "human");
        driver.send(&["11-15", "load missing.pdn"]);
        assert_eq!(driver.dialogue.warnings(), "", "a command that fails discards nothing");
        driver.send(&[command]);
        let warning = format!("soffio: the game was not saved; use \"save FILE\" before \"{name}\"\n");
        assert_eq!(driver.dialogue.warnings(), warning);
        driver.send(&[&load, "undo 1", command]);
        assert_eq!(driver.dialogue.warnings(), "", "the file has all moves");
    }
}

#[test]
fn a_failed_save_is_reported_before_the_end() {
    let path = file("there.pdn");
    std::fs::write(&path, "old").unwrap();
    let mut driver = LineDriver::new("depth=1", "human");
    driver.send(&["11-15", &format!("save {}", path.display()), "quit"]);
    assert!(driver.end().contains(&format!("error {}: ", path.display())));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
}

#[test]
fn the_evaluation_is_reported() {
    let mut driver = LineDriver::new("human", "human");
    assert_eq!(
        driver.send(&["fen W:W21,22,23:B1", "eval"]).lines().last().unwrap().split(',').next_back(),
        Some(" static")
    );
    let printed = driver.send(&["eval on", "22-17"]);
    let worth = printed.lines().find_map(|line| line.strip_prefix("eval white +")).unwrap();
    assert!(worth.split(',').next().unwrap().parse::<f64>().unwrap() > 1.0, "two men ahead: {printed}");
    assert_eq!(driver.send(&["fen W:W22:B18", "22-15", "eval"]).lines().last(), Some("eval none"));
}

#[test]
fn clocks_are_reported_and_end_the_game() {
    let mut driver = LineDriver::new("human", "human");
    assert_eq!(driver.send(&["tc 0.5+2"]), "time control 0.5+2\n");
    driver.send(&["11-15"]);
    driver.now += Duration::from_millis(20_500);
    let printed = driver.send(&["status"]);
    assert!(printed.contains("white human, time left 0:09.5\nblack human, time left 0:32\n"), "{printed}");
    let at = driver.dialogue.game.deadline().unwrap();
    assert_eq!(at, driver.now + Duration::from_millis(9500));
    driver.dialogue.tick(at);
    let printed = driver.dialogue.output();
    assert_eq!(printed, "white has run out of time\nthe game has ended: black wins on time\n");
}
