//! Tests of the board, the dice and the plays, including a comparison of the generator with the slow reference.

use super::random::Random;
use super::reference;
use soffio_tavla::rules::{
    BoardError, Checkers, Hop, LegalPlay, ORDERED_ROLLS, Perft, Plays, Roll, RollError, TavlaBoard, TavlaPlay,
    after_hops, next_hops, perft,
};
use std::collections::BTreeSet;

/// Returns a side with the given checkers on `points`, or `None` if there are more than 15. All its other checkers have
/// been borne off.
pub fn at_points(points: &[(usize, u8)]) -> Option<Checkers> {
    let mut counts = [0; 26];
    for &(number, count) in points {
        *counts.get_mut(number)? = count;
    }
    Checkers::with_rest_off(counts)
}

fn side(points: &[(usize, u8)]) -> Checkers {
    at_points(points).unwrap()
}

#[test]
fn the_start_has_167_pips_each_and_contact() {
    let start = TavlaBoard::start();
    assert_eq!(start.own.pips(), 167);
    assert_eq!(TavlaBoard::new(start.own, start.other), Ok(start));
    assert!(start.has_contact());
    assert_eq!(start.own.mask(3), 1 << 6 | 1 << 8 | 1 << 13);
    assert_eq!(start.own.farthest(), 24);
}

#[test]
fn impossible_positions_are_rejected() {
    let (own, other) = (side(&[(6, 15)]), side(&[(19, 15)]));
    assert_eq!(TavlaBoard::new(own, other), Err(BoardError::Shared(6)));
    let done = side(&[(0, 15)]);
    assert_eq!(TavlaBoard::new(done, done), Err(BoardError::BothDone));
    let closed = side(&[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (25, 3)]);
    assert_eq!(TavlaBoard::new(closed, closed), Err(BoardError::Stuck));
    assert_eq!((Checkers::new([1; 26]), at_points(&[(3, 16)]), at_points(&[(26, 1)])), (None, None, None));
    assert_eq!(at_points(&[(3, 14)]).map(|side| side.off()), Some(1));
}

#[test]
fn contact_ends_when_all_have_passed() {
    assert!(!TavlaBoard::new(side(&[(12, 15)]), side(&[(12, 15)])).unwrap().has_contact());
    assert!(!TavlaBoard::new(side(&[(12, 14), (1, 1)]), side(&[(11, 15)])).unwrap().has_contact());
    assert!(TavlaBoard::new(side(&[(14, 1), (1, 14)]), side(&[(12, 15)])).unwrap().has_contact());
}

#[test]
fn there_are_36_ordered_rolls() {
    assert_eq!(Roll::ALL.iter().map(|roll| roll.frequency()).sum::<u32>(), ORDERED_ROLLS);
    assert_eq!(Roll::ALL.iter().filter(|roll| roll.is_double()).count(), 6);
    assert!(Roll::ALL.is_sorted());
}

#[test]
fn a_roll_is_parsed_in_any_order() {
    for roll in Roll::ALL {
        assert_eq!(roll.to_string().parse(), Ok(roll));
    }
    assert_eq!("13".parse(), Ok(Roll::new(3, 1).unwrap()));
    for wrong in ["", "1", "07", "70", "123", "ab", "\u{e9}"] {
        assert_eq!(wrong.parse::<Roll>(), Err(RollError), "{wrong}");
    }
}

#[test]
fn random_rolls_fall_as_often_as_they_should() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut doubles = 0;
    for _ in 0..36_000 {
        doubles += u32::from(Roll::random(&mut random).is_double());
    }
    assert!((5700..6300).contains(&doubles), "{doubles}");
}

