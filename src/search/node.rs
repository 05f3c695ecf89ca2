//! Searches the nodes below the root.
//!
//! [`Search::alpha_beta`] consists of numbered steps. Longer steps are separate functions further down, in the same
//! order. Their constants are in `parameters.rs`. There is no null-move pruning, because zugzwang is common in
//! draughts. `docs/search.md` lists the measured value of each step and the ideas that were rejected.

use super::Bound;
use super::draws::MAX_DRAW_SCORE;
use super::ordering::{MovePicker, PickedMove};
use super::parameters::Parameters;
use super::score::{MAX_PLY, Score};
use super::table::Entry;
use super::thread::Search;
use super::win_search::is_chase;
use crate::position::{Move, MoveList, Position};
use crate::rules::Word;
use crate::tables::{TableOutcome, Verdict};
use std::ops::ControlFlow;

#[derive(Clone, Copy)]
struct Node {
    depth: i32,
    child_depth: i32,
    beta: Score,
    ply: usize,
    /// Code of the hash move, or 0 if there is none.
    hash_move_code: u16,
    /// Number of plies by which the hash move is extended. A negative number is a reduction.
    extension: i32,
}

impl<W: Word> Search<'_, W> {
    /// Searches `position`, which is `ply` plies from the root, to `depth` plies and then to quiescence, and returns
    /// its score.
    ///
    /// The search is fail-soft: a score at or below `alpha` is an upper bound, and a score at or above `beta` is a
    /// lower bound. If the search has been stopped, the score is meaningless.
    pub(super) fn alpha_beta(
        &mut self,
        position: &Position<W>,
        depth: i32,
        mut alpha: Score,
        mut beta: Score,
        ply: usize,
    ) -> Score {
        let is_pv = alpha + 1 < beta;
        self.stack[ply].line.clear();

        // Step 1. Repetition. One earlier occurrence of the position counts as a draw.
        if self.is_repetition(position) {
            return Score::DRAW;
        }

        // Step 2. Endgame tables. They contain the exact score.
        let can_capture = position.can_capture(position.side());
        let must_capture = can_capture && position.rules().compulsory();
        if !must_capture && let Some(score) = self.endgame_table_score(position, ply) {
            return score;
        }

        // Step 3. Quiescence search at the leaves (docs/log/search.md). A quiet leaf where the opponent threatens to
        // capture a piece is first searched one ply deeper, but only once.
        let threatened = !must_capture && depth == 0 && position.can_capture(position.side().opponent());
        if (depth <= 0 && !threatened) || ply >= MAX_PLY {
            return self.quiescence(position, can_capture, (alpha, beta), ply);
        }
        self.selective_depth = self.selective_depth.max(ply);
        if self.must_stop() {
            return Score::DRAW;
        }

        // Step 4. Mate-distance pruning (docs/search.md, "Move ordering"). No score can be better than the fastest
        // possible win or worse than the fastest possible loss.
        let (worst, best) = Score::worst_and_best(position.spec(), ply);
        alpha = alpha.max(worst);
        beta = beta.min(best);
        if alpha >= beta {
            return alpha;
        }

        // Step 5. Reverse futility pruning (docs/search.md, "Selectivity") and futility pruning ("Nodes to a depth").
        // This step is done before the prefetched transposition table entry is read, which is 5 to 9 % faster than the
        // reverse order.
        let excluded = self.stack[ply].excluded;
        let has_choice = !must_capture && excluded == 0;
        let can_prune = has_choice && !is_pv && depth > 0;
        let futile = if can_prune { self.futility_pruning(position, depth, (alpha, beta)) } else { None };

        // Step 6. Transposition table. An entry refers to all moves of the position, so it is not used if a move is
        // excluded.
        let entry = if excluded == 0 { self.probe(self.table_key(position)) } else { None };
        if let Some(entry) = entry
            && !is_pv
            && let Some(score) = usable_score(&entry, position, depth, (alpha, beta), ply)
        {
            return score;
        }
        let hash_move_code = entry.map_or(0, |entry| entry.code);
        // Futility pruning still searches offers, because a shot may begin with one.
        if let Some(bound) = futile {
            return if bound > alpha { bound } else { self.search_offers(position, bound, depth, (alpha, beta), ply) };
        }

        // Step 7. Enhanced transposition cutoff (docs/search.md, "Nodes to a depth").
        if !is_pv && let Some(score) = self.enhanced_transposition_cutoff(position, can_capture, depth, beta, ply) {
            return score;
        }

        // Step 8. ProbCut (docs/search.md, "Selectivity").
        if can_prune && let Some(score) = self.probcut(position, depth, beta, ply) {
            return score;
        }

        // Step 9. Singular extension (docs/search.md, "Selectivity"), multi-cut and negative extension ("Nodes to a
        // depth").
        let mut extension = 0;
        if let Some(entry) = entry
            && has_choice
        {
            match self.singular_extension(position, &entry, depth, can_prune.then_some(beta), ply) {
                ControlFlow::Break(score) => return score,
                ControlFlow::Continue(plies) => extension = plies,
            }
        }
        if self.stopped {
            return Score::DRAW;
        }

        // Step 10. Internal iterative reduction (docs/search.md, "Nodes to a depth"). A node without a hash move is
        // searched to a smaller depth. The result provides the hash move for the next search of the position.
        let depth = if has_choice { self.internal_iterative_reduction(depth, hash_move_code) } else { depth };

        // Step 11. Move generation, and positions in which the game has ended.
        let mut moves = std::mem::take(&mut self.stack[ply].moves);
        position.fill_moves(can_capture, &mut moves);
        if excluded != 0 {
            moves.retain(|mv| mv.code() != excluded);
        }
        let score = if moves.is_empty() && excluded != 0 {
            -Score::INFINITE
        } else if moves.is_empty() {
            Score::without_move(position, ply)
        } else if position.draw_by_count().is_some() {
            self.score_after_draw((alpha, beta), |search, window| {
                search.alpha_beta(&position.with_fresh_counts(), depth, window.0, window.1, ply)
            })
        } else {
            self.search_moves(position, &mut moves, (hash_move_code, extension), depth, (alpha, beta), ply)
        };
        self.stack[ply].moves = moves;
        score
    }

    fn search_moves(
        &mut self,
        position: &Position<W>,
        moves: &mut MoveList<W>,
        (hash_move_code, extension): (u16, i32),
        depth: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
    ) -> Score {
        // Step 12. Move ordering (docs/search.md, "Move ordering"). The hash move comes first, then captures, then
        // quiet moves sorted by history and continuation history.
        let mut values = std::mem::take(&mut self.stack[ply].values);
        values.clear();
        let previous = ply.checked_sub(1).and_then(|before| self.stack[before].to);
        let values_of = |&mv| self.ordering.value(position, mv, (hash_move_code, previous));
        values.extend(moves.iter().map(values_of));
        let excluded = std::mem::take(&mut self.stack[ply].excluded);
        let child_depth = child_depth(depth, moves);
        let node = Node { depth, child_depth, beta, ply, hash_move_code, extension };
        let mut picker = MovePicker::new(std::mem::take(moves), values, alpha);

        // Step 13. The move loop, with late move reductions (docs/search.md, "Selectivity").
        self.keys.push(position.key());
        self.stack[ply + 1].in_probcut = self.stack[ply].in_probcut;
        while self.search_next(position, &node, &mut picker) {}
        self.keys.pop();
        *moves = picker.moves;
        self.stack[ply].values = picker.values;

        // Step 14. History (docs/search.md, "Move ordering"). A quiet move that caused a cutoff gets a bonus, and the
        // moves that were searched before it get a malus.
        if !self.stopped
            && picker.best >= beta
            && let Some((mv, index)) = picker.best_move
            && !mv.is_capture()
        {
            let bonus = (depth * depth).min(self.parameters.history_bonus);
            self.ordering.reward(position.side(), mv, (&moves[..index], previous), bonus);
        }

        // Step 15. The result is stored unless a move was excluded.
        let best = picker.best;
        if !self.stopped && excluded == 0 {
            let bound = match best {
                best if best >= beta => Bound::Lower,
                best if best > alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            // If no move has raised alpha, keep the stored best move.
            let code = picker.best_move.map_or(hash_move_code, |(mv, _)| mv.code());
            self.store(position, (best, bound), code, depth, ply);
        }
        best
    }

    #[inline]
    fn search_next(&mut self, position: &Position<W>, node: &Node, picker: &mut MovePicker<W>) -> bool {
        let Some(picked) = picker.pick() else { return false };
        let score = self.search_move(position, node, &picked);
        if self.stopped {
            return false;
        }
        if picker.update(&picked, score) {
            self.extend_line(picked.mv, node.ply);
        }
        score < node.beta
    }

    #[inline]
    fn search_move(&mut self, position: &Position<W>, node: &Node, picked: &PickedMove<W>) -> Score {
        let &PickedMove { mv, index, value, alpha } = picked;
        let child = self.make(position, mv, node.ply);
        self.team.tools.table.prefetch(self.table_key(&child));
        let reduction = self.late_move_reduction((mv, &child), node.depth, index, value);
        let is_extended = mv.code() == node.hash_move_code && node.child_depth < node.depth;
        let depth = node.child_depth + if is_extended { node.extension } else { 0 };
        self.search_child(&child, depth, reduction, (alpha, node.beta), node.ply, index == 0)
    }

    /// Searches a child by principal variation search. The first move is searched with the full window. Any other move
    /// is first searched with a null window, initially with its depth reduced by `reduction`, and is searched again
    /// only if its score exceeds alpha.
    #[inline]
    pub(super) fn search_child(
        &mut self,
        child: &Position<W>,
        depth: i32,
        reduction: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
        is_first: bool,
    ) -> Score {
        if !is_first && reduction > 0 {
            let shallow = (depth - reduction).max(0);
            let score = -self.alpha_beta(child, shallow, -(alpha + 1), -alpha, ply + 1);
            if score <= alpha {
                return score;
            }
        }
        if !is_first {
            let score = -self.alpha_beta(child, depth, -(alpha + 1), -alpha, ply + 1);
            if score <= alpha || score >= beta {
                return score;
            }
        }
        -self.alpha_beta(child, depth, -beta, -alpha, ply + 1)
    }

    pub(super) fn extend_line(&mut self, mv: Move<W>, ply: usize) {
        let (upper, lower) = self.stack.split_at_mut(ply + 1);
        let line = &mut upper[ply].line;
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0].line);
    }

    #[inline(always)]
    pub(super) fn make(&mut self, position: &Position<W>, mv: Move<W>, ply: usize) -> Position<W> {
        self.nodes += 1;
        self.stack[ply].to = Some(mv.to);
        position.play(mv)
    }
}

