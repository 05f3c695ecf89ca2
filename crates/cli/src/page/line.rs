//! Positions and moves that follow each other, as the script of the page takes them.

use serde::Serialize;
use soffio::annotate::AnnotateError;
use soffio::board::Square;
use soffio::notation::{MoveRecord, WrittenGame};
use soffio::position::reference::Sequence;
use soffio::rules::RuleSet;

/// A move with the squares of its way. Squares are counted from 0 in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct PageMove {
    /// As it is written.
    pub(super) text: String,
    /// Where the piece stood, and where it lands.
    pub(super) route: Vec<u8>,
    /// The pieces that it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) taken: Vec<u8>,
}

/// Moves that are played one after the other, and the positions around them, one more than moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    /// As Hub writes them: the side to move, then a letter for each square.
    pub(super) positions: Vec<String>,
    pub(super) moves: Vec<PageMove>,
}

impl Line {
    /// The moves `texts`, as an engine writes them, played from the position of `game`, which stays as it is.
    ///
    /// # Errors
    /// When one of them is not a move, or not legal.
    pub(super) fn read(game: &WrittenGame, texts: &[String]) -> Result<Self, AnnotateError> {
        let mut game = game.clone();
        let mut line = Self { positions: vec![game.hub_position()], moves: Vec::new() };
        for (index, text) in texts.iter().enumerate() {
            let record: MoveRecord = text.parse().map_err(|error| AnnotateError::NoMove { index, error })?;
            let illegal = |reason| AnnotateError::IllegalMove { index, text: text.clone(), reason };
            let way = game.play_way(&record).map_err(illegal)?;
            line.moves.push(PageMove::new(game.spec(), text, &way));
            line.positions.push(game.hub_position());
        }
        Ok(line)
    }
}

impl PageMove {
    /// The move that is written as `text` and goes this `way`.
    pub(super) fn new(spec: &RuleSet, text: &str, way: &Sequence) -> Self {
        let squares = |squares: &[Square]| squares.iter().map(|&square| place(spec, square)).collect();
        let route = [&[way.from], &way.landings[..]].concat();
        Self { text: text.to_owned(), route: squares(&route), taken: squares(&way.captured) }
    }
}

/// The place of `square` in the order of the numbers.
pub(super) fn place(spec: &RuleSet, square: Square) -> u8 {
    spec.number(square).get() - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::rules::Variant;

    #[test]
    fn positions_are_those_of_the_game() {
        let mut random = fastrand::Rng::with_seed(5);
        for &variant in Variant::ALL {
            let mut game = WrittenGame::new(variant);
            let (mut texts, mut positions) = (Vec::new(), vec![game.hub_position()]);
            while texts.len() < 40
                && let Some(way) = random.choice(game.sequences())
            {
                let text = soffio::notation::full_path(game.spec(), &way);
                assert!(game.play(&[text.parse().unwrap()]).is_ok(), "{variant} {text}");
                texts.push(text);
                positions.push(game.hub_position());
            }
            let line = Line::read(&WrittenGame::new(variant), &texts).unwrap();
            assert_eq!(line.positions, positions, "{variant}");
            let written: Vec<_> = line.moves.iter().map(|mv| mv.text.as_str()).collect();
            assert_eq!(written, texts, "{variant}");
            for (mv, around) in line.moves.iter().zip(positions.windows(2)) {
                // What differs between two positions is where the piece stood and lands, and what it took.
                let bytes = |position: &str| position.as_bytes()[1..].to_vec();
                let (before, after) = (bytes(&around[0]), bytes(&around[1]));
                let mut differ: Vec<_> = (0..before.len()).filter(|&at| before[at] != after[at]).collect();
                let (from, to) = (mv.route[0], *mv.route.last().unwrap());
                let mut touched: Vec<_> =
                    mv.taken.iter().copied().chain([from, to]).filter(|_| from != to).map(usize::from).collect();
                differ.sort();
                touched.sort();
                if from != to {
                    assert_eq!(differ, touched, "{variant} {}", mv.text);
                }
            }
        }
    }

    #[test]
    fn what_is_no_line_of_the_game_is_an_error() {
        let game = WrittenGame::new(Variant::English);
        let read = |text: &str| Line::read(&game, &["11-15".to_owned(), text.to_owned()]).unwrap_err().move_index();
        assert_eq!((read("11-16"), read("!")), (Some(1), Some(1)));
    }
}
