//! What depends on time and memory, in a program of its own. The tests that fail on a busy machine are ignored:
//! `tests/campaigns/timing` runs them.
#![cfg(test)]

mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod memory;
mod overhead;
#[path = "../process/mod.rs"]
mod process;
mod races;
