//! A game with its variations, in the form in which the page stores it. The game is a list of nodes, and each node
//! contains the index of its parent. Comments are split into the parts that the page displays.

use crate::position::{MovePath, move_paths};
use serde::{Deserialize, Serialize};
use soffio::notation::pdn::{Command, CommentPart, GameRecord, PdnMove, Variation, clock_text, comment_parts};
use soffio::notation::{WrittenGame, bitboard_move};
use soffio::position::paths::Sequence;
use soffio::rules::Color;
use soffio::score::WhiteScore;
use soffio_analysis::annotate::{Analysis, AnnotateError, MoveAnnotation, MoveMark, PlayableGame};

/// A game with its variations.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct GameTree {
    pub(crate) variant: String,
    /// Whether squares are written as a letter and a digit.
    pub(crate) letters: bool,
    pub(crate) fen: String,
    /// The start position, given square by square.
    #[serde(default)]
    pub(crate) position: String,
    #[serde(default)]
    pub(crate) tags: Vec<(String, String)>,
    /// The result, which is `1-0` if the side that begins has won.
    #[serde(default)]
    pub(crate) result: String,
    /// The result as written in the file, if the file uses a different style.
    #[serde(default)]
    pub(crate) ending: Option<String>,
    /// Unrecognised text before the first move.
    #[serde(default)]
    pub(crate) extra: Vec<String>,
    /// The comment before the first move.
    pub(crate) comment: Option<String>,
    /// PDN text of the setup positions and placements before the first node.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) lead: String,
    #[serde(default, skip_deserializing)]
    parts: Vec<PagePart>,
    /// The score of the start position.
    pub(crate) score: Option<WhiteScore>,
    /// The nodes of the game. The first child of a node is the move that was played, and the other children are
    /// variations in order.
    pub(crate) nodes: Vec<TreeNode>,
    /// Messages about moves that could not be parsed or played.
    #[serde(default, skip_deserializing)]
    faults: Vec<String>,
    /// Whether the variant is assumed because no tag names it. An assumed variant is not written to the record.
    #[serde(default)]
    pub(crate) guess: bool,
    /// The legal moves at each turn of the solver. They are present only in puzzles.
    #[serde(default, skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    ways: Vec<Vec<MovePath>>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct TreeNode {
    /// Index of the previous move, or `None` if there is no previous move.
    pub(crate) parent: Option<usize>,
    /// The move, or a position such as `/FEN "W:W31:B20"/`.
    pub(crate) text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) glyphs: Vec<u16>,
    /// Unrecognised text after the move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) extra: Vec<String>,
    /// The comment before the first move of a variation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<String>,
    /// Unrecognised text before the first move of a variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) extra_before: Vec<String>,
    /// PDN text of the moves that follow in the record but have no nodes, because the first of them cannot be played.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) rest: String,
    /// PDN text of an unknown move with the variations of this move that have no playable move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) aside: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) comment: Option<String>,
    #[serde(default, skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PagePart>,
    /// The score of the position after the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<WhiteScore>,
    #[serde(skip_deserializing)]
    route: Vec<u8>,
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    taken: Vec<u8>,
    /// The position after the move, given square by square.
    #[serde(skip_deserializing)]
    position: String,
}

impl TreeNode {
    fn annotate(&mut self, annotation: &MoveAnnotation, score: WhiteScore) {
        self.score = Some(score);
        let glyph = annotation.mark.map(MoveMark::glyph);
        self.glyphs.extend(glyph.filter(|glyph| !self.glyphs.contains(glyph)));
        if let Some(remark) = annotation.remark() {
            self.comment = Some([self.comment.as_deref().unwrap_or_default(), &remark].join(" ").trim().to_owned());
            self.parts.push(PagePart::Text(remark));
        }
    }
}

/// Returns `game` as it was before its first move.
fn start_of(game: &PlayableGame) -> WrittenGame {
    let mut start = game.played().clone();
    let undone = start.undo(game.moves().len());
    debug_assert!(undone.is_ok(), "all moves of a playable game can be taken back");
    start
}

