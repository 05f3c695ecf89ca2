//! How to learn.

use crate::board::Lines;
use crate::eval::learned::Layout;
use crate::rules::{Objective, RuleSet};

/// Values in 1/100 man that the weights of pieces are drawn towards, and that they begin with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainValues {
    /// A man.
    pub man: f32,
    /// A king.
    pub king: f32,
    /// What the first king is worth beyond that.
    pub first_king: f32,
}

impl PlainValues {
    /// What pieces are worth by the rules `spec`, as far as can be said before anything is learned; nothing where the aim is to
    /// lose them.
    pub fn of(spec: &RuleSet) -> Self {
        let (man, king, first_king) = match (spec.objective, spec.flying_kings, spec.captures) {
            (Objective::Losing, ..) => (0.0, 0.0, 0.0),
            (_, true, Lines::Orthogonal) => (100.0, 350.0, 100.0),
            (_, true, _) => (100.0, 250.0, 100.0),
            (_, false, _) => (100.0, 130.0, 30.0),
        };
        Self { man, king, first_king }
    }
}

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingSettings {
    /// Which squares the patterns have.
    pub layout: Layout,
    /// Positions before this ply are left out: they are the random ones.
    pub first_ply: u16,
    /// The share of the games, from 0 to 1, that are not learned from but show when to stop.
    pub held_out: f64,
    /// The most times that all positions are learned from.
    pub epochs: u32,
    /// So many epochs in a row that hardly improve the loss on the games held out end the learning.
    pub patience: u32,
    /// Positions between two changes of the weights.
    pub batch: usize,
    /// The rate of Adam at the beginning, in logits.
    pub rate: f32,
    /// What the rate is multiplied with after each epoch.
    pub rate_decay: f32,
    /// The penalty of half the square of a weight, in logits, on the loss summed over all positions. The positions of a game share
    /// its result, so that it has to be far larger than for as many independent ones: try 30 to 400.
    pub l2: f32,
    /// The same for what the weights of kings lie off their plain values.
    pub l2_kings: f32,
    /// The plies after which a result counts for no more than a third: positions from which a win is near are to be worth more
    /// than those from which it is far, so that the evaluation leads there. 0 if a result always counts whole.
    pub fading: f32,
    /// The share of the search score in what is learned, from 0 for results alone to 1.
    pub score_share: f32,
    /// Positions whose score is further from 0 than this, in 1/100 man, are left out if scores are learned: a search that
    /// sees a win says nothing about patterns.
    pub most_score: i16,
    /// Logits of a man, by which scores are turned into chances and, if [`TrainingSettings::fixed_scale`], weights into scores.
    pub man_logits: f32,
    /// Whether a score of 100 has [`TrainingSettings::man_logits`]. Otherwise it has as many as one man more brings in the positions
    /// without kings, which needs a game in which men are worth something.
    pub fixed_scale: bool,
    /// What pieces are worth before anything is known.
    pub plain_values: PlainValues,
    /// Seed of the choice of games held out and of the order of positions.
    pub seed: u64,
}

impl TrainingSettings {
    /// Settings that are good for a game by the rules `spec`.
    pub fn of(spec: &RuleSet) -> Self {
        let plain_values = PlainValues::of(spec);
        // Where men have no value a score of 100 cannot be what one brings.
        let fixed_scale = plain_values.man == 0.0;
        // Results alone need several times as many games: see `docs/training.md`.
        Self { fixed_scale, score_share: 0.5, ..Self::new(Layout::standard(spec.shape), plain_values) }
    }

    /// Settings that are good for some million positions.
    pub fn new(layout: Layout, plain_values: PlainValues) -> Self {
        Self {
            layout,
            first_ply: 8,
            held_out: 0.08,
            epochs: 24,
            patience: 2,
            batch: 8192,
            rate: 0.01,
            rate_decay: 0.75,
            l2: 60.0,
            l2_kings: 200.0,
            fading: 0.0,
            score_share: 0.0,
            most_score: 600,
            man_logits: 0.69,
            fixed_scale: false,
            plain_values,
            seed: 1,
        }
    }
}
