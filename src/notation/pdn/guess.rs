//! Determines the variant of a game record. Most existing files lack a `GameType` tag, so the variant must be guessed.

use super::GameRecord;
use crate::board::{Corner, SquareName};
use crate::notation::{FenError, FenRecord, MoveRecord, WrittenGame, legal_move_count, printable};
use crate::rules::{Color, DrawRules, FirstSquare, Landing, Letters, Notation, Objective, RuleSet, Variant};
use std::cmp::Reverse;
use std::sync::LazyLock;

/// The variants of most files, in order of preference if a game fits several variants equally well.
const FREQUENT: [Variant; 3] = [Variant::International, Variant::English, Variant::Russian];

/// Evidence from the games in a file, used to guess the variant of games that do not name one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guesses {
    games: Vec<GameEvidence>,
    /// The variants that fit the most games that prove a variant. Empty if no variant fits at least two such games.
    usual: Vec<Variant>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct GameEvidence {
    variants: Vec<Variant>,
    /// Whether the game names its variant or begins at the start position. Other games do not prove a variant: a
    /// mistake in their position can make them fit the wrong variant.
    is_proof: bool,
}

struct Evidence {
    start: Option<FenRecord>,
    moves: Vec<MoveRecord>,
    is_whole: bool,
}

/// Sort key that ranks variants by how well they fit a record. The best variant has the smallest key. The fields of the
/// tuple correspond to the criteria in [`Guesses::variant`], in the same order.
type Fit = (Reverse<bool>, bool, Reverse<usize>, u8, bool);

impl Guesses {
    /// Returns the variants that can be guessed, the most frequent first. Variants with the same legal moves are
    /// represented by one of them, because the moves of a game do not show whether it was a losing game or was played
    /// with the killer rule. Casual variants (with regicide) are left out because there are no records of such games.
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

    /// Maximum number of games in a file that are used as evidence.
    pub const MAX_GAMES: usize = 100;

    /// Returns whether [`Guesses::new`] uses `game`: it has moves, or a tag that names its variant.
    pub fn is_evidence(game: &GameRecord) -> bool {
        !game.moves.is_empty() || game.variant() != Ok(None)
    }

    /// Collects the evidence from `games`, which must be the games in one file.
    pub fn new<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Self {
        let seen = |game: &GameRecord| match game.variant() {
            Ok(Some(variant)) => Some(GameEvidence { variants: vec![variant], is_proof: true }),
            Ok(None) => Evidence::new(game)?.seen(),
            Err(_) => None,
        };
        let games = games.into_iter().filter(|game| Self::is_evidence(game)).take(Self::MAX_GAMES);
        let games: Vec<_> = games.filter_map(seen).collect();
        let count =
            |variant: Variant| games.iter().filter(|game| game.is_proof && game.variants.contains(&variant)).count();
        let named = games.iter().flat_map(|game| &game.variants).copied();
        let named = named.filter(|&named| !Self::candidates().any(|known| known == named));
        let counts: Vec<_> = Self::candidates().chain(named).map(|variant| (variant, count(variant))).collect();
        let most = counts.iter().map(|&(_, count)| count).max().filter(|&most| most > 1);
        let usual = counts.into_iter().filter(|&(_, count)| Some(count) == most).map(|(variant, _)| variant).collect();
        Self { games, usual }
    }

    /// Returns the variant of a game that is complete, begins at the start position and fits all usual variants of the
    /// file. Returns `None` for any other game.
    ///
    /// The result is the same as that of [`Guesses::variant`], but this method does not replay the game in every
    /// candidate.
    fn usual(&self, evidence: &Evidence) -> Option<Variant> {
        if evidence.start.is_some() || !evidence.is_whole || evidence.moves.is_empty() {
            return None;
        }
        let fits: Option<Vec<_>> =
            self.usual.iter().map(|&variant| Some((evidence.fit(variant).filter(|fit| fit.0.0)?, variant))).collect();
        fits?.into_iter().min_by_key(|&(fit, _)| fit).map(|(_, variant)| variant)
    }

