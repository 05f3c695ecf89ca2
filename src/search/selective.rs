//! Selectivity: reductions, forward cuts and extensions.
//!
//! Late-move reductions, internal iterative reduction, cuts by the evaluation near the leaves, ProbCut, singular extensions and
//! multi-cut. There are no null moves: in draughts the side to move is often the one that has to give way. `docs/search.md` has
//! the measurements of each part, and what was tried and left out.

use super::Bound;
use super::hunt::is_hunted;
use super::score::Score;
use super::table::Entry;
use super::thread::Search;
use crate::position::{Move, Position};
use crate::rules::Word;
use std::ops::ControlFlow;

/// Least depth at which late moves are reduced.
const REDUCED_DEPTH: i32 = 3;

/// Moves before the first one that is reduced.
const UNREDUCED_MOVES: usize = 3;

/// The history of a move that changes its reduction by a ply, and the most plies by which it does.
const HISTORY_OF_A_PLY: i32 = 6000;
const HISTORY_PLIES: i32 = 2;

/// Least depth for ProbCut.
const PROBCUT_DEPTH: i32 = 4;

/// By how much a shallow search must be above beta, in hundredths of a man, to stand for the deep one.
const PROBCUT_MARGIN: i16 = 30;

/// The part of the depth that the shallow search keeps, in percent.
const PROBCUT_KEEP: i32 = 40;

/// Greatest depth at which the evaluation alone can cut.
const SURE_DEPTH: i32 = 4;

/// By how much the evaluation must be above beta then, in hundredths of a man, for each ply and once more.
const SURE_MARGIN: i32 = 35;

/// Greatest depth at which the evaluation alone can say that nothing helps.
const HOPELESS_DEPTH: i32 = 2;

/// By how much the evaluation must be below alpha then, in hundredths of a man, for each ply.
const HOPELESS_MARGIN: i32 = 100;

/// Least depth at which it is asked whether the best move is the only good one.
const SINGULAR_DEPTH: i32 = 6;

/// By how much shallower than that the table's entry may be.
const SINGULAR_SLACK: i32 = 3;

/// By how much the other moves must be worse, in hundredths of a man, beside one for each ply.
const SINGULAR_MARGIN: i32 = 5;

/// Least depth at which a position without a move in the table is searched less deeply.
const UNKNOWN_DEPTH: i32 = 4;

/// Entries of the table of reductions in each direction; greater depths and later moves count as the last one.
const SIZE: usize = 64;

/// By how many plies late moves are reduced, by depth and place in the order.
pub(super) struct Reductions(Box<[[u8; SIZE]; SIZE]>);

impl Reductions {
    pub(super) fn new() -> Self {
        let logarithms: [f64; SIZE] = std::array::from_fn(|number| (number.max(1) as f64).ln());
        let row = |depth: f64| logarithms.map(|index| (0.75 + depth * index / 1.5) as u8);
        Self(Box::new(logarithms.map(row)))
    }

    /// Plies by which the quiet move at `index` in the order is reduced when `depth` plies remain: less if it has been good
    /// elsewhere, more if not, as its `value` in the order tells.
    #[inline]
    pub(super) fn of(&self, depth: i32, index: usize, value: i32) -> i32 {
        if depth < REDUCED_DEPTH || index < UNREDUCED_MOVES {
            return 0;
        }
        let plies = i32::from(self.0[(depth as usize).min(SIZE - 1)][index.min(SIZE - 1)]);
        (plies - (value / HISTORY_OF_A_PLY).clamp(-HISTORY_PLIES, HISTORY_PLIES)).max(0)
    }
}

