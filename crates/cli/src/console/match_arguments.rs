//! The command line of `match`.

use super::GameName;
use crate::arena::statistics::Sprt;
use crate::arena::{BareNumber, DrawRule, Format, LineStart, MatchPlan, TimeError, WinRule, read_time};
use crate::pairs::{Pair, PairError};
use clap::builder::TypedValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use soffio::rules::Variant;
use std::fmt;
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// What `match` is told.
#[derive(Clone, Debug, Args)]
pub struct MatchArguments {
    #[command(flatten)]
    pub(super) engines: EngineWords,
    /// Instead of a match, walk this engine through its protocol and print what must be mended.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", conflicts_with = ENGINE)]
    pub(super) check: Vec<String>,
    /// What holds for all engines that do not say otherwise.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) each: Vec<String>,
    /// The game. In tavla two games in a row have the same dice, with changed sides; games begin at the start, and points are
    /// counted instead of Elo.
    #[arg(long, default_value = "italian", value_parser = super::game)]
    pub(super) variant: GameName,
    /// Play without forced captures, which english and casual can be: the referee and all engines, by their option
    /// `Forced Capture`.
    #[arg(long)]
    pub(super) optional_capture: bool,
    /// In tavla: a win by mars counts two points.
    #[arg(long)]
    pub(super) mars: bool,
    /// In tavla: a checker that has hit at home may not be moved on in the same turn.
    #[arg(long)]
    pub(super) no_hit_and_run: bool,
    /// The format: round-robin, or gauntlet, the first engine against all others.
    #[arg(long, default_value = "round-robin")]
    pub(super) format: Format,
    /// Rounds, in each of which all engines that meet do so, with openings of its own. Without it there is 1, or 50 if
    /// --games is left out too.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    rounds: Option<u32>,
    /// Games of two engines in a row in a round, with changing colours. Without it one opening is played, as often as
    /// --repeat says.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: Option<u32>,
    /// How many games in a row begin with the same opening.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) repeat: u16,
    /// Never change colours: of two engines that meet the first always has White.
    #[arg(long)]
    pub(super) no_swap: bool,
    /// Where games begin: `startpos`; `built-in`, or `built-in:NAME` where there are several; `generate:plies=4,margin=60`,
    /// all lines of so many plies that a search of `depth=8` calls even within so many hundredths of a man, with `less=1`
    /// from positions with one man less; or a file of game records (PDN), or with a FEN or moves on each line. Without it
    /// generate:plies=4,margin=60.
    #[arg(long, value_name = "WHERE")]
    pub(super) openings: Option<OpeningSource>,
    /// Moves of an opening from a file that are played at most, both sides together.
    #[arg(long)]
    pub(super) plies: Option<u16>,
    /// In what order openings are played: random, or sequential, as they stand in their file or collection. Without it those
    /// of a file are sequential unless there is a --seed, and others are random.
    #[arg(long)]
    pub(super) order: Option<Order>,
    /// The number of the first opening, counted from 1 in that order; after the last one the first follows.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) start: u32,
    /// What a random order of the openings depends on, and in tavla the dice.
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// Games at a time; without it as many as the processor has cores for.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024).try_map(NonZeroU16::try_from))]
    pub(super) concurrency: Option<NonZeroU16>,
    /// End a game as a draw after move MOVE when all scores of both were within SCORE for COUNT moves.
    #[arg(long, value_name = "move=MOVE,count=COUNT,score=SCORE")]
    pub(super) draw: Option<DrawRule>,
    /// End a game as won when both agreed on at least SCORE for COUNT moves.
    #[arg(long, value_name = "count=COUNT,score=SCORE")]
    pub(super) win: Option<WinRule>,
    /// End a game as soon as the endgame tables in this folder know its result (`soffio tables build` makes them).
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
    /// Moves of each side after which a game is a draw.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) max_moves: u32,
    /// By how much a move may exceed its time, for the way through the pipes: milliseconds, or with a unit as 0.1s.
    #[arg(long, default_value = "20", value_name = "MS", value_parser = milliseconds)]
    pub(super) margin: Duration,
    /// After what time an engine that does not answer is given up, where no clock says it: seconds, or with a unit as 2m.
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = seconds)]
    pub(super) stall: Duration,
    /// Time between two games: seconds, or with a unit as 500ms.
    #[arg(long, default_value = "0", value_name = "SECONDS", value_parser = pause)]
    pub(super) wait: Duration,
    /// Bind the engines of each game to cores of their own (Linux).
    #[arg(long)]
    pub(super) affinity: bool,
    /// Play every line that engines tell during a search, and say which cannot be played.
    #[arg(long)]
    pub(super) check_lines: bool,
    /// What to do when an engine did something wrong: restart it and go on, or stop the match.
    #[arg(long, default_value = "restart")]
    pub(super) on_fault: OnFault,
    /// Write every game to this new file, as Portable Draughts Notation with scores, depths and times.
    #[arg(long, value_name = "FILE")]
    pub(super) pdn: Option<PathBuf>,
    /// Write every game to this new file, as a line of JSON.
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write the last position of every game to this new file, as a line with its FEN.
    #[arg(long, value_name = "FILE")]
    pub(super) epd: Option<PathBuf>,
    /// What the game records call the event.
    #[arg(long, default_value = "soffio match", value_parser = tag_value)]
    pub(super) event: String,
    /// What the game records call the site.
    #[arg(long, default_value = "?", value_parser = tag_value)]
    pub(super) site: String,
    /// Print no line for a finished game, unless an engine did something wrong.
    #[arg(long)]
    pub(super) quiet: bool,
    /// Go on with the match of the JSON file, if it exists; everything but the number of games must be the same.
    #[arg(long, requires = "json")]
    pub(super) resume: bool,
    /// Draw Elo with its error, and the test with its bounds, to this file (SVG) at the end.
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Replace the picture if it exists.
    #[arg(long, requires = "plot")]
    pub(super) overwrite: bool,
    /// End the match as soon as this test is decided; `alpha`, `beta` and `model` can be left out.
    #[arg(long, value_name = "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic")]
    pub(super) sprt: Option<Sprt>,
}

