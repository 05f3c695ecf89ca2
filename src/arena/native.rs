//! The native protocol as its client speaks it: questions as text, answers from lines.

use super::clock::Clock;
use super::dialect::{Line, Question};
use super::{Control, Evaluation, Thought};
use crate::rules::Variant;
use crate::wire::hub::Mode;
use std::time::Duration;

/// Reads a line of an engine.
pub(super) fn read(line: &str) -> Line {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("uciok") => Line::Introduced,
        Some("readyok") => Line::Ready,
        Some("bestmove") => {
            let best = words.next().unwrap_or("none").to_owned();
            let expected = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
            Line::BestMove(best, expected.map(str::to_owned))
        }
        Some("info") => info(words),
        Some("error") => Line::Error,
        _ => Line::Other,
    }
}

/// Reads what stands behind `info`; what is not understood is left out.
fn info<'a>(mut words: impl Iterator<Item = &'a str>) -> Line {
    let mut line = Vec::new();
    let mut thought = Thought::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => thought.depth = words.next().and_then(|word| word.parse().ok()),
            "time" => thought.told = words.next().and_then(|word| word.parse().ok()).map(Duration::from_millis),
            "nodes" => thought.nodes = words.next().and_then(|word| word.parse().ok()),
            "score" => {
                let kind = words.next();
                let number = words.next().unwrap_or_default();
                thought.evaluation = match kind {
                    Some("cp") => number.parse().ok().map(Evaluation::Centimen),
                    Some("win") => number.parse().ok().map(Evaluation::Win),
                    Some("loss") => number.parse().ok().map(Evaluation::Loss),
                    _ => None,
                };
            }
            "pv" => line = words.by_ref().map(str::to_owned).collect(),
            // What follows is text.
            "string" => break,
            _ => {}
        }
    }
    Line::Info(thought, line)
}

/// The lines that choose the rules of `variant`.
pub(super) fn choose(variant: Variant) -> String {
    match variant.with_forced_capture() {
        None => set_option("UCI_Variant", variant.name()),
        Some(forced) => {
            format!("{}\n{}", set_option("UCI_Variant", forced.name()), set_option("Forced Capture", "false"))
        }
    }
}

/// The line that sets an option; a button has no value.
pub(super) fn set_option(name: &str, value: &str) -> String {
    let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
    format!("setoption name {name}{value}")
}

/// The line that sets up a game.
pub(super) fn position(question: &Question<'_>) -> String {
    let mut text = match &question.opening.start {
        None => "position startpos".to_owned(),
        Some(fen) => format!("position fen {fen}"),
    };
    if !question.moves.is_empty() {
        text.push_str(" moves");
    }
    for mv in question.moves {
        text.push(' ');
        text.push_str(&mv.path);
    }
    text
}

/// The line that asks for a move.
pub(super) fn go(control: &Control, question: &Question<'_>, mode: Mode) -> String {
    let words = if mode == Mode::Ponder { "go ponder" } else { "go" };
    limited(words, control, question.clocks, question.clock())
}

/// The line that begins with `words` and asks for a move within the limits of `control`, where the game has these `clocks` of White
/// and Black, of which one is the engine's `own`.
pub(super) fn limited(words: &str, control: &Control, clocks: [Option<&Clock>; 2], own: Option<&Clock>) -> String {
    let mut text = words.to_owned();
    let mut say = |name: &str, number: u128| text.push_str(&format!(" {name} {number}"));
    if control.clock.is_some() {
        for (clock, names) in clocks.into_iter().zip([["wtime", "winc"], ["btime", "binc"]]) {
            let Some(clock) = clock else { continue };
            for (name, time) in names.into_iter().zip([clock.left(), clock.increment()]) {
                say(name, time.as_millis());
            }
        }
        if let Some(moves) = own.and_then(Clock::moves_to_go) {
            say("movestogo", u128::from(moves));
        }
    }
    if let Some(time) = control.move_time {
        say("movetime", time.as_millis());
    }
    if let Some(nodes) = control.nodes {
        say("nodes", u128::from(nodes));
    }
    if let Some(depth) = control.depth {
        say("depth", u128::from(depth));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Opening;
    use crate::rules::Color;

    #[test]
    fn lines_of_engines_are_read() {
        assert_eq!(read("uciok "), Line::Introduced);
        assert_eq!(read("\treadyok"), Line::Ready);
        assert_eq!(read("bestmove 32-28 ponder 19-23"), Line::BestMove("32-28".to_owned(), Some("19-23".to_owned())));
        assert_eq!(read("bestmove 32-28 by the way"), Line::BestMove("32-28".to_owned(), None));
        assert_eq!(read("bestmove"), Line::BestMove("none".to_owned(), None));
        assert_eq!(read("error move 32-28 no"), Line::Error);
        for other in ["", "id name me", "readyokay", "\u{fffd}"] {
            assert_eq!(read(other), Line::Other);
        }
    }

    #[test]
    fn the_state_of_a_search_is_read_as_far_as_it_goes() {
        let thought = |evaluation, depth, nodes| Thought { evaluation, depth, nodes, ..Thought::default() };
        let line = |thought| Line::Info(thought, Vec::new());
        assert_eq!(
            read("info depth 8 seldepth 20 multipv 1 score cp -7 upperbound nodes 123 time 84 pv 1-5 depth 9"),
            Line::Info(
                Thought {
                    told: Some(Duration::from_millis(84)),
                    ..thought(Some(Evaluation::Centimen(-7)), Some(8), Some(123))
                },
                ["1-5", "depth", "9"].map(str::to_owned).to_vec()
            )
        );
        assert_eq!(read("info score win 4 depth x"), line(thought(Some(Evaluation::Win(4)), None, None)));
        assert_eq!(read("info score loss 4"), line(thought(Some(Evaluation::Loss(4)), None, None)));
        assert_eq!(read("info string depth 3"), line(thought(None, None, None)));
        assert_eq!(read("info score"), line(thought(None, None, None)));
    }

    #[test]
    fn questions_have_the_clocks_and_limits() {
        let clock = Clock::new("40/1+0.1".parse().unwrap());
        let control = Control { clock: Some("40/1+0.1".parse().unwrap()), ..Control::default() };
        let opening = Opening::default();
        let clocks = [Some(&clock), Some(&clock)];
        let question = Question {
            opening: &opening,
            hub_start: "",
            moves: &[],
            side: Color::White,
            clocks,
            last_took: Duration::ZERO,
        };
        assert_eq!(go(&control, &question, Mode::Think), "go wtime 1000 winc 100 btime 1000 binc 100 movestogo 40");
        let alone = Question { clocks: [Some(&clock), None], ..question };
        assert_eq!(go(&control, &alone, Mode::Think), "go wtime 1000 winc 100 movestogo 40");
        assert_eq!(go(&control, &alone, Mode::Ponder), "go ponder wtime 1000 winc 100 movestogo 40");
        let control = Control { nodes: Some(5), depth: Some(3), ..Control::default() };
        assert_eq!(go(&control, &Question { side: Color::Black, ..alone }, Mode::Think), "go nodes 5 depth 3");
        assert_eq!(position(&question), "position startpos");
    }
}
