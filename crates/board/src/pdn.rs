//! Reads and writes game records in PDN.

use crate::position::{style, variant};
use crate::tree::{GameTree, TreeNode, comment_score};
use serde::Serialize;
use soffio::notation::WrittenGame;
use soffio::notation::pdn::{GameRecord, GameResult, Guesses, PdnMove, PdnReader, ReadGame, Variation, read_games};
use soffio_analysis::annotate::{AnnotateError, PlayableGame};

/// Number of plies that a listed game contains for the search.
const OPENING_PLIES: usize = 10;

#[derive(Debug, Serialize)]
pub(crate) struct ListedGame {
    /// Number of the game in the text, counted from 1.
    number: usize,
    white: String,
    black: String,
    event: String,
    date: String,
    result: String,
    plies: usize,
    /// The first moves as they are written in the game, in lower case. The page searches for them.
    opening: String,
    variant: Option<&'static str>,
    /// The variant that was guessed from all games in the text, or `None` if a tag names it or no guess is possible.
    guess: Option<&'static str>,
    /// Length of this game's text in UTF-16 code units, the units of strings in JavaScript. The texts of all games
    /// follow one another without a gap.
    length: usize,
    /// Notes about unusual or unrecognised text in the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

pub(crate) fn games(text: &str) -> Result<Vec<ListedGame>, String> {
    let mut reader = PdnReader::new(text);
    // The other games are listed one at a time: keeping all records would take several times as much memory and time.
    let evidence: Vec<_> = reader.by_ref().take(Guesses::MAX_GAMES).collect();
    if evidence.is_empty() {
        return Err("no game found".to_owned());
    }
    let guesses = Guesses::new(evidence.iter().map(|game| &game.record));
    Ok(evidence.into_iter().chain(reader).map(|game| ListedGame::new(&game, &guesses)).collect())
}

impl ListedGame {
    fn new(game: &ReadGame<'_>, guesses: &Guesses) -> Self {
        let ReadGame { number, record, notes, source, .. } = game;
        let tag = |name| record.tag(name).unwrap_or_default().to_owned();
        let opening: Vec<_> = record.moves.iter().take(OPENING_PLIES).map(|mv| mv.text.as_str()).collect();
        let guess = if record.variant() == Ok(None) { guesses.variant(record) } else { None };
        Self {
            number: *number,
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            date: tag("Date"),
            result: record.result_text(),
            plies: record.move_count(),
            opening: opening.join(" ").to_lowercase(),
            variant: record.variant().ok().flatten().map(|variant| variant.name()),
            guess: guess.map(|variant| variant.name()),
            length: source.encode_utf16().count(),
            notes: notes.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Parses the first game in `text` into a tree. If no tag names the variant, the game is parsed as `default_variant`,
/// or with a guessed variant if `default_variant` is `None`. Fails if not even the first move can be played.
pub(crate) fn open(text: &str, default_variant: Option<&str>) -> Result<GameTree, String> {
    let record = PdnReader::new(text).next().ok_or("no game found")?.record;
    let is_named = record.variant() != Ok(None);
    let default_variant = default_variant.map(variant).transpose()?;
    let guess = if is_named { None } else { default_variant.or_else(|| Guesses::default().variant(&record)) };
    let parts = PlayableGame::parts(&record, guess).map_err(|error: AnnotateError| error.to_string())?;
    let mut tree = GameTree::new(&record, &parts);
    tree.guess = !is_named;
    Ok(tree)
}

/// Maximum nesting depth of variations that all programs of this project can read.
const MAX_NESTING: usize = 90;

pub(crate) fn write(tree: &GameTree) -> Result<String, String> {
    let variant = variant(&tree.variant)?;
    let mut children = Children::new(tree)?;
    let mut record = GameRecord { tags: tree.tags.clone(), comment: tree.comment.clone(), ..GameRecord::default() };
    record.moves = kept(&tree.lead);
    record.moves.extend(children.line(0, 0)?);
    record.result = tree.result.parse().unwrap_or_default();
    record.ending.clone_from(&tree.ending);
    record.extra.clone_from(&tree.extra);
    // A tag that has the same result in another spelling is not changed.
    let (result, text) = (record.result, record.result_text());
    let contradicts = |tag: &str| text.parse() == Ok(result) && tag.parse::<GameResult>().unwrap_or_default() != result;
    if record.tag("Result").is_none_or(contradicts) {
        record.set_tag("Result", text);
    }
    if !tree.guess {
        record.set_variant(variant);
    }
    // The text before the first node contains the start position.
    if !tree.lead.is_empty() {
        return Ok(record.to_string());
    }
    record.tags.retain(|(name, _)| !matches!(name.as_str(), "FEN" | "SetUp"));
    let mut start = WrittenGame::new(variant);
    start.set_notation(style(tree.letters).apply(start.spec().notation));
    if start.fen().to_string() != tree.fen && !tree.fen.is_empty() {
        record.set_tag("SetUp", "1".to_owned());
        record.set_tag("FEN", tree.fen.clone());
    }
    Ok(record.to_string())
}

/// Returns the moves in a PDN text that [`GameTree`] keeps.
fn kept(text: &str) -> Vec<PdnMove> {
    read_games(text).into_iter().flat_map(|game| game.moves).collect()
}

fn is_set_up(node: Option<&TreeNode>) -> bool {
    node.is_some_and(|node| PdnMove::new(&node.text).is_set_up())
}

struct Children<'a> {
    nodes: &'a [TreeNode],
    /// The children of each node, stored at the index of the node plus 1. The first moves of the game are at index 0.
    after: Vec<Vec<usize>>,
}

impl<'a> Children<'a> {
    fn new(tree: &'a GameTree) -> Result<Self, String> {
        let mut after = vec![Vec::new(); tree.nodes.len() + 1];
        for (at, node) in tree.nodes.iter().enumerate() {
            // A parent must precede its children, so that there can be no cycle.
            let place = node.parent.map_or(0, |parent| parent + 1);
            let siblings = after.get_mut(place).filter(|_| place <= at).ok_or("the tree has no such move")?;
            siblings.push(at);
        }
        Ok(Self { nodes: &tree.nodes, after })
    }

    fn line(&mut self, from: usize, depth: usize) -> Result<Vec<PdnMove>, String> {
        let (mut moves, mut place) = (Vec::new(), from);
        loop {
            let after = self.after.get_mut(place).map(std::mem::take).unwrap_or_default();
            let node = place.checked_sub(1).and_then(|at| self.nodes.get(at));
            let rest = node.map_or_else(Vec::new, |node| kept(&node.rest));
            let [first, others @ ..] = &after[..] else {
                moves.extend(rest);
                return Ok(moves);
            };
            let (mut mv, next) = (self.pdn_move(*first), self.nodes.get(*first));
            // A comment before the first move of a variation that has become the main line.
            let own = mv.comment.take();
            let before = next.and_then(|next| next.before.as_deref());
            before.into_iter().chain(own.as_deref()).for_each(|text| mv.add_comment(text));
            mv.extra.splice(..0, next.map_or_else(Vec::new, |next| next.extra_before.clone()));
            // After an illegal move, only a setup position continues the game. Any other move has been added later.
            if is_set_up(node) || is_set_up(next) {
                moves.extend(rest);
            } else if !rest.is_empty() {
                mv.variations.push(Variation { moves: rest, ..Variation::default() });
            }
            for other in others {
                mv.variations.push(self.variation(*other, depth + 1)?);
            }
            moves.push(mv);
            place = first + 1;
        }
    }

    fn variation(&mut self, first: usize, depth: usize) -> Result<Variation, String> {
        if depth > MAX_NESTING {
            return Err("variations are nested too deeply for a file".to_owned());
        }
        let mut moves = vec![self.pdn_move(first)];
        moves.extend(self.line(first + 1, depth)?);
        let (comment, extra) =
            self.nodes.get(first).map(|node| (node.before.clone(), node.extra_before.clone())).unwrap_or_default();
        Ok(Variation { comment, moves, extra })
    }

    fn pdn_move(&self, at: usize) -> PdnMove {
        let Some(node) = self.nodes.get(at) else { return PdnMove::default() };
        let mv = PdnMove::new(&node.text);
        let mv = if mv.is_set_up() { mv } else { PdnMove::played(&node.text) };
        let mut mv =
            PdnMove { glyphs: node.glyphs.clone(), comment: node.comment.clone(), extra: node.extra.clone(), ..mv };
        mv.variations = kept(&node.aside).into_iter().flat_map(|mv| mv.variations).collect();
        let is_said = node.comment.as_deref().is_some_and(|text| comment_score(text).is_some());
        if let (Some(score), false) = (node.score, is_said) {
            mv.add_comment(&format!("[%eval {}]", score.eval_text()));
        }
        mv
    }
}
