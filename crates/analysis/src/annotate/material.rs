//! Computes the material that a line gains or exchanges. Material is counted in quiet positions, and an exhaustive
//! search proves gains. If a sentence names a number of pieces, a search for this number proves it.

use super::annotation::MAX_LINE_PLIES;
use soffio::board::Bits;
use soffio::engine::{Gain, GainLimits, Lead, forced_gain, has_gained, is_quiet, lead};
use soffio::game::{Game, Move};
use soffio::rules::{Color, Objective};

/// Maximum depth in plies and maximum number of nodes of the search that proves that a side makes a king.
const KING_LIMITS: GainLimits = GainLimits::new(8, 20_000);

/// Number of plies for which a gain of pieces must last. It must be forced at the first depth at which it is found, and
/// at each of the next `MIN_GAIN_PLIES` depths. Otherwise, the search would often stop before the pieces are
/// recaptured.
const MIN_GAIN_PLIES: u8 = 4;

/// Number of plies for which the gain must be held after the line that shows it.
const MIN_PLIES_AFTER_LINE: u8 = 8;

/// Limits of the searches for a gain of pieces.
const LIMITS: GainLimits = GainLimits { plies: 12, lasting: MIN_GAIN_PLIES, nodes: 40_000, nodes_if_forced: 400_000 };

