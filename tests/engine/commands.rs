//! The protocol line by line, without a process: what is a command, what is not, and what a session says to it.

#[path = "commands/corpora.rs"]
mod corpora;
#[path = "commands/noise.rs"]
mod noise;
