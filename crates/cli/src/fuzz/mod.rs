//! Random inputs for everything that reads text from outside: commands, FEN, moves, PDN, Hub, DXP, journals.
//!
//! An input is a line of a corpus, changed a little or much. It may never panic or hang, an error must fit into one line, and what
//! is printed must be read as the same again. Each test has a short run; the long one is ignored, and takes its number of inputs
//! from the environment: `tests/campaigns/fuzz` does that.

mod mutate;
mod readers;

use fastrand::Rng;
use mutate::Mutator;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The inputs of a short run.
const FEW: u64 = 5_000;

/// Gives `check` many inputs that come from the lines of `corpus`; an input for which it panics is printed.
fn run(name: &str, corpus: &str, inputs: u64, mut check: impl FnMut(&str)) {
    let lines: Vec<&str> = corpus.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).collect();
    assert!(lines.len() >= 5, "the corpus of {name} has {} lines", lines.len());
    let mut mutator = Mutator::new(&lines, Rng::with_seed(inputs));
    for number in 0..inputs {
        let input = mutator.next();
        if catch_unwind(AssertUnwindSafe(|| check(&input))).is_err() {
            panic!("{name}, input {number} of {inputs}: {input:?}");
        }
    }
}

/// The inputs of a long run: ten million, unless `FUZZ_INPUTS` has another number.
fn many() -> u64 {
    std::env::var("FUZZ_INPUTS").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000_000)
}

/// Panics unless `error` fits into one line of a conversation.
fn assert_one_line(error: &dyn std::fmt::Display) {
    let text = error.to_string();
    assert!(!text.contains(char::is_control) && text.len() < 1000, "{text:?}");
}
