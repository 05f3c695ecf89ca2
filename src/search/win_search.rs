//! The win search: endings of few pieces in which flying kings chase a weaker side.
//!
//! The wins there need sacrifices, which the selective search prunes because their evaluations are far below the window. So with
//! at most seven pieces against a lone one futility pruning, ProbCut and singular searches are switched off; and where the side
//! to move at the root is the stronger one, an exhaustive search for a win runs in turns with the selective search, for as many
//! nodes. Both use the same entries of the transposition table.
//!
//! Reductions stay: without them the search explodes. `docs/search.md` has the measurements.

use super::root::RootMove;
use super::score::Score;
use super::thread::Search;
use super::{Bound, Limits, Observer};
use crate::position::Position;
use crate::rules::{Objective, Word};

/// Most pieces on the board in such an ending.
const MOST_PIECES: u32 = 7;

/// By how much an iteration of the win search is expected to be larger than the one before.
const GROWTH: u64 = 2;

/// Returns whether `position` has few pieces and kings that fly, and that may win by force.
#[inline]
fn has_chasers<W: Word>(position: &Position<W>) -> bool {
    let pieces = position.pieces();
    !pieces.kings.is_empty()
        && pieces.all().count() <= MOST_PIECES
        && position.spec().flying_kings
        && matches!(position.spec().objective, Objective::Normal)
}

/// Returns whether a lone piece is chased in `position`, where a sacrifice that looks bad may win.
#[inline]
pub(super) fn is_chase<W: Word>(position: &Position<W>) -> bool {
    let pieces = position.pieces();
    has_chasers(position) && (pieces.white.is_single() || pieces.black.is_single())
}

/// An exhaustive search for a win, beside the selective one.
pub(super) struct WinSearch {
    /// Plies that the last iteration looked ahead.
    depth: u8,
    /// The most that one may look ahead.
    deepest: u8,
    /// Nodes of all iterations and of the last one.
    nodes: u64,
    last: u64,
    is_over: bool,
    /// Nodes of the whole search when it was over.
    found_at: u64,
}

impl WinSearch {
    /// The search for a win at the root `position`, if the side to move is the one that chases. A handicapped player has none, nor
    /// has a search for several lines.
    pub(super) fn begin<W: Word>(position: &Position<W>, limits: &Limits, lines: usize, deepest: u8) -> Option<Self> {
        let (pieces, side) = (position.pieces(), position.side());
        let is_stronger = pieces.of(side).count() > pieces.of(side.opponent()).count();
        let is_asked = lines == 1 && limits.win_in.is_none() && limits.handicap.is_none();
        let is_chase = is_asked && has_chasers(position) && is_stronger && !pieces.kings(side).is_empty();
        is_chase.then_some(Self { depth: 1, deepest, nodes: 0, last: 0, is_over: false, found_at: 0 })
    }

    /// The plies within which a win was found, if one was.
    pub(super) fn found(&self) -> Option<u8> {
        self.is_over.then_some(self.depth)
    }

    /// Returns whether a nearer win than the one that was found has been looked for long enough, when there are `nodes` of the search: as
    /// many as led to the win. A proof that there is no nearer one can take a hundred times as many.
    pub(super) fn is_enough(&self, nodes: u64) -> bool {
        self.is_over && nodes >= 2 * self.found_at
    }

    /// Returns whether the next iteration is likely not to make the win search larger than the selective search, when there are `nodes` of
    /// both.
    fn is_due(&self, nodes: u64) -> bool {
        !self.is_over && self.depth < self.deepest && self.nodes + GROWTH * self.last <= nodes - self.nodes
    }
}

impl<W: Word> Search<'_, W> {
    /// Goes on with the win search as far as it is due. The move that wins, if one is found, comes first in `moves` then, and from now on
    /// only nearer wins are searched for.
    pub(super) fn search_for_win(
        &mut self,
        win_search: &mut WinSearch,
        position: &Position<W>,
        moves: &mut [RootMove<W>],
        observer: &mut dyn Observer,
    ) {
        let (iteration, win) = (self.depth, Score::least_win());
        while win_search.is_due(self.nodes) && !self.stopped {
            win_search.depth += 1;
            let nodes_before = self.nodes;
            (self.depth, self.exhaustive) = (win_search.depth, true);
            let score = self.search_root(position, moves, 0, (win - 1, win), observer);
            win_search.last = self.nodes - nodes_before;
            win_search.nodes += win_search.last;
            win_search.is_over = score >= win;
            self.exhaustive = win_search.is_over;
            win_search.found_at = self.nodes;
            if win_search.is_over
                && let Some(best) = moves.first_mut()
            {
                self.tell(best, 0, (best.score, Bound::Lower), observer);
            }
            self.depth = iteration;
        }
    }
}
