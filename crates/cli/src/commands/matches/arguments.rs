//! The command-line arguments of `soffio match`.

use super::openings::{GenerateSettings, OpeningSource};
use crate::input::EncodingArguments;
use crate::values::{GameName, game, integer};
use anyhow::{Result, anyhow, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use soffio::notation::pdn::decode;
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio_match::statistics::Sprt;
use soffio_match::{
    BareNumber, DrawRule, EngineSpec, JournalFiles, MatchFormat, MatchPlan, SEED, SHARD, TimeText, Timeouts, WinRule,
    command_words, read_time, term_of_journal,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

#[derive(Clone, Debug, Args)]
#[command(args_override_self = true)]
pub struct MatchArguments {
    #[command(flatten)]
    pub(super) engines: EngineArguments,
    /// Read arguments from FILE, ignoring lines that begin with #; command-line arguments take precedence
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Instead of playing a match, check whether this engine follows its protocol, and print the result of each step
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", conflicts_with = ENGINE)]
    pub(super) check: Vec<String>,
    /// Settings for all engines; --engine settings take precedence
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) each: Vec<String>,
    /// Variant, as listed by `soffio variants`, or `tavla`
    #[arg(long, default_value = "italian", value_parser = game)]
    pub(super) variant: GameName,
    /// Make captures optional (english and casual only); sets the `Forced Capture` option of all engines
    #[arg(long)]
    pub(super) optional_capture: bool,
    /// Tavla: count a win by mars as two points
    #[arg(long)]
    pub(super) mars: bool,
    /// Tavla: a checker that has hit in its home board may not move further in the same turn
    #[arg(long)]
    pub(super) no_hit_and_run: bool,
    /// Which engines play against each other
    #[arg(long, value_enum, default_value = "round-robin")]
    pub(super) format: MatchFormat,
    /// Number of rounds (1 to 10000000), each with new openings for all pairings [default: 50, or 1 with --games]
    #[arg(long, value_parser = integer::<u32>(1..=10_000_000))]
    pub(super) rounds: Option<u32>,
    /// Number of games per pairing in each round (1 to 10000000), with alternating colours [default: the value of
    /// --repeat]
    #[arg(long, value_parser = integer::<u32>(1..=10_000_000))]
    pub(super) games: Option<u32>,
    /// Number of consecutive games with the same opening (1 to 1000)
    #[arg(long, default_value_t = 2, value_parser = integer::<u16>(1..=1000))]
    pub(super) repeat: u16,
    /// Do not alternate colours; the first engine of each pairing always plays White
    #[arg(long)]
    pub(super) no_swap: bool,
    /// Source of the openings [default: generate:plies=4,margin=60]
    ///
    ///   startpos                     the start position
    ///   built-in                     two-move openings in Italian and English,
    ///                                random lines of 3 plies in other variants
    ///   built-in:3-move              three-move openings (Italian, English)
    ///   generate:plies=4,margin=60   all lines of 4 plies within 60 cp of
    ///                                an even score; other settings:
    ///                                depth=8 (search depth), margin=30-60
    ///                                (uneven lines), less=1 (one man fewer
    ///                                per side)
    ///   book:FILE,plies=8,margin=30  lines of a book, with no move more than
    ///                                30 cp worse than the best
    ///   FILE                         PDN games, or one FEN, EPD or move list
    ///                                per line
    #[arg(long, value_name = "SOURCE", verbatim_doc_comment)]
    pub(super) openings: Option<OpeningSource>,
    #[command(flatten)]
    pub(super) encoding: EncodingArguments,
    /// Maximum length in plies of openings from a file (0 to 65535) [default: unlimited]
    #[arg(long, value_parser = integer::<u16>(0..=u16::MAX.into()))]
    pub(super) plies: Option<u16>,
    /// Order of the openings [default: sequential for a file without --seed, otherwise random]
    #[arg(long, value_enum)]
    pub(super) order: Option<OpeningOrder>,
    /// Number of the first opening to play, counted from 1; after the last opening, the list starts again
    #[arg(long, default_value_t = 1, value_parser = integer::<u32>(1..=u32::MAX.into()))]
    pub(super) start: u32,
    /// Random seed for the opening order and, in tavla, for the dice [default: a random seed, which is printed; 1
    /// with --shard; the previous seed with --resume]
    #[arg(long, value_parser = integer::<u64>(0..=u64::MAX))]
    pub(super) seed: Option<u64>,
    /// Play only shard K/N of the games; combine the JSON files with `soffio merge`
    #[arg(long, value_name = "K/N", default_value = "1/1", conflicts_with = "sprt")]
    pub(super) shard: Shard,
    /// Number of concurrent games (1 to 1024) [default: number of cores divided by the threads per game]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroU16>(1..=1024))]
    pub(super) concurrency: Option<NonZeroU16>,
    /// Adjudicate a draw after move MOVE if the scores of both engines stay between -SCORE and SCORE cp for COUNT moves
    #[arg(long, value_name = "move=MOVE,count=COUNT,score=SCORE")]
    pub(super) draw: Option<DrawRule>,
    /// Adjudicate a win if both engines report an advantage of at least SCORE cp for the same side for COUNT moves
    #[arg(long, value_name = "count=COUNT,score=SCORE")]
    pub(super) win: Option<WinRule>,
    /// Adjudicate games with the endgame tables in this folder (see `soffio tables build`)
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
    /// Number of moves per side after which a game is adjudicated as a draw (1 to 100000)
    #[arg(long, value_name = "MOVES", default_value_t = 500, value_parser = integer::<u32>(1..=100_000))]
    pub(super) max_moves: u32,
    /// Time tolerance per move, to allow for pipe latency, in milliseconds unless a unit is given, as in 0.1s
    #[arg(long, default_value = "20", value_name = "MS", value_parser = milliseconds)]
    pub(super) margin: Duration,
    /// Time limit for replies to which no clock or move time applies, in seconds unless a unit is given, as in 2m; an
    /// engine that exceeds it is killed
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = seconds)]
    pub(super) stall: Duration,
    /// Pause between games, in seconds unless a unit is given, as in 500ms
    #[arg(long, default_value = "0", value_name = "SECONDS", value_parser = pause)]
    pub(super) wait: Duration,
    /// Pin the engines of each game to their own cores (Linux only)
    #[arg(long)]
    pub(super) affinity: bool,
    /// Check the principal variations that the engines report, and print illegal ones
    #[arg(long)]
    pub(super) check_lines: bool,
    /// What to do after an engine fault: a crash, a stall, an illegal move or a loss on time
    #[arg(long, value_enum, default_value = "restart")]
    pub(super) on_fault: OnFault,
    /// Write the games to a new PDN file, with scores, depths and times
    #[arg(long, value_name = "FILE")]
    pub(super) pdn: Option<PathBuf>,
    /// Write the games to a new file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write the final positions to a new EPD file, each with its FEN and an `id`
    #[arg(long, value_name = "FILE")]
    pub(super) epd: Option<PathBuf>,
    /// Event tag of the game records
    #[arg(long, default_value = "soffio match", value_parser = tag_value)]
    pub(super) event: String,
    /// Site tag of the game records
    #[arg(long, default_value = "?", value_parser = tag_value)]
    pub(super) site: String,
    /// Do not print a line for each game, except after an engine fault
    #[arg(long)]
    pub(super) quiet: bool,
    /// Resume the match in the --json file, if it exists; settings that affect the games must not change, except the
    /// number of games
    #[arg(long, requires = "json")]
    pub(super) resume: bool,
    /// Write an SVG plot of Elo with error bars, and of the SPRT with its bounds, to FILE when the match ends
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Overwrite the plot if it exists
    #[arg(long, requires = "plot")]
    pub(super) overwrite: bool,
    /// Stop the match as soon as this SPRT is decided; `alpha`, `beta` and `model` may be omitted
    #[arg(long, value_name = "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic")]
    pub(super) sprt: Option<Sprt>,
}

