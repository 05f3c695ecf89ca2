//! Conversion of evaluations to win, draw and loss probabilities, and to the score scale that all variants share.

use super::nnue::weights_origin;
use crate::rules::Variant;
use derive_more::Display;

/// Win, draw and loss probabilities for the side to move, in permille. They add up to 1000. They are fitted to
/// self-play games with about 800 nodes per move; with longer searches, more games are drawn.
///
/// The probabilities are displayed as in the native protocol: `120 700 180`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{win} {draw} {loss}")]
pub struct Wdl {
    /// Probability that the side to move wins.
    pub win: u16,
    /// Probability that the game is drawn.
    pub draw: u16,
    /// Probability that the side to move loses.
    pub loss: u16,
}

/// A model that converts values of the trained evaluation to probabilities. It depends on the variant and on the number
/// of pieces.
///
/// The probability of winning with evaluation `e` is 1 / (1 + exp((a - e) / b)), and the probability of losing is the
/// same expression for `-e`. Scores are scaled so that at a score of 100, the probability of winning is 50 percentage
/// points above the probability of losing, that is, an expected score of 75 %. The value of a man on this scale depends
/// on the variant and the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    a: f32,
    /// Increase in the evaluation that multiplies the odds of winning by Euler's number.
    b: f32,
    /// Evaluation that corresponds to a score of 100.
    unit: f32,
}

/// Model parameters: `a` for the start position and for an empty board, then `b` for the start position and for an
/// empty board. In between, both are linear in the number of pieces. A variant that uses another variant's weights
/// needs no row. `tests/campaigns/fit_wdl.py` fits the parameters to games and prints these lines. Because `a` is never
/// negative, the probabilities of winning and losing never add up to more than 1.
const MODELS: &[(Variant, [f32; 4])] = &[
    (Variant::Armenian, [18.9, 163.0, 182.6, 29.2]),
    (Variant::Brazilian, [50.0, 154.9, 55.0, 36.1]),
    (Variant::Breakthrough, [0.0, 0.0, 112.6, 111.4]),
    (Variant::Canadian, [80.6, 223.9, 212.7, 72.2]),
    (Variant::Casual, [29.0, 90.7, 56.1, 8.9]),
    (Variant::CasualOptional, [26.9, 162.3, 98.7, 6.9]),
    (Variant::Czech, [95.0, 160.0, 80.3, 36.7]),
    (Variant::Dumm, [80.8, 186.8, 598.4, 40.1]),
    (Variant::English, [21.1, 147.4, 65.5, 14.7]),
    (Variant::EnglishOptional, [24.0, 139.7, 90.6, 6.8]),
    (Variant::Frisian, [6.3, 129.0, 106.3, 64.5]),
    (Variant::Frysk, [46.4, 120.3, 49.3, 9.2]),
    (Variant::International, [58.1, 155.3, 96.1, 42.2]),
    (Variant::Italian, [38.9, 107.6, 61.3, 12.7]),
    (Variant::KillerBrazilian, [6.9, 83.5, 61.8, 22.1]),
    (Variant::KillerRussian, [3.3, 150.0, 53.9, 54.8]),
    (Variant::Killer, [17.2, 44.5, 133.7, 8.1]),
    (Variant::LosingBrazilian, [0.0, 13.9, 260.4, 5.0]),
    (Variant::LosingEnglish, [0.1, 85.6, 333.4, 5.9]),
    (Variant::LosingItalian, [3.4, 66.8, 237.8, 5.0]),
    (Variant::LosingRussian, [0.0, 13.3, 251.4, 5.0]),
    (Variant::Losing, [0.0, 2.1, 115.2, 97.8]),
    (Variant::Pool, [66.8, 105.6, 68.5, 16.6]),
    (Variant::Russian, [47.8, 139.2, 54.4, 29.7]),
    (Variant::Spanish, [87.8, 166.3, 79.2, 34.5]),
    (Variant::Spantsiretti, [30.1, 172.3, 81.3, 48.7]),
    (Variant::Thai, [21.7, 134.6, 56.7, 24.3]),
    (Variant::Turkish, [47.7, 139.0, 130.1, 51.9]),
];

/// Returns the model parameters of `variant` or of the variant whose weights it uses. Returns `None` if neither of them
/// has a row.
fn model_of(variant: Variant) -> Option<[f32; 4]> {
    let row = |wanted: Variant| MODELS.iter().find(|&&(other, _)| other == wanted).map(|row| row.1);
    row(variant).or_else(|| row(weights_origin(variant)?))
}

