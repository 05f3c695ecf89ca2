//! The command line of `match`.

use crate::arena::statistics::Sprt;
use crate::arena::{DrawRule, Format, WinRule};
use crate::rules::Variant;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// What `match` is told.
#[derive(Clone, Debug, Args)]
pub struct MatchArguments {
    #[command(flatten)]
    pub(super) engines: EngineWords,
    /// What holds for all engines that do not say otherwise.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) each: Vec<String>,
    /// The game.
    #[arg(long, default_value = "italian", value_parser = variant)]
    pub(super) variant: Variant,
    /// Who meets: round-robin, or gauntlet, the first engine against all others.
    #[arg(long, default_value = "round-robin")]
    pub(super) format: Format,
    /// Games of each two engines that meet.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(super) games: u32,
    /// How often an opening is played in a row by the same two, with changing colours.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) repeat: u16,
    /// Where games begin: `startpos`, or `generate:plies=4,margin=60`, all lines of so many plies that a search of
    /// `depth=8` calls even within so many hundredths of a man; or a file of game
    /// records (PDN), FENs or moves, in which each opening has a line.
    #[arg(long, default_value = "generate:plies=4,margin=60", value_name = "WHERE")]
    pub(super) openings: OpeningSource,
    /// Moves of an opening from a file that are played at most, both sides together.
    #[arg(long)]
    pub(super) plies: Option<u16>,
    /// What the order of the openings depends on; those of a file come in their order without it.
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// Games at a time; without it as many as the processor has cores for.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: Option<u16>,
    /// End a game as a draw after move MOVE when all scores of both were within SCORE for COUNT moves.
    #[arg(long, value_name = "move=MOVE,count=COUNT,score=SCORE")]
    pub(super) draw: Option<DrawRule>,
    /// End a game as won when both agreed on at least SCORE for COUNT moves.
    #[arg(long, value_name = "count=COUNT,score=SCORE")]
    pub(super) win: Option<WinRule>,
    /// Moves of each side after which a game is a draw.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) max_moves: u32,
    /// Milliseconds by which a move may exceed its time, for the way through the pipes.
    #[arg(long, default_value_t = 20, value_name = "MS")]
    pub(super) margin: u32,
    /// Seconds after which an engine that does not answer is given up, where no clock says it.
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) stall: u32,
    /// What to do when an engine did something wrong: restart it and go on, or stop the match.
    #[arg(long, default_value = "restart")]
    pub(super) on_fault: OnFault,
    /// Write every game to this new file, as Portable Draughts Notation with scores, depths and times.
    #[arg(long, value_name = "FILE")]
    pub(super) pdn: Option<PathBuf>,
    /// Write every game to this new file, as a line of JSON.
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Go on with the match of the JSON file, if it exists.
    #[arg(long, requires = "json")]
    pub(super) resume: bool,
    /// Draw Elo with its error, and the test with its bounds, to this file (SVG) at the end.
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// End the match as soon as this test is decided; `alpha`, `beta` and `model` can be left out.
    #[arg(long, value_name = "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic")]
    pub(super) sprt: Option<Sprt>,
}

/// The variant called `name`.
///
/// # Errors
/// Names those that there are.
pub fn variant(name: &str) -> Result<Variant, String> {
    let names = || Variant::ALL.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(", ");
    Variant::named(name).ok_or_else(|| format!("the variants are {}", names()))
}

/// The words behind each `--engine`.
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
        let help = "An engine: cmd=COMMAND, and if wanted name=, dir=, option.NAME=; tc=SECONDS[/MOVES][+SECONDS], \
                    movetime=SECONDS, nodes= or depth= limit its moves";
        let argument = Arg::new(ENGINE).long(ENGINE).num_args(1..).action(ArgAction::Append);
        command.arg(argument.value_name("KEY=VALUE").required(true).help(help))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
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
    Generate {
        /// Length of the lines.
        plies: u32,
        /// How far from even they may be in 1/100 man.
        margin: u32,
        /// Depth of the search that says so.
        depth: u8,
    },
    /// Read from a file.
    File(PathBuf),
}

/// Why a text does not say where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceError(String);

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected generate:plies=4,margin=60,depth=8, found '{}'", self.0)
    }
}

impl std::error::Error for SourceError {}

impl FromStr for OpeningSource {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Self, SourceError> {
        let error = || SourceError(text.to_owned());
        if text == "startpos" {
            return Ok(Self::Start);
        }
        let (mut plies, mut margin, mut depth) = (None, 60, 8);
        let Some(settings) = text.strip_prefix("generate:") else { return Ok(Self::File(PathBuf::from(text))) };
        for pair in settings.split(',') {
            let (key, value) = pair.split_once('=').ok_or_else(error)?;
            let number: u32 = value.parse().map_err(|_| error())?;
            match key {
                "plies" => plies = Some(number),
                "margin" => margin = number,
                "depth" => depth = u8::try_from(number).ok().filter(|&depth| depth > 0).ok_or_else(error)?,
                _ => return Err(error()),
            }
        }
        plies.map(|plies| Self::Generate { plies, margin, depth }).ok_or_else(error)
    }
}