fn milliseconds(text: &str) -> Result<Duration> {
    read_time(text, BareNumber::Milliseconds)
}

fn pause(text: &str) -> Result<Duration> {
    read_time(text, BareNumber::Seconds)
}

fn seconds(text: &str) -> Result<Duration> {
    let time = pause(text)?;
    ensure!(!time.is_zero(), "expected a time above 0");
    Ok(time)
}

/// Default seed for match shards and for printing generated openings.
pub(super) const DEFAULT_SEED: u64 = 1;

const ROUNDS: u32 = 50;

impl MatchArguments {
    /// Returns `variant` with `--optional-capture` applied. Fails if an option is given that is only available in
    /// tavla.
    pub(super) fn rules(&self, variant: Variant) -> Result<Variant> {
        for (is_given, name) in [(self.mars, "--mars"), (self.no_hit_and_run, "--no-hit-and-run")] {
            ensure!(!is_given, "{name}: only available with --variant tavla");
        }
        if !self.optional_capture {
            return Ok(variant);
        }
        let without = variant.with_optional_capture();
        without.ok_or_else(|| anyhow!("--optional-capture: captures are always forced in {variant}"))
    }

    pub(super) fn files(&self) -> Result<JournalFiles<'_>> {
        let [lines, records, positions, plot] = [&self.json, &self.pdn, &self.epd, &self.plot].map(Option::as_deref);
        let mut paths = BTreeSet::new();
        for path in [lines, records, positions, plot].into_iter().flatten() {
            ensure!(paths.insert(path), "{}: each output needs its own file", path.display());
        }
        Ok(JournalFiles { lines, records, positions, resume: self.resume })
    }

    pub(super) fn opening_source(&self) -> OpeningSource {
        let default = GenerateSettings { plies: 4, ..GenerateSettings::DEFAULT };
        self.openings.clone().unwrap_or(OpeningSource::Generate(default))
    }

    pub(super) fn plan(&self) -> MatchPlan {
        let (rounds, games) = match (self.rounds, self.games) {
            (None, Some(games)) => (1, games),
            (rounds, games) => (rounds.unwrap_or(ROUNDS), games.unwrap_or_else(|| self.repeat.into())),
        };
        MatchPlan { rounds: rounds as usize, games: games as usize, repeat: self.repeat.into(), swaps: !self.no_swap }
    }

    pub(super) fn order(&self) -> OpeningOrder {
        let usual = match (&self.openings, self.seed) {
            (Some(OpeningSource::File(_)), None) => OpeningOrder::Sequential,
            _ => OpeningOrder::Random,
        };
        self.order.unwrap_or(usual)
    }

    pub(super) fn seed_of_openings(&self) -> Option<u64> {
        let is_random = self.order() == OpeningOrder::Random && self.opening_source() != OpeningSource::Start;
        if self.seed.is_none() && is_random { self.effective_seed() } else { self.seed }
    }

    /// Returns the seed from the command line or, if there is none, from the resumed journal. Without either, returns a
    /// fixed seed for a shard, because shards must share their openings, and a new random seed otherwise. Returns
    /// `None` if the resumed journal contains no valid seed, as in journals from older versions.
    pub(super) fn effective_seed(&self) -> Option<u64> {
        let journal = self.json.as_deref().filter(|_| self.resume);
        if self.seed.is_some() {
            self.seed
        } else if let Some(known) = journal.and_then(|path| term_of_journal(path, SEED)) {
            known.parse().ok()
        } else if self.shard == Shard::ALL {
            Some(fastrand::u32(..).into())
        } else {
            Some(DEFAULT_SEED)
        }
    }

    /// Returns the settings, by name, that must not change when a match is resumed. For two engines, the number of
    /// games is not included, so that the match can be extended.
    pub(super) fn terms(&self, engines: usize, seed: Option<u64>) -> BTreeMap<String, String> {
        fn or_none(value: Option<impl ToString>) -> String {
            value.map_or_else(|| "none".to_owned(), |value| value.to_string())
        }
        // Destructures all fields, so that every new argument must be included in the terms or excluded explicitly.
        #[rustfmt::skip]
        let Self {
            plies, start, format, draw, win, tables, max_moves, margin, stall,
            // Added below, through methods.
            openings: _, order: _, seed: _, repeat: _, no_swap: _, games: _, shard: _,
            // Compared by the journal.
            engines: _, each: _, variant: _, optional_capture: _,
            // May change, or apply only to tavla.
            config: _, check: _, mars: _, no_hit_and_run: _, rounds: _, encoding: _, concurrency: _, wait: _,
            affinity: _, check_lines: _, on_fault: _, pdn: _, json: _, epd: _, event: _, site: _, quiet: _, resume: _,
            plot: _, overwrite: _, sprt: _,
        } = self;
        let plan = self.plan();
        let mut terms = vec![
            ("openings", self.opening_source().to_string()),
            ("plies", or_none(*plies)),
            ("order", value_name(&self.order())),
            ("start", start.to_string()),
            (SEED, or_none(seed)),
            ("format", value_name(format)),
            ("repeat", plan.repeat.to_string()),
            ("colours", if plan.swaps { "change" } else { "stay" }.to_owned()),
            ("draw", or_none(*draw)),
            ("win", or_none(*win)),
            ("tables", or_none(tables.as_ref().map(|folder| folder.display()))),
            ("max moves", max_moves.to_string()),
            ("margin", TimeText(*margin).to_string()),
            ("stall", TimeText(*stall).to_string()),
        ];
        // With more than two engines, the number of games determines which engines play in each game.
        if engines > 2 {
            terms.push(("games", plan.games.to_string()));
        }
        terms.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(self.part()).collect()
    }

    pub(super) fn part(&self) -> Option<(String, String)> {
        (self.shard != Shard::ALL).then(|| (SHARD.to_owned(), self.shard.to_string()))
    }

    pub(super) fn timeouts(&self) -> Timeouts {
        Timeouts { margin: self.margin, stall: self.stall }
    }

    /// Parses the settings of the engines. If two engines have the same name, the number of the second engine is
    /// appended to its name.
    pub(super) fn engines(&self) -> Result<Vec<Arc<EngineSpec>>> {
        let mut engines: Vec<Arc<EngineSpec>> = Vec::new();
        for (number, words) in (1..).zip(&self.engines.0) {
            let spec = EngineSpec::parse(words, &self.each);
            let mut spec = spec.map_err(|error| anyhow!("engine {number}: {error}"))?;
            if engines.iter().any(|known| known.name == spec.name) {
                spec.name = format!("{} {number}", spec.name);
            }
            engines.push(Arc::new(spec));
        }
        let shared = engines.iter().find(|spec| spec.link.is_shared());
        if let Some(spec) = shared.filter(|_| self.concurrency.is_some_and(|games| games > NonZeroU16::MIN)) {
            bail!("engine {} is already running and plays one game at a time: use --concurrency 1", spec.name);
        }
        ensure!(engines.len() > 1, "a match needs at least two engines: give --engine once per engine");
        ensure!(engines.len() == 2 || self.sprt.is_none(), "--sprt: requires exactly two engines");
        Ok(engines)
    }

    /// Returns the number of concurrent games. If an engine is already running, the default is 1, because such an
    /// engine can play only one game at a time.
    pub(super) fn concurrency(&self, engines: &[Arc<EngineSpec>]) -> NonZeroUsize {
        if let Some(games) = self.concurrency {
            return games.into();
        }
        if engines.iter().any(|spec| spec.link.is_shared()) {
            return NonZeroUsize::MIN;
        }
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        NonZeroUsize::new(cores / threads(engines)).unwrap_or(NonZeroUsize::MIN)
    }
}

