//! The value of a position.

use super::{FULL_SHARE, Features, GameKind, KEPT_PARTS, Layout, Shares, UNIT, Weight, Weights, kept_parts};
use crate::board::Bits;
use crate::eval::MAX_EVALUATION;
use std::sync::Arc;

/// The learned evaluation of one game. Copies share the weights.
#[derive(Clone, Debug)]
pub struct Learned {
    features: Arc<Features>,
    weights: Arc<[Weight]>,
    salt: u64,
}

/// A part of the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The patterns of men.
    Patterns,
    /// The difference in men.
    Men,
    /// The turn.
    Turn,
    /// The numbers of kings, where they stand, and what is near them.
    Kings,
    /// What is taken off because the ending is hard to win, or the value beyond all bounds.
    HardToWin,
}

impl Part {
    /// All parts, in the order of [`Learned::parts`].
    pub const ALL: [Self; 5] = [Self::Patterns, Self::Men, Self::Turn, Self::Kings, Self::HardToWin];

    /// The name of the part, in a form like `hard-to-win`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Patterns => "patterns",
            Self::Men => "men",
            Self::Turn => "turn",
            Self::Kings => "kings",
            Self::HardToWin => "hard-to-win",
        }
    }
}

/// A sum of weights for White, for the full and for the empty board.
#[derive(Clone, Copy, Default)]
struct Sum {
    full: i32,
    empty: i32,
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, [full, empty]: Weight, times: i32) {
        self.full += i32::from(full) * times;
        self.empty += i32::from(empty) * times;
    }

    /// The value in 1/[`SCALE`] of 1/100 man.
    #[inline(always)]
    fn at(self, full_share: i32) -> i64 {
        i64::from(self.full) * i64::from(full_share) + i64::from(self.empty) * i64::from(FULL_SHARE - full_share)
    }
}

/// How many times 1/100 man the sums are.
const SCALE: i64 = (UNIT * FULL_SHARE) as i64;

/// The weight of what is worth `value` 1/100 man all the time.
fn constant(value: f32) -> Weight {
    [(value * UNIT as f32).round() as i16; 2]
}

impl Learned {
    /// The evaluation of a game with these weights, or `None` if they are not made for its board.
    pub fn new(kind: GameKind, weights: &Weights) -> Option<Self> {
        let features = Features::new(kind, weights.layout)?;
        if features.count() != weights.values.len() {
            return None;
        }
        Some(Self { features: Arc::new(features), weights: weights.values.as_slice().into(), salt: weights.salt() })
    }

    /// An evaluation without patterns: only pieces count, in 1/100 man `man`, `king`, and `first_king` more for having one.
    pub fn of_material(kind: GameKind, (man, king, first_king): (f32, f32, f32)) -> Option<Self> {
        let layout = Layout::standard(kind.shape);
        let features = Features::new(kind, layout)?;
        let mut values = vec![[0; 2]; features.first_of_kings()];
        values[features.man()] = constant(man);
        values.extend(features.kings.plain_values(king, first_king).into_iter().map(constant));
        Self::new(kind, &Weights { layout, values })
    }

    /// A number that tells these weights from others.
    pub fn salt(&self) -> u64 {
        self.salt
    }

    /// The value in 1/100 man for the side to move, with `white` and `black` the pieces of the sides and `kings` those of them that
    /// are kings.
    #[inline]
    pub fn evaluate<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool) -> i32 {
        let shares = self.shares(white, black);
        let mut sum = self.patterns(white & !kings, black & !kings);
        self.add_men(&mut sum, white & !kings, black & !kings);
        self.add_turn(&mut sum, white_to_move);
        let mut value = sum.at(shares.men);
        if !kings.is_empty() {
            value += self.kings(white, black, kings).at(shares.kings);
        }
        let value = self.keep(white, black, kings, (value / SCALE) as i32);
        if white_to_move { value } else { -value }
    }

    /// What [`Learned::evaluate`] is made of: the value of each of [`Part::ALL`], which add up to it.
    pub fn parts<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool) -> [(Part, i32); 5] {
        let shares = self.shares(white, black);
        let (mut men, mut turn) = (Sum::default(), Sum::default());
        self.add_men(&mut men, white & !kings, black & !kings);
        self.add_turn(&mut turn, white_to_move);
        let patterns = self.patterns(white & !kings, black & !kings).at(shares.men);
        let kings_sum = self.kings(white, black, kings).at(shares.kings);
        let sums = [patterns, men.at(shares.men), turn.at(shares.men), kings_sum];
        let side = if white_to_move { 1 } else { -1 };
        let (mut parts, mut sum, mut before) = ([0; 5], 0, 0);
        // What is rounded off one part is not lost: the sums up to each part are rounded, as the value is.
        for (part, value) in parts.iter_mut().zip(sums) {
            sum += value;
            let rounded = (sum / SCALE) as i32;
            *part = side * (rounded - before);
            before = rounded;
        }
        parts[4] = side * (self.keep(white, black, kings, before) - before);
        std::array::from_fn(|index| (Part::ALL[index], parts[index]))
    }

    #[inline(always)]
    fn shares<B: Bits>(&self, white: B, black: B) -> Shares {
        self.features.phases.at((white | black).count())
    }

    #[inline(always)]
    fn patterns<B: Bits>(&self, white_men: B, black_men: B) -> Sum {
        let mut sum = Sum::default();
        self.features.windows.for_each(white_men, black_men, |entry, for_white| {
            sum.add(self.weights[entry], if for_white { 1 } else { -1 });
        });
        sum
    }

    #[inline(always)]
    fn add_men<B: Bits>(&self, sum: &mut Sum, white_men: B, black_men: B) {
        sum.add(self.weights[self.features.man()], white_men.count() as i32 - black_men.count() as i32);
    }

    #[inline(always)]
    fn add_turn(&self, sum: &mut Sum, white_to_move: bool) {
        sum.add(self.weights[self.features.turn()], if white_to_move { 1 } else { -1 });
    }

    #[inline(always)]
    fn kings<B: Bits>(&self, white: B, black: B, kings: B) -> Sum {
        let mut sum = Sum::default();
        let weights = &self.weights[self.features.first_of_kings()..];
        self.features.kings.for_each(white, black, kings, |feature, times| sum.add(weights[feature], times));
        sum
    }

    /// What is kept of White's `value`.
    #[inline(always)]
    fn keep<B: Bits>(&self, white: B, black: B, kings: B, value: i32) -> i32 {
        let kept = if self.features.kind.lone_king_holds {
            value * kept_parts(white, black, kings, value > 0) / KEPT_PARTS
        } else {
            value
        };
        kept.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}
