//! From logits to the weights of the evaluation.

use super::model::Model;
use super::{Sample, Samples, TrainingSettings};
use crate::board::Bits;
use crate::eval::learned::{Layout, UNIT, Weights};

/// A man is worth at least so many logits: with fewer, scores would have no bounds.
const LEAST_MAN: f64 = 0.1;

/// Logits of a score of 100: those that one man more brings on the average of the positions without kings.
///
/// Patterns hold a part of what a man is worth, so that the weight of a man alone does not tell.
pub(super) fn man_logits<B: Bits>(model: &Model<'_>, samples: &Samples<B>, settings: &TrainingSettings) -> f64 {
    let (mut products, mut squares) = (0.0, 0.0);
    let without_kings = |sample: &&Sample<B>| sample.kings.is_empty();
    for sample in samples.held_out.iter().filter(without_kings) {
        let men = f64::from(sample.white.count()) - f64::from(sample.black.count());
        products += men * f64::from(model.predict(sample));
        squares += men * men;
    }
    if settings.fixed_scale || squares == 0.0 {
        return f64::from(settings.man_logits).max(LEAST_MAN);
    }
    (products / squares).abs().max(LEAST_MAN)
}

/// The weights, rounded, and how many of them were out of range.
pub(super) fn export(model: &Model<'_>, layout: Layout, man_logits: f64) -> (Weights, usize) {
    let mut clamped = 0;
    let mut round = |logits: f32| {
        let value = (f64::from(logits) * 100.0 * f64::from(UNIT) / man_logits).round();
        let kept = value.clamp(i16::MIN.into(), i16::MAX.into());
        clamped += usize::from(kept != value);
        kept as i16
    };
    let values = model.values().map(|pair| pair.map(&mut round)).collect();
    (Weights { layout, values }, clamped)
}
