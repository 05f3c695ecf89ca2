//! Positions of games as lines of text.

use super::{PositionRecord, TrainingGame};
use crate::board::Bits;
use crate::notation::FenRecord;
use crate::position::{EndingAges, Piece, Setup};
use crate::rules::{Color, RuleSet};

/// The first line of a file of comma-separated values.
pub const CSV_HEADINGS: &str = "fen,result,score,ply,quiet";

impl PositionRecord {
    /// The position square by square.
    pub fn setup(&self) -> Setup {
        let of = |color, set: u128| {
            set.squares().map(move |square| (square, Piece { color, king: self.kings.contains(square) }))
        };
        let pieces = of(Color::White, self.white).chain(of(Color::Black, self.black)).collect();
        let side = if self.white_to_move { Color::White } else { Color::Black };
        Setup { side, pieces, quiet_plies: 0, move_number: 1, king_runs: [None; 2], ages: EndingAges::default() }
    }

    fn fields(&self, spec: &RuleSet, game: &TrainingGame) -> (String, f32, String) {
        let points = game.outcome.points();
        let result = if self.white_to_move { points } else { 1.0 - points };
        let score = self.score.map(|score| score.to_string()).unwrap_or_default();
        (FenRecord::from_setup(spec, &self.setup()).to_string(), result, score)
    }

    /// The position as `FEN;result;score;ply`, with what the side to move got, 0, 0.5 or 1, and the score in 1/100 man for it.
    pub fn line(&self, spec: &RuleSet, game: &TrainingGame) -> String {
        let (fen, result, score) = self.fields(spec, game);
        format!("{fen};{result};{score};{}", self.ply)
    }

    /// The same as comma-separated values, with 1 for a quiet position at the end.
    pub fn csv(&self, spec: &RuleSet, game: &TrainingGame) -> String {
        let (fen, result, score) = self.fields(spec, game);
        format!("\"{fen}\",{result},{score},{},{}", self.ply, u8::from(self.quiet))
    }
}