impl Chances {
    /// Returns the model for positions of `variant` with `pieces` pieces on the board. Pieces of both sides count.
    #[must_use]
    pub fn for_pieces(variant: Variant, pieces: usize) -> Self {
        let [a_start, a_end, b_start, b_end] = model_of(variant).unwrap_or([75.0, 75.0, 50.0, 50.0]);
        // A position that was set up may have more pieces than the start position.
        let share = (pieces as f32 / (2.0 * f32::from(variant.spec().men()))).min(1.0);
        let (a, b) = (a_start * share + a_end * (1.0 - share), b_start * share + b_end * (1.0 - share));
        // `P(win) - P(loss) = sinh(e / b) / (cosh(e / b) + cosh(a / b))`. The difference is 1/2 if `x = exp(e / b)`
        // solves `x^2 - 2 cosh(a / b) x - 3 = 0`.
        let cosh = libm::coshf(a / b);
        Self { a, b, unit: b * libm::logf(cosh + libm::sqrtf(cosh * cosh + 3.0)) }
    }

    /// Converts a value of the trained evaluation to a score on the common scale.
    #[must_use]
    pub fn score(&self, evaluation: i32) -> i32 {
        (evaluation as f32 * 100.0 / self.unit).round() as i32
    }

    /// Returns the probabilities for a `score` on the common scale.
    #[must_use]
    pub fn wdl(&self, score: i16) -> Wdl {
        let evaluation = f32::from(score) * self.unit / 100.0;
        let permille = |evaluation: f32| (1000.0 / (1.0 + libm::expf((self.a - evaluation) / self.b))).round() as u16;
        let win = permille(evaluation);
        let loss = permille(-evaluation).min(1000 - win);
        Wdl { win, draw: 1000 - win - loss, loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everywhere() -> impl Iterator<Item = (Variant, usize)> {
        let of = |&variant: &Variant| {
            let spec = variant.spec();
            let (start, full_board) = (2 * usize::from(spec.men()), spec.shape.squares().into());
            [2, 5, 12, start, full_board].map(|pieces| (variant, pieces))
        };
        Variant::ALL.iter().flat_map(of)
    }

    #[test]
    fn every_variant_has_a_model() {
        for &variant in Variant::ALL {
            assert!(model_of(variant).is_some(), "{variant}");
        }
    }

    #[test]
    fn the_model_and_the_weights_of_a_variant_have_the_same_origin() {
        let mut borrowers = 0;
        for &variant in Variant::ALL {
            let origin = weights_origin(variant).unwrap();
            borrowers += u32::from(origin != variant);
            assert_eq!(model_of(variant), model_of(origin), "{variant} {origin}");
        }
        assert!(borrowers > 0);
    }

    #[test]
    fn a_score_of_100_is_the_same_chance_everywhere() {
        for (variant, pieces) in everywhere() {
            let Wdl { win, loss, .. } = Chances::for_pieces(variant, pieces).wdl(100);
            assert!((499..=501).contains(&(win - loss)), "{variant} {pieces}: {win} {loss}");
        }
    }

    #[test]
    fn a_score_keeps_the_sign_and_the_order_of_evaluations() {
        for (variant, pieces) in everywhere() {
            let chances = Chances::for_pieces(variant, pieces);
            assert_eq!(chances.score(0), 0);
            assert!((-9000..=9000).is_sorted_by_key(|evaluation| chances.score(evaluation)), "{variant} {pieces}");
            assert!((1..=9000).all(|evaluation| chances.score(-evaluation) == -chances.score(evaluation)), "{variant}");
        }
    }

    #[test]
    fn chances_grow_with_the_score_and_add_up_to_one() {
        for (variant, pieces) in everywhere() {
            let chances = Chances::for_pieces(variant, pieces);
            let all: Vec<_> = (-3000..=3000).step_by(10).map(|score| chances.wdl(score)).collect();
            assert!(all.iter().all(|wdl| wdl.win + wdl.draw + wdl.loss == 1000), "{variant} {pieces}");
            assert!(all.is_sorted_by_key(|wdl| wdl.win), "{variant} {pieces}");
            for (wdl, mirrored) in all.iter().zip(all.iter().rev()) {
                assert!(wdl.win.abs_diff(mirrored.loss) <= 1, "{variant} {pieces}: {wdl} {mirrored}");
            }
            assert!(all.last().is_some_and(|wdl| wdl.win > 950), "{variant} {pieces}");
        }
    }
}
