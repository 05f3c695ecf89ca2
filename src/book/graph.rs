//! The positions of a book as a graph, in which the same position reached in two ways is one, and the scores that their leaves give to all
//! of them.
//!
//! A score is backed up by negamax. Who goes round in a circle for ever draws: a position is worth what its side to move can force against
//! every defence, and 0 where neither side can force more. That is a property of the graph, not of the way to a position: it is found by
//! retrograde analysis from the leaves on, those with the largest scores first (Washburn's graphical games, solved as Andersson,
//! Hansen, Miltersen and Sorensen do).

use super::{Book, BookError, BookMove, BookScore, key, ordered_moves};
use crate::game::{Game, Move};
use crate::notation::{FenRecord, Placement, WrittenGame};
use crate::position::{Setup, Status};
use crate::rules::Variant;
use std::collections::{BinaryHeap, HashMap};

/// The judgement of a position without the moves of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The score for the side to move.
    pub score: BookScore,
    /// Plies that a search has looked ahead.
    pub depth: u8,
    /// True if the score is certain.
    pub is_proved: bool,
}

impl Judgement {
    /// Nothing is known.
    pub const NONE: Self = Self { score: BookScore::NONE, depth: 0, is_proved: false };
}

/// A move of a position of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its place among [`ordered_moves`].
    pub index: u16,
    /// The node that it leads to.
    pub child: usize,
    /// How often it was played, or `None` if that was not counted.
    pub weight: Option<u16>,
}

/// A position of the graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its key.
    pub key: u64,
    /// The position as FEN, without counts.
    pub fen: String,
    /// Its moves; none for a leaf.
    pub edges: Vec<Edge>,
    /// The judgement of it without them: a search, or the end of the game.
    pub leaf: Judgement,
    /// True if the game is over.
    pub is_end: bool,
    /// The score that is backed up to it, for the side to move, and the plies that are behind it.
    pub backed_up: (BookScore, u8),
    /// True if it has one legal move.
    is_forced: bool,
    /// The nodes whose moves lead to it, each as often as it has such a move.
    parents: Vec<usize>,
}

impl Node {
    /// Returns whether it has no moves in the graph.
    pub fn is_leaf(&self) -> bool {
        self.edges.is_empty()
    }
}

/// The positions of a book.
#[derive(Debug)]
pub struct Graph {
    variant: Variant,
    nodes: Vec<Node>,
    by_key: HashMap<u64, usize>,
}

/// Why a book is not what its records say.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// The file is damaged.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A position that it begins with is none of the variant.
    #[error("root {0}: {1}")]
    Root(String, String),
    /// A record names a move that its position does not have.
    #[error("{fen}: there is no move number {index}")]
    Move {
        /// The position.
        fen: String,
        /// The place of the move.
        index: u16,
    },
    /// Records that no line from the roots leads to.
    #[error("{0} records belong to positions that no line of the book leads to")]
    Unreachable(usize),
    /// A record is not what the records after it give.
    #[error("{fen}, move number {index}: the record is {found:?}, the positions after it give {right:?}")]
    Score {
        /// The position.
        fen: String,
        /// The place of the move.
        index: u16,
        /// The record.
        found: BookMove,
        /// The record as it should be.
        right: BookMove,
    },
}

impl Graph {
    /// A graph of `variant` without positions.
    pub fn new(variant: Variant) -> Self {
        Self { variant, nodes: Vec::new(), by_key: HashMap::new() }
    }

