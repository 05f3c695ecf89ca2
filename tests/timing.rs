//! What depends on time and memory, in a program of its own. The tests that fail on a busy machine are ignored:
//! `tests/campaigns/timing` runs them.
#![cfg(test)]

mod clocks;
mod common;
mod memory;
mod overhead;
mod process;
mod races;