/// Returns the search depth of the children. A forced move costs no depth (docs/search.md, "Move ordering").
#[inline]
fn child_depth<W: Word>(depth: i32, moves: &[Move<W>]) -> i32 {
    if moves.len() == 1 && depth > 0 { depth } else { depth - 1 }
}

// Step 2. Endgame tables.

impl<W: Word> Search<'_, W> {
    /// Returns the exact score of `position`, or `None` if the endgame tables do not contain the position or a draw
    /// rule may end the game first. The position must not have a compulsory capture.
    #[inline(always)]
    fn endgame_table_score(&mut self, position: &Position<W>, ply: usize) -> Option<Score> {
        if !self.endgames.as_ref()?.covers(position) {
            return None;
        }
        let verdict = self.verdict_of_ending(position)?;
        self.score_of_verdict(verdict, position, ply)
    }

    /// Returns the score of a leaf, from the endgame tables if possible and otherwise from the evaluation. `position`
    /// must not have a compulsory capture.
    #[inline(always)]
    pub(super) fn leaf_score(&mut self, position: &Position<W>, ply: usize) -> Score {
        let is_covered = self.endgames.as_ref().is_some_and(|prober| prober.covers(position));
        let Some(verdict) = is_covered.then(|| self.verdict_of_ending(position)).flatten() else {
            return self.evaluate(position);
        };
        match verdict {
            Verdict::Cursed(TableOutcome::Win(Some(plies))) => Score::DRAW + cursed_win(plies),
            Verdict::Cursed(TableOutcome::Loss(Some(plies))) => Score::DRAW - cursed_win(plies),
            _ => match self.score_of_verdict(verdict, position, ply) {
                Some(score) => score,
                None => self.evaluate(position),
            },
        }
    }

    fn verdict_of_ending(&mut self, position: &Position<W>) -> Option<Verdict> {
        self.verdict(position, self.plies_since_root())
    }

    /// Converts a verdict of the endgame tables to a score. Returns `None` if a draw rule may end the game first, or if
    /// the search must find the win by itself.
    fn score_of_verdict(&mut self, verdict: Verdict, position: &Position<W>, ply: usize) -> Option<Score> {
        let outcome = verdict.likely(position.plies_to_draw())?;
        // If every position that the known winner wins had the score of a win, no move would seem to make progress.
        let is_known = || self.known_winner.is_some() && self.known_winner == outcome.winner(position.side());
        if outcome.has_no_distance() && (self.exhaustive || is_known()) {
            return None;
        }
        self.table_hits += 1;
        // Prefer draws with a better evaluation, in case the opponent does not use endgame tables.
        Score::from_outcome(outcome, ply).or_else(|| {
            let score = self.evaluate(position);
            Some(self.drawn(score))
        })
    }
}

