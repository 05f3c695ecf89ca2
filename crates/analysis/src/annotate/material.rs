//! Computes the material that a line gains or exchanges. Material is counted in quiet positions, and gains are proved
//! by an exhaustive search.

use super::annotation::MAX_LINE_PLIES;
use soffio::board::Bits;
use soffio::engine::{MAN, gain_of, has_gained, is_quiet, lead};
use soffio::game::{Game, Move};
use soffio::rules::{Color, Objective};

/// Maximum depth in plies and maximum number of nodes of the search that proves a gain.
const LIMITS: (u8, u64) = (8, 20_000);

/// Maximum number of captures that are tried to resolve an exchange.
const MAX_CAPTURES: u32 = 20_000;

/// Maximum length in plies of a proved line, which is used if the principal variation does not show the gain.
const MAX_PROOF_PLIES: usize = 12;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MaterialCount {
    /// Number of the side's own pieces minus the number of the opponent's pieces.
    pieces: i32,
    kings: i32,
}

impl MaterialCount {
    fn of(game: &Game, side: Color) -> Self {
        let mut count = Self::default();
        for piece in game.setup().pieces.values() {
            let is_own = piece.color == side;
            count.pieces += if is_own { 1 } else { -1 };
            count.kings += i32::from(is_own && piece.king);
        }
        count
    }

    /// Returns the material count after both sides have played out all pending captures optimally. The number of kings
    /// is the minimum over all ways to make these captures.
    fn settled(game: &Game, side: Color) -> Self {
        Self::settled_within(&mut game.clone(), side, &mut { MAX_CAPTURES })
    }

