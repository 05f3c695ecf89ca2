//! A game on the table, and the engine that finds moves in it.

use super::Contender;
use crate::arena::Opening;
use crate::engine::{Event, Handle, Status, Table, open};
use crate::notation::{FenRecord, MoveRecord};
use crate::rules::{Color, Variant};
use crossbeam_channel::{Receiver, unbounded};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A move and what it cost.
#[derive(Clone, Debug)]
pub(super) struct Thought {
    /// The move; none where there is no legal one.
    pub(super) best: Option<String>,
    /// Positions searched.
    pub(super) nodes: u64,
    /// From the question to the answer.
    pub(super) time: Duration,
}

/// A game of one variant with its engine.
pub(super) struct Board {
    engine: Box<dyn Handle>,
    events: Receiver<Event>,
}

impl Board {
    /// A board at the start position.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(super) fn new(variant: Variant) -> io::Result<Self> {
        let (sender, events) = unbounded();
        Ok(Self { engine: open(variant, sender)?, events })
    }

    /// An empty transposition table of `mib` MiB.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub(super) fn table(mib: usize) -> io::Result<Arc<Table>> {
        Ok(Arc::new(Table::new(mib).map_err(io::Error::other)?))
    }

    /// Sets up `start`, or the start position, and plays `moves`.
    ///
    /// # Errors
    /// When this is no position or game of the variant.
    pub(super) fn set_up(&mut self, start: Option<&FenRecord>, moves: &[String]) -> io::Result<()> {
        let moves = moves.iter().map(|text| text.parse()).collect::<Result<Vec<MoveRecord>, _>>();
        self.engine.set_position(start, &moves.map_err(io::Error::other)?).map_err(io::Error::other)
    }

    /// Sets up the position after `opening`.
    ///
    /// # Errors
    /// When it is none of the variant.
    pub(super) fn open(&mut self, opening: &Opening) -> io::Result<()> {
        self.set_up(opening.start.as_ref(), &opening.moves)
    }

    /// Plays a move that the engine found.
    ///
    /// # Errors
    /// When it is not legal.
    pub(super) fn play(&mut self, text: &str) -> io::Result<()> {
        self.engine.play(&[text.parse().map_err(io::Error::other)?]).map_err(io::Error::other)
    }

    pub(super) fn status(&self) -> Status {
        self.engine.status()
    }

    pub(super) fn side(&self) -> Color {
        self.engine.fen().side
    }

    pub(super) fn position(&self) -> FenRecord {
        self.engine.fen()
    }

    /// Lets `contender` find a move.
    ///
    /// # Errors
    /// When the search breaks off.
    pub(super) fn think(&mut self, contender: &Contender, table: &Arc<Table>, seed: u64) -> io::Result<Thought> {
        let asked = Instant::now();
        self.engine.search(contender.request(seed), table).map_err(io::Error::other)?;
        let mut nodes = 0;
        loop {
            match self.events.recv().map_err(io::Error::other)? {
                Event::Info(info) => nodes = info.nodes,
                Event::BestMove { best, .. } => return Ok(Thought { best, nodes, time: asked.elapsed() }),
                Event::Failed { message, .. } => return Err(io::Error::other(message)),
                _ => {}
            }
        }
    }
}
