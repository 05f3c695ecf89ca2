//! The bear-off database gives the distribution of the number of rolls that a side needs to bear off once all its
//! checkers are home. It covers all 54,264 positions with at most 15 checkers on six points.
//!
//! Each side plays to minimise its mean number of rolls. This is slightly weaker than optimal play when the opponent is
//! about to win.

use super::Estimate;
use crate::rules::{CHECKERS, Checkers, HOME, ORDERED_ROLLS, Roll, TavlaBoard};
use std::sync::{Once, OnceLock};
use std::thread;
use std::time::Duration;

const POINTS: usize = HOME;

const MAX_ROLLS: usize = 32;

const POSITIONS: usize = 54_264;

type Rolls = [f32; MAX_ROLLS];

type HomeBoard = [u8; POINTS];

pub struct BearOff {
    /// Probability of bearing off the last checker with the n-th roll, indexed by position and n.
    all_off: Vec<Rolls>,
    /// Probability of bearing off the first checker with the n-th roll, indexed by position and n. It is set only for
    /// positions with 15 checkers.
    first_off: Vec<Rolls>,
}

static TABLE: OnceLock<BearOff> = OnceLock::new();

/// Whether a search waits for the table while another thread builds it.
#[derive(Clone, Copy)]
pub enum BearOffAccess<'a> {
    /// The search waits, so that its result is reproducible. The wait ends early if the function returns true.
    Wait(&'a dyn Fn() -> bool),
    /// The search uses the networks until the table is complete, because its time is limited.
    IfReady,
}

impl BearOffAccess<'_> {
    pub const WAIT: BearOffAccess<'static> = BearOffAccess::Wait(&|| false);

    pub(super) fn table(self) -> Option<&'static BearOff> {
        const PAUSE: Duration = Duration::from_millis(2);
        let complete = TABLE.get();
        if complete.is_some() {
            return complete;
        }
        BearOff::build_in_background();
        if let Self::Wait(is_stopped) = self {
            while TABLE.get().is_none() && !is_stopped() {
                thread::sleep(PAUSE);
            }
        }
        TABLE.get()
    }
}

static CHOOSE: [[u32; POINTS + 1]; CHECKERS as usize + POINTS] = choose();

