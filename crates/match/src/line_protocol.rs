//! The subset of the line protocols, native and Hub (version 2), that a match needs.

use super::answer::MoveEvaluation;
use super::control::{Control, SideClock};
use soffio::notation::{FenRecord, full_path, hub_form};
use soffio::position::paths::Sequence;
use soffio::rules::{Color, RuleSet, Variant};
use soffio::wire::Declaration;
use soffio::wire::hub::{HubCommand, HubInfo, HubLevel, HubReply, HubScore, Mode, PositionText};
use soffio::wire::native::{Go, NativeCommand, NativeInfo, NativeReply, Start};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineProtocol {
    Native,
    Hub,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProtocolLine {
    Introduced,
    Variants(Vec<String>),
    Ready,
    /// The move, and the expected reply if the engine reported one.
    BestMove(String, Option<String>),
    Info(MoveEvaluation, Vec<String>),
    Error,
    Other,
}

#[derive(Clone, Copy)]
pub(crate) struct SearchRequest<'a> {
    /// Position in which the game began, or `None` for the start position.
    pub(crate) start: Option<&'a FenRecord>,
    /// Position in which the game began, in Hub notation.
    pub(crate) hub_start: &'a str,
    pub(crate) moves: &'a [MoveTexts],
    pub(crate) side: Color,
    pub(crate) clocks: [Option<&'a SideClock>; 2],
    /// Time that the opponent took for the last move; zero for an opening move.
    pub(crate) last_took: Duration,
    /// The dice in tavla, as arguments of `go`; empty in draughts.
    pub(crate) dice: &'a str,
}

impl SearchRequest<'_> {
    pub(super) fn clock(&self) -> Option<&SideClock> {
        self.side.pick(self.clocks)
    }
}

/// A move in the notation of each protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTexts {
    /// The full path in the notation of the variant.
    pub path: String,
    pub hub: String,
}

impl MoveTexts {
    pub fn new(spec: &RuleSet, sequence: &Sequence) -> Self {
        Self { path: full_path(spec, sequence), hub: hub_form(spec, sequence) }
    }
}

/// A native command that contains no moves, so the type of the moves does not matter.
type SimpleCommand = NativeCommand;

impl LineProtocol {
    pub(super) fn read(self, line: &str) -> ProtocolLine {
        let best =
            |best: Option<String>, ponder| ProtocolLine::BestMove(best.unwrap_or_else(|| "none".to_owned()), ponder);
        let time = Duration::ZERO;
        match self {
            Self::Native => match NativeReply::read(line) {
                Some(NativeReply::UciOk) => ProtocolLine::Introduced,
                Some(NativeReply::ReadyOk) => ProtocolLine::Ready,
                Some(NativeReply::BestMove { best: mv, ponder }) => best(mv, ponder),
                Some(NativeReply::Info(NativeInfo { score, depth, nodes, time: reported, line, .. })) => {
                    let score = score.map(|(value, _)| value);
                    ProtocolLine::Info(MoveEvaluation { score, depth, nodes, reported, time }, line.unwrap_or_default())
                }
                Some(NativeReply::Error(_)) => ProtocolLine::Error,
                _ => ProtocolLine::Other,
            },
            Self::Hub => match HubReply::read(line) {
                Some(HubReply::Wait) => ProtocolLine::Introduced,
                Some(HubReply::Ready) => ProtocolLine::Ready,
                Some(HubReply::Done { best: mv, ponder }) => best(mv, ponder),
                Some(HubReply::Info(HubInfo { score, depth, nodes, time: reported, line, .. })) => {
                    let score = score.map(HubScore::value);
                    ProtocolLine::Info(MoveEvaluation { score, depth, nodes, reported, time }, line)
                }
                Some(HubReply::Param(Declaration { name, choices, .. })) if name == "variant" => {
                    ProtocolLine::Variants(choices)
                }
                Some(HubReply::Error(_)) => ProtocolLine::Error,
                _ => ProtocolLine::Other,
            },
        }
    }

    fn line(self, native: SimpleCommand, hub: HubCommand) -> String {
        if self == Self::Native { native.to_string() } else { hub.to_string() }
    }

    /// Returns the line that starts the handshake, which ends with [`ProtocolLine::Introduced`].
    pub(super) fn greeting(self) -> String {
        self.line(SimpleCommand::Uci, HubCommand::Hub)
    }

    /// Returns the query that a responsive engine answers with [`ProtocolLine::Ready`]. Returns `None` if the protocol
    /// has no such query; Hub has one only if `at_start` is true.
    pub(super) fn readiness(self, at_start: bool) -> Option<String> {
        match (self, at_start) {
            (Self::Native, _) => Some(SimpleCommand::IsReady.to_string()),
            (Self::Hub, true) => Some(HubCommand::Init.to_string()),
            // Not every engine answers `ping`.
            (Self::Hub, false) => None,
        }
    }

