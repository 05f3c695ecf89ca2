//! Proves forced gains of material by searching every reply, without pruning or evaluation.
//!
//! A gain is proved at a given depth if, whatever the opponent plays, the gaining side can be ahead by the required
//! amount at that depth with no capture pending. Compulsory captures and forced moves do not count towards the depth,
//! so even long combinations of sacrifices need only a small depth.

use crate::position::{Key, Move, MoveList, Pieces, Position};
use crate::rules::{Color, Objective, Word};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

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

/// Returns `color`'s pieces minus the opponent's pieces. Men and kings count the same.
fn piece_lead<W: Word>(position: &Position<W>, color: Color) -> i32 {
    let of = |pieces: &Pieces<W>, color| (pieces.men(color).count() + pieces.kings(color).count()) as i32;
    of(position.pieces(), color) - of(position.pieces(), color.opponent())
}

/// How a gain search counts material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// In the units of [`balance`], in which a king is worth more than a man.
    HalfMen,
    /// In pieces. Men and kings count the same, so a promotion is not a gain.
    Pieces,
}

impl Lead {
    fn evaluate<W: Word>(self, position: &Position<W>, color: Color) -> i32 {
        match self {
            Self::HalfMen => balance(position, color),
            Self::Pieces => piece_lead(position, color),
        }
    }
}

/// Limits of a gain search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GainLimits {
    /// Maximum depth in plies at which a gain is looked for.
    pub plies: u8,
    /// Number of plies for which a gain must last. If the gain is forced, the search goes this number of plies beyond
    /// the depth at which it is first forced, even if this exceeds `plies`.
    pub lasting: u8,
    /// Maximum number of nodes while the gain is not forced.
    pub nodes: u64,
    /// Maximum number of nodes once the gain is forced, to find out whether it lasts.
    pub nodes_if_forced: u64,
}

impl GainLimits {
    /// Limits for a gain that need not last.
    pub const fn new(plies: u8, nodes: u64) -> Self {
        Self { plies, lasting: 0, nodes, nodes_if_forced: nodes }
    }
}

/// A hasher for values that contain the [`Key`] of a position, which is already random.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_i32(&mut self, value: i32) {
        self.write_u64(u64::from(value.cast_unsigned()));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

type KeyMap<K, V> = HashMap<K, V, BuildHasherDefault<KeyHasher>>;

struct GainSearch<W: Word> {
    winner: Color,
    lead: Lead,
    wanted: i32,
    nodes: u64,
    max_nodes: u64,
    known: KeyMap<(Key, i32, u8), bool>,
    /// Index of the move that decided the last search of a position, usually at a smaller depth. It is tried first.
    /// Empty for [`Lead::HalfMen`], so that puzzles found with a given number of nodes stay the same.
    decisive: KeyMap<Key, usize>,
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
    /// Number of nodes searched, including those of an incomplete depth.
    pub nodes: u64,
}

impl Gain {
    /// Returns whether the gain is forced at a depth and at each of the next `plies` depths.
    pub fn lasts(&self, plies: u8) -> bool {
        self.is_forced && self.plies >= self.since.saturating_add(plies)
    }
}

impl<W: Word> GainSearch<W> {
    /// Uses iterative deepening and returns the result of the last completed depth. Reports no gain in variants with a
    /// special objective, in which more material is not an advantage.
    fn search(&mut self, position: &Position<W>, limits: GainLimits) -> Gain {
        let mut gain = Gain::default();
        if position.spec().objective != Objective::Normal {
            return gain;
        }
        for plies in 1..=u8::MAX {
            if plies > limits.plies && (!gain.is_forced || gain.lasts(limits.lasting)) {
                break;
            }
            let Some(is_forced) = self.reaches(position, i32::from(plies), 0, 0) else { break };
            if is_forced && !gain.is_forced {
                gain.since = plies;
            }
            (gain.is_forced, gain.plies) = (is_forced, plies);
            self.max_nodes = if is_forced { limits.nodes_if_forced } else { limits.nodes };
        }
        gain.nodes = self.nodes;
        gain
    }

    /// Returns whether a position without a legal move counts as a gain. A number of pieces is a statement about the
    /// board, so a win with fewer pieces does not prove it.
    fn ends_in_gain(&self, position: &Position<W>) -> bool {
        position.winner_without_move() == self.winner
            && (self.lead == Lead::HalfMen || self.lead.evaluate(position, self.winner) >= self.wanted)
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
                return Some(self.ends_in_gain(position));
            }
            let is_ahead = self.lead.evaluate(position, self.winner) >= self.wanted;
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
        if self.nodes >= self.max_nodes || ply >= MAX_LINE_PLIES {
            return if ply >= MAX_LINE_PLIES { Some(false) } else { None };
        }
        self.nodes += 1;
        if self.moves.len() <= ply {
            self.moves.push(MoveList::new());
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        position.fill_moves(can_capture, &mut moves);
        let depth_after = if must_capture || moves.len() == 1 { depth } else { depth - 1 };
        let mut result = Some(if moves.is_empty() { self.ends_in_gain(position) } else { !is_winner });
        let first = self.decisive.get(&position.key()).copied().filter(|&index| index < moves.len());
        for index in first.into_iter().chain((0..moves.len()).filter(|&index| Some(index) != first)) {
            match self.reaches(&position.play(moves[index]), depth_after, extensions, ply + 1) {
                Some(reached) if reached == is_winner => {
                    result = Some(reached);
                    if self.lead == Lead::Pieces && self.decisive.len() < MAX_KNOWN {
                        self.decisive.insert(position.key(), index);
                    }
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

/// Searches for a gain that the side to move in `position` can force. The gain is a lead of at least `wanted`, counted
/// as in `lead`.
///
/// If `mv` is given, the side to move must start with this move, which does not count towards the depth.
pub fn forced_gain<W: Word>(
    position: &Position<W>,
    mv: Option<Move<W>>,
    (lead, wanted): (Lead, i32),
    limits: GainLimits,
) -> Gain {
    let from = mv.map_or(*position, |mv| position.play(mv));
    let (winner, max_nodes) = (position.side(), limits.nodes);
    let (known, decisive, moves) = (KeyMap::default(), KeyMap::default(), Vec::new());
    GainSearch { winner, lead, wanted, nodes: 0, max_nodes, known, decisive, moves }.search(&from, limits)
}