    /// Like [`Self::settled`], but tries at most `left` captures. Normal games stay below this limit, but a PDN file
    /// can contain any position.
    fn settled_within(game: &mut Game, side: Color, left: &mut u32) -> Self {
        let legal = game.legal_moves();
        let mut outcomes = Vec::new();
        for &mv in legal.iter().filter(|mv| mv.is_capture()) {
            if *left == 0 {
                break;
            }
            *left -= 1;
            game.play(mv);
            outcomes.push(Self::settled_within(game, side, left));
            game.undo();
        }
        // In some variants, captures are optional.
        if outcomes.is_empty() || outcomes.len() < legal.len() {
            outcomes.push(Self::of(game, side));
        }
        let pieces = outcomes.iter().map(|outcome| outcome.pieces);
        let pieces = if game.side() == side { pieces.max() } else { pieces.min() };
        let kings = outcomes.iter().map(|outcome| outcome.kings).min();
        Self { pieces: pieces.unwrap_or_default(), kings: kings.unwrap_or_default() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prize {
    Pieces(i32),
    King,
}

impl Prize {
    fn between(before: MaterialCount, end: MaterialCount) -> Option<Self> {
        match (end.pieces - before.pieces, end.kings - before.kings) {
            (pieces @ 1.., _) => Some(Self::Pieces(pieces)),
            (0, 1..) => Some(Self::King),
            _ => None,
        }
    }

    fn is_kept(self, before: MaterialCount, end: MaterialCount) -> bool {
        match self {
            Self::Pieces(pieces) => end.pieces - before.pieces >= pieces,
            Self::King => end.kings > before.kings && end.pieces >= before.pieces,
        }
    }

    fn is_missing(self, before: MaterialCount, end: MaterialCount) -> bool {
        match self {
            Self::Pieces(_) => end.pieces <= before.pieces,
            Self::King => end.kings <= before.kings,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct MaterialGain {
    pub(super) prize: Prize,
    pub(super) line: Vec<Move>,
    /// Whether the whole gain is proved, rather than only a part of it.
    pub(super) is_forced: bool,
}

/// A search for material that a side gains after one move but not after another.
pub(super) struct Comparison<'a> {
    /// The game before both moves. Gains are counted from this position.
    pub(super) before: &'a Game,
    /// The game with the gaining side to move, and the move that this side must play, or `None` if it is free to
    /// choose.
    pub(super) root: (&'a Game, Option<Move>),
    pub(super) line: &'a [Move],
    /// The same as `root`, but for the other move.
    pub(super) other: (&'a Game, Option<Move>),
    pub(super) after_other: &'a Game,
    /// The expected line after the other move.
    pub(super) other_line: &'a [Move],
}

impl Comparison<'_> {
    pub(super) fn gain(&self) -> Option<MaterialGain> {
        if self.before.spec().objective != Objective::Normal {
            return None;
        }
        // Try to gain a man first, then half a man, because a king is worth half a man more than a man.
        [MAN, 1].into_iter().find_map(|gained| self.gain_of(gained))
    }

    fn gain_of(&self, gained: i32) -> Option<MaterialGain> {
        let ((root, first), (other, other_first)) = (self.root, self.other);
        let start = lead(self.before, root.side());
        let proof = gain_of(root, first, start + gained, LIMITS);
        if !proof.is_forced {
            return None;
        }
        let refuted = gain_of(other, other_first, start + gained, LIMITS);
        if refuted.is_forced || refuted.plies < proof.since {
            return None;
        }
        let (prize, line) = self.shown(start + gained)?;
        if gained < MAN && prize != Prize::King {
            return None;
        }
        let is_forced = match prize {
            Prize::Pieces(pieces) => gain_of(root, first, start + pieces * MAN, LIMITS).is_forced,
            Prize::King => true,
        };
        Some(MaterialGain { prize, line, is_forced })
    }

    /// Returns what the side gains when its lead reaches `wanted` half-men, and a line that shows this gain. The line
    /// is the expected line if that line shows the gain. Otherwise, if no first move is required, it is a line from the
    /// proof. Returns `None` if no such line exists, if the gain is lost again in the expected line, or if the other
    /// move makes the gain as well.
    fn shown(&self, wanted: i32) -> Option<(Prize, Vec<Move>)> {
        let (root, first) = self.root;
        let side = root.side();
        let before = MaterialCount::of(self.before, side);
        let prize_in = |game: &Game| {
            let prize = Prize::between(before, MaterialCount::of(game, side))?;
            has_gained(game, side, wanted).then_some(prize)
        };
        let line = self.line.get(..MAX_LINE_PLIES).unwrap_or(self.line);
        let mut found = None;
        let mut game = root.clone();
        for (index, &mv) in line.iter().enumerate() {
            if !game.play(mv) {
                break;
            }
            if found.is_none() {
                found = prize_in(&game).map(|prize| (prize, line.get(..=index).unwrap_or_default().to_vec()));
            }
        }
        let found = match found {
            Some(found) => Some(found).filter(|(prize, _)| prize.is_kept(before, MaterialCount::settled(&game, side))),
            None if first.is_none() => proved_line(root, wanted, &prize_in),
            None => None,
        };
        found.filter(|&(prize, _)| self.is_missing_after_other(prize, before, side))
    }

    /// Returns whether the side does not get the prize after the other move: neither at once, nor in the expected line.
    /// The proof that it is not forced is no deeper than that of the gain, so the gain may come a move later.
    fn is_missing_after_other(&self, prize: Prize, before: MaterialCount, side: Color) -> bool {
        let has_more_kings = |game: &Game| MaterialCount::of(game, side).kings > before.kings;
        let mut game = self.after_other.clone();
        let is_missing = |game: &Game| prize.is_missing(before, MaterialCount::settled(game, side));
        if !is_missing(&game) || prize == Prize::King && game.side() == side && can_reach(&game, &has_more_kings) {
            return false;
        }
        for &mv in self.other_line.iter().take(MAX_LINE_PLIES) {
            if !game.play(mv) {
                break;
            }
            if prize == Prize::King && has_more_kings(&game) {
                return false;
            }
        }
        is_missing(&game)
    }
}

/// Returns whether a legal move leads to a wanted position.
fn can_reach(game: &Game, is_wanted: &dyn Fn(&Game) -> bool) -> bool {
    let mut game = game.clone();
    game.legal_moves().into_iter().any(|mv| {
        game.play(mv);
        let is_reached = is_wanted(&game);
        game.undo();
        is_reached
    })
}

/// Returns what the side to move gains on a proved line to a lead of `wanted` half-men, and the line. The attacker wins
/// the material as fast as possible, and the defender resists as long as possible. Returns `None` if there is no such
/// line within [`MAX_PROOF_PLIES`] plies.
fn proved_line(root: &Game, wanted: i32, prize_in: &dyn Fn(&Game) -> Option<Prize>) -> Option<(Prize, Vec<Move>)> {
    let (mut game, mut line) = (root.clone(), Vec::new());
    while line.len() < MAX_PROOF_PLIES {
        let mut proofs = Vec::new();
        for mv in game.legal_moves() {
            let proof = if game.side() == root.side() {
                gain_of(&game, Some(mv), wanted, LIMITS)
            } else {
                game.play(mv);
                let proof = gain_of(&game, None, wanted, LIMITS);
                game.undo();
                proof
            };
            if proof.is_forced {
                proofs.push((proof.since, mv));
            }
        }
        let since = |proof: &&(u8, Move)| proof.0;
        let best =
            if game.side() == root.side() { proofs.iter().min_by_key(since) } else { proofs.iter().max_by_key(since) };
        let &(_, mv) = best?;
        game.play(mv);
        line.push(mv);
        if let Some(prize) = prize_in(&game) {
            return Some((prize, line));
        }
    }
    None
}

/// An exchange or sacrifice that begins with a quiet move. It contains the numbers of pieces that the moving side
/// captures and loses, and the moves.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    pub(super) taken: u32,
    pub(super) given: u32,
    pub(super) line: Vec<Move>,
}

impl Exchange {
    /// Returns the exchange at the start of `line`, or `None` if the material balance after the exchange changes before
    /// the end of the line. A piece that is also lost in `after_other` is not a sacrifice.
    pub(super) fn of(before: &Game, line: &[Move], after_other: &Game) -> Option<Self> {
        let side = before.side();
        let [_, answer, ..] = line else { return None };
        if before.can_capture() || !answer.is_capture() || before.spec().objective != Objective::Normal {
            return None;
        }
        let (mut taken, mut given, mut game) = (0, 0, before.clone());
        let mut end = None;
        for (index, &mv) in line.iter().enumerate() {
            let by_side = game.side() == side;
            if !game.play(mv) {
                return None;
            }
            if end.is_none() {
                *(if by_side { &mut taken } else { &mut given }) += mv.captured.count();
                end = (index > 0 && is_quiet(&game)).then_some((index, MaterialCount::of(&game, side).pieces));
            }
        }
        let (index, pieces) = end?;
        let instead = MaterialCount::settled(after_other, side).pieces;
        let is_kept =
            MaterialCount::settled(&game, side).pieces == pieces && instead >= MaterialCount::of(before, side).pieces;
        is_kept.then(|| Self { taken, given, line: line.get(..=index).unwrap_or_default().to_vec() })
    }
}

pub(super) fn takes_kings(game: &Game, line: &[Move]) -> bool {
    let mut game = game.clone();
    line.iter().any(|&mv| {
        let pieces = game.setup().pieces;
        game.play(mv);
        mv.captured.squares().any(|square| pieces.get(&square).is_some_and(|piece| piece.king))
    })
}
