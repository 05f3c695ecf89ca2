//! Tests that repeated commands search the same nodes and give the same results.

use crate::process::{Engine, field};

/// Starts an engine and returns its output for `commands`, without times.
fn transcript(variant: &str, commands: &[&str]) -> Vec<String> {
    let mut engine = Engine::with_options(&[("UCI_Variant", variant), ("Hash", "4")]);
    commands.iter().flat_map(|command| engine.request(command, "bestmove ")).map(|line| without_times(&line)).collect()
}

/// Removes the fields that depend on the clock from `line`, including their values.
fn without_times(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if matches!(word, "nps" | "time") {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

#[test]
fn the_same_commands_give_the_same_nodes() {
    let fens = [
        ("italian", "position fen W:W24,25,26,29,30,31,32:B1,4,5,8,12,16,19"),
        ("english", "position fen W:WK6,22,24,26,29,31:B3,7,10,11,15,K32"),
        ("international", "position fen W:W26,34,37,40,43,44,46,49:B5,11,14,16,19,28"),
    ];
    for (variant, position) in fens {
        let later = format!("{position}\ngo nodes 50000");
        let commands = ["go depth 9", "go nodes 30000", "go depth 9", &later, "ucinewgame\ngo nodes 12345"];
        let first = transcript(variant, &commands);
        assert_eq!(first, transcript(variant, &commands), "{variant}");
        assert!(first.iter().any(|line| line.starts_with("info depth 9 ")), "{variant}: {first:?}");
    }
}

#[test]
fn a_new_game_forgets_the_old_one() {
    let mut engine = Engine::with_options(&[("Hash", "4")]);
    let mut nodes = || {
        let lines = engine.request("ucinewgame\ngo depth 9", "bestmove ");
        field::<u64>(&lines[lines.len() - 2], "nodes")
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn the_node_limit_is_kept() {
    for variant in ["italian", "english", "international"] {
        let mut engine = Engine::with_options(&[("UCI_Variant", variant)]);
        for limit in [1_u64, 100, 5000, 100_000] {
            let lines = engine.request(&format!("ucinewgame\ngo nodes {limit}"), "bestmove ");
            let nodes: u64 = field(&lines[lines.len() - 2], "nodes");
            // The limit may be exceeded, because the first iteration is always completed and leaves do not check the
            // limit.
            assert!(nodes <= limit.max(100) + 40, "{variant}: {nodes} of {limit}");
        }
    }
}
