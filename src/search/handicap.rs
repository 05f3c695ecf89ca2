//! Weaker play: a short look ahead, and choices that are good rather than best.

use super::root_move::RootMove;
use super::score::Score;
use crate::rules::Word;

/// How much weaker than it could the search plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Deepest iteration.
    pub depth: u8,
    /// How much worse than the best a move can be, in hundredths of a man, and still be chosen about a third as often; at 0
    /// the best move is always played.
    pub spread: u16,
    /// What the choice depends on beside the scores.
    pub seed: u64,
}

impl Handicap {
    /// Moves that a weak player chooses from.
    pub const CANDIDATES: usize = 8;

    /// Lines that must have exact scores for the choice.
    pub(super) fn lines(self) -> usize {
        if self.spread == 0 { 1 } else { Self::CANDIDATES }
    }

    /// The index of the move to play among `moves`, which are ordered from the best on. A win is not missed when it
    /// is seen, and a loss is chosen only when there is nothing else.
    pub(super) fn choose<W: Word>(self, moves: &[RootMove<W>]) -> usize {
        let Some(best) = moves.first().map(|root| root.score) else { return 0 };
        if self.spread == 0 || best.is_decided() {
            return 0;
        }
        let is_candidate = |root: &RootMove<W>| !root.line.is_empty() && !root.score.is_decided();
        let weight = |score: Score| (-f64::from(best.falls_to(score)) / f64::from(self.spread)).exp();
        let weight_of = |root: &RootMove<W>| if is_candidate(root) { weight(root.score) } else { 0.0 };
        let weights: Vec<f64> = moves.iter().take(Self::CANDIDATES).map(weight_of).collect();
        let mut left = fastrand::Rng::with_seed(self.seed).f64() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::team::testing::english_start;

    /// How often each of the moves with these scores is chosen by a player of this spread.
    fn choices(scores: &[Score], spread: u16) -> Vec<usize> {
        let legal = english_start().legal_moves();
        let root = |(&mv, &score)| RootMove { score, line: vec![mv], ..RootMove::new(mv) };
        let moves: Vec<_> = legal.iter().zip(scores).map(root).collect();
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            counts[Handicap { depth: 3, spread, seed }.choose(&moves)] += 1;
        }
        counts
    }

    #[test]
    fn worse_moves_are_chosen_less_often() {
        let counts = choices(&[20, 0, -30, -400].map(Score::evaluation), 30);
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 20 && counts[3] == 0, "{counts:?}");
    }

    #[test]
    fn without_a_spread_the_best_is_played() {
        assert_eq!(choices(&[20, 20].map(Score::evaluation), 0), [1000, 0]);
    }

    #[test]
    fn a_win_is_played_and_a_loss_is_not() {
        assert_eq!(choices(&[-Score::lost_at(3), Score::evaluation(500)], 400), [1000, 0]);
        assert_eq!(choices(&[Score::evaluation(-600), Score::lost_at(2)], 400), [1000, 0]);
        // After a stop a new score can stand before an old one.
        let counts = choices(&[Score::evaluation(20), Score::lost_at(2), Score::evaluation(10)], 400);
        assert!(counts[1] == 0 && counts[2] > 400, "{counts:?}");
    }
}
