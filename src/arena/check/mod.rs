//! Checks that an engine follows its protocol, step by step, and says what its author must fix.

mod bench;
mod common;
mod hub;
mod native;
mod positions;

use super::{Dialect, EngineSpec, Link, Program, Stop};
use crate::rules::Variant;
use bench::Bench;
use std::fmt;

/// One thing that an engine must do.
struct Step {
    name: &'static str,
    /// What to fix when it does not.
    mend: &'static str,
    /// Tries it; the error is what was seen instead.
    run: fn(&mut Bench<'_>) -> Result<(), String>,
}

const fn step(name: &'static str, mend: &'static str, run: fn(&mut Bench<'_>) -> Result<(), String>) -> Step {
    Step { name, mend, run }
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepResult {
    /// Its name.
    pub name: &'static str,
    /// What was seen and what to fix; nothing when the step passed.
    pub problem: Option<(String, &'static str)>,
}

impl fmt::Display for StepResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            None => write!(f, "ok    {}", self.name),
            Some((seen, mend)) => write!(f, "MEND  {}: {seen}\n      {mend}", self.name),
        }
    }
}

/// An engine that is checked.
struct Candidate<'a> {
    spec: &'a EngineSpec,
    dialect: Dialect,
    program: &'a Program,
}

/// There are steps for the protocols of lines only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSteps;

impl fmt::Display for NoSteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("only engines that speak the native protocol or Hub can be checked")
    }
}

impl std::error::Error for NoSteps {}

/// Walks the engine of `spec` through all steps of its protocol in `variant`, and reports each when it is done.
///
/// # Errors
/// When there are no steps for its protocol.
pub fn check(
    spec: &EngineSpec,
    variant: Variant,
    stop: &Stop,
    report: &mut dyn FnMut(StepResult),
) -> Result<(), NoSteps> {
    let Link::Pipes { dialect, program } = &spec.link else { return Err(NoSteps) };
    let steps: &[Step] = match dialect {
        Dialect::Native => &native::STEPS,
        Dialect::Hub => &hub::STEPS,
    };
    let mut bench = Bench::new(Candidate { spec, dialect: *dialect, program }, variant, stop);
    for step in steps {
        if stop.is_stopped() {
            break;
        }
        let problem = (step.run)(&mut bench).err().map(|seen| (seen, step.mend));
        if problem.is_some() {
            // A failure must not affect the next step.
            bench.restart();
        }
        report(StepResult { name: step.name, problem });
    }
    Ok(())
}
