//! The win search for endings with few pieces in which flying kings chase a weaker side.
//!
//! Winning such an ending often takes sacrifices, which the selective search prunes because their evaluations are far
//! below the window. If one side has a single piece and there are at most seven pieces in total, futility pruning,
//! ProbCut and singular searches are disabled. If the side to move at the root is the stronger side, an exhaustive
//! search for a win alternates with the selective search. Both searches get about the same number of nodes, and they
//! share the entries of the transposition table.
//!
//! Late move reductions stay enabled in the selective search, because the number of nodes would explode without them.
//! `docs/search.md` has the measurements.

use super::root::RootMove;
use super::score::Score;
use super::thread::Search;
use super::{Bound, Limits, Observer};
use crate::position::Position;
use crate::rules::{Objective, Word};

const MAX_PIECES: u32 = 7;

/// Factor by which the number of nodes is expected to grow with each iteration.
const GROWTH: u64 = 2;

#[inline]
fn has_chasers<W: Word>(position: &Position<W>) -> bool {
    let pieces = position.pieces();
    !pieces.kings.is_empty()
        && pieces.all().count() <= MAX_PIECES
        && position.spec().flying_kings
        && matches!(position.spec().objective, Objective::Normal)
}

/// Returns whether flying kings chase a lone piece. A sacrifice may then win even though its evaluation is bad.
#[inline]
pub(super) fn is_chase<W: Word>(position: &Position<W>) -> bool {
    let pieces = position.pieces();
    has_chasers(position) && (pieces.white.is_single() || pieces.black.is_single())
}

pub(super) struct WinSearch {
    depth: u8,
    max_depth: u8,
    /// Number of nodes of all iterations together.
    nodes: u64,
    /// Number of nodes of the last iteration.
    last: u64,
    is_won: bool,
    /// Number of nodes of the whole search when the win was found.
    nodes_at_win: u64,
}

impl WinSearch {
    /// Creates a win search, or returns `None` if the side to move is not the chasing side. There is no win search with
    /// a handicap, with several lines, or if the limits already request a win.
    pub(super) fn begin<W: Word>(position: &Position<W>, limits: &Limits, lines: usize, max_depth: u8) -> Option<Self> {
        let (pieces, side) = (position.pieces(), position.side());
        let is_stronger = pieces.side(side).count() > pieces.side(side.opponent()).count();
        let is_plain_game = lines == 1 && limits.win_in.is_none() && limits.handicap.is_none();
        let is_chase = is_plain_game && has_chasers(position) && is_stronger && !pieces.kings(side).is_empty();
        is_chase.then_some(Self { depth: 1, max_depth, nodes: 0, last: 0, is_won: false, nodes_at_win: 0 })
    }

    pub(super) fn found(&self) -> Option<u8> {
        self.is_won.then_some(self.depth)
    }

    /// Returns whether the search for a shorter win has taken as many nodes as the search for the first win. Proving
    /// that there is no shorter win can take a hundred times as many nodes.
    pub(super) fn is_enough(&self, nodes: u64) -> bool {
        self.is_won && nodes >= 2 * self.nodes_at_win
    }

    /// Returns whether the next iteration is due. It is due if, even after this iteration, the win search is expected
    /// to have used no more nodes than the selective search.
    fn is_due(&self, nodes: u64) -> bool {
        !self.is_won && self.depth < self.max_depth && self.nodes + GROWTH * self.last <= nodes - self.nodes
    }
}

impl<W: Word> Search<'_, W> {
    /// Runs the iterations of the win search that are due. A winning move becomes the first of `moves`, and from then
    /// on, the search looks only for shorter wins.
    pub(super) fn search_for_win(
        &mut self,
        win_search: &mut WinSearch,
        position: &Position<W>,
        moves: &mut [RootMove<W>],
        observer: &mut dyn Observer,
    ) {
        let (iteration, win) = (self.depth, Score::min_win());
        while win_search.is_due(self.nodes) && !self.stopped {
            win_search.depth += 1;
            let nodes_before = self.nodes;
            (self.depth, self.exhaustive) = (win_search.depth, true);
            let score = self.search_root(position, moves, 0, (win - 1, win), observer);
            win_search.last = self.nodes - nodes_before;
            win_search.nodes += win_search.last;
            win_search.is_won = score >= win;
            self.exhaustive = win_search.is_won;
            win_search.nodes_at_win = self.nodes;
            if win_search.is_won
                && let Some(best) = moves.first_mut()
            {
                self.report(best, 0, (best.score, Bound::Lower), observer);
            }
            self.depth = iteration;
        }
    }
}
