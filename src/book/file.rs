//! Memory-mapped book files. A book file consists of a text header, binary records and the checksums of the records.

use super::{BookError, BookMove, FORMAT};
use crate::checksummed_file::ChecksumError;
use crate::files::{map, replace, temporary_path};
use crate::rules::{Identity, Variant};
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

const BLOCK: usize = 64;

type RecordBytes = [u8; BookMove::SIZE];

/// An opening book. The checksums of its records are verified when the records are read.
pub struct Book {
    header: BookHeader,
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    layout: Layout,
    start: usize,
    is_damaged: AtomicBool,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("header", &self.header).field("layout", &self.layout).finish_non_exhaustive()
    }
}

impl Book {
    /// Opens the book at `path` without verifying its records.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::from_bytes(map(path)?)
    }

    /// Creates a book from the bytes of a book file.
    pub fn from_bytes(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, BookError> {
        let (header, layout, start) = BookHeader::parse(bytes.as_ref())?;
        let length = |records: usize| records.checked_mul(BookMove::SIZE)?.checked_add(4 * records.div_ceil(BLOCK));
        let declared =
            length(layout.records).and_then(|length| length.checked_add(start)).ok_or(BookError::Head("records"))?;
        let found = bytes.as_ref().len();
        if declared != found {
            return Err(ChecksumError::Length { declared: declared as u64, found: found as u64 }.into());
        }
        let book = Self { header, bytes: Box::new(bytes), layout, start, is_damaged: AtomicBool::new(false) };
        if crc32fast::hash(book.checksums().as_flattened()) != layout.checksum {
            return Err(BookError::Checksums);
        }
        Ok(book)
    }

    /// Returns the header of the book.
    pub fn header(&self) -> &BookHeader {
        &self.header
    }

    /// Returns the number of records in the book.
    pub fn len(&self) -> usize {
        self.layout.records
    }

    /// Returns whether the book has no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn parts(&self) -> (&[u8], &[u8]) {
        let rest = (*self.bytes).as_ref().get(self.start..).unwrap_or_default();
        rest.split_at_checked(self.layout.records * BookMove::SIZE).unwrap_or_default()
    }

    fn records(&self) -> &[RecordBytes] {
        self.parts().0.as_chunks().0
    }

    fn checksums(&self) -> &[[u8; 4]] {
        self.parts().1.as_chunks().0
    }

    fn is_complete(&self, block: usize) -> bool {
        let records = self.records().chunks(BLOCK).nth(block);
        let checksum = |records: &[RecordBytes]| crc32fast::hash(records.as_flattened()).to_be_bytes();
        records.is_some_and(|records| self.checksums().get(block) == Some(&checksum(records)))
    }

    /// Returns the index of the first record whose key is at least `key`. The search starts at an interpolated position
    /// and gallops from there. A plain binary search would touch a new page in each of its first steps.
    fn first(&self, key: u64) -> usize {
        let (records, length) = (self.records(), self.len());
        let is_below = |record: &RecordBytes| BookMove::from_bytes(*record).0 < key;
        let below_at = |place: usize| records.get(place).is_some_and(is_below);
        let middle = ((u128::from(key) * length as u128) >> 64) as usize;
        let (mut low, mut high, mut step) = (middle, middle, BLOCK);
        while low > 0 && !below_at(low) {
            low = low.saturating_sub(step);
            step *= 2;
        }
        while high < length && below_at(high) {
            high = (high + step).min(length);
            step *= 2;
        }
        low + records.get(low..high).unwrap_or_default().partition_point(is_below)
    }

    /// Returns the moves for the position with this `key`, ordered by index. Returns no moves if the book does not
    /// contain the position or its records are damaged. Damage is logged.
    pub fn moves(&self, key: u64) -> Vec<BookMove> {
        self.try_moves(key).unwrap_or_else(|error| {
            if !self.is_damaged.swap(true, Relaxed) {
                log::error!("opening book for {}: {error}", self.header.identity.variant);
            }
            Vec::new()
        })
    }

    /// Returns the moves for the position with this `key`, like [`Book::moves`].
    ///
    /// # Errors
    ///
    /// Returns an error if the records of the position, or those next to them in the order of keys, are damaged. Damage
    /// elsewhere can hide the position without an error; [`Book::all_moves`] verifies the whole book.
    pub fn try_moves(&self, key: u64) -> Result<Vec<BookMove>, BookError> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let first = self.first(key);
        let own = self.records().get(first..).unwrap_or_default().iter().map(|record| BookMove::from_bytes(*record));
        let moves: Vec<_> = own.take_while(|(known, _)| *known == key).map(|(_, mv)| mv).collect();
        // The neighbouring records must be intact too, because they show that there are no more moves with this key.
        let last = (first + moves.len()).min(self.len().saturating_sub(1));
        let mut blocks = first.saturating_sub(1) / BLOCK..=last / BLOCK;
        match blocks.find(|&block| !self.is_complete(block)) {
            Some(block) => Err(BookError::Records(block * BLOCK)),
            None => Ok(moves),
        }
    }

    /// Verifies all records and returns them with their keys, in file order.
    pub fn all_moves(&self) -> Result<impl Iterator<Item = (u64, BookMove)> + '_, BookError> {
        let blocks = self.len().div_ceil(BLOCK);
        if let Some(block) = (0..blocks).find(|&block| !self.is_complete(block)) {
            return Err(BookError::Records(block * BLOCK));
        }
        // A record begins with its sort key, which consists of the position key and the move index.
        let sorted_by = |record: &RecordBytes| record.first_chunk::<10>().copied();
        let records = self.records();
        if let Some(wrong) = records.windows(2).position(|pair| matches!(pair, [a, b] if sorted_by(a) >= sorted_by(b)))
        {
            return Err(BookError::Order(wrong + 1));
        }
        Ok(records.iter().map(|record| BookMove::from_bytes(*record)))
    }
}

