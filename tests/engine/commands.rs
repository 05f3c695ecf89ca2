//! Tests of the native protocol without a process: which lines are commands, and how a session responds to them.

mod corpora;
