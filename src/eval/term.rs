//! The terms of the hand-made evaluation.

use std::ops::{Index, IndexMut};

macro_rules! terms {
    ($($(#[$doc:meta])+ $term:ident = $name:literal,)+) => {
        /// A property of the pieces of one side that is worth something.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Term {
            $($(#[$doc])+ $term,)+
        }

        impl Term {
            /// All terms, in the order in which they are shown.
            pub const ALL: &[Self] = &[$(Self::$term),+];

            /// The name that is shown to the user.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$term => $name,)+
                }
            }
        }
    };
}

terms! {
    /// Men.
    Man = "men",
    /// Kings.
    King = "kings",
    /// Whether there is a king at all.
    FirstKing = "first-king",
    /// Whether it is this side's turn.
    Turn = "turn",
    /// Rows that the men have advanced from their home row.
    Advance = "advance",
    /// Men one or two rows from the row where they are crowned.
    Front = "front",
    /// Men on the home row, where the enemy's men are crowned.
    HomeRow = "home-row",
    /// Whether men hold all the bridge squares of the home row: those that guard all of it.
    Bridge = "bridge",
    /// Men in the middle of the board.
    Centre = "centre",
    /// Men on the side columns.
    Edge = "edge",
    /// Pairs of men that stand one behind the other on a diagonal.
    Support = "support",
    /// Men in the enemy's half with a man behind them.
    Outpost = "outposts",
    /// Difference between the men on the left and on the right half of the board.
    Imbalance = "imbalance",
    /// Moves of men to squares where they cannot be taken.
    SafeMoves = "safe-moves",
    /// Men without a safe move.
    TrappedMen = "trapped-men",
    /// Men on a side square next to the far row, with an enemy on the only square where they could be crowned.
    DogHole = "dog-holes",
    /// Men next to the far row with no enemy before them.
    RunawayNear = "runaways-near",
    /// Men in the far half, further from the far row, with no enemy before them.
    RunawayFar = "runaways-far",
    /// Kings in the middle of the board.
    KingCentre = "central-kings",
    /// Kings on an edge of the board.
    KingEdge = "edge-kings",
    /// Kings without a safe move.
    TrappedKing = "trapped-kings",
    /// Whether the weaker side has a king where it is hard to catch.
    Refuge = "refuge",
    /// Whether this side has the move (the opposition): with few pieces left, the other side will have to give way.
    Opposition = "opposition",
}

/// Number of terms.
pub(super) const TERMS: usize = Term::ALL.len();

/// The count of each term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features([i32; TERMS]);

impl Features {
    /// Nothing of any term.
    pub(super) const NONE: Self = Self([0; TERMS]);

    /// The excess of each term over that of the `other` side.
    #[inline(always)]
    pub(super) fn minus(mut self, other: &Self) -> Self {
        for (own, others) in self.0.iter_mut().zip(other.0) {
            *own -= others;
        }
        self
    }

    /// The sum of all terms, each times its weight.
    #[inline(always)]
    pub(super) fn dot(&self, weights: &[i32; TERMS]) -> i32 {
        self.0.iter().zip(weights).map(|(amount, weight)| amount * weight).sum()
    }
}

impl Index<Term> for Features {
    type Output = i32;

    #[inline(always)]
    fn index(&self, term: Term) -> &i32 {
        &self.0[term as usize]
    }
}

impl IndexMut<Term> for Features {
    #[inline(always)]
    fn index_mut(&mut self, term: Term) -> &mut i32 {
        &mut self.0[term as usize]
    }
}
