//! Selects the positions of a book by drop-out expansion.

use super::assessments::Assessments;
use anyhow::{Result, anyhow};
use soffio::book::Graph;
use soffio::rules::Variant;
use soffio_match::Opening;
use std::num::NonZeroU64;

#[derive(Clone, Debug)]
pub struct GrowthPlan {
    pub variant: Variant,
    /// Minimum number of positions.
    pub positions: usize,
    /// Cost of a ply, in cp. A higher cost makes the book wider and its lines shorter.
    pub breadth: u32,
    /// Maximum number of leaves to expand in each round.
    pub round: usize,
    pub openings: Vec<Opening>,
}

/// Builds a book by drop-out expansion: the leaves whose lines give up the least score are expanded first. Each round
/// depends only on the plan and the scores, so the book is the same regardless of where, when and in which order its
/// positions were evaluated.
#[derive(Debug)]
pub struct Growth {
    plan: GrowthPlan,
    pub graph: Graph,
    ends: Vec<usize>,
    /// FENs of the positions, other than the start position, from which openings begin.
    pub roots: Vec<String>,
    /// Index of the first node without a score.
    scored: usize,
    expanded: usize,
}

impl Growth {
    pub fn new(plan: GrowthPlan) -> Result<Self> {
        let mut graph = Graph::new(plan.variant);
        let (mut ends, mut roots) = (Vec::new(), Vec::new());
        for opening in &plan.openings {
            let played = opening.played(plan.variant).map_err(|error| anyhow!("{opening}: {error}"))?;
            let mut game = played.game().clone();
            let plies = game.ply();
            (0..plies).for_each(|_| game.undo());
            let (root, new) = graph.add(&game);
            if opening.start.is_some() && new.is_some() {
                roots.extend(graph.nodes().get(root).map(|node| node.fen.clone()));
            }
            for _ in 0..plies {
                let (id, _) = graph.add(&game);
                graph.expand(id);
                game.redo();
            }
            ends.push(graph.add(&game).0);
        }
        Ok(Self { plan, graph, ends, roots, scored: 0, expanded: 0 })
    }

    /// Expands the book as far as the scores in `assessments` permit. Returns the positions to evaluate next, each with
    /// the node limit of its search. The list is empty if the book is complete.
    pub fn advance(&mut self, assessments: &Assessments) -> Vec<(String, NonZeroU64)> {
        loop {
            let nodes = self.graph.nodes().iter().enumerate().skip(self.scored);
            let open: Vec<usize> = nodes.filter(|(_, node)| node.is_leaf() && !node.is_end).map(|(id, _)| id).collect();
            let mut missing = Vec::new();
            for id in open {
                let Some(node) = self.graph.nodes().get(id) else { continue };
                match assessments.get(&node.fen) {
                    Ok(assessment) => self.graph.assess(id, assessment),
                    Err(nodes) => missing.push((node.fen.clone(), nodes)),
                }
            }
            if !missing.is_empty() {
                return missing;
            }
            self.scored = self.graph.nodes().len();
            self.graph.back_up();
            let leaves = if self.scored < self.plan.positions { self.choose() } else { Vec::new() };
            if leaves.is_empty() {
                return Vec::new();
            }
            self.expanded += leaves.len();
            leaves.into_iter().for_each(|id| self.graph.expand(id));
        }
    }

    /// Returns the leaves to expand in the next round: those with the smallest drop-out distance from the ends of the
    /// openings. Their number is one eighth of the number of leaves expanded so far, but at least 1 and at most
    /// `plan.round`.
    fn choose(&self) -> Vec<usize> {
        let distances = self.graph.distances(&self.ends, self.plan.breadth);
        let nodes = self.graph.nodes().iter().zip(distances).enumerate();
        let open = nodes.filter_map(|(id, (node, distance))| {
            (node.is_leaf() && !node.is_end).then_some(())?;
            Some((distance?, node.key, id))
        });
        let mut open: Vec<_> = open.collect();
        open.sort_unstable();
        open.truncate((self.expanded / 8).clamp(1, self.plan.round));
        open.into_iter().map(|(_, _, id)| id).collect()
    }
}
