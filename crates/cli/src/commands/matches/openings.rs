//! Where the openings of a match come from: `--openings` and `soffio openings`.

use crate::input::EncodingArguments;
use anyhow::{Error, Result, bail, ensure};
use derive_more::Display;
use soffio::book::Book;
use soffio::engine::MAX_DEPTH;
use soffio::rules::Variant;
use soffio_match::{LineStart, Margin, Opening, built_in, openings_from_book, read_openings};
use soffio_support::key_value::{KeyValue, unexpected};
use soffio_support::with_path::WithPath;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[derive(Clone, Debug, Display, PartialEq, Eq)]
pub enum OpeningSource {
    #[display("startpos")]
    Start,
    Generate(GenerateSettings),
    /// A built-in collection of openings. If there is no name, the first collection of the variant is used.
    #[display("built-in{}", _0.as_ref().map(|name| format!(":{name}")).unwrap_or_default())]
    BuiltIn(Option<String>),
    #[display("{_0}")]
    Book(BookSettings),
    #[display("{}", _0.display())]
    File(PathBuf),
}

#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[display("book:{},plies={plies},margin={margin}", path.display())]
pub struct BookSettings {
    path: PathBuf,
    plies: usize,
    /// Maximum loss in cp compared with the best move of the position. Worse moves are omitted.
    margin: u32,
}

const BOOK_FORMAT: &str = "book:FILE,plies=8,margin=30";

impl BookSettings {
    fn read(text: &str) -> Result<Self> {
        let (path, rest) = text.split_once(',').map_or((text, None), |(path, rest)| (path, Some(rest)));
        ensure!(!path.is_empty(), unexpected(BOOK_FORMAT, text));
        let mut settings = Self { path: path.into(), plies: 8, margin: 30 };
        for pair in rest.into_iter().flat_map(|rest| KeyValue::list(rest, BOOK_FORMAT)) {
            let pair = pair?;
            match pair.key {
                "plies" => settings.plies = pair.parse("a number from 1 to 100", |plies| (1..=100).contains(plies))?,
                "margin" => settings.margin = pair.parse("a number", |_| true)?,
                _ => return Err(pair.unknown(BOOK_FORMAT)),
            }
        }
        Ok(settings)
    }
}

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{GENERATE}plies={plies},margin={margin},depth={depth},less={}", u8::from(*start == LineStart::OneManLess))]
pub struct GenerateSettings {
    pub(super) plies: u32,
    /// Allowed distance of the score from 0, in cp.
    pub(super) margin: Margin,
    pub(super) depth: u8,
    pub(super) start: LineStart,
}

const GENERATED: &str = "generate:plies=4,margin=60,depth=8,less=0";

impl GenerateSettings {
    /// The default settings. There is no default for `plies`, which must be given.
    pub(super) const DEFAULT: Self =
        Self { plies: 0, margin: Margin { min: 0, max: 60 }, depth: 8, start: LineStart::AllMen };
}

impl FromStr for GenerateSettings {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let incomplete = || unexpected(GENERATED, text);
        let mut settings = Self::DEFAULT;
        let mut has_plies = false;
        for pair in KeyValue::list(text.strip_prefix(GENERATE).ok_or_else(incomplete)?, GENERATED) {
            let pair = pair?;
            match (pair.key, pair.value) {
                ("plies", _) => (settings.plies, has_plies) = (pair.parse("a number", |_| true)?, true),
                ("margin", _) => settings.margin = pair.parse("a number, or a range such as 30-60", |_| true)?,
                ("depth", _) => {
                    settings.depth = pair.parse("a depth from 1 to 127", |depth| (1..=MAX_DEPTH).contains(depth))?
                }
                ("less", "0") => settings.start = LineStart::AllMen,
                ("less", "1") => settings.start = LineStart::OneManLess,
                ("less", _) => return Err(pair.wrong("0 or 1")),
                _ => return Err(pair.unknown(GENERATED)),
            }
        }
        if has_plies { Ok(settings) } else { Err(incomplete()) }
    }
}

const GENERATE: &str = "generate:";

impl OpeningSource {
    /// Returns the file from which the openings are read, or `None` if they are not read from a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Book(BookSettings { path, .. }) | Self::File(path) => Some(path),
            Self::Start | Self::Generate(_) | Self::BuiltIn(_) => None,
        }
    }

    /// Reads the openings. `plies` limits the length of openings from a file.
    pub fn read(&self, variant: Variant, plies: Option<usize>, encoding: EncodingArguments) -> Result<Vec<Opening>> {
        match self {
            Self::Start => Ok(vec![Opening::default()]),
            Self::Generate(_) => {
                bail!("{self} is only available in matches; write the openings to a file with `soffio openings`")
            }
            Self::BuiltIn(name) => built_in(variant, name.as_deref()),
            Self::Book(BookSettings { path, plies, margin }) => {
                let lines = || {
                    let book = Book::open(path)?;
                    book.header().check_variant(variant)?;
                    book.all_moves().map(drop)?;
                    openings_from_book(&book, variant, *plies, *margin)
                };
                lines().with_path(path)
            }
            Self::File(path) => {
                let text = encoding.decode(&fs::read(path).with_path(path)?).text;
                read_openings(&text, plies, variant).with_path(path)
            }
        }
    }
}

impl FromStr for OpeningSource {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("startpos", "") => Ok(Self::Start),
            ("built-in", "") => Ok(Self::BuiltIn(None)),
            ("built-in", name) => Ok(Self::BuiltIn(Some(name.to_owned()))),
            ("book", rest) => BookSettings::read(rest).map(Self::Book),
            _ if text.starts_with(GENERATE) => text.parse().map(Self::Generate),
            _ => Ok(Self::File(PathBuf::from(text))),
        }
    }
}
