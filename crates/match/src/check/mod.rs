//! Checks whether an engine follows its protocol. Each failed step reports what the author of the engine should fix.

mod engine;
mod steps;

use super::{EngineSpec, LineProtocol, Link, Stop, Timeouts};
use anyhow::{Result, bail};
use engine::TestedEngine;
use soffio::rules::Variant;
use std::fmt;
use steps::{STEPS, Step};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepResult {
    pub name: &'static str,
    /// What the engine did, and advice for its author; `None` if the engine passed the step.
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

/// Runs all steps for the engine's protocol and reports each result. An answer that needs no search may take a
/// thirtieth of `timeouts.stall`, and a fixed-depth search a sixth. A search with a time limit may exceed its limit by
/// the margin.
pub fn check(
    spec: &EngineSpec,
    variant: Variant,
    timeouts: Timeouts,
    stop: &Stop,
    report: &mut dyn FnMut(StepResult),
) -> Result<()> {
    let Link::Pipes { protocol, program } = &spec.link else {
        bail!("only engines that use the native protocol or Hub can be checked");
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