    /// Returns the lines that select `variant`, or `None` if no lines are needed. `known` lists the variants that the
    /// engine supports; a Hub engine that lists no variants plays international draughts. Fails if the engine does not
    /// support the variant.
    pub(super) fn choose(self, variant: Variant, known: &[String]) -> Result<Option<String>, String> {
        match (self, variant.with_forced_capture()) {
            (Self::Native, None) => Ok(Some(self.set_option("UCI_Variant", variant.name()))),
            (Self::Native, Some(forced)) => {
                let lines = [("UCI_Variant", forced.name()), ("Forced Capture", "false")];
                Ok(Some(lines.map(|(name, value)| self.set_option(name, value)).join("\n")))
            }
            (Self::Hub, _) => match known.iter().find(|name| Variant::named(name) == Some(variant)) {
                Some(name) => Ok(Some(self.set_option("variant", name))),
                None if known.is_empty() && variant == Variant::International => Ok(None),
                None => Err(format!("{variant} is not supported")),
            },
        }
    }

    /// Returns the line that sets an option. In the native protocol, an empty value presses a button.
    pub(crate) fn set_option(self, name: &str, value: &str) -> String {
        let (name, value) = (name.to_owned(), value.to_owned());
        match self {
            Self::Native => {
                SimpleCommand::SetOption { name, value: Some(value).filter(|value| !value.is_empty()) }.to_string()
            }
            Self::Hub => HubCommand::SetParam { name, value }.to_string(),
        }
    }

    pub(super) fn new_game(self) -> String {
        self.line(SimpleCommand::UciNewGame, HubCommand::NewGame)
    }

    pub(super) fn position(self, request: &SearchRequest<'_>) -> String {
        match self {
            Self::Native => {
                let start = request.start.cloned().map_or(Start::Startpos, Start::Fen);
                NativeCommand::Position { start, moves: request.moves.iter().map(|mv| &mv.path).collect() }.to_string()
            }
            Self::Hub => {
                PositionText::new(request.hub_start, request.moves.iter().map(|mv| mv.hub.as_str())).to_string()
            }
        }
    }

    /// Returns the lines that start a search or, depending on `mode`, pondering. Hub uses one line per kind of limit.
    pub(super) fn go(self, control: &Control, request: &SearchRequest<'_>, mode: Mode) -> String {
        match self {
            Self::Native => {
                let mut go = limited(control, request.clocks, request.clock());
                go.limits.ponder = mode == Mode::Ponder;
                format!("go{}{go}", request.dice)
            }
            Self::Hub => {
                let of_clock = |clock: &SideClock| HubLevel::timed(clock.left, clock.increment(), clock.moves_to_go);
                let levels = [
                    request.clock().map(of_clock),
                    control.move_time.map(|time| HubLevel { move_time: Some(time), ..HubLevel::default() }),
                    control.nodes.map(|nodes| HubLevel { nodes: Some(nodes), ..HubLevel::default() }),
                    control.depth.map(|depth| HubLevel { depth: Some(depth), ..HubLevel::default() }),
                ];
                let levels = levels.into_iter().flatten().map(HubCommand::Level);
                let commands = levels.chain([HubCommand::Go(mode)]);
                commands.map(|command| command.to_string()).collect::<Vec<_>>().join("\n")
            }
        }
    }

    pub(super) fn ponder_hit(self) -> String {
        self.line(SimpleCommand::PonderHit, HubCommand::PonderHit)
    }

    pub(super) fn announce_ponder(self) -> String {
        self.set_option(if self == Self::Native { "Ponder" } else { "ponder" }, "true")
    }
}

/// Returns the `go` command with the limits. `clocks` are the clocks of White and Black, and `own` is the clock of the
/// engine; each is `None` if that player has no clock.
fn limited(control: &Control, clocks: [Option<&SideClock>; 2], own: Option<&SideClock>) -> Go {
    let mut go = Go::default();
    if control.clock.is_some() {
        go.times = clocks.map(|clock| clock.map(|clock| clock.left));
        go.increments = clocks.map(|clock| clock.map(SideClock::increment));
        go.moves_to_go = own.and_then(|clock| clock.moves_to_go);
    }
    (go.limits.move_time, go.limits.nodes, go.limits.depth) = (control.move_time, control.nodes, control.depth);
    go
}

#[cfg(test)]
mod tests {
    use super::LineProtocol::{Hub, Native};
    use super::*;
    use soffio::engine::Value;

    #[test]
    fn lines_from_engines_are_parsed() {
        let best =
            |best: &str, ponder: Option<&str>| ProtocolLine::BestMove(best.to_owned(), ponder.map(str::to_owned));
        for (protocol, line, expected) in [
            (Native, "uciok ", ProtocolLine::Introduced),
            (Native, "\treadyok", ProtocolLine::Ready),
            (Native, "bestmove 32-28 ponder 19-23", best("32-28", Some("19-23"))),
            (Native, "bestmove 32-28 by the way", best("32-28", None)),
            (Native, "bestmove", best("none", None)),
            (Native, "error move 32-28 no", ProtocolLine::Error),
            (Native, "info string depth 3", ProtocolLine::Other),
            (Hub, "wait", ProtocolLine::Introduced),
            (Hub, "ready", ProtocolLine::Ready),
            (Hub, "done move=32-28 ponder=19-23", best("32-28", Some("19-23"))),
            (Hub, "done", best("none", None)),
            (
                Hub,
                "param name=variant value=normal type=enum values=\"normal bt\"",
                ProtocolLine::Variants(vec!["normal".to_owned(), "bt".to_owned()]),
            ),
        ] {
            assert_eq!(protocol.read(line), expected, "{line}");
        }
        for other in ["", "id name me", "readyokay", "\u{fffd}"] {
            assert_eq!(Native.read(other), ProtocolLine::Other, "{other}");
        }
        for other in ["", "id name=X version=1", "param name=threads type=int", "=", "pong = \""] {
            assert_eq!(Hub.read(other), ProtocolLine::Other, "{other}");
        }
    }