#[test]
fn every_form_is_parsed() {
    let read = |text: &str| text.parse::<TavlaPlay>().map(|play| play.to_string()).map_err(|error| error.to_string());
    assert_eq!(read("8/5,6/5").as_deref(), Ok("8/5,6/5"));
    assert_eq!(read("8/5 6/5").as_deref(), Ok("8/5,6/5"));
    assert_eq!(read("24/18/13").as_deref(), Ok("24/18,18/13"));
    assert_eq!(read("bar/20*,3/off").as_deref(), Ok("25/20,3/0"));
    assert_eq!(read("6/5(4)").as_deref(), Ok("6/5,6/5,6/5,6/5"));
    assert_eq!(read("pass").as_deref(), Ok("pass"));
    for wrong in ["", "8", "8/9", "26/1", "+8/5", "8/5(", "8/5(0)", "8//5", "-", "8/5/4/3/2/1"] {
        assert!(read(wrong).is_err_and(|error| error.contains("is not a hop")), "{wrong}");
    }
    assert_eq!(read("6/5(3),8/7(2)"), Err("a play has at most 4 hops".to_owned()));
}

#[test]
fn the_farthest_checker_is_printed_first() {
    let play: TavlaPlay = "6/5,24/18".parse().unwrap();
    assert_eq!(play.ordered().to_string(), "24/18,6/5");
}

fn texts(own: &[(usize, u8)], other: &[(usize, u8)], roll: &str, hit_and_run: bool) -> Vec<String> {
    let board = TavlaBoard::new(at_points(own).unwrap(), at_points(other).unwrap()).unwrap();
    let mut plays = Plays::default();
    let found = plays.find(&board, roll.parse().unwrap(), hit_and_run);
    let mut texts: Vec<_> = found.iter().map(|legal| legal.play.ordered().to_string()).collect();
    texts.sort();
    texts
}

#[test]
fn the_larger_die_is_played_if_only_one_can_be() {
    // 8/2 and 8/7 are both legal on their own, but after either of them the other die cannot be played.
    let blocks = [(25 - 1, 2), (25 - 6, 0)];
    assert_eq!(texts(&[(8, 1)], &blocks, "61", true), ["8/2"]);
    assert_eq!(texts(&[(8, 1)], &[(25 - 1, 2), (25 - 2, 2)], "61", true), ["8/7"]);
    assert_eq!(texts(&[(8, 1)], &[(25 - 7, 2), (25 - 2, 2)], "61", true), ["pass"]);
}

#[test]
fn checkers_enter_before_anything_else_moves() {
    assert_eq!(texts(&[(25, 2), (6, 1)], &[(5, 2)], "52", true), ["25/23"]);
    assert_eq!(texts(&[(25, 1), (6, 1)], &[(5, 2)], "52", true), ["25/23,23/18", "25/23,6/1"]);
}

#[test]
fn the_overshoot_bears_off_the_farthest_checker_only() {
    assert_eq!(texts(&[(5, 1), (3, 1)], &[(1, 1)], "64", true), ["5/0,3/0", "5/1,3/0"]);
    assert_eq!(texts(&[(7, 1), (3, 1)], &[(1, 1)], "61", true), ["7/1,1/0", "7/1,3/2"]);
}

#[test]
fn a_checker_that_hit_at_home_stays_if_it_may_not_run() {
    let (own, other) = ([(8, 1), (24, 1)], [(25 - 5, 1), (25 - 22, 2)]);
    let free = texts(&own, &other, "32", true);
    assert!(free.contains(&"8/5,5/3".to_owned()), "{free:?}");
    let banned = texts(&own, &other, "32", false);
    // The same checker may reach that point by playing the other die first, because it then hits nothing.
    assert!(banned.contains(&"8/6,6/3".to_owned()), "{banned:?}");
    assert!(!banned.contains(&"8/5,5/3".to_owned()), "{banned:?}");
}

