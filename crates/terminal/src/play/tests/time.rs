use super::Driver;
use super::files::file;
use crate::play::{GameEvent, Phase};
use soffio::rules::{Color, Variant};
use std::time::Duration;

impl Driver {
    fn left(&self) -> [u128; 2] {
        [Color::White, Color::Black].map(|color| self.game.time_left(color, self.now).unwrap().as_millis())
    }

    fn flags(&mut self) -> &mut Self {
        self.now = self.game.deadline().unwrap();
        self.game.tick(self.now);
        self
    }
}

#[test]
fn time_is_used_added_and_restored() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    assert_eq!(driver.game.time_left(Color::White, driver.now), None);
    driver.play(&["tc 1+2"]).after(50_000);
    assert_eq!((driver.left(), driver.game.deadline()), ([60_000, 60_000], None), "the clock has not started");
    driver.play(&["21-17"]).after(10_000).play(&["10-13"]).after(5_000);
    assert_eq!(driver.left(), [57_000, 52_000]);
    driver.play(&["pause"]).after(100_000).play(&["start"]).after(1_000);
    assert_eq!(driver.left(), [56_000, 52_000]);
    assert_eq!(driver.game.deadline(), Some(driver.now + Duration::from_millis(56_000)));
    driver.play(&["undo 2"]);
    assert_eq!(driver.left(), [60_000, 60_000]);
    driver.play(&["redo 2"]);
    assert_eq!(driver.left(), [62_000, 52_000]);
    driver.play(&["restart", "variant english"]);
    assert_eq!(driver.left(), [60_000, 60_000]);
    driver.play(&["tc off"]);
    assert_eq!((driver.game.clock.control, driver.game.deadline()), (None, None));
}

#[test]
fn a_side_that_exceeds_its_time_loses() {
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.play(&["tc 1", "start"]).after(59_999).play(&["11-15"]).after(59_999);
    assert!(!driver.game.is_over());
    let now = driver.after(1).now;
    assert_eq!(driver.send("22-18"), Err("the game has ended: black wins on time".to_owned()));
    assert_eq!((driver.game.outcome(), driver.game.phase), ("black wins on time".to_owned(), Phase::Paused));
    assert!(driver.game.is_over() && !driver.game.clock.current.is_running() && driver.game.deadline().is_none());
    assert!(driver.game.game_events().any(|event| event == GameEvent::OutOfTime(Color::White)));
    assert_eq!(driver.game.time_left(Color::White, now), Some(Duration::ZERO));
    assert_eq!(driver.send("start"), Err("the game has ended: black wins on time".to_owned()));
    driver.play(&["undo 1"]);
    assert!(!driver.game.is_over());
    driver.play(&["11-15"]).flags();
    assert!(driver.game.is_over());
    // The players can agree to continue.
    driver.play(&["tc off", "22-18"]);
    assert_eq!(driver.moves(), ["11-15", "22-18"]);
}

#[test]
fn a_time_control_starts_when_it_is_set() {
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.play(&["start"]).after(500_000).play(&["11-15"]).after(500_000).play(&["22-18"]).after(500_000);
    driver.play(&["tc 5+3"]);
    assert_eq!(driver.left(), [300_000, 300_000]);
    driver.after(1000).play(&["15x22"]);
    assert_eq!(driver.left(), [300_000, 302_000]);
    driver.play(&["undo 3", "redo 3"]);
    assert_eq!(driver.left(), [300_000, 302_000]);
    driver.play(&["undo all", "start"]).after(2000).play(&["11-15"]);
    assert_eq!(driver.left(), [300_000, 301_000]);
}

#[test]
fn the_engine_moves_at_once_if_only_its_reserve_is_left() {
    let mut driver = Driver::new(Variant::International, "human", "depth=1");
    driver.play(&["tc 0.5"]);
    let play_first = |driver: &mut Driver| {
        let mv = driver.game.record.legal()[0].text.clone();
        driver.send(&mv).unwrap();
    };
    play_first(&mut driver);
    // The reply arrives late. 2.5 of 30 seconds are left, which is less than the reserve.
    driver.after(27_500).settle();
    assert_eq!((driver.left(), driver.moves().len()), ([30_000, 2_500], 2));
    driver.play(&["black computer"]);
    for ply in [4, 6, 8] {
        play_first(&mut driver);
        driver.settle();
        assert_eq!(driver.moves().len(), ply);
        assert!(
            driver.game.last_report.as_ref().is_none_or(|report| report.depth <= 2),
            "{:?}",
            driver.game.last_report
        );
    }
    // With a full clock, the engine does search. A busy machine needs more time on the clock for that.
    let thinks = |half_minutes: u32| {
        let mut driver = Driver::new(Variant::International, "human", "computer");
        driver.play(&[&format!("tc {}", f64::from(half_minutes) / 2.0)]);
        play_first(&mut driver);
        driver.settle();
        driver.game.last_report.as_ref().unwrap().depth > 2
    };
    assert!([1, 2, 4, 8, 16, 32, 64].into_iter().any(thinks));
}

#[test]
fn a_delay_uses_little_of_a_short_clock() {
    let mut driver = Driver::new(Variant::Italian, "human", "level=easy");
    driver.play(&["tc 0.02", "delay 2000"]);
    driver.send("21-17").unwrap();
    while driver.game.deadline().is_none_or(|at| at >= driver.now + Duration::from_millis(1000)) {
        driver.event();
    }
    // A late tick does not cost the engine the game.
    let now = driver.after(3000).now;
    driver.game.tick(now);
    assert_eq!(driver.moves().len(), 2);
    assert!(driver.left()[1] > 1000, "{:?}", driver.left());
}

#[test]
fn a_hint_arrives_in_time() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.play(&["tc 0.01+0", "start"]).after(595);
    driver.play(&["play"]);
    assert_eq!((driver.moves().len(), driver.game.is_over()), (1, false));
}

#[test]
fn a_file_contains_the_time_control_and_the_loss_on_time() {
    let path = file("time.pdn");
    let mut driver = Driver::new(Variant::English, "human", "human");
    driver.play(&["tc 1+5", "start"]).after(30_000).play(&["11-15"]).after(10_000).play(&["22-18", "pause"]);
    driver.play(&[&format!("save {}", path.display())]);
    let mut other = Driver::new(Variant::Italian, "human", "human");
    other.play(&[&format!("load {}", path.display())]);
    assert_eq!((other.left(), other.game.phase), ([55_000, 35_000], Phase::Paused));
    other.play(&["start"]).flags();
    assert_eq!(other.game.outcome(), "white wins on time");
    assert!(other.game.is_unsaved());
    other.play(&[&format!("save {}", path.display())]);
    let text = std::fs::read_to_string(&path).unwrap();
    for part in ["[TimeControl \"60+5\"]", "[Result \"0-1\"]", "[Termination \"white wins: on time\"]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn the_evaluation_comes_from_a_search_of_the_current_position() {
    let mut driver = Driver::new(Variant::English, "depth=5", "human");
    let depth = |driver: &Driver| driver.game.evaluation().unwrap().to_string().split(", ").last().unwrap().to_owned();
    assert_eq!(depth(&driver), "static");
    driver.play(&["11-15"]);
    assert_eq!(driver.moves().len(), 2);
    assert_eq!(depth(&driver), "depth 5", "the engine has just played its planned move");
    let next = driver.game.record.legal()[0].text.clone();
    driver.send(&next).unwrap();
    assert_eq!(depth(&driver), "static", "this position has not been searched");
    driver.settle().play(&["undo 1"]);
    assert_eq!(depth(&driver), "static");
}
