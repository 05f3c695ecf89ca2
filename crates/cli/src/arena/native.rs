//! The native protocol as its client speaks it: questions as text, answers from lines.

use super::clock::SideClock;
use super::line_protocol::{Line, Question};
use super::{Control, EngineScore, MoveEvaluation};
use soffio::rules::Variant;
use soffio::wire::hub::Mode;
use soffio::wire::native::{Command, Go, Info, Reply, Start};
use std::time::Duration;

/// Reads a line of an engine.
pub(super) fn read(line: &str) -> Line {
    match Reply::read(line) {
        Some(Reply::UciOk) => Line::Introduced,
        Some(Reply::ReadyOk) => Line::Ready,
        Some(Reply::BestMove { best, ponder }) => Line::BestMove(best.unwrap_or_else(|| "none".to_owned()), ponder),
        Some(Reply::Info(info)) => {
            let score = info.score.map(|(value, _)| EngineScore::from(value));
            let Info { depth, nodes, time: told, line, .. } = info;
            Line::Info(MoveEvaluation { score, depth, nodes, told, time: Duration::ZERO }, line.unwrap_or_default())
        }
        Some(Reply::Error(_)) => Line::Error,
        _ => Line::Other,
    }
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

/// A command without moves.
pub(super) fn plain(command: Command) -> String {
    command.to_string()
}

/// The line that sets an option; a button has no value.
pub(super) fn set_option(name: &str, value: &str) -> String {
    let value = (!value.is_empty()).then(|| value.to_owned());
    plain(Command::SetOption { name: name.to_owned(), value })
}

/// The line that sets up a game.
pub(super) fn position(question: &Question<'_>) -> String {
    let start = question.start.cloned().map_or(Start::Startpos, Start::Fen);
    Command::Position { start, moves: question.moves.iter().map(|mv| &mv.path).collect() }.to_string()
}

/// The line that asks for a move.
pub(super) fn go(control: &Control, question: &Question<'_>, mode: Mode) -> String {
    let mut go = limited(control, question.clocks, question.clock());
    go.limits.ponder = mode == Mode::Ponder;
    plain(Command::Go(go))
}

/// The limits of `control` in a game that has these `clocks` of White and Black, of which one is the engine's `own`.
pub(super) fn limited(control: &Control, clocks: [Option<&SideClock>; 2], own: Option<&SideClock>) -> Go {
    let mut go = Go::default();
    if control.clock.is_some() {
        let [white, black] = clocks;
        (go.white_time, go.white_increment) = (white.map(SideClock::left), white.map(SideClock::increment));
        (go.black_time, go.black_increment) = (black.map(SideClock::left), black.map(SideClock::increment));
        go.moves_to_go = own.and_then(SideClock::moves_to_go);
    }
    (go.limits.move_time, go.limits.nodes, go.limits.depth) = (control.move_time, control.nodes, control.depth);
    go
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::rules::Color;

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
        let evaluation = |score, depth, nodes| MoveEvaluation { score, depth, nodes, ..MoveEvaluation::default() };
        let line = |evaluation| Line::Info(evaluation, Vec::new());
        assert_eq!(
            read("info depth 8 seldepth 20 multipv 1 score cp -7 upperbound nodes 123 time 84 pv 1-5 depth 9"),
            Line::Info(
                MoveEvaluation {
                    told: Some(Duration::from_millis(84)),
                    ..evaluation(Some(EngineScore::Centimen(-7)), Some(8), Some(123))
                },
                ["1-5", "depth", "9"].map(str::to_owned).to_vec()
            )
        );
        assert_eq!(read("info score win 4 depth x"), line(evaluation(Some(EngineScore::Win(4)), None, None)));
        assert_eq!(read("info score loss 4"), line(evaluation(Some(EngineScore::Loss(4)), None, None)));
        assert_eq!(read("info string depth 3"), Line::Other, "a text for people");
        assert_eq!(read("info score"), line(evaluation(None, None, None)));
    }

    #[test]
    fn questions_have_the_clocks_and_limits() {
        let clock = SideClock::new("40/1+0.1".parse().unwrap());
        let control = Control { clock: Some("40/1+0.1".parse().unwrap()), ..Control::default() };
        let clocks = [Some(&clock), Some(&clock)];
        let question =
            Question { start: None, hub_start: "", moves: &[], side: Color::White, clocks, last_took: Duration::ZERO };
        assert_eq!(go(&control, &question, Mode::Think), "go wtime 1000 winc 100 btime 1000 binc 100 movestogo 40");
        let alone = Question { clocks: [Some(&clock), None], ..question };
        assert_eq!(go(&control, &alone, Mode::Think), "go wtime 1000 winc 100 movestogo 40");
        assert_eq!(go(&control, &alone, Mode::Ponder), "go ponder wtime 1000 winc 100 movestogo 40");
        let control = Control { nodes: Some(5), depth: Some(3), ..Control::default() };
        assert_eq!(go(&control, &Question { side: Color::Black, ..alone }, Mode::Think), "go nodes 5 depth 3");
        assert_eq!(position(&question), "position startpos");
    }
}
