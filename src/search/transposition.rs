//! What the transposition table decides about a position.

use super::Bound;
use super::node::child_depth;
use super::score::Score;
use super::table::Entry;
use super::thread::Search;
use crate::position::Position;
use crate::rules::Word;

/// Least depth at which the table is asked about the positions after the moves too: below it that costs more than it saves.
const LOOK_AHEAD_DEPTH: i32 = 5;

impl<W: Word> Search<'_, W> {
    /// Stores what a search of `position` to `depth` plies has found: a `score`, what it means, and the code of the best move.
    pub(super) fn store(
        &self,
        position: &Position<W>,
        (score, bound): (Score, Bound),
        code: u16,
        depth: i32,
        ply: usize,
    ) {
        let depth = depth.clamp(0, u8::MAX.into()) as u8;
        self.team.table.store(self.table_key(position), Entry { code, score: score.at_position(ply), depth, bound });
    }

    /// The score that `position` has at least, if the table knows a move that is good enough for a cut at `beta`. The score
    /// is stored for `position` then.
    ///
    /// Most positions of draughts can be reached in many orders of moves. So the position after a move that is not the first in
    /// the order may be in the table already: an enhanced transposition cutoff (Plaat, Schaeffer, Pijls and de Bruin, "Exploiting
    /// graph properties of game trees", 1996).
    pub(super) fn transposition_cut(
        &mut self,
        position: &Position<W>,
        can_capture: bool,
        depth: i32,
        beta: Score,
        ply: usize,
    ) -> Option<Score> {
        let is_asked = depth >= LOOK_AHEAD_DEPTH && self.frames[ply].excluded == 0;
        if !is_asked || position.draw_by_count().is_some() {
            return None;
        }
        let mut moves = std::mem::take(&mut self.frames[ply].moves);
        position.moves_knowing(can_capture, &mut moves);
        let child_depth = child_depth(depth, &moves);
        self.keys.push(position.key());
        let cut = moves.iter().find_map(|&mv| {
            let score = -self.known_score(&position.play(mv), child_depth, (-beta, -beta + 1), ply + 1)?;
            (score >= beta).then_some((mv, score))
        });
        self.keys.pop();
        self.frames[ply].moves = moves;
        let (mv, score) = cut?;
        self.store(position, (score, Bound::Lower), mv.code(), depth, ply);
        Some(score)
    }

    /// The score of `position`, if what is known decides it at `depth` in the window.
    fn known_score(&self, position: &Position<W>, depth: i32, window: (Score, Score), ply: usize) -> Option<Score> {
        let entry = self.team.table.probe(self.table_key(position))?;
        let score = usable_score(&entry, position, depth, window, ply)?;
        Some(if self.is_repetition(position) { Score::DRAW } else { score })
    }
}

/// The score of `entry`, if it decides `position` at `depth` in the window.
#[inline]
pub(super) fn usable_score<W: Word>(
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
    // A win that comes after the draw by count is none. One that comes before it is a win at any depth, but it says
    // nothing about a nearer one.
    let comes_in_time = position.plies_to_draw().is_none_or(|plies| score.is_decided_within(ply, plies));
    let is_proof = (score > Score::DRAW && score >= beta) || (score < Score::DRAW && score <= alpha);
    (cuts && comes_in_time && (is_proof || i32::from(entry.depth) >= depth)).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{History, Move, Piece, Setup};
    use crate::search::Limits;
    use crate::search::team::testing::{english, with_team};

    fn good() -> Score {
        Score::DRAW + 70
    }

    #[test]
    fn a_move_that_is_known_to_be_good_enough_cuts() {
        with_team(&Limits::default(), |team, game| {
            let mut search = Search::new(team, 0, game);
            let position = game.position();
            let mv = position.legal_moves()[3];
            search.store(&position.play(mv), (-good(), Bound::Upper), 0, 7, 1);
            assert_eq!(search.transposition_cut(position, false, 9, good(), 0), None, "it is not known to that depth");
            assert_eq!(search.transposition_cut(position, false, 8, good() + 1, 0), None);
            assert_eq!(search.transposition_cut(position, false, LOOK_AHEAD_DEPTH - 1, good(), 0), None);
            assert_eq!(team.table.probe(search.table_key(position)), None);
            assert_eq!(search.transposition_cut(position, false, 8, good() - 1, 0), Some(good()));
            let entry = Entry { code: mv.code(), score: good().at_position(0), depth: 8, bound: Bound::Lower };
            assert_eq!(team.table.probe(search.table_key(position)), Some(entry));
        });
    }

    #[test]
    fn a_move_that_may_be_worse_cuts_nothing() {
        with_team(&Limits::default(), |team, game| {
            let mut search = Search::new(team, 0, game);
            for mv in game.position().legal_moves().iter() {
                search.store(&game.position().play(*mv), (-good(), Bound::Lower), 0, 7, 1);
            }
            assert_eq!(search.transposition_cut(game.position(), false, 8, good(), 0), None);
        });
    }

    #[test]
    fn a_move_that_repeats_a_position_is_worth_a_draw() {
        let mut setup = Setup::start(english().spec());
        let corners = [setup.pieces.first_key_value(), setup.pieces.last_key_value()];
        setup.pieces = corners.into_iter().flatten().map(|(&at, &piece)| (at, Piece { king: true, ..piece })).collect();
        let mut game = History::from_setup(english(), &setup).unwrap();
        let there = [0, 1].map(|_| {
            let mv = game.position().legal_moves()[0];
            game.play(mv);
            mv
        });
        let back = there.map(|mv| Move { from: mv.to, to: mv.from, ..mv });
        game.play(back[0]);
        with_team(&Limits::default(), |team, _| {
            let mut search = Search::new(team, 0, &game);
            search.store(&game.position().play(back[1]), (-good(), Bound::Upper), 0, 7, 1);
            assert_eq!(search.transposition_cut(game.position(), false, 8, good(), 0), None);
            assert_eq!(search.transposition_cut(game.position(), false, 8, Score::DRAW, 0), Some(Score::DRAW));
        });
    }
}
