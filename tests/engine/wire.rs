//! Tests of the protocols as text: what one side writes the other side parses.

#[path = "wire/documents.rs"]
mod documents;
#[path = "wire/hub.rs"]
mod hub;
#[path = "wire/native.rs"]
mod native;
