//! How much of a value is the one for the full board.

/// The share of a value for the full board when it counts alone; what is missing to it is the share of the empty board.
pub const FULL_SHARE: i32 = 256;

/// The shares of the full board by the number of pieces.
#[derive(Clone, Debug)]
pub struct Phases(Vec<Shares>);

/// The shares of the values for the full board at a moment of the game, of [`FULL_SHARE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// For patterns, men and the turn: all at the beginning of a game, and half of it when half the pieces are left.
    pub men: i32,
    /// For kings. Few games have kings while the board is full, and a line drawn through the others would be wrong there: so it is
    /// the whole share as long as half the pieces are left.
    pub kings: i32,
}

impl Phases {
    /// The shares in games that begin with `men` on each side.
    pub fn new(men: u8) -> Self {
        let most = 2 * i32::from(men.max(1));
        let share = |pieces: i32| (FULL_SHARE * pieces + most / 2) / most;
        Self((0..=most).map(|pieces| Shares { men: share(pieces), kings: share(2 * pieces).min(FULL_SHARE) }).collect())
    }

    /// The shares with so many pieces on the board; more than at the beginning count as all.
    #[inline(always)]
    pub fn at(&self, pieces: u32) -> Shares {
        self.0[(pieces as usize).min(self.0.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_fall_from_the_full_to_the_empty_board() {
        let phases = Phases::new(20);
        let at = |pieces| (phases.at(pieces).men, phases.at(pieces).kings);
        assert_eq!(
            [at(99), at(40), at(30), at(20), at(10), at(0)],
            [(256, 256), (256, 256), (192, 256), (128, 256), (64, 128), (0, 0)]
        );
    }
}
