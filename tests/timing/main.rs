//! Tests that depend on time and memory, in a separate program. Tests that fail on a busy machine are ignored by
//! default: `tests/campaigns/timing` runs them.
#![cfg(test)]

mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod memory;
mod overhead;
#[path = "../process/mod.rs"]
mod process;
mod races;
