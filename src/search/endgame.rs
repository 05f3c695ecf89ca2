//! What endgame tables say in a search.

use super::score::Score;
use super::thread::Search;
use crate::position::{Move, Position};
use crate::rules::Word;
use crate::tables::{Outcome, Prober, Verdict, best_line};

impl<W: Word> Search<'_, W> {
    /// The score of `position`, in which no capture must be played, if endgame tables have it and no draw rule can come before
    /// the end that they see. Such a score is exact.
    #[inline(always)]
    pub(super) fn known_score_of_ending(&mut self, position: &Position<W>, ply: usize) -> Option<Score> {
        let prober = self.endgames.as_mut()?;
        if !prober.covers(position) {
            return None;
        }
        self.ask(position, ply)
    }

    /// Not inlined: most positions have too many pieces.
    #[inline(never)]
    fn ask(&mut self, position: &Position<W>, ply: usize) -> Option<Score> {
        let Verdict::Sure(outcome) = self.endgames.as_mut()?.judge(position)? else { return None };
        self.table_hits += 1;
        // Among draws it is better to have more, in case the other side does not know.
        Score::of_decided(outcome, ply).or_else(|| Some(self.drawn(self.evaluate(position))))
    }

    /// Whether endgame tables tell how `position` ends.
    pub(super) fn is_known(&self, position: &Position<W>) -> bool {
        let judge = |tables| Prober::new(tables).judge(position);
        matches!(self.team.endgames.and_then(judge), Some(Verdict::Sure(_)))
    }

    /// The moves that follow `line` from the root when both sides play best, if `score` says that the game is decided and
    /// endgame tables know how.
    pub(super) fn known_end(&self, line: &[Move<W>], score: Score) -> Vec<Move<W>> {
        let Some(tables) = self.team.endgames.filter(|_| score.is_decided()) else { return Vec::new() };
        let end = line.iter().fold(self.root, |position, &mv| position.play(mv));
        let mut prober = Prober::new(tables);
        match prober.judge(&end) {
            Some(Verdict::Sure(Outcome::Win(_) | Outcome::Loss(_))) => best_line(&mut prober, &end),
            _ => Vec::new(),
        }
    }
}
