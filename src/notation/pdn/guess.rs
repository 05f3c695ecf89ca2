//! The variant of a record: by the tag `GameType`, or guessed where there is none, as in most existing files.

use super::GameRecord;
use crate::board::{Corner, SquareName};
use crate::notation::{FenRecord, MoveRecord, ReplayError, printable, replay};
use crate::rules::{Color, DrawRules, FirstSquare, Landing, Letters, Notation, Objective, RuleSet, Variant};
use std::cmp::Reverse;
use std::sync::LazyLock;

/// The most games of a file that are used to guess the variant of the others.
const MOST_GAMES: usize = 100;

/// The variants of most files, of which the first one fits where several do.
const FREQUENT: [Variant; 3] = [Variant::International, Variant::English, Variant::Russian];

/// Guesses for those games of a file that do not name their variant.
#[derive(Clone, Debug, Default)]
pub struct Guesses {
    /// Variants, and the number of games that can be of them.
    counts: Vec<(Variant, usize)>,
}

/// The squares and moves of a record as far as they can be read.
struct Evidence {
    start: Option<FenRecord>,
    moves: Vec<MoveRecord>,
    /// True if all moves can be read.
    is_whole: bool,
}

/// The sort key of variants by how well they fit a record, the best first.
type Fit = (Reverse<bool>, bool, Reverse<usize>, Reverse<usize>, u8, bool);

impl Guesses {
    /// The variants that a guess can be, the most frequent first: all whose moves are not those of one before. No record shows
    /// that a game was played to lose or by the killer rule, and of casual games there are none.
    pub fn candidates() -> impl DoubleEndedIterator<Item = Variant> {
        static CANDIDATES: LazyLock<Vec<Variant>> = LazyLock::new(|| {
            let moves = |variant: Variant| {
                let spec = *variant.spec();
                let landing = if spec.landing == Landing::BehindLastKing { Landing::Anywhere } else { spec.landing };
                RuleSet { objective: Objective::Normal, draws: DrawRules::REPETITION, landing, ..spec }
            };
            let mut candidates: Vec<Variant> = Vec::new();
            for variant in FREQUENT.into_iter().chain(Variant::listed().filter(|variant| !variant.spec().regicide)) {
                if !candidates.iter().any(|&known| moves(known) == moves(variant)) {
                    candidates.push(variant);
                }
            }
            candidates
        });
        CANDIDATES.iter().copied()
    }

    /// The evidence of all `games` of one file together.
    pub fn new<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Self {
        let mut guesses = Self::default();
        for game in games.into_iter().filter(|game| !game.moves.is_empty()).take(MOST_GAMES) {
            match (game.variant(), Evidence::new(game)) {
                (Ok(Some(variant)), _) => guesses.add(variant),
                (Ok(None), Some(evidence)) => {
                    let fitting = Self::candidates().filter(|&variant| evidence.fits(variant));
                    fitting.for_each(|variant| guesses.add(variant));
                }
                _ => {}
            }
        }
        guesses
    }

    fn add(&mut self, variant: Variant) {
        match self.counts.iter_mut().find(|(known, _)| *known == variant) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((variant, 1)),
        }
    }

    /// The number of games of the file that can be of `variant`.
    fn count(&self, variant: Variant) -> usize {
        self.counts.iter().find(|(known, _)| *known == variant).map_or(0, |&(_, count)| count)
    }

    /// The variant of `record`, which has no tag that names it: one by whose rules all its moves are legal; of several,
    /// or if there is none, one that writes squares as the record does, then the one that more games of the file can be of,
    /// then the one in which more moves are legal, then the one with the smallest board, and then, for a position with most
    /// of its pieces, one that begins with the side to move. Nothing if not even the first move can be played in any
    /// variant that the file has, or if there is nothing to see.
    pub fn variant(&self, record: &GameRecord) -> Option<Variant> {
        let evidence = Evidence::new(record)?;
        if evidence.start.is_none() && evidence.moves.is_empty() {
            let most = Self::candidates().rev().max_by_key(|&variant| self.count(variant));
            return most.filter(|&variant| self.count(variant) > 0);
        }
        let fits = Self::candidates().filter_map(|variant| Some((evidence.fit(variant, self)?, variant)));
        fits.min_by_key(|&(fit, _)| fit).map(|(_, variant)| variant)
    }
}

impl Evidence {
    /// The evidence of `record`; nothing if its position cannot be read.
    fn new(record: &GameRecord) -> Option<Self> {
        let start = record.start().ok()?;
        let moves: Vec<_> = record.moves.iter().map_while(|mv| mv.record().ok()).collect();
        let is_whole = moves.len() == record.moves.len();
        Some(Self { start, moves, is_whole })
    }

