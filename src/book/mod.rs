//! Opening books: files of moves with scores, for any variant, in the format of `docs/book-format.md`.
//!
//! A [`Book`] is such a file, of which only the head is read when it is opened. It is asked by the [`key()`] of a position, and answers
//! with [`BookMove`]s, each of which names its move by its place among [`ordered_moves`].
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod choice;
mod file;
#[allow(clippy::indexing_slicing, reason = "nodes are named by their places, and none goes away")]
mod graph;
mod header;
mod key;
mod record;

pub use choice::{Candidate, candidates, choose, first_score};
pub use file::{Book, write};
pub use graph::{Edge, Graph, GraphError, Judgement, Node};
pub use header::Header;
pub use key::{fnv, key, ordered_moves};
pub use record::{BookMove, BookScore};

use crate::checksummed_file::{ChecksumError, Format};
use crate::rules::Variant;
use std::io;

const FORMAT: Format = Format { magic: b"SOFFBOOK", version: 1, name: "opening book" };

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as a book does, its head is not whole, or it has another length than its head says.
    #[error(transparent)]
    Start(#[from] ChecksumError),
    /// Its head lacks a line, or one has no value of its kind.
    #[error("the head has no line {0:?} with a value of its kind")]
    Head(&'static str),
    /// The checksums of the records are not those that its head knows.
    #[error("the file is damaged: the checksums of its records are not those of its head")]
    Checksums,
    /// Records are damaged.
    #[error("the file is damaged: the records from number {0} on have a wrong checksum")]
    Records(usize),
    /// Records are not in their order.
    #[error("record {0} does not come after the one before it")]
    Order(usize),
    /// It is for another variant.
    #[error("the book is for {book}, not for {wanted}")]
    OtherVariant {
        /// The variant of the book.
        book: String,
        /// The variant that is played.
        wanted: Variant,
    },
    /// It was made by other rules of the same variant.
    #[error("the book was made by other rules of {0}: grow it again")]
    OtherRules(Variant),
}