/// Returns the score, in cp, of a win that takes `plies` plies and that a draw rule may prevent. It is above every draw
/// score, and faster wins score higher.
fn cursed_win(plies: u8) -> i16 {
    MAX_DRAW_SCORE + 1 + i16::from(u8::MAX - plies)
}

// Step 5. Reverse futility pruning and futility pruning.

impl<W: Word> Search<'_, W> {
    /// Returns a score without a search if the static evaluation of a node near the leaves is far outside the window:
    /// far above beta (reverse futility pruning) or far below alpha (futility pruning, only in some variants).
    ///
    /// Nodes where the opponent threatens a capture are not pruned. There is no pruning in a search for a win either,
    /// because every bound is then a win or a loss.
    fn futility_pruning(&mut self, position: &Position<W>, depth: i32, (alpha, beta): (Score, Score)) -> Option<Score> {
        if depth > self.parameters.reverse_futility_depth
            || beta.is_decided()
            || is_chase(position)
            || position.can_capture(position.side().opponent())
        {
            return None;
        }
        let score = self.evaluate(position);
        let at_least = score - (self.parameters.reverse_futility_margin * (depth + 1)) as i16;
        let at_most = score + (self.parameters.futility_margin * depth) as i16;
        let bound = if at_least >= beta {
            at_least
        } else if depth <= self.parameters.futility_depth && at_most <= alpha {
            at_most
        } else {
            return None;
        };
        (position.draw_by_count().is_none() && position.has_move()).then_some(bound)
    }

    /// Searches the offers of a position that futility pruning would score as `bound`, and returns their best score or
    /// `bound`, whichever is higher. During a shot, the static evaluation counts the sacrificed pieces but not the gain
    /// that follows (docs/search.md, "Shots").
    fn search_offers(
        &mut self,
        position: &Position<W>,
        bound: Score,
        depth: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
    ) -> Score {
        if bound + self.parameters.futility_gain as i16 <= alpha || !position.rules().compulsory() {
            return bound;
        }
        let mut best = bound;
        let mut moves = std::mem::take(&mut self.stack[ply].moves);
        position.fill_moves(false, &mut moves);
        moves.retain(|mv| is_offer(&position.play(*mv)));
        self.keys.push(position.key());
        self.stack[ply + 1].in_probcut = self.stack[ply].in_probcut;
        for &mv in moves.iter() {
            let child = self.make(position, mv, ply);
            best = best.max(-self.alpha_beta(&child, depth - 1, -beta, -alpha, ply + 1));
            if self.stopped || best >= beta {
                break;
            }
        }
        self.keys.pop();
        self.stack[ply].moves = moves;
        best
    }
}