    /// Guesses the variant of `record`, which has no tag that names it.
    ///
    /// The default is the variant that fits the most other games in the file. A different variant is guessed only if it
    /// fits the record and the default does not. In addition, another game in the file must be clear evidence of that
    /// variant, or the record must begin at the start position with a move that is illegal in the default. A single
    /// faulty move therefore does not change the variant.
    ///
    /// If several variants are equally good, or if the file has no other games, these criteria decide, in this order:
    /// all moves are legal; squares are written in the style of the variant; more moves are legal; the board is
    /// smaller; the side that starts in the variant is to move, provided that the position has most of its pieces.
    ///
    /// Returns `None` if the start position of the record cannot be parsed. If the file has no other games, also
    /// returns `None` if the record has neither a start position nor moves, if its start position is illegal in every
    /// candidate, or if its first move is illegal in the best candidate.
    pub fn variant(&self, record: &GameRecord) -> Option<Variant> {
        let evidence = Evidence::new(record)?;
        if let Some(usual) = self.usual(&evidence) {
            return Some(usual);
        }
        let others = self.others(evidence.seen());
        let named = others.iter().flat_map(|game| &game.variants).copied();
        let named = named.filter(|&named| !Self::candidates().any(|known| known == named));
        let mut variants: Vec<_> = Self::candidates().chain(named).collect();
        let count = |variant: Variant| others.iter().filter(|game| game.variants.contains(&variant)).count();
        let most = variants.iter().map(|&variant| count(variant)).max().filter(|&most| most > 0);
        let best = |variants: &[Variant]| {
            let fits = variants.iter().filter_map(|&variant| Some((evidence.fit(variant)?, variant)));
            fits.min_by_key(|&(fit, _)| fit).map(|(fit, variant)| (variant, fit.0.0, fit.2.0))
        };
        let Some(most) = most else {
            let is_shown = evidence.start.is_some() || !evidence.moves.is_empty();
            let (variant, fits, legal) = best(&variants)?;
            return (is_shown && (fits || legal > 0)).then_some(variant);
        };
        let most_frequent: Vec<_> = variants.iter().copied().filter(|&variant| count(variant) == most).collect();
        if evidence.start.is_none() && evidence.moves.is_empty() {
            return most_frequent.first().copied();
        }
        let of_the_file = best(&most_frequent);
        if let Some((variant, true, _)) = of_the_file {
            return Some(variant);
        }
        // A different variant must be proved by another game that does not fit the most frequent variants of the file.
        let is_other = |game: &&&GameEvidence| {
            game.is_proof && !most_frequent.iter().any(|variant| game.variants.contains(variant))
        };
        let is_plainly_other = evidence.start.is_none() && of_the_file.is_some_and(|(.., legal)| legal == 0);
        variants.retain(|variant| {
            let is_shown = others.iter().filter(is_other).any(|game| game.variants.contains(variant));
            is_plainly_other || is_shown
        });
        match best(&variants) {
            Some((variant, true, _)) => Some(variant),
            _ => of_the_file.map(|(variant, ..)| variant).or(most_frequent.first().copied()),
        }
    }

    /// Returns the evidence from all games except `own`. If `own` or any other game proves a variant, returns only
    /// games that prove one, because positions can contain mistakes.
    fn others(&self, own: Option<GameEvidence>) -> Vec<&GameEvidence> {
        let itself = self.games.iter().position(|game| Some(game) == own.as_ref());
        let others = self.games.iter().enumerate().filter(|&(at, _)| Some(at) != itself).map(|(_, game)| game);
        let mut others: Vec<_> = others.collect();
        if own.is_some_and(|own| own.is_proof) || others.iter().any(|game| game.is_proof) {
            others.retain(|game| game.is_proof);
        }
        others
    }

    /// Returns the reason why `start` is not a valid position in any variant, or `None` if it is valid in some variant.
    /// The reason refers to the smallest board that has all the squares in `start`.
    pub fn rejection_reason(start: &FenRecord) -> Option<FenError> {
        let mut variants: Vec<_> = Self::candidates().collect();
        variants.sort_by_key(|variant| variant.spec().shape.squares());
        let errors = variants.iter().map(|variant| WrittenGame::from_start(*variant, Some(start)).err());
        let errors = errors.collect::<Option<Vec<_>>>()?;
        let on_the_board = errors.iter().find(|error| !matches!(error, FenError::Square(_)));
        on_the_board.or(errors.last()).cloned()
    }
}

impl Evidence {
    fn new(record: &GameRecord) -> Option<Self> {
        let leading = record.moves.iter().take_while(|mv| mv.is_set_up()).count();
        let start = match leading.checked_sub(1).and_then(|index| record.moves.get(index)?.set_up()) {
            Some(position) => Some(position.ok()?),
            None => record.start().ok()?,
        };
        let written = || record.moves.iter().skip(leading).take_while(|mv| !mv.is_set_up());
        let moves: Vec<_> = written().map_while(|mv| mv.record().ok()).collect();
        let is_whole = moves.len() == written().count();
        Some(Self { start, moves, is_whole })
    }

    /// Returns the number of leading moves that are legal in `variant`, or `None` if the start position is impossible
    /// in `variant`.
    fn legal(&self, variant: Variant) -> Option<usize> {
        let start = WrittenGame::from_start(variant, self.start.as_ref()).ok()?;
        Some(legal_move_count(&start, &self.moves))
    }

