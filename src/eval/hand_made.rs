//! The hand-made evaluation.

use super::term::{Features, TERMS};
use super::{Evaluate, MAX_EVALUATION, Term, Weights, drawish, kings, masks, men};
use crate::board::Bits;
use crate::position::{Pieces, Position};
use crate::rules::{BitsOf, Color, Rules};
use std::marker::PhantomData;

/// One more than the most pieces on any board, a power of two.
const PIECES: usize = 64;

/// With more pieces than this it is too early to say who will have to give way.
const FEW_FOR_OPPOSITION: u32 = 6;

/// A weighted sum of hand-made [`Term`]s, of which drawish endings keep only a part.
#[derive(Clone, Debug)]
pub struct HandMade<R: Rules> {
    /// The weights by the number of pieces on the board.
    weights: Box<[[i32; TERMS]; PIECES]>,
    rules: PhantomData<R>,
}

impl<R: Rules> HandMade<R> {
    /// The evaluation with the weights made for the game `R`.
    pub fn new() -> Self {
        Self::with(&Weights::of(&R::SPEC))
    }

    /// The evaluation with other weights.
    pub fn with(weights: &Weights) -> Self {
        let most = 2 * usize::from(R::SPEC.men());
        let at = |pieces: usize| std::array::from_fn(|term| weights.at(Term::ALL[term], pieces.min(most), most));
        Self { weights: Box::new(std::array::from_fn(at)), rules: PhantomData }
    }

    #[inline(always)]
    fn weights_for(&self, pieces: &Pieces<R>) -> &[i32; TERMS] {
        &self.weights[(pieces.white | pieces.black).count() as usize % PIECES]
    }
}

impl<R: Rules> Default for HandMade<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Rules> Evaluate<R> for HandMade<R> {
    #[inline]
    fn evaluate(&self, position: &Position<R>) -> i32 {
        let pieces = position.pieces();
        let sum = features(position).dot(self.weights_for(pieces));
        let kept = sum * drawish::keep(pieces, sum) / drawish::PARTS;
        let score = kept.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        if position.side() == Color::White { score } else { -score }
    }

    /// The terms, and as the last part what drawish endings take away from them.
    fn terms(&self, position: &Position<R>) -> Vec<(&'static str, i32)> {
        let sign = if position.side() == Color::White { 1 } else { -1 };
        let features = features(position);
        let weights = self.weights_for(position.pieces());
        let part = |&term: &Term| (term.name(), sign * features[term] * weights[term as usize]);
        let mut parts: Vec<_> = Term::ALL.iter().map(part).collect();
        let sum: i32 = parts.iter().map(|(_, value)| value).sum();
        parts.push(("drawish", self.evaluate(position) - sum));
        parts
    }
}

/// White's excess of each term over Black's.
#[inline(always)]
fn features<R: Rules>(position: &Position<R>) -> Features {
    let pieces = position.pieces();
    let mut features = of_side::<R, true>(pieces).minus(&of_side::<R, false>(pieces));
    let white_to_move = position.side() == Color::White;
    features[Term::Turn] = if white_to_move { 1 } else { -1 };
    if !R::SPEC.flying_kings {
        let columns = if white_to_move { home_columns::<R, true>() } else { home_columns::<R, false>() };
        features[Term::Opposition] = opposition(pieces, columns) * features[Term::Turn];
    }
    features
}

/// What can be counted for each side alone.
#[inline(always)]
fn of_side<R: Rules, const WHITE: bool>(pieces: &Pieces<R>) -> Features {
    let mut features = Features::NONE;
    men::count::<R, WHITE>(pieces, &mut features);
    if !pieces.kings(Color::of(WHITE)).is_empty() {
        kings::count::<R, WHITE>(pieces, &mut features);
    }
    features
}

#[inline(always)]
fn home_columns<R: Rules, const WHITE: bool>() -> BitsOf<R> {
    BitsOf::<R>::from_mask(const { masks::home_columns(&R::SPEC, WHITE) })
}

/// 1 if the side to move, whose home columns are given, has the move; -1 if the other side has it; 0 if it is too early
/// to say. Every move changes the parity of the pieces on these columns: the side that finds it odd can always
/// answer, until the other one has to step beside an enemy piece.
#[inline(always)]
fn opposition<R: Rules>(pieces: &Pieces<R>, home_columns: BitsOf<R>) -> i32 {
    let all = pieces.white | pieces.black;
    if all.count() > FEW_FOR_OPPOSITION || pieces.white.count() != pieces.black.count() {
        return 0;
    }
    if (all & home_columns).count() % 2 == 1 { 1 } else { -1 }
}
