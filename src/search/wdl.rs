//! The chances of win, draw and loss that a score stands for.

use super::Value;
use crate::rules::Variant;
use std::fmt;

/// The chances of the side to move in permille, 1000 together: what games of the engine against itself with about 800 nodes a move
/// ended in. A longer search makes fewer mistakes, and more of its games are draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

/// The chance to win with a score of `s` hundredths of a man is 1 / (1 + exp((a - s) / b)). The four numbers are a of the start position
/// and of the empty board, between which it is linear in the pieces, and the same of b. `tests/campaigns/fit_wdl.py` finds them
/// from games and prints these lines. With a at 0 or above, wins and losses together are never more than everything.
const MODELS: &[(Variant, [f32; 4])] = &[
    (Variant::Armenian, [137.5, 328.0, 360.5, 62.3]),
    (Variant::Brazilian, [34.3, 154.5, 50.9, 33.0]),
    (Variant::Breakthrough, [0.0, 0.0, 76.7, 154.2]),
    (Variant::Canadian, [83.7, 196.3, 177.3, 61.4]),
    (Variant::Casual, [20.9, 68.0, 51.7, 9.6]),
    (Variant::Czech, [64.6, 196.2, 68.5, 40.8]),
    (Variant::Dumm, [263.2, 297.0, 673.5, 78.9]),
    (Variant::English, [21.9, 74.2, 55.6, 11.2]),
    (Variant::Frisian, [1.5, 82.9, 77.0, 39.8]),
    (Variant::Frysk, [39.5, 178.4, 44.8, 38.2]),
    (Variant::International, [48.4, 129.9, 81.3, 31.7]),
    (Variant::Italian, [25.9, 106.0, 57.0, 11.5]),
    (Variant::Jamaican, [33.8, 135.8, 53.1, 26.8]),
    (Variant::KillerBrazilian, [3.1, 67.1, 47.4, 33.7]),
    (Variant::KillerRussian, [7.2, 68.2, 52.6, 28.7]),
    (Variant::Killer, [17.3, 31.3, 109.2, 7.6]),
    (Variant::LosingBrazilian, [0.4, 11.9, 179.8, 5.0]),
    (Variant::LosingEnglish, [18.7, 31.5, 121.4, 5.0]),
    (Variant::LosingItalian, [7.2, 38.3, 263.3, 5.0]),
    (Variant::LosingRussian, [0.0, 10.5, 172.2, 5.0]),
    (Variant::Losing, [0.0, 6.9, 449.8, 5.0]),
    (Variant::Pool, [27.3, 154.8, 49.9, 33.5]),
    (Variant::Portuguese, [52.9, 179.5, 65.2, 37.5]),
    (Variant::Russian, [40.2, 126.3, 53.9, 23.4]),
    (Variant::Spanish, [52.9, 179.5, 65.2, 37.5]),
    (Variant::Spantsiretti, [15.8, 173.2, 66.2, 50.8]),
    (Variant::SriLankan, [83.3, 194.2, 179.7, 62.2]),
    (Variant::Thai, [15.2, 133.8, 50.7, 41.8]),
    (Variant::Turkish, [40.7, 117.4, 57.7, 86.4]),
];

impl Wdl {
    /// The chances of a side to move with `value` when both sides together have so many `pieces`.
    #[must_use]
    pub fn new(variant: Variant, value: Value, pieces: usize) -> Self {
        let centimen = match value {
            Value::Centimen(centimen) => f32::from(centimen),
            Value::Win(_) => return Self { win: 1000, draw: 0, loss: 0 },
            Value::Loss(_) => return Self { win: 0, draw: 0, loss: 1000 },
        };
        let model = |wanted| MODELS.iter().find(|&&(variant, _)| variant == wanted).map(|&(_, numbers)| numbers);
        let model = model(variant).or_else(|| model(variant.with_forced_capture()?));
        let [a_start, a_end, b_start, b_end] = model.unwrap_or([75.0, 75.0, 50.0, 50.0]);
        let share = pieces as f32 / (2.0 * f32::from(variant.spec().men()));
        let (a, b) = (a_start * share + a_end * (1.0 - share), b_start * share + b_end * (1.0 - share));
        let permille = |score: f32| (1000.0 / (1.0 + libm::expf((a - score) / b))).round() as u16;
        let win = permille(centimen);
        let loss = permille(-centimen).min(1000 - win);
        Self { win, draw: 1000 - win - loss, loss }
    }

    /// The same chances as the other side sees them.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }
}

/// As the native protocol writes it: `120 700 180`.
impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_a_model() {
        for variant in Variant::listed() {
            assert!(MODELS.iter().any(|&(other, _)| other == variant), "{variant}");
        }
    }

    #[test]
    fn chances_grow_with_the_score_and_are_everything_together() {
        for &variant in Variant::ALL {
            for pieces in [2, 5, 12, 2 * usize::from(variant.spec().men())] {
                let all = (-3000..=3000).step_by(10).map(|score| Wdl::new(variant, Value::Centimen(score), pieces));
                let all: Vec<_> = all.collect();
                assert!(all.iter().all(|wdl| wdl.win + wdl.draw + wdl.loss == 1000), "{variant} {pieces}");
                assert!(all.is_sorted_by_key(|wdl| wdl.win), "{variant} {pieces}");
                let mirrored = all.iter().rev().map(|wdl| wdl.reversed());
                for (wdl, mirrored) in all.iter().zip(mirrored) {
                    assert!(wdl.win.abs_diff(mirrored.win) <= 1, "{variant} {pieces}: {wdl} {mirrored}");
                }
                assert!(all.last().is_some_and(|wdl| wdl.win > 950), "{variant} {pieces}");
            }
        }
    }

    #[test]
    fn a_decided_game_leaves_no_chance() {
        let chances = |value| Wdl::new(Variant::Thai, value, 12).to_string();
        assert_eq!([Value::Win(3), Value::Loss(2)].map(chances), ["1000 0 0", "0 0 1000"]);
    }
}