/// Returns an upper bound on the number of threads that search at the same time in a game: the largest thread count of
/// any engine, doubled if any engine ponders.
pub(super) fn threads(engines: &[Arc<EngineSpec>]) -> usize {
    let threads = |spec: &Arc<EngineSpec>| {
        let option = spec.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        option.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    };
    let max_threads: usize = engines.iter().map(threads).max().unwrap_or(1).max(1);
    max_threads * if engines.iter().any(|spec| spec.ponders) { 2 } else { 1 }
}

fn value_name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Cutechess options that have a different name in Soffio, with their Soffio equivalents.
const OTHER_NAMES: [(&str, &str); 9] = [
    ("debug", "--log-file FILE"),
    ("epdout", "--epd FILE"),
    ("maxmoves", "--max-moves MOVES"),
    ("noswap", "--no-swap"),
    ("pgnout", "--pdn FILE"),
    ("recover", "--on-fault restart"),
    ("resign", "--win count=COUNT,score=SCORE"),
    ("srand", "--seed SEED"),
    ("tournament", "--format round-robin or gauntlet"),
];

/// Replaces the `--config` option of `soffio match` with the arguments in the file. Rejects options with a single dash,
/// as used by cutechess.
pub fn expand_match(mut words: Vec<OsString>) -> Result<Vec<OsString>> {
    let is_option = |word: &OsString| word.to_string_lossy().starts_with("--");
    let command =
        (1..words.len()).find(|&at| !words.get(at).is_some_and(is_option) && !words.get(at - 1).is_some_and(is_option));
    let Some(command) = command.filter(|&at| words.get(at).is_some_and(|word| word == "match")) else {
        return Ok(words);
    };
    let mut own: Vec<OsString> = words.split_off(command + 1);
    let known = MatchArguments::augment_args(Command::new("match"));
    for name in own.iter().filter_map(|word| word.to_str()?.strip_prefix('-')) {
        if let Some((_, right)) = OTHER_NAMES.iter().find(|(other, _)| *other == name) {
            bail!("'-{name}' is not supported: use {right}");
        }
        let is_known = name.len() > 1 && known.get_arguments().any(|argument| argument.get_long() == Some(name));
        ensure!(!is_known, "unknown option '-{name}': use --{name}");
    }
    let at = own.iter().position(|word| word == "--config" || word.to_string_lossy().starts_with("--config="));
    if let Some(at) = at {
        let word = own.remove(at);
        let path = match word.to_string_lossy().strip_prefix("--config=") {
            Some(path) => PathBuf::from(path),
            None if at < own.len() => own.remove(at).into(),
            None => bail!("--config: file name missing"),
        };
        let problem = |error: &dyn fmt::Display| anyhow!("--config: {}: {error}", path.display());
        let text = decode(&fs::read(&path).map_err(|error| problem(&error))?).text;
        let lines = text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.starts_with('#'));
        for (line, number) in lines {
            let unclosed = || problem(&format_args!("line {number} has an unclosed quotation mark"));
            let read = command_words(line).ok_or_else(unclosed)?;
            words.extend(read.into_iter().map(OsString::from));
        }
    }
    words.extend(own);
    Ok(words)
}

