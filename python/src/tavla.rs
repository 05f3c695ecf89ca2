//! Tavla, the game with dice.

use crate::error::TavlaError;
use crate::wait::interruptible;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use soffio::rules::Color;
use soffio_tavla::game::{Game, State, Status};
use soffio_tavla::notation::{drawing, gnubg_id, mat, read_gnubg_id, read_xgid, xgid};
use soffio_tavla::player::{Limits, Report, Settings, Worth, think};
use soffio_tavla::rules::{BAR, Legal, Play, Roll, Rules};
use std::time::Duration;

/// A game of tavla, on the board of backgammon. Points are numbered 24 to 1 for the side to move; 25 is the bar, 0 off.
///
/// >>> import soffio
/// >>> game = soffio.Tavla()
/// >>> game.set_dice(3, 1)
/// >>> len(game.legal_plays), "8/5,6/5" in game.legal_plays
/// (16, True)
/// >>> game.push("8/5 6/5")
/// '8/5,6/5'
#[pyclass(module = "soffio", name = "Tavla")]
#[derive(Clone)]
pub struct Tavla {
    game: Game,
    random: fastrand::Rng,
}

fn refused(what: &str, error: impl std::fmt::Display) -> PyErr {
    TavlaError::new_err(format!("{what}: {error}"))
}

fn colour(side: Color) -> bool {
    side == Color::White
}

#[pymethods]
impl Tavla {
    /// A game from a position as an XGID or an identifier of gnubg, or from the start; a win by mars counts double with ``mars``;
    /// ``seed`` makes the dice the same each time.
    #[new]
    #[pyo3(signature = (position = None, *, mars = false, seed = None))]
    fn new(position: Option<&str>, mars: bool, seed: Option<u64>) -> PyResult<Self> {
        let state = match position {
            None => State::start(),
            Some(text) if text.starts_with("XGID") || text.matches(':').count() > 2 => {
                read_xgid(text).map_err(|error| refused("xgid", error))?
            }
            Some(text) => read_gnubg_id(text).map_err(|error| refused("gnubg id", error))?,
        };
        let rules = Rules { mars, ..Rules::default() };
        let random = seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        Ok(Self { game: Game::new(rules, state), random })
    }

    /// The side to move: ``WHITE`` or ``BLACK``.
    #[getter]
    fn turn(&self) -> bool {
        colour(self.game.state().side)
    }

    /// The dice, the higher one first; ``None`` before they are rolled.
    #[getter]
    fn dice(&self) -> Option<(u8, u8)> {
        self.game.state().dice.map(|roll| (roll.high(), roll.low()))
    }

    /// The legal plays with the dice, each by its hops; a single empty one where the side has to pass.
    #[getter]
    fn legal_plays(&self) -> Vec<String> {
        self.game.legal().iter().map(|legal| legal.play.ordered().to_string()).collect()
    }

    /// The checkers of both sides, White's first, each in its own numbers: the place in the list is the point.
    #[getter]
    fn points(&self) -> (Vec<u8>, Vec<u8>) {
        let (white, black) = self.game.state().sides();
        (white.counts().to_vec(), black.counts().to_vec())
    }

    /// The pips that White and Black have still to go.
    #[getter]
    fn pips(&self) -> (u32, u32) {
        let (white, black) = self.game.state().sides();
        (white.pips(), black.pips())
    }

    /// Checkers of White and Black on the bar.
    #[getter]
    fn bar(&self) -> (u8, u8) {
        let (white, black) = self.game.state().sides();
        (white.at(BAR), black.at(BAR))
    }

    /// Says what the dice are.
    fn set_dice(&mut self, first: u8, second: u8) -> PyResult<()> {
        let roll = Roll::new(first, second);
        let roll = roll.ok_or_else(|| refused("dice", format!("two dice from 1 to 6, not {first} and {second}")))?;
        self.game.set_dice(roll).map_err(|error| refused("dice", error))
    }

    /// Rolls the dice; before the first turn also for who begins.
    fn roll(&mut self) -> PyResult<(u8, u8)> {
        let (_, roll) = self.game.roll(&mut self.random).map_err(|error| refused("roll", error))?;
        Ok((roll.high(), roll.low()))
    }

