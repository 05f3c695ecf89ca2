//! A book as a graph of positions, with transpositions merged.
//!
//! Negamax backs up the scores of the leaves to all other positions. Endless repetition counts as a draw, so the score
//! of a position is the score that its side to move can force. The scores are computed by retrograde analysis, which
//! starts with the largest absolute scores (Washburn's graphical games, as solved by Andersson, Hansen, Miltersen and
//! Sorensen).

use super::{Book, BookError, BookMove, BookScore, key, ordered_moves};
use crate::game::{Game, Move};
use crate::notation::{FenRecord, Placement, WrittenGame};
use crate::position::Status;
use crate::rules::Variant;
use std::collections::{BinaryHeap, HashMap};
use std::fmt::Display;

/// An assessment of a position that disregards its book moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// Score from the point of view of the side to move.
    pub score: BookScore,
    /// Search depth in plies; 0 if the position has not been searched.
    pub depth: u8,
    /// Whether the score is proved, by a search to the end of the game or by endgame tables.
    pub is_proved: bool,
}

impl Assessment {
    /// The assessment of a position that has not been searched.
    pub const NONE: Self = Self { score: BookScore::NONE, depth: 0, is_proved: false };
}

/// A move from one position of the graph to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of the move in the list that [`ordered_moves`] returns.
    pub index: u16,
    /// Index of the node to which the move leads.
    pub child: usize,
    /// Number of times that the move was played, or `None` if games were not counted.
    pub weight: Option<u16>,
}

/// A position of the graph.
#[derive(Clone, Debug)]
pub struct BookNode {
    /// The [`key()`](super::key()) of the position.
    pub key: u64,
    /// FEN of the position, without its counters.
    pub fen: String,
    /// The moves of the position that are in the graph. The list is empty for a leaf.
    pub edges: Vec<Edge>,
    /// The assessment of the position itself, which ignores the moves in the book: a search result, or the result of
    /// the game if it has ended.
    pub leaf: Assessment,
    /// Whether the game has ended under the rules.
    pub is_end: bool,
    /// The backed-up score from the point of view of the side to move, and the depth in plies of the analysis behind
    /// this score.
    pub backed_up: (BookScore, u8),
    is_forced: bool,
    /// The source node of each edge that leads to this node. A node is listed once for each of its edges to this node.
    parents: Vec<usize>,
}

impl BookNode {
    /// Returns whether the node has no moves in the graph.
    pub fn is_leaf(&self) -> bool {
        self.edges.is_empty()
    }
}

/// The positions of a book, connected by its moves.
#[derive(Debug)]
pub struct Graph {
    variant: Variant,
    nodes: Vec<BookNode>,
    by_key: HashMap<u64, usize>,
}

/// Why a book does not form a valid graph.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// The book file is damaged.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A root is invalid, a record is wrong, or some records cannot be reached from the roots.
    #[error("{0}")]
    Inconsistent(String),
}

impl Graph {
    /// Creates an empty graph for `variant`.
    pub fn new(variant: Variant) -> Self {
        Self { variant, nodes: Vec::new(), by_key: HashMap::new() }
    }

    /// Merges `books`, which must be for `variant`, into one graph and backs up its scores.
    ///
    /// If several books have a score for the same leaf, the score with the greatest depth is used. Weights that count
    /// games are added. If no weight in a position counts games, all its weights are recomputed from the scores.
    /// Otherwise, moves whose games were not counted get the weight 0.
    pub fn from_books(variant: Variant, books: &[Book]) -> Result<Self, GraphError> {
        let mut graph = Self::new(variant);
        let mut open = Vec::new();
        let has_start = |book: &Book| !book.moves(key(&Game::new(variant))).is_empty();
        if books.iter().any(has_start) {
            open.extend(graph.add(&Game::new(variant)).1);
        }
        for root in books.iter().flat_map(|book| &book.header().roots) {
            let wrong = |error: &dyn Display| GraphError::Inconsistent(format!("root {root}: {error}"));
            let fen = root.parse::<FenRecord>().map_err(|error| wrong(&error))?;
            let game = WrittenGame::from_start(variant, Some(&fen)).map_err(|error| wrong(&error))?;
            open.extend(graph.add(game.game()).1);
        }
        let mut seen = vec![0; books.len()];
        while let Some(id) = open.pop() {
            let game = graph.game(id);
            let moves = ordered_moves(&game);
            for (book, seen) in books.iter().zip(&mut seen) {
                for record in book.moves(graph.nodes[id].key) {
                    *seen += 1;
                    let Some(&mv) = moves.get(usize::from(record.index)) else {
                        let (fen, index) = (&graph.nodes[id].fen, record.index);
                        return Err(GraphError::Inconsistent(format!("{fen}: no move has index {index}")));
                    };
                    let weight = (book.header().nodes == 0).then_some(record.weight);
                    let mut after = game.clone();
                    after.play(mv);
                    open.extend(graph.connect(id, &after, &record, weight).1);
                }
            }
        }
        for (book, seen) in books.iter().zip(seen) {
            drop(book.all_moves()?);
            if seen != book.len() {
                let lost = book.len() - seen;
                let text = format!("unreachable positions have records: {lost}");
                return Err(GraphError::Inconsistent(text));
            }
        }
        graph.back_up();
        Ok(graph)
    }

