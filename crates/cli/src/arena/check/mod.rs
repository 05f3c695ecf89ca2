//! Checks that an engine follows its protocol, step by step, and says what its author must fix.

mod common;
mod hub;
mod native;
mod positions;
mod tested_engine;

use super::{EngineSpec, LineProtocol, Link, Program, Stop, Timeouts};
use soffio::rules::Variant;
use std::fmt;
use tested_engine::TestedEngine;

/// One thing that an engine must do.
struct Step {
    name: &'static str,
    /// What to fix when it does not.
    advice: &'static str,
    /// Tries it; the error is what was seen instead.
    run: fn(&mut TestedEngine<'_>) -> Result<(), String>,
}

const fn step(name: &'static str, advice: &'static str, run: fn(&mut TestedEngine<'_>) -> Result<(), String>) -> Step {
    Step { name, advice, run }
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
            Some((seen, advice)) => write!(f, "FAIL  {}: {seen}\n      {advice}", self.name),
        }
    }
}

/// An engine that is checked.
struct Candidate<'a> {
    spec: &'a EngineSpec,
    protocol: LineProtocol,
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

/// Walks the engine of `spec` through all steps of its protocol in `variant`, and reports each when it is done. An answer that needs
/// no search may take a thirtieth of the time after which a match would give the engine up, a search to a depth a sixth, and a search
/// with a limit of time that time and the margin.
///
/// # Errors
/// When there are no steps for its protocol.
pub fn check(
    spec: &EngineSpec,
    variant: Variant,
    timeouts: Timeouts,
    stop: &Stop,
    report: &mut dyn FnMut(StepResult),
) -> Result<(), NoSteps> {
    let Link::Pipes { protocol, program } = &spec.link else { return Err(NoSteps) };
    let steps: &[Step] = match protocol {
        LineProtocol::Native => &native::STEPS,
        LineProtocol::Hub => &hub::STEPS,
    };
    let mut engine = TestedEngine::new(Candidate { spec, protocol: *protocol, program }, variant, timeouts, stop);
    for step in steps {
        if stop.is_stopped() {
            break;
        }
        let problem = (step.run)(&mut engine).err().map(|seen| (seen, step.advice));
        if problem.is_some() {
            // A failure must not affect the next step.
            engine.restart();
        }
        report(StepResult { name: step.name, problem });
    }
    Ok(())
}