impl GameTree {
    /// Builds the tree of `record`. `parts` contains the moves of the record as far as they can be played.
    pub(crate) fn new(record: &GameRecord, parts: &[PlayableGame]) -> Self {
        let Some(before) = parts.first().map(start_of) else { return Self::default() };
        let mut tree = Self {
            variant: before.variant().name().to_owned(),
            letters: before.spec().notation.algebraic,
            fen: before.fen().to_string(),
            position: before.hub_position(),
            tags: record.tags.clone(),
            result: record.result.to_string(),
            ending: record.ending.clone(),
            extra: record.extra.clone(),
            comment: record.comment.clone(),
            parts: record.comment.as_deref().map(page_parts).unwrap_or_default(),
            score: record.comment.as_deref().and_then(comment_score),
            ..Self::default()
        };
        let mut parent = None;
        // Moves of the record that are stored in the tree.
        let mut stored = 0;
        for (index, game) in parts.iter().enumerate() {
            let mut before = start_of(game);
            let skipped = record.moves.get(stored..game.first()).unwrap_or_default();
            let set_up = skipped.iter().rposition(PdnMove::is_set_up).filter(|_| index > 0);
            let (unplayed, placed) = skipped.split_at(set_up.unwrap_or(skipped.len()));
            tree.keep(parent, unplayed);
            if let [set_up, placed @ ..] = placed {
                parent = Some(tree.push(parent, set_up, None, &before));
                tree.keep(parent, placed);
            }
            for (mv, sequence) in game.written(record).iter().zip(game.moves()) {
                let mut after = before.clone();
                after.play_found(bitboard_move(sequence));
                let node = tree.push(parent, mv, Some(sequence), &after);
                tree.add_variations(node, mv, &before);
                (parent, before) = (Some(node), after);
            }
            // Without a node, all moves up to the next part precede the first node.
            stored = parent.map_or(0, |_| game.first() + game.moves().len());
            if let Some(fault) = game.fault() {
                tree.faults.push(format!("{} {fault}", record.number(game.first() + game.moves().len())));
            }
        }
        tree.keep(parent, record.moves.get(stored..).unwrap_or_default());
        tree
    }

    /// Builds the tree of an annotated game. The tree contains scores, marks on bad moves, and better moves as
    /// variations. `is_guess` is true if the variant was guessed.
    pub fn annotated(record: &GameRecord, parts: &[PlayableGame], analyses: &[Analysis], is_guess: bool) -> Self {
        let mut tree = Self { guess: is_guess, ..Self::new(record, parts) };
        tree.score = analyses.first().and_then(|analysis| analysis.scores.first().copied());
        let mut parent = None;
        for (index, (game, analysis)) in parts.iter().zip(analyses).enumerate() {
            if index > 0 {
                // This node is the setup position before this part of the game.
                parent = tree.played_after(parent);
            }
            let mut before = start_of(game);
            for ((sequence, annotation), &score) in
                game.moves().iter().zip(&analysis.moves).zip(analysis.scores.iter().skip(1))
            {
                let Some(at) = tree.played_after(parent) else { break };
                if let Some(node) = tree.nodes.get_mut(at) {
                    node.annotate(annotation, score);
                }
                if annotation.mark.is_some() {
                    let moves = annotation.shown_line().iter().map(PdnMove::played).collect();
                    tree.add_variation(parent, &Variation { moves, ..Variation::default() }, &before);
                }
                before.play_found(bitboard_move(sequence));
                parent = Some(at);
            }
        }
        tree
    }

    /// Returns the first child of node `parent`, which is the move that was played.
    fn played_after(&self, parent: Option<usize>) -> Option<usize> {
        self.nodes.iter().position(|node| node.parent == parent)
    }

    /// Builds the tree of a puzzle whose solution is the game in `record`. Fails if the variant is missing, or if the
    /// position or a move is impossible.
    pub fn puzzle(record: &GameRecord) -> Result<Self, AnnotateError> {
        let game = PlayableGame::new(record, None)?;
        if let Some(fault) = game.fault() {
            return Err(fault.clone());
        }
        let mut turn = game.played().clone();
        let mut turns = Vec::new();
        for _ in game.moves() {
            turn.undo(1)?;
            turns.push(move_paths(&turn));
        }
        turns.reverse();
        Ok(Self { ways: turns.into_iter().step_by(2).collect(), ..Self::new(record, &[game]) })
    }

    /// Adds a node for a move, or for a setup position if `sequence` is `None`. Returns the index of the node.
    fn push(&mut self, parent: Option<usize>, mv: &PdnMove, sequence: Option<&Sequence>, after: &WrittenGame) -> usize {
        let (text, route, taken) = match sequence.map(|sequence| MovePath::new(after.spec(), sequence, 0)) {
            Some(MovePath { text, route, taken, .. }) => (text, route, taken),
            None => (mv.text.clone(), Vec::new(), Vec::new()),
        };
        self.nodes.push(TreeNode {
            parent,
            text,
            glyphs: mv.glyphs.clone(),
            extra: mv.extra.clone(),
            before: None,
            extra_before: Vec::new(),
            rest: String::new(),
            aside: String::new(),
            comment: mv.comment.clone(),
            parts: mv.comment.as_deref().map(page_parts).unwrap_or_default(),
            score: mv.comment.as_deref().and_then(comment_score),
            route,
            taken,
            position: after.hub_position(),
        });
        self.nodes.len() - 1
    }

