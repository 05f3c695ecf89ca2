//! Parts of a file of games (PDN): which part it is stands in its first line as a comment, and the number of each game in a line after it.

use super::merge_command::{Pieces, say_torn};
use anyhow::{Result, anyhow, ensure};
use soffio::shard::Shard;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// How the first line of a part begins.
pub(super) const HEADING: &str = "; part ";

/// How the line after each of its games begins.
const END: &str = "; game ";

/// A part of the games of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PdnPart {
    shard: Shard,
    /// The numbers of the first and of the last game of all parts.
    games: [usize; 2],
}

impl PdnPart {
    /// Returns the part `shard` of these games; `None` if that is all of them.
    pub(super) fn of(shard: Shard, games: [usize; 2]) -> Option<Self> {
        (shard != Shard::ALL).then_some(Self { shard, games })
    }

    /// Returns the line before its games.
    pub(super) fn heading(&self) -> String {
        let [first, last] = self.games;
        format!("{HEADING}{} of the games {first}-{last}\n", self.shard)
    }

    /// Returns the line after the game with this number.
    pub(super) fn end_of(number: usize) -> String {
        format!("{END}{number}\n")
    }

    fn read(line: &str) -> Option<Self> {
        let (shard, games) = line.strip_prefix(HEADING)?.split_once(" of the games ")?;
        let (first, last) = games.trim_end().split_once('-')?;
        Some(Self { shard: shard.parse().ok()?, games: [first.parse().ok()?, last.parse().ok()?] })
    }
}

/// Puts the games of `parts` together, and writes them without those lines to `output`. Returns whether all are there.
///
/// # Errors
/// When a file cannot be read or written, or is no part of the same games.
pub(super) fn merge(parts: &[PathBuf], output: &mut dyn Write) -> Result<bool> {
    let (mut pieces, mut known) = (Pieces::default(), None);
    for path in parts {
        read_part(path, &mut pieces, &mut known).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    }
    for game in pieces.pieces.values() {
        output.write_all(game)?;
    }
    output.flush()?;
    let [first, last] = known.unwrap_or_default();
    Ok(pieces.tell(parts.len(), first as u64..=last as u64))
}

/// Adds the games of the part at `path`; what all parts know must be `known`.
fn read_part(path: &Path, pieces: &mut Pieces<Vec<u8>>, known: &mut Option<[usize; 2]>) -> Result<()> {
    let mut file = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    // A file that is no part could be one line without end.
    file.by_ref().take(200).read_until(b'\n', &mut line)?;
    let part = PdnPart::read(&String::from_utf8_lossy(&line)).ok_or_else(|| anyhow!("this is no part of games"))?;
    ensure!(*known.get_or_insert(part.games) == part.games, "it is of other games");
    let mut game = Vec::new();
    while read_line(&mut file, &mut line)? {
        let number =
            line.strip_prefix(END.as_bytes()).and_then(|rest| str::from_utf8(rest).ok()?.trim_end().parse().ok());
        // A comment in a game may look like this line, but for its number.
        match number.filter(|number| part.games[0] as u64 <= *number && part.shard.has(number - 1)) {
            Some(number) if line.ends_with(b"\n") => pieces.add(number, std::mem::take(&mut game)),
            _ => game.extend_from_slice(&line),
        }
    }
    if !game.is_empty() {
        say_torn(path);
    }
    Ok(())
}

fn read_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    Ok(file.read_until(b'\n', line)? > 0)
}
