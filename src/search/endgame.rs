//! What endgame tables say in a search.

use super::drawn::MOST;
use super::score::Score;
use super::thread::Search;
use crate::position::{Move, Position};
use crate::rules::Word;
use crate::tables::{Prober, TableOutcome, Verdict, best_line};

/// What a win after so many plies is worth that a draw rule may prevent, in hundredths of a man: more than every draw, and the
/// sooner the better, since a sure win lies that way.
fn late_win(plies: u8) -> i16 {
    const LONGEST: i16 = MOST + 1;
    LONGEST + i16::from(u8::MAX - plies)
}

impl<W: Word> Search<'_, W> {
    /// The score of `position`, in which no capture must be played, if endgame tables have it and no draw rule can come before
    /// the end that they see. Such a score is exact.
    #[inline(always)]
    pub(super) fn known_score_of_ending(&mut self, position: &Position<W>, ply: usize) -> Option<Score> {
        if !self.endgames.as_ref()?.covers(position) {
            return None;
        }
        let verdict = self.verdict_of_ending(position)?;
        self.score_of_verdict(verdict, position, ply)
    }

    /// The score of `position` as a leaf, in which no capture must be played: what endgame tables say, else what the evaluation
    /// does.
    #[inline(always)]
    pub(super) fn leaf_score(&mut self, position: &Position<W>, ply: usize) -> Score {
        let is_covered = self.endgames.as_ref().is_some_and(|prober| prober.covers(position));
        let Some(verdict) = is_covered.then(|| self.verdict_of_ending(position)).flatten() else {
            return self.evaluate(position);
        };
        match verdict {
            Verdict::Late(TableOutcome::Win(plies)) => Score::DRAW + late_win(plies),
            Verdict::Late(TableOutcome::Loss(plies)) => Score::DRAW - late_win(plies),
            _ => match self.score_of_verdict(verdict, position, ply) {
                Some(score) => score,
                None => self.evaluate(position),
            },
        }
    }

    /// Not inlined: most positions have too many pieces.
    #[inline(never)]
    fn verdict_of_ending(&mut self, position: &Position<W>) -> Option<Verdict> {
        self.endgames.as_mut()?.judge(position)
    }

    /// The exact score of a verdict, if it is sure.
    fn score_of_verdict(&mut self, verdict: Verdict, position: &Position<W>, ply: usize) -> Option<Score> {
        let Verdict::Sure(outcome) = verdict else { return None };
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
            Some(Verdict::Sure(TableOutcome::Win(_) | TableOutcome::Loss(_))) => best_line(&mut prober, &end),
            _ => Vec::new(),
        }
    }
}
