//! What a match prints.

use super::match_reporter::Settings;
use crate::arena::statistics::{Elo, Sprt, Tally};
use crate::arena::{EngineFigures, EngineSpec, GameHeader, GameLog, MatchSettings, MoveLog, Results, Words};
use soffio::rules::Color;
use std::fmt::{self, Display};
use std::time::Duration;

/// The standing of the first two engines after some games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) games: u64,
    pub(super) elo: Option<Elo>,
    /// The log-likelihood ratio, if there is a test.
    pub(super) ratio: Option<f64>,
}

impl Standing {
    pub(super) fn new(settings: &Settings, results: &Results) -> Self {
        let sample = results.of(0).sample();
        let ratio = settings.sprt.map(|sprt| sprt.ratio(&sample));
        Self { games: results.games(), elo: Elo::estimate(&sample), ratio }
    }
}

/// Text that grows line by line.
#[derive(Default)]
pub(super) struct Text(String);

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0
    }
}

impl Text {
    pub(super) fn say(&mut self, text: impl Display) {
        self.0.push_str(&text.to_string());
    }

    /// A line of the table: a name and its text.
    pub(super) fn entry(&mut self, name: &str, text: impl Display) {
        self.say(format_args!("  {name:<14} {text}\n"));
    }
}

/// What is said before the first game: how many there are, and in words what limits the moves of each engine.
pub(super) fn heading(settings: &Settings, game: &MatchSettings) -> String {
    let (games, played, at_a_time) = (settings.games, game.played.len(), game.concurrency);
    let mut text = Text(format!("{games} games, {}, {at_a_time} at a time", settings.variant));
    if played > 0 {
        text.say(format_args!(", {played} played already"));
    }
    text.say("\n");
    let limits = |spec: &EngineSpec| {
        let margin = spec.margin.unwrap_or(game.timeouts.margin);
        let is_timed = spec.control.clock.is_some() || spec.control.move_time.is_some();
        let margin = if is_timed { format!(", {} of margin", Words(margin)) } else { String::new() };
        format!("{}{margin}", spec.control)
    };
    for spec in &game.engines {
        text.entry(&spec.name, limits(spec));
    }
    text.0
}

/// The line on a finished game.
pub(super) fn game_line(settings: &Settings, log: &GameLog) -> String {
    let GameLog { header: GameHeader { game, white, black, .. }, detail, .. } = log;
    let result = match log.header.winner {
        None => "draw",
        Some(Color::White) => "White won",
        Some(Color::Black) => "Black won",
    };
    let plies = log.moves.len();
    format!("game {game} of {}: {white} - {black}: {result}, {detail}, {plies} plies", settings.games)
}

/// The line on the first line of an engine that cannot be played in a game, if there is one.
pub(super) fn bad_line(log: &GameLog) -> Option<String> {
    let is_bad = |(index, mv): (usize, &MoveLog)| Some((index, mv.side, mv.bad_line.as_ref()?.clone()));
    let (index, side, line) = log.moves.iter().enumerate().find_map(is_bad)?;
    let name = if side == Color::White { &log.header.white } else { &log.header.black };
    Some(format!("game {}, ply {}: {name} tells a line that cannot be played: {line}", log.header.game, index + 1))
}

/// One line on the standing of the match.
pub(super) fn progress(settings: &Settings, results: &Results, (played, elapsed): (u64, Duration)) -> String {
    let mut text = Text(format!("game {}/{}", results.games(), settings.games));
    if settings.names.len() == 2 {
        let tally = results.of(0);
        text.say(format_args!("  {}", TallyText(&tally)));
        if let Some(elo) = Elo::estimate(&tally.sample()) {
            text.say(format_args!("  Elo {elo}"));
        }
        if let Some(sprt) = &settings.sprt {
            text.say(format_args!("  LLR {}", Ratio(sprt, &tally)));
        }
    }
    text.say(time_left(settings.games.saturating_sub(results.games()), (played, elapsed)));
    text.0
}

/// How long the games that are `left` will take, when so many were `played` in the time; nothing if that cannot be said.
pub(super) fn time_left(left: u64, (played, elapsed): (u64, Duration)) -> String {
    if played == 0 || left == 0 {
        return String::new();
    }
    format!("  {} left", duration(elapsed.mul_f64(left as f64 / played as f64)))
}

/// Wins, draws and losses.
struct TallyText<'a>(&'a Tally);

impl Display for TallyText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [losses, draws, wins] = self.0.games;
        write!(f, "+{wins} ={draws} -{losses}")
    }
}

