//! The evaluation while it is learned: all weights as real numbers, in logits.

use super::table::{Pair, Step, Table};
use super::{Loss, Sample, TrainingSettings, sigmoid};
use crate::board::Bits;
use crate::eval::learned::{FULL_SHARE, Features, KEPT_PARTS, kept_parts};
use rayon::prelude::*;

/// Samples that one thread takes at a time. Not to be derived from the number of threads: losses are added up by chunk.
const CHUNK: usize = 512;

/// The evaluation while it is learned.
#[derive(Clone, Debug)]
pub(super) struct Model<'a> {
    features: &'a Features,
    /// The pattern tables, and last the other features.
    tables: Vec<Table>,
    /// For each entry that a position has, the table it is in, and the first entry of that table.
    readings: Vec<(usize, usize)>,
    /// What the other features are drawn towards.
    plain: Vec<f32>,
    /// Penalties on the loss summed over all positions, for patterns and for kings.
    l2: (f32, f32),
    /// The steps so far.
    steps: u32,
}

/// The gradient of a sample by the weights, each for the full and for the empty board.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    men: Pair,
    kings: Pair,
}

/// What has been found of a batch. The room is used again for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// The entries of each sample, one sample after the other.
    entries: Vec<u32>,
    pulls: Vec<Pull>,
}

/// The value that a pair of weights has at this share of the full board.
#[inline(always)]
fn at([full, empty]: Pair, shares: Pair) -> f32 {
    full * shares[0] + empty * shares[1]
}

/// The share of the full and of the empty board.
#[inline(always)]
fn both(full: i32) -> Pair {
    let full = full as f32 / FULL_SHARE as f32;
    [full, 1.0 - full]
}

impl<'a> Model<'a> {
    /// The weights of the beginning: plain values for pieces, and no patterns.
    pub(super) fn new(features: &'a Features, settings: &TrainingSettings) -> Self {
        let count = features.windows.tables();
        let size = features.windows.entries() / count;
        let in_logits = settings.man_logits / 100.0;
        let values = settings.plain_values;
        let mut plain = vec![values.man * in_logits, 0.0];
        plain.extend(features.kings.plain_values(values.king * in_logits, values.first_king * in_logits));
        let mut tables = vec![Table::new(vec![[0.0; 2]; size]); count];
        tables.push(Table::new(plain.iter().map(|&value| [value; 2]).collect()));
        let readings = features.windows.readings().into_iter().map(|table| (table, table * size)).collect();
        Self { features, tables, readings, plain, l2: (settings.l2, settings.l2_kings), steps: 0 }
    }

    /// All weights, in the order of the features.
    pub(super) fn values(&self) -> impl Iterator<Item = Pair> {
        self.tables.iter().flat_map(|table| table.values.iter().copied())
    }

    /// Calls `visit` with each feature that is no pattern, how often it counts for White, and whether it is one of kings.
    #[inline(always)]
    fn for_each_other<B: Bits>(&self, sample: &Sample<B>, mut visit: impl FnMut(usize, f32, bool)) {
        let Sample { white, black, kings, white_to_move, .. } = *sample;
        let men = (white & !kings).count() as i32 - (black & !kings).count() as i32;
        visit(0, men as f32, false);
        visit(1, if white_to_move { 1.0 } else { -1.0 }, false);
        if !kings.is_empty() {
            let first = self.features.first_of_kings() - self.features.man();
            let features = &self.features.kings;
            features.for_each(white, black, kings, |feature, times| visit(first + feature, times as f32, true));
        }
    }

    /// White's chances in logits, and how it pulls at the weights for each logit; its pattern entries go to `keep`.
    #[inline(always)]
    fn logits<B: Bits>(&self, sample: &Sample<B>, mut keep: impl FnMut(usize, usize)) -> (f32, Pull) {
        let Sample { white, black, kings, .. } = *sample;
        let shares = self.features.phases.at((white | black).count());
        let (men_shares, king_shares) = (both(shares.men), both(shares.kings));
        let mut sum = 0.0;
        let mut reading = 0;
        self.features.windows.for_each(white & !kings, black & !kings, |entry, for_white| {
            let (table, first) = self.readings[reading];
            let value = at(self.tables[table].values[entry - first], men_shares);
            sum += if for_white { value } else { -value };
            keep(reading, (entry - first) << 1 | usize::from(for_white));
            reading += 1;
        });
        let others = &self.tables[self.tables.len() - 1].values;
        self.for_each_other(sample, |feature, times, is_king| {
            sum += times * at(others[feature], if is_king { king_shares } else { men_shares });
        });
        let kept = if self.features.kind.lone_king_holds {
            kept_parts(white, black, kings, sum > 0.0) as f32 / KEPT_PARTS as f32
        } else {
            1.0
        };
        (sum * kept, Pull { men: men_shares.map(|share| share * kept), kings: king_shares.map(|share| share * kept) })
    }

