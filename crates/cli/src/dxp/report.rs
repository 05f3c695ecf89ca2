//! Reports of the games: lines while they are played, and game records.

use super::game::{Outcome, Terms, Verdict};
use super::player::Player;
use anyhow::{Result, anyhow};
use soffio::notation::pdn::{Date, GameRecord, GameResult, PdnMove, Period, PlayedGame, TimeControl};
use soffio::notation::printable;
use soffio::rules::Color;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub(super) struct Report<'a, W> {
    output: &'a mut W,
    records: Option<Records>,
}

impl<'a, W: Write> Report<'a, W> {
    /// Lines go to `output`, and game records to the end of the file `records` if there is one.
    ///
    /// # Errors
    /// When that file cannot be opened.
    pub(super) fn new(output: &'a mut W, records: Option<&Path>) -> Result<Self> {
        Ok(Self { output, records: records.map(Records::open).transpose()? })
    }

    pub(super) fn say(&mut self, line: fmt::Arguments<'_>) -> Result<()> {
        log::info!("{line}");
        writeln!(self.output, "{line}")?;
        Ok(self.output.flush()?)
    }

    /// Tells how game `number` of a connection, between `player` and `peer`, ended.
    pub(super) fn end_game(
        &mut self,
        number: usize,
        (player, peer): (&Player, &str),
        terms: Terms,
        outcome: &Outcome,
    ) -> Result<()> {
        let (own, peer) = (printable(player.name.chars()), printable(peer.chars()));
        let players = if terms.own == Color::White { [&*own, &*peer] } else { [&*peer, &*own] };
        // The record comes first, so that it is complete when the line appears.
        if let Some(records) = &mut self.records {
            records.add(&record(number, players, player, terms, outcome))?;
        }
        let [white, black] = players;
        self.say(format_args!("game {number}: {white} - {black} {}, {}", outcome.verdict, outcome.why))
    }
}

/// A file to which game records are added. Its errors name it.
struct Records {
    path: PathBuf,
    file: File,
    separator: &'static str,
}

impl Records {
    fn open(path: &Path) -> Result<Self> {
        let named = |error: std::io::Error| anyhow!("{}: {error}", path.display());
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(named)?;
        // The last game may have been written without an empty line after it.
        let separator = if file.metadata().map_err(named)?.len() > 0 { "\n\n" } else { "" };
        Ok(Self { path: path.to_owned(), file, separator })
    }

    fn add(&mut self, record: &GameRecord) -> Result<()> {
        let text = format!("{}{record}", std::mem::take(&mut self.separator));
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| anyhow!("{}: {error}", self.path.display()))
    }
}

fn record(round: usize, players: [&str; 2], player: &Player, terms: Terms, outcome: &Outcome) -> GameRecord {
    let variant = player.variant;
    let fen = player.start().map(ToString::to_string);
    let moves = player.moves.iter().map(PdnMove::new);
    let (time, increment) = (terms.time.unwrap_or_default(), Duration::ZERO);
    let most = terms.moves.and_then(|moves| NonZeroU32::new(moves.into()));
    let period = most.map_or(Period::Rest { time, increment }, |moves| Period::Moves { moves, time, increment });
    let control = terms.time.map_or(TimeControl::Unlimited, |_| TimeControl::Periods(vec![period]));
    let game = PlayedGame {
        event: "DXP",
        site: "?",
        round,
        date: &Date::from(SystemTime::now()).to_string(),
        players,
        variant,
        fen: fen.as_deref(),
        controls: [control.clone(), control],
        moves: moves.collect(),
        result: match outcome.verdict {
            Verdict::Won(winner) => GameResult::won_by(winner, variant),
            Verdict::Drawn => GameResult::Draw,
            Verdict::Unknown => GameResult::Unknown,
        },
        reason: &outcome.why,
    };
    game.into()
}