    fn seen(&self) -> Option<GameEvidence> {
        let fits = |variant: &Variant| self.is_whole && self.legal(*variant) == Some(self.moves.len());
        let variants: Vec<_> = Guesses::candidates().filter(|_| !self.moves.is_empty()).filter(fits).collect();
        (!variants.is_empty()).then_some(GameEvidence { variants, is_proof: self.start.is_none() })
    }

    fn fit(&self, variant: Variant) -> Option<Fit> {
        let legal = self.legal(variant)?;
        let spec = variant.spec();
        let is_of_other_style = self.is_lettered().is_some_and(|lettered| lettered != spec.notation.algebraic);
        let other_begins = self.opening_side(variant).is_some_and(|side| side != spec.starts);
        let fits = legal == self.moves.len();
        Some((Reverse(fits), is_of_other_style, Reverse(legal), spec.shape.squares(), other_begins))
    }

    fn is_lettered(&self) -> Option<bool> {
        let pieces =
            self.start.iter().flat_map(|start| start.white.iter().chain(&start.black)).map(|piece| piece.square);
        let mut squares = self.moves.iter().map(|mv| mv.from).chain(pieces);
        squares.next().map(|square| matches!(square, SquareName::Algebraic { .. }))
    }

    fn opening_side(&self, variant: Variant) -> Option<Color> {
        let men = usize::from(variant.spec().men());
        let is_opening = |start: &&FenRecord| start.white.len() * 4 >= men * 3 && start.black.len() * 4 >= men * 3;
        self.start.as_ref().filter(is_opening).map(|start| start.side)
    }
}

/// Index of the square notation in a `GameType` tag.
const SQUARE_NOTATION: usize = 4;

/// The number that lidraughts uses for its variant "From position": international draughts from the position in the FEN
/// tag.
const FROM_POSITION: u8 = 99;

/// Returns the full `GameType` tag of `variant`, such as `20,W,10,10,N2,0`, or `None` if the variant has no number.
///
/// The fields are the number, the starting side, the number of columns, the number of rows, the square notation with
/// the corner of the first square, and a flag. The flag is 1 if the bottom left corner is not a playing square, and 0
/// otherwise.
pub fn game_type(variant: Variant) -> Option<String> {
    let number = variant.game_type()?;
    let spec = variant.spec();
    let squares = square_notation(variant, spec.notation);
    let mirrored = u8::from(spec.shape.corner == Corner::Right);
    let (starts, shape) = (starts(variant), spec.shape);
    Some(format!("{number},{starts},{},{},{squares},{mirrored}", shape.width, shape.height))
}

fn starts(variant: Variant) -> &'static str {
    variant.spec().starts.pick(["W", "B"])
}

/// Returns the square notation field of a `GameType` tag: `A` for letters or `N` for numbers, and the corner of the
/// first square, as seen by the starting side: 0 for bottom left, 1 for bottom right, 2 for top left and 3 for top
/// right.
fn square_notation(variant: Variant, notation: Notation) -> String {
    let from_white = match notation {
        Notation { algebraic: true, letters: Letters::Upright, .. } => 0,
        Notation { algebraic: false, first: FirstSquare::BottomRight, .. } => 1,
        _ => 2,
    };
    // Turning the board exchanges corners 0 and 3, and corners 1 and 2.
    let corner = if variant.spec().starts == Color::White { from_white } else { 3 - from_white };
    format!("{}{corner}", if notation.algebraic { 'A' } else { 'N' })
}

/// Returns the `GameType` tag `text` with `notation` as its square notation, if it has this field. Returns `None` if
/// the changed tag would denote a different variant.
pub(super) fn with_square_notation(text: &str, notation: Notation) -> Option<String> {
    let variant = variant_of_game_type(text);
    let mut fields: Vec<_> = text.split(',').collect();
    if let (Ok(variant), Some(field)) = (&variant, fields.get_mut(SQUARE_NOTATION)) {
        let is_numeric = field.trim().starts_with(['N', 'n']);
        let squares = square_notation(*variant, notation);
        if is_numeric == notation.algebraic {
            *field = &squares;
        }
        let changed = fields.join(",");
        return (variant_of_game_type(&changed).as_ref() == Ok(variant)).then_some(changed);
    }
    Some(text.to_owned())
}

/// Returns the variant that a `GameType` tag denotes. The tag is a number, optionally followed by further fields.
///
/// The number determines the variant. If several variants share the number, the square notation decides between them.
/// Otherwise, the further fields are ignored, because some programs write wrong values: PlayOK writes a wrong corner in
/// `20,W,10,10,N1,0`. If a game was really played in a different variant, it contains illegal moves.
pub fn variant_of_game_type(text: &str) -> Result<Variant, GameTypeError> {
    let fields: Vec<_> = text.split(',').map(str::trim).collect();
    let number = fields.first().and_then(|number| number.parse().ok());
    if number == Some(FROM_POSITION) {
        return Ok(Variant::International);
    }
    let with_number = || Variant::listed().filter(|variant| number.is_some() && variant.game_type() == number);
    let first = with_number().next().ok_or_else(|| GameTypeError::unknown(text))?;
    let has_its_corner = |variant: &Variant| {
        let own = square_notation(*variant, variant.spec().notation);
        fields.get(SQUARE_NOTATION).is_some_and(|style| style.eq_ignore_ascii_case(&own))
    };
    Ok(with_number().find(has_its_corner).unwrap_or(first))
}

