//! `soffio dxp`.

use super::values::{integer, variant};
use anyhow::{Result, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};
use soffio::notation::FenRecord;
use soffio::notation::pdn::decode;
use soffio::rules::{Color, Variant};
use soffio_match::dxp::{self, DxpSettings, RequestedGames, address};
use soffio_match::{BareNumber, numbered_lines, read_position, read_time};
use soffio_support::of_file::OfFile;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Not reachable from other machines.
const LOOPBACK: &str = "127.0.0.1";

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("peer").required(true).args(["listen", "connect"])))]
pub struct DxpArguments {
    /// Wait for other programs here; without an address on this machine only.
    #[arg(long, value_name = "HOST[:PORT]", num_args = 0..=1, default_missing_value = LOOPBACK, value_parser = address)]
    listen: Option<String>,
    /// Connect with the program that waits there.
    #[arg(long, value_name = "HOST[:PORT]", value_parser = address)]
    connect: Option<String>,
    /// How many games to ask for, with alternating colours; with --listen it asks only if this is given.
    #[arg(long, value_parser = integer::<u16>(0..=u16::MAX.into()))]
    games: Option<u16>,
    /// Ask for no games, also after --connect.
    #[arg(long, conflicts_with = "games")]
    follow: bool,
    /// Leave when the first connection is over.
    #[arg(long)]
    once: bool,
    /// The game; both programs must be told.
    #[arg(long, default_value = "international", value_parser = variant)]
    variant: Variant,
    /// Colour in the first game asked for.
    #[arg(long, default_value = "white", value_parser = PossibleValuesParser::new(["white", "black"]).map(side))]
    color: Color,
    /// Minutes of each side for a game, 0 for no limit.
    #[arg(long, default_value_t = 5, value_parser = integer::<u16>(0..=999))]
    minutes: u16,
    /// Moves of each side for a game, 0 for no limit.
    #[arg(long, default_value_t = 0, value_parser = integer::<u16>(0..=999))]
    moves: u16,
    /// The most time for one move of this engine, with its unit: 100ms, 0.1s, 1m.
    #[arg(long, value_name = "TIME", value_parser = move_time)]
    move_time: Option<Duration>,
    /// A start position for two games; can be given several times.
    #[arg(long)]
    fen: Vec<FenRecord>,
    /// A file with a start position, FEN or EPD, in each line; lines that begin with # do not count.
    #[arg(long, value_name = "FILE")]
    ballots: Option<PathBuf>,
    /// A file to which every game is added when it ends.
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// The name that the other program is told.
    #[arg(long, default_value = concat!("Soffio ", env!("CARGO_PKG_VERSION")))]
    name: String,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = integer::<usize>(0..=u64::MAX))]
    hash: usize,
    /// Threads of the search.
    #[arg(long, default_value_t = NonZeroUsize::MIN, value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: NonZeroUsize,
}

fn side(name: String) -> Color {
    if name == "white" { Color::White } else { Color::Black }
}

pub fn play_dxp(arguments: &DxpArguments) -> Result<()> {
    let settings = settings(arguments)?;
    let output = &mut io::stdout().lock();
    match (&arguments.listen, &arguments.connect) {
        (_, Some(address)) => dxp::connect(address, &settings, output),
        (Some(address), None) => dxp::listen(address, &settings, output),
        (None, None) => dxp::listen(&address(LOOPBACK)?, &settings, output),
    }
}

fn settings(arguments: &DxpArguments) -> Result<DxpSettings> {
    let mut starts = arguments.fen.clone();
    if let Some(path) = &arguments.ballots {
        let text = decode(&std::fs::read(path).of_file(path)?).text;
        for (number, line) in numbered_lines(&text) {
            let start = read_position(line);
            starts.push(start.map_err(|error| anyhow!("{}: line {number}: fen {error}", path.display()))?);
        }
    }
    let asks = !arguments.follow && (arguments.connect.is_some() || arguments.games.is_some());
    let games = asks.then(|| RequestedGames {
        count: arguments.games.unwrap_or(1),
        color: arguments.color,
        minutes: arguments.minutes,
        moves: arguments.moves,
        starts,
    });
    Ok(DxpSettings {
        variant: arguments.variant,
        name: arguments.name.clone(),
        hash: arguments.hash.max(1),
        threads: arguments.threads,
        move_time: arguments.move_time,
        games,
        once: arguments.once,
        pdn: arguments.pdn.clone(),
    })
}

/// Requires a unit: a bare move time is milliseconds in one protocol and seconds in another.
fn move_time(text: &str) -> Result<Duration> {
    read_time(text, BareNumber::Nothing)
}
