//! Tunes the search parameters by SPSA (simultaneous perturbation stochastic approximation; J. C. Spall, IEEE
//! Transactions on Automatic Control 37, 1992).
//!
//! Each iteration perturbs every parameter at random, up or down. Two searches with opposite perturbations play pairs
//! of games in all variants, and each parameter moves towards the value of the winner.
//!
//! The journal has one line per iteration. A run depends only on the plan and the results, so it can be resumed from
//! its journal. The shards of a plan are independent runs. The mean of their values is better than the values of a
//! single run.

use super::self_play::{Limit, SelfPlayPlan, SelfPlayer, play_pair};
use anyhow::{Result, bail, ensure};
use fastrand::Rng;
use soffio::lock::open_exclusive;
use soffio::notation::printable;
use soffio::pool::Pool;
use soffio::rules::Variant;
use soffio::search::{Parameter, Parameters};
use soffio::shard::Shard;
use soffio::stop::Stop;
use std::fs::OpenOptions;
use std::io::{self, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

/// Perturbation of a parameter in the last iteration, as a fraction of the parameter's range.
const FINAL_PERTURBATION: f64 = 0.05;

/// Change in a parameter for each game won in the last iteration, as a fraction of the perturbation.
const FINAL_STEP: f64 = 0.002;

/// Exponent of the decay of the perturbations, as recommended by Spall.
const PERTURBATION_EXPONENT: f64 = 0.101;
/// Exponent of the decay of the step size, as recommended by Spall.
const STEP_EXPONENT: f64 = 0.602;

/// Spall's stability constant A, as a fraction of the iterations. It keeps the first changes small.
const STABILITY: f64 = 0.1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TuningPlan {
    pub variants: Vec<Variant>,
    pub limit: Limit,
    pub iterations: u32,
    /// Number of pairs of games per variant in each iteration. The games of a pair have the same opening with colours
    /// swapped.
    pub pairs: u32,
    pub seed: u64,
    pub shard: Shard,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    plan: TuningPlan,
    pub done: u32,
    values: Vec<f64>,
}

impl TuningPlan {
    fn text(&self) -> String {
        let Self { variants, limit, iterations, pairs, seed, shard } = self;
        let variants: Vec<_> = variants.iter().map(|variant| variant.name()).collect();
        let names: Vec<_> = Parameters::ALL.iter().map(|parameter| parameter.name).collect();
        format!(
            "{}, {limit}, {iterations} iterations of {pairs} pairs, seed {seed}, shard {shard}: {}",
            variants.join(" "),
            names.join(" ")
        )
    }

    fn games_of(&self, variant: Variant) -> SelfPlayPlan {
        let (players, limit) = (vec![SelfPlayer::Nnue], self.limit);
        let endings = SelfPlayPlan::DEFAULT_ENDINGS;
        SelfPlayPlan { variant, limit, seed: self.seed, players, eval_file: None, tables: None, endings, noise: 0 }
    }

    /// Returns the number of the first game in an iteration. No two iterations share games, even in different shards.
    fn first_game(&self, iteration: u32) -> u64 {
        self.shard.number(u64::from(iteration)) * u64::from(self.pairs)
    }
}

impl Tuning {
    pub fn new(plan: TuningPlan) -> Self {
        Self { plan, done: 0, values: Parameters::ALL.iter().map(|parameter| parameter.value.into()).collect() }
    }

    pub fn values(&self) -> impl Iterator<Item = (&'static Parameter, f64)> {
        Parameters::ALL.iter().zip(self.values.iter().copied())
    }

    fn changes(&self) -> Vec<f64> {
        let mut random = Rng::with_seed(self.plan.seed ^ (self.plan.first_game(self.done) << 20));
        let shrinking = (f64::from(self.plan.iterations) / f64::from(self.done + 1)).powf(PERTURBATION_EXPONENT);
        let of = |parameter: &Parameter| {
            let size = width(parameter) * FINAL_PERTURBATION * shrinking;
            if random.bool() { size } else { -size }
        };
        Parameters::ALL.iter().map(of).collect()
    }

    fn sides(&self, changes: &[f64]) -> [Arc<Parameters>; 2] {
        [1.0, -1.0].map(|sign| {
            let changed = self.values.iter().zip(changes).map(|(value, change)| (value + sign * change).round() as i32);
            Arc::new(Parameters::new(&changed.collect::<Vec<_>>()))
        })
    }

    /// Updates the values after an iteration. `result` is the number of wins minus the number of losses of the side
    /// that used `changes`.
    fn update(&mut self, changes: &[f64], result: i32) {
        let (all, done) = (f64::from(self.plan.iterations), f64::from(self.done));
        let growth = ((STABILITY * all + all) / (STABILITY * all + done + 1.0)).powf(STEP_EXPONENT);
        for ((value, change), parameter) in self.values.iter_mut().zip(changes).zip(Parameters::ALL) {
            let last = width(parameter) * FINAL_PERTURBATION;
            let rate = FINAL_STEP * growth * last * last / (change * change);
            let (least, most) = (*parameter.range.start(), *parameter.range.end());
            *value = (*value + rate * change * f64::from(result)).clamp(least.into(), most.into());
        }
        self.done += 1;
    }

    /// Replays the journal `text`. Returns the length in bytes of its complete lines. Fails if the first line, even if
    /// it is incomplete, does not belong to the plan.
    fn replay(&mut self, text: &str) -> Result<usize> {
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines().enumerate();
        let wanted = self.plan.text();
        let is_wanted = match lines.next() {
            Some((_, found)) => found == wanted,
            None => wanted.starts_with(text),
        };
        let shown = printable(text.lines().next().unwrap_or_default().chars());
        ensure!(is_wanted, "the journal belongs to a run with different settings: {shown}; expected {wanted}");
        for (index, line) in lines {
            let mut numbers = line.split(' ');
            let iteration = numbers.next().and_then(|number| number.parse::<u32>().ok());
            let result = numbers.next().and_then(|number| number.parse().ok());
            match (iteration, result) {
                (Some(iteration), Some(result)) if iteration == self.done && iteration < self.plan.iterations => {
                    self.update(&self.changes(), result);
                }
                _ => bail!("line {} is not an iteration", index + 1),
            }
        }
        Ok(whole)
    }

    fn line(&self, result: i32) -> String {
        let values: Vec<_> = self.values.iter().map(|value| format!("{value:.2}")).collect();
        format!("{} {result} {}\n", self.done - 1, values.join(" "))
    }

    fn play(&self, changes: &[f64], pool: Pool<'_>) -> Result<Option<i32>> {
        let sides = &self.sides(changes);
        let plans: Vec<_> = self.plan.variants.iter().map(|&variant| self.plan.games_of(variant)).collect();
        let (first, pairs) = (self.plan.first_game(self.done), u64::from(self.plan.pairs));
        let games = plans.iter().flat_map(|plan| (first..first + pairs).map(move |number| (plan, number)));
        let results = pool.map(games, || |(plan, number)| play_pair(plan, number, sides))?;
        let is_whole = results.len() == plans.len() * self.plan.pairs as usize;
        Ok(is_whole.then_some(results.into_iter().sum::<Result<i32>>()?))
    }
}

fn width(parameter: &Parameter) -> f64 {
    f64::from(parameter.range.end() - parameter.range.start())
}

/// Runs the remaining iterations of `plan` and appends them to the journal at `path`, which is created if it does not
/// exist.
pub fn tune(
    plan: &TuningPlan,
    path: &Path,
    threads: NonZeroUsize,
    stop: &Stop,
    progress: &mut dyn FnMut(&Tuning),
) -> Result<Tuning> {
    let mut tuning = Tuning::new(plan.clone());
    let mut journal = open_exclusive(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))?;
    let whole = tuning.replay(&io::read_to_string(&journal)?)?;
    // The last line may be incomplete if a previous run was killed.
    journal.set_len(whole as u64)?;
    journal.seek(SeekFrom::End(0))?;
    if whole == 0 {
        writeln!(journal, "{}", plan.text())?;
    }
    while tuning.done < plan.iterations && !stop.is_stopped() {
        let changes = tuning.changes();
        let Some(result) = tuning.play(&changes, Pool { name: "tune", threads, stop })? else { break };
        tuning.update(&changes, result);
        journal.write_all(tuning.line(result).as_bytes())?;
        progress(&tuning);
    }
    Ok(tuning)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> TuningPlan {
        let variants = vec![Variant::English, Variant::International];
        TuningPlan { variants, limit: Limit::Nodes(60), iterations: 4, pairs: 1, seed: 3, shard: Shard::ALL }
    }

    #[test]
    fn parameters_move_to_winning_values() {
        // This test uses an artificial game in which only one parameter matters. The best value of the parameter is far
        // from its default.
        let mut tuning = Tuning::new(TuningPlan { iterations: 3000, ..plan() });
        let far = |values: &[f64]| (values[0] - 100.0).abs();
        for _ in 0..3000 {
            let changes = tuning.changes();
            let [up, down] = tuning.sides(&changes).map(|side| far(&[side.reverse_futility_margin.into()]));
            tuning.update(&changes, if up < down { 2 } else { -2 });
        }
        assert!(far(&tuning.values) < 12.0, "{:?}", tuning.values);
        assert!((tuning.values[6] - 150.0).abs() < 60.0, "{:?}", tuning.values);
    }

    #[test]
    fn an_interrupted_journal_gives_the_same_result() {
        let place = tempfile::tempdir().unwrap();
        let (whole, torn) = (place.path().join("whole"), place.path().join("torn"));
        let threads = |number| NonZeroUsize::new(number).unwrap();
        let first = tune(&plan(), &whole, threads(1), &Stop::new(), &mut |_| {}).unwrap();
        assert_eq!(first.done, 4);
        let text = std::fs::read_to_string(&whole).unwrap();
        std::fs::write(&torn, &text[..text.len() - 9]).unwrap();
        assert_eq!(tune(&plan(), &torn, threads(2), &Stop::new(), &mut |_| {}).unwrap(), first);
        assert_eq!(std::fs::read_to_string(&torn).unwrap(), text);
        let other = TuningPlan { seed: 4, ..plan() };
        let refused = |plan: &TuningPlan| tune(plan, &torn, threads(1), &Stop::new(), &mut |_| {}).unwrap_err();
        assert!(refused(&other).to_string().starts_with("the journal belongs to a run with different settings"));
        std::fs::write(&torn, text.replace("\n2 ", "\n7 ")).unwrap();
        assert_eq!(refused(&plan()).to_string(), "line 4 is not an iteration");
        let notes = "notes without a line end";
        std::fs::write(&torn, notes).unwrap();
        assert!(
            refused(&plan()).to_string().starts_with("the journal belongs to a run with different settings: notes")
        );
        assert_eq!(std::fs::read_to_string(&torn).unwrap(), notes, "a file that is not a journal is kept");
        std::fs::write(&torn, &text[..9]).unwrap();
        assert_eq!(tune(&plan(), &torn, threads(2), &Stop::new(), &mut |_| {}).unwrap(), first);
    }

    #[test]
    fn shards_play_different_games() {
        let part = |text: &str| TuningPlan { shard: text.parse().unwrap(), pairs: 3, ..plan() };
        let games = |part: &TuningPlan| (0..4).map(|iteration| part.first_game(iteration)).collect::<Vec<_>>();
        assert_eq!((games(&part("1/2")), games(&part("2/2"))), (vec![0, 6, 12, 18], vec![3, 9, 15, 21]));
        assert_ne!(Tuning::new(part("1/2")).changes(), Tuning::new(part("2/2")).changes());
    }
}
