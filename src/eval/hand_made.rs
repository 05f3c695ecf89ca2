//! The hand-made evaluation.

use super::term::{Features, TERMS};
use super::{MAX_EVALUATION, Term, Weights, drawish, kings, masks, men};
use crate::board::Bits;
use crate::position::{GameRules, Pieces, Position};
use crate::rules::{Color, Family, FamilyVisitor, Word};

/// One more than the most pieces on any board, a power of two.
const PIECES: usize = 64;

/// With more pieces than this it is too early to say which side has the move (the opposition).
const FEW_FOR_OPPOSITION: u32 = 6;

/// White's excess of each term over Black's, with that side to move.
type Count<W> = fn(&Pieces<W>, Color) -> Features;

/// Their sum, each times its weight.
type Sum<W> = fn(&Pieces<W>, Color, &[i32; TERMS]) -> i32;

/// A weighted sum of hand-made [`Term`]s, scaled down in drawish endings.
#[derive(Clone, Debug)]
pub struct HandMade<W: Word> {
    /// The weights by the number of pieces on the board.
    weights: Box<[[i32; TERMS]; PIECES]>,
    count: Count<W>,
    sum: Sum<W>,
    is_hard_to_win: bool,
}

impl<W: Word> HandMade<W> {
    /// The evaluation with the weights made for the game by `rules`.
    pub fn new(rules: &GameRules<W>) -> Self {
        struct Compiled;
        impl<W: Word> FamilyVisitor<W> for Compiled {
            type Output = (Count<W>, Sum<W>);
            fn visit<F: Family<Word = W>>(self) -> Self::Output {
                (features::<F>, |pieces, side, weights| features::<F>(pieces, side).dot(weights))
            }
        }
        let spec = rules.spec();
        let (count, sum) = rules.with_family(Compiled);
        let weights = Weights::of(spec);
        let most = 2 * usize::from(spec.men());
        let at = |pieces: usize| std::array::from_fn(|term| weights.at(Term::ALL[term], pieces.min(most), most));
        let is_hard_to_win = drawish::is_hard_to_win(spec);
        Self { weights: Box::new(std::array::from_fn(at)), count, sum, is_hard_to_win }
    }

    #[inline(always)]
    fn weights_for(&self, pieces: &Pieces<W>) -> &[i32; TERMS] {
        &self.weights[pieces.all().count() as usize % PIECES]
    }

    /// The value of `position` in 1/100 man for the side to move, which must have no compulsory capture.
    #[inline]
    pub fn evaluate(&self, position: &Position<W>) -> i32 {
        let pieces = position.pieces();
        let mut score = (self.sum)(pieces, position.side(), self.weights_for(pieces));
        if self.is_hard_to_win && !pieces.kings.is_empty() {
            let kept = drawish::kept_parts(pieces.white, pieces.black, pieces.kings, score > 0);
            score = score * kept / drawish::KEPT_PARTS;
        }
        let score = score.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        if position.side() == Color::White { score } else { -score }
    }

    /// The terms for the side to move, and as the last part what drawish endings take away from them.
    pub fn terms(&self, position: &Position<W>) -> Vec<(&'static str, i32)> {
        let sign = if position.side() == Color::White { 1 } else { -1 };
        let features = (self.count)(position.pieces(), position.side());
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
fn features<F: Family>(pieces: &Pieces<F::Word>, side: Color) -> Features {
    let mut features = of_side::<F, true>(pieces).minus(&of_side::<F, false>(pieces));
    let white_to_move = side == Color::White;
    features[Term::Turn] = if white_to_move { 1 } else { -1 };
    if !F::RULES.flying_kings {
        let columns = if white_to_move { home_columns::<F, true>() } else { home_columns::<F, false>() };
        features[Term::Opposition] = opposition(pieces, columns) * features[Term::Turn];
    }
    features
}

/// The terms that are counted for each side alone.
#[inline(always)]
fn of_side<F: Family, const WHITE: bool>(pieces: &Pieces<F::Word>) -> Features {
    let mut features = Features::NONE;
    men::count::<F, WHITE>(pieces, &mut features);
    if !pieces.kings(Color::of(WHITE)).is_empty() {
        kings::count::<F, WHITE>(pieces, &mut features);
    }
    features
}

#[inline(always)]
fn home_columns<F: Family, const WHITE: bool>() -> F::Word {
    F::Word::from_mask(const { masks::home_columns(&F::RULES, WHITE) })
}

/// 1 if the side to move, whose home columns are given, has the move; -1 if the other side has it; 0 if it is too early
/// to say. Every move changes the parity of the pieces on these columns: the side that finds it odd can always
/// answer, until the other one has to step beside an enemy piece.
#[inline(always)]
fn opposition<W: Word>(pieces: &Pieces<W>, home_columns: W) -> i32 {
    let all = pieces.all();
    if all.count() > FEW_FOR_OPPOSITION || pieces.white.count() != pieces.black.count() {
        return 0;
    }
    if (all & home_columns).count() % 2 == 1 { 1 } else { -1 }
}
