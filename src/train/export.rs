//! From the network of real numbers to the weights of the evaluation.

use super::layers::Layers;
use super::model::Model;
use super::{Samples, TrainingSettings};
use crate::board::Bits;
use crate::eval::learned::{
    ACCUMULATOR_LIMIT, FIRST_UNITS, OUTPUT_SCALE, QA, QB, SECOND_BIAS_LIMIT, SECOND_SCALE, SECOND_UNITS, Weights,
    greatest_accumulator,
};

/// A man is worth at least so many logits: with fewer, scores would have no bounds.
const LEAST_MAN: f64 = 0.1;

/// Logits of a score of 100: those that one man more brings on the average of the positions held out that have no kings.
pub(super) fn man_logits<B: Bits>(model: &Model, samples: &Samples<B>, settings: &TrainingSettings) -> f64 {
    if settings.fixed_scale {
        return settings.man_logits.into();
    }
    let (mut products, mut squares) = (0.0, 0.0);
    for sample in samples.held_out.iter().filter(|sample| sample.kings.is_empty()) {
        let men = f64::from(sample.white.count()) - f64::from(sample.black.count());
        let men = if sample.white_to_move { men } else { -men };
        products += men * f64::from(model.predict(sample));
        squares += men * men;
    }
    if squares == 0.0 { settings.man_logits.into() } else { (products / squares).abs().max(LEAST_MAN) }
}

/// The weights, rounded, and how many of them had to be made smaller.
pub(super) fn export(layers: &Layers, man_logits: f64) -> (Weights, usize) {
    let [first, first_bias, second, second_bias, last, last_bias] = layers.parts();
    let mut weights = Weights::zero(layers.inputs());
    let mut clamped = 0;
    let mut round = |weight: f32, one: f64, most: i32| {
        let value = (f64::from(weight) * one).round();
        let kept = value.clamp(-f64::from(most), most.into());
        clamped += usize::from(kept != value);
        kept as i32
    };
    let of_first = weights.first.iter_mut().chain([&mut weights.first_bias]).flatten();
    for (weight, &real) in of_first.zip(first.iter().chain(first_bias)) {
        *weight = round(real, QA.into(), ACCUMULATOR_LIMIT.into()) as i16;
    }
    for (from, reals) in second.as_chunks::<SECOND_UNITS>().0.iter().enumerate() {
        for (to, &real) in weights.second.iter_mut().zip(reals) {
            to[from] = round(real, QB.into(), i16::MAX.into()) as i16;
        }
    }
    for (bias, &real) in weights.second_bias.iter_mut().zip(second_bias) {
        *bias = round(real, SECOND_SCALE.into(), SECOND_BIAS_LIMIT);
    }
    let of_value = 100.0 * f64::from(OUTPUT_SCALE) / man_logits;
    for (value, &real) in weights.last.iter_mut().chain([&mut weights.last_bias]).zip(last.iter().chain(last_bias)) {
        *value = round(real, of_value, i32::MAX);
    }
    clamped += (0..FIRST_UNITS).map(|unit| shrink(&mut weights, unit)).sum::<usize>();
    (weights, clamped)
}

/// Makes the weights of a unit of the first layer smaller, all in the same proportion, if its sum could overflow. Returns how many
/// were.
fn shrink(weights: &mut Weights, unit: usize) -> usize {
    let (greatest, most) = (i64::from(greatest_accumulator(weights, unit)), i64::from(ACCUMULATOR_LIMIT));
    if greatest <= most {
        return 0;
    }
    for units in weights.first.iter_mut().chain([&mut weights.first_bias]) {
        units[unit] = (i64::from(units[unit]) * most / greatest) as i16;
    }
    weights.first.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::eval::learned::{GameKind, Learned};
    use crate::train::Sample;

    const KIND: GameKind = GameKind { shape: Shape::BOARD10, lone_king_holds: true };

    fn sample(random: &mut fastrand::Rng) -> Sample<u64> {
        let mut sample = Sample { white: 0, black: 0, kings: 0, target: 0.5, white_to_move: random.bool() };
        for square in Shape::BOARD10.all_squares() {
            let bit = u64::of(square);
            match random.u8(..4) {
                0 => sample.white |= bit,
                1 => sample.black |= bit,
                _ => continue,
            }
            sample.kings |= if random.u8(..6) == 0 { bit } else { 0 };
        }
        sample
    }

    #[test]
    fn whole_numbers_say_what_real_ones_say() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..5 {
            let model = Model::new(KIND, &mut random);
            let (weights, clamped) = export(&model.layers, 0.69);
            assert_eq!(clamped, 0);
            let learned = Learned::new(KIND, weights).unwrap();
            for _ in 0..200 {
                let position = sample(&mut random);
                let real = 100.0 * model.predict(&position) / 0.69;
                let Sample { white, black, kings, white_to_move, .. } = position;
                let whole = learned.evaluate(white, black, kings, white_to_move);
                assert!((real - whole as f32).abs() < 4.0, "{real} {whole}");
            }
        }
    }

    #[test]
    fn weights_that_are_too_large_are_made_smaller() {
        let mut layers = Model::new(KIND, &mut fastrand::Rng::with_seed(2)).layers;
        // One weight that is too large by itself, and one unit whose sum is.
        layers.weights[7] = -1000.0;
        let column = layers.weights.iter_mut().skip(3).step_by(FIRST_UNITS).take(20);
        column.for_each(|weight| *weight = 9.0);
        let (weights, clamped) = export(&layers, 0.69);
        let of_a_unit = layers.inputs() + 1;
        assert_eq!(clamped, 1 + 2 * of_a_unit);
        assert!([3, 7].into_iter().all(|unit| greatest_accumulator(&weights, unit) <= ACCUMULATOR_LIMIT as u32));
        assert!(weights.first[0][7] < -25_000 && weights.first[19][3] > 1000);
        assert!(Learned::new(KIND, weights).is_ok());
    }
}