    /// The number of moves from the first one on that are legal in `variant`; `None` if the position is not possible in it.
    fn legal(&self, variant: Variant) -> Option<usize> {
        match replay(variant.spec(), self.start.as_ref(), &self.moves) {
            Ok(_) => Some(self.moves.len()),
            Err(ReplayError::Move { legal, .. }) => Some(legal),
            Err(ReplayError::Fen(_)) => None,
        }
    }

    /// Returns whether all moves are legal in `variant`.
    fn fits(&self, variant: Variant) -> bool {
        self.is_whole && self.legal(variant) == Some(self.moves.len())
    }

    fn fit(&self, variant: Variant, guesses: &Guesses) -> Option<Fit> {
        let legal = self.legal(variant)?;
        let fits = legal == self.moves.len();
        let count = guesses.count(variant);
        if legal == 0 && !fits && count == 0 {
            return None;
        }
        let spec = variant.spec();
        let is_of_other_style = self.is_lettered().is_some_and(|lettered| lettered != spec.notation.algebraic);
        let other_begins = self.opening_side(variant).is_some_and(|side| side != spec.starts);
        Some((Reverse(fits), is_of_other_style, Reverse(count), Reverse(legal), spec.shape.squares(), other_begins))
    }

    /// Returns whether squares are written with letters, if there are any.
    fn is_lettered(&self) -> Option<bool> {
        let pieces =
            self.start.iter().flat_map(|start| start.white.iter().chain(&start.black)).map(|piece| piece.square);
        let mut squares = self.moves.iter().map(|mv| mv.from).chain(pieces);
        squares.next().map(|square| matches!(square, SquareName::Algebraic { .. }))
    }

    /// The side to move in a position with at least three quarters of the men of `variant`.
    fn opening_side(&self, variant: Variant) -> Option<Color> {
        let men = usize::from(variant.spec().men());
        let is_opening = |start: &&FenRecord| start.white.len() * 4 >= men * 3 && start.black.len() * 4 >= men * 3;
        self.start.as_ref().filter(is_opening).map(|start| start.side)
    }
}

/// The `GameType` tag of `variant` in full, such as `20,W,10,10,N2,0`, if the variant has a number: the side that starts,
/// columns and rows, how squares are written, and whether the bottom left corner is not a playing square.
pub fn game_type(variant: Variant) -> Option<String> {
    let number = variant.game_type()?;
    let spec = variant.spec();
    let letter = if spec.notation.algebraic { 'A' } else { 'N' };
    let first = first_corner(variant);
    let mirrored = u8::from(spec.shape.corner == Corner::Right);
    let (starts, shape) = (starts(variant), spec.shape);
    Some(format!("{number},{starts},{},{},{letter}{first},{mirrored}", shape.width, shape.height))
}

fn starts(variant: Variant) -> &'static str {
    variant.spec().starts.pick(["W", "B"])
}

/// The corner of the first square, a1 or 1, as the starting side sees it: 0 and 1 at the bottom, 2 and 3 at the top, the left
/// one first.
fn first_corner(variant: Variant) -> u8 {
    let spec = variant.spec();
    let from_white = match spec.notation {
        Notation { algebraic: true, letters: Letters::Upright, .. } => 0,
        Notation { algebraic: false, first: FirstSquare::BottomRight, .. } => 1,
        _ => 2,
    };
    // Turning the board exchanges 0 with 3 and 1 with 2.
    if spec.starts == Color::White { from_white } else { 3 - from_white }
}

/// The variant of a `GameType` tag: its number alone, or with all the fields that the standard puts after it. Those fields
/// must agree with the variant, or moves would be misread. The corner of the first square decides only between variants with
/// one number: some programs name the wrong one, as PlayOK does in `20,W,10,10,N1,0`, and a real difference would show as
/// illegal moves. The last field is not checked, because its meaning has changed.
///
/// # Errors
/// When there is no variant with this number, or the other fields contradict its rules.
pub fn variant_of_game_type(text: &str) -> Result<Variant, GameTypeError> {
    let fields: Vec<_> = text.split(',').map(str::trim).collect();
    let number = fields.first().and_then(|number| number.parse().ok());
    let with_number = || Variant::listed().filter(|variant| number.is_some() && variant.game_type() == number);
    let first = with_number().next().ok_or_else(|| GameTypeError::unknown(text))?;
    let has_its_corner = |variant: &Variant| {
        let own = game_type(*variant).unwrap_or_default();
        fields.get(4).is_some_and(|style| own.split(',').nth(4).is_some_and(|own| own.eq_ignore_ascii_case(style)))
    };
    let variant = with_number().find(has_its_corner).unwrap_or(first);
    let shape = variant.spec().shape;
    let is_square_style = |field: &str| {
        let corner = field.strip_prefix(['A', 'a', 'S', 's', 'N', 'n']);
        corner.is_some_and(|corner| matches!(corner, "0" | "1" | "2" | "3"))
    };
    let is_right = fields.iter().enumerate().all(|(index, field)| match index {
        0 => true,
        1 => field.eq_ignore_ascii_case(starts(variant)),
        2 => field.parse() == Ok(shape.width),
        3 => field.parse() == Ok(shape.height),
        4 => is_square_style(field),
        _ => index == 5,
    });
    if is_right { Ok(variant) } else { Err(GameTypeError::Other { text: printable(text.chars()), variant }) }
}

