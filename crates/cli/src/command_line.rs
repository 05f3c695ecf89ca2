//! Parses the command line and runs the requested command.

use crate::{commands, values};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::{Generator, Shell};
use env_logger::{Builder, Target};
use etcetera::BaseStrategy;
use log::LevelFilter;
use soffio::rules::Variant;
use soffio::session::Hub;
use soffio::system::reason;
use soffio_support::log_file::LogFile;
use soffio_support::stdio::{self, is_broken_pipe};
use soffio_support::with_path::WithPath;
use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::Arc;
use sysinfo::{MemoryRefreshKind, System};

/// A draughts engine for many variants
///
/// Without a command, the program runs its native protocol on standard input and output. Type `help` there for a list
/// of protocol commands.
///
/// Most commands default to the italian variant; select another with --variant.
#[derive(Debug, Parser)]
#[command(name = "soffio", version, after_help = "Example: soffio play --variant english")]
struct ProgramArguments {
    /// Engine name to report (1 to 60 characters), so that a GUI can distinguish two instances
    #[arg(long, value_name = "NAME", value_parser = values::engine_name)]
    name: Option<String>,
    /// Append a log with timestamps to FILE
    #[arg(long, value_name = "FILE", global = true, help_heading = LOGGING, display_order = 1000)]
    log_file: Option<PathBuf>,
    /// Log level [default: debug with --log-file, otherwise off]; logs to standard error if no file is given
    #[arg(long, value_name = "LEVEL", global = true, help_heading = LOGGING, display_order = 1001)]
    #[arg(value_parser = PossibleValuesParser::new(LEVELS).try_map(|name| name.parse::<LevelFilter>()))]
    log_level: Option<LevelFilter>,
    #[command(subcommand)]
    mode: Option<ProgramMode>,
}

const LOGGING: &str = "Logging";

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

