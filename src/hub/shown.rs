//! Which lines of a search are shown.

use crate::engine::{Bound, Report};
use crate::game::Move;

/// The lines of one search. The best is shown when its score is exact, and the answer is always the first move of the line
/// that was shown last.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// The last line that begins with each move.
    known: Vec<Report>,
    /// The first move of the line that was shown last.
    last: Option<Move>,
}

impl Shown {
    /// Takes a line that the engine has found, and returns it if it is to be shown at once.
    pub(super) fn take(&mut self, report: Report) -> Option<Report> {
        // The protocol has no word for a bound, nor for a line that is not the best: both would be taken for the value.
        let is_shown = report.bound == Bound::Exact && report.rank == 0;
        self.known.retain(|known| known.line.first() != report.line.first());
        self.known.push(report.clone());
        if is_shown {
            self.last = report.line.first().copied();
        }
        is_shown.then_some(report)
    }

    /// The line that has to be shown before the answer `best`. After this another search can begin.
    pub(super) fn before_answer(&mut self, best: Option<Move>) -> Option<Report> {
        let Self { known, last } = std::mem::take(self);
        let best = best.filter(|&best| last != Some(best))?;
        known.into_iter().find(|report| report.line.first() == Some(&best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::Variant;
    use crate::search::Score;
    use std::time::Duration;

    /// The first move number `index` of the start position, and what is reported of a line with it.
    fn report(index: usize, rank: usize, bound: Bound) -> (Move, Report) {
        let first = Game::new(Variant::International).legal_moves()[index];
        let report = Report {
            depth: 3,
            selective_depth: 5,
            rank,
            score: Score::evaluation(1),
            bound,
            nodes: 100,
            table_hits: 0,
            permille_used: 0,
            time: Duration::ZERO,
            line: vec![first],
        };
        (first, report)
    }

    #[test]
    fn only_the_best_line_with_an_exact_score_is_shown_at_once() {
        let mut shown = Shown::default();
        let (first, exact) = report(0, 0, Bound::Exact);
        assert_eq!(shown.take(exact.clone()), Some(exact));
        assert_eq!(shown.take(report(0, 0, Bound::Upper).1), None);
        assert_eq!(shown.take(report(1, 1, Bound::Exact).1), None);
        assert_eq!(shown.before_answer(Some(first)), None);
    }

    #[test]
    fn the_line_of_another_answer_is_shown_before_it() {
        let mut shown = Shown::default();
        let (second, early) = report(1, 0, Bound::Lower);
        let late = Report { depth: 4, ..early.clone() };
        let (third, other) = report(2, 1, Bound::Exact);
        shown.take(report(0, 0, Bound::Exact).1);
        assert!([early, other, late.clone()].into_iter().all(|other| shown.take(other).is_none()));
        assert_eq!(shown.before_answer(Some(second)), Some(late));
        assert_eq!(shown.before_answer(Some(third)), None, "what was known is forgotten with the answer");
        assert_eq!(shown.before_answer(None), None);
    }
}
