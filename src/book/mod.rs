//! Opening books: files of moves with scores, for any variant, in the format of `docs/book-format.md`.
//!
//! A [`Book`] reads only its header when it is opened. It is probed with the [`key()`] of a position and returns
//! [`BookMove`]s, each of which identifies its move by the index in [`ordered_moves`].

mod choice;
mod file;
#[allow(clippy::indexing_slicing, reason = "nodes are named by their places, and none goes away")]
mod graph;
mod header;
mod key;
mod record;

pub use choice::{Candidate, candidates, choose, first_score};
pub use file::{Book, write};
pub use graph::{Assessment, Edge, Graph, GraphError, Node};
pub use header::Header;
pub use key::{fnv, key, ordered_moves};
pub use record::{BookMove, BookScore};

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
    /// The file has no book signature, an incomplete header, or a length other than the header states.
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
        /// Variant name in the book header.
        book: String,
        /// Variant that is being played.
        wanted: Variant,
    },
    /// The book was made under an older definition of the variant's rules.
    #[error("the book was built for different rules of {0}: build it again")]
    OtherRules(Variant),
}