    /// The graph of all `books`, which are of `variant`. Of two scores of a leaf that with more plies behind it counts. Weights that were
    /// counted are added; those that come from scores are made anew, and only where none was counted.
    ///
    /// # Errors
    /// When a book is damaged, or has moves that are not legal or that nothing leads to.
    pub fn of_books(variant: Variant, books: &[Book]) -> Result<Self, GraphError> {
        let mut graph = Self::new(variant);
        let mut open = Vec::new();
        let has_start = |book: &Book| !book.moves(key(&Game::new(variant))).is_empty();
        if books.iter().any(has_start) {
            open.extend(graph.add(&Game::new(variant)).1);
        }
        for root in books.iter().flat_map(|book| &book.header().roots) {
            let wrong = |error: &dyn std::fmt::Display| GraphError::Root(root.clone(), error.to_string());
            let fen = root.parse::<FenRecord>().map_err(|error| wrong(&error))?;
            let game = WrittenGame::at(variant, Some(&fen)).map_err(|error| wrong(&error))?;
            open.extend(graph.add(game.game()).1);
        }
        let mut seen = vec![0; books.len()];
        while let Some(id) = open.pop() {
            let game = graph.game(id);
            let moves = ordered_moves(&game);
            for (book, seen) in books.iter().zip(&mut seen) {
                // Each position comes here once.
                for record in book.moves(graph.nodes[id].key) {
                    *seen += 1;
                    let no_move = || GraphError::Move { fen: graph.nodes[id].fen.clone(), index: record.index };
                    let mv = *moves.get(usize::from(record.index)).ok_or_else(no_move)?;
                    let weight = (book.header().nodes == 0).then_some(record.weight);
                    open.extend(graph.connect(id, (&game, mv), &record, weight));
                }
            }
        }
        for (book, seen) in books.iter().zip(seen) {
            drop(book.all_moves()?);
            if seen != book.len() {
                return Err(GraphError::Unreachable(book.len() - seen));
            }
        }
        graph.back_up();
        Ok(graph)
    }

    /// Adds the move `mv` of `game`, which `record` is about. Returns the position after it, if it is new.
    fn connect(
        &mut self,
        id: usize,
        (game, mv): (&Game, Move),
        record: &BookMove,
        weight: Option<u16>,
    ) -> Option<usize> {
        let mut after = game.clone();
        after.play(mv);
        let (child, new) = self.add(&after);
        match self.nodes[id].edges.iter_mut().find(|edge| edge.index == record.index) {
            Some(edge) => {
                let sum = |weight: u16| edge.weight.unwrap_or_default().saturating_add(weight);
                edge.weight = weight.map(sum).or(edge.weight);
            }
            None => {
                self.nodes[id].edges.push(Edge { index: record.index, child, weight });
                self.nodes[id].edges.sort_unstable_by_key(|edge| edge.index);
                self.nodes[child].parents.push(id);
            }
        }
        let node = &mut self.nodes[child];
        let depth = record.depth.saturating_sub(1);
        if !node.is_end && record.score.is_known() && (!node.leaf.score.is_known() || depth > node.leaf.depth) {
            let is_proved = record.flags & BookMove::PROVED != 0;
            node.leaf = Judgement { score: record.score.after(), depth, is_proved };
        }
        new
    }

    /// Takes the move `mv` of the position of `game`, with what `record` says but for its place.
    pub fn learn(&mut self, game: &Game, mv: Move, record: BookMove) {
        let (id, _) = self.add(game);
        if let Some(place) = ordered_moves(game).iter().position(|&known| known == mv) {
            self.connect(id, (game, mv), &BookMove { index: place as u16, ..record }, Some(record.weight));
        }
    }

    /// Keeps the moves for whose keys and places `is_kept` returns true.
    pub fn retain(&mut self, is_kept: impl Fn(u64, u16) -> bool) {
        self.nodes.iter_mut().for_each(|node| {
            node.edges.retain(|edge| is_kept(node.key, edge.index));
            node.parents.clear();
        });
        for id in 0..self.nodes.len() {
            for place in 0..self.nodes[id].edges.len() {
                let child = self.nodes[id].edges[place].child;
                self.nodes[child].parents.push(id);
            }
        }
    }

