//! The header of a book file, which consists of lines of text.

use super::{BookError, FORMAT};
use crate::rules::{Identity, Variant};

/// The metadata in the header of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the variant and the checksum of its rules.
    pub identity: Identity,
    /// The author of the book.
    pub author: String,
    /// The SPDX identifier of the licence.
    pub licence: String,
    /// The name and version of the engine that computed the scores.
    pub engine: String,
    /// The number of nodes searched for each score, or 0 if the scores do not come from a search.
    pub nodes: u64,
    /// The arguments of the command that built the book, or the sources of the book.
    pub plan: String,
    /// The FEN of each root, except the start position.
    pub roots: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) records: usize,
    pub(super) checksum: u32,
}

impl Header {
    /// Returns an error if the book is for a different variant or for different rules of `variant`.
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
        let line = |(name, value): (&str, String)| format!("{name} {}\n", value.replace(char::is_control, " "));
        FORMAT.seal_head(lines.into_iter().chain(roots).map(line).collect::<String>().as_bytes())
    }

    /// Parses the header at the start of `bytes`. Also returns the layout of the file and the offset of its first
    /// record.
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
