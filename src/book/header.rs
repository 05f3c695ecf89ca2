//! The head of a book: lines of text.

use super::{BookError, FORMAT};
use crate::rules::{Identity, Variant};

/// The properties of a book, in its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The variant and its rules.
    pub identity: Identity,
    /// The author.
    pub author: String,
    /// The licence under which it may be used, by its SPDX name.
    pub licence: String,
    /// Name and version of the engine whose scores it has.
    pub engine: String,
    /// Nodes of the search behind each score; 0 where no search was.
    pub nodes: u64,
    /// The plan by which it was grown, as the arguments of the command, or what it was made of.
    pub plan: String,
    /// The positions that it begins with besides the start position, as FEN.
    pub roots: Vec<String>,
}

/// Where the parts of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Number of records.
    pub(super) records: usize,
    /// The CRC-32 of the checksums of the records.
    pub(super) checksum: u32,
}

impl Header {
    /// Checks that the book is for `variant`.
    ///
    /// # Errors
    /// When it is for another one, or by other rules.
    pub fn check_variant(&self, variant: Variant) -> Result<(), BookError> {
        let identity = Identity::of(variant);
        if self.identity.variant != identity.variant {
            Err(BookError::OtherVariant { book: self.identity.variant.clone(), wanted: variant })
        } else if self.identity != identity {
            Err(BookError::OtherRules(variant))
        } else {
            Ok(())
        }
    }

    /// The head of a file with this `layout`.
    pub(super) fn to_bytes(&self, layout: Layout) -> Vec<u8> {
        let Self { identity, author, licence, engine, nodes, plan, roots } = self;
        let lines = [
            ("variant", identity.variant.clone()),
            ("rules", format!("{:08x}", identity.rules)),
            ("author", author.clone()),
            ("licence", licence.clone()),
            ("engine", engine.clone()),
            ("nodes", nodes.to_string()),
            ("plan", plan.clone()),
            ("records", layout.records.to_string()),
            ("checksum", format!("{:08x}", layout.checksum)),
        ];
        let roots = roots.iter().map(|root| ("root", root.clone()));
        // A value is one line.
        let line = |(name, value): (&str, String)| format!("{name} {}\n", value.replace(char::is_control, " "));
        FORMAT.seal_head(lines.into_iter().chain(roots).map(line).collect::<String>().as_bytes())
    }

    /// Reads the head at the beginning of `bytes`, and tells where the parts of the file are, and where the head ends.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Self, Layout, usize), BookError> {
        let (content, end) = FORMAT.open_head(bytes)?;
        let text = String::from_utf8_lossy(content);
        let all = |name: &'static str| {
            text.lines()
                .filter_map(move |line| line.split_once(' ').filter(|(known, _)| *known == name))
                .map(|(_, v)| v)
        };
        let value = |name| all(name).next().ok_or(BookError::Head(name));
        let owned = |name| value(name).map(str::to_owned);
        let checksum = |name| u32::from_str_radix(value(name)?, 16).map_err(|_| BookError::Head(name));
        let number = |name| value(name)?.parse::<u64>().map_err(|_| BookError::Head(name));
        let header = Self {
            identity: Identity { variant: owned("variant")?, rules: checksum("rules")? },
            author: owned("author")?,
            licence: owned("licence")?,
            engine: owned("engine")?,
            nodes: number("nodes")?,
            plan: owned("plan")?,
            roots: all("root").map(str::to_owned).collect(),
        };
        let records = usize::try_from(number("records")?).map_err(|_| BookError::Head("records"))?;
        Ok((header, Layout { records, checksum: checksum("checksum")? }, end))
    }
}