#[derive(Debug, Subcommand)]
enum ProgramMode {
    /// Play in the terminal against the engine or another person
    #[command(after_help = "Example: soffio play --variant english --black level=easy")]
    Play(Box<commands::play::PlayArguments>),
    /// Open the analysis board in a browser, or write it to an HTML file
    #[command(after_help = "Example: soffio board --port 8400")]
    Board(commands::board::BoardArguments),
    /// Run the Hub protocol on standard input and output
    ///
    /// Without a command, the program also switches to Hub if the first input line is `hub`.
    #[command(after_help = "Example: soffio hub --name \"Soffio 2\"")]
    Hub {
        /// Engine name to report (1 to 60 characters), so that a GUI can distinguish two instances
        #[arg(long, value_name = "NAME", value_parser = values::engine_name)]
        name: Option<String>,
    },
    /// Play games against another program over a network (DXP)
    #[command(after_help = "Example: soffio dxp --listen")]
    Dxp(Box<commands::dxp::DxpArguments>),
    /// Run the tavla protocol, train networks or compare tavla players
    #[command(after_help = "Example: soffio tavla")]
    Tavla(commands::tavla::TavlaArguments),
    /// List the variants with their names and notation
    #[command(after_help = "Example: soffio variants")]
    Variants {
        /// Print one JSON object per variant
        #[arg(long)]
        json: bool,
    },
    /// Search fixed positions of each variant and count the nodes
    #[command(after_help = "Example: soffio bench --variant english")]
    Bench(commands::bench::BenchArguments),
    /// Count move sequences to test the move generator
    #[command(after_help = "Example: soffio perft 6 --variant international")]
    Perft(commands::perft::PerftArguments),
    /// Search positions and print a JSON record for each
    #[command(alias = "analyze", after_help = "Example: soffio analyse --variant english --depth 15 startpos")]
    Analyse(commands::analyse::AnalyseArguments),
    /// Annotate games with scores, marks for bad moves, and better lines
    #[command(after_help = "Example: soffio annotate games.pdn --movetime 1000 --out annotated.pdn")]
    Annotate(Box<commands::annotate::AnnotateArguments>),
    /// Analyse positions and games in bulk: JSON lines in and out
    #[command(after_help = "Example: soffio batch requests.jsonl --nodes 10000 --resume records.jsonl")]
    Batch(Box<commands::batch::BatchArguments>),
    /// Merge shards of batch, match, annotate, puzzles or selfplay runs
    ///
    /// Missing and duplicate entries are reported.
    #[command(after_help = "Example: soffio merge 1.jsonl 2.jsonl --out records.jsonl")]
    Merge(commands::merge::MergeArguments),
    /// Generate puzzles from games
    ///
    /// Each solution is proved, and the solver has only one correct move at every turn.
    #[command(after_help = "Example: soffio puzzles games.pdn --pdn > puzzles.pdn")]
    Puzzles(Box<commands::puzzles::PuzzlesArguments>),
    /// Classify problems as sound, sole, cooked, unsolvable or open
    ///
    /// sound: one first move reaches the goal, and all others are proved not to reach it in a comparable number of
    /// moves (if the stated result is a loss: every move is proved to lose); sole: one first move reaches the goal, but
    /// some of the others are undecided; cooked: several first moves reach the goal; unsolvable: the goal is proved to
    /// be out of reach; open: nothing is decided, or a gain of material does not decide the stated result.
    #[command(after_help = "Example: soffio solve problems.pdn --composition")]
    Solve(commands::solve::SolveArguments),
    /// Run matches between engines
    #[command(after_help = "Example: soffio match --engine cmd=soffio name=deep depth=5 \
        --engine cmd=soffio name=flat depth=3 --games 20")]
    Match(Box<commands::matches::arguments::MatchArguments>),
    /// Generate balanced openings for matches
    #[command(after_help = "Example: soffio openings generate:plies=4,margin=60 > openings.txt")]
    Openings {
        /// Generator settings, such as `generate:plies=4,margin=60,depth=8`; with `less=1`, each side starts with one
        /// man fewer
        settings: commands::matches::openings::GenerateSettings,
        /// Variant, as listed by `soffio variants`
        #[arg(long, default_value = "italian", value_parser = values::variant)]
        variant: Variant,
        /// Maximum number of openings to print (at least 1) [default: all]
        #[arg(long, value_name = "N", value_parser = values::integer::<usize>(1..=u64::MAX))]
        count: Option<usize>,
    },
    /// Reproduce published student experiments with the plain players
    ///
    /// Reproduces the experiments from five student reports on draughts and tavla programs, and prints the published
    /// figures next to its own.
    #[command(after_help = "Example: soffio seeds times nodes --positions 5")]
    Seeds(commands::seeds::SeedsArguments),
    /// Generate self-play games for training
    #[command(name = "selfplay", after_help = "Example: soffio selfplay --variant thai --games 2500 --out thai.games")]
    SelfPlay(Box<commands::selfplay::SelfPlayArguments>),
    /// Count, print or split self-play games
    #[command(after_help = "Example: soffio data thai.games --csv > positions.csv")]
    Data(commands::data::DataArguments),
    /// Train evaluation weights from self-play games
    #[command(after_help = "Example: soffio train --variant thai --out thai.weights thai.games")]
    Train(Box<commands::train::TrainArguments>),
    /// Tune the search parameters by playing games (SPSA)
    #[command(after_help = "Example: soffio tune --variants english --out search.tune")]
    Tune(commands::tune::TuneArguments),
    /// Build, verify and probe endgame tables
    #[command(subcommand, after_help = "Example: soffio tables build --variant english --pieces 4")]
    Tables(commands::tables::TablesCommand),
    /// Check, convert and count games in PDN files
    #[command(subcommand, after_help = "Example: soffio pdn check games.pdn")]
    Pdn(commands::pdn::PdnCommand),
    /// Build, probe, verify, merge, import and export opening books
    #[command(subcommand)]
    #[command(after_help = "Example: soffio book grow --variant english --positions 60 --nodes 100 --out small.book")]
    Book(commands::book::BookCommand),
    /// Compute Elo and SPRT results from game counts or pair counts
    #[command(after_help = "Example: soffio sprt elo0=0,elo1=5 --games 859,1329,772")]
    Sprt(commands::sprt::SprtArguments),
    /// Serve analysis requests over HTTP
    #[command(after_help = "Example: soffio serve --listen 127.0.0.1:8360 --nodes 10000")]
    Serve(Box<commands::serve::ServeArguments>),
    /// Print a shell completion script
    #[command(after_help = "Example: soffio completions bash > soffio.bash")]
    Completions {
        /// Shell to generate the script for
        shell: Shell,
    },
    /// Print a manual page in roff format
    #[command(after_help = "Example: soffio man match | man -l -")]
    Man {
        /// Command to document [default: the whole program]
        command: Option<String>,
    },
    /// Write shell completions and manual pages for packages
    #[command(hide = true, after_help = "Example: soffio packaging share")]
    Packaging {
        /// Output folder; created if missing
        folder: PathBuf,
    },
}

