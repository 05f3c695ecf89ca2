//! Games with a time control.

use super::Sitting;
use super::files::file;
use crate::play::{GameEvent, Phase};
use soffio::rules::{Color, Variant};
use std::time::Duration;

impl Sitting {
    fn left(&self) -> [u128; 2] {
        [Color::White, Color::Black].map(|color| self.game.time_left(color, self.now).unwrap().as_millis())
    }

    /// Advances the time until the clock of the side to move is used up.
    fn oversteps(&mut self) -> &mut Self {
        self.now = self.game.deadline().unwrap();
        self.game.tick(self.now);
        self
    }
}

#[test]
fn time_is_used_up_and_added_and_given_back() {
    let mut sitting = Sitting::new(Variant::Italian, "human", "human");
    assert_eq!(sitting.game.time_left(Color::White, sitting.now), None);
    sitting.play(&["tc 1+2"]).after(50_000);
    assert_eq!((sitting.left(), sitting.game.deadline()), ([60_000, 60_000], None), "it has not begun");
    sitting.play(&["21-17"]).after(10_000).play(&["10-13"]).after(5_000);
    assert_eq!(sitting.left(), [57_000, 52_000]);
    sitting.play(&["pause"]).after(100_000).play(&["start"]).after(1_000);
    assert_eq!(sitting.left(), [56_000, 52_000]);
    assert_eq!(sitting.game.deadline(), Some(sitting.now + Duration::from_millis(56_000)));
    sitting.play(&["undo 2"]);
    assert_eq!(sitting.left(), [60_000, 60_000]);
    sitting.play(&["redo 2"]);
    assert_eq!(sitting.left(), [62_000, 52_000]);
    sitting.play(&["restart", "variant english"]);
    assert_eq!(sitting.left(), [60_000, 60_000]);
    sitting.play(&["tc off"]);
    assert_eq!((sitting.game.control(), sitting.game.deadline()), (None, None));
}

#[test]
fn a_side_that_oversteps_its_time_has_lost() {
    let mut sitting = Sitting::new(Variant::English, "human", "human");
    sitting.play(&["tc 1", "start"]).after(59_999).play(&["11-15"]).after(59_999);
    assert!(!sitting.game.is_over());
    let now = sitting.after(1).now;
    assert_eq!(sitting.say("22-18"), Err("the game is over: black wins on time".to_owned()));
    assert_eq!((sitting.game.outcome(), sitting.game.phase()), ("black wins on time".to_owned(), Phase::Paused));
    assert!(sitting.game.is_over() && !sitting.game.clock_runs() && sitting.game.deadline().is_none());
    assert!(sitting.game.game_events().any(|event| event == GameEvent::Overstepped(Color::White)));
    assert_eq!(sitting.game.time_left(Color::White, now), Some(Duration::ZERO));
    assert_eq!(sitting.say("start"), Err("the game is over: black wins on time".to_owned()));
    // Taking the move back restores its time.
    sitting.play(&["undo 1"]);
    assert!(!sitting.game.is_over());
    sitting.play(&["11-15"]).oversteps();
    assert!(sitting.game.is_over());
    // It can be played on by agreement.
    sitting.play(&["tc off", "22-18"]);
    assert_eq!(sitting.moves(), ["11-15", "22-18"]);
}

#[test]
fn a_time_control_counts_from_where_it_is_set() {
    let mut sitting = Sitting::new(Variant::English, "human", "human");
    sitting.play(&["start"]).after(500_000).play(&["11-15"]).after(500_000).play(&["22-18"]).after(500_000);
    sitting.play(&["tc 5+3"]);
    assert_eq!(sitting.left(), [300_000, 300_000]);
    sitting.after(1000).play(&["15x22"]);
    assert_eq!(sitting.left(), [300_000, 302_000]);
    // Earlier moves do not count, but moves that replace them do.
    sitting.play(&["undo 3", "redo 3"]);
    assert_eq!(sitting.left(), [300_000, 302_000]);
    sitting.play(&["undo all", "start"]).after(2000).play(&["11-15"]);
    assert_eq!(sitting.left(), [300_000, 301_000]);
}

