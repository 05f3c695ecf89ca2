//! Reads the PDN files that are given to a command, one game at a time.

use crate::input::{EncodingArguments, ensure_not_output, open};
use crate::values::variant;
use anyhow::{Error, Result};
use clap::Args;
use soffio::notation::pdn::{GameRecord, Guesses, PdnText, ReadGame, TextEncoding, for_each_game};
use soffio::rules::Variant;
use soffio_analysis::annotate::{AnnotateError, PlayableGame};
use soffio_support::with_path::WithPath;
use std::cell::OnceCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The PDN files to read, and how to read them.
#[derive(Clone, Debug, Args)]
pub(super) struct PdnFiles {
    /// PDN files, or - for standard input
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Variant for games without a GameType or Variant tag [default: guessed from the squares and moves]
    #[arg(long, value_parser = variant)]
    pub(super) variant: Option<Variant>,
    #[command(flatten)]
    encoding: EncodingArguments,
}

/// A file and its encoding.
pub(super) struct PdnSource<'a> {
    path: &'a Path,
    /// The contents, or `None` if this is a regular file, which can be read again.
    bytes: Option<Vec<u8>>,
    pub(super) encoding: TextEncoding,
}

impl PdnSource<'_> {
    fn open(&self) -> Result<Box<dyn BufRead + '_>> {
        Ok(match &self.bytes {
            Some(bytes) => Box::new(bytes.as_slice()),
            None => Box::new(BufReader::new(File::open(self.path).with_path(self.path)?)),
        })
    }
}

/// A game in a file, with the information that is needed to guess its variant.
pub(super) struct FileGame<'a> {
    pub(super) path: &'a Path,
    pub(super) game: ReadGame<'a>,
    pub(super) text: &'a PdnText,
    guesses: &'a Guesses,
    given: Option<Variant>,
    default_variant: OnceCell<(Option<Variant>, bool)>,
}

impl FileGame<'_> {
    /// Returns the variant to use if no tag names one, and whether it is a guess.
    pub(super) fn default_variant(&self) -> (Option<Variant>, bool) {
        *self.default_variant.get_or_init(|| match self.given {
            None if self.game.record.variant() == Ok(None) => (self.guesses.variant(&self.game.record), true),
            given => (given, false),
        })
    }

    pub(super) fn played(&self) -> Result<Vec<PlayableGame>, AnnotateError> {
        PlayableGame::parts(&self.game.record, self.default_variant().0)
    }
}

impl PdnFiles {
    /// Calls `visit` for each game in the files. Files are not kept in memory, but read again to guess the encoding, to
    /// guess the variants, and to visit the games. Standard input is kept in memory.
    pub(super) fn for_each(&self, mut visit: impl FnMut(FileGame<'_>) -> Result<()>) -> Result<()> {
        self.files.iter().try_for_each(|path| self.for_each_in(&self.source(path)?, &mut visit))
    }

    /// Returns all files. Standard input is read into memory.
    pub(super) fn sources(&self) -> Result<Vec<PdnSource<'_>>> {
        self.files.iter().map(|path| self.source(path)).collect()
    }

    fn source<'a>(&self, path: &'a Path) -> Result<PdnSource<'a>> {
        ensure_not_output(path, None)?;
        let mut bytes = None;
        if !path.is_file() {
            open(path)?.read_to_end(bytes.insert(Vec::new())).with_path(path)?;
        }
        let source = PdnSource { path, bytes, encoding: TextEncoding::UTF_8 };
        let encoding = match self.encoding.encoding {
            Some(encoding) => TextEncoding::from_bom_or(source.open()?, encoding),
            None => TextEncoding::detect(source.open()?),
        };
        Ok(PdnSource { encoding: encoding.with_path(path)?, ..source })
    }

    /// Calls `visit` for each game in a file.
    pub(super) fn for_each_in(
        &self,
        source: &PdnSource<'_>,
        mut visit: impl FnMut(FileGame<'_>) -> Result<()>,
    ) -> Result<()> {
        let (path, given) = (source.path, self.variant);
        let guesses = self.guesses(source.open()?, source.encoding)?;
        for_each_game(source.open()?, Some(source.encoding), |game, text| {
            visit(FileGame { path, game, text, guesses: &guesses, given, default_variant: OnceCell::new() })
        })
    }

    /// Reads the first games and returns the evidence from which the variants of other games are guessed.
    fn guesses(&self, input: impl Read, encoding: TextEncoding) -> Result<Guesses> {
        let mut games: Vec<GameRecord> = Vec::new();
        if self.variant.is_some() {
            return Ok(Guesses::default());
        }
        let enough = || Error::from(io::Error::from(io::ErrorKind::Interrupted));
        let read = for_each_game(input, Some(encoding), |game, _| {
            if Guesses::is_evidence(&game.record) {
                games.push(game.record);
            }
            if games.len() < Guesses::MAX_GAMES { Ok(()) } else { Err(enough()) }
        });
        if games.len() < Guesses::MAX_GAMES {
            read?;
        }
        Ok(Guesses::new(&games))
    }
}
