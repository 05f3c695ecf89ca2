//! Iterative deepening. Each iteration sorts the root moves for the next iteration.

use super::root::RootMove;
use super::score::Score;
use super::thread::Search;
use super::time::IterationStats;
use super::win_search::WinSearch;
use super::{Bound, CurrentMove, Observer, Report, Silent};
use crate::position::{Move, Position};
use crate::rules::{RuleSet, Word};
use crate::tables::{TableOutcome, Verdict, best_line};
use std::time::Duration;

/// Maximum depth of an iteration. It is smaller than `MAX_PLY` in order to leave plies for quiescence and forced moves.
pub const MAX_DEPTH: u8 = 127;

/// Elapsed time after which the search also reports the root move that it is currently searching, and new best moves
/// within an iteration.
const LONG_SEARCH: Duration = Duration::from_secs(1);

impl<W: Word> Search<'_, W> {
    /// Runs iterative deepening until a limit is reached or the result is certain. Afterwards, `moves` begins with the
    /// best `lines` moves, best move first. Reports as many of these moves as the limits request. Returns true if the
    /// limits request a win and the search has proved that there is none.
    pub(super) fn deepen(
        &mut self,
        position: &Position<W>,
        moves: &mut [RootMove<W>],
        lines: usize,
        observer: &mut dyn Observer,
    ) -> bool {
        let (limits, spec) = (self.team.limits, position.spec());
        let goal = limits.win_in.map(|moves| (Score::win_in(spec, moves), Score::plies_of_win(spec, moves)));
        let deepest = self.deepest(spec);
        let lines = lines.min(moves.len());
        let mut stats = IterationStats::new(limits.analysis);
        let mut is_known = false;
        let mut win_search = WinSearch::begin(position, limits, lines, deepest);
        // A successful win search has already covered the smaller depths.
        let mut min_depth = 1;
        for depth in 1..=deepest {
            self.depth = depth;
            self.limit_repetitions();
            // Endgame tables may finish loading during the search. Once they contain the root position, the win search
            // is no longer needed.
            if !is_known && self.is_known(position) {
                min_depth = win_search.take().and_then(|win_search| win_search.found()).unwrap_or(1);
                (is_known, self.exhaustive) = (true, limits.win_in.is_some());
            }
            if depth < min_depth {
                continue;
            }
            if let Some(win_search) = win_search.as_mut().filter(|_| depth > 1) {
                self.search_for_win(win_search, position, moves, observer);
                if self.stopped {
                    self.report_last(moves, lines, 0, observer);
                    return false;
                }
                if win_search.is_enough(self.nodes) {
                    return false;
                }
                if win_search.found().is_some_and(|found| depth < found) {
                    continue;
                }
            }
            self.selective_depth = 0;
            let nodes_before = self.nodes;
            moves.iter_mut().for_each(|root| root.nodes = 0);
            let completed = self.iterate(position, moves, lines, observer);
            if self.stopped {
                self.report_last(moves, lines, completed, observer);
                return false;
            }
            if let Some((goal, plies)) = goal
                && let Some(best) = moves.first_mut()
                && best.score < goal
            {
                // A win that takes one more move is two plies further away.
                self.report(best, 0, (goal - 2, Bound::Upper), observer);
                if usize::from(depth) >= plies {
                    return true;
                }
                if self.is_late(&stats) {
                    return false;
                }
                continue;
            }
            // In a search for a win, moves that do not win have no exact score.
            let is_found = |root: &&mut RootMove<W>| goal.is_none_or(|(goal, _)| root.score >= goal);
            for (rank, root) in moves.iter_mut().take(lines).take_while(is_found).enumerate() {
                self.report(root, rank, (root.score, Bound::Exact), observer);
            }
            if let Some(best) = moves.first() {
                stats.iteration(best.mv.code(), best.score, Some((best.nodes, self.nodes - nodes_before)));
                if self.is_enough(best.score, (lines, is_known), &stats) {
                    return false;
                }
            }
        }
        false
    }

    pub(super) fn help(&mut self, position: &Position<W>, moves: &mut [RootMove<W>], lines: usize) {
        let deepest = if self.exhaustive { self.deepest(position.spec()) } else { MAX_DEPTH };
        for depth in 1..=deepest {
            self.depth = depth;
            self.limit_repetitions();
            self.iterate(position, moves, lines.min(moves.len()), &mut Silent);
            if self.stopped {
                break;
            }
        }
        self.publish_counts();
    }

    /// Runs one iteration. Returns the number of lines that it has completed, which is less than `lines` only if the
    /// search has been stopped.
    fn iterate(
        &mut self,
        position: &Position<W>,
        moves: &mut [RootMove<W>],
        lines: usize,
        observer: &mut dyn Observer,
    ) -> usize {
        for rank in 0..lines {
            self.aspiration_search(position, moves, rank, observer);
            if self.stopped {
                return rank;
            }
            // A line with a higher score than earlier lines moves ahead of them. Lines with equal scores keep their
            // order.
            moves[..=rank].sort_by_key(|root| std::cmp::Reverse(root.score));
        }
        lines
    }

    fn deepest(&self, spec: &RuleSet) -> u8 {
        let limits = self.team.limits;
        let by_handicap = limits.handicap.map(|handicap| handicap.depth);
        // No additional ply is needed for the end of the game, because the search of a leaf already detects that a side
        // has no legal move.
        let by_win = limits.win_in.map(|moves| u8::try_from(Score::plies_of_win(spec, moves)).unwrap_or(MAX_DEPTH));
        [limits.depth, by_handicap, by_win].into_iter().flatten().fold(MAX_DEPTH, u8::min)
    }

    /// Searches for the line at `rank`, with an aspiration window around the last score of this line. Whenever the
    /// score falls outside the window, that side is widened.
    fn aspiration_search(
        &mut self,
        position: &Position<W>,
        moves: &mut [RootMove<W>],
        rank: usize,
        observer: &mut dyn Observer,
    ) {
        let mut window = self.parameters.aspiration_window as i16;
        let last = moves[rank].score;
        let goal = self.team.limits.win_in.map(|moves| Score::win_in(position.spec(), moves));
        let (mut alpha, mut beta) = if let Some(goal) = goal {
            (goal - 1, Score::INFINITE)
        } else if self.exhaustive {
            // A win is already known, so search only for a shorter one.
            (last - 1, Score::INFINITE)
        } else if i32::from(self.depth) < self.parameters.aspiration_depth || last.is_decided() {
            (-Score::INFINITE, Score::INFINITE)
        } else {
            (last - window, last + window)
        };
        loop {
            let score = self.search_root(position, moves, rank, (alpha, beta), observer);
            if self.stopped || (score > alpha && score < beta) || self.exhaustive {
                return;
            }
            window = window.saturating_mul(2);
            let is_open = i32::from(window) > self.parameters.aspiration_limit || score.is_decided();
            let bound = if score <= alpha {
                alpha = if is_open { -Score::INFINITE } else { score - window };
                Bound::Upper
            } else {
                beta = if is_open { Score::INFINITE } else { score + window };
                Bound::Lower
            };
            self.report(&mut moves[rank], rank, (score, bound), observer);
        }
    }

    /// Searches the root moves from index `rank` on. A new best move and its line are moved to `rank` immediately, so
    /// that the move is available if the search is stopped and comes first in the next iteration.
    pub(super) fn search_root(
        &mut self,
        position: &Position<W>,
        moves: &mut [RootMove<W>],
        rank: usize,
        (mut alpha, beta): (Score, Score),
        observer: &mut dyn Observer,
    ) -> Score {
        let mut best = -Score::INFINITE;
        self.keys.push(position.key());
        for index in rank..moves.len() {
            let mv = moves[index].mv;
            if self.is_long() {
                observer.current(CurrentMove { depth: self.reported_depth(), mv: mv.widened(), number: index + 1 });
            }
            let nodes_before = self.nodes;
            let child = self.make(position, mv, 0);
            let depth = i32::from(self.depth);
            let reduction = self.late_move_reduction((mv, &child), depth, index - rank, 0);
            let score = self.search_child(&child, depth - 1, reduction, (alpha, beta), 0, index == rank);
            moves[index].nodes += self.nodes - nodes_before;
            if self.stopped {
                break;
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha || moves[rank].line.is_empty() {
                alpha = alpha.max(score);
                self.extend_line(mv, 0);
                // A move that fails high has no reply in its new line, so keep its previous line.
                if score < beta || moves[index].line.is_empty() {
                    moves[index].line.clone_from(&self.stack[0].line);
                    let known_end = self.known_end(&moves[index].line, score);
                    moves[index].line.extend(known_end);
                    self.cut_at_draw(&mut moves[index].line);
                }
                (moves[index].score, moves[index].depth) = (score, self.depth);
                moves[rank..=index].rotate_right(1);
                moves[rank..=index].iter_mut().for_each(|root| root.is_reported = root.line.is_empty());
                if score >= beta {
                    break;
                }
                if index > rank && self.is_long() {
                    self.report(&mut moves[rank], rank, (score, Bound::Lower), observer);
                }
            }
        }
        self.keys.pop();
        best
    }

    /// Returns whether the endgame tables contain the value of `position`, including the distance of a win or a loss.
    fn is_known(&mut self, position: &Position<W>) -> bool {
        let outcome = self.verdict(position, 0).and_then(Verdict::sure);
        outcome.is_some_and(|outcome| !outcome.has_no_distance())
    }

    /// Returns the best moves of both sides from the end of `line` to the end of the game. Returns no moves if the
    /// endgame tables do not prove a win or a loss there.
    fn known_end(&mut self, line: &[Move<W>], score: Score) -> Vec<Move<W>> {
        if !score.is_decided() {
            return Vec::new();
        }
        let end = line.iter().fold(self.root, |position, &mv| position.play(mv));
        match (self.verdict(&end, line.len()), &mut self.endgames) {
            (Some(Verdict::Sure(TableOutcome::Win(_) | TableOutcome::Loss(_))), Some(prober)) => {
                best_line(prober, &end)
            }
            _ => Vec::new(),
        }
    }

    /// Cuts `line` at the first position that a move-count rule draws. The search scores such a position by the moves
    /// after it, but the game does not get there.
    fn cut_at_draw(&self, line: &mut Vec<Move<W>>) {
        let mut position = self.root;
        let drawn = line.iter().position(|&mv| {
            position = position.play(mv);
            position.draw_by_count().is_some()
        });
        line.truncate(drawn.map_or(line.len(), |index| index + 1));
    }

    fn is_long(&self) -> bool {
        self.team.elapsed() >= LONG_SEARCH
    }

    /// Returns whether the search can end, because `score` cannot improve or the time is used up. `is_known` means that
    /// the endgame tables contain the root position.
    fn is_enough(&self, score: Score, (lines, is_known): (usize, bool), stats: &IterationStats) -> bool {
        let limits = self.team.limits;
        // A win that lies within the search depth cannot become shorter. It takes at most two plies for each of the
        // winner's moves, because the game ends with the winner's last move or with the reply to it.
        let is_within = |moves: u16| lines == 1 && (is_known || u16::from(self.depth) >= 2 * moves);
        let is_settled = score.moves_to_end().is_some_and(is_within);
        (is_settled && limits.depth.is_none() && !limits.analysis) || self.is_late(stats)
    }

    fn is_late(&self, stats: &IterationStats) -> bool {
        match (self.team.budget, self.team.counted_time()) {
            (Some(budget), Some(elapsed)) => elapsed >= budget.target(stats) && !self.team.limits.infinite,
            _ => false,
        }
    }

    /// Returns the depth to report. The reported depth never decreases during a search, even though the win search may
    /// have searched deeper than the current iteration.
    fn reported_depth(&mut self) -> u8 {
        self.deepest_report = self.deepest_report.max(self.depth);
        self.deepest_report
    }

    pub(super) fn report(
        &mut self,
        root: &mut RootMove<W>,
        rank: usize,
        scored: (Score, Bound),
        observer: &mut dyn Observer,
    ) {
        let depth = self.reported_depth();
        self.report_at(depth, root, rank, scored, observer);
    }

    fn report_at(
        &mut self,
        depth: u8,
        root: &mut RootMove<W>,
        rank: usize,
        (score, bound): (Score, Bound),
        observer: &mut dyn Observer,
    ) {
        root.is_reported = true;
        if rank >= self.team.limits.lines.get() {
            return;
        }
        self.publish_counts();
        observer.report(Report {
            depth,
            selective_depth: self.selective_depth as u16,
            rank,
            value: score.value(self.chances),
            bound,
            nodes: self.team.nodes(),
            table_hits: self.team.table_hits(),
            hashfull: self.team.tools.table.hashfull(),
            time: self.team.elapsed(),
            line: root.line.iter().map(|mv| mv.widened()).collect(),
        });
    }

    /// Reports the lines after a stop, unless they have already been reported. The iteration has searched the first
    /// `completed` lines in full. The scores of the other lines that it has found are lower bounds, because the moves
    /// that have not been searched can only improve them. All other lines come from the previous iteration.
    fn report_last(&mut self, moves: &mut [RootMove<W>], lines: usize, completed: usize, observer: &mut dyn Observer) {
        // In a search for a win, moves that do not win have no exact score.
        let lines = if self.team.limits.win_in.is_some() { 1 } else { lines.min(self.team.limits.lines.get()) };
        if moves.iter().take(lines).all(|root| root.is_reported) {
            return;
        }
        for (rank, root) in moves.iter_mut().take(lines).enumerate().filter(|(_, root)| !root.line.is_empty()) {
            let is_new = root.depth == self.depth;
            let bound = if is_new && rank >= completed { Bound::Lower } else { Bound::Exact };
            let depth = if is_new { self.reported_depth() } else { root.depth };
            self.report_at(depth, root, rank, (root.score, bound), observer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::parallel::testing::with_team;
    use crate::search::{Clock, Limits};

    fn is_enough(limits: &Limits, score: Score) -> bool {
        with_team(limits, |team, game| {
            let mut search = Search::new(team, 0, game);
            search.depth = 20;
            search.is_enough(score, (1, false), &IterationStats::default())
        })
    }

    #[test]
    fn the_first_limit_reached_counts() {
        let depth = Limits { depth: Some(60), ..Limits::default() };
        let clock = Clock { remaining: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
        let both = Limits { clock: Some(clock), ..depth.clone() };
        assert!(!is_enough(&depth, Score::DRAW));
        assert!(is_enough(&both, Score::DRAW));
        assert!(!is_enough(&Limits { infinite: true, ..both }, Score::DRAW));
    }

    #[test]
    fn a_win_within_the_depth_is_enough_unless_a_depth_is_set() {
        let win = -Score::lost_at(5);
        assert!(is_enough(&Limits::default(), win));
        assert!(!is_enough(&Limits { analysis: true, ..Limits::default() }, win));
        assert!(!is_enough(&Limits { depth: Some(60), ..Limits::default() }, win));
    }
}
