//! Computes scores from White's point of view, and the loss caused by each move.

use derive_more::Display;
use soffio::engine::Value;
use soffio::rules::{Color, Objective};
use soffio::score::WhiteScore;

/// A lead of this many cp decides the game, so larger scores are treated as equal.
pub(super) const DECIDED: i32 = 300;

/// Returns the score in cp from the point of view of `side`, clamped to the range from -[`DECIDED`] to [`DECIDED`].
fn bounded(score: WhiteScore, side: Color) -> i32 {
    match score.value(side) {
        Value::Cp(score) => i32::from(score).clamp(-DECIDED, DECIDED),
        Value::Win(_) => DECIDED,
        Value::Loss(_) => -DECIDED,
    }
}

/// Performs a negamax step: converts the value `after` a move into the value before the move, from the point of view of
/// the side that moves. In losing variants, the loser makes the last move, so the distance to the end of the game
/// counts the loser's moves. In other variants, it counts the winner's moves.
pub(crate) fn before_only_move(after: Value, objective: Objective) -> Value {
    let is_last_the_losers = objective == Objective::Losing;
    let one_more = |moves: u16, is_one_more: bool| moves.saturating_add(u16::from(is_one_more));
    match after {
        Value::Cp(value) => Value::Cp(value.saturating_neg()),
        Value::Win(moves) => Value::Loss(one_more(moves, is_last_the_losers)),
        Value::Loss(moves) => Value::Win(one_more(moves, !is_last_the_losers)),
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    pub scores: Vec<WhiteScore>,
    pub moves: Vec<MoveAnnotation>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveAnnotation {
    pub side: Color,
    /// Loss in cp compared with the best move. Both scores are first clamped to the range from -300 to 300 cp.
    pub loss: u32,
    pub mark: Option<MoveMark>,
    /// The result that the move gave away. `None` if it gave away nothing, or if the result before or after the move is
    /// not proved.
    pub given_away: Option<MissedResult>,
    pub better: Vec<String>,
    /// The score of the better line, if it is not the score of the position: an earlier position proves a shorter win.
    pub better_score: Option<WhiteScore>,
    pub why: Option<String>,
}

pub(super) const MAX_LINE_PLIES: usize = 10;

impl MoveAnnotation {
    pub fn remark(&self) -> Option<String> {
        self.why.clone().or_else(|| self.given_away.map(|given| given.to_string()))
    }

    pub fn shown_line(&self) -> &[String] {
        self.better.get(..MAX_LINE_PLIES).unwrap_or(&self.better)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveMark {
    /// `?!`: loses at least a quarter of the blunder threshold.
    Dubious,
    /// `?`: loses at least half of the blunder threshold.
    Mistake,
    /// `??`: loses at least the blunder threshold, or gives away a proven result.
    Blunder,
}

impl MoveMark {
    /// Returns the mark for a move that loses `loss` cp if a blunder loses at least `blunder` cp. Returns `None` if the
    /// loss is too small for a mark.
    pub fn for_loss(loss: u32, blunder: u32) -> Option<Self> {
        let bounds = [(Self::Blunder, 1), (Self::Mistake, 2), (Self::Dubious, 4)];
        let is_reached = |part: u32| loss > 0 && loss.saturating_mul(part) >= blunder;
        bounds.into_iter().find(|&(_, part)| is_reached(part)).map(|(mark, _)| mark)
    }

    pub fn glyph(self) -> u16 {
        match self {
            Self::Dubious => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    pub fn symbol(self) -> &'static str {
        match self {
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum MissedResult {
    #[display("gives the win away")]
    Win,
    #[display("gives the draw away")]
    Draw,
}

impl MissedResult {
    /// Returns the result that `side` gave away when the proven result changed from `before` to `after`, or `None` if
    /// it gave away nothing. Each result is the winner with best play, or `None` for a draw.
    fn between(side: Color, before: Option<Color>, after: Option<Color>) -> Option<Self> {
        if before == Some(side) && after != Some(side) {
            return Some(Self::Win);
        }
        (before.is_none() && after == Some(side.opponent())).then_some(Self::Draw)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EvaluatedPosition {
    pub(super) side: Color,
    pub(super) score: WhiteScore,
    /// The winner with best play (`Some(None)` for a draw), or `None` if the result is neither proved by search nor
    /// contained in endgame tables.
    pub(super) certain: Option<Option<Color>>,
    /// The better line; empty if the best move was played.
    pub(super) better: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
pub struct MoveScores<'a> {
    pub annotation: &'a MoveAnnotation,
    pub before: WhiteScore,
    pub after: WhiteScore,
}

impl Analysis {
    pub fn annotated_moves(&self) -> impl Iterator<Item = MoveScores<'_>> {
        let scores = self.scores.iter().zip(self.scores.iter().skip(1));
        self.moves.iter().zip(scores).map(|(annotation, (&before, &after))| {
            let before = annotation.better_score.unwrap_or(before);
            MoveScores { annotation, before, after }
        })
    }

    pub(super) fn new(mut positions: Vec<EvaluatedPosition>, blunder: u32, objective: Objective) -> Self {
        let scores = scores_with_earlier_wins(&mut positions, objective);
        let certain = positions.iter().map(|position| position.certain);
        let after: Vec<_> = scores.iter().copied().zip(certain).skip(1).collect();
        let shown = scores.clone();
        let assess = |((before, shown), (after, certain_after)): ((EvaluatedPosition, _), (WhiteScore, _))| {
            let EvaluatedPosition { side, score, certain, better } = before;
            let loss = bounded(score, side).saturating_sub(bounded(after, side));
            let loss = if better.is_empty() { 0 } else { u32::try_from(loss).unwrap_or(0) };
            let certain = certain.zip(certain_after).filter(|_| !better.is_empty());
            let given_away = certain.and_then(|(before, after)| MissedResult::between(side, before, after));
            let mark = if given_away.is_some() { Some(MoveMark::Blunder) } else { MoveMark::for_loss(loss, blunder) };
            let better_score = Some(score).filter(|&score| score != shown);
            MoveAnnotation { side, loss, mark, given_away, better, better_score, why: None }
        };
        Self { scores, moves: positions.into_iter().zip(shown).zip(after).map(assess).collect() }
    }
}

/// Returns the scores of the positions of a game. A search proves only an upper bound for the length of a win, and the
/// search of a later position may find a longer win or none. Therefore, a win also counts for the next position if the
/// loser moved or if the winner played the move that the search found.
fn scores_with_earlier_wins(positions: &mut [EvaluatedPosition], objective: Objective) -> Vec<WhiteScore> {
    let mut scores: Vec<_> = positions.iter().map(|position| position.score).collect();
    let mut known: Option<(Color, u16)> = None;
    for (position, score) in positions.iter_mut().zip(&mut scores) {
        let own = position.score.winner();
        let is_shorter = |(winner, moves): &(Color, u16)| {
            let is_consistent = own.is_none_or(|(other, own)| other == *winner && *moves < own);
            *moves > 0 && is_consistent && position.certain != Some(None)
        };
        if let Some((winner, moves)) = known.filter(is_shorter) {
            *score = WhiteScore::won_by(winner, moves);
            position.certain = Some(Some(winner));
        }
        let side = position.side;
        let is_lost = |(winner, _): &(Color, u16)| *winner != side;
        let best = own.filter(|_| position.better.is_empty());
        known = score.winner().filter(is_lost).or(best).map(|(winner, moves)| {
            // In losing variants, the number counts the loser's moves.
            let counts = (winner == side) == (objective != Objective::Losing);
            (winner, if counts { moves.saturating_sub(1) } else { moves })
        });
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_fractions_of_the_blunder_threshold() {
        let marks = |blunder| [0, 1, 24, 25, 49, 50, 99, 100, 600].map(|loss| MoveMark::for_loss(loss, blunder));
        let (dubious, mistake, blunder) = (Some(MoveMark::Dubious), Some(MoveMark::Mistake), Some(MoveMark::Blunder));
        assert_eq!(marks(100), [None, None, None, dubious, dubious, mistake, mistake, blunder, blunder]);
        assert_eq!(marks(1), [None, blunder, blunder, blunder, blunder, blunder, blunder, blunder, blunder]);
    }

    #[test]
    fn a_moves_loss_is_relative_to_the_best_move() {
        let position = |side, score, better: &[&str]| {
            let better = better.iter().map(|&text| text.to_owned()).collect();
            EvaluatedPosition { side, score: WhiteScore::Cp(score), certain: None, better }
        };
        let positions = vec![
            position(Color::White, 10, &["a"]),
            position(Color::Black, -50, &["b", "c"]),
            position(Color::White, 900, &["d"]),
            position(Color::Black, 1200, &[]),
            position(Color::White, 1300, &[]),
        ];
        let analysis = Analysis::new(positions, 100, Objective::Normal);
        let moves: Vec<_> = analysis.moves.iter().map(|mv| (mv.loss, mv.mark)).collect();
        assert_eq!(moves, [(60, Some(MoveMark::Mistake)), (350, Some(MoveMark::Blunder)), (0, None), (0, None)]);
        assert_eq!((analysis.scores.len(), analysis.moves[1].better.len()), (5, 2));
        assert_eq!(Analysis::new(Vec::new(), 1, Objective::Normal), Analysis::default());
    }

    #[test]
    fn the_number_of_moves_to_a_win_rises_only_if_the_winner_plays_another_move() {
        let position = |side, score, better: &str| {
            let better = Some(better).filter(|text| !text.is_empty()).map(str::to_owned).into_iter().collect();
            EvaluatedPosition { side, score, certain: None, better }
        };
        let (white, black) = (Color::White, Color::Black);
        let positions = || {
            vec![
                position(white, WhiteScore::White(32), ""),
                position(black, WhiteScore::Cp(321), "a"),
                position(white, WhiteScore::White(45), "b"),
                position(black, WhiteScore::White(50), "c"),
                position(white, WhiteScore::Cp(300), ""),
                position(black, WhiteScore::Cp(310), ""),
            ]
        };
        let analysis = Analysis::new(positions(), 100, Objective::Normal);
        let win = WhiteScore::White;
        assert_eq!(analysis.scores, [win(32), win(31), win(31), win(50), win(50), WhiteScore::Cp(310)]);
        // The move b wins in 45, whatever an earlier search has proved.
        let before: Vec<_> = analysis.annotated_moves().map(|mv| mv.before).collect();
        assert_eq!(before, [win(32), WhiteScore::Cp(321), win(45), win(50), WhiteScore::Cp(300)]);
        let losing = Analysis::new(positions(), 100, Objective::Losing);
        assert_eq!(losing.scores[..4], [win(32), win(32), win(31), win(50)]);
    }

    #[test]
    fn losing_a_certain_result_is_marked_whatever_the_scores() {
        let position = |side, certain, better: &str| EvaluatedPosition {
            side,
            score: WhiteScore::Cp(0),
            certain,
            better: Some(better).filter(|text| !text.is_empty()).map(str::to_owned).into_iter().collect(),
        };
        let (white, black) = (Color::White, Color::Black);
        let positions = vec![
            position(white, Some(Some(white)), "a"),
            position(black, Some(None), "b"),
            position(white, Some(Some(white)), "c"),
            position(black, None, "d"),
            position(white, Some(Some(white)), "e"),
            position(black, Some(Some(black)), ""),
            position(white, Some(Some(black)), "f"),
            position(black, Some(Some(black)), ""),
        ];
        let analysis = Analysis::new(positions, 100, Objective::Normal);
        let (win, draw) = (Some(MissedResult::Win), Some(MissedResult::Draw));
        let lost: Vec<_> = analysis.moves.iter().map(|mv| mv.given_away).collect();
        assert_eq!(lost, [win, draw, None, None, win, None, None]);
        assert!(analysis.moves.iter().all(|mv| mv.mark == mv.given_away.map(|_| MoveMark::Blunder)));
    }

    #[test]
    fn scores_are_from_whites_point_of_view() {
        for (value, side, text) in [
            (Value::Cp(5), Color::White, "+0.05"),
            (Value::Cp(5), Color::Black, "-0.05"),
            (Value::Cp(0), Color::Black, "+0.00"),
            (Value::Win(3), Color::Black, "Black wins in 3"),
            (Value::Loss(3), Color::Black, "White wins in 3"),
            (Value::Loss(0), Color::White, "Black has won"),
        ] {
            assert_eq!(WhiteScore::new(value, side).to_string(), text);
        }
    }

    #[test]
    fn large_scores_are_clamped() {
        let both = |score: WhiteScore| [Color::White, Color::Black].map(|side| bounded(score, side));
        assert_eq!(both(WhiteScore::Cp(-120)), [-120, 120]);
        assert_eq!(both(WhiteScore::Cp(900)), [300, -300]);
        assert_eq!(both(WhiteScore::Black(7)), [-300, 300]);
        assert_eq!(WhiteScore::Black(7).men(5.0), -5.0);
        assert_eq!(WhiteScore::Cp(-120).men(5.0), -1.2);
    }

    #[test]
    fn a_win_is_one_move_longer_before_the_winner_moves() {
        let before = |after| before_only_move(after, Objective::Normal);
        assert_eq!(before(Value::Loss(0)), Value::Win(1));
        assert_eq!(before(Value::Win(1)), Value::Loss(1));
        assert_eq!(before(Value::Cp(7)), Value::Cp(-7));
        let before = |after| before_only_move(after, Objective::Losing);
        assert_eq!(before(Value::Win(0)), Value::Loss(1));
        assert_eq!(before(Value::Loss(1)), Value::Win(1));
    }
}