/// Returns whether a quiet move is an offer. `child` is the position after the move.
#[inline(always)]
fn is_offer<W: Word>(child: &Position<W>) -> bool {
    child.can_capture(child.side())
}

// Steps 6 and 7. Transposition table, and enhanced transposition cutoff.

impl<W: Word> Search<'_, W> {
    /// Looks for a move whose resulting position is in the transposition table with a score that causes a cutoff at
    /// `beta`. If there is such a move, stores and returns the lower bound that follows for `position`.
    ///
    /// In draughts, most positions can be reached by many move orders. The table may therefore contain the position
    /// after a move that is not the first in the move order (Plaat, Schaeffer, Pijls and de Bruin, "Exploiting graph
    /// properties of game trees", 1996).
    fn enhanced_transposition_cutoff(
        &mut self,
        position: &Position<W>,
        can_capture: bool,
        depth: i32,
        beta: Score,
        ply: usize,
    ) -> Option<Score> {
        let is_tried = depth >= self.parameters.etc_depth && self.stack[ply].excluded == 0;
        if !is_tried || position.draw_by_count().is_some() {
            return None;
        }
        let mut moves = std::mem::take(&mut self.stack[ply].moves);
        position.fill_moves(can_capture, &mut moves);
        let child_depth = child_depth(depth, &moves);
        self.keys.push(position.key());
        let table = self.team.tools.table;
        let mut child_keys = std::mem::take(&mut self.child_keys);
        child_keys.clear();
        // Prefetch all entries. Each entry is loaded while the next positions are being computed (docs/search.md, "Time
        // for a node").
        child_keys.extend(moves.iter().map(|&mv| {
            let key = self.table_key(&position.play(mv));
            table.prefetch(key);
            key
        }));
        let cut = moves.iter().zip(&child_keys).find_map(|(&mv, &key)| {
            let entry = self.probe(key)?;
            let child = (position.play(mv), entry);
            let score = -self.known_score(&child, child_depth, (-beta, -beta + 1), ply + 1)?;
            (score >= beta).then_some((mv, score))
        });
        self.child_keys = child_keys;
        self.keys.pop();
        self.stack[ply].moves = moves;
        let (mv, score) = cut?;
        self.store(position, (score, Bound::Lower), mv.code(), depth, ply);
        Some(score)
    }

    fn known_score(
        &self,
        (position, entry): &(Position<W>, Entry),
        depth: i32,
        window: (Score, Score),
        ply: usize,
    ) -> Option<Score> {
        let score = usable_score(entry, position, depth, window, ply)?;
        Some(if self.is_repetition(position) { Score::DRAW } else { score })
    }

    fn store(&self, position: &Position<W>, (score, bound): (Score, Bound), code: u16, depth: i32, ply: usize) {
        let depth = depth.clamp(0, u8::MAX.into()) as u8;
        let entry = Entry { code, score: score.at_position(ply), depth, bound };
        self.team.tools.table.store(self.table_key(position), entry);
    }
}