const fn choose() -> [[u32; POINTS + 1]; CHECKERS as usize + POINTS] {
    let mut table = [[0; POINTS + 1]; CHECKERS as usize + POINTS];
    let mut n = 0;
    while n < table.len() {
        table[n][0] = 1;
        let mut k = 1;
        while k <= POINTS && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Returns the index of a position in the combinatorial number system. Adding up the checkers from point 6 downwards
/// gives six running sums. Each sum plus its own index (0 to 5) yields six strictly increasing numbers from 0 to 20.
fn index(home: &HomeBoard) -> usize {
    let (mut index, mut sum) = (0, 0);
    for (place, &count) in home.iter().rev().enumerate() {
        sum += usize::from(count);
        index += CHOOSE[sum + place][place + 1];
    }
    index as usize
}

fn home(side: &Checkers) -> Option<HomeBoard> {
    (side.farthest() <= POINTS).then(|| std::array::from_fn(|place| side.count_at(place + 1)))
}

/// Mean number of rolls to bear off, indexed by position; infinite until it has been computed.
struct Means(Vec<f32>);

impl Means {
    /// Finds the reachable position with the lowest mean and stores it in `best`. Equal dice are played from `highest`
    /// downwards to avoid duplicates.
    fn best(&self, home: &HomeBoard, dice: &[u8], highest: usize, best: &mut (f32, usize)) {
        let farthest = home.iter().rposition(|&count| count > 0);
        let (Some((&die, rest)), Some(farthest)) = (dice.split_first(), farthest) else {
            let index = index(home);
            if self.0[index] < best.0 {
                *best = (self.0[index], index);
            }
            return;
        };
        let is_double = rest.first() == Some(&die);
        for place in (0..=farthest.min(highest)).rev() {
            let steps = place + 1;
            let die = usize::from(die);
            if home[place] == 0 || (steps < die && place != farthest) {
                continue;
            }
            let mut next = *home;
            next[place] -= 1;
            if steps > die {
                next[place - die] += 1;
            }
            self.best(&next, rest, if is_double { place } else { POINTS }, best);
        }
    }
}

impl BearOff {
    /// Returns the table. The caller waits until it has been built, which takes about half a second.
    pub fn get() -> &'static Self {
        TABLE.get_or_init(Self::make)
    }

    /// Starts building the table on another thread. Further calls do nothing.
    pub fn build_in_background() {
        static STARTED: Once = Once::new();
        STARTED.call_once(|| {
            let build = || {
                Self::get();
            };
            if thread::Builder::new().name("bear-off".to_owned()).spawn(build).is_err() {
                build();
            }
        });
    }

    fn make() -> Self {
        let mut homes = all_homes();
        homes.sort_by_key(|home| home.iter().zip(1..).map(|(&count, number)| u32::from(count) * number).sum::<u32>());
        let mut means = Means(vec![f32::INFINITY; POSITIONS]);
        let mut table =
            Self { all_off: vec![[0.0; MAX_ROLLS]; POSITIONS], first_off: vec![[0.0; MAX_ROLLS]; POSITIONS] };
        for home in homes {
            let place = index(&home);
            let checkers: u8 = home.iter().sum();
            if checkers == 0 {
                table.all_off[place][0] = 1.0;
                means.0[place] = 0.0;
                continue;
            }
            let (mut all_off, mut first_off) = ([0.0; MAX_ROLLS], [0.0; MAX_ROLLS]);
            for roll in Roll::ALL {
                let mut best = (f32::INFINITY, 0);
                let (high, low) = (roll.high(), roll.low());
                if roll.is_double() {
                    means.best(&home, &[high; 4], POINTS, &mut best);
                } else {
                    means.best(&home, &[high, low], POINTS, &mut best);
                    means.best(&home, &[low, high], POINTS, &mut best);
                }
                let chance = roll.frequency() as f32 / ORDERED_ROLLS as f32;
                add_later(&mut all_off, &table.all_off[best.1], chance);
                let later = &table.first_off[best.1];
                if later.iter().any(|&chance| chance > 0.0) {
                    add_later(&mut first_off, later, chance);
                } else {
                    first_off[1] += chance;
                }
            }
            means.0[place] = all_off.iter().zip(0_u8..).map(|(chance, rolls)| chance * f32::from(rolls)).sum();
            table.all_off[place] = all_off;
            if checkers == CHECKERS {
                table.first_off[place] = first_off;
            }
        }
        table
    }

    /// Returns the outcome probabilities for the side to roll, which must have checkers left. Returns `None` if either
    /// side has a checker that is neither home nor off.
    pub fn estimate(&self, board: &TavlaBoard) -> Option<Estimate> {
        let (own, other) = (index(&home(&board.own)?), index(&home(&board.other)?));
        let (own_all, other_all) = (self.all_off.get(own)?, self.all_off.get(other)?);
        // The side to roll wins with its n-th roll if the opponent needs at least n rolls. The opponent wins with its
        // n-th roll if the side to roll needs more than n.
        let (mut win, mut win_mars, mut lose_mars) = (0.0, 0.0, 0.0);
        let (own_first, other_first) = (self.first_off.get(own)?, self.first_off.get(other)?);
        let (mut other_left, mut other_without, mut own_without) =
            (1.0, f32::from(board.other.off() == 0), f32::from(board.own.off() == 0));
        for rolls in 1..MAX_ROLLS {
            other_left -= other_all[rolls - 1];
            other_without -= other_first[rolls - 1];
            own_without -= own_first[rolls];
            win += own_all[rolls] * other_left;
            win_mars += own_all[rolls] * other_without.max(0.0);
            lose_mars += other_all[rolls] * own_without.max(0.0);
        }
        let [win, win_mars, lose_mars] = [win, win_mars, lose_mars].map(|chance: f32| chance.clamp(0.0, 1.0));
        Some(Estimate { win, win_mars, lose_mars })
    }

    #[cfg(test)]
    fn mean_rolls(&self, side: &Checkers) -> Option<f32> {
        let chances = self.all_off.get(index(&home(side)?))?;
        Some(chances.iter().zip(0_u8..).map(|(chance, rolls)| chance * f32::from(rolls)).sum())
    }
}

pub fn is_known(board: &TavlaBoard) -> bool {
    let is_home = |side: &Checkers| side.farthest() <= HOME;
    is_home(&board.own) && is_home(&board.other)
}

fn add_later(sum: &mut Rolls, later: &Rolls, chance: f32) {
    for (sum, later) in sum.iter_mut().skip(1).zip(later) {
        *sum += chance * later;
    }
}

fn all_homes() -> Vec<HomeBoard> {
    let mut homes = vec![[0; POINTS]];
    for place in 0..POINTS {
        for number in 0..homes.len() {
            let left = CHECKERS - homes[number].iter().sum::<u8>();
            for count in 1..=left {
                let mut home = homes[number];
                home[place] = count;
                homes.push(home);
            }
        }
    }
    homes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_its_own_number() {
        let mut numbers: Vec<_> = all_homes().iter().map(index).collect();
        numbers.sort_unstable();
        assert!(numbers.iter().copied().eq(0..POSITIONS), "{} {:?}", numbers.len(), numbers.last());
    }

    fn side(home: HomeBoard) -> Checkers {
        let mut counts = [0; 26];
        counts[1..=POINTS].copy_from_slice(&home);
        counts[0] = CHECKERS - home.iter().sum::<u8>();
        Checkers::new(counts).unwrap()
    }

    #[test]
    fn known_chances() {
        let table = BearOff::get();
        let chance = |home: HomeBoard, rolls: usize| table.all_off[index(&home)][rolls] * 36.0;
        // Of the 36 rolls, 27 bear off a checker from the 6 point, all 36 bear off two checkers from the 1 point, and 4
        // bear off two checkers from the 6 point.
        assert!((chance([0, 0, 0, 0, 0, 1], 1) - 27.0).abs() < 1e-3);
        assert!((chance([2, 0, 0, 0, 0, 0], 1) - 36.0).abs() < 1e-3);
        assert!((chance([0, 0, 0, 0, 0, 2], 1) - 4.0).abs() < 1e-3);
        for rolls in &table.all_off {
            assert!((rolls.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        }
        // Without doubles, bearing off fifteen checkers from the 1 point takes eight rolls.
        let mean = table.mean_rolls(&side([15, 0, 0, 0, 0, 0])).unwrap();
        assert!((6.9..7.2).contains(&mean), "{mean}");
    }

    #[test]
    fn one_checker_each_on_the_6_point() {
        let board = TavlaBoard::new(side([0, 0, 0, 0, 0, 1]), side([0, 0, 0, 0, 0, 1])).unwrap();
        let estimate = BearOff::get().estimate(&board).unwrap();
        // The side to roll wins at once with 27 of 36 rolls. It also wins if both sides miss, because after a miss the
        // next roll always bears off.
        let expected = 27.0 / 36.0 + (9.0 / 36.0) * (9.0 / 36.0);
        assert!((estimate.win - expected).abs() < 1e-4, "{estimate:?}");
        assert_eq!(estimate.win_mars, 0.0);
    }

    #[test]
    fn a_side_that_never_bears_off_loses_mars() {
        let board = TavlaBoard::new(side([1, 0, 0, 0, 0, 0]), side([0, 0, 0, 0, 0, 15])).unwrap();
        let estimate = BearOff::get().estimate(&board).unwrap();
        assert_eq!((estimate.win, estimate.win_mars, estimate.lose_mars), (1.0, 1.0, 0.0));
        let turned = BearOff::get().estimate(&board.turned()).unwrap();
        // Every roll with a six bears off a checker. So can 5-1, 4-2, 3-3 and 2-2, but doing so does not always
        // minimise the mean number of rolls.
        assert!((19.0..25.0).contains(&(turned.lose_mars * 36.0 + 1e-3)), "{turned:?}");
        assert!(turned.win < 1e-6);
    }
}
