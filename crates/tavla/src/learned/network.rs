//! A network with one hidden layer: evaluation, training and file format.
//!
//! Sums are computed in a fixed order and use only IEEE 754 operations whose results are exactly defined. Training
//! therefore gives the same result on every machine.

use super::features::{INPUTS, TavlaInputs};
use super::{CONTACT_UNITS, Estimate, RACE_UNITS, TavlaWeights};
use anyhow::{Context, Result, ensure};
use soffio::checksummed_file::{Format, Reader, long_string};
use soffio::files::read_regular;
use std::path::Path;

/// Number of outputs: the probabilities of a win, a win by mars and a loss by mars.
const OUTPUTS: usize = 3;

#[derive(Clone, Debug, PartialEq)]
pub struct TavlaNetwork<const H: usize> {
    /// Weights of the inputs, indexed by input and hidden unit.
    input: Vec<[f32; H]>,
    hidden_bias: [f32; H],
    /// Weights of the outputs, indexed by output and hidden unit.
    output: [[f32; H]; OUTPUTS],
    output_bias: [f32; OUTPUTS],
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

impl<const H: usize> TavlaNetwork<H> {
    pub const WEIGHTS: usize = (INPUTS + 1) * H + (H + 1) * OUTPUTS;

    pub fn random(random: &mut fastrand::Rng) -> Self {
        let mut weights = (0..Self::WEIGHTS).map(|_| (random.f32() - 0.5) * 0.2);
        let mut layer = || std::array::from_fn(|_| weights.next().unwrap_or_default());
        let input = (0..INPUTS).map(|_| layer()).collect();
        let (hidden_bias, output) = (layer(), [layer(), layer(), layer()]);
        Self { input, hidden_bias, output, output_bias: [0.0, -1.0, -1.0] }
    }

    pub fn weights(&self) -> impl Iterator<Item = f32> + '_ {
        let layers = self.input.iter().chain([&self.hidden_bias]).chain(&self.output);
        layers.flatten().chain(&self.output_bias).copied()
    }

    pub fn approach(&mut self, other: &Self, part: f32) {
        let layers = self.input.iter_mut().chain([&mut self.hidden_bias]).chain(&mut self.output);
        let weights = layers.flatten().chain(&mut self.output_bias);
        weights.zip(other.weights()).for_each(|(weight, other)| *weight += part * (other - *weight));
    }

    pub fn from_weights(weights: &[f32]) -> Option<Self> {
        if weights.len() != Self::WEIGHTS {
            return None;
        }
        let (layers, rest) = weights.as_chunks::<H>();
        let (input, rest_of_layers) = layers.split_at_checked(INPUTS)?;
        let &[hidden_bias, first, second, third] = rest_of_layers else { return None };
        let output_bias = rest.try_into().ok()?;
        Some(Self { input: input.to_vec(), hidden_bias, output: [first, second, third], output_bias })
    }

    fn hidden_sums(&self, inputs: &TavlaInputs) -> [f32; H] {
        let mut sums = self.hidden_bias;
        for &(input, value) in inputs.active() {
            if let Some(weights) = self.input.get(usize::from(input)) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += value * weight;
                }
            }
        }
        sums
    }

    fn outputs(&self, hidden: &[f32; H]) -> [f32; OUTPUTS] {
        std::array::from_fn(|number| {
            // Uses eight partial sums, which the compiler can vectorise.
            let mut parts = [0.0_f32; 8];
            for (units, weights) in hidden.chunks_exact(8).zip(self.output[number].chunks_exact(8)) {
                for ((part, unit), weight) in parts.iter_mut().zip(units).zip(weights) {
                    *part += unit * weight;
                }
            }
            logistic(self.output_bias[number] + parts.iter().sum::<f32>())
        })
    }

    pub fn estimate(&self, inputs: &TavlaInputs) -> Estimate {
        const { assert!(H.is_multiple_of(8)) };
        let mut hidden = self.hidden_sums(inputs);
        for unit in &mut hidden {
            *unit /= 1.0 + unit.abs();
        }
        let [win, win_mars, lose_mars] = self.outputs(&hidden);
        Estimate { win, win_mars, lose_mars }
    }

    /// Reduces the cross entropy between the output and `target` with one gradient step of learning rate `rate`.
    /// Returns the estimate before the step.
    pub fn train(&mut self, inputs: &TavlaInputs, target: &Estimate, rate: f32) -> Estimate {
        let mut hidden = self.hidden_sums(inputs);
        let mut slope = [0.0; H];
        for (unit, slope) in hidden.iter_mut().zip(&mut slope) {
            let scale = 1.0 / (1.0 + unit.abs());
            *unit *= scale;
            *slope = scale * scale;
        }
        let [win, win_mars, lose_mars] = self.outputs(&hidden);
        let errors = [target.win - win, target.win_mars - win_mars, target.lose_mars - lose_mars];
        let mut deltas = [0.0_f32; H];
        for (number, error) in errors.into_iter().enumerate() {
            let step = rate * error;
            for ((delta, weight), unit) in deltas.iter_mut().zip(&mut self.output[number]).zip(&hidden) {
                *delta += step * *weight;
                *weight += step * unit;
            }
            self.output_bias[number] += step;
        }
        for (delta, slope) in deltas.iter_mut().zip(&slope) {
            *delta *= slope;
        }
        for (bias, delta) in self.hidden_bias.iter_mut().zip(&deltas) {
            *bias += delta;
        }
        for &(input, value) in inputs.active() {
            if let Some(weights) = self.input.get_mut(usize::from(input)) {
                for (weight, delta) in weights.iter_mut().zip(&deltas) {
                    *weight += value * delta;
                }
            }
        }
        Estimate { win, win_mars, lose_mars }
    }
}

