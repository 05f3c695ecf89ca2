//! How the threads of a search share the moves of a position, and leave what another one has finished.
//!
//! A thread puts off a move that another one is already trying, and mostly finds the answer in the transposition table when it
//! comes back to it: the idea is that of Tom Kerrigan's simplified ABDADA (2017). The answer need not be there to the depth
//! that the thread itself would search, whose reduction depends on what it has learnt. So a move that one thread has found no
//! better than the window is settled for the others too: nodes of two threads over those of one 1.13, 1.12 and 1.15 where it
//! was 1.17 (international depth 16, English 18, Italian 17; 37 openings three times each).
//!
//! A thread that finds one of the positions on its way finished goes back there at once, however deep it is below. The helpers
//! do so, and take what the table knows, in the principal variation too, whose line is not theirs to find. Nodes of two
//! threads over those of one, to a depth of 16 (English 17) from 60 openings each, geometric mean: international 1.18, English
//! 1.12, Italian 1.07; before, when a thread left only the position whose moves it was trying, 1.23, 1.19 and 1.26.
//! Tried and left out: leaving already while ProbCut looks at a position (1.14, 1.17, 1.12 where it was 1.16, 1.12, 1.16; 40 to 50
//! openings), sharing from depth 3 on (fewer nodes, but no sooner) and from depth 2 on (later by a tenth), keeping a deeper
//! entry that another thread has stored meanwhile (no fewer nodes), the first thread leaving the principal variation when the
//! score is outside its window (no sooner), one history for all threads (1.07, 1.12, 1.15 in English, Italian and international
//! draughts where it was 1.06, 1.11, 1.12), putting off no second move either (1.08, 1.12, 1.19), no move where a cut is expected
//! (1.09, 1.11, 1.29 where it was 1.06, 1.12, 1.24), calling the others back to a move whose reduced search found it too good
//! (English 1.25, international 1.14 where it was 1.17 and 1.08).
//!
//! Since ProbCut has a margin of 30, one thread alone searches fewer nodes, and two of them less few: to a depth that takes one
//! thread seven to nine seconds they search 1.16 times its nodes in English, 1.09 in Italian and 1.20 in international draughts.

use super::alphabeta::usable_score;
use super::score::Score;
use super::thread::Search;
use crate::eval::Evaluate;
use crate::position::{Key, Position};
use crate::rules::Rules;
use std::ops::Range;

/// From this depth on threads share the moves of a position: below it the sharing costs more than it gains.
const SHARED_DEPTH: i32 = 4;

/// A position on the way from the root that a thread leaves as soon as another one has finished it.
pub(super) struct Shared<R: Rules> {
    position: Position<R>,
    depth: i32,
    /// Alpha and beta.
    window: (Score, Score),
    ply: usize,
}

/// What another thread has found out about a shared position.
#[derive(Clone, Copy)]
pub(super) struct Finished {
    /// The place of the position among the shared ones.
    level: usize,
    score: Score,
}

/// The turns in which the moves of a position are tried: what another thread is looking at is put off once, until all
/// others have been tried.
pub(super) struct Turns {
    first_tries: Range<usize>,
    put_off: Vec<usize>,
    second_tries: Range<usize>,
}

impl Turns {
    /// The turns of so many `moves`. `space` is only for its memory; [`Turns::into_space`] gives it back.
    pub(super) fn new(moves: usize, mut space: Vec<usize>) -> Self {
        space.clear();
        Self { first_tries: 0..moves, put_off: space, second_tries: 0..moves }
    }

    pub(super) fn into_space(self) -> Vec<usize> {
        self.put_off
    }

    /// Whether the last turn was the first one of its move.
    pub(super) fn is_first_try(&self) -> bool {
        self.second_tries.start == 0
    }

    /// Puts off the move at `index`, at its first turn.
    fn put_off(&mut self, index: usize) {
        self.put_off.push(index);
    }
}

impl Iterator for Turns {
    /// The place of a move.
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.first_tries.next().or_else(|| self.put_off.get(self.second_tries.next()?).copied())
    }
}

/// A move that a thread tries at a shared position.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    /// Of the position after it.
    child: Key,
    /// Of the move at this depth, against this alpha.
    mark: Key,
    alpha: Score,
}