const GROUPS: [(&str, &[&str]); 8] = [
    ("Play", &["play", "board"]),
    ("Engine", &["hub", "dxp", "tavla", "variants", "bench", "perft"]),
    ("Analysis", &["analyse", "annotate", "batch", "merge", "puzzles", "solve"]),
    ("Matches", &["match", "sprt", "openings", "seeds"]),
    ("Training", &["selfplay", "data", "train", "tune"]),
    ("Files", &["pdn", "tables", "book"]),
    ("Services", &["serve"]),
    ("Shell", &["completions", "man", "help"]),
];

fn command() -> Command {
    let command = ProgramArguments::command();
    let header = command.get_styles().get_header();
    let about = |name: &str| match command.find_subcommand(name).and_then(Command::get_about) {
        Some(about) => about.to_string(),
        None => "Print this message or the help of a command".to_owned(),
    };
    let line = |name: &&str| format!("  {name:13}{}\n", about(name));
    let group = |(title, names): &(&str, &[&str])| {
        format!("{header}{title}:{header:#}\n{}\n", names.iter().map(line).collect::<String>())
    };
    let groups: String = GROUPS.iter().map(group).collect();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// Runs the command line `arguments`, which starts with the program name, and returns the exit status: 0 on success, or
/// 1 if the command failed or found problems. Exits the process if the command line is invalid.
pub fn run(arguments: Vec<OsString>) -> u8 {
    #[cfg(unix)]
    survive_file_size_limit();
    soffio::system::set_available_memory(available_memory);
    if let Some(folder) = folder_for_tables() {
        soffio::tables::keep_solved_tables(folder);
    }
    let arguments = match commands::matches::arguments::expand_match(arguments) {
        Ok(words) => {
            let mut matches = command().get_matches_from(words);
            ProgramArguments::from_arg_matches_mut(&mut matches)
                .unwrap_or_else(|error| error.format(&mut command()).exit())
        }
        Err(error) => ProgramArguments::command().error(ErrorKind::InvalidValue, error).exit(),
    };
    if arguments.name.is_some() && !matches!(arguments.mode, None | Some(ProgramMode::Hub { .. })) {
        let text = "'--name' before a command requires the native protocol or Hub";
        ProgramArguments::command().error(ErrorKind::ArgumentConflict, text).exit();
    }
    match execute(arguments) {
        Ok(is_fine) => u8::from(!is_fine),
        // It is not an error if the process that reads the output closes the pipe.
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            let place = if is_full_output(&error) { "standard output: " } else { "" };
            // If writing to standard error fails as well, there is nowhere to report the error.
            drop(writeln!(io::stderr(), "soffio: {place}{}", reason(error)));
            1
        }
    }
}

/// Handles the signal for exceeding the file size limit, which would end the program. Writing then fails in the same
/// way as on a full disk.
#[cfg(unix)]
fn survive_file_size_limit() {
    let exceeded = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    if let Err(error) = exceeded {
        log::debug!("the signal for the file size limit cannot be handled: {error}");
    }
}

/// The environment variable that names the folder for solved tables. If it is empty, no tables are kept.
const FOLDER: &str = "SOFFIO_TABLES";

/// Returns the folder in which the engine keeps the endgame tables that it solves.
fn folder_for_tables() -> Option<PathBuf> {
    if let Some(folder) = env::var_os(FOLDER) {
        return (!folder.is_empty()).then(|| folder.into());
    }
    let user = etcetera::base_strategy::choose_native_strategy().ok()?;
    Some(user.cache_dir().join("soffio").join("tables"))
}

