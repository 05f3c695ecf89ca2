use crate::convert::{self, TavlaError, count, integer, shown, text, whole};
use crate::wait::interruptible;
use parking_lot::Mutex;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use soffio::clock::Stopwatch;
use soffio::rules::Color;
use soffio_tavla::game::{TavlaGame, TavlaState, TavlaStatus, TavlaTurn};
use soffio_tavla::notation::{drawing, gnubg_id, mat, read_gnubg_id, read_xgid, xgid};
use soffio_tavla::player::{PlayValue, TavlaLimits, TavlaReport, TavlaSettings, think};
use soffio_tavla::rules::{BAR, LegalPlay, Roll, Rules, TavlaPlay};
use std::num::NonZeroUsize;

/// A game of tavla on a backgammon board. Points are numbered from 24 to 1 from the point of view of the side to move;
/// 25 stands for the bar, and 0 for checkers that have been borne off.
///
/// >>> import soffio
/// >>> game = soffio.Tavla()
/// >>> game.set_dice(3, 1)
/// >>> len(game.legal_plays), "8/5,6/5" in game.legal_plays
/// (16, True)
/// >>> game.push("8/5 6/5")
/// '8/5,6/5'
#[pyclass(frozen, module = "soffio", name = "Tavla")]
pub struct PyTavla {
    table: Mutex<GameAndDice>,
}

#[derive(Clone)]
struct GameAndDice {
    game: TavlaGame,
    random: fastrand::Rng,
}

const MAX_LINES: usize = 10_000;

fn tavla_error(what: &str, error: impl std::fmt::Display) -> PyErr {
    TavlaError::new_err(format!("{what}: {error}"))
}

fn read_position(text: &str) -> PyResult<TavlaState> {
    if text.starts_with("XGID") || text.matches(':').count() > 2 {
        read_xgid(text).map_err(|error| tavla_error("xgid", error))
    } else {
        read_gnubg_id(text).map_err(|error| tavla_error("gnubg id", error))
    }
}

fn read_roll(first: u8, second: u8) -> PyResult<Roll> {
    let roll = Roll::new(first, second);
    roll.ok_or_else(|| tavla_error("dice", format!("expected two dice from 1 to 6, not {first} and {second}")))
}

fn play(game: &mut TavlaGame, text: &str) -> PyResult<TavlaPlay> {
    let read: TavlaPlay = text.parse().map_err(|error| tavla_error("play", error))?;
    let legal = game.resolve(&read).map_err(|error| tavla_error("play", error))?;
    game.play(&legal.play).map_err(|error| tavla_error("play", error))?;
    Ok(legal.play)
}

/// A pickled game, which consists of the start position, whether a mars counts double, the seed for future dice, the
/// dice and the play of each turn, and the current dice.
type PickledTavla = (String, bool, u64, Vec<(u8, u8, String)>, Option<(u8, u8)>);

/// Restores a pickled game.
#[pyfunction]
pub fn restore_tavla(
    start: &str,
    mars: bool,
    seed: u64,
    turns: Vec<(u8, u8, String)>,
    dice: Option<(u8, u8)>,
) -> PyResult<PyTavla> {
    let mut game = TavlaGame::new(Rules { mars, ..Rules::default() }, read_position(start)?);
    let set_dice = |game: &mut TavlaGame, (first, second)| {
        game.set_dice(read_roll(first, second)?).map_err(|error| tavla_error("dice", error))
    };
    for (first, second, text) in turns {
        set_dice(&mut game, (first, second))?;
        play(&mut game, &text)?;
    }
    dice.map_or(Ok(()), |dice| set_dice(&mut game, dice))?;
    Ok(PyTavla { table: Mutex::new(GameAndDice { game, random: fastrand::Rng::with_seed(seed) }) })
}

fn colour(side: Color) -> bool {
    side == Color::White
}

#[pymethods]
impl PyTavla {
    /// Starts a game, optionally from an XGID or gnubg ID. If ``mars`` is true, a win by mars counts double. ``seed``
    /// makes the dice reproducible.
    #[new]
    #[pyo3(signature = (position = None, *, mars = false, seed = None))]
    fn new(position: Option<&Bound<'_, PyAny>>, mars: bool, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let state =
            position.map_or_else(|| Ok(TavlaState::start()), |given| read_position(text("position", given)?))?;
        let rules = Rules { mars, ..Rules::default() };
        let seed = seed.map(|seed| whole("seed", seed, 0..=u64::MAX)).transpose()?;
        let random = seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        Ok(Self { table: Mutex::new(GameAndDice { game: TavlaGame::new(rules, state), random }) })
    }

