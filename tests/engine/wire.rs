//! Tests that each side of a protocol can parse what the other side writes.

mod documents;
mod hub;
mod native;
