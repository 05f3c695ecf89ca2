//! Guesses the variant of a record without a tag for it, as most existing files are.

use super::GameRecord;
use crate::board::SquareName;
use crate::notation::{FenRecord, MoveRecord, ReplayError, replay};
use crate::rules::{Color, DrawRules, Landing, Objective, RuleSet, Variant};
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
