//! The evaluation that counts material alone: all that is known of a game from which nothing has been learned yet.

use crate::position::Position;
use crate::rules::{Color, Objective, RuleSet, Word};

/// A man, in 1/100 man.
const MAN: i32 = 100;

/// A king that moves one square.
const SHORT_KING: i32 = 150;

/// A king that flies.
const FLYING_KING: i32 = 300;

/// The material of the side to move less that of the other side; the reverse where the aim is to lose all pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    man: i32,
    king: i32,
}

impl Material {
    /// The material of the game by the rules `spec`.
    pub const fn of(spec: &RuleSet) -> Self {
        let king = if spec.flying_kings { FLYING_KING } else { SHORT_KING };
        match spec.objective {
            // A king that has to be given away is no more than a man.
            Objective::Losing => Self { man: -MAN, king: -MAN },
            Objective::Normal | Objective::FirstKing => Self { man: MAN, king },
        }
    }

    /// The value of `position` in 1/100 man for the side to move.
    #[inline]
    pub fn evaluate<W: Word>(&self, position: &Position<W>) -> i32 {
        let pieces = position.pieces();
        let of =
            |color: Color| self.man * pieces.men(color).count() as i32 + self.king * pieces.kings(color).count() as i32;
        of(position.side()) - of(position.side().opponent())
    }
}
