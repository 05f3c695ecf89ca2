//! Tests of the native protocol line by line, without a process: which lines are commands, and how a session answers.

#[path = "commands/corpora.rs"]
mod corpora;
#[path = "commands/noise.rs"]
mod noise;
