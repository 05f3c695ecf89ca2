//! Draws by a move-count rule.
//!
//! A game can go on after such a draw, where the other program or the GUI does not know the rule, and pieces that the rule
//! had made worthless count again. So a position that is drawn by count is searched on as if all counts began
//! anew. What that finds decides among draws alone: it is worth a few hundredths of a man, the more the better the position
//! would be without the rule.

use super::score::Score;
use super::thread::Search;
use crate::rules::Word;

/// Scores without the rule from which on a draw is worth 1, 2 and so on, in hundredths of a man: two for each doubling.
const STEPS: [i16; 14] = [8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768];

/// What a draw is worth, in hundredths of a man, if the position is won without the rule.
pub(super) const MOST: i16 = STEPS.len() as i16 + 1;

impl<W: Word> Search<'_, W> {
    /// The score of a position that is drawn by count and would be worth `score` without the rule.
    pub(super) fn drawn(&self, score: Score) -> Score {
        if self.is_exhaustive() { Score::DRAW } else { drawn(score) }
    }

    /// The score of a position that is drawn by count; `search` gives the score that it has without the rule, in the window
    /// that matters. A proof of a win needs no more than the draw.
    pub(super) fn beyond_draw(
        &mut self,
        (alpha, beta): (Score, Score),
        search: impl FnOnce(&mut Self, (Score, Score)) -> Score,
    ) -> Score {
        if self.is_exhaustive() {
            return Score::DRAW;
        }
        let (worst, best) = (Score::DRAW - MOST, Score::DRAW + MOST);
        if alpha >= best {
            return best;
        }
        if beta <= worst {
            return worst;
        }
        // The least score without the rule that is worth more than alpha, and the least that is worth beta.
        let window = (least(alpha + 1) - 1, least(beta));
        drawn(search(self, window))
    }
}

/// The score of a draw in a position that is worth `score` without the rule.
fn drawn(score: Score) -> Score {
    let size = if score < Score::DRAW { -score } else { score };
    let steps =
        if size.is_decided() { MOST } else { STEPS.iter().filter(|&&step| size >= Score::DRAW + step).count() as i16 };
    if score < Score::DRAW { Score::DRAW - steps } else { Score::DRAW + steps }
}

/// The least score whose draw is worth at least `worth`.
fn least(worth: Score) -> Score {
    let index =
        |steps: Score| STEPS.iter().zip(1..).find(|&(_, step)| Score::DRAW + step == steps).map(|(&least, _)| least);
    if worth > Score::DRAW + MOST {
        Score::INFINITE
    } else if worth > Score::DRAW {
        index(worth).map_or(Score::least_win(), |step| Score::DRAW + step)
    } else if worth <= Score::DRAW - MOST {
        -Score::INFINITE
    } else {
        // One more than the greatest whose draw is worth a step less.
        index(-worth + 1).map_or(-Score::least_win() + 1, |step| Score::DRAW - step + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_worth_more_the_better_the_position_is_without_the_rule() {
        let scores: Vec<Score> = (-900..=900).map(Score::evaluation).collect();
        assert!(scores.is_sorted_by(|worse, better| drawn(*worse) <= drawn(*better)));
        assert_eq!(
            [-900, -8, -7, 0, 7, 8, 900].map(|score| drawn(Score::evaluation(score))),
            [-14, -1, 0, 0, 0, 1, 14].map(|steps| Score::DRAW + steps)
        );
        assert_eq!(drawn(-Score::lost_at(9)), Score::DRAW + MOST);
        assert_eq!(drawn(Score::lost_at(9)), Score::DRAW - MOST);
    }

    #[test]
    fn the_window_without_the_rule_is_that_of_the_draw() {
        let all = (-900..=900).map(Score::evaluation).chain([Score::lost_at(9), -Score::lost_at(9)]);
        for score in all {
            for worth in (1 - MOST..=MOST).map(|steps| Score::DRAW + steps) {
                assert_eq!(score >= least(worth), drawn(score) >= worth, "{score:?} {worth:?}");
            }
        }
    }
}