    /// The side to move: ``WHITE`` or ``BLACK``.
    #[getter]
    fn turn(&self) -> bool {
        colour(self.table.lock().game.state().side)
    }

    /// The dice, with the higher one first, or ``None`` before the roll.
    #[getter]
    fn dice(&self) -> Option<(u8, u8)> {
        self.table.lock().game.state().dice.map(|roll| (roll.high(), roll.low()))
    }

    /// The legal plays with the current dice, each written as a list of hops. If the side must pass, the only play is
    /// ``pass``.
    #[getter]
    fn legal_plays(&self) -> Vec<String> {
        self.table.lock().game.legal().iter().map(|legal| legal.play.ordered().to_string()).collect()
    }

    /// The numbers of checkers on each point, for White and for Black. Each list is indexed by the side's own point
    /// numbers.
    #[getter]
    fn points(&self) -> (Vec<u8>, Vec<u8>) {
        let table = self.table.lock();
        let (white, black) = table.game.state().sides();
        (white.counts().to_vec(), black.counts().to_vec())
    }

    /// The pip counts of White and Black.
    #[getter]
    fn pips(&self) -> (u32, u32) {
        let table = self.table.lock();
        let (white, black) = table.game.state().sides();
        (white.pips(), black.pips())
    }

    /// The numbers of checkers on the bar, for White and for Black.
    #[getter]
    fn bar(&self) -> (u8, u8) {
        let table = self.table.lock();
        let (white, black) = table.game.state().sides();
        (white.count_at(BAR), black.count_at(BAR))
    }

    /// Sets the dice.
    fn set_dice(&self, first: &Bound<'_, PyAny>, second: &Bound<'_, PyAny>) -> PyResult<()> {
        let die = |given| Ok::<_, PyErr>(integer("a die", given)?.extract().unwrap_or(0));
        let expected = || format!("expected two dice from 1 to 6, not {} and {}", shown(first), shown(second));
        let roll = Roll::new(die(first)?, die(second)?).ok_or_else(|| tavla_error("dice", expected()))?;
        self.table.lock().game.set_dice(roll).map_err(|error| tavla_error("dice", error))
    }

    /// Rolls the dice. The first roll of a game also decides who begins.
    fn roll(&self) -> PyResult<(u8, u8)> {
        let GameAndDice { game, random } = &mut *self.table.lock();
        let (_, roll) = game.roll(random).map_err(|error| tavla_error("roll", error))?;
        Ok((roll.high(), roll.low()))
    }

    /// Makes a play and returns it with its hops in standard order. Raises ``TavlaError`` with the reason if the play
    /// is illegal.
    fn push(&self, play: &Bound<'_, PyAny>) -> PyResult<String> {
        let text = text("play", play)?;
        Ok(self::play(&mut self.table.lock().game, text)?.ordered().to_string())
    }

    /// Undoes the last turn and restores its dice.
    fn pop(&self) -> PyResult<()> {
        self.table.lock().game.undo(1).map_err(|error| tavla_error("undo", error))
    }

    /// Returns the winner and the number of points won, or ``None`` while the game is in progress.
    fn result(&self) -> Option<(bool, u8)> {
        match self.table.lock().game.status() {
            TavlaStatus::Playing => None,
            TavlaStatus::Won { winner, points, .. } => Some((colour(winner), points)),
        }
    }

    /// Returns whether a side has borne off all its checkers.
    fn is_game_over(&self) -> bool {
        self.result().is_some()
    }

