//! The shards of annotated games that `soffio annotate --shard` writes and `soffio merge` reads.

use anyhow::{Result, anyhow, ensure};
use soffio::shard::Shard;
use soffio_support::stdio::skip_byte_order_mark;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Start of the first line in a shard of annotated games.
const PDN_HEADING: &str = "; part ";

/// Start of the line before each game in a shard. The line contains the length of the game in bytes, so text of a game
/// cannot be mistaken for it.
const PDN_ENTRY: &str = "; game ";

/// Maximum length of a heading or marker line. A file of a different kind may consist of a single very long line.
const MAX_LINE: u64 = 200;

/// A shard of the games in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PdnShard {
    shard: Shard,
    /// Numbers of the first and the last game over all shards.
    games: [usize; 2],
}

impl PdnShard {
    pub fn new(shard: Shard, games: [usize; 2]) -> Option<Self> {
        (shard != Shard::ALL).then_some(Self { shard, games })
    }

    /// Returns whether `text` begins with the heading of a shard.
    pub fn begins(text: &str) -> bool {
        text.starts_with(PDN_HEADING)
    }

    pub fn heading(&self) -> String {
        let [first, last] = self.games;
        format!("{PDN_HEADING}{} of the games {first}-{last}\n", self.shard)
    }

    /// Returns the entry for a game: a marker line, the game, and a line feed if the game does not end with one.
    pub fn entry(number: usize, game: &[u8]) -> Vec<u8> {
        let marker = format!("{PDN_ENTRY}{number}, {} bytes\n", game.len());
        let end: &[u8] = if game.ends_with(b"\n") { b"" } else { b"\n" };
        [marker.as_bytes(), game, end].concat()
    }

    /// Parses a marker line. Returns the number of the game and its length in bytes.
    fn marker(&self, line: &[u8]) -> Option<(u64, u64)> {
        let text = str::from_utf8(line).ok()?.strip_prefix(PDN_ENTRY)?.strip_suffix(" bytes\n")?;
        let (number, length) = text.split_once(", ")?;
        let (number, length) = (number.parse().ok()?, length.parse().ok()?);
        let [first, last] = self.games.map(|number| number as u64);
        let is_in_shard = (first.max(1)..=last).contains(&number) && self.shard.contains(number - 1);
        is_in_shard.then_some((number, length))
    }

    fn read(line: &str) -> Option<Self> {
        let (shard, games) = line.strip_prefix(PDN_HEADING)?.split_once(" of the games ")?;
        let (first, last) = games.trim_end().split_once('-')?;
        Some(Self { shard: shard.parse().ok()?, games: [first.parse().ok()?, last.parse().ok()?] })
    }
}

/// Calls `add` with the number and the text of each game in the shard at `path`. `known` contains the games of the
/// shards that have been read so far. Returns false if the last entry is incomplete.
pub fn read_shard(path: &Path, known: &mut Option<[usize; 2]>, mut add: impl FnMut(u64, Vec<u8>)) -> Result<bool> {
    let mut file = BufReader::new(File::open(path)?);
    skip_byte_order_mark(&mut file)?;
    let mut line = Vec::new();
    file.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    let shard =
        PdnShard::read(&String::from_utf8_lossy(&line)).ok_or_else(|| anyhow!("not a shard of annotated games"))?;
    ensure!(*known.get_or_insert(shard.games) == shard.games, "not a shard of the same games as the first file");
    loop {
        line.clear();
        if file.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(true);
        }
        let Some((number, length)) = shard.marker(&line) else {
            // Only the last line of an interrupted run lacks a line feed.
            ensure!(
                !line.ends_with(b"\n") && (line.len() as u64) < MAX_LINE,
                "expected a line such as '{PDN_ENTRY}3, 812 bytes': the shard was changed, or an older version wrote it"
            );
            return Ok(false);
        };
        let mut game = Vec::new();
        file.by_ref().take(length).read_to_end(&mut game)?;
        let mut end = Vec::new();
        if !game.ends_with(b"\n") {
            file.by_ref().take(1).read_to_end(&mut end)?;
        }
        if (game.len() as u64) < length || !(game.ends_with(b"\n") || end == b"\n") {
            return Ok(false);
        }
        add(number, game);
    }
}
