//! Tests that each side of a protocol can parse what the other side writes.

#[path = "wire/documents.rs"]
mod documents;
#[path = "wire/hub.rs"]
mod hub;
#[path = "wire/native.rs"]
mod native;