/// Returns the bytes of a book file. Duplicate moves are removed.
fn sealed(header: &BookHeader, mut moves: Vec<(u64, BookMove)>) -> Vec<u8> {
    moves.sort_unstable_by_key(|(key, mv)| (*key, mv.index));
    moves.dedup_by_key(|(key, mv)| (*key, mv.index));
    let records: Vec<RecordBytes> = moves.iter().map(|(key, mv)| mv.to_bytes(*key)).collect();
    let checksum = |block: &[RecordBytes]| crc32fast::hash(block.as_flattened()).to_be_bytes();
    let checksums: Vec<_> = records.chunks(BLOCK).map(checksum).collect();
    let layout = Layout { records: records.len(), checksum: crc32fast::hash(checksums.as_flattened()) };
    [&*header.to_bytes(layout), records.as_flattened(), checksums.as_flattened()].concat()
}

/// Writes a book to `path` atomically. Each move is paired with the key of its position.
pub fn write(path: &Path, header: &BookHeader, moves: Vec<(u64, BookMove)>) -> Result<(), BookError> {
    let temporary = temporary_path(path, "part");
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(&sealed(header, moves))?;
        Ok(file)
    };
    Ok(replace(path, &temporary, write)?)
}

/// The metadata in the header of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookHeader {
    /// The name of the variant and the checksum of its rules.
    pub identity: Identity,
    /// The author of the book, as free text.
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

