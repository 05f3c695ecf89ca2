//! Games as text: lists of them, and single ones, read and written.

use crate::comment;
use crate::position::style;
use crate::request::variant;
use crate::tree::{Node, Tree};
use serde::Serialize;
use soffio::notation::WrittenGame;
use soffio::notation::pdn::{GameRecord, Guesses, PdnMove, PdnReader, Variation};
use soffio_analysis::annotate::{AnnotateError, PlayableGame};

/// A game of a text.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    /// Its number there, from 1.
    number: usize,
    white: String,
    black: String,
    event: String,
    date: String,
    result: String,
    /// Moves, one for each side's.
    plies: usize,
    /// The variant that its tags name.
    variant: Option<&'static str>,
    /// Its variant as the games of the text show it, where no tag names one.
    guess: Option<&'static str>,
    /// The game alone.
    text: String,
    /// The reason why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The games of a text.
#[derive(Debug, Serialize)]
pub(crate) struct List {
    games: Vec<Listed>,
}

/// The games of `text`.
///
/// # Errors
/// When there is no game in it that can be read.
pub(crate) fn games(text: &str) -> Result<List, String> {
    let read: Vec<_> = PdnReader::new(text).collect();
    let first_error = read.iter().find_map(|game| game.as_ref().err());
    match first_error {
        Some(error) if read.iter().all(Result::is_err) => return Err(error.to_string()),
        _ if read.is_empty() => return Err("there is no game in it".to_owned()),
        _ => {}
    }
    let guesses = Guesses::new(read.iter().flatten().map(|game| &game.record));
    let games = read.iter().map(|game| match game {
        Ok(game) => Listed::new(game.number, &game.record, &guesses),
        Err(error) => {
            Listed { error: Some(error.to_string()), ..Listed::new(error.game, &GameRecord::default(), &guesses) }
        }
    });
    Ok(List { games: games.collect() })
}

impl Listed {
    fn new(number: usize, record: &GameRecord, guesses: &Guesses) -> Self {
        let tag = |name| record.tag(name).unwrap_or_default().to_owned();
        let guess = if record.variant() == Ok(None) { guesses.variant(record) } else { None };
        Self {
            number,
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            date: tag("Date"),
            result: record.result_text(),
            plies: record.moves.len(),
            variant: record.variant().ok().flatten().map(|variant| variant.name()),
            guess: guess.map(|variant| variant.name()),
            text: record.to_string(),
            error: None,
        }
    }
}

/// The first game of `text`, which is of the variant `otherwise`, or the one that it shows by itself, if no tag says another one.
///
/// # Errors
/// When there is none, it cannot be read, or not even its first move can be played.
pub(crate) fn open(text: &str, otherwise: Option<&str>) -> Result<Tree, String> {
    let game = PdnReader::new(text).next().ok_or("there is no game in it")?;
    let record = game.map_err(|error| error.to_string())?.record;
    let is_named = record.variant() != Ok(None);
    let otherwise = otherwise.map(variant).transpose()?;
    let guess = if is_named { None } else { otherwise.or_else(|| Guesses::default().variant(&record)) };
    let game = PlayableGame::new(&record, guess).map_err(|error: AnnotateError| error.to_string())?;
    let mut tree = Tree::new(&record, &game);
    tree.guess = !is_named;
    Ok(tree)
}

/// A text.
#[derive(Debug, Serialize)]
pub(crate) struct Written {
    text: String,
}

/// The deepest nesting of variations that every program here reads again.
const DEEPEST: usize = 90;

/// The text of the game `tree`.
///
/// # Errors
/// When it has no position, or names moves or a variant that there are not.
pub(crate) fn write(tree: &Tree) -> Result<Written, String> {
    let variant = variant(&tree.variant)?;
    let mut children = Children::of(tree)?;
    let mut record = GameRecord { tags: tree.tags.clone(), comment: tree.comment.clone(), ..GameRecord::default() };
    record.moves = children.line(0, 0)?;
    record.result = tree.result.parse().unwrap_or_default();
    record.set_tag("Result", record.result_text());
    record.set_variant(variant);
    record.tags.retain(|(name, _)| !matches!(name.as_str(), "FEN" | "SetUp"));
    let mut start = WrittenGame::new(variant);
    start.set_notation(style(tree.letters).of(start.spec().notation));
    if start.fen().to_string() != tree.fen && !tree.fen.is_empty() {
        record.set_tag("SetUp", "1".to_owned());
        record.set_tag("FEN", tree.fen.clone());
    }
    Ok(Written { text: record.to_string() })
}

/// The moves of a tree by the one before them.
struct Children<'a> {
    nodes: &'a [Node],
    /// The places of the moves that follow each node, those of the start position first.
    after: Vec<Vec<usize>>,
}

impl<'a> Children<'a> {
    fn of(tree: &'a Tree) -> Result<Self, String> {
        let mut after = vec![Vec::new(); tree.nodes.len() + 1];
        for (at, node) in tree.nodes.iter().enumerate() {
            // A move comes after the one that it follows, so that there is no circle.
            let place = node.parent.map_or(0, |parent| parent + 1);
            let siblings = after.get_mut(place).filter(|_| place <= at).ok_or("the tree has no such move")?;
            siblings.push(at);
        }
        Ok(Self { nodes: &tree.nodes, after })
    }

    /// The line after the place `from` of [`Self::after`], `depth` variations deep.
    fn line(&mut self, from: usize, depth: usize) -> Result<Vec<PdnMove>, String> {
        let (mut moves, mut place) = (Vec::new(), from);
        while let [first, others @ ..] = &self.after.get_mut(place).map(std::mem::take).unwrap_or_default()[..] {
            let mut mv = self.written(*first);
            for other in others {
                mv.variations.push(self.variation(*other, depth + 1)?);
            }
            moves.push(mv);
            place = first + 1;
        }
        Ok(moves)
    }

    fn variation(&mut self, first: usize, depth: usize) -> Result<Variation, String> {
        if depth > DEEPEST {
            return Err("variations are nested too deeply for a file".to_owned());
        }
        let mut moves = vec![self.written(first)];
        moves.extend(self.line(first + 1, depth)?);
        Ok(Variation { comment: self.nodes.get(first).and_then(|node| node.before.clone()), moves })
    }

    fn written(&self, at: usize) -> PdnMove {
        let Some(node) = self.nodes.get(at) else { return PdnMove::default() };
        let mut mv =
            PdnMove { glyphs: node.glyphs.clone(), comment: node.comment.clone(), ..PdnMove::played(&node.text) };
        let is_said = node.comment.as_deref().is_some_and(|text| comment::score(text).is_some());
        if let (Some(score), false) = (node.score, is_said) {
            mv.say(&format!("[%eval {}]", soffio::notation::pdn::Evaluation::from(score)));
        }
        mv
    }
}