    /// The positions with moves from which all others are reached: the start position, if it is one of them, and those that no move leads
    /// to.
    pub fn roots(&self) -> Vec<usize> {
        let (mut seen, mut roots) = (vec![false; self.nodes.len()], Vec::new());
        let start = self.find(key(&Game::new(self.variant)));
        let without_parents = (0..self.nodes.len()).filter(|&id| self.nodes[id].parents.is_empty());
        // The last ones are those that only a circle leads to.
        for id in start.into_iter().chain(without_parents).chain(0..self.nodes.len()) {
            if seen[id] || self.nodes[id].is_leaf() {
                continue;
            }
            roots.push(id);
            let mut open = vec![id];
            while let Some(id) = open.pop() {
                if !std::mem::replace(&mut seen[id], true) {
                    open.extend(self.nodes[id].edges.iter().map(|edge| edge.child));
                }
            }
        }
        roots
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The positions.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of the position with this `key`, if it is there.
    pub fn find(&self, key: u64) -> Option<usize> {
        self.by_key.get(&key).copied()
    }

    /// A game that begins in the position of node `id`.
    ///
    /// # Panics
    /// Never: the FEN of a node is that of a position.
    pub fn game(&self, id: usize) -> Game {
        let fen = self.nodes[id].fen.parse::<FenRecord>().ok();
        let game = WrittenGame::at(self.variant, fen.as_ref()).unwrap_or_else(|_| WrittenGame::new(self.variant));
        game.game().clone()
    }

    /// Adds the current position of `game`, without its counts. Returns its node, and that once more if it is new.
    pub fn add(&mut self, game: &Game) -> (usize, Option<usize>) {
        let key = key(game);
        if let Some(&id) = self.by_key.get(&key) {
            return (id, None);
        }
        let setup = game.setup();
        let fen = Placement::new(self.variant.spec(), &setup).record().to_string();
        let fresh =
            Game::from_setup(self.variant, &Setup::of(setup.side, setup.pieces)).unwrap_or_else(|_| game.clone());
        let end = |score| Judgement { score, depth: 0, is_proved: true };
        let leaf = match fresh.status() {
            Status::Playing { .. } => None,
            Status::Won { winner, .. } if winner == fresh.side() => Some(end(BookScore::won_in(0))),
            Status::Won { .. } => Some(end(BookScore::lost_in(0))),
            Status::Drawn(_) => Some(end(BookScore::DRAW)),
        };
        let id = self.nodes.len();
        self.nodes.push(Node {
            key,
            fen,
            edges: Vec::new(),
            is_end: leaf.is_some(),
            leaf: leaf.unwrap_or(Judgement::NONE),
            backed_up: (BookScore::NONE, 0),
            is_forced: leaf.is_none() && fresh.legal_moves().len() == 1,
            parents: Vec::new(),
        });
        self.by_key.insert(key, id);
        (id, Some(id))
    }

    /// Gives node `id` all its legal moves, and the positions after them, of which those with a single move get it at once.
    pub fn expand(&mut self, id: usize) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if self.nodes[id].is_end || !self.nodes[id].is_leaf() {
                continue;
            }
            let game = self.game(id);
            for (index, mv) in (0..).zip(ordered_moves(&game)) {
                let mut after = game.clone();
                after.play(mv);
                let (child, new) = self.add(&after);
                self.nodes[id].edges.push(Edge { index, child, weight: None });
                self.nodes[child].parents.push(id);
                open.extend(new.filter(|&child| self.nodes[child].is_forced));
            }
        }
    }

    /// Sets what is known of a leaf.
    pub fn judge(&mut self, id: usize, judgement: Judgement) {
        self.nodes[id].leaf = judgement;
    }

    /// Backs the scores of the leaves up to all positions.
    pub fn back_up(&mut self) {
        let is_known = self.known();
        let mut left: Vec<usize> = Vec::with_capacity(self.nodes.len());
        let mut heap = BinaryHeap::new();
        for (id, node) in self.nodes.iter_mut().enumerate() {
            left.push(node.edges.iter().filter(|edge| is_known[edge.child]).count());
            let is_leaf = node.is_leaf() && is_known[id];
            node.backed_up = if is_leaf { (node.leaf.score, node.leaf.depth) } else { (BookScore::NONE, 0) };
            if is_leaf {
                heap.push((node.leaf.score.code().unsigned_abs(), node.key, id));
            }
        }
        // No score is above those before it: of the moves of a position that are good for it, the best is seen first, and
        // of those that are bad, the least bad one last. Equal ones come in the order of their keys, on which the depth hangs.
        while let Some((_, _, id)) = heap.pop() {
            let (score, depth) = self.nodes[id].backed_up;
            let (score, depth) = (score.before(), depth.saturating_add(1));
            for place in 0..self.nodes[id].parents.len() {
                let parent = self.nodes[id].parents[place];
                left[parent] -= 1;
                let node = &mut self.nodes[parent];
                if !node.backed_up.0.is_known() && (score >= BookScore::DRAW || left[parent] == 0) {
                    node.backed_up = (score, depth);
                    heap.push((score.code().unsigned_abs(), node.key, parent));
                }
            }
        }
        for (node, is_known) in self.nodes.iter_mut().zip(is_known) {
            if is_known && !node.backed_up.0.is_known() {
                // Round in a circle.
                node.backed_up = (BookScore::DRAW, 0);
            }
        }
    }

    /// Returns for each node whether a leaf with a score can be reached from it.
    fn known(&self) -> Vec<bool> {
        let mut is_known: Vec<_> = self.nodes.iter().map(|node| node.is_leaf() && node.leaf.score.is_known()).collect();
        let mut open: Vec<_> = (0..self.nodes.len()).filter(|&id| is_known[id]).collect();
        while let Some(id) = open.pop() {
            for &parent in &self.nodes[id].parents {
                if !std::mem::replace(&mut is_known[parent], true) {
                    open.push(parent);
                }
            }
        }
        is_known
    }

    /// How far each node is from `roots`, by the way on which that is least: a ply costs `breadth`, and what its move is worse than the
    /// best one of its position, in 1/100 man. `None` where no way leads but through a position whose end is certain.
    pub fn distances(&self, roots: &[usize], breadth: u32) -> Vec<Option<u32>> {
        let mut found = vec![None; self.nodes.len()];
        let mut heap: BinaryHeap<_> = roots.iter().map(|&root| (std::cmp::Reverse(0), root)).collect();
        while let Some((std::cmp::Reverse(distance), id)) = heap.pop() {
            let node = &self.nodes[id];
            if found[id].is_some() || node.backed_up.0.is_decided() {
                continue;
            }
            found[id] = Some(distance);
            for edge in &node.edges {
                let score = self.nodes[edge.child].backed_up.0.before();
                if score.is_known() && !score.is_decided() && found[edge.child].is_none() {
                    heap.push((std::cmp::Reverse(distance + breadth + node.backed_up.0.falls_to(score)), edge.child));
                }
            }
        }
        found
    }

    /// Returns the record of a move of node `id`.
    pub fn record(&self, id: usize, edge: &Edge) -> BookMove {
        let (best, child) = (self.nodes[id].backed_up.0, &self.nodes[edge.child]);
        let (score, depth) = (child.backed_up.0.before(), child.backed_up.1.saturating_add(1));
        let is_proved = score.is_decided() || child.is_leaf() && child.leaf.is_proved;
        let own =
            || if self.nodes[id].edges.iter().any(|edge| edge.weight.is_some()) { 0 } else { weight(best, score) };
        let flags = [(BookMove::GOES_ON, !child.is_leaf()), (BookMove::PROVED, is_proved)];
        BookMove {
            index: edge.index,
            score,
            weight: edge.weight.unwrap_or_else(own),
            depth: if score.is_known() { depth } else { 0 },
            flags: flags.into_iter().filter(|&(_, is_set)| is_set).fold(0, |flags, (flag, _)| flags | flag),
        }
    }

    /// All moves by the keys of their positions.
    pub fn records(&self) -> Vec<(u64, BookMove)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.flat_map(|(id, node)| node.edges.iter().map(move |edge| (node.key, self.record(id, edge)))).collect()
    }

    /// Checks that the records of `book` are those of this graph, which was made of it.
    ///
    /// # Errors
    /// When one is not.
    pub fn check(&self, book: &Book) -> Result<(), GraphError> {
        for (id, node) in self.nodes.iter().enumerate() {
            for (edge, found) in node.edges.iter().zip(book.moves(node.key)) {
                let right = self.record(id, edge);
                if found != right {
                    return Err(GraphError::Score { fen: node.fen.clone(), index: edge.index, found, right });
                }
            }
        }
        Ok(())
    }
}

/// The weight of a move with this `score` where the best one has the score `best`: half for every 10/100 man that it is worse.
fn weight(best: BookScore, score: BookScore) -> u16 {
    if !score.is_known() || score.is_lost() && !best.is_lost() {
        return 0;
    }
    (1024 >> (best.falls_to(score) / 10).min(10)).max(1)
}

#[cfg(test)]
mod tests;