    fn connect(&mut self, id: usize, after: &Game, record: &BookMove, weight: Option<u16>) -> (usize, Option<usize>) {
        let (child, new) = self.add(after);
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
            node.leaf = Assessment { score: record.score.after(), depth, is_proved };
        }
        (child, new)
    }

    /// Adds the move `mv` from the current position of `game`, which is node `id`, and plays it. Everything except the
    /// move index is taken from `record`. Returns the new edge, or `None` if the move is illegal.
    pub fn add_move(&mut self, id: usize, game: &mut Game, mv: Move, record: BookMove) -> Option<Edge> {
        let index = ordered_moves(game).iter().position(|&known| known == mv)? as u16;
        game.play(mv);
        let (child, _) = self.connect(id, game, &BookMove { index, ..record }, Some(record.weight));
        Some(Edge { index, child, weight: Some(record.weight) })
    }

    /// Removes every edge for which `is_kept` returns false. `is_kept` receives the index of the node and the edge.
    pub fn retain(&mut self, is_kept: impl Fn(usize, &Edge) -> bool) {
        for (id, node) in self.nodes.iter_mut().enumerate() {
            node.edges.retain(|edge| is_kept(id, edge));
            node.parents.clear();
        }
        for id in 0..self.nodes.len() {
            for place in 0..self.nodes[id].edges.len() {
                let child = self.nodes[id].edges[place].child;
                self.nodes[child].parents.push(id);
            }
        }
    }

    /// Returns a set of nodes from which every move can be reached. If the start position has moves in the graph, it
    /// comes first.
    pub fn roots(&self) -> Vec<usize> {
        let (mut seen, mut roots) = (vec![false; self.nodes.len()], Vec::new());
        let start = self.find(key(&Game::new(self.variant)));
        let without_parents = (0..self.nodes.len()).filter(|&id| self.nodes[id].parents.is_empty());
        // The last iterator covers nodes that can be reached only from a cycle.
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

    /// Returns the variant that the graph is for.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns all nodes of the graph. Edges refer to nodes by their index in this slice.
    pub fn nodes(&self) -> &[BookNode] {
        &self.nodes
    }

    /// Returns the index of the node whose position has this `key`, or `None` if there is no such node.
    pub fn find(&self, key: u64) -> Option<usize> {
        self.by_key.get(&key).copied()
    }

    /// Returns a new game that starts from the position of node `id`.
    pub fn game(&self, id: usize) -> Game {
        let fen = self.nodes[id].fen.parse::<FenRecord>().ok();
        let game =
            WrittenGame::from_start(self.variant, fen.as_ref()).unwrap_or_else(|_| WrittenGame::new(self.variant));
        game.game().clone()
    }

    /// Adds the current position of `game`, without its counters. Returns the index of its node. The second value is
    /// the same index if the node is new, and `None` if it already existed.
    pub fn add(&mut self, game: &Game) -> (usize, Option<usize>) {
        let key = key(game);
        if let Some(&id) = self.by_key.get(&key) {
            return (id, None);
        }
        let fen = Placement::new(self.variant.spec(), &game.setup()).record().to_string();
        let fresh = game.restarted();
        let end = |score| Assessment { score, depth: 0, is_proved: true };
        let leaf = match fresh.status() {
            Status::Playing { .. } => None,
            Status::Won { winner, .. } if winner == fresh.side() => Some(end(BookScore::won_in(0))),
            Status::Won { .. } => Some(end(BookScore::lost_in(0))),
            Status::Drawn(_) => Some(end(BookScore::DRAW)),
        };
        let id = self.nodes.len();
        self.nodes.push(BookNode {
            key,
            fen,
            edges: Vec::new(),
            is_end: leaf.is_some(),
            leaf: leaf.unwrap_or(Assessment::NONE),
            backed_up: (BookScore::NONE, 0),
            is_forced: leaf.is_none() && fresh.legal_moves().len() == 1,
            parents: Vec::new(),
        });
        self.by_key.insert(key, id);
        (id, Some(id))
    }

    /// If node `id` is a leaf, adds all of its legal moves. New children with only one legal move are expanded in the
    /// same way.
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

    /// Sets the assessment of node `id`, which is used while the node is a leaf.
    pub fn assess(&mut self, id: usize, assessment: Assessment) {
        self.nodes[id].leaf = assessment;
    }

    /// Backs up the scores of the leaves to all other positions.
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
        // The heap yields scores in order of decreasing absolute value. Therefore the best winning move in a position
        // is popped first, and the least bad losing move is popped last. The key breaks ties, because the order of
        // equal scores can change the depth.
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
                // Neither side can leave the cycle with an advantage.
                node.backed_up = (BookScore::DRAW, 0);
            }
        }
    }

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

    /// Returns the drop-out distance of each node from `roots`, which is the cost of the cheapest path. The cost of a
    /// ply is `breadth` plus the number of cp by which its move is worse than the best move. The distance is `None` if
    /// every path to the node contains a decided position or a move without a score.
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
                    heap.push((std::cmp::Reverse(distance + breadth + node.backed_up.0.drop_to(score)), edge.child));
                }
            }
        }
        found
    }

    /// Returns the book record for the move `edge` of node `id`.
    pub fn record(&self, id: usize, edge: &Edge) -> BookMove {
        let (best, child) = (self.nodes[id].backed_up.0, &self.nodes[edge.child]);
        let (score, depth) = (child.backed_up.0.before(), child.backed_up.1.saturating_add(1));
        let is_proved = score.is_decided() || child.is_leaf() && child.leaf.is_proved;
        let own =
            || if self.nodes[id].edges.iter().any(|edge| edge.weight.is_some()) { 0 } else { weight(best, score) };
        let flags = [(BookMove::CONTINUES, !child.is_leaf()), (BookMove::PROVED, is_proved)];
        BookMove {
            index: edge.index,
            score,
            weight: edge.weight.unwrap_or_else(own),
            depth: if score.is_known() { depth } else { 0 },
            flags: flags.into_iter().filter(|&(_, is_set)| is_set).fold(0, |flags, (flag, _)| flags | flag),
        }
    }

    /// Returns all records with the keys of their positions.
    pub fn records(&self) -> Vec<(u64, BookMove)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.flat_map(|(id, node)| node.edges.iter().map(move |edge| (node.key, self.record(id, edge)))).collect()
    }

    /// Checks that `book` has the same records as this graph, which must have been built from `book`.
    pub fn check(&self, book: &Book) -> Result<(), GraphError> {
        for (id, node) in self.nodes.iter().enumerate() {
            for (edge, found) in node.edges.iter().zip(book.moves(node.key)) {
                let right = self.record(id, edge);
                if found != right {
                    let place = format!("{}, move with index {}", node.fen, edge.index);
                    let text = format!("{place}: the record is {found:?}, but the positions after it give {right:?}");
                    return Err(GraphError::Inconsistent(text));
                }
            }
        }
        Ok(())
    }
}

