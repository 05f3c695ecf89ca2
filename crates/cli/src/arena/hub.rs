//! The Hub protocol, version 2, as a match needs it.

use super::clock::SideClock;
use super::line_protocol::{Line, Question};
use super::{Control, EngineScore, MoveEvaluation};
use soffio::rules::Variant;
use soffio::wire::hub::{Command, Info, Level, Mode, Param, PositionText, Reply};
use std::time::Duration;

/// Reads a line of an engine.
pub(super) fn read(line: &str) -> Line {
    match Reply::read(line) {
        Some(Reply::Wait) => Line::Introduced,
        Some(Reply::Ready) => Line::Ready,
        Some(Reply::Done { best, ponder }) => Line::BestMove(best.unwrap_or_else(|| "none".to_owned()), ponder),
        Some(Reply::Info(info)) => {
            let score = info.score.map(EngineScore::from);
            let Info { depth, nodes, time: told, line, .. } = info;
            Line::Info(MoveEvaluation { score, depth, nodes, told, time: Duration::ZERO }, line)
        }
        Some(Reply::Param(Param { name, values, .. })) if name == "variant" => Line::Variants(values),
        Some(Reply::Error(_)) => Line::Error,
        Some(Reply::Id { .. } | Reply::Param(_) | Reply::Pong) | None => Line::Other,
    }
}

/// The line that chooses `variant` among those that the engine knows; an engine that names none plays international
/// draughts.
pub(super) fn choose(variant: Variant, known: &[String]) -> Result<Option<String>, String> {
    let name = known.iter().find(|name| Variant::named(name) == Some(variant));
    match name {
        Some(name) => Ok(Some(set_option("variant", name))),
        None if known.is_empty() && variant == Variant::International => Ok(None),
        None => Err(format!("it does not play {variant}")),
    }
}

/// The line that sets a parameter.
pub(super) fn set_option(name: &str, value: &str) -> String {
    Command::SetParam { name: name.to_owned(), value: value.to_owned() }.to_string()
}

/// The line that sets up a game: where it began, and all moves.
pub(super) fn position(question: &Question<'_>) -> String {
    PositionText::new(question.hub_start, question.moves.iter().map(|mv| mv.hub.as_str())).to_string()
}

/// The lines that ask for a move, with a line for each kind of limit.
pub(super) fn go(control: &Control, question: &Question<'_>, mode: Mode) -> String {
    let of_clock = |clock: &SideClock| Level::timed(clock.left(), clock.increment(), clock.moves_to_go());
    let levels = [
        question.clock().map(of_clock),
        control.move_time.map(|time| Level { move_time: Some(time), ..Level::default() }),
        control.nodes.map(|nodes| Level { nodes: Some(nodes), ..Level::default() }),
        control.depth.map(|depth| Level { depth: Some(depth), ..Level::default() }),
    ];
    let commands = levels.into_iter().flatten().map(Command::Level).chain([Command::Go(mode)]);
    commands.map(|command| command.to_string()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::line_protocol::MoveTexts;
    use soffio::rules::Color;

    #[test]
    fn lines_of_engines_are_read() {
        assert_eq!(read("wait"), Line::Introduced);
        assert_eq!(read("ready"), Line::Ready);
        assert_eq!(read("done move=32-28 ponder=19-23"), Line::BestMove("32-28".to_owned(), Some("19-23".to_owned())));
        assert_eq!(read("done"), Line::BestMove("none".to_owned(), None));
        assert_eq!(
            read("param name=variant value=normal type=enum values=\"normal bt\""),
            Line::Variants(vec!["normal".to_owned(), "bt".to_owned()])
        );
        for other in ["", "id name=X version=1", "param name=threads type=int", "=", "pong = \""] {
            assert_eq!(read(other), Line::Other, "{other}");
        }
    }

    #[test]
    fn the_state_of_a_search_is_read() {
        let evaluation = |line: &str| match read(line) {
            Line::Info(evaluation, _) => (evaluation.score, evaluation.depth, evaluation.nodes),
            other => panic!("{other:?}"),
        };
        let line = "info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8.0 pv=\"32-28 17-22\"";
        assert_eq!(evaluation(line), (Some(EngineScore::Centimen(-1)), Some(21), Some(31_261_613)));
        assert_eq!(evaluation("info score=99.90").0, Some(EngineScore::Win(5)));
        assert_eq!(evaluation("info score=-99.88").0, Some(EngineScore::Loss(6)));
        assert_eq!(evaluation("info score=inf depth=x"), (None, None, None));
    }

    #[test]
    fn only_variants_that_an_engine_plays_are_chosen() {
        let known = ["normal", "bt", "frisian"].map(str::to_owned);
        let chosen = |variant| choose(variant, &known).map(Option::unwrap_or_default);
        assert_eq!(chosen(Variant::International).as_deref(), Ok("set-param name=variant value=normal"));
        assert_eq!(chosen(Variant::Breakthrough).as_deref(), Ok("set-param name=variant value=bt"));
        assert_eq!(chosen(Variant::Italian), Err("it does not play italian".to_owned()));
        assert_eq!(choose(Variant::International, &[]), Ok(None));
        assert!(choose(Variant::Frisian, &[]).is_err());
    }

    #[test]
    fn questions_have_the_whole_game_and_the_limits() {
        let clock = SideClock::new("40/1+0.25".parse().unwrap());
        let moves = [("32-28", "32-28"), ("19x23", "19x23x28")];
        let moves = moves.map(|(path, hub)| MoveTexts { path: path.to_owned(), hub: hub.to_owned() });
        let question = Question {
            start: None,
            hub_start: "Wee",
            moves: &moves,
            side: Color::Black,
            clocks: [None, Some(&clock)],
            last_took: Duration::ZERO,
        };
        assert_eq!(position(&question), "pos pos=Wee moves=\"32-28 19x23x28\"");
        assert_eq!(position(&Question { moves: &[], ..question }), "pos pos=Wee");
        let control = Control { nodes: Some(5), ..Control::default() };
        assert_eq!(go(&control, &question, Mode::Think), "level moves=40 time=0.75 inc=0.25\nlevel nodes=5\ngo think");
    }
}
