//! Opening books, which are files of moves with scores for any variant. The format is described in
//! `docs/book-format.md`.
//!
//! When a [`Book`] is opened, only its header is read. A book is probed with the [`key()`] of a position and returns
//! [`BookMove`]s. Each of them identifies a move by its index in [`ordered_moves`].

mod choice;
mod file;
#[allow(clippy::indexing_slicing, reason = "nodes are identified by their indices and are never removed")]
mod graph;
mod record;

pub use choice::{Candidate, candidates, choose, first_score};
pub use file::{Book, BookHeader, write};
pub use graph::{Assessment, BookNode, Edge, Graph, GraphError};
pub use record::{BookMove, BookScore, fnv, key, ordered_moves};

use crate::checksummed_file::{ChecksumError, Format};
use crate::rules::Variant;
use std::io;

const FORMAT: Format = Format { magic: b"SOFFBOOK", version: 1, name: "an opening book" };

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has no valid book header, or its length differs from the length declared in the header.
    #[error(transparent)]
    Start(#[from] ChecksumError),
    /// The header line with this name is missing or has an invalid value.
    #[error("header line {0:?} is missing or invalid")]
    Head(&'static str),
    /// The block checksums do not match the checksum in the header.
    #[error("the file is damaged: the record checksums do not match the header")]
    Checksums,
    /// The block of records that starts at this index is damaged.
    #[error("the file is damaged: checksum mismatch in the block that starts at record {0}")]
    Records(usize),
    /// The record with this index is out of order.
    #[error("record {0} is out of order")]
    Order(usize),
    /// The book is for a different variant.
    #[error("the book is for {book}, not for {wanted}")]
    OtherVariant {
        /// The name of the variant in the book header.
        book: String,
        /// The variant that is being played.
        wanted: Variant,
    },
    /// The book was built under a different version of the variant's rules.
    #[error("the book was built under a different version of the {0} rules: rebuild it")]
    OtherRules(Variant),
}
