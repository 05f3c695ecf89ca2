//! Prints messages during the games, and writes a game record after each game.

use super::engine::DxpEngine;
use super::game::{DxpVerdict, Outcome, Terms};
use anyhow::{Result, ensure};
use jiff::Timestamp;
use soffio::notation::pdn::{
    DATE_FORMAT, GameRecord, GameResult, PdnMove, Period, PlayedGame, TextEncoding, TimeControl, TimedPeriod,
};
use soffio::notation::printable;
use soffio::rules::Color;
use soffio_support::with_path::WithPath;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) struct DxpReport<'a, W> {
    output: &'a mut W,
    records: Option<Records>,
}

impl<'a, W: Write> DxpReport<'a, W> {
    pub(super) fn new(output: &'a mut W, records: Option<&Path>) -> Result<Self> {
        Ok(Self { output, records: records.map(Records::open).transpose()? })
    }

    pub(super) fn print_line(&mut self, line: fmt::Arguments<'_>) -> Result<()> {
        log::info!("{line}");
        writeln!(self.output, "{line}")?;
        Ok(self.output.flush()?)
    }

    pub(super) fn end_game(
        &mut self,
        number: usize,
        engine: &DxpEngine,
        peer: &str,
        terms: Terms,
        outcome: &Outcome,
    ) -> Result<()> {
        let (own, peer) = (printable(engine.name.chars()), printable(peer.chars()));
        let players = if terms.own == Color::White { [&*own, &*peer] } else { [&*peer, &*own] };
        // Write the record first, so that it is complete when the result line appears.
        if let Some(records) = &mut self.records {
            records.add(&record(number, players, engine, terms, outcome))?;
        }
        let [white, black] = players;
        self.print_line(format_args!("game {number}: {white} - {black} {}, {}", outcome.verdict, outcome.why))
    }
}

struct Records {
    path: PathBuf,
    file: File,
    separator: &'static str,
    /// The encoding of the games in the file.
    encoding: TextEncoding,
}

impl Records {
    fn open(path: &Path) -> Result<Self> {
        let encoding = if path.is_file() {
            File::open(path).and_then(|file| TextEncoding::detect(BufReader::new(file))).with_path(path)?
        } else {
            TextEncoding::UTF_8
        };
        ensure!(
            encoding.can_encode(),
            "{}: games cannot be appended to a file in {encoding}; convert it with soffio pdn convert --to utf-8, or \
             choose another name",
            path.display()
        );
        let file = OpenOptions::new().create(true).append(true).open(path).with_path(path)?;
        // The last game in the file may lack the empty line that separates games.
        let separator = if file.metadata().with_path(path)?.len() > 0 { "\n\n" } else { "" };
        Ok(Self { path: path.to_owned(), file, separator, encoding })
    }

    fn add(&mut self, record: &GameRecord) -> Result<()> {
        let text = format!("{}{record}", std::mem::take(&mut self.separator));
        let length = self.file.metadata().with_path(&self.path)?.len();
        let written = self.file.write_all(&self.encoding.encode(&text)).and_then(|()| self.file.flush());
        // Remove the incomplete game, which would corrupt the next one. This fails for anything but a regular file.
        written.inspect_err(|_| drop(self.file.set_len(length))).with_path(&self.path)
    }
}

fn record(round: usize, players: [&str; 2], engine: &DxpEngine, terms: Terms, outcome: &Outcome) -> GameRecord {
    let variant = engine.variant;
    let fen = engine.start().map(ToString::to_string);
    let moves = engine.moves.iter().map(PdnMove::new);
    let moves_agreed = terms.moves.and_then(|moves| NonZeroU32::new(moves.into()));
    let period = |time| Period::Timed(TimedPeriod { moves: moves_agreed, time, increment: Duration::ZERO });
    let control = terms.time.map_or(TimeControl::Unlimited, |time| TimeControl::Periods(vec![period(time)]));
    let game = PlayedGame {
        event: "DXP",
        site: "?",
        round,
        date: &Timestamp::now().strftime(DATE_FORMAT).to_string(),
        players,
        variant,
        fen: fen.as_deref(),
        controls: [control.clone(), control],
        moves: moves.collect(),
        result: match outcome.verdict {
            DxpVerdict::Won(winner) => GameResult::won_by(winner, variant),
            DxpVerdict::Drawn => GameResult::Draw,
            DxpVerdict::Unknown => GameResult::Unknown,
        },
        reason: &outcome.why,
    };
    game.into()
}