/// Returns the weight of a move with this `score`. The weight is halved for every 10 cp below `best`. It is 0 if the
/// score is unknown or the move loses although another move does not.
fn weight(best: BookScore, score: BookScore) -> u16 {
    if !score.is_known() || score.is_lost() && !best.is_lost() {
        return 0;
    }
    (1024 >> (best.drop_to(score) / 10).min(10)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a graph with these edges and leaf scores. Its positions do not come from a real game.
    fn graph(edges: &[(usize, usize)], leaves: &[(usize, i16)]) -> Graph {
        let mut graph = Graph::new(Variant::English);
        let most = edges.iter().map(|&(from, to)| from.max(to)).max().unwrap();
        for key in 0..=most as u64 {
            let (fen, leaf) = (String::new(), Assessment::NONE);
            let (edges, parents, backed_up) = (Vec::new(), Vec::new(), (BookScore::NONE, 0));
            graph.nodes.push(BookNode { key, fen, edges, leaf, is_end: false, backed_up, is_forced: false, parents });
        }
        for &(from, child) in edges {
            let index = graph.nodes[from].edges.len() as u16;
            graph.nodes[from].edges.push(Edge { index, child, weight: None });
            graph.nodes[child].parents.push(from);
        }
        for &(id, code) in leaves {
            graph.nodes[id].leaf = Assessment { score: BookScore::from_code(code), depth: 5, is_proved: false };
        }
        graph.back_up();
        graph
    }

    #[test]
    fn scores_are_backed_up_through_cycles() {
        // Each case contains edges, leaf scores, and the expected score codes of the first positions.
        type Case = (&'static [(usize, usize)], &'static [(usize, i16)], &'static [i16]);
        let cases: [Case; 8] = [
            (&[(0, 1), (0, 2)], &[(1, 10), (2, -7)], &[7]),
            // This graph contains a transposition.
            (&[(0, 1), (0, 2), (1, 3), (2, 3), (2, 4)], &[(3, 5), (4, -30)], &[5, -5, 30]),
            // The weaker side repeats the position by moving from 0 to 1 and back.
            (&[(0, 1), (1, 0), (0, 2), (1, 3)], &[(2, 20), (3, -20)], &[-20, 20]),
            (&[(0, 1), (1, 0), (0, 2), (1, 3)], &[(2, 20), (3, 20)], &[0, 0]),
            (&[(0, 1), (1, 0), (0, 2), (1, 3)], &[(2, -20), (3, 20)], &[20, -20]),
            // The win is reached by a longer path, and every ply of the path counts.
            (&[(0, 1), (1, 2), (2, 3), (1, 4)], &[(3, -32_000), (4, -31_000)], &[-30_998, 30_999, 31_999]),
            // A position with an unknown score is ignored, and a position without a continuation has no score.
            (&[(0, 1), (0, 2), (2, 3)], &[(1, 4)], &[-4, 4, i16::MIN]),
            (&[(0, 1), (1, 0)], &[], &[i16::MIN, i16::MIN]),
        ];
        for (edges, leaves, scores) in cases {
            let graph = graph(edges, leaves);
            let found: Vec<_> = graph.nodes().iter().take(scores.len()).map(|node| node.backed_up.0.code()).collect();
            assert_eq!(found, scores, "{edges:?} {leaves:?}");
        }
    }

    #[test]
    fn distances_count_plies_and_score_losses() {
        let graph = graph(&[(0, 1), (0, 2), (2, 3), (0, 4)], &[(1, -10), (3, -25), (4, 31_999)]);
        // The move to 2 is 35 cp worse than the best move; the move to 4 loses.
        assert_eq!(graph.distances(&[0], 8), [Some(0), Some(8), Some(43), Some(51), None]);
        let weights: Vec<_> = graph.nodes()[0].edges.iter().map(|edge| graph.record(0, edge).weight).collect();
        assert_eq!(weights, [1024, 128, 0], "half for every 10, and never a loss");
        let record = graph.record(0, &graph.nodes()[0].edges[1]);
        assert_eq!((record.depth, record.flags, record.score.code()), (7, BookMove::CONTINUES, -25));
    }

    #[test]
    fn a_book_matches_the_graph_it_was_written_from() {
        for variant in [Variant::English, Variant::International, Variant::Frisian] {
            let mut graph = Graph::new(variant);
            let (start, _) = graph.add(&Game::new(variant));
            let mut random = fastrand::Rng::with_seed(5);
            graph.expand(start);
            for _ in 0..30 {
                let leaves: Vec<_> = (0..graph.nodes().len()).filter(|&id| graph.nodes()[id].is_leaf()).collect();
                graph.expand(*random.choice(&leaves).unwrap());
            }
            for id in 0..graph.nodes().len() {
                let node = &graph.nodes()[id];
                if node.is_leaf() && !node.is_end {
                    let score = BookScore::from_code(random.i16(-100..100));
                    graph.assess(id, Assessment { score, depth: random.u8(1..20), is_proved: false });
                }
            }
            graph.back_up();
            let header = crate::book::BookHeader {
                identity: crate::rules::Identity::for_variant(variant),
                author: String::new(),
                licence: String::new(),
                engine: String::new(),
                nodes: 1,
                plan: String::new(),
                roots: Vec::new(),
            };
            let path = std::env::temp_dir().join(format!("soffio-graph-{}-{variant}.book", std::process::id()));
            let mut records = graph.records();
            crate::book::write(&path, &header, records.clone()).unwrap();
            let book = Book::open(&path).unwrap();
            let read = Graph::from_books(variant, std::slice::from_ref(&book)).unwrap();
            read.check(&book).unwrap();
            assert_eq!(read.nodes().len(), graph.nodes().len());
            // The faults are a score that contradicts the following positions, a move that does not exist, and an
            // unreachable position.
            let interior = records.iter().position(|(_, mv)| mv.flags == BookMove::CONTINUES).unwrap();
            let mut reason = |key: u64, mv: BookMove| {
                let kept = std::mem::replace(&mut records[interior], (key, mv));
                crate::book::write(&path, &header, records.clone()).unwrap();
                records[interior] = kept;
                let book = Book::open(&path).unwrap();
                let checked =
                    Graph::from_books(variant, std::slice::from_ref(&book)).and_then(|graph| graph.check(&book));
                checked.unwrap_err().to_string()
            };
            let (key, mv) = graph.records()[interior];
            assert!(
                reason(key, BookMove { score: BookScore::from_code(9999), ..mv }).contains("the record is BookMove")
            );
            assert!(reason(key, BookMove { index: 900, ..mv }).ends_with("no move has index 900"));
            assert!(reason(key ^ 1, mv).contains("unreachable positions have records"));
            std::fs::remove_file(path).unwrap();
        }
    }
}