    /// Keeps `moves`, which follow node `parent` in the record but have no nodes.
    fn keep(&mut self, parent: Option<usize>, moves: &[PdnMove]) {
        let kept = match parent {
            Some(at) => self.nodes.get_mut(at).map(|node| &mut node.rest),
            None => Some(&mut self.lead),
        };
        if let (Some(kept), false) = (kept, moves.is_empty()) {
            *kept = GameRecord { moves: moves.to_vec(), ..GameRecord::default() }.to_string();
        }
    }

    /// Adds the variations of `mv`, the move of `node`. `game` must be in the position before this move.
    fn add_variations(&mut self, node: usize, mv: &PdnMove, game: &WrittenGame) {
        let parent = self.nodes.get(node).and_then(|node| node.parent);
        let mut aside = PdnMove::new("--");
        for variation in &mv.variations {
            if !self.add_variation(parent, variation, game) {
                aside.variations.push(variation.clone());
            }
        }
        if let (Some(node), false) = (self.nodes.get_mut(node), aside.variations.is_empty()) {
            node.aside = GameRecord { moves: vec![aside], ..GameRecord::default() }.to_string();
        }
    }

    /// Adds the moves of `variation` after node `parent`. `game` must be in the position of this node. Stops at the
    /// first move that cannot be played, and keeps the rest of the variation as text. Returns whether the first move
    /// has been added.
    fn add_variation(&mut self, mut parent: Option<usize>, variation: &Variation, game: &WrittenGame) -> bool {
        let mut before = game.clone();
        for (index, mv) in variation.moves.iter().enumerate() {
            let mut after = before.clone();
            let read = mv.record().map_err(|error| error.to_string());
            let played = read.and_then(|record| after.play_record(&record).map_err(|reason| reason.to_string()));
            let sequence = match played {
                Ok(sequence) => sequence,
                Err(reason) => {
                    let text = soffio::notation::printable(mv.text.chars());
                    self.faults.push(format!("variation: move {text}: {reason}"));
                    if index > 0 {
                        self.keep(parent, variation.moves.get(index..).unwrap_or_default());
                    }
                    return index > 0;
                }
            };
            let node = self.push(parent, mv, Some(&sequence), &after);
            if let (0, Some(first)) = (index, self.nodes.get_mut(node)) {
                first.before = variation.comment.clone();
                first.extra_before.clone_from(&variation.extra);
            }
            self.add_variations(node, mv, &before);
            (parent, before) = (Some(node), after);
        }
        !variation.moves.is_empty()
    }
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PagePart {
    Text(String),
    /// The side and the time left on its clock. `None` stands for the side that has just moved.
    Clock(Option<Color>, String),
    MoveTime(String),
    /// The total time that the player has used for all moves.
    GameTime(String),
    Score(WhiteScore),
    /// The colour and the square of a mark, and its target square if the mark is an arrow.
    Mark(&'static str, String, Option<String>),
}

pub(crate) fn page_parts(text: &str) -> Vec<PagePart> {
    comment_parts(text).into_iter().flat_map(page_part).collect()
}

fn page_part(part: CommentPart<'_>) -> Vec<PagePart> {
    let command = match part {
        CommentPart::Text(text) => return vec![PagePart::Text(text.to_owned())],
        CommentPart::Unknown(_) => return Vec::new(),
        CommentPart::Command(command) => command,
    };
    match command {
        Command::Clocks(readings) => {
            readings.iter().map(|reading| PagePart::Clock(reading.side, clock_text(reading.left))).collect()
        }
        Command::MechanicalClock(time) => vec![PagePart::Clock(None, clock_text(time))],
        Command::MoveTime(time) => vec![PagePart::MoveTime(clock_text(time))],
        Command::GameTime(time) => vec![PagePart::GameTime(clock_text(time))],
        Command::Evaluation(evaluation) => vec![PagePart::Score(evaluation)],
        Command::Marks(marks) => {
            let square = |name: soffio::board::SquareName| name.to_string();
            marks
                .iter()
                .map(|mark| PagePart::Mark(mark_color(mark.color), square(mark.from), mark.to.map(square)))
                .collect()
        }
    }
}

fn mark_color(letter: char) -> &'static str {
    match letter {
        'R' => "red",
        'Y' => "yellow",
        'B' => "blue",
        _ => "green",
    }
}

pub(crate) fn comment_score(text: &str) -> Option<WhiteScore> {
    comment_parts(text).iter().find_map(|part| match part {
        CommentPart::Command(Command::Evaluation(evaluation)) => Some(*evaluation),
        _ => None,
    })
}