/// What becomes of a [`Trial`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It is the thread's own.
    Taken,
    /// Another thread is at it: it comes again behind all others.
    PutOff,
    /// Another thread has found the move no better than alpha.
    Settled,
}

impl<R: Rules, E: Evaluate<R>> Search<'_, R, E> {
    /// Whether the moves of a position with `depth` plies to go are shared with other threads.
    #[inline]
    pub(super) fn is_shared(&self, depth: i32) -> bool {
        depth >= SHARED_DEPTH && self.team.size() > 1
    }

    /// Begins with a shared position. The first thread needs the line of the principal variation, and does not leave it.
    /// [`Search::leave`] comes after it, with what it returns.
    pub(super) fn enter(
        &mut self,
        position: &Position<R>,
        depth: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
    ) -> Option<usize> {
        if alpha + 1 < beta && !self.is_helper() {
            return None;
        }
        self.shared.push(Shared { position: *position, depth, window: (alpha, beta), ply });
        Some(self.shared.len() - 1)
    }

    /// Whether another thread has meanwhile finished one of the shared positions on the way to here. Then the search is
    /// stopped, until it is back there.
    pub(super) fn is_finished_elsewhere(&mut self) -> bool {
        let score_of = |shared: &Shared<R>| {
            let entry = self.team.table.probe(self.table_key(&shared.position))?;
            usable_score(&entry, &shared.position, shared.depth, shared.window, shared.ply)
        };
        let mut scores = self.shared.iter().map(score_of).enumerate();
        self.finished = scores.find_map(|(level, score)| score.map(|score| Finished { level, score }));
        self.stopped |= self.finished.is_some();
        self.finished.is_some()
    }

    /// Ends with the position that was entered at `level`, and goes on from here if it is the one that another thread has
    /// finished: returns its score then.
    pub(super) fn leave(&mut self, level: Option<usize>) -> Option<Score> {
        let level = level?;
        self.shared.truncate(level);
        let finished = self.finished.take_if(|finished| finished.level == level)?;
        self.stopped = false;
        Some(finished.score)
    }

    /// The move that leads from `position` to `child`, with `depth` plies to go before it, against `alpha`.
    pub(super) fn trial(&self, position: &Position<R>, child: &Position<R>, depth: i32, alpha: Score) -> Trial {
        let child = self.table_key(child);
        let window = (depth as u64) << 16 | u64::from(alpha.at_position(0) as u16);
        let mixed = (self.table_key(position).rotate_left(21) ^ child).wrapping_add(window);
        // The lower half chooses the slot.
        let mark = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Trial { child, mark: mark ^ mark >> 32, alpha }
    }

    /// Begins with `trial`, which stands at `index`, unless it is put off or settled. [`Search::end_trial`] comes after it.
    pub(super) fn take_up(&self, trial: Trial, turns: &mut Turns, index: usize) -> Claim {
        if index > 0 && self.team.settled.contains(trial.mark) {
            Claim::Settled
        } else if index > 0 && turns.is_first_try() && self.team.busy.contains(trial.child) {
            turns.put_off(index);
            Claim::PutOff
        } else {
            self.team.busy.set(trial.child);
            Claim::Taken
        }
    }

    /// Ends `trial`, which was found to be worth `score` unless the search was stopped.
    pub(super) fn end_trial(&self, trial: Trial, score: Score) {
        self.team.busy.clear(trial.child);
        if !self.stopped && score <= trial.alpha {
            self.team.settled.set(trial.mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::HandMade;
    use crate::position::Game;
    use crate::rules::English;
    use crate::search::table::Entry;
    use crate::search::team::{Team, testing::with_team};
    use crate::search::{Bound, Limits};
    use std::num::NonZeroUsize;

    fn in_a_team_of_two(test: impl FnOnce(&Team<'_, English, HandMade<English>>, &Game<English>)) {
        with_team(&Limits { threads: NonZeroUsize::new(2).unwrap(), ..Limits::default() }, test);
    }

    #[test]
    fn what_is_put_off_gets_its_turn_behind_all_others() {
        let mut turns = Turns::new(4, vec![9]);
        let mut tried = Vec::new();
        while let Some(index) = turns.next() {
            if turns.is_first_try() && index % 2 == 1 {
                turns.put_off(index);
            } else {
                tried.push(index);
            }
        }
        assert_eq!(tried, [0, 2, 1, 3]);
        assert_eq!(Turns::new(0, turns.into_space()).next(), None);
    }

    #[test]
    fn a_thread_goes_back_to_what_another_one_has_finished() {
        in_a_team_of_two(|team, game| {
            let mut search = Search::new(team, 1, game);
            let outer = *game.position();
            let inner = outer.play(outer.legal_moves()[0]);
            let window = (Score::DRAW, Score::DRAW + 1);
            assert!(search.is_shared(SHARED_DEPTH) && !search.is_shared(SHARED_DEPTH - 1));
            let levels = [search.enter(&outer, 9, window, 1), search.enter(&inner, 8, window, 2)];
            assert_eq!(levels, [Some(0), Some(1)]);
            let entry =
                |depth, score: Score| Entry { code: 0, score: score.at_position(1), depth, bound: Bound::Lower };
            for unusable in [entry(8, Score::DRAW + 1), entry(9, Score::DRAW)] {
                team.table.store(search.table_key(&outer), unusable);
                assert!(!search.is_finished_elsewhere() && !search.stopped);
            }
            team.table.store(search.table_key(&outer), entry(9, Score::DRAW + 30));
            assert!(search.is_finished_elsewhere() && search.stopped);
            assert_eq!(search.leave(levels[1]), None);
            assert!(search.stopped);
            assert_eq!(search.leave(levels[0]), Some(Score::DRAW + 30));
            assert!(!search.stopped && search.shared.is_empty());
        });
    }

    #[test]
    fn the_first_thread_stays_in_the_principal_variation() {
        in_a_team_of_two(|team, game| {
            let entered = |number, beta| {
                let mut search = Search::new(team, number, game);
                search.enter(game.position(), 9, (Score::DRAW, beta), 1).is_some()
            };
            let (empty, wide) = (Score::DRAW + 1, Score::DRAW + 2);
            assert!(entered(0, empty) && !entered(0, wide));
            assert!(entered(1, empty) && entered(1, wide));
        });
    }

    #[test]
    fn a_move_that_another_thread_looks_at_is_put_off_once() {
        in_a_team_of_two(|team, game| {
            let search = Search::new(team, 1, game);
            let position = game.position();
            let trial = search.trial(position, &position.play(position.legal_moves()[0]), 9, Score::DRAW);
            team.busy.set(trial.child);
            let mut turns = Turns::new(2, Vec::new());
            let mut claims = Vec::new();
            while let Some(index) = turns.next() {
                claims.push((index, turns.is_first_try(), search.take_up(trial, &mut turns, index)));
            }
            assert_eq!(claims, [(0, true, Claim::Taken), (1, true, Claim::PutOff), (1, false, Claim::Taken)]);
        });
    }

    #[test]
    fn a_move_that_another_thread_found_no_better_is_settled() {
        in_a_team_of_two(|team, game| {
            let (mut first, second) = (Search::new(team, 0, game), Search::new(team, 1, game));
            let position = game.position();
            let child = position.play(position.legal_moves()[0]);
            let trial = |depth, alpha| second.trial(position, &child, depth, alpha);
            let claim =
                |depth, alpha, index| second.take_up(trial(depth, alpha), &mut Turns::new(9, Vec::new()), index);
            first.end_trial(trial(9, Score::DRAW), Score::DRAW + 1);
            assert_eq!(claim(9, Score::DRAW, 3), Claim::Taken);
            second.end_trial(trial(9, Score::DRAW), Score::DRAW + 1);
            first.stopped = true;
            first.end_trial(trial(9, Score::DRAW), Score::DRAW);
            assert_eq!(claim(9, Score::DRAW, 3), Claim::Taken);
            first.stopped = false;
            first.end_trial(trial(9, Score::DRAW), Score::DRAW);
            assert_eq!(claim(9, Score::DRAW, 3), Claim::Settled);
            let others = [claim(9, Score::DRAW, 0), claim(8, Score::DRAW, 3), claim(9, Score::DRAW - 1, 3)];
            assert_eq!(others, [Claim::Taken, Claim::PutOff, Claim::PutOff]);
        });
    }
}