/// Returns true if writing to standard output failed because a disk is full. Returns false for errors about files,
/// which have the file name as context.
fn is_full_output(error: &anyhow::Error) -> bool {
    let is_full = |error: &io::Error| {
        let kinds = [io::ErrorKind::StorageFull, io::ErrorKind::FileTooLarge, io::ErrorKind::QuotaExceeded];
        error.raw_os_error().is_some() && kinds.contains(&error.kind())
    };
    error.chain().count() == 1 && error.downcast_ref().is_some_and(is_full)
}

fn execute(arguments: ProgramArguments) -> anyhow::Result<bool> {
    start_log(&arguments)?;
    match arguments.mode {
        None => {
            hint();
            stdio::run(arguments.name)?;
        }
        Some(ProgramMode::Perft(arguments)) => commands::perft::perft(&arguments)?,
        Some(ProgramMode::Variants { json }) => commands::variants::variants(json)?,
        Some(ProgramMode::Bench(arguments)) => commands::bench::bench(&arguments)?,
        Some(ProgramMode::Hub { name }) => stdio::run_in(Hub::named(name.or(arguments.name)))?,
        Some(ProgramMode::Dxp(arguments)) => commands::dxp::play_dxp(&arguments)?,
        Some(ProgramMode::Openings { variant, settings, count }) => {
            commands::matches::print_openings(variant, settings, count)?
        }
        Some(ProgramMode::Play(arguments)) => commands::play::play(*arguments)?,
        Some(ProgramMode::Seeds(arguments)) => commands::seeds::repeat_seeds(&arguments)?,
        Some(ProgramMode::Annotate(arguments)) => return commands::annotate::annotate_games(&arguments),
        Some(ProgramMode::Board(arguments)) => commands::board::show_board(&arguments)?,
        Some(ProgramMode::Analyse(arguments)) => return commands::analyse::analyse_positions(&arguments),
        Some(ProgramMode::Batch(arguments)) => return commands::batch::run_batch(&arguments),
        Some(ProgramMode::Puzzles(arguments)) => return commands::puzzles::mine_puzzles(&arguments),
        Some(ProgramMode::Serve(arguments)) => commands::serve::serve(&arguments)?,
        Some(ProgramMode::Solve(arguments)) => return commands::solve::solve_problems(&arguments),
        Some(ProgramMode::Merge(arguments)) => return commands::merge::merge(&arguments),
        Some(ProgramMode::SelfPlay(arguments)) => return commands::selfplay::play_self(&arguments),
        Some(ProgramMode::Train(arguments)) => commands::train::train_weights(&arguments)?,
        Some(ProgramMode::Tune(arguments)) => return commands::tune::tune_search(&arguments),
        Some(ProgramMode::Data(arguments)) => return commands::data::show_data(&arguments),
        Some(ProgramMode::Tables(command)) => return commands::tables::run_tables(&command),
        Some(ProgramMode::Book(command)) => return commands::book::run_book(&command),
        Some(ProgramMode::Pdn(command)) => return commands::pdn::run_pdn(&command),
        Some(ProgramMode::Tavla(arguments)) => commands::tavla::tavla(&arguments)?,
        Some(ProgramMode::Match(arguments)) => return commands::matches::play_match(&arguments),
        Some(ProgramMode::Sprt(arguments)) => commands::sprt::print_test(&arguments)?,
        Some(ProgramMode::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut ProgramArguments::command(), "soffio", &mut script);
            io::stdout().write_all(&script)?;
        }
        Some(ProgramMode::Man { command }) => print_page(command.as_deref())?,
        Some(ProgramMode::Packaging { folder }) => write_packaging(&folder)?,
    }
    Ok(true)
}

/// Prints a hint if the user runs the program in a terminal. A GUI must not receive any output before it sends a
/// command.
fn hint() {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        println!("Soffio protocol: type help for a list of commands, quit to exit.");
        println!("To play, run soffio play; for all commands, run soffio --help.");
    }
}