/// Returns the stored score if it can replace a search to `depth` with this window, and `None` otherwise.
#[inline]
fn usable_score<W: Word>(
    entry: &Entry,
    position: &Position<W>,
    depth: i32,
    (alpha, beta): (Score, Score),
    ply: usize,
) -> Option<Score> {
    let score = Score::at_root(entry.score, ply);
    let cuts = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    if !score.is_decided() {
        return (cuts && i32::from(entry.depth) >= depth).then_some(score);
    }
    // A win that comes after the draw by count is not a win. A win that comes before it is valid whatever the depth of
    // the entry, although there may be a shorter win.
    let comes_in_time = position.plies_to_draw().is_none_or(|plies| score.is_decided_within(ply, plies));
    let is_proof = (score > Score::DRAW && score >= beta) || (score < Score::DRAW && score <= alpha);
    (cuts && comes_in_time && (is_proof || i32::from(entry.depth) >= depth)).then_some(score)
}

// Step 8. ProbCut.

impl<W: Word> Search<'_, W> {
    /// Searches to a smaller depth with a window above `beta`. If the score exceeds `beta` by a margin, returns a lower
    /// bound, so that the full search can be skipped. Otherwise returns `None`. ProbCut searches are not nested.
    fn probcut(&mut self, position: &Position<W>, depth: i32, beta: Score, ply: usize) -> Option<Score> {
        if depth < self.parameters.probcut_depth
            || beta.is_decided()
            || self.stack[ply].in_probcut
            || is_chase(position)
        {
            return None;
        }
        let Parameters { probcut_margin, probcut_percent, .. } = self.parameters;
        let raised = beta + probcut_margin as i16;
        self.stack[ply].in_probcut = true;
        let score = self.alpha_beta(position, depth * probcut_percent / 100, raised - 1, raised, ply);
        self.stack[ply].in_probcut = false;
        (score >= raised && !self.stopped).then(|| score - probcut_margin as i16)
    }
}

