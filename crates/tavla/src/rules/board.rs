//! The board, seen by the side to roll.

/// Checkers of each side.
pub const CHECKERS: u8 = 15;

/// The number of the bar. A side numbers its points from its home outwards: 1 to 6 are its home, 24 is the farthest.
pub const BAR: usize = 25;

/// The number for checkers that were borne off.
pub const OFF: usize = 0;

/// The farthest point of a home; the others are 1 to 5.
pub const HOME: usize = 6;

/// The checkers of one side by its own numbers: borne off 0, points 1 to 24, bar 25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side([u8; 26]);

impl Side {
    /// The side with `counts` checkers at the numbers 0 to 25, if they are 15 together.
    pub fn new(counts: [u8; 26]) -> Option<Self> {
        let sum: u32 = counts.iter().copied().map(u32::from).sum();
        (sum == u32::from(CHECKERS)).then_some(Self(counts))
    }

    /// The side with `counts` checkers at the numbers 0 to 25, if they are no more than 15; the others are borne off.
    pub fn with_rest_off(mut counts: [u8; 26]) -> Option<Self> {
        let sum: u32 = counts.iter().copied().map(u32::from).sum();
        counts[OFF] += u8::try_from(u32::from(CHECKERS).checked_sub(sum)?).ok()?;
        Some(Self(counts))
    }

    /// The same with these numbers and counts.
    pub fn at_points(points: &[(usize, u8)]) -> Option<Self> {
        let mut counts = [0; 26];
        for &(number, count) in points {
            *counts.get_mut(number)? = count;
        }
        Self::with_rest_off(counts)
    }

    /// Checkers at `number`, 0 at numbers that do not exist.
    pub fn at(&self, number: usize) -> u8 {
        self.0.get(number).copied().unwrap_or(0)
    }

    /// Checkers at the numbers 0 to 25.
    pub fn counts(&self) -> &[u8; 26] {
        &self.0
    }

    /// Checkers that were borne off.
    pub fn off(&self) -> u8 {
        self.0[OFF]
    }

    /// Checkers on the bar.
    pub fn bar(&self) -> u8 {
        self.0[BAR]
    }

    /// The number that is farthest from home among those with a checker; 0 when all were borne off.
    pub fn farthest(&self) -> usize {
        self.0.iter().rposition(|&count| count > 0).unwrap_or(OFF)
    }

    /// The pips that all checkers still have to go.
    pub fn pips(&self) -> u32 {
        self.0.iter().zip(0..).map(|(&count, number)| u32::from(count) * number).sum()
    }

    /// The numbers 0 to 25 with at least `least` checkers, as bits.
    pub fn mask(&self, least: u8) -> u32 {
        self.0.iter().rev().fold(0, |mask, &count| mask << 1 | u32::from(count >= least))
    }

    fn shift(&mut self, from: usize, to: usize) {
        self.0[from] -= 1;
        self.0[to] += 1;
    }
}

/// The number of `number` in the numbering of the other side; not for the bar and the checkers off.
pub fn facing(number: usize) -> usize {
    BAR - number
}

/// A position without dice: the side to roll and the other one, each in its own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The side to roll.
    pub own: Side,
    pub other: Side,
}

impl Board {
    /// The board, if no point is held by both sides, and not both have borne off everything.
    pub fn new(own: Side, other: Side) -> Result<Self, BoardError> {
        if let Some(number) = (1..=24).find(|&number| own.at(number) > 0 && other.at(facing(number)) > 0) {
            return Err(BoardError::Shared(number));
        }
        if own.off() == CHECKERS && other.off() == CHECKERS {
            return Err(BoardError::BothDone);
        }
        // Both on the bar against a closed home could never move again.
        let is_closed = |side: &Side| (1..=HOME).all(|number| side.at(number) >= 2);
        if own.bar() > 0 && other.bar() > 0 && is_closed(&own) && is_closed(&other) {
            return Err(BoardError::Stuck);
        }
        Ok(Self { own, other })
    }

    /// The position in which a game begins: 24 2, 13 5, 8 3, 6 5.
    pub fn start() -> Self {
        let mut counts = [0; 26];
        for (number, count) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
            counts[number] = count;
        }
        Self { own: Side(counts), other: Side(counts) }
    }

    /// The same position with the other side to roll.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// Returns true if checkers of the two sides still have to pass each other.
    pub fn has_contact(&self) -> bool {
        self.own.farthest() + self.other.farthest() > BAR
    }

    /// Returns true if the side to roll can come to rest on its point `number`, or hits there.
    pub fn is_open(&self, number: usize) -> bool {
        self.other.at(facing(number)) < 2
    }

    /// Moves a checker of the side to roll; a single checker of the other side is hit. Returns whether one was.
    pub(crate) fn hop(&mut self, from: usize, to: usize) -> bool {
        self.own.shift(from, to);
        let is_hit = to != OFF && self.other.0[facing(to)] == 1;
        if is_hit {
            self.other.shift(facing(to), BAR);
        }
        is_hit
    }
}

/// Two sides do not make a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The point is in the numbers of the side to roll.
    #[error("both sides have checkers on point {0}")]
    Shared(usize),
    #[error("both sides have borne off all checkers")]
    BothDone,
    #[error("both sides are on the bar against a closed home")]
    Stuck,
}
