//! Proves forced gains of material by searching every reply, without pruning or evaluation.
//!
//! A gain is proved at a given depth if, whatever the opponent plays, the gaining side can be ahead by the required
//! amount at that depth with no capture pending. Compulsory captures and forced moves do not count towards the depth,
//! so even long combinations of sacrifices need only a small depth.

use crate::position::{Key, Move, MoveList, Pieces, Position};
use crate::rules::{Color, Objective, Word};
use std::collections::HashMap;

/// Value of a man in the units of [`balance`]. A king is worth 1.5 men, and a flying king 3 men.
pub const MAN: i32 = 2;

/// Maximum number of times that a line is extended because a piece of the gaining side is threatened at its end.
const MAX_EXTENSIONS: u8 = 2;

const MAX_KNOWN: usize = 1 << 20;

/// Number of plies from the root, including forced plies, after which a line is abandoned and counts as no gain.
const MAX_LINE_PLIES: usize = 96;

/// Returns `color`'s material minus the opponent's material. A man counts as [`MAN`].
pub fn balance<W: Word>(position: &Position<W>, color: Color) -> i32 {
    let king = if position.spec().flying_kings { 3 * MAN } else { MAN + MAN / 2 };
    let of =
        |pieces: &Pieces<W>, color| MAN * pieces.men(color).count() as i32 + king * pieces.kings(color).count() as i32;
    of(position.pieces(), color) - of(position.pieces(), color.opponent())
}

struct GainSearch<W: Word> {
    winner: Color,
    wanted: i32,
    nodes: u64,
    most_nodes: u64,
    known: HashMap<(Key, i32, u8), bool>,
    moves: Vec<MoveList<W>>,
}

/// Result of [`forced_gain`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// Whether the gain is forced at the last completed depth.
    pub is_forced: bool,
    /// Last completed depth in plies, or 0 if no depth was completed.
    pub plies: u8,
    /// Smallest depth in plies such that the gain is forced at this depth and at every greater depth that was searched.
    /// Meaningful only if `is_forced` is true.
    pub since: u8,
    /// Number of nodes searched.
    pub nodes: u64,
}

impl<W: Word> GainSearch<W> {
    /// Uses iterative deepening up to `deepest` plies and returns the result of the last completed depth. Reports no
    /// gain in variants with a special objective, in which more material is not an advantage.
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

    /// Returns whether the gain is forced, or `None` if the node limit has been reached.
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
            if extensions > MAX_EXTENSIONS {
                return Some(false);
            }
        }
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.nodes >= self.most_nodes || ply >= MAX_LINE_PLIES {
            return if ply >= MAX_LINE_PLIES { Some(false) } else { None };
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
            && self.known.len() < MAX_KNOWN
        {
            self.known.insert(key, result);
        }
        result
    }
}

/// Searches for a gain that the side to move in `position` can force. The gain is a material [`balance`] of at least
/// `wanted`.
///
/// If `mv` is given, the side to move must start with this move. The search is limited to `deepest` plies, not counting
/// `mv`, and to `most_nodes` nodes.
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
