//! The tests that measure time, in a program of their own, so that nothing else runs beside them.

mod clocks;
mod common;
mod memory;
mod overhead;
mod process;
mod races;