impl TallyText<'_> {
    fn percent(&self) -> f64 {
        let [_, draws, wins] = self.0.games;
        100.0 * (wins as f64 + draws as f64 / 2.0) / self.0.count().max(1) as f64
    }
}

/// The log-likelihood ratio with its bounds.
struct Ratio<'a>(&'a Sprt, &'a Tally);

impl Display for Ratio<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lower, upper) = self.0.bounds();
        write!(f, "{:.2} [{lower:.2}, {upper:.2}]", self.0.ratio(&self.1.sample()))
    }
}

/// A time for people: its two greatest units.
pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// The table at the end.
pub(super) fn table(settings: &Settings, results: &Results, elapsed: Duration) -> String {
    let mut text = Text(String::new());
    if let [one, other] = settings.names.as_slice() {
        text.say(format_args!("{one} against {other}, {}\n", settings.variant));
        standing(&mut text, &results.of(0), settings.sprt.as_ref());
    } else {
        cross_table(&mut text, settings, results);
    }
    let ended: Vec<_> = results.terminations.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    text.entry("ended by", ended.join(", "));
    for (index, engine) in &results.engines {
        text.entry(name(settings, *index), figures(engine));
    }
    if results.machine_late > 0 {
        let losses = results.machine_late;
        text.entry(
            "machine",
            format_args!("as late as the engine in {losses} of the games lost on time: it is overloaded"),
        );
    }
    text.entry("time", duration(elapsed));
    text.0
}

/// What the moves of an engine cost, and what it did wrong.
pub(super) fn figures(engine: &EngineFigures) -> String {
    let time = engine.time.as_secs_f64() * 1e3 / engine.moves.max(1) as f64;
    let mut line = String::new();
    // Not every protocol has them.
    if let Some(nodes) = mean(engine.nodes) {
        line.push_str(&format!("{nodes:.0} nodes, "));
    }
    if let Some(depth) = mean(engine.depth) {
        line.push_str(&format!("depth {depth:.1}, "));
    }
    line.push_str(&format!("{time:.2} ms a move"));
    if let (count @ 1.., sum, most) = engine.latency {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        line.push_str(&format!(", latency {:.2} ms, at most {:.0} ms", ms(sum) / count as f64, ms(most)));
    }
    if engine.bad_lines > 0 {
        line.push_str(&format!(", lines that cannot be played {}", engine.bad_lines));
    }
    for (kind, count) in &engine.faults {
        line.push_str(&format!(", {kind} {count}"));
    }
    line
}

/// The mean of so many numbers with this sum.
fn mean((count, sum): (u64, u64)) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

fn name(settings: &Settings, index: usize) -> &str {
    settings.names.get(index).map_or("?", String::as_str)
}

/// The lines on a match of two.
fn standing(text: &mut Text, tally: &Tally, sprt: Option<&Sprt>) {
    let score = TallyText(tally);
    text.entry("games", format_args!("{}: {score}, {:.1} %", tally.count(), score.percent()));
    let pairs = tally.pairs.map(|count| count.to_string()).join(" ");
    text.entry("pairs", format_args!("{pairs} (0, 1/2, 1, 1 1/2, 2 points)"));
    if let Some(elo) = Elo::estimate(&tally.sample()) {
        text.entry("Elo", format_args!("{elo} (95 %), LOS {:.1} %", 100.0 * elo.superiority));
        text.entry("normalized Elo", format_args!("{:+.1} +/- {:.1}", elo.normalized, elo.normalized_error));
    }
    if let Some(sprt) = sprt {
        let decision = sprt.decide(&tally.sample());
        let ratio = Ratio(sprt, tally);
        text.entry("SPRT", format_args!("elo0 {} elo1 {}: LLR {ratio}, {decision}", sprt.elo0, sprt.elo1));
    }
}

/// The lines on a match of many, best first.
fn cross_table(text: &mut Text, settings: &Settings, results: &Results) {
    text.say(format_args!("{} engines, {}\n", settings.names.len(), settings.variant));
    let mut order: Vec<_> = (0..settings.names.len()).map(|index| (index, results.of(index))).collect();
    order.sort_by(|(_, one), (_, other)| TallyText(other).percent().total_cmp(&TallyText(one).percent()));
    for (index, tally) in &order {
        let score = TallyText(tally);
        let elo = Elo::estimate(&tally.sample()).map(|elo| format!(", Elo {elo} against the others"));
        let line = format!("{}: {score}, {:.1} %{}", tally.count(), score.percent(), elo.unwrap_or_default());
        text.entry(name(settings, *index), line);
    }
    for ((one, other), tally) in &results.tallies {
        let line = format_args!("{} - {}: {}", name(settings, *one), name(settings, *other), TallyText(tally));
        text.entry("", line);
    }
}