    /// White's chances in logits.
    pub(super) fn predict<B: Bits>(&self, sample: &Sample<B>) -> f32 {
        self.logits(sample, |_, _| {}).0
    }

    /// The loss on some samples.
    pub(super) fn loss<B: Bits>(&self, samples: &[Sample<B>]) -> Loss {
        let of_chunk = |chunk: &[Sample<B>]| {
            let mut loss = Loss::default();
            chunk.iter().for_each(|sample| loss.add(self.predict(sample), sample.target));
            loss
        };
        let losses: Vec<Loss> = samples.par_chunks(CHUNK).map(of_chunk).collect();
        losses.into_iter().fold(Loss::default(), Loss::and)
    }

    /// Learns from the samples with these indices; `all` is the number of samples that share the penalties. The loss is that of
    /// the weights of before.
    pub(super) fn learn<B: Bits>(
        &mut self,
        samples: &[Sample<B>],
        indices: &[u32],
        all: usize,
        rate: f32,
        batch: &mut Batch,
    ) -> Loss {
        let loss = self.look(samples, indices, batch);
        let step = Step::new(rate, self.steps, indices.len());
        self.steps += 1;
        let (l2, l2_kings) = (self.l2.0 / all as f32, self.l2.1 / all as f32);
        let mut tables = std::mem::take(&mut self.tables);
        let (others, patterns) = tables.split_last_mut().map_or((None, &mut [][..]), |(last, rest)| (Some(last), rest));
        let width = self.readings.len();
        // Each table is the work of one thread, which takes the samples in their order: so the sums do not depend on the threads.
        rayon::join(
            || {
                patterns.par_iter_mut().enumerate().for_each(|(table, weights)| {
                    let of_table: Vec<usize> = (0..width).filter(|&at| self.readings[at].0 == table).collect();
                    for (entries, pull) in batch.entries.chunks_exact(width).zip(&batch.pulls) {
                        for &reading in &of_table {
                            let sign = if entries[reading] & 1 == 1 { 1.0 } else { -1.0 };
                            weights.pull((entries[reading] >> 1) as usize, pull.men.map(|by| sign * by));
                        }
                    }
                    weights.step(step, |_, value| l2 * value);
                });
            },
            || {
                let Some(weights) = others else { return };
                for (&index, pull) in indices.iter().zip(&batch.pulls) {
                    self.for_each_other(&samples[index as usize], |feature, times, is_king| {
                        weights.pull(feature, if is_king { pull.kings } else { pull.men }.map(|by| times * by));
                    });
                }
                weights.step(step, |index, value| (value - self.plain[index]) * if index < 2 { l2 } else { l2_kings });
            },
        );
        self.tables = tables;
        loss
    }

    /// Finds the entries of a batch, and how each sample pulls.
    fn look<B: Bits>(&self, samples: &[Sample<B>], indices: &[u32], batch: &mut Batch) -> Loss {
        let width = self.readings.len();
        batch.entries.resize(indices.len() * width, 0);
        batch.pulls.resize(indices.len(), Pull::default());
        let rooms = batch.entries.par_chunks_mut(CHUNK * width).zip(batch.pulls.par_chunks_mut(CHUNK));
        let of_chunk = |(indices, (entries, pulls)): (&[u32], (&mut [u32], &mut [Pull]))| {
            let mut loss = Loss::default();
            for ((&index, entries), pull) in indices.iter().zip(entries.chunks_exact_mut(width)).zip(pulls) {
                let sample = &samples[index as usize];
                let (logits, shares) = self.logits(sample, |reading, entry| entries[reading] = entry as u32);
                let excess = sigmoid(logits) - sample.target;
                *pull = Pull { men: shares.men.map(|by| by * excess), kings: shares.kings.map(|by| by * excess) };
                loss.add(logits, sample.target);
            }
            loss
        };
        let losses: Vec<Loss> = indices.par_chunks(CHUNK).zip(rooms).map(of_chunk).collect();
        losses.into_iter().fold(Loss::default(), Loss::and)
    }
}