    /// Returns the best plays with the current dice as dictionaries, best first. Each has ``play``, ``depth``,
    /// ``equity`` in points, ``win`` (the probability of a win) and, after ``rollout`` games, ``error`` (the standard
    /// error of the equity). The default limit is a depth of 3. Ctrl-C interrupts the analysis.
    #[pyo3(
        signature = (*, depth = None, time = None, nodes = None, rollout = None, multipv = None),
        text_signature = "($self, *, depth=None, time=None, nodes=None, rollout=None, multipv=1)"
    )]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        depth: Option<&Bound<'py, PyAny>>,
        time: Option<&Bound<'py, PyAny>>,
        nodes: Option<&Bound<'py, PyAny>>,
        rollout: Option<&Bound<'py, PyAny>>,
        multipv: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let limits = TavlaLimits {
            depth: depth.map(|depth| whole("depth", depth, 1..=u8::MAX)).transpose()?,
            time: time.map(|time| convert::time("time", time)).transpose()?,
            nodes: nodes.map(|nodes| whole("nodes", nodes, 1..=u64::MAX)).transpose()?,
            rollout: rollout.map(|games| whole("rollout", games, 2..=u32::MAX)).transpose()?,
        };
        let lines = multipv.map_or(Ok(NonZeroUsize::MIN), |lines| count("multipv", lines, MAX_LINES))?.get();
        let game = self.table.lock().game.clone();
        let settings = TavlaSettings { rules: game.rules(), lines, ..TavlaSettings::default() };
        let legal: Vec<LegalPlay> = game.legal().to_vec();
        if legal.is_empty() {
            return Err(tavla_error(
                "analyse",
                if game.status() != TavlaStatus::Playing {
                    "the game has ended"
                } else {
                    "the dice have not been rolled: call roll() or set_dice() first"
                },
            ));
        }
        let plays: Vec<_> = game.legal().iter().map(|legal| legal.play.ordered().to_string()).collect();
        let last = interruptible(py, move |stop| {
            let mut last: Option<TavlaReport> = None;
            let clock = Stopwatch::start();
            think(&settings, &legal, limits, clock, &|| stop.is_stopped(), &mut |report| last = Some(report));
            last
        })?;
        let findings = last.map(|report| report.findings).unwrap_or_default();
        let described = |finding: soffio_tavla::player::PlayEvaluation| {
            let table = PyDict::new(py);
            table.set_item("play", plays.get(finding.place))?;
            table.set_item("depth", finding.depth)?;
            match finding.worth {
                PlayValue::Equity { estimate, equity, rollout } => {
                    table.set_item("equity", equity)?;
                    table.set_item("win", estimate.win)?;
                    if let Some((_, error)) = rollout {
                        table.set_item("error", error)?;
                    }
                }
                PlayValue::Value(value) => table.set_item("equity", value)?,
            }
            Ok(table)
        };
        findings.into_iter().take(lines).map(described).collect()
    }

    /// Returns the position as an XGID, the format of eXtreme Gammon.
    fn xgid(&self) -> String {
        xgid(self.table.lock().game.state())
    }

    /// Returns the position as a gnubg ID, which consists of a position ID and a match ID.
    fn gnubg_id(&self) -> String {
        gnubg_id(self.table.lock().game.state())
    }

    /// Returns the game in ``.mat`` format.
    #[pyo3(signature = (white = None, black = None), text_signature = "($self, white='White', black='Black')")]
    fn mat(&self, white: Option<&Bound<'_, PyAny>>, black: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let white = white.map_or(Ok("White"), |name| text("white", name))?;
        let black = black.map_or(Ok("Black"), |name| text("black", name))?;
        Ok(mat(&self.table.lock().game, white, black))
    }

    /// Returns a drawing of the board as text, from White's point of view.
    fn ascii(&self) -> String {
        drawing(self.table.lock().game.state())
    }

    /// Returns an independent copy with the same turns.
    #[pyo3(signature = (_memo = None), text_signature = "($self)")]
    fn copy(&self, _memo: Option<&Bound<'_, PyAny>>) -> Self {
        Self { table: Mutex::new(self.table.lock().clone()) }
    }

    /// Two games are equal if their positions, dice and rules are equal. Games are mutable, so they have no hash.
    fn __eq__(&self, other: &Self) -> bool {
        self.position_and_rules() == other.position_and_rules()
    }

    fn __repr__(&self) -> String {
        format!("Tavla('{}')", self.xgid())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledTavla)> {
        let GameAndDice { game, random } = self.table.lock().clone();
        let start = game.turns().first().map_or(game.state(), |turn| &turn.before);
        let turn = |turn: &TavlaTurn| (turn.roll.high(), turn.roll.low(), turn.play.to_string());
        let dice = game.state().dice.map(|roll| (roll.high(), roll.low()));
        let turns = game.turns().iter().map(turn).collect();
        let restore = py.import("soffio._native")?.getattr("restore_tavla")?;
        Ok((restore, (xgid(start), game.rules().mars, random.get_seed(), turns, dice)))
    }
}

impl PyTavla {
    fn position_and_rules(&self) -> (String, Rules) {
        let table = self.table.lock();
        (xgid(table.game.state()), table.game.rules())
    }
}
