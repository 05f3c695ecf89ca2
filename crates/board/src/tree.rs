//! A game with its variations, as the page has it: a list of nodes, each naming the one before it.

use crate::comment::{self, Part, parts};
use crate::position::{Score, Way, ways};
use serde::{Deserialize, Serialize};
use soffio::notation::pdn::{GameRecord, PdnMove, Variation};
use soffio::notation::{WrittenGame, fast_move};
use soffio::position::reference::Sequence;
use soffio_analysis::annotate::{Analysis, AnnotateError, Mark, PlayableGame};

/// A game with its variations.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Tree {
    /// The name of its variant.
    pub(crate) variant: String,
    /// True if squares are written as letter and digit.
    pub(crate) letters: bool,
    /// Where it begins.
    pub(crate) fen: String,
    /// The same square by square.
    #[serde(default)]
    pub(crate) position: String,
    /// Names and values of its tags.
    #[serde(default)]
    pub(crate) tags: Vec<(String, String)>,
    /// Its result: `1-0` where the side that begins has won.
    #[serde(default)]
    pub(crate) result: String,
    /// The comment before its first move.
    pub(crate) comment: Option<String>,
    /// Its parts.
    #[serde(default, skip_deserializing)]
    parts: Vec<Part>,
    /// The score of its first position.
    pub(crate) score: Option<Score>,
    /// Its moves. Of several that follow the same one the first is played, the others are variations in their order.
    pub(crate) nodes: Vec<Node>,
    /// The parts that could not be read or played, in sentences.
    #[serde(default, skip_deserializing)]
    faults: Vec<String>,
    /// True if the variant is a guess.
    #[serde(default, skip_deserializing)]
    pub(crate) guess: bool,
    /// Of a puzzle, the legal moves at each turn of the side that solves.
    #[serde(default, skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    ways: Vec<Vec<Way>>,
}

/// A move of a tree.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Node {
    /// The place of the move before it, if there is one.
    pub(crate) parent: Option<usize>,
    pub(crate) text: String,
    /// Numeric annotation glyphs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) glyphs: Vec<u16>,
    /// The comment before it, if it begins a variation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<String>,
    /// The comment on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) comment: Option<String>,
    /// The parts of the comment.
    #[serde(default, skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Part>,
    /// The score of the position after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<Score>,
    #[serde(skip_deserializing)]
    route: Vec<u8>,
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    taken: Vec<u8>,
    /// The position after it.
    #[serde(skip_deserializing)]
    position: String,
}

impl Tree {
    /// The tree of `record`, whose moves are those of `game`.
    pub(crate) fn new(record: &GameRecord, game: &PlayableGame) -> Self {
        let mut before = game.played().clone();
        let undone = before.undo(game.moves().len());
        debug_assert!(undone.is_ok(), "all moves of a playable game can be taken back");
        let mut tree = Self {
            variant: game.variant().name().to_owned(),
            letters: before.spec().notation.algebraic,
            fen: before.fen().to_string(),
            position: before.hub_position(),
            tags: record.tags.clone(),
            result: record.result.to_string(),
            comment: record.comment.clone(),
            parts: record.comment.as_deref().map(parts).unwrap_or_default(),
            score: record.comment.as_deref().and_then(comment::score),
            ..Self::default()
        };
        let mut parent = None;
        for (mv, way) in record.moves.iter().zip(game.moves()) {
            let mut after = before.clone();
            after.play_found(fast_move(way));
            let node = tree.push(parent, mv, way, &after);
            for variation in &mv.variations {
                tree.add_variation(parent, variation, &before);
            }
            (parent, before) = (Some(node), after);
        }
        if let Some(fault) = game.fault() {
            tree.faults.push(format!("{} {fault}", record.number(game.moves().len())));
        }
        tree
    }

