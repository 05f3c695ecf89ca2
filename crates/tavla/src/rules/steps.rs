//! The way through a play, hop by hop, for those who make it so.

use super::board::{BAR, Board, OFF};
use super::dice::Roll;
use super::generator::{Legal, target};
use super::play::{Hop, MAX_HOPS};

/// A play that has been begun.
#[derive(Clone, Debug)]
struct Begun {
    board: Board,
    /// Points of the own home on which it has hit.
    hits: u32,
    /// Dice that are left.
    dice: Vec<u8>,
}

impl Begun {
    /// The hops that its dice allow, each with the play after it. One that several dice allow comes once for each.
    fn hops(&self, hit_and_run: bool) -> Vec<(Hop, Self)> {
        let mut found = Vec::new();
        let bottom = if self.board.own.bar() > 0 { BAR } else { 1 };
        for (place, &die) in self.dice.iter().enumerate() {
            if self.dice.iter().take(place).any(|&before| before == die) {
                continue;
            }
            for from in bottom..=BAR {
                let Some(to) = target(&self.board, self.hits, hit_and_run, from, die) else { continue };
                let mut next = self.clone();
                next.dice.remove(place);
                if next.board.hop(from, to) && to <= 6 {
                    next.hits |= 1 << to;
                }
                found.push((Hop { from: from as u8, to: to as u8 }, next));
            }
        }
        found
    }

    /// Whether further hops, or none, make it one of the `legal` plays.
    fn ends_well(&self, legal: &[Legal], hit_and_run: bool) -> bool {
        legal.iter().any(|legal| legal.after == self.board)
            || self.hops(hit_and_run).iter().any(|(_, next)| next.ends_well(legal, hit_and_run))
    }
}

/// The hops with which a side that has made the hops `done` with `roll` can go on, so that one of the `legal` plays on `board` comes
/// about; in the order of the numbers from which they go. None when the play is complete, or `done` begins no legal play.
pub fn next_hops(board: &Board, roll: Roll, legal: &[Legal], done: &[Hop], hit_and_run: bool) -> Vec<Hop> {
    let dice = if roll.is_double() { vec![roll.high(); MAX_HOPS] } else { vec![roll.high(), roll.low()] };
    let mut begun = vec![Begun { board: *board, hits: 0, dice }];
    for hop in done {
        let goes_on =
            |play: &Begun| play.hops(hit_and_run).into_iter().filter(|(made, _)| made == hop).collect::<Vec<_>>();
        begun = begun.iter().flat_map(goes_on).map(|(_, next)| next).collect();
    }
    let mut found: Vec<Hop> = begun
        .iter()
        .flat_map(|play| play.hops(hit_and_run))
        .filter(|(_, next)| next.ends_well(legal, hit_and_run))
        .map(|(hop, _)| hop)
        .collect();
    found.sort_unstable_by_key(|hop| (hop.from, hop.to));
    found.dedup();
    found
}

/// The board after the hops `done` of a play.
pub fn after_hops(board: &Board, done: &[Hop]) -> Board {
    let mut board = *board;
    for &Hop { from, to } in done {
        let (from, to) = (usize::from(from), usize::from(to));
        if board.own.at(from) > 0 && (to == OFF || board.is_open(to)) {
            board.hop(from, to);
        }
    }
    board
}

#[cfg(test)]
mod tests {
    use super::super::{Plays, Random, reference};
    use super::*;
    use std::collections::BTreeSet;

    /// All positions that can be reached hop by hop.
    fn ends(board: &Board, roll: Roll, legal: &[Legal], done: &mut Vec<Hop>, hit_and_run: bool) -> BTreeSet<String> {
        let next = next_hops(board, roll, legal, done, hit_and_run);
        if next.is_empty() {
            return BTreeSet::from([format!("{:?}", reference::picture_of(&after_hops(board, done)))]);
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
    fn hop_by_hop_all_legal_plays_come_about_and_no_others() {
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
    fn hops_that_leave_a_die_unplayed_are_none_and_other_orders_are() {
        let board = Board::start();
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
        assert_eq!(next(&[(24, 20)]), "", "no die makes it");
    }
}
