//! Tests of match schedules.

use soffio_match::{MatchFormat, MatchPlan, Pairing, Schedule};

fn games(schedule: &Schedule) -> Vec<(usize, usize, usize)> {
    let games: Vec<_> = schedule.pairings().map(|game| (game.opening, game.white, game.black)).collect();
    assert_eq!(games.len(), schedule.games());
    games
}

fn plan(rounds: usize, games: usize, repeat: usize) -> MatchPlan {
    MatchPlan { rounds, games, repeat, swaps: true }
}

#[test]
fn both_games_of_a_pair_share_an_opening() {
    let schedule = Schedule::new(MatchFormat::RoundRobin, 2, plan(1, 5, 2), 2);
    let expected = [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0), (0, 0, 1)];
    assert_eq!(games(&schedule), expected);
    let pairs: Vec<_> = schedule.pairings().map(|game| game.pair).collect();
    assert_eq!(pairs, [Some(0), Some(0), Some(2), Some(2), Some(4)]);
    let by_rounds = Schedule::new(MatchFormat::RoundRobin, 2, plan(3, 2, 2), 2);
    assert_eq!(games(&by_rounds)[..5], expected, "rounds of two games each give the same match");
}

#[test]
fn an_opening_played_once_makes_no_pair() {
    for plan in [plan(1, 3, 1), plan(3, 1, 1)] {
        let schedule = Schedule::new(MatchFormat::RoundRobin, 2, plan, 9);
        assert_eq!(games(&schedule), [(0, 0, 1), (1, 1, 0), (2, 0, 1)]);
        assert!(schedule.pairings().all(|game| game.pair.is_none()));
    }
}

#[test]
fn colours_can_be_kept() {
    let schedule = Schedule::new(MatchFormat::RoundRobin, 2, MatchPlan { swaps: false, ..plan(2, 2, 2) }, 9);
    assert_eq!(games(&schedule), [(0, 0, 1), (0, 0, 1), (1, 0, 1), (1, 0, 1)]);
    assert!(schedule.pairings().all(|game| game.pair.is_none()), "only swapped colours make two games a pair");
}

#[test]
fn round_robins_pair_all_engines_and_gauntlets_only_the_first() {
    let all = Schedule::new(MatchFormat::RoundRobin, 3, plan(1, 2, 2), 9);
    assert_eq!(games(&all), [(0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 2, 0), (0, 1, 2), (0, 2, 1)]);
    let gauntlet = Schedule::new(MatchFormat::Gauntlet, 4, plan(2, 1, 1), 9);
    let expected = [(0, 0, 1), (0, 0, 2), (0, 0, 3), (1, 1, 0), (1, 2, 0), (1, 3, 0)];
    assert_eq!(games(&gauntlet), expected);
    assert_eq!(Schedule::new(MatchFormat::Gauntlet, 1, plan(2, 1, 1), 9).games(), 0);
}

#[test]
fn shards_cover_a_match_and_keep_games_of_an_opening_together() {
    for (plan, engines) in [(plan(4, 2, 2), 2), (plan(1, 9, 2), 2), (plan(3, 3, 2), 3), (plan(5, 4, 1), 2)] {
        let whole = Schedule::new(MatchFormat::RoundRobin, engines, plan, 9);
        let part = |text: &str| whole.clone().part(text.parse().expect("it is a shard")).pairings().collect::<Vec<_>>();
        let parts = ["1/3", "2/3", "3/3"].map(part);
        for games in &parts {
            let other = parts.iter().filter(|other| *other != games).flatten().collect::<Vec<_>>();
            let is_torn = |game: &Pairing| game.pair.is_some() && other.iter().any(|other| other.pair == game.pair);
            assert!(!games.is_empty() && !games.iter().any(is_torn), "{games:?}");
        }
        let mut all = parts.concat();
        all.sort_by_key(|game| game.number);
        assert_eq!(all, whole.pairings().collect::<Vec<_>>());
    }
}

#[test]
fn every_round_has_its_own_openings_for_all_pairings() {
    let schedule = Schedule::new(MatchFormat::Gauntlet, 3, plan(2, 3, 2), 9);
    let opening = |number: usize| schedule.pairing(number).map(|game| game.opening);
    assert_eq!([0, 1, 2, 3, 4, 5].map(opening), [0, 0, 1, 0, 0, 1].map(Some));
    assert_eq!([6, 7, 8, 9, 10, 11].map(opening), [2, 2, 3, 2, 2, 3].map(Some));
    assert_eq!((opening(12), plan(2, 3, 2).openings()), (None, 4));
    let whites = schedule.pairings().filter(|game| game.white == 0).count();
    assert_eq!((whites, schedule.games()), (6, 12), "colours are balanced despite an odd number of games per round");
}
