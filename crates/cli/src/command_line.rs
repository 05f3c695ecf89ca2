//! The command line: picks a mode and starts it.

use crate::console;
use crate::stdio;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use env_logger::{Builder, Target};
use log::LevelFilter;
use soffio::hub::Hub;
use soffio::rules::Variant;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use sysinfo::{MemoryRefreshKind, System};

/// A draughts engine. Without a command it speaks its protocol on standard input and output; type `help` there.
#[derive(Debug, Parser)]
#[command(name = "soffio", version)]
struct Arguments {
    /// Keep the whole conversation, with times, in this file.
    #[arg(long, value_name = "FILE", global = true)]
    log_file: Option<PathBuf>,
    /// The messages to log: off, error, warn, info, debug or trace. Without a log file it goes to standard error.
    #[arg(long, value_name = "LEVEL", global = true)]
    log_level: Option<LevelFilter>,
    /// The name that the engine gives itself, to tell two of them apart in one GUI.
    #[arg(long, value_name = "NAME", value_parser = console::engine_name)]
    name: Option<String>,
    #[command(subcommand)]
    mode: Option<Mode>,
}

#[derive(Debug, Subcommand)]
enum Mode {
    /// Count the sequences of legal moves, the measure of the move generator.
    Perft(console::PerftArguments),
    /// List the variants, with their names elsewhere and how they are written.
    Variants,
    /// Search fixed positions of every variant to a fixed depth.
    Bench(console::BenchArguments),
    /// Speak the Hub protocol on standard input and output; so does the program without a command when the first line is
    /// hub.
    Hub {
        /// The name that the engine gives itself, to tell two of them apart in one GUI.
        #[arg(long, value_name = "NAME", value_parser = console::engine_name)]
        name: Option<String>,
    },
    /// Play games with another program over a network, in the protocol DXP (DamExchange).
    Dxp(Box<console::dxp_command::DxpArguments>),
    /// Print openings that a search calls even, for files that `match` reads.
    Openings {
        /// The game.
        #[arg(value_parser = console::variant)]
        variant: Variant,
        /// Which, as `generate:plies=4,margin=60,depth=8`; with `less=1` each side begins with one man less.
        settings: console::match_arguments::GenerateSettings,
        /// How many at most.
        #[arg(long)]
        most: Option<usize>,
    },
    /// Play at the keyboard, against the engine or another person.
    Play(Box<console::play_command::PlayArguments>),
    /// Repeat the experiments of five student reports on draughts programs, and compare with their figures.
    Seeds(console::seeds_command::SeedsArguments),
    /// Judge the games of a file: scores, bad moves and better lines as comments and variations.
    Annotate(Box<console::annotate_command::AnnotateArguments>),
    /// Open the analysis board in a browser, with this engine behind it, or write it to a file.
    Board(console::board_command::BoardArguments),
    /// Search positions, and print a record of each for scripts: a JSON object a line.
    Analyse(console::analyse_command::AnalyseArguments),
    /// Judge many positions and games: requests as lines of JSON, or games, in; records out.
    Batch(Box<console::batch_command::BatchArguments>),
    /// Answer such requests over HTTP, for many who ask little.
    Serve(Box<console::serve_command::ServeArguments>),
    /// Mine games for puzzles: positions whose solution is proved, and unique at every turn.
    Puzzles(Box<console::puzzles_command::PuzzlesArguments>),
    /// Judge problems: solvable or not, with one solution or several, and what the author's solution misses.
    Solve(console::solve_command::SolveArguments),
    /// Put the parts of a batch or of self-play together, and say what is missing or doubled.
    Merge(console::merge_command::MergeArguments),
    /// Let the engine play itself, to learn from the games.
    #[command(name = "selfplay")]
    SelfPlay(Box<console::training::SelfPlayArguments>),
    /// Learn the weights of the evaluation from such games.
    Train(Box<console::training::TrainArguments>),
    /// Find the parameters of the search by games (SPSA).
    Tune(console::tune_command::TuneArguments),
    /// Count such games, print their positions, or split them.
    Data(console::training::DataArguments),
    /// Build endgame tables, check, count and ask them.
    #[command(subcommand)]
    Tables(console::tables_command::TablesCommand),
    /// Grow opening books, ask, show and check them, put them together, bring them in and give them out.
    #[command(subcommand)]
    Book(console::book_command::BookCommand),
    /// Speak the native protocol about tavla on standard input and output, learn its weights, let its players play each other.
    Tavla(console::tavla_command::TavlaArguments),
    /// Let engines play each other.
    Match(Box<console::match_arguments::MatchArguments>),
    /// Compute Elo and the sequential test (SPRT) from counts of results.
    Sprt(console::sprt_command::SprtArguments),
    /// Print what a shell needs to complete command lines of this program.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page, in the form that `man` reads: `soffio man match | man -l -`.
    Man {
        /// The command that the page is about; without it the page is about the whole program.
        command: Option<String>,
    },
    /// Write completions and manual pages of all shells and commands into a folder, for packages of the program.
    #[command(hide = true)]
    Packaging {
        /// The folder, which is made if it is not there.
        folder: PathBuf,
    },
}

