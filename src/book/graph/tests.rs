//! Tests of artificial graphs, and of books that are read back.

use super::*;

/// Creates a graph from edges and the scores of its leaves. The positions of the graph do not come from a real game.
fn graph(edges: &[(usize, usize)], leaves: &[(usize, i16)]) -> Graph {
    let mut graph = Graph::new(Variant::English);
    let most = edges.iter().map(|&(from, to)| from.max(to)).max().unwrap();
    for key in 0..=most as u64 {
        let (fen, leaf) = (String::new(), Assessment::NONE);
        let (edges, parents, backed_up) = (Vec::new(), Vec::new(), (BookScore::NONE, 0));
        graph.nodes.push(Node { key, fen, edges, leaf, is_end: false, backed_up, is_forced: false, parents });
    }
    for &(from, child) in edges {
        let index = graph.nodes[from].edges.len() as u16;
        graph.nodes[from].edges.push(Edge { index, child, weight: None });
        graph.nodes[child].parents.push(from);
    }
    for &(id, code) in leaves {
        graph.nodes[id].leaf = Assessment { score: BookScore::of_code(code), depth: 5, is_proved: false };
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
        // The side that is worse repeats the position by moving from 0 to 1 and back.
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
                let score = BookScore::of_code(random.i16(-100..100));
                graph.assess(id, Assessment { score, depth: random.u8(1..20), is_proved: false });
            }
        }
        graph.back_up();
        let header = crate::book::Header {
            identity: crate::rules::Identity::of(variant),
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
        let read = Graph::of_books(variant, std::slice::from_ref(&book)).unwrap();
        read.check(&book).unwrap();
        assert_eq!(read.nodes().len(), graph.nodes().len());
        // The faults are a score that does not match the following positions, a move that does not exist, and an
        // unreachable position.
        let interior = records.iter().position(|(_, mv)| mv.flags == BookMove::CONTINUES).unwrap();
        let mut reason = |key: u64, mv: BookMove| {
            let kept = std::mem::replace(&mut records[interior], (key, mv));
            crate::book::write(&path, &header, records.clone()).unwrap();
            records[interior] = kept;
            let book = Book::open(&path).unwrap();
            let checked = Graph::of_books(variant, std::slice::from_ref(&book)).and_then(|graph| graph.check(&book));
            checked.unwrap_err().to_string()
        };
        let (key, mv) = graph.records()[interior];
        assert!(reason(key, BookMove { score: BookScore::of_code(9999), ..mv }).contains("the record is BookMove"));
        assert!(reason(key, BookMove { index: 900, ..mv }).ends_with("no move has index 900"));
        assert!(reason(key ^ 1, mv).contains("positions that no line of the book reaches"));
        std::fs::remove_file(path).unwrap();
    }
}
