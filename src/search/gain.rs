//! Forced gains of material, proved by looking at every answer: no pruning, no evaluation, only captures counted.
//!
//! A gain is proved to so many plies: whatever the other side plays, the side that gains is ahead by as much as was asked for when
//! these plies are played and nothing is to be taken any more. Captures that must be played, and moves that are the only ones, do not
//! count as plies, so that a shot with many sacrifices is not deep.

use crate::position::{Key, Move, MoveList, Pieces, Position};
use crate::rules::{Color, Objective, Word};
use std::collections::HashMap;

/// The value of a man; a king that goes one step is worth half as much more, one that flies three times as much.
pub const MAN: i32 = 2;

/// Plies by which a line is searched further where the side that gains would lose a piece at its end.
const MOST_EXTENSIONS: u8 = 2;

/// Positions that are remembered at most.
const MOST_KNOWN: usize = 1 << 20;

/// Plies from the root, forced ones with them, after which a line counts as no gain.
const LONGEST: usize = 96;

/// The material of `color` above that of the other side, in [`MAN`] for a man.
pub fn balance<W: Word>(position: &Position<W>, color: Color) -> i32 {
    let king = if position.spec().flying_kings { 3 * MAN } else { MAN + MAN / 2 };
    let of =
        |pieces: &Pieces<W>, color| MAN * pieces.men(color).count() as i32 + king * pieces.kings(color).count() as i32;
    of(position.pieces(), color) - of(position.pieces(), color.opponent())
}

/// A search for a forced gain of the side `winner`, which ends when its nodes are used up.
struct GainSearch<W: Word> {
    winner: Color,
    /// The balance to be reached.
    wanted: i32,
    nodes: u64,
    most_nodes: u64,
    known: HashMap<(Key, i32, u8), bool>,
    moves: Vec<MoveList<W>>,
}

/// The result of a search for a gain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// True if the gain is forced within the plies that were searched to the end.
    pub is_forced: bool,
    /// Those plies; 0 if not even one was.
    pub plies: u8,
    /// The fewest plies from which on it is forced at each depth.
    pub since: u8,
    /// Positions looked at.
    pub nodes: u64,
}

impl<W: Word> GainSearch<W> {
    /// Looks one ply further each time, up to `deepest`, for the gain from `position` on. It is there if it is so at every depth from some
    /// one on; the last one that was searched to its end counts. In a game whose aim is another one than to leave the other
    /// side without a move, material is nothing to gain.
    fn search(&mut self, position: &Position<W>, deepest: u8) -> Gain {
        let mut gain = Gain::default();
        if position.spec().objective != Objective::Normal {
            return gain;
        }
        for plies in 1..=deepest {
            let Some(is_forced) = self.reaches(position, i32::from(plies), 0, 0) else { break };
            if is_forced && !gain.is_forced {
                gain.since = plies;
            }
            (gain.is_forced, gain.plies) = (is_forced, plies);
        }
        gain.nodes = self.nodes;
        gain
    }

    /// Returns whether the winner gets what is wanted from `position` within `depth` plies; `None` when the nodes are used up.
    fn reaches(&mut self, position: &Position<W>, depth: i32, extensions: u8, ply: usize) -> Option<bool> {
        let (side, key) = (position.side(), (position.key(), depth, extensions));
        let is_winner = side == self.winner;
        let can_capture = position.can_capture(side);
        let must_capture = can_capture && position.rules().compulsory();
        let mut extensions = extensions;
        if depth <= 0 && !must_capture {
            if !position.has_move() {
                return Some(position.winner_without_move() == self.winner);
            }
            let is_ahead = balance(position, self.winner) >= self.wanted;
            let is_threatened = is_winner && position.can_capture(side.opponent());
            if !is_ahead || !is_threatened {
                return Some(is_ahead);
            }
            extensions += 1;
            if extensions > MOST_EXTENSIONS {
                return Some(false);
            }
        }
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.nodes >= self.most_nodes || ply >= LONGEST {
            return if ply >= LONGEST { Some(false) } else { None };
        }
        self.nodes += 1;
        if self.moves.len() <= ply {
            self.moves.push(MoveList::new());
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        position.fill_moves(can_capture, &mut moves);
        let depth_after = if must_capture || moves.len() == 1 { depth } else { depth - 1 };
        let mut result =
            Some(if moves.is_empty() { position.winner_without_move() == self.winner } else { !is_winner });
        for &mv in moves.iter() {
            match self.reaches(&position.play(mv), depth_after, extensions, ply + 1) {
                Some(reached) if reached == is_winner => {
                    result = Some(reached);
                    break;
                }
                Some(_) => {}
                None => {
                    result = None;
                    break;
                }
            }
        }
        self.moves[ply] = moves;
        if let Some(result) = result
            && self.known.len() < MOST_KNOWN
        {
            self.known.insert(key, result);
        }
        result
    }
}

/// The gain that the side to move in `position` forces, with `mv` if it is given: it is ahead by `wanted` then, in [`MAN`] for a man. It is
/// looked for up to `deepest` plies from there on.
pub fn forced_gain<W: Word>(
    position: &Position<W>,
    mv: Option<Move<W>>,
    wanted: i32,
    (deepest, most_nodes): (u8, u64),
) -> Gain {
    let from = mv.map_or(*position, |mv| position.play(mv));
    let (known, moves) = (HashMap::new(), Vec::new());
    GainSearch { winner: position.side(), wanted, nodes: 0, most_nodes, known, moves }.search(&from, deepest)
}