#[derive(Clone, Debug)]
pub(super) struct EngineArguments(Vec<Vec<String>>);

const ENGINE: &str = "engine";

const ENGINE_SUMMARY: &str = "Settings of an engine, such as cmd=COMMAND; give the option once per engine";

const ENGINE_HELP: &str = "Settings of an engine; give the option once per engine

  cmd=COMMAND            program to run
  args=\"-a b\", arg=X     arguments for the program
  name=NAME, dir=DIR     name in the results, working directory
  proto=native|hub|dxp   protocol
  option.NAME=VALUE      engine option
  tc=40/60+0.5           [MOVES/]SECONDS[+INCREMENT]; separate
                         several periods with colons
  st=SECONDS             time per move in seconds
  movetime=MS            time per move in milliseconds
  nodes=N, depth=N       nodes or plies per move
  timemargin=MS          time tolerance, instead of --margin
  ponder=on              ponder on the opponent's time
  restart=on             start a new process for each game
  addr=HOST:PORT         address of a DXP engine that is already
                         listening

Times accept the units ms, s, m and h; `inf` removes a limit that --each sets. In a DXP engine's command, {port} \
stands for the port. DXP engines have no options and accept only the limits tc, st and \
movetime.";

impl FromArgMatches for EngineArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let occurrences = matches.get_occurrences::<String>(ENGINE).into_iter().flatten();
        Ok(Self(occurrences.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for EngineArguments {
    fn augment_args(command: Command) -> Command {
        let argument = Arg::new(ENGINE).long(ENGINE).num_args(1..).action(ArgAction::Append);
        command.arg(
            argument
                .value_name("KEY=VALUE")
                .required_unless_present("check")
                .help(ENGINE_SUMMARY)
                .long_help(ENGINE_HELP),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn tag_value(text: &str) -> Result<String> {
    let breaks = |c: char| c.is_control() || matches!(c, '"' | '\\');
    ensure!(!text.contains(breaks), "expected a single line without quotation marks or backslashes");
    Ok(text.to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OpeningOrder {
    /// Shuffled with --seed
    Random,
    /// As listed in the file or collection
    Sequential,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OnFault {
    /// Continue the match, with a new process if necessary
    Restart,
    /// Stop the match
    Stop,
}