    /// The tree of a judged game: scores of its positions, signs on its bad moves, and what would have been better as variations.
    /// `is_guess` says whether its variant is a guess.
    pub fn judged(record: &GameRecord, game: &PlayableGame, analysis: &Analysis, is_guess: bool) -> Self {
        let mut tree = Self { guess: is_guess, ..Self::new(record, game) };
        tree.score = analysis.scores.first().map(|&score| score.into());
        let mut before = game.played().clone();
        let undone = before.undo(game.moves().len());
        debug_assert!(undone.is_ok(), "all moves of a playable game can be taken back");
        let mut parent = None;
        for ((way, judgement), &score) in game.moves().iter().zip(&analysis.moves).zip(analysis.scores.iter().skip(1)) {
            // The first move after each one is that of the game.
            let Some(at) = tree.nodes.iter().position(|node| node.parent == parent) else { break };
            if let Some(node) = tree.nodes.get_mut(at) {
                node.score = Some(score.into());
                let glyph = judgement.mark.map(Mark::glyph);
                node.glyphs.extend(glyph.filter(|glyph| !node.glyphs.contains(glyph)));
                if let Some(remark) = judgement.remark() {
                    node.comment =
                        Some([node.comment.as_deref().unwrap_or_default(), &remark].join(" ").trim().to_owned());
                    node.parts.push(Part::Text(remark));
                }
            }
            if judgement.mark.is_some() {
                let moves = judgement.shown_line().iter().map(PdnMove::played).collect();
                tree.add_variation(parent, &Variation { comment: None, moves }, &before);
            }
            before.play_found(fast_move(way));
            parent = Some(at);
        }
        tree
    }

    /// The tree of a puzzle, whose solution is the game of `record`: a board to solve.
    ///
    /// # Errors
    /// When the record has no variant, or its position or a move is impossible.
    pub fn puzzle(record: &GameRecord) -> Result<Self, AnnotateError> {
        let game = PlayableGame::new(record, None)?;
        if let Some(fault) = game.fault() {
            return Err(fault.clone());
        }
        let mut turn = game.played().clone();
        let mut turns = Vec::new();
        for _ in game.moves() {
            turn.undo(1)?;
            turns.push(ways(&turn));
        }
        turns.reverse();
        Ok(Self { ways: turns.into_iter().step_by(2).collect(), ..Self::new(record, &game) })
    }

    /// Adds a move that leads to `after`.
    fn push(&mut self, parent: Option<usize>, mv: &PdnMove, way: &Sequence, after: &WrittenGame) -> usize {
        let Way { text, route, taken, .. } = Way::new(after.spec(), way, 0);
        self.nodes.push(Node {
            parent,
            text,
            glyphs: mv.glyphs.clone(),
            before: None,
            comment: mv.comment.clone(),
            parts: mv.comment.as_deref().map(parts).unwrap_or_default(),
            score: mv.comment.as_deref().and_then(comment::score),
            route,
            taken,
            position: after.hub_position(),
        });
        self.nodes.len() - 1
    }

    /// Adds the moves of `variation` after the node `parent`, whose position is that of `game`, as far as they can be played.
    fn add_variation(&mut self, mut parent: Option<usize>, variation: &Variation, game: &WrittenGame) {
        let mut before = game.clone();
        for (index, mv) in variation.moves.iter().enumerate() {
            let mut after = before.clone();
            let read = mv.record().map_err(|error| error.to_string());
            let played = read.and_then(|record| after.play_way(&record).map_err(|reason| reason.to_string()));
            let way = match played {
                Ok(way) => way,
                Err(reason) => {
                    let text = soffio::notation::printable(mv.text.chars());
                    self.faults.push(format!("variation: move {text} {reason}"));
                    return;
                }
            };
            let node = self.push(parent, mv, &way, &after);
            if let (0, Some(first)) = (index, self.nodes.get_mut(node)) {
                first.before = variation.comment.clone();
            }
            for variation in &mv.variations {
                self.add_variation(parent, variation, &before);
            }
            (parent, before) = (Some(node), after);
        }
    }
}
