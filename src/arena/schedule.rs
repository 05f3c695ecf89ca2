//! Who plays whom, with which opening.

/// One game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Its number, counted from 0. The games of a pair are `2n` and `2n + 1`.
    pub number: usize,
    /// Index of the opening.
    pub opening: usize,
    /// Index of White's engine.
    pub white: usize,
    /// Index of Black's engine.
    pub black: usize,
}

/// All games of a match, in pairs that share an opening with the colours exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Games to play.
    pub games: usize,
    /// Openings that there are, at least one.
    pub openings: usize,
}

impl Schedule {
    /// The game `number`, if there is one.
    pub fn pairing(&self, number: usize) -> Option<Pairing> {
        let (white, black) = if number.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        let opening = (number / 2).checked_rem(self.openings)?;
        (number < self.games).then_some(Pairing { number, opening, white, black })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_games_of_a_pair_share_an_opening() {
        let schedule = Schedule { games: 5, openings: 2 };
        let games: Vec<_> = (0..).map_while(|number| schedule.pairing(number)).collect();
        let seen: Vec<_> = games.iter().map(|game| (game.opening, game.white, game.black)).collect();
        assert_eq!(seen, [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0), (0, 0, 1)]);
    }
}