// Step 9. Singular extension, multi-cut and negative extension.

impl<W: Word> Search<'_, W> {
    /// Searches `position` to half of `depth` without the hash move, to find out how much better the hash move is than
    /// all other moves.
    ///
    /// Returns `Break` with a lower bound if another move is also good enough for a cutoff (multi-cut). Otherwise
    /// returns `Continue` with the extension of the hash move in plies: 1 if no other move scores nearly as well
    /// (singular extension), -1 if only the score of the hash move reaches `beta` (negative extension), and 0 in all
    /// other cases. `beta` is `None` if cutoffs are not allowed.
    fn singular_extension(
        &mut self,
        position: &Position<W>,
        entry: &Entry,
        depth: i32,
        beta: Option<Score>,
        ply: usize,
    ) -> ControlFlow<Score, i32> {
        let score = Score::at_root(entry.score, ply);
        let is_candidate = depth >= self.parameters.singular_depth
            && entry.code != 0
            && entry.bound != Bound::Upper
            && i32::from(entry.depth) >= depth - self.parameters.singular_slack
            && !score.is_decided()
            && !self.exhaustive
            && !is_chase(position)
            && ply < 2 * usize::from(self.depth);
        if !is_candidate {
            return ControlFlow::Continue(0);
        }
        let goal = score - (self.parameters.singular_margin + depth) as i16;
        self.stack[ply].excluded = entry.code;
        let others = self.alpha_beta(position, depth / 2, goal - 1, goal, ply);
        self.stack[ply].excluded = 0;
        self.stack[ply].line.clear();
        let cuts = |score| beta.is_some_and(|beta| score >= beta);
        if others < goal {
            ControlFlow::Continue(1)
        } else if cuts(goal) {
            ControlFlow::Break(goal)
        } else if cuts(score) {
            ControlFlow::Continue(-1)
        } else {
            ControlFlow::Continue(0)
        }
    }
}

// Step 10. Internal iterative reduction.

impl<W: Word> Search<'_, W> {
    #[inline]
    fn internal_iterative_reduction(&self, depth: i32, hash_move_code: u16) -> i32 {
        let is_reduced = hash_move_code == 0 && depth >= self.parameters.iir_depth && !self.exhaustive;
        depth - i32::from(is_reduced)
    }
}

// Step 13. Late move reductions.

impl<W: Word> Search<'_, W> {
    /// Returns the reduction of a move in plies. Moves with a good history are reduced less, moves with a bad history
    /// are reduced more, and moves that offer pieces are reduced less (docs/search.md, "Selectivity").
    #[inline(always)]
    pub(super) fn late_move_reduction(
        &self,
        (mv, child): (Move<W>, &Position<W>),
        depth: i32,
        index: usize,
        value: i32,
    ) -> i32 {
        let parameters = &self.parameters;
        if mv.is_capture()
            || self.exhaustive
            || depth < parameters.lmr_depth
            || index < parameters.lmr_min_moves as usize
        {
            return 0;
        }
        let by_history =
            (value / parameters.lmr_history_divisor).clamp(-parameters.lmr_max_history, parameters.lmr_max_history);
        let plies = parameters.reduction(depth, index) - by_history;
        if plies > 0 && is_offer(child) { plies - parameters.lmr_offer } else { plies.max(0) }
    }
}

#[cfg(test)]
mod tests;