fn agree(count: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut plays = Plays::default();
    for _ in 0..count {
        let (board, roll) = (random.board(), random.roll());
        for hit_and_run in [true, false] {
            let found = plays.find(&board, roll, hit_and_run);
            let fast: BTreeSet<_> = found.iter().map(|legal| reference::picture_of(&legal.after)).collect();
            assert_eq!(fast.len(), found.len(), "{board:?} {roll}: a position occurs twice");
            assert_eq!(fast, reference::positions_after(&board, roll, hit_and_run), "{board:?} {roll}");
        }
    }
}

#[test]
fn the_slow_generator_agrees() {
    agree(3000, 1);
}

#[test]
#[ignore = "takes a minute"]
fn the_slow_generator_agrees_on_a_million_positions() {
    agree(1_000_000, 2);
}

/// Returns all positions that can be reached by choosing one hop at a time.
fn ends(
    board: &TavlaBoard,
    roll: Roll,
    legal: &[LegalPlay],
    done: &mut Vec<Hop>,
    hit_and_run: bool,
) -> BTreeSet<String> {
    let next = next_hops(board, roll, legal, done, hit_and_run);
    if next.is_empty() {
        return BTreeSet::from([format!("{:?}", reference::picture_of(&after_hops(board, done).unwrap()))]);
    }
    let mut found = BTreeSet::new();
    for hop in next {
        done.push(hop);
        found.extend(ends(board, roll, legal, done, hit_and_run));
        done.pop();
    }
    found
}

#[test]
fn hops_reach_exactly_the_legal_plays() {
    let mut random = Random::new(6);
    let mut plays = Plays::default();
    let mut doubles = 0;
    for number in 0..400 {
        let (board, roll) = (random.board(), random.roll());
        let hit_and_run = number % 2 == 0;
        let legal = plays.find(&board, roll, hit_and_run).to_vec();
        if legal.len() > 30 {
            continue;
        }
        doubles += u32::from(roll.is_double());
        let expected = reference::positions_after(&board, roll, hit_and_run);
        let expected: BTreeSet<_> = expected.iter().map(|picture| format!("{picture:?}")).collect();
        assert_eq!(ends(&board, roll, &legal, &mut Vec::new(), hit_and_run), expected, "{board:?} {roll}");
    }
    assert!(doubles > 20, "{doubles}");
}

#[test]
fn hops_that_leave_a_die_unplayed_are_rejected_and_other_orders_are_not() {
    let board = TavlaBoard::start();
    let roll: Roll = "31".parse().unwrap();
    let mut plays = Plays::default();
    let legal = plays.find(&board, roll, true);
    let next = |done: &[(u8, u8)]| {
        let done: Vec<_> = done.iter().map(|&(from, to)| Hop { from, to }).collect();
        next_hops(&board, roll, legal, &done, true).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(next(&[]), "6/3 6/5 8/5 8/7 13/10 24/21 24/23");
    assert_eq!(next(&[(24, 23)]), "6/3 8/5 13/10 23/20 24/21");
    assert_eq!(next(&[(24, 21)]), "6/5 8/7 21/20 24/23");
    assert_eq!(next(&[(24, 23), (23, 20)]), "");
    assert_eq!(next(&[(24, 20)]), "", "no die allows it");
}

fn perft_of(depth: u8) -> Perft {
    perft(&TavlaBoard::start(), depth, true, &mut || true).unwrap()
}

#[test]
fn the_counts_from_the_start_match_the_slow_generator() {
    let plays = |roll: &Roll| reference::positions_after(&TavlaBoard::start(), *roll, true).len() as u64;
    let count = Roll::ALL.iter().map(plays).sum();
    let weighted = Roll::ALL.iter().map(|roll| plays(roll) * u64::from(roll.frequency())).sum();
    assert_eq!(perft_of(0), Perft { count: 1, weighted: 1 });
    assert_eq!(perft_of(1), Perft { count, weighted });
    assert_eq!(perft_of(1).count, 447);
}

#[test]
fn a_perft_can_be_stopped() {
    assert_eq!(perft(&TavlaBoard::start(), 3, true, &mut || false), None);
}