/// A time of which a number alone counts milliseconds.
fn milliseconds(text: &str) -> Result<Duration, TimeError> {
    read_time(text, BareNumber::Milliseconds)
}

/// A time of which a number alone counts seconds.
fn pause(text: &str) -> Result<Duration, TimeError> {
    read_time(text, BareNumber::Seconds)
}

/// A time above 0 of which a number alone counts seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = pause(text).map_err(|error| error.to_string())?;
    if time.is_zero() { Err("expected more than 0".to_owned()) } else { Ok(time) }
}

/// Rounds if nothing is said about their number or that of the games.
const ROUNDS: u32 = 50;

impl MatchArguments {
    /// The rules of `variant` as the match plays it.
    ///
    /// # Errors
    /// When captures are forced in every form of the game, or rules of tavla are asked for.
    pub(super) fn rules(&self, variant: Variant) -> Result<Variant, String> {
        for (is_given, name) in [(self.mars, "--mars"), (self.no_hit_and_run, "--no-hit-and-run")] {
            if is_given {
                return Err(format!("{name}: only tavla has this rule"));
            }
        }
        if !self.optional_capture {
            return Ok(variant);
        }
        let without = variant.with_optional_capture();
        without.ok_or_else(|| format!("--optional-capture: captures are always forced in {variant}"))
    }

    /// Where games of draughts begin.
    pub(super) fn opening_source(&self) -> OpeningSource {
        let default = GenerateSettings { plies: 4, margin: 60, depth: 8, start: LineStart::AllMen };
        self.openings.clone().unwrap_or(OpeningSource::Generate(default))
    }

    /// How often engines play each other.
    pub(super) fn plan(&self) -> MatchPlan {
        let (rounds, games) = match (self.rounds, self.games) {
            (None, Some(games)) => (1, games),
            (rounds, games) => (rounds.unwrap_or(ROUNDS), games.unwrap_or_else(|| self.repeat.into())),
        };
        MatchPlan { rounds: rounds as usize, games: games as usize, repeat: self.repeat.into(), swaps: !self.no_swap }
    }

    /// In what order openings are played.
    pub(super) fn order(&self) -> Order {
        let usual = match (&self.openings, self.seed) {
            (Some(OpeningSource::File(_)), None) => Order::Sequential,
            _ => Order::Random,
        };
        self.order.unwrap_or(usual)
    }
}

/// The words after each `--engine`.
#[derive(Clone, Debug)]
pub(super) struct EngineWords(pub(super) Vec<Vec<String>>);