#[test]
fn the_engine_moves_at_once_when_it_has_only_its_reserve() {
    let mut sitting = Sitting::new(Variant::International, "human", "depth=1");
    sitting.play(&["tc 0.5"]);
    let play_first = |sitting: &mut Sitting| {
        let mv = sitting.game.record().legal()[0].text.clone();
        sitting.say(&mv).unwrap();
    };
    play_first(&mut sitting);
    // The answer arrives late: of 30 seconds 2.5 are left, less than the reserve.
    sitting.after(27_500).settle();
    assert_eq!((sitting.left(), sitting.moves().len()), ([30_000, 2_500], 2));
    sitting.play(&["black computer"]);
    for ply in [4, 6, 8] {
        play_first(&mut sitting);
        sitting.settle();
        assert_eq!(sitting.moves().len(), ply);
        assert!(sitting.game.thought().is_none_or(|thought| thought.depth <= 2), "{:?}", sitting.game.thought());
    }
    // With its clock full it does think; a machine that is busy needs more time for that.
    let thinks = |half_minutes: u32| {
        let mut sitting = Sitting::new(Variant::International, "human", "computer");
        sitting.play(&[&format!("tc {}", f64::from(half_minutes) / 2.0)]);
        play_first(&mut sitting);
        sitting.settle();
        sitting.game.thought().unwrap().depth > 2
    };
    assert!([1, 2, 4, 8, 16, 32, 64].into_iter().any(thinks));
}

#[test]
fn a_delay_takes_little_of_a_clock_that_runs_out() {
    let mut sitting = Sitting::new(Variant::Italian, "human", "level=easy");
    sitting.play(&["tc 0.02", "delay 2000"]);
    sitting.say("21-17").unwrap();
    while sitting.game.deadline().is_none_or(|at| at >= sitting.now + Duration::from_millis(1000)) {
        sitting.event();
    }
    // A tick that comes late does not cost the engine the game.
    let now = sitting.after(3000).now;
    sitting.game.tick(now);
    assert_eq!(sitting.moves().len(), 2);
    assert!(sitting.left()[1] > 1000, "{:?}", sitting.left());
}

#[test]
fn advice_comes_in_time() {
    let mut sitting = Sitting::new(Variant::Italian, "human", "human");
    sitting.play(&["tc 0.01+0", "start"]).after(595);
    sitting.play(&["play"]);
    assert_eq!((sitting.moves().len(), sitting.game.is_over()), (1, false));
}

#[test]
fn a_file_has_the_time_control_and_who_lost_on_time() {
    let path = file("time.pdn");
    let mut sitting = Sitting::new(Variant::English, "human", "human");
    sitting.play(&["tc 1+5", "start"]).after(30_000).play(&["11-15"]).after(10_000).play(&["22-18", "pause"]);
    sitting.play(&[&format!("save {}", path.display())]);
    let mut other = Sitting::new(Variant::Italian, "human", "human");
    other.play(&[&format!("load {}", path.display())]);
    assert_eq!((other.left(), other.game.phase()), ([55_000, 35_000], Phase::Paused));
    other.play(&["start"]).oversteps();
    assert_eq!(other.game.outcome(), "white wins on time");
    assert!(other.game.is_unsaved());
    other.play(&[&format!("save {}", path.display())]);
    let text = std::fs::read_to_string(&path).unwrap();
    for part in ["[TimeControl \"60+5\"]", "[Result \"0-1\"]", "[Termination \"white wins: on time\"]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_worth_of_a_position_is_that_of_the_search_while_it_is_about_it() {
    let mut sitting = Sitting::new(Variant::English, "depth=5", "human");
    let depth =
        |sitting: &Sitting| sitting.game.evaluation().unwrap().to_string().split(", ").last().unwrap().to_owned();
    assert_eq!(depth(&sitting), "static");
    sitting.play(&["11-15"]);
    assert_eq!(sitting.moves().len(), 2);
    assert_eq!(depth(&sitting), "depth 5", "the engine has just moved as it meant to");
    let next = sitting.game.record().legal()[0].text.clone();
    sitting.say(&next).unwrap();
    assert_eq!(depth(&sitting), "static", "nobody has looked at this position");
    sitting.settle().play(&["undo 1"]);
    assert_eq!(depth(&sitting), "static");
}
