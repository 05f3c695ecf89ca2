//! Reports of training: progress and result.

/// What became of the positions of the files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleCounts {
    /// Games read.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Positions left out because a side could capture.
    pub not_quiet: u64,
    /// Positions left out because they came too early.
    pub early: u64,
    /// Positions left out because their score was missing or too far from 0, where scores are learned.
    pub scored_out: u64,
    /// Positions left out because the same one had come before.
    pub duplicates: u64,
    /// Positions to learn from.
    pub fit: u64,
    /// Positions held out.
    pub held_out: u64,
}

/// The logistic loss, in nats a position, after some epochs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Epochs so far, from 0 for the weights of the beginning.
    pub epoch: u32,
    /// On the positions learned from, each as the weights were at its turn; for the first entry on those held out.
    pub fit: f64,
    /// On the positions held out.
    pub held_out: f64,
}

/// How far the learning is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrainingProgress {
    /// Files are being read.
    Read(SampleCounts),
    /// An epoch, counted from 1, is on its way.
    Batch {
        /// The epoch.
        epoch: u32,
        /// Positions done in it.
        done: usize,
        /// Positions of an epoch.
        all: usize,
    },
    /// An epoch is done.
    Epoch(Epoch),
}

/// What was learned from, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingReport {
    /// What became of the positions.
    pub counts: SampleCounts,
    /// The loss from epoch to epoch.
    pub epochs: Vec<Epoch>,
    /// The epoch whose weights were kept.
    pub best: Epoch,
    /// Logits of a score of 100.
    pub man_logits: f64,
    /// Weights that were made smaller, so that they fit into the file and no sum overflows.
    pub clamped: usize,
}
