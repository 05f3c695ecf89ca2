//! How well a game was played, in a line.

use super::{Analysis, Mark};
use crate::rules::Color;
use std::fmt;

/// How well both sides played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// White.
    pub white: SideSummary,
    /// Black.
    pub black: SideSummary,
}

/// How well a side played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideSummary {
    /// Its moves.
    pub moves: u32,
    /// Those that were blunders.
    pub blunders: u32,
    /// Those that were mistakes.
    pub mistakes: u32,
    /// Those that were doubtful.
    pub doubtful: u32,
    /// What all of them lost together, in 1/100 man.
    pub loss: u32,
}

impl From<&Analysis> for Summary {
    fn from(analysis: &Analysis) -> Self {
        let mut summary = Self::default();
        for judgement in &analysis.moves {
            let side = if judgement.side == Color::White { &mut summary.white } else { &mut summary.black };
            side.moves += 1;
            side.loss += judgement.loss;
            match judgement.mark {
                None => {}
                Some(Mark::Doubtful) => side.doubtful += 1,
                Some(Mark::Mistake) => side.mistakes += 1,
                Some(Mark::Blunder) => side.blunders += 1,
            }
        }
        summary
    }
}

impl SideSummary {
    /// What a move lost in the mean, in men.
    pub fn mean_loss(&self) -> f64 {
        f64::from(self.loss) / f64::from(self.moves.max(1)) / 100.0
    }
}

impl fmt::Display for SideSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { blunders, mistakes, doubtful, .. } = self;
        let mean = self.mean_loss();
        write!(f, "blunders {blunders}, mistakes {mistakes}, doubtful {doubtful}, mean loss {mean:.2}")
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "White {}; Black {}", self.white, self.black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::Judgement;

    #[test]
    fn each_side_is_summed_up() {
        let judgement = |side, loss, mark| Judgement { side, loss, mark, given_away: None, better: Vec::new() };
        let moves = vec![
            judgement(Color::White, 120, Some(Mark::Blunder)),
            judgement(Color::Black, 30, Some(Mark::Doubtful)),
            judgement(Color::White, 0, None),
        ];
        let summary = Summary::from(&Analysis { scores: Vec::new(), moves });
        assert_eq!(
            summary.to_string(),
            "White blunders 1, mistakes 0, doubtful 0, mean loss 0.60; Black blunders 0, mistakes 0, doubtful 1, mean loss 0.30"
        );
        assert!(Summary::default().to_string().ends_with("mean loss 0.00"));
    }
}
