//! The Hub protocol, version 2, as its client speaks it.
//!
//! A line is a command with arguments `name=value`; values with spaces are in quotation marks. Times are in seconds, scores
//! in men. Whatever is not known is ignored.

use super::clock::Clock;
use super::dialect::{Line, Question};
use super::{Control, Evaluation, Thought};
use crate::rules::Variant;
use std::time::Duration;

/// Scores from here on are wins: 100 is a win at once, and every ply until then costs 1/100.
const WIN: f64 = 90.0;

/// Reads a line of an engine.
pub(super) fn read(line: &str) -> Line {
    let (command, arguments) = parse(line);
    let value = |name: &str| arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    match command {
        "wait" => Line::Introduced,
        "ready" => Line::Ready,
        "done" => Line::BestMove(value("move").unwrap_or("none").to_owned()),
        "info" => Line::Info(Thought {
            evaluation: value("score").and_then(evaluation),
            depth: value("depth").and_then(|text| text.parse().ok()),
            nodes: value("nodes").and_then(|text| text.parse().ok()),
            time: Duration::ZERO,
        }),
        "param" if value("name") == Some("variant") => {
            let values = value("values").unwrap_or_default().split_ascii_whitespace();
            Line::Variants(values.map(str::to_owned).collect())
        }
        "error" => Line::Error,
        _ => Line::Other,
    }
}

/// The score that `text` gives in men.
fn evaluation(text: &str) -> Option<Evaluation> {
    let men: f64 = text.parse().ok().filter(|men: &f64| men.is_finite())?;
    let moves = (((100.0 - men.abs()) * 100.0).max(0.0) / 2.0).round() as u32;
    Some(match men {
        men if men >= WIN => Evaluation::Win(moves),
        men if men <= -WIN => Evaluation::Loss(moves),
        men => Evaluation::Centimen((men * 100.0).round() as i32),
    })
}

/// The command of a line, and its arguments with their values.
fn parse(line: &str) -> (&str, Vec<(String, String)>) {
    let line = line.trim();
    let (command, mut rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let mut arguments = Vec::new();
    loop {
        rest = rest.trim_start();
        let name_end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_end);
        if name.is_empty() && after.is_empty() {
            return (command, arguments);
        }
        let (value, after) = match after.strip_prefix('=') {
            None => ("", after),
            Some(quoted) if quoted.starts_with('"') => {
                let text = quoted.strip_prefix('"').unwrap_or_default();
                text.split_once('"').unwrap_or((text, ""))
            }
            Some(plain) => plain.split_at(plain.find(char::is_whitespace).unwrap_or(plain.len())),
        };
        arguments.push((name.to_owned(), value.to_owned()));
        rest = after;
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
    format!("set-param name={} value={}", quoted(name), quoted(value))
}

fn quoted(text: &str) -> String {
    let needs_quotes = text.is_empty() || text.contains(char::is_whitespace);
    if needs_quotes { format!("\"{text}\"") } else { text.to_owned() }
}

/// The line that sets up a game: where it began, and all moves.
pub(super) fn position(question: &Question<'_>) -> String {
    let mut line = format!("pos pos={}", question.hub_start);
    if !question.moves.is_empty() {
        let moves: Vec<_> = question.moves.iter().map(|mv| mv.hub.as_str()).collect();
        line.push_str(&format!(" moves=\"{}\"", moves.join(" ")));
    }
    line
}

/// The lines that ask for a move.
pub(super) fn go(control: &Control, question: &Question<'_>) -> String {
    let mut text = String::new();
    let mut level = |what: String| text.push_str(&format!("level {what}\n"));
    if let Some(clock) = question.clock() {
        level(clock_level(clock));
    }
    if let Some(time) = control.move_time {
        level(format!("move-time={}", time.as_secs_f64()));
    }
    if let Some(nodes) = control.nodes {
        level(format!("nodes={nodes}"));
    }
    if let Some(depth) = control.depth {
        level(format!("depth={depth}"));
    }
    text + "go think"
}

/// The state of a clock. In Hub the increment of the coming move counts as not yet added, here it was added with the move
/// before.
fn clock_level(clock: &Clock) -> String {
    let moves = clock.moves_to_go().map(|moves| format!("moves={moves} ")).unwrap_or_default();
    let time = clock.left().saturating_sub(clock.increment()).as_secs_f64();
    format!("{moves}time={time} inc={}", clock.increment().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Opening;
    use crate::arena::dialect::MoveTexts;
    use crate::rules::Color;

    #[test]
    fn lines_of_engines_are_read() {
        assert_eq!(read("wait"), Line::Introduced);
        assert_eq!(read("ready"), Line::Ready);
        assert_eq!(read("done move=32-28 ponder=19-23"), Line::BestMove("32-28".to_owned()));
        assert_eq!(read("done"), Line::BestMove("none".to_owned()));
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
        let thought = |line: &str| match read(line) {
            Line::Info(thought) => (thought.evaluation, thought.depth, thought.nodes),
            other => panic!("{other:?}"),
        };
        let line = "info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8.0 pv=\"32-28 17-22\"";
        assert_eq!(thought(line), (Some(Evaluation::Centimen(-1)), Some(21), Some(31_261_613)));
        assert_eq!(thought("info score=99.90").0, Some(Evaluation::Win(5)));
        assert_eq!(thought("info score=-99.88").0, Some(Evaluation::Loss(6)));
        assert_eq!(thought("info score=inf depth=x"), (None, None, None));
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
        let clock = Clock::new("1/40+0.25".parse().unwrap());
        let moves = [("32-28", "32-28"), ("19x23", "19x23x28")];
        let moves = moves.map(|(path, hub)| MoveTexts { path: path.to_owned(), hub: hub.to_owned() });
        let opening = Opening::default();
        let question = Question {
            opening: &opening,
            hub_start: "Wee",
            moves: &moves,
            side: Color::Black,
            clocks: [None, Some(&clock)],
            last_took: Duration::ZERO,
        };
        assert_eq!(position(&question), "pos pos=Wee moves=\"32-28 19x23x28\"");
        assert_eq!(position(&Question { moves: &[], ..question }), "pos pos=Wee");
        let control = Control { nodes: Some(5), ..Control::default() };
        assert_eq!(go(&control, &question), "level moves=40 time=0.75 inc=0.25\nlevel nodes=5\ngo think");
    }
}