impl<W: Word> Search<'_, W> {
    /// By how many plies `mv` is reduced, which stands at `index` in the order with `value`, when `depth` plies remain.
    #[inline]
    pub(super) fn reduction(&self, mv: Move<W>, depth: i32, index: usize, value: i32) -> i32 {
        if mv.is_capture() || self.is_exhaustive() { 0 } else { self.reductions.of(depth, index, value) }
    }

    /// Near the leaves, an evaluation far outside the window from `alpha` to `beta` stands for the search, if the opponent
    /// has nothing to take. Like [`Search::probable_cut`] it leaves the search for a win alone, in which every bound is a
    /// win or a loss.
    pub(super) fn sure_cut(&self, position: &Position<W>, depth: i32, (alpha, beta): (Score, Score)) -> Option<Score> {
        if depth > SURE_DEPTH
            || beta.is_decided()
            || is_hunted(position)
            || position.can_capture(position.side().opponent())
        {
            return None;
        }
        let score = self.evaluate(position);
        let at_least = score - (SURE_MARGIN * (depth + 1)) as i16;
        let at_most = score + (HOPELESS_MARGIN * depth) as i16;
        let bound = if at_least >= beta {
            at_least
        } else if depth <= HOPELESS_DEPTH && at_most <= alpha {
            at_most
        } else {
            return None;
        };
        (position.draw_by_count().is_none() && position.has_move()).then_some(bound)
    }

    /// Searches `position` without the move of `entry`, to half of `depth`, if that move may be the only good one.
    ///
    /// If it is, goes on with 1: that move is searched a ply deeper (singular extension). If there is another one that is good
    /// enough for a cut, breaks with what the position is worth at least (multi-cut). If not, but that move cut before, goes on
    /// with -1: it is searched a ply less deeply. `beta` is none where nothing may be cut.
    pub(super) fn compare_with_others(
        &mut self,
        position: &Position<W>,
        entry: &Entry,
        depth: i32,
        beta: Option<Score>,
        ply: usize,
    ) -> ControlFlow<Score, i32> {
        let score = Score::at_root(entry.score, ply);
        let is_candidate = depth >= SINGULAR_DEPTH
            && entry.code != 0
            && entry.bound != Bound::Upper
            && i32::from(entry.depth) >= depth - SINGULAR_SLACK
            && !score.is_decided()
            && !self.is_exhaustive()
            && !is_hunted(position)
            && ply < 2 * usize::from(self.depth);
        if !is_candidate {
            return ControlFlow::Continue(0);
        }
        let goal = score - (SINGULAR_MARGIN + depth) as i16;
        self.frames[ply].excluded = entry.code;
        let others = self.alpha_beta(position, depth / 2, goal - 1, goal, ply);
        self.frames[ply].excluded = 0;
        self.frames[ply].line.clear();
        let is_enough = |score| beta.is_some_and(|beta| score >= beta);
        if others < goal {
            ControlFlow::Continue(1)
        } else if is_enough(goal) {
            ControlFlow::Break(goal)
        } else if is_enough(score) {
            ControlFlow::Continue(-1)
        } else {
            ControlFlow::Continue(0)
        }
    }

    /// The plies to which the moves of a position are searched that leaves a choice and has `depth` plies to go. Without a move
    /// in the table to begin with it is one less: what that finds begins the next search (internal iterative reduction).
    #[inline]
    pub(super) fn depth_of_choice(&self, depth: i32, hash_code: u16) -> i32 {
        let is_reduced = hash_code == 0 && depth >= UNKNOWN_DEPTH && !self.is_exhaustive();
        depth - i32::from(is_reduced)
    }

    /// ProbCut: a search to less than half the depth that is well above `beta` stands for the whole one. Inside such a
    /// search there is no other.
    pub(super) fn probable_cut(
        &mut self,
        position: &Position<W>,
        depth: i32,
        beta: Score,
        ply: usize,
    ) -> Option<Score> {
        if depth < PROBCUT_DEPTH || beta.is_decided() || self.frames[ply].in_probcut || is_hunted(position) {
            return None;
        }
        let raised = beta + PROBCUT_MARGIN;
        self.frames[ply].in_probcut = true;
        let score = self.alpha_beta(position, depth * PROBCUT_KEEP / 100, raised - 1, raised, ply);
        self.frames[ply].in_probcut = false;
        (score >= raised && !self.stopped).then(|| score - PROBCUT_MARGIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::search::team::testing::with_team;

    #[test]
    fn a_cut_near_the_leaves_says_no_more_than_is_sure() {
        with_team(&Limits::default(), |team, game| {
            let search = Search::new(team, 0, game);
            let score = search.evaluate(game.position());
            let cut = |depth, alpha| search.sure_cut(game.position(), depth, (alpha, alpha + 1));
            assert_eq!(cut(1, score + 100), Some(score + 100));
            assert_eq!(cut(2, score + 210), Some(score + 200));
            assert_eq!(cut(3, score + 400), None);
            assert_eq!(cut(1, score + 99), None);
            assert_eq!(cut(1, score - 70), None);
            assert_eq!(cut(1, score - 71), Some(score - 70));
            assert_eq!(cut(4, score - 300), Some(score - 175));
            assert_eq!(cut(5, score - 900), None);
        });
    }

    #[test]
    fn probcut_answers_with_what_its_search_found_less_the_margin() {
        with_team(&Limits::default(), |team, game| {
            let mut search = Search::new(team, 0, game);
            let position = game.position();
            // So much better than it is that no search of its own says so.
            let shallow = Score::DRAW + 300;
            search.store(position, (shallow, Bound::Lower), 0, 4, 0);
            let most = shallow - PROBCUT_MARGIN;
            let cut = search.probable_cut(position, 10, most, 0);
            assert_eq!(cut, Some(most));
            assert_eq!(search.probable_cut(position, 10, most + 1, 0), None);
            assert_eq!(search.probable_cut(position, PROBCUT_DEPTH - 1, most, 0), None);
            search.frames[0].in_probcut = true;
            assert_eq!(search.probable_cut(position, 10, most, 0), None);
        });
    }

    #[test]
    fn the_other_moves_extend_the_only_good_one_and_cut_or_reduce_where_it_is_not() {
        with_team(&Limits::default(), |team, game| {
            let mut search = Search::new(team, 0, game);
            search.depth = 12;
            let position = game.position();
            let code = position.legal_moves()[0].code();
            let mut compare = |score, beta| {
                let entry = Entry { code, score, depth: 8, bound: Bound::Lower };
                search.compare_with_others(position, &entry, 8, beta, 0)
            };
            assert_eq!(compare(300, None), ControlFlow::Continue(1));
            let goal = Score::at_root(-300, 0) - (SINGULAR_MARGIN + 8) as i16;
            assert_eq!(compare(-300, Some(goal)), ControlFlow::Break(goal));
            let score = Score::at_root(-300, 0);
            assert_eq!(compare(-300, Some(goal + 1)), ControlFlow::Continue(-1));
            assert_eq!(compare(-300, Some(score)), ControlFlow::Continue(-1));
            assert_eq!(compare(-300, Some(score + 1)), ControlFlow::Continue(0));
            assert_eq!(compare(-300, None), ControlFlow::Continue(0));
        });
    }

    #[test]
    fn without_a_move_to_begin_with_a_position_is_searched_less_deeply() {
        with_team(&Limits::default(), |team, game| {
            let search = Search::new(team, 0, game);
            let depth = |depth, hash_code| search.depth_of_choice(depth, hash_code);
            assert_eq!([depth(8, 0), depth(8, 1), depth(4, 0), depth(3, 0)], [7, 8, 3, 3]);
        });
        let exhaustive = Limits { win_in: Some(5), ..Limits::default() };
        with_team(&exhaustive, |team, game| assert_eq!(Search::new(team, 0, game).depth_of_choice(8, 0), 8));
    }
}