const FORMAT: Format = Format { magic: b"SOFFTAVL", version: 1, name: "a tavla weights file" };

const COMPRESSION: u8 = 9;

/// Weights with a provenance note. They are stored in a checksummed file whose version also identifies the set of
/// inputs.
///
/// | bytes | meaning |
/// | --- | --- |
/// | 2, 2, 2 | inputs, hidden units of the contact network, hidden units of the race network |
/// | 2 + n | length of the provenance note, and the note |
/// | n | zlib stream of the weights of both networks as 32-bit floats |
#[derive(Clone, Debug, PartialEq)]
pub struct TavlaWeightsFile {
    pub note: String,
    pub weights: TavlaWeights,
}

const CONTENT: &str = "the weights cannot be decompressed or are not numbers";

/// Maximum number of bytes to read. No valid file is that long.
const MAX_FILE_BYTES: u64 = 1 << 25;

const SIZES: [u16; 3] = [INPUTS as u16, CONTACT_UNITS as u16, RACE_UNITS as u16];

impl TavlaWeightsFile {
    pub fn to_bytes(&self) -> Vec<u8> {
        let TavlaWeights { contact, race } = &self.weights;
        let weights: Vec<u8> = contact.weights().chain(race.weights()).flat_map(f32::to_le_bytes).collect();
        let mut content: Vec<u8> = SIZES.iter().flat_map(|size| size.to_le_bytes()).collect();
        content.extend(long_string(&self.note));
        content.extend(miniz_oxide::deflate::compress_to_vec_zlib(&weights, COMPRESSION));
        FORMAT.seal(&content)
    }

    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(&read_regular(path, MAX_FILE_BYTES)?)
    }

    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Self::content(Reader::new(FORMAT.open(bytes)?))
    }

    fn content(mut rest: Reader<'_>) -> Result<Self> {
        for size in SIZES {
            let found = rest.number().context(CONTENT)?;
            ensure!(u16::from_le_bytes(found) == size, "the layer sizes do not match this program's network");
        }
        let note = rest.long_string().context(CONTENT)?.to_owned();
        let of_contact = TavlaNetwork::<CONTACT_UNITS>::WEIGHTS;
        let size = 4 * (of_contact + TavlaNetwork::<RACE_UNITS>::WEIGHTS);
        let content = rest.decompress(size).context(CONTENT)?;
        let (numbers, _) = content.as_chunks::<4>();
        let weights: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        ensure!(content.len() == size && weights.iter().all(|weight| weight.is_finite()), CONTENT);
        let (contact, race) = weights.split_at_checked(of_contact).context(CONTENT)?;
        let networks = TavlaNetwork::from_weights(contact).zip(TavlaNetwork::from_weights(race));
        let (contact, race) = networks.context(CONTENT)?;
        Ok(Self { note, weights: TavlaWeights { contact, race } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::rules::TavlaBoard;

    #[test]
    fn weights_are_read_back() {
        let network = TavlaNetwork::<16>::random(&mut fastrand::Rng::with_seed(1));
        let weights: Vec<f32> = network.weights().collect();
        assert_eq!(weights.len(), TavlaNetwork::<16>::WEIGHTS);
        assert_eq!(TavlaNetwork::from_weights(&weights), Some(network));
        assert_eq!(TavlaNetwork::<16>::from_weights(&weights[1..]), None);
    }

    #[test]
    fn repeated_interpolation_gives_the_average() {
        let mut random = fastrand::Rng::with_seed(3);
        let networks: Vec<_> = (0..10).map(|_| TavlaNetwork::<8>::random(&mut random)).collect();
        let mut average = networks[0].clone();
        for (number, network) in networks.iter().enumerate() {
            average.approach(network, 1.0 / (number + 1) as f32);
        }
        let all: Vec<Vec<f32>> = networks.iter().map(|network| network.weights().collect()).collect();
        for (place, found) in average.weights().enumerate() {
            let mean = all.iter().map(|weights| weights[place]).sum::<f32>() / 10.0;
            assert!((found - mean).abs() < 1e-5, "weight {place}: {found} {mean}");
        }
    }

    #[test]
    fn training_moves_the_estimate_to_the_target() {
        let mut network = TavlaNetwork::<16>::random(&mut fastrand::Rng::with_seed(1));
        let inputs = TavlaInputs::new(&TavlaBoard::start());
        let target = Estimate { win: 0.9, win_mars: 0.3, lose_mars: 0.01 };
        let before = network.estimate(&inputs);
        assert_eq!(network.train(&inputs, &target, 0.0).win.to_bits(), before.win.to_bits());
        for _ in 0..2000 {
            network.train(&inputs, &target, 0.05);
        }
        let after = network.estimate(&inputs);
        assert!((after.win - 0.9).abs() < 0.01 && (after.win_mars - 0.3).abs() < 0.01, "{after:?}");
    }

    #[test]
    fn the_gradient_matches_the_cross_entropy() {
        let network = TavlaNetwork::<8>::random(&mut fastrand::Rng::with_seed(2));
        let mut random = Random::new(5);
        let inputs = TavlaInputs::new(&random.board());
        let target = Estimate { win: 0.7, win_mars: 0.4, lose_mars: 0.1 };
        let loss = |weights: &[f32]| {
            let estimate = TavlaNetwork::<8>::from_weights(weights).unwrap().estimate(&inputs);
            let part = |target: f32, found: f32| {
                -f64::from(target) * f64::from(found).ln() - (1.0 - f64::from(target)) * (1.0 - f64::from(found)).ln()
            };
            part(target.win, estimate.win)
                + part(target.win_mars, estimate.win_mars)
                + part(target.lose_mars, estimate.lose_mars)
        };
        let mut learned = network.clone();
        learned.train(&inputs, &target, 1e-3);
        let before: Vec<f32> = network.weights().collect();
        let after: Vec<f32> = learned.weights().collect();
        let mut checked = 0;
        for place in (0..before.len()).step_by(7) {
            let step = f64::from(after[place] - before[place]) / 1e-3;
            let (mut up, mut down) = (before.clone(), before.clone());
            up[place] += 1e-2;
            down[place] -= 1e-2;
            let slope = (loss(&down) - loss(&up)) / 2e-2;
            assert!((step - slope).abs() < 2e-3 + 0.05 * slope.abs(), "weight {place}: {step} {slope}");
            checked += usize::from(slope.abs() > 0.01);
        }
        assert!(checked > 5, "{checked}");
    }

    fn sample() -> TavlaWeightsFile {
        let weights = TavlaWeights::random(&mut fastrand::Rng::with_seed(1));
        TavlaWeightsFile { note: "1000 games, seed 1".to_owned(), weights }
    }

    #[test]
    fn a_written_file_is_read_back() {
        let file = sample();
        assert_eq!(TavlaWeightsFile::parse(&file.to_bytes()).unwrap(), file);
    }

    #[test]
    fn the_embedded_file_names_its_origin() {
        assert!(crate::learned::embedded().note.contains("games"));
    }

    #[test]
    fn the_reason_is_reported() {
        let good = sample().to_bytes();
        let error = |bytes: &[u8]| TavlaWeightsFile::parse(bytes).unwrap_err().to_string();
        assert_eq!(error(b"GIF89a"), "not a tavla weights file");
        assert_eq!(error(&good[..99]), format!("the file should have {} bytes but has 99", good.len()));
        let content = FORMAT.open(&good).unwrap();
        let changed = |place: usize| {
            let mut content = content.to_vec();
            content[place] ^= 1;
            error(&FORMAT.seal(&content))
        };
        assert_eq!(changed(0), "the layer sizes do not match this program's network");
        assert_eq!(changed(6), "the weights cannot be decompressed or are not numbers", "the length of the note");
        assert_eq!(error(&FORMAT.seal(&content[..5])), "the weights cannot be decompressed or are not numbers");
    }
}