fn print_page(name: Option<&str>) -> io::Result<()> {
    let mut program = ProgramArguments::command().disable_help_subcommand(true);
    program.build();
    let page = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => program.error(ErrorKind::InvalidSubcommand, format!("unknown command '{name}'")).exit(),
        },
    };
    clap_mangen::Man::new(page).render(&mut io::stdout())
}

fn write_packaging(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_path(folder)?;
    let mut command = ProgramArguments::command();
    for &shell in Shell::value_variants() {
        let (path, mut script) = (folder.join(shell.file_name("soffio")), Vec::new());
        clap_complete::generate(shell, &mut command, "soffio", &mut script);
        std::fs::write(&path, script).with_path(&path)?;
    }
    // Omit the pages for the `help` subcommands, which contain little more than the names of the commands.
    clap_mangen::generate_to(ProgramArguments::command().disable_help_subcommand(true), folder).with_path(folder)
}

/// Returns the available memory in bytes, or `None` if the system does not report it.
fn available_memory() -> Option<usize> {
    let mut system = System::new().ok()?;
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    // A value of 0 means that the system does not report the available memory.
    usize::try_from(system.available_memory()).ok().filter(|&bytes| bytes > 0)
}

/// Sets up logging. Nothing is written to standard error unless it is requested, because GUIs may read standard error
/// together with standard output.
fn start_log(arguments: &ProgramArguments) -> io::Result<()> {
    let mut builder = Builder::new();
    builder.filter_level(LevelFilter::Off).format_timestamp_millis();
    match &arguments.log_file {
        Some(path) => {
            let file = LogFile::open(path)?;
            // The log file must contain the protocol lines, which are logged at the debug level.
            let level = arguments.log_level.unwrap_or(LevelFilter::Debug).max(LevelFilter::Debug);
            builder.filter_level(level).target(Target::Pipe(Box::new(file)));
        }
        None => {
            builder.parse_default_env();
            if let Some(level) = arguments.log_level {
                builder.filter_level(level);
            }
        }
    }
    builder.init();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::builder::StyledStr;

    #[test]
    fn every_command_is_in_one_group() {
        let mut listed: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut known: Vec<_> = ProgramArguments::command()
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(|command| command.get_name().to_owned())
            .collect();
        known.push("help".to_owned());
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    /// Adds to `found` all help texts of `command` and its subcommands that exceed 200 characters (two lines of 100
    /// columns).
    fn add_long_texts(command: &Command, words: &str, found: &mut Vec<String>) {
        let mut check = |name: &str, text: Option<&StyledStr>| {
            let length = text.map_or(0, |text| text.to_string().chars().count());
            if length > 200 {
                found.push(format!("{words} {name}: {length} characters"));
            }
        };
        check("(summary)", command.get_about());
        for argument in command.get_arguments() {
            check(argument.get_id().as_str(), argument.get_help());
            for value in argument.get_possible_values() {
                check(&format!("{} {}", argument.get_id(), value.get_name()), value.get_help());
            }
        }
        for below in command.get_subcommands() {
            add_long_texts(below, &format!("{words} {}", below.get_name()), found);
        }
    }

    #[test]
    fn help_texts_have_at_most_two_lines() {
        let mut found = Vec::new();
        add_long_texts(&command(), "soffio", &mut found);
        assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    }

    fn helps(command: &Command, words: &str, found: &mut Vec<(String, String)>) {
        for below in command.get_subcommands() {
            helps(below, &format!("{words} {}", below.get_name()), found);
        }
        let mut command = command.clone().term_width(80);
        found.push((words.to_owned(), command.render_long_help().to_string()));
    }

    #[test]
    fn help_fits_a_terminal_of_80_columns_and_logging_comes_last() {
        let mut found = Vec::new();
        let mut built = command();
        built.build();
        helps(&built, "soffio", &mut found);
        assert!(found.len() > 40, "{}", found.len());
        for (words, help) in found {
            let mut lines = help.lines().filter(|line| !line.starts_with("Usage: "));
            let wide = lines.find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "{words}");
            let last = help.lines().rfind(|line| line.trim_start().starts_with("--") || line.starts_with("  -"));
            assert!(last.is_none_or(|line| line.contains("--log-level")), "{words}: {last:?}");
        }
    }
}
