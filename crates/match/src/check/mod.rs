//! Checks that an engine follows its protocol, step by step, and says what its author must fix.

mod engine;
mod steps;

use super::{EngineSpec, LineProtocol, Link, Stop, Timeouts};
use anyhow::{Result, bail};
use engine::TestedEngine;
use soffio::rules::Variant;
use std::fmt;
use steps::{STEPS, Step};

/// The outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepResult {
    pub name: &'static str,
    /// Unless the step passed: how the engine behaved, and the advice.
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

/// Walks the engine of `spec` through all steps of its protocol in `variant`, and reports each when it is done. An
/// answer that needs no search may take a thirtieth of the time after which a match would give the engine up, a search
/// to a depth a sixth, and a search with a limit of time that time and the margin.
///
/// # Errors
/// When there are no steps for its protocol.
pub fn check(
    spec: &EngineSpec,
    variant: Variant,
    timeouts: Timeouts,
    stop: &Stop,
    report: &mut dyn FnMut(StepResult),
) -> Result<()> {
    let Link::Pipes { protocol, program } = &spec.link else {
        bail!("only engines that speak the native protocol or Hub can be checked");
    };
    let mut engine = TestedEngine {
        spec,
        protocol: *protocol,
        program,
        variant,
        timeouts,
        stop: stop.clone(),
        process: None,
        introduction: Vec::new(),
    };
    let of_protocol = |Step { native, hub, run }: Step| {
        let words = if *protocol == LineProtocol::Native { native } else { hub };
        words.map(|words| (words, run))
    };
    for ((name, advice), run) in STEPS.into_iter().filter_map(of_protocol) {
        if stop.is_stopped() {
            break;
        }
        let problem = run(&mut engine).err().map(|seen| (seen, advice));
        if problem.is_some() {
            // A failure must not affect the next step.
            engine.process = None;
        }
        report(StepResult { name, problem });
    }
    Ok(())
}
