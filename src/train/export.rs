//! From the network of real numbers to the weights of the evaluation.

use super::model::Model;
use super::{Samples, TrainingSettings};
use crate::board::Bits;
use crate::eval::learned::{
    FIRST_ONE, HIDDEN, MOST_OF_A_SUM, MOST_SECOND_BIAS, SECOND_ONE, SECOND_WEIGHT_ONE, UNITS, VALUE_ONE, Weights,
};

/// A man is worth at least so many logits: with fewer, scores would have no bounds.
const LEAST_MAN: f64 = 0.1;

/// Logits of a score of 100: those that one man more brings on the average of the positions without kings.
pub(super) fn man_logits<B: Bits>(model: &Model, samples: &Samples<B>, settings: &TrainingSettings) -> f64 {
    let (mut products, mut squares) = (0.0, 0.0);
    for sample in samples.held_out.iter().filter(|sample| sample.kings.is_empty()) {
        let men = f64::from(sample.white.count()) - f64::from(sample.black.count());
        let men = if sample.white_to_move { men } else { -men };
        products += men * f64::from(model.predict(sample));
        squares += men * men;
    }
    if settings.fixed_scale || squares == 0.0 {
        return f64::from(settings.man_logits).max(LEAST_MAN);
    }
    (products / squares).abs().max(LEAST_MAN)
}

/// The weights, rounded, and how many of them were out of range.
pub(super) fn export(model: &Model, man_logits: f64) -> (Weights, usize) {
    let [first, first_bias, second, second_bias, last, last_bias] = model.layers.parts();
    let mut clamped = 0;
    let mut round = |weight: f32, one: f64, most: i32| {
        let value = (f64::from(weight) * one).round();
        let kept = value.clamp(-f64::from(most), most.into());
        clamped += usize::from(kept != value);
        kept as i32
    };
    // However many of them are added up, the sum stays in its bounds.
    let most = i32::from(MOST_OF_A_SUM) / (model.layers.inputs() / 4 + 1) as i32;
    let mut of_first =
        |weights: &[f32]| weights.iter().map(|&weight| round(weight, FIRST_ONE.into(), most) as i16).collect();
    let (first, first_bias) = (of_first(first), of_first(first_bias));
    let turned = (0..HIDDEN).flat_map(|unit| (0..UNITS).map(move |from| second[from * HIDDEN + unit]));
    let second = turned.map(|weight| round(weight, SECOND_WEIGHT_ONE.into(), i16::MAX.into()) as i16).collect();
    let second_bias = second_bias.iter().map(|&weight| round(weight, SECOND_ONE.into(), MOST_SECOND_BIAS)).collect();
    let of_value = 100.0 * f64::from(VALUE_ONE) / man_logits;
    let last = last.iter().map(|&weight| round(weight, of_value, i32::MAX)).collect();
    let last_bias = round(last_bias[0], of_value, i32::MAX);
    (Weights { first, first_bias, second, second_bias, last, last_bias }, clamped)
}
