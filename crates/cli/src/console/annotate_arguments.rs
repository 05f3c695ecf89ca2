//! The command line of `annotate`.

use super::analyse_command::SearchArguments;
use super::few;
use clap::Args;
use soffio::annotate::Thresholds;
use soffio::engine::Limits;
use soffio::rules::Variant;
use soffio::shard::Shard;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The arguments of `annotate`.
#[derive(Clone, Debug, Args)]
pub struct AnnotateArguments {
    /// The file of game records (PDN), or - for standard input.
    pub(super) file: PathBuf,
    /// Write the annotated games to this new file; without it to standard output.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Only these games of the file, counted from 1.
    #[arg(long, value_name = "FIRST[-[LAST]]")]
    pub(super) games: Option<GameRange>,
    /// Only a part of these: the parts 1/N to N/N together are all of them, and `soffio merge` puts what they write together.
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub(super) shard: Shard,
    /// The variant of games that have no tag GameType; without it, it is guessed from squares and moves.
    #[arg(long, value_parser = super::variant)]
    pub(super) variant: Option<Variant>,
    #[command(flatten)]
    pub(super) search: SearchArguments,
    /// Threads of the search.
    #[arg(long, default_value_t = NonZeroUsize::MIN, value_parser = few())]
    threads: NonZeroUsize,
    /// The least loss of a blunder (??), in 1/100 man; half of it makes a mistake (?), a quarter a doubtful move (?!).
    /// Three men decide a game: more does not count.
    #[arg(long, value_name = "LOSS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=600))]
    blunder: u32,
    /// Draw the score curve to this file (SVG); with several games NAME.svg becomes NAME-1.svg, NAME-2.svg ...
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Write the analysis board with all games in it to this file (HTML), which any browser shows; with the engine too, if its script
    /// for browsers is beside the program.
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Leave the engine out of that file.
    #[arg(long, requires = "html")]
    pub(super) no_engine: bool,
    /// Replace files that exist.
    #[arg(long)]
    pub(super) overwrite: bool,
    /// Print a record of every position for scripts, one JSON object a line, instead of the games.
    #[arg(long)]
    pub(super) json: bool,
}

impl AnnotateArguments {
    /// The limits that complete `usual`, those of the engine.
    pub(super) fn limits(&self, usual: Limits) -> Limits {
        self.search.limits().of(Limits { threads: self.threads, ..usual })
    }

    /// The losses that make a move bad.
    pub(super) fn thresholds(&self) -> Thresholds {
        Thresholds { blunder: self.blunder }
    }

    /// Returns true if the game with this number is asked for.
    pub(super) fn is_asked_for(&self, number: usize) -> bool {
        self.games.is_none_or(|range| range.contains(number))
    }

    /// The file for the curve of the game with this number, if one is wanted; `alone` if there is no other.
    pub(super) fn curve_file(&self, number: usize, alone: bool) -> Option<PathBuf> {
        let path = self.svg.as_deref()?;
        Some(if alone { path.to_owned() } else { numbered(path, number) })
    }
}

/// `games.svg` as `games-7.svg`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let part = |text: Option<&std::ffi::OsStr>| text.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, extension) = (part(path.file_stem()), part(path.extension()));
    let dot = if extension.is_empty() { "" } else { "." };
    path.with_file_name(format!("{stem}-{number}{dot}{extension}"))
}

/// A range of numbers of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameRange {
    first: usize,
    last: usize,
}

impl GameRange {
    fn contains(self, number: usize) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

impl FromStr for GameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0);
        let range = match text.split_once('-') {
            None => number(text).map(|only| Self { first: only, last: only }),
            Some((first, "")) => number(first).map(|first| Self { first, last: usize::MAX }),
            Some((first, last)) => number(first).zip(number(last)).map(|(first, last)| Self { first, last }),
        };
        let range = range.filter(|range| range.first <= range.last);
        range.ok_or_else(|| "expected a game such as 3, or several such as 3-7 or 3-".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let read = |text: &str| text.parse::<GameRange>().ok().map(|range| (range.first, range.last));
        assert_eq!(read("3"), Some((3, 3)));
        assert_eq!(read("3-7"), Some((3, 7)));
        assert_eq!(read("3-"), Some((3, usize::MAX)));
        for text in ["", "0", "-3", "7-3", "a", "1-2-3", "3..7"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn files_of_several_games_are_numbered() {
        assert_eq!(numbered(Path::new("a/games.svg"), 7), Path::new("a/games-7.svg"));
        assert_eq!(numbered(Path::new("games"), 7), Path::new("games-7"));
    }
}