    /// Plays with the dice, and returns the play in the order in which it is written. Raises ``TavlaError`` with the reason.
    fn push(&mut self, play: &str) -> PyResult<String> {
        let read: Play = play.parse().map_err(|error| refused("play", error))?;
        let legal = self.game.resolve(&read).map_err(|error| refused("play", error))?;
        self.game.play(&legal.play).map_err(|error| refused("play", error))?;
        Ok(legal.play.ordered().to_string())
    }

    /// Takes back the last turn; its dice are known again.
    fn pop(&mut self) -> PyResult<()> {
        self.game.undo(1).map_err(|error| refused("undo", error))
    }

    /// The winner and the points that it has won; ``None`` in a game that goes on.
    fn result(&self) -> Option<(bool, u8)> {
        match self.game.status() {
            Status::Playing => None,
            Status::Won { winner, points, .. } => Some((colour(winner), points)),
        }
    }

    /// Returns whether a side has borne off all its checkers.
    fn is_game_over(&self) -> bool {
        self.result().is_some()
    }

    /// The best plays with the dice, the best one first, each a dictionary: ``play``, ``depth``, ``equity`` in points, ``win``, and with
    /// ``rollout`` games of it the standard ``error``. Without limits the depth is 3. Ctrl-C ends it.
    #[pyo3(signature = (*, depth = None, time = None, nodes = None, rollout = None, multipv = 1))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        depth: Option<u8>,
        time: Option<f64>,
        nodes: Option<u64>,
        rollout: Option<u32>,
        multipv: usize,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let time =
            time.map(|time| Duration::try_from_secs_f64(time).map_err(|error| refused("time", error))).transpose()?;
        let limits = Limits { depth, time, nodes, rollout };
        let settings = Settings { rules: self.game.rules(), lines: multipv.max(1), ..Settings::default() };
        let legal: Vec<Legal> = self.game.legal().to_vec();
        if legal.is_empty() {
            return Err(refused(
                "analyse",
                if self.is_game_over() { "the game is over" } else { "the dice are not known" },
            ));
        }
        let plays = self.legal_plays();
        let last = interruptible(py, move |stop| {
            let mut last: Option<Report> = None;
            think(&settings, &legal, limits, &|| stop.is_stopped(), &mut |report| last = Some(report));
            last
        })?;
        let findings = last.map(|report| report.findings).unwrap_or_default();
        let described = |finding: soffio_tavla::player::Finding| {
            let table = PyDict::new(py);
            table.set_item("play", plays.get(finding.place))?;
            table.set_item("depth", finding.depth)?;
            match finding.worth {
                Worth::Equity { estimate, equity, rollout } => {
                    table.set_item("equity", equity)?;
                    table.set_item("win", estimate.win)?;
                    if let Some((_, error)) = rollout {
                        table.set_item("error", error)?;
                    }
                }
                Worth::Value(value) => table.set_item("equity", value)?,
            }
            Ok(table)
        };
        findings.into_iter().take(multipv.max(1)).map(described).collect()
    }

    /// The position as an XGID, which eXtreme Gammon and others read.
    fn xgid(&self) -> String {
        xgid(self.game.state())
    }

    /// The position as gnubg writes it: position and match.
    fn gnubg_id(&self) -> String {
        gnubg_id(self.game.state())
    }

    /// The game as a ``.mat`` file.
    #[pyo3(signature = (white = "White", black = "Black"))]
    fn mat(&self, white: &str, black: &str) -> String {
        mat(&self.game, white, black)
    }

    /// The board drawn in text, as White sees it.
    fn ascii(&self) -> String {
        drawing(self.game.state())
    }

    /// A game of its own with the same turns.
    #[pyo3(signature = (_memo = None), text_signature = "($self)")]
    fn copy(&self, _memo: Option<&Bound<'_, PyAny>>) -> Self {
        self.clone()
    }

    fn __repr__(&self) -> String {
        format!("Tavla('{}')", self.xgid())
    }
}