impl BookHeader {
    /// Returns an error if the book is for a different variant or was built under a different version of the rules.
    pub fn check_variant(&self, variant: Variant) -> Result<(), BookError> {
        let other = |book| BookError::OtherVariant { book, wanted: variant };
        self.identity.check(&Identity::for_variant(variant), other, BookError::OtherRules(variant))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::BookScore;
    use crate::checksummed_file::damaged;
    use crate::rules::{Identity, Variant};
    use std::fs;

    fn header() -> BookHeader {
        BookHeader {
            identity: Identity::for_variant(Variant::English),
            author: "a\nb".to_owned(),
            licence: "CC0-1.0".to_owned(),
            engine: "soffio".to_owned(),
            nodes: 1000,
            plan: String::new(),
            roots: vec!["W:W1:B2".to_owned()],
        }
    }

    /// Returns moves for the given number of positions. The keys of the positions are in no particular order.
    fn moves(positions: u64) -> Vec<(u64, BookMove)> {
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mv = |index: u16| BookMove { index, score: BookScore::DRAW, weight: 7 * index, depth: 1, flags: 0 };
        (0..positions)
            .flat_map(|number| (0..3 + number as u16 % 5).map(move |index| (key(number), mv(index))))
            .collect()
    }

    #[test]
    fn written_moves_are_found() {
        let all = moves(200);
        let folder = std::env::temp_dir().join(format!("soffio-book-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.book");
        write(&path, &header(), [&*all, &*all].concat()).unwrap();
        let book = Book::open(&path).unwrap();
        assert_eq!(book.len(), all.len(), "each move occurs once");
        assert_eq!(*book.header(), BookHeader { author: "a b".to_owned(), ..header() }, "a value is a line");
        for (key, mv) in &all {
            assert_eq!(book.moves(*key).get(usize::from(mv.index)), Some(mv));
            assert!(book.moves(key ^ 1).is_empty());
        }
        let mut sorted = all;
        sorted.sort_unstable_by_key(|(key, mv)| (*key, mv.index));
        assert_eq!(book.all_moves().unwrap().collect::<Vec<_>>(), sorted);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no other file is left");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_reason_is_reported() {
        let good = sealed(&header(), moves(30));
        let error = |bytes: Vec<u8>| Book::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(error(b"GIF89a".to_vec()), "not an opening book");
        assert!(error(good[..200].to_vec()).starts_with("the file should have "));
        assert!(error([&*good, b"x"].concat()).starts_with("the file should have "));
        let changed = |place: usize| {
            let mut bytes = good.clone();
            bytes[place] ^= 1;
            bytes
        };
        assert_eq!(error(changed(20)), "the file is damaged: checksum mismatch");
        assert_eq!(error(changed(good.len() - 1)), "the file is damaged: the record checksums do not match the header");
        let book = Book::from_bytes(changed(good.len() - 20)).unwrap();
        let Err(found) = book.all_moves().map(drop) else { panic!("it is damaged") };
        assert_eq!(found.to_string(), "the file is damaged: checksum mismatch in the block that starts at record 128");
        let book = Book::from_bytes(good).unwrap();
        let refused = |variant| book.header().check_variant(variant).unwrap_err().to_string();
        assert_eq!(refused(Variant::Russian), "the book is for english, not for russian");
        let header = BookHeader { identity: Identity::new("english", "other"), ..header() };
        assert!(
            header
                .check_variant(Variant::English)
                .unwrap_err()
                .to_string()
                .starts_with("the book was built under a different version")
        );
        assert!(matches!(header.check_variant(Variant::English), Err(BookError::OtherRules(_))));
        for (line, with) in [("records", "x"), ("checksum", "xyz"), ("nodes", "-1")] {
            let text = String::from_utf8_lossy(&header.to_bytes(Layout { records: 0, checksum: 0 })[14..]).into_owned();
            let lines = text
                .lines()
                .map(|own| if own.starts_with(line) { format!("{line} {with}\n") } else { format!("{own}\n") });
            let content: String = lines.collect();
            let head = crate::book::FORMAT.seal_head(content.as_bytes());
            assert_eq!(error(head), format!("header line {line:?} is missing or invalid"));
        }
    }

    /// Damages a book `count` times. Asserts that each damaged book is either rejected or answers every probe with the
    /// original moves or with no moves.
    fn damage(count: usize) {
        let all = moves(60);
        let good = sealed(&header(), all.clone());
        let whole = Book::from_bytes(good.clone()).unwrap();
        let mut random = fastrand::Rng::with_seed(3);
        let mut refused = 0;
        for _ in 0..count {
            let bytes = damaged(&good, &mut random);
            let is_equal = bytes == good;
            match Book::from_bytes(bytes) {
                Err(_) => refused += 1,
                Ok(book) => {
                    assert_eq!(book.all_moves().is_ok(), is_equal);
                    for (key, _) in &all {
                        let found = book.moves(*key);
                        assert!(found.is_empty() || found == whole.moves(*key), "another answer");
                    }
                }
            }
        }
        assert!(refused > count / 3, "{refused} of {count}");
    }

    #[test]
    fn damage_never_changes_an_answer() {
        damage(500);
    }

    #[test]
    #[ignore = "takes seconds in release, minutes in debug"]
    fn damage_never_changes_an_answer_in_a_hundred_thousand_trials() {
        damage(100_000);
    }
}
