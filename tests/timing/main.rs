//! Tests that depend on time and memory. They are in a separate program. Tests that would fail on a busy machine are
//! ignored by default, and `tests/campaigns/timing` runs them.
#![cfg(test)]

mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod memory;
mod overhead;
#[path = "../process/mod.rs"]
mod process;
mod races;