const ENGINE: &str = "engine";

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let occurrences = matches.get_occurrences::<String>(ENGINE).into_iter().flatten();
        Ok(Self(occurrences.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for EngineWords {
    fn augment_args(command: Command) -> Command {
        let help = "An engine: cmd=COMMAND, and if wanted name=, proto=native|hub|dxp, dir=, option.NAME=; \
                    tc=[MOVES/]SECONDS[+SECONDS], st=SECONDS, movetime=MS, nodes= or depth= limit its moves, where times \
                    can name their unit, as 100ms, 2s or 1m; timemargin=MS is its --margin; \
                    ponder=on lets it think while its opponent does, restart=on starts it again for every game. With proto=dxp the \
                    command has {port} where it is to listen, or addr=HOST:PORT stands for an engine that listens already; \
                    it has no options, and tc, st or movetime alone";
        let argument = Arg::new(ENGINE).long(ENGINE).num_args(1..).action(ArgAction::Append);
        command.arg(argument.value_name("KEY=VALUE").required_unless_present("check").help(help))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// A text of one line for a game record.
fn tag_value(text: &str) -> Result<String, String> {
    let breaks = |c: char| c.is_control() || matches!(c, '"' | '\\');
    let is_fit = !text.contains(breaks);
    is_fit.then(|| text.to_owned()).ok_or_else(|| "expected a text of one line without quotation marks".to_owned())
}

/// In what order openings are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// As a seed says.
    Random,
    /// One after the other.
    Sequential,
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "random" => Ok(Self::Random),
            "sequential" => Ok(Self::Sequential),
            _ => Err(format!("expected random or sequential, found '{text}'")),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Sequential => "sequential",
        })
    }
}

/// What to do when an engine did something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnFault {
    /// Go on, with a new process if the old one cannot be used any more.
    Restart,
    /// End the match.
    Stop,
}

impl FromStr for OnFault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "restart" => Ok(Self::Restart),
            "stop" => Ok(Self::Stop),
            _ => Err(format!("expected restart or stop, found '{text}'")),
        }
    }
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OpeningSource {
    /// The start position.
    Start,
    /// Made here.
    Generate(GenerateSettings),
    /// Made before and kept in the program, under this name.
    BuiltIn(Option<String>),
    /// Read from a file.
    File(PathBuf),
}

/// What openings to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerateSettings {
    /// Length of the lines.
    pub(super) plies: u32,
    /// How far from even they may be in 1/100 man.
    pub(super) margin: u32,
    /// Depth of the search that says so.
    pub(super) depth: u8,
    /// Where they begin.
    pub(super) start: LineStart,
}

/// What settings for openings that are made here look like.
const GENERATED: &str = "generate:plies=4,margin=60,depth=8,less=0";

impl FromStr for GenerateSettings {
    type Err = PairError;

    fn from_str(text: &str) -> Result<Self, PairError> {
        let incomplete = || PairError::new(GENERATED, text);
        let mut settings = Self { plies: 0, margin: 60, depth: 8, start: LineStart::AllMen };
        let mut has_plies = false;
        for pair in Pair::list(text.strip_prefix(GENERATE).ok_or_else(incomplete)?, GENERATED) {
            let pair = pair?;
            match (pair.key, pair.value) {
                ("plies", _) => (settings.plies, has_plies) = (pair.parse("a number", |_| true)?, true),
                ("margin", _) => settings.margin = pair.parse("a number", |_| true)?,
                ("depth", _) => settings.depth = pair.parse("a depth from 1 to 255", |&depth| depth > 0)?,
                ("less", "0") => settings.start = LineStart::AllMen,
                ("less", "1") => settings.start = LineStart::OneManLess,
                ("less", _) => return Err(pair.wrong("0 or 1")),
                _ => return Err(pair.unknown(GENERATED)),
            }
        }
        if has_plies { Ok(settings) } else { Err(incomplete()) }
    }
}

impl fmt::Display for GenerateSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let less = u8::from(self.start == LineStart::OneManLess);
        write!(f, "{GENERATE}plies={},margin={},depth={},less={less}", self.plies, self.margin, self.depth)
    }
}

/// What settings for openings that are made here begin with.
const GENERATE: &str = "generate:";

impl FromStr for OpeningSource {
    type Err = PairError;

    fn from_str(text: &str) -> Result<Self, PairError> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("startpos", "") => Ok(Self::Start),
            ("built-in", "") => Ok(Self::BuiltIn(None)),
            ("built-in", name) => Ok(Self::BuiltIn(Some(name.to_owned()))),
            _ if text.starts_with(GENERATE) => text.parse().map(Self::Generate),
            _ => Ok(Self::File(PathBuf::from(text))),
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("startpos"),
            Self::Generate(settings) => settings.fmt(f),
            Self::BuiltIn(None) => f.write_str("built-in"),
            Self::BuiltIn(Some(name)) => write!(f, "built-in:{name}"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}
