//! Generates openings from a book or from the legal moves.

use super::Opening;
use anyhow::{Error, Result, anyhow, ensure};
use derive_more::Display;
use fastrand::Rng;
use soffio::board::Square;
use soffio::book::{Book, Candidate, candidates};
use soffio::game::Move;
use soffio::notation::{FenError, FenRecord, WrittenGame};
use soffio::position::{Setup, Status};
use soffio::rules::{Color, RuleSet, Variant};
use soffio_support::words::counted;
use std::collections::HashSet;
use std::str::FromStr;

/// Returns the book lines of `plies` plies in which no move is more than `margin` cp worse than the best move. If
/// several lines lead to the same position, only one of them is returned.
pub fn openings_from_book(book: &Book, variant: Variant, plies: usize, margin: u32) -> Result<Vec<Opening>> {
    let roots = book.header().roots.iter().map(|root| Ok(Some(root.parse::<FenRecord>()?)));
    let starts = std::iter::once(Ok(None)).chain(roots).collect::<Result<Vec<_>, FenError>>();
    let lines = starts.and_then(|starts| starts.into_iter().map(|start| begun(variant, start)).collect());
    let mut lines: Vec<OpeningLine> = lines.map_err(|error| anyhow!("root: {error}"))?;
    let near = |game: &WrittenGame| {
        let found = candidates(book, game.game());
        let best = found.first().map(|candidate| candidate.record.score);
        let is_near = |candidate: &&Candidate| best.is_some_and(|b| b.drop_to(candidate.record.score) <= margin);
        found.iter().filter(is_near).map(|candidate| candidate.mv).collect()
    };
    for _ in 0..plies {
        lines = extend_lines(&lines, near, "fewer plies or a smaller margin")?;
    }
    ensure!(!lines.is_empty(), "the book has no line of {} within the margin", counted(plies, "ply"));
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

type OpeningLine = (WrittenGame, Opening);

fn begun(variant: Variant, start: Option<FenRecord>) -> Result<OpeningLine, FenError> {
    Ok((WrittenGame::from_start(variant, start.as_ref())?, Opening { start, moves: Vec::new() }))
}

/// Extends each line by every move that `moves` returns for it. Omits lines that end the game, and lines that lead to
/// the same position as an earlier line. Fails if there are too many lines; the error contains `advice`.
fn extend_lines(
    lines: &[OpeningLine],
    moves: impl Fn(&WrittenGame) -> Vec<Move>,
    advice: &str,
) -> Result<Vec<OpeningLine>> {
    let (mut seen, mut extended) = (HashSet::new(), Vec::new());
    for (game, line) in lines {
        for mv in moves(game) {
            let (mut next, mut line) = (game.clone(), line.clone());
            let is_new = next.play_found(mv) && seen.insert(next.game().key());
            if is_new && matches!(next.status(), Status::Playing { .. }) {
                line.moves.push(game.text(mv));
                extended.push((next, line));
            }
        }
        ensure!(extended.len() <= MAX_LINES, "more than {MAX_LINES} lines; use {advice}");
    }
    Ok(extended)
}

/// Maximum number of lines, which limits memory use.
const MAX_LINES: usize = 100_000;

/// A function that returns the value of the position after an opening, in cp from the point of view of the side to
/// move. It returns `None` if the position is decided.
pub type OpeningEvaluator<'a> = &'a mut dyn FnMut(&Opening) -> Option<i32>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningGenerator {
    pub variant: Variant,
    pub plies: u32,
    pub margin: Margin,
    pub seed: u64,
    pub start: LineStart,
}

/// Range of the advantage, in cp, that an opening may give to either side. It is written `60` or `30-60`. Uneven
/// openings, each played with both colours, lead to more decisive games.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{}{max}", if *min > 0 { format!("{min}-") } else { String::new() })]
pub struct Margin {
    pub min: u32,
    pub max: u32,
}

impl FromStr for Margin {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (min, max) = text.split_once('-').unwrap_or(("0", text));
        let margin = Self { min: min.parse()?, max: max.parse()? };
        ensure!(margin.min <= margin.max, "the minimum {} exceeds the maximum {}", margin.min, margin.max);
        Ok(margin)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStart {
    AllMen,
    /// All positions obtained by removing one man from each side in the start position.
    OneManLess,
}

impl OpeningGenerator {
    /// Returns up to `count` openings that lead to different positions with values within the margin. The values come
    /// from `evaluate`. The opening order depends only on the seed.
    pub fn openings(&self, count: usize, evaluate: OpeningEvaluator<'_>) -> Result<Vec<Opening>> {
        let mut lines = self.all_lines()?;
        Rng::with_seed(self.seed).shuffle(&mut lines);
        let margin = self.margin.min..=self.margin.max;
        let is_within = |line: &Opening| evaluate(line).is_some_and(|value| margin.contains(&value.unsigned_abs()));
        let openings: Vec<_> = lines.into_iter().filter(is_within).take(count).collect();
        ensure!(!openings.is_empty(), "no line is within the margin: use a wider one");
        Ok(openings)
    }

    fn all_lines(&self) -> Result<Vec<Opening>> {
        let starts = starts(self.variant.spec(), self.start);
        let mut lines: Vec<_> = starts.into_iter().filter_map(|start| begun(self.variant, start).ok()).collect();
        for _ in 0..self.plies {
            lines = extend_lines(&lines, |game| game.game().legal_moves(), "fewer plies")?;
        }
        Ok(lines.into_iter().map(|(_, line)| line).collect())
    }
}

fn starts(spec: &RuleSet, start: LineStart) -> Vec<Option<FenRecord>> {
    let all_men = Setup::start(spec);
    let of =
        |color: Color| spec.shape.all_squares().filter(move |square| spec.start_mask(color) >> square.index() & 1 == 1);
    let without = |white: Square, black: Square| {
        let mut setup = all_men.clone();
        setup.pieces.retain(|&square, _| square != white && square != black);
        Some(FenRecord::from_setup(spec, &setup))
    };
    match start {
        LineStart::AllMen => vec![None],
        LineStart::OneManLess => {
            let pairs = of(Color::White).flat_map(|white| of(Color::Black).map(move |black| (white, black)));
            pairs.map(|(white, black)| without(white, black)).collect()
        }
    }
}