/// Returns whether the fields after the number of a `GameType` tag differ from the values for the variant. Any valid
/// square notation and any value of the last field are accepted.
pub(super) fn has_other_details(text: &str) -> bool {
    let Ok(variant) = variant_of_game_type(text) else { return false };
    let shape = variant.spec().shape;
    let is_square_style = |field: &str| {
        let corner = field.strip_prefix(['A', 'a', 'S', 's', 'N', 'n']);
        corner.is_some_and(|corner| matches!(corner, "0" | "1" | "2" | "3"))
    };
    let is_right = |(index, field): (usize, &str)| match index {
        0 => true,
        1 => field.eq_ignore_ascii_case(starts(variant)),
        2 => field.parse() == Ok(shape.width),
        3 => field.parse() == Ok(shape.height),
        SQUARE_NOTATION => is_square_style(field),
        _ => index == 5,
    };
    !text.split(',').map(str::trim).enumerate().all(is_right)
}

/// Why a tag does not identify a variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GameTypeError(String);

impl GameTypeError {
    pub(super) fn unknown(text: &str) -> Self {
        Self(format!("unknown variant or game type '{}'", printable(text.chars())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tags_match_the_standard() {
        for (variant, tag) in [
            (Variant::International, "20,W,10,10,N2,0"),
            (Variant::English, "21,B,8,8,N1,0"),
            (Variant::Italian, "22,W,8,8,N2,1"),
            (Variant::Pool, "23,B,8,8,N1,0"),
            (Variant::Jamaican, "23,B,8,8,A1,1"),
            (Variant::UnifiedPool, "23,W,8,8,A0,0"),
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
    fn the_square_notation_of_a_tag_is_changed() {
        let changed = |text: &str, algebraic| {
            let notation = variant_of_game_type(text).unwrap_or(Variant::Russian).spec().notation;
            with_square_notation(text, Notation { algebraic, ..notation })
        };
        for (text, algebraic, expected) in [
            ("25,W,8,8,A0,0", false, Some("25,W,8,8,N2,0")),
            ("25,W,8,8,A0,0", true, Some("25,W,8,8,A0,0")),
            ("20,W,10,10,N2,0", true, Some("20,W,10,10,A0,0")),
            ("20,W,10,10,N1,0", false, Some("20,W,10,10,N1,0")),
            ("25", false, Some("25")),
            ("x,W,8,8,A0,0", false, Some("x,W,8,8,A0,0")),
            ("23,B,8,8,A1,1", false, None),
        ] {
            assert_eq!(changed(text, algebraic).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn every_tag_form_parses_or_reports_why() {
        let read = |text: &str| variant_of_game_type(text).map_err(|error| error.to_string());
        for text in ["25", "25,W", "25,w, 8 ,8,A0", "25,W,8,8,A0,1", "25,W,8,8,S0", "25,W,8,8,N2,0", " 25 "] {
            assert_eq!(read(text), Ok(Variant::Russian), "{text}");
        }
        assert_eq!(read("21,B,8,8,A3"), Ok(Variant::English));
        assert_eq!(read("98"), Ok(Variant::Losing));
        assert_eq!(read("99"), Ok(Variant::International), "\"From position\" on lidraughts");
        for (text, variant) in [
            ("23", Variant::Pool),
            ("23,B,8,8,N2", Variant::Pool),
            ("23,b,8,8,a1", Variant::Jamaican),
            ("23,W,8,8,A0,0", Variant::UnifiedPool),
        ] {
            assert_eq!(read(text), Ok(variant));
        }
        assert_eq!(read("20,W,10,10,N1,0"), Ok(Variant::International), "as written by PlayOK");
        assert_eq!(read("25,W,8,8,A1,0"), Ok(Variant::Russian));
        for text in ["", "x", "0", "-20", "50", "300", ",W", "20 W"] {
            assert_eq!(read(text), Err(format!("unknown variant or game type '{text}'")));
        }
        for text in ["23,W,8,8,N0,0", "20,W,8,8", "20,W,10,10,N4", "20,W,10,10,N", "20,W,10,10,N2,0,0", "20,,10,10"] {
            assert!(read(text).is_ok() && has_other_details(text), "{text}");
        }
        for text in ["23", "20,W,10,10,N1,0", "21,b,8,8,a3", "x"] {
            assert!(!has_other_details(text), "{text}");
        }
    }
}