/// Limits of the searches for the moves of a proved line.
const LINE_LIMITS: GainLimits = GainLimits::new(8, 10_000);

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
    fn count(game: &Game, side: Color) -> Self {
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
            outcomes.push(Self::count(game, side));
        }
        let pieces = outcomes.iter().map(|outcome| outcome.pieces);
        let pieces = if game.side() == side { pieces.max() } else { pieces.min() };
        let kings = outcomes.iter().map(|outcome| outcome.kings).min();
        Self { pieces: pieces.unwrap_or_default(), kings: kings.unwrap_or_default() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProvedGain {
    /// The number of pieces is proved.
    Pieces(i32),
    King,
}

impl ProvedGain {
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
    pub(super) gain: ProvedGain,
    pub(super) line: Vec<Move>,
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
        self.pieces().or_else(|| self.king())
    }

    /// Returns the pieces that the side gains by force, and a line that ends with this gain. The line is the start of
    /// the expected line if the gain is made there. Otherwise, if no first move is required, it is a line from the
    /// proof. Returns `None` if no such line exists, if the gain is lost again in the expected line, or if the other
    /// move gains pieces as well.
    fn pieces(&self) -> Option<MaterialGain> {
        let (root, first) = self.root;
        let side = root.side();
        let before = MaterialCount::count(self.before, side);
        let gain = |(game, mv), pieces| forced_gain(game, mv, (Lead::Pieces, before.pieces + pieces), LIMITS);
        let ends = self.ends(|game| match MaterialCount::count(game, side).pieces - before.pieces {
            pieces @ 1.. => Some(pieces),
            _ => None,
        });
        let shown = ends.first().map(|(pieces, _)| *pieces);
        if shown.is_none() && first.is_some() {
            return None;
        }
        if !self.is_missing_after_other(ProvedGain::Pieces(1), before, side) {
            return None;
        }
        let proof = gain(self.root, 1);
        if !proof.lasts(MIN_GAIN_PLIES) {
            return None;
        }
        let refuted = gain(self.other, 1);
        if refuted.is_forced || refuted.plies < proof.since {
            return None;
        }
        let is_proved = |&pieces: &i32| gain(self.root, pieces).lasts(MIN_GAIN_PLIES);
        let pieces = match shown {
            Some(shown) => (2..=shown).rev().find(is_proved).unwrap_or(1),
            None => (2..).take_while(is_proved).last().unwrap_or(1),
        };
        let gain = ProvedGain::Pieces(pieces);
        let wanted = before.pieces + pieces;
        let is_kept = |line: &[Move]| {
            played(root, line).is_some_and(|end| gain.is_kept(before, MaterialCount::settled(&end, side)))
                && has_lasting_lead(root, line, wanted)
        };
        let expected = self.line.get(..MAX_LINE_PLIES).unwrap_or(self.line);
        let found = ends.into_iter().find(|&(count, _)| count == pieces).map(|(_, line)| line);
        let found = found.filter(|line| is_kept(line) && is_kept(expected));
        let line = match found {
            Some(line) => line,
            None if first.is_none() => proved_line(root, wanted).filter(|line| is_kept(line))?,
            None => return None,
        };
        Some(MaterialGain { gain, line })
    }

    /// Returns the king that the side makes by force, and a line that shows this.
    fn king(&self) -> Option<MaterialGain> {
        let ((root, first), (other, other_first)) = (self.root, self.other);
        let side = root.side();
        let before = MaterialCount::count(self.before, side);
        // A promotion is worth at least half a man.
        let wanted = lead(self.before, side) + 1;
        let gain_in = |game: &Game| {
            let end = MaterialCount::count(game, side);
            let is_gain = end.pieces > before.pieces || end.pieces == before.pieces && end.kings > before.kings;
            (is_gain && has_gained(game, side, wanted)).then_some(end.pieces == before.pieces)
        };
        let line = match self.ends(gain_in).into_iter().next() {
            Some((true, line)) => Some(line),
            Some((false, _)) => return None,
            None if first.is_some() => return None,
            None => None,
        };
        if line.is_some() {
            let end = played(root, self.line.get(..MAX_LINE_PLIES).unwrap_or(self.line))?;
            if !ProvedGain::King.is_kept(before, MaterialCount::settled(&end, side)) {
                return None;
            }
        }
        if !self.is_missing_after_other(ProvedGain::King, before, side) {
            return None;
        }
        let proof = forced_gain(root, first, (Lead::HalfMen, wanted), KING_LIMITS);
        if !proof.is_forced {
            return None;
        }
        let refuted = forced_gain(other, other_first, (Lead::HalfMen, wanted), KING_LIMITS);
        if refuted.is_forced || refuted.plies < proof.since {
            return None;
        }
        let line = match line {
            Some(line) => line,
            None => proved_king_line(root, wanted, &gain_in)?,
        };
        Some(MaterialGain { gain: ProvedGain::King, line })
    }

    /// Returns the starts of the expected line that end with a gain, each with what `gain` returns at its end. Skips
    /// positions in which a side could capture.
    fn ends<T>(&self, gain: impl Fn(&Game) -> Option<T>) -> Vec<(T, Vec<Move>)> {
        let line = self.line.get(..MAX_LINE_PLIES).unwrap_or(self.line);
        let (mut game, mut ends) = (self.root.0.clone(), Vec::new());
        for (index, &mv) in line.iter().enumerate() {
            if !game.play(mv) {
                break;
            }
            if let Some(gain) = gain(&game).filter(|_| is_quiet(&game)) {
                ends.push((gain, line.get(..=index).unwrap_or_default().to_vec()));
            }
        }
        ends
    }

    /// Returns whether the side misses the gain after the other move, both immediately and in the expected line.
    /// The proof that it is not forced is no deeper than that of the gain, so the gain may come a move later.
    fn is_missing_after_other(&self, gain: ProvedGain, before: MaterialCount, side: Color) -> bool {
        let has_more_kings = |game: &Game| MaterialCount::count(game, side).kings > before.kings;
        let mut game = self.after_other.clone();
        let is_missing = |game: &Game| gain.is_missing(before, MaterialCount::settled(game, side));
        if !is_missing(&game) || gain == ProvedGain::King && game.side() == side && can_reach(&game, &has_more_kings) {
            return false;
        }
        for &mv in self.other_line.iter().take(MAX_LINE_PLIES) {
            if !game.play(mv) {
                break;
            }
            if gain == ProvedGain::King && has_more_kings(&game) {
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

fn played(game: &Game, line: &[Move]) -> Option<Game> {
    let mut game = game.clone();
    line.iter().all(|&mv| game.play(mv)).then_some(game)
}

/// Returns whether the side to move in `root` has a lead of at least `wanted` pieces at the end of `line` and can keep
/// it for the next [`MIN_PLIES_AFTER_LINE`] plies.
fn has_lasting_lead(root: &Game, line: &[Move], wanted: i32) -> bool {
    let limits = GainLimits { plies: MIN_PLIES_AFTER_LINE, ..LIMITS };
    let Some((&last, start)) = line.split_last() else { return false };
    let Some(before_last) = played(root, start) else { return false };
    let gain = if before_last.side() == root.side() {
        forced_gain(&before_last, Some(last), (Lead::Pieces, wanted), limits)
    } else {
        let Some(end) = played(&before_last, &[last]) else { return false };
        forced_gain(&end, None, (Lead::Pieces, wanted), limits)
    };
    gain.is_forced && gain.plies >= MIN_PLIES_AFTER_LINE
}

/// Returns a proved line to a lead of exactly `wanted` pieces. The attacker wins the pieces as fast as possible. The
/// defender does not lose more than these pieces if this can be avoided, and resists as long as possible. Returns
/// `None` if there is no such line within [`MAX_PROOF_PLIES`] plies.
fn proved_line(root: &Game, wanted: i32) -> Option<Vec<Move>> {
    let side = root.side();
    line_of_proof(
        root,
        &|game, mv| forced_gain(game, mv, (Lead::Pieces, wanted), LINE_LIMITS),
        &|game| forced_gain(game, None, (Lead::Pieces, wanted + 1), LINE_LIMITS).is_forced,
        &|game| is_quiet(game).then(|| MaterialCount::count(game, side).pieces).filter(|&pieces| pieces >= wanted),
    )
    .and_then(|(pieces, line)| (pieces == wanted).then_some(line))
}

/// Returns a proved line to a lead of `wanted` half-men that ends with a new king, or `None` if there is no such line
/// within [`MAX_PROOF_PLIES`] plies.
fn proved_king_line(root: &Game, wanted: i32, prize_in: &dyn Fn(&Game) -> Option<bool>) -> Option<Vec<Move>> {
    let proof = |game: &Game, mv| forced_gain(game, mv, (Lead::HalfMen, wanted), KING_LIMITS);
    let (is_king, line) = line_of_proof(root, &proof, &|_| false, prize_in)?;
    is_king.then_some(line)
}

/// Returns a line on which the gain proved by `proof` is made, and what `end` returns after its last move. The attacker
/// chooses the fastest gain, and the defender the slowest among the moves for which `is_worse` is false, if there are
/// any.
fn line_of_proof<T>(
    root: &Game,
    proof: &dyn Fn(&Game, Option<Move>) -> Gain,
    is_worse: &dyn Fn(&Game) -> bool,
    end: &dyn Fn(&Game) -> Option<T>,
) -> Option<(T, Vec<Move>)> {
    let (mut game, mut line) = (root.clone(), Vec::new());
    while line.len() < MAX_PROOF_PLIES {
        let is_attacker = game.side() == root.side();
        let legal = game.legal_moves();
        let mut proofs = Vec::new();
        for &mv in &legal {
            if is_attacker {
                proofs.push((false, proof(&game, Some(mv)), mv));
            } else {
                game.play(mv);
                proofs.push((legal.len() > 1 && is_worse(&game), proof(&game, None), mv));
                game.undo();
            }
        }
        proofs.retain(|(_, gain, _)| gain.is_forced);
        let best = if is_attacker {
            proofs.iter().min_by_key(|(_, gain, _)| gain.since)
        } else {
            proofs.iter().max_by_key(|(is_worse, gain, _)| (!is_worse, gain.since))
        };
        let &(_, _, mv) = best?;
        game.play(mv);
        line.push(mv);
        if let Some(gain) = end(&game) {
            return Some((gain, line));
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
    pub(super) fn at_start_of(before: &Game, line: &[Move], after_other: &Game) -> Option<Self> {
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
                end = (index > 0 && is_quiet(&game)).then_some((index, MaterialCount::count(&game, side).pieces));
            }
        }
        let (index, pieces) = end?;
        let instead = MaterialCount::settled(after_other, side).pieces;
        let is_kept = MaterialCount::settled(&game, side).pieces == pieces
            && instead >= MaterialCount::count(before, side).pieces;
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
