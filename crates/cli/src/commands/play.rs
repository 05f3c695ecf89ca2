//! `soffio play`: plays in the terminal.

use super::puzzles::add_file;
use crate::input::EncodingArguments;
use crate::values::{GameName, game, integer};
use anyhow::ensure;
use clap::Args;
use crossbeam_channel::unbounded;
use soffio::engine::Event;
use soffio::notation::FenRecord;
use soffio::notation::pdn::decode;
use soffio::rules::Variant;
use soffio::session::Input;
use soffio_batch::puzzles::{Collection, PuzzleTrainer};
use soffio_support::stdio::{next_input, skip_byte_order_mark};
use soffio_support::with_path::WithPath;
use soffio_tavla::rules::Rules;
use soffio_terminal::play::{
    GameChoice, GameCommand, PlayGame, PlayTimeControl, PlayView, ViewCommand, run_lines, run_screen,
};
use soffio_terminal::tavla_play::{self, TavlaPlayState};
use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// All other options, because puzzles have their own variant, players and display.
const PUZZLE_CONFLICTS: [&str; 11] =
    ["variant", "white", "black", "tc", "delay", "optional_capture", "fen", "load", "encoding", "flip", "lines"];

#[derive(Debug, Args)]
pub struct PlayArguments {
    /// Variant, as listed by `soffio variants`, or `tavla` [default: italian, or a guess for a loaded game that does
    /// not name its variant]
    #[arg(long, value_parser = game)]
    variant: Option<GameName>,
    /// White player: `human`, `computer`, or engine options and limits such as `level=hard` (easy, medium, hard,
    /// expert, god, full) or `player=alphabeta,depth=3` [default limit: 1 s per move]
    #[arg(long, value_name = "PLAYER", default_value = "human")]
    white: String,
    /// Black player, with the same choices as --white [default: level=hard; in tavla: computer]
    #[arg(long, value_name = "PLAYER")]
    black: Option<String>,
    /// Time control for both sides: minutes plus increment in seconds, such as `5+3`
    #[arg(long, value_name = "MIN+SEC")]
    tc: Option<PlayTimeControl>,
    /// Minimum time per engine move in milliseconds (0 to 2000)
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = integer::<u64>(0..=2000))]
    delay: u64,
    /// Make captures optional (english and casual only)
    #[arg(long)]
    optional_capture: bool,
    /// Start position as a FEN
    #[arg(long, conflicts_with = "load")]
    fen: Option<FenRecord>,
    /// Resume the first game in a PDN file, with its variant and players
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    #[command(flatten)]
    encoding: EncodingArguments,
    /// Solve the puzzles in FILE, as written by `soffio puzzles`; the score is kept in FILE.score
    #[arg(long, value_name = "FILE", conflicts_with_all = PUZZLE_CONFLICTS)]
    puzzles: Option<PathBuf>,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
    /// Print plain text lines instead of using the full screen
    #[arg(long)]
    lines: bool,
}

pub fn play(arguments: PlayArguments) -> anyhow::Result<()> {
    if let Some(path) = &arguments.puzzles {
        return play_puzzles(path);
    }
    let variant = match arguments.variant {
        None => Variant::Italian,
        Some(GameName::Draughts(variant)) => variant,
        Some(GameName::Tavla) => return play_tavla(&arguments),
    };
    let in_lines = arguments.lines || !has_screen();
    let (sender, events) = unbounded::<Event>();
    let mut view = PlayView::default();
    if arguments.flip {
        view.execute(ViewCommand::Flip);
    }
    let players = [arguments.white.parse()?, arguments.black.as_deref().unwrap_or("level=hard").parse()?];
    let mut game = PlayGame::new(GameChoice::new(variant), players, sender)?;
    game.guesses_variant = arguments.variant.is_none();
    let capture = arguments.optional_capture.then_some(GameCommand::ForcedCapture(false));
    let position = arguments.fen.map(|fen| GameCommand::SetUp(Some(fen)));
    let file = arguments.load.map(|path| GameCommand::Load { path, number: 1, encoding: arguments.encoding.encoding });
    let delay = GameCommand::Delay(Duration::from_millis(arguments.delay));
    let control = arguments.tc.map(|control| GameCommand::TimeControl(Some(control)));
    for order in [capture, position, file, control, Some(delay)].into_iter().flatten() {
        game.execute(order, Instant::now())?;
    }
    let played = if in_lines { run_lines(game, view, &events) } else { run_screen(game, view, &events) };
    Ok(played?)
}

fn play_tavla(arguments: &PlayArguments) -> anyhow::Result<()> {
    let PlayArguments { tc, optional_capture, fen, load, flip, .. } = arguments;
    let has_more = tc.is_some() || *optional_capture || fen.is_some() || load.is_some() || *flip;
    ensure!(!has_more, "tavla supports only --white, --black, --delay and --lines");
    let players = [&*arguments.white, arguments.black.as_deref().unwrap_or("computer")];
    let mut table = TavlaPlayState::new(Rules::default(), players, fastrand::Rng::new())?;
    table.delay = Duration::from_millis(arguments.delay);
    if !arguments.lines && has_screen() {
        return Ok(tavla_play::run_screen(table)?);
    }
    Ok(tavla_play::run_lines(table, io::stdin().lock(), io::stdout(), io::stderr(), io::stdin().is_terminal())?)
}

/// Presents the puzzles in the file at `path` in the terminal. Attempts are appended to a file with the suffix
/// `.score`, so that the next session can continue from there.
fn play_puzzles(path: &Path) -> anyhow::Result<()> {
    let mut collection = Collection::default();
    add_file(&mut collection, path)?;
    ensure!(!collection.puzzles.is_empty(), "{}: no puzzles found", path.display());
    let score = path.with_added_extension("score");
    let known = match fs::read(&score) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => decode(&read.with_path(&score)?).text,
    };
    // Skip lines that cannot be parsed. The last line may be incomplete if an earlier session was killed.
    let attempts = known.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut trainer = PuzzleTrainer::new(collection.puzzles, attempts);
    let mut kept = OpenOptions::new().create(true).append(true).open(&score).with_path(&score)?;
    if !known.is_empty() && !known.ends_with('\n') {
        writeln!(kept).with_path(&score)?;
    }
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    skip_byte_order_mark(&mut input)?;
    loop {
        output.write_all(trainer.output().as_bytes())?;
        output.flush()?;
        if trainer.is_over {
            return Ok(());
        }
        match next_input(&mut input)? {
            Input::Line(line) => {
                if let Some(attempt) = trainer.line(&line) {
                    writeln!(kept, "{}", serde_json::to_string(&attempt)?).with_path(&score)?;
                }
            }
            Input::TooLong(most) => writeln!(output, "error the line has more than {most} bytes")?,
            Input::End => return Ok(()),
        }
    }
}

fn has_screen() -> bool {
    let is_dumb = env::var_os("TERM").is_some_and(|name| name == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}
