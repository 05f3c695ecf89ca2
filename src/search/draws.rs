//! Draws by repetition and by a move-count rule.
//!
//! A game can continue after a draw by count if the other program or the GUI does not implement the rule. A position
//! after such a draw is searched with the counters reset, and its score is scaled down to a few cp. The scaled score
//! only serves to choose between drawn positions.

use super::score::Score;
use super::thread::Search;
use crate::position::Position;
use crate::rules::Word;

/// Minimum number of plies between two occurrences of a position, because each side must move away and back.
const SHORTEST_REPETITION: usize = 4;

/// Thresholds in cp: a drawn position whose score without the draw rule reaches the first threshold is scored as 1 cp,
/// one that reaches the second as 2 cp, and so on. The thresholds double every two steps.
const STEPS: [i16; 14] = [8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768];

/// Maximum score in cp of a drawn position. A position that would be won without the draw rule gets this score.
pub(super) const MAX_DRAW_SCORE: i16 = STEPS.len() as i16 + 1;

impl<W: Word> Search<'_, W> {
    /// Returns whether the position counts as a draw by repetition.
    ///
    /// One earlier occurrence on the path from the root is enough, because a side that can repeat a position once can
    /// repeat it again. Positions of the game count as often as the rules require, because players also repeat
    /// positions when one of them could win. An exhaustive search counts only the repetitions that draw the game under
    /// the rules.
    pub(super) fn is_repetition(&self, position: &Position<W>) -> bool {
        let reach = self.repeatable(position);
        if reach < SHORTEST_REPETITION {
            return false;
        }
        let first = self.keys.len() - reach;
        let enough = usize::from(position.spec().draws.repetitions) - 1;
        let earlier = self.keys.iter().enumerate().skip(first).rev().skip(SHORTEST_REPETITION - 1).step_by(2);
        let same = earlier.filter(|&(_, &key)| key == position.key());
        let mut counted = same.zip(1..);
        counted.any(|((place, _), count)| count >= enough || (place >= self.known_keys && !self.exhaustive))
    }

    #[inline(always)]
    fn repeatable(&self, position: &Position<W>) -> usize {
        let quiet = usize::from(position.quiet_plies());
        // The counters may have been reset at the root, so they do not show how far back positions can repeat. If no
        // move since the root is irreversible, all keys are considered, including the keys of the game.
        if quiet >= self.plies_since_root() { self.keys.len() } else { quiet }
    }

    /// Returns the number of plies from the root to the current node. Captures in the quiescence search do not count.
    #[inline(always)]
    pub(super) fn plies_since_root(&self) -> usize {
        self.keys.len().saturating_sub(self.known_keys)
    }

    pub(super) fn drawn(&self, score: Score) -> Score {
        if self.exhaustive { Score::DRAW } else { drawn(score) }
    }

    /// Returns the score of a position that is drawn by a move-count rule. `search` returns the score that the position
    /// would have without the rule. An exhaustive search does not call this function, because the proof of a win only
    /// needs to recognise the draw.
    pub(super) fn score_after_draw(
        &mut self,
        (alpha, beta): (Score, Score),
        search: impl FnOnce(&mut Self, (Score, Score)) -> Score,
    ) -> Score {
        if self.exhaustive {
            return Score::DRAW;
        }
        let (worst, best) = (Score::DRAW - MAX_DRAW_SCORE, Score::DRAW + MAX_DRAW_SCORE);
        if alpha >= best {
            return best;
        }
        if beta <= worst {
            return worst;
        }
        // This is the window for scores without the rule. The lower bound is one less than the lowest score that maps
        // to more than alpha, and the upper bound is the lowest score that maps to at least beta.
        let window = (min_score_for(alpha + 1) - 1, min_score_for(beta));
        drawn(search(self, window))
    }
}

fn drawn(score: Score) -> Score {
    let size = if score < Score::DRAW { -score } else { score };
    let steps = if size.is_decided() {
        MAX_DRAW_SCORE
    } else {
        STEPS.iter().filter(|&&step| size >= Score::DRAW + step).count() as i16
    };
    if score < Score::DRAW { Score::DRAW - steps } else { Score::DRAW + steps }
}

/// Returns the lowest score that [`drawn`] maps to at least `worth`.
fn min_score_for(worth: Score) -> Score {
    let index =
        |steps: Score| STEPS.iter().zip(1..).find(|&(_, step)| Score::DRAW + step == steps).map(|(&least, _)| least);
    if worth > Score::DRAW + MAX_DRAW_SCORE {
        Score::INFINITE
    } else if worth > Score::DRAW {
        index(worth).map_or(Score::min_win(), |step| Score::DRAW + step)
    } else if worth <= Score::DRAW - MAX_DRAW_SCORE {
        -Score::INFINITE
    } else {
        // This score is one above the highest score that maps to `worth - 1`.
        index(-worth + 1).map_or(-Score::min_win() + 1, |step| Score::DRAW - step + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_scores_more_the_better_the_position_is_without_the_rule() {
        let scores: Vec<Score> = (-900..=900).map(Score::evaluation).collect();
        assert!(scores.is_sorted_by(|worse, better| drawn(*worse) <= drawn(*better)));
        assert_eq!(
            [-900, -8, -7, 0, 7, 8, 900].map(|score| drawn(Score::evaluation(score))),
            [-14, -1, 0, 0, 0, 1, 14].map(|steps| Score::DRAW + steps)
        );
        assert_eq!(drawn(-Score::lost_at(9)), Score::DRAW + MAX_DRAW_SCORE);
        assert_eq!(drawn(Score::lost_at(9)), Score::DRAW - MAX_DRAW_SCORE);
    }

    #[test]
    fn the_window_without_the_rule_matches_the_draw() {
        let all = (-900..=900).map(Score::evaluation).chain([Score::lost_at(9), -Score::lost_at(9)]);
        for score in all {
            for worth in (1 - MAX_DRAW_SCORE..=MAX_DRAW_SCORE).map(|steps| Score::DRAW + steps) {
                assert_eq!(score >= min_score_for(worth), drawn(score) >= worth, "{score:?} {worth:?}");
            }
        }
    }
}