/// Does what the command line says, whose first word is the name of the program, and returns the exit status: 0, or 1 after a message on
/// standard error, or when an engine of a match did something wrong. A command line that cannot be read ends the process.
pub fn run(arguments: Vec<OsString>) -> u8 {
    soffio::system::set_available_memory(available_memory);
    let arguments = match console::match_arguments::expand_match(arguments) {
        Ok(words) => Arguments::parse_from(words),
        Err(error) => Arguments::command().error(ErrorKind::InvalidValue, error).exit(),
    };
    if arguments.name.is_some() && !matches!(arguments.mode, None | Some(Mode::Hub { .. })) {
        let text = "'--name' before a command is for the native protocol and Hub alone";
        Arguments::command().error(ErrorKind::ArgumentConflict, text).exit();
    }
    match obey(arguments) {
        Ok(is_fine) => u8::from(!is_fine),
        // Nobody reads the output any more: that is an end, not a fault.
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            eprintln!("soffio: {error}");
            1
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Does what `arguments` ask for. Returns whether nothing was found wrong.
fn obey(arguments: Arguments) -> anyhow::Result<bool> {
    start_log(&arguments)?;
    match arguments.mode {
        None => {
            hint();
            stdio::run(arguments.name)?;
        }
        Some(Mode::Perft(arguments)) => console::perft(&arguments)?,
        Some(Mode::Variants) => console::variants()?,
        Some(Mode::Bench(arguments)) => console::bench(&arguments)?,
        Some(Mode::Hub { name }) => stdio::run_in(Hub::named(name.or(arguments.name)))?,
        Some(Mode::Dxp(arguments)) => console::dxp_command::play_dxp(&arguments)?,
        Some(Mode::Openings { variant, settings, most }) => {
            console::match_command::print_openings(variant, settings, most)?
        }
        Some(Mode::Play(arguments)) => console::play_command::play(*arguments)?,
        Some(Mode::Seeds(arguments)) => console::seeds_command::repeat_seeds(&arguments)?,
        Some(Mode::Annotate(arguments)) => return console::annotate_command::annotate_games(&arguments),
        Some(Mode::Board(arguments)) => console::board_command::show_board(&arguments)?,
        Some(Mode::Analyse(arguments)) => return console::analyse_command::analyse_positions(&arguments),
        Some(Mode::Batch(arguments)) => return console::batch_command::run_batch(&arguments),
        Some(Mode::Puzzles(arguments)) => return console::puzzles_command::mine_puzzles(&arguments),
        Some(Mode::Serve(arguments)) => console::serve_command::serve(&arguments)?,
        Some(Mode::Solve(arguments)) => return console::solve_command::solve_problems(&arguments),
        Some(Mode::Merge(arguments)) => return console::merge_command::merge(&arguments),
        Some(Mode::SelfPlay(arguments)) => console::training::play_self(&arguments)?,
        Some(Mode::Train(arguments)) => console::training::train_weights(&arguments)?,
        Some(Mode::Tune(arguments)) => console::tune_command::tune_search(&arguments)?,
        Some(Mode::Data(arguments)) => console::training::show_data(&arguments)?,
        Some(Mode::Tables(command)) => return console::tables_command::run_tables(&command),
        Some(Mode::Book(command)) => return console::book_command::run_book(&command),
        Some(Mode::Tavla(tavla)) => console::tavla_command::tavla(&tavla, arguments.name)?,
        Some(Mode::Match(arguments)) => return console::match_command::play_match(&arguments),
        Some(Mode::Sprt(arguments)) => console::sprt_command::print_test(&arguments)?,
        Some(Mode::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "soffio", &mut script);
            io::stdout().write_all(&script)?;
        }
        Some(Mode::Man { command }) => print_page(command.as_deref())?,
        Some(Mode::Packaging { folder }) => write_packaging(&folder)?,
    }
    Ok(true)
}

/// Tells a person at a terminal what to do here. Programs are told nothing before they say something.
fn hint() {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        println!(
            "Soffio reads commands of its protocol: help lists them, quit ends. soffio play is for people, soffio --help has the rest."
        );
    }
}

/// Prints the manual page of the command `name`, or of the program.
fn print_page(name: Option<&str>) -> io::Result<()> {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let page = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => program.error(ErrorKind::InvalidSubcommand, format!("no command is called '{name}'")).exit(),
        },
    };
    clap_mangen::Man::new(page).render(&mut io::stdout())
}

/// Writes completions for every shell and a manual page for every command into `folder`.
fn write_packaging(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut command = Arguments::command();
    for &shell in Shell::value_variants() {
        clap_complete::generate_to(shell, &mut command, "soffio", folder)?;
    }
    // Without pages for the help of each command, which only repeat its name.
    clap_mangen::generate_to(Arguments::command().disable_help_subcommand(true), folder)
}

/// Returns the bytes that the system could hand out now without taking them from others, where it tells.
fn available_memory() -> Option<usize> {
    let mut system = System::new().ok()?;
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    // Systems that do not tell say 0.
    usize::try_from(system.available_memory()).ok().filter(|&bytes| bytes > 0)
}

/// Sets up logging. Nothing goes to standard error unless it was asked for: GUIs read it together with the output.
fn start_log(arguments: &Arguments) -> io::Result<()> {
    let mut builder = Builder::new();
    builder.filter_level(LevelFilter::Off).format_timestamp_millis();
    match &arguments.log_file {
        Some(path) => {
            let file = console::output_file::LogFile::open(path)?;
            // The conversation is logged as debug messages, and the file is there to have it.
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
