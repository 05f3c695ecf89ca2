//! The faults that a file of endgame tables can have.

use std::fmt;
use std::io;

/// Why a file of endgame tables cannot be used.
#[derive(Debug)]
pub enum FileError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It does not begin as such a file does.
    NoTable,
    /// It has a version that this program does not know.
    Version(u16),
    /// Its header or its directory is damaged.
    Header,
    /// It is shorter or longer than its directory says.
    Length {
        /// Bytes that it should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// A block of a table is damaged.
    Block {
        /// Which table, from 0.
        table: usize,
        /// Which block, from 0.
        block: usize,
    },
    /// It is for another variant, whose name this is.
    OtherVariant(String),
    /// It was made by other rules of the same variant.
    OtherRules,
    /// It holds another slice than its name says.
    OtherSlice(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NoTable => f.write_str("this is no file of endgame tables"),
            Self::Version(version) => write!(f, "version {version} of the format is unknown"),
            Self::Header => f.write_str("the header is damaged"),
            Self::Length { expected, found } => write!(f, "the file should have {expected} bytes and has {found}"),
            Self::Block { table, block } => write!(f, "block {block} of table {table} is damaged"),
            Self::OtherVariant(variant) => write!(f, "the tables are for the variant {variant:?}"),
            Self::OtherRules => f.write_str("the tables were made by other rules: build them again"),
            Self::OtherSlice(slice) => write!(f, "the file holds {slice}, which is not what its name says"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
