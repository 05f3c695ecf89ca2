//! Reads the PDN files that are given to a command, one game at a time.

use super::input::{EncodingArguments, open};
use super::values::variant;
use anyhow::{Error, Result};
use clap::Args;
use soffio::notation::pdn::{GameRecord, Guesses, PdnText, ReadGame, TextEncoding, for_each_game};
use soffio::rules::Variant;
use soffio_analysis::annotate::{AnnotateError, PlayableGame};
use soffio_support::of_file::OfFile;
use std::cell::OnceCell;
use std::fs::File;
use std::io::{self, BufReader, Read};
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

/// A game in a file, with the information that is needed to guess its variant.
pub(super) struct FileGame<'a> {
    pub(super) path: &'a Path,
    pub(super) game: ReadGame<'a>,
    pub(super) text: &'a PdnText,
    guesses: &'a Guesses,
    given: Option<Variant>,
    otherwise: OnceCell<(Option<Variant>, bool)>,
}

impl FileGame<'_> {
    /// Returns the variant to use if no tag names one, and whether it is a guess.
    pub(super) fn otherwise(&self) -> (Option<Variant>, bool) {
        *self.otherwise.get_or_init(|| match self.given {
            None if self.game.record.variant() == Ok(None) => (self.guesses.variant(&self.game.record), true),
            given => (given, false),
        })
    }

    pub(super) fn played(&self) -> Result<Vec<PlayableGame>, AnnotateError> {
        PlayableGame::parts(&self.game.record, self.otherwise().0)
    }
}

impl PdnFiles {
    /// Calls `visit` for each game in the files. Files are not kept in memory, but read anew to guess the encoding, to
    /// guess the variants, and to visit the games. Standard input is kept in memory.
    pub(super) fn for_each(&self, mut visit: impl FnMut(FileGame<'_>) -> Result<()>) -> Result<()> {
        for path in &self.files {
            let is_file = path.is_file();
            let mut bytes = Vec::new();
            if !is_file {
                open(path)?.read_to_end(&mut bytes).of_file(path)?;
            }
            let again = || -> Result<Box<dyn Read>> {
                Ok(if is_file {
                    Box::new(File::open(path).of_file(path)?)
                } else {
                    Box::new(io::Cursor::new(bytes.clone()))
                })
            };
            let encoding = match self.encoding.encoding {
                Some(encoding) => encoding,
                None => TextEncoding::of(BufReader::new(again()?)).of_file(path)?,
            };
            let guesses = self.guesses(again()?, encoding)?;
            for_each_game(again()?, Some(encoding), |game, text| {
                visit(FileGame { path, game, text, guesses: &guesses, given: self.variant, otherwise: OnceCell::new() })
            })?;
        }
        Ok(())
    }

    /// Reads the first games and returns the evidence from which the variants of other games are guessed.
    fn guesses(&self, input: impl Read, encoding: TextEncoding) -> Result<Guesses> {
        let mut games: Vec<GameRecord> = Vec::new();
        if self.variant.is_some() {
            return Ok(Guesses::default());
        }
        let enough = || Error::from(io::Error::from(io::ErrorKind::Interrupted));
        let read = for_each_game(input, Some(encoding), |game, _| {
            games.push(game.record);
            if games.len() < Guesses::MAX_GAMES { Ok(()) } else { Err(enough()) }
        });
        if games.len() < Guesses::MAX_GAMES {
            read?;
        }
        Ok(Guesses::new(&games))
    }
}