    #[test]
    fn the_state_of_a_search_is_parsed_as_far_as_possible() {
        let reported = |protocol: LineProtocol, line: &str| match protocol.read(line) {
            ProtocolLine::Info(reported, line) => {
                (reported.score, reported.depth, reported.nodes, reported.reported, line.join(" "))
            }
            other => panic!("{other:?}"),
        };
        let all = "info depth 8 seldepth 20 multipv 1 score cp -7 upperbound nodes 123 time 84 pv 1-5 depth 9";
        let expected =
            (Some(Value::Cp(-7)), Some(8), Some(123), Some(Duration::from_millis(84)), "1-5 depth 9".to_owned());
        assert_eq!(reported(Native, all), expected);
        let line = "info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8.0 pv=\"32-28 17-22\"";
        let (score, depth, nodes, ..) = reported(Hub, line);
        assert_eq!((score, depth, nodes), (Some(Value::Cp(-1)), Some(21), Some(31_261_613)));
        for (protocol, line, score) in [
            (Native, "info score win 4 depth x", Some(Value::Win(4))),
            (Native, "info score loss 4", Some(Value::Loss(4))),
            (Native, "info score", None),
            (Hub, "info score=99.90", Some(Value::Win(5))),
            (Hub, "info score=-99.88", Some(Value::Loss(6))),
            (Hub, "info score=inf depth=x", None),
        ] {
            assert_eq!(reported(protocol, line), (score, None, None, None, String::new()), "{line}");
        }
    }

    #[test]
    fn only_variants_supported_by_a_hub_engine_are_set() {
        let known = ["normal", "bt", "frisian"].map(str::to_owned);
        let chosen = |variant| Hub.choose(variant, &known).map(Option::unwrap_or_default);
        assert_eq!(chosen(Variant::International).as_deref(), Ok("set-param name=variant value=normal"));
        assert_eq!(chosen(Variant::Breakthrough).as_deref(), Ok("set-param name=variant value=bt"));
        assert_eq!(chosen(Variant::Italian), Err("italian is not supported".to_owned()));
        assert_eq!(Hub.choose(Variant::International, &[]), Ok(None));
        assert!(Hub.choose(Variant::Frisian, &[]).is_err());
    }

    #[test]
    fn requests_contain_the_whole_game_the_clocks_and_the_limits() {
        let clock = SideClock::new(&"40/1+0.25".parse().unwrap());
        let moves = [("32-28", "32-28"), ("19x23", "19x23x28")];
        let moves = moves.map(|(path, hub)| MoveTexts { path: path.to_owned(), hub: hub.to_owned() });
        let (side, last_took, clocks) = (Color::Black, Duration::ZERO, [Some(&clock), Some(&clock)]);
        let request = SearchRequest { start: None, hub_start: "Wee", moves: &moves, side, clocks, last_took, dice: "" };
        let begun = SearchRequest { moves: &[], ..request };
        assert_eq!(Native.position(&request), "position startpos moves 32-28 19x23");
        assert_eq!(Native.position(&begun), "position startpos");
        assert_eq!(Hub.position(&request), "pos pos=Wee moves=\"32-28 19x23x28\"");
        assert_eq!(Hub.position(&begun), "pos pos=Wee");

        let timed = Control { clock: Some("40/1+0.25".parse().unwrap()), ..Control::default() };
        let alone = SearchRequest { clocks: [None, Some(&clock)], ..request };
        let counted = Control { nodes: Some(5), depth: Some(3), ..Control::default() };
        for (protocol, control, request, mode, expected) in [
            (Native, &timed, request, Mode::Think, "go wtime 1000 winc 250 btime 1000 binc 250 movestogo 40"),
            (Native, &timed, alone, Mode::Think, "go btime 1000 binc 250 movestogo 40"),
            (Native, &timed, alone, Mode::Ponder, "go ponder btime 1000 binc 250 movestogo 40"),
            (Native, &counted, alone, Mode::Think, "go nodes 5 depth 3"),
            (
                Hub,
                &counted,
                alone,
                Mode::Think,
                "level moves=40 time=0.75 inc=0.25\nlevel nodes=5\nlevel depth=3\ngo think",
            ),
        ] {
            assert_eq!(protocol.go(control, &request, mode), expected);
        }
    }
}