/// The reason why a tag does not say which game is played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameTypeError {
    /// No game that is known here has this number or name, of which it is the beginning.
    #[error("no game is known as '{0}'")]
    Unknown(String),
    /// The game has another board, numbering or starting side here.
    #[error("the game type '{text}' is not that of {variant}, {}", game_type(*.variant).unwrap_or_default())]
    Other {
        /// The beginning of the tag.
        text: String,
        /// The game with this number.
        variant: Variant,
    },
}

impl GameTypeError {
    /// The error that no game is called `text`.
    pub(super) fn unknown(text: &str) -> Self {
        Self::Unknown(printable(text.chars()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tags_are_those_of_the_standard() {
        for (variant, tag) in [
            (Variant::International, "20,W,10,10,N2,0"),
            (Variant::English, "21,B,8,8,N1,0"),
            (Variant::Italian, "22,W,8,8,N2,1"),
            (Variant::Pool, "23,B,8,8,N1,0"),
            (Variant::Jamaican, "23,B,8,8,A1,1"),
            (Variant::Spanish, "24,W,8,8,N1,1"),
            (Variant::Russian, "25,W,8,8,A0,0"),
            (Variant::Brazilian, "26,W,8,8,A0,0"),
            (Variant::Canadian, "27,W,12,12,N2,0"),
            (Variant::Portuguese, "28,W,8,8,N1,1"),
            (Variant::Czech, "29,W,8,8,A0,0"),
            (Variant::Turkish, "30,W,8,8,A0,0"),
            (Variant::Thai, "31,B,8,8,N2,0"),
            (Variant::Frisian, "40,W,10,10,N2,0"),
            (Variant::Spantsiretti, "41,W,10,8,A0,0"),
        ] {
            assert_eq!(game_type(variant).as_deref(), Some(tag));
            assert_eq!(variant_of_game_type(tag), Ok(variant));
        }
        assert_eq!(game_type(Variant::Killer), None);
    }

    #[test]
    fn every_form_of_a_tag_is_read_or_refused_with_a_reason() {
        let read = |text: &str| variant_of_game_type(text).map_err(|error| error.to_string());
        for text in ["25", "25,W", "25,w, 8 ,8,A0", "25,W,8,8,A0,1", "25,W,8,8,S0", "25,W,8,8,N2,0", " 25 "] {
            assert_eq!(read(text), Ok(Variant::Russian), "{text}");
        }
        assert_eq!(read("21,B,8,8,A3"), Ok(Variant::English));
        assert_eq!(read("98"), Ok(Variant::Losing));
        for (text, variant) in
            [("23", Variant::Pool), ("23,B,8,8,N2", Variant::Pool), ("23,b,8,8,a1", Variant::Jamaican)]
        {
            assert_eq!(read(text), Ok(variant));
        }
        assert_eq!(read("20,W,10,10,N1,0"), Ok(Variant::International), "as PlayOK has it");
        assert_eq!(read("25,W,8,8,A1,0"), Ok(Variant::Russian));
        for text in ["", "x", "0", "-20", "50", "300", ",W", "20 W"] {
            assert_eq!(read(text), Err(format!("no game is known as '{text}'")));
        }
        let other = "the game type '23,W,8,8,A0,0' is not that of pool, 23,B,8,8,N1,0";
        assert_eq!(read("23,W,8,8,A0,0"), Err(other.to_owned()));
        for text in ["20,W,8,8", "20,W,10,10,N4", "20,W,10,10,N", "20,W,10,10,N2,0,0", "20,W,10,10,X2", "20,,10,10"] {
            assert!(read(text).is_err_and(|error| error.starts_with("the game type")), "{text}");
        }
    }
}
