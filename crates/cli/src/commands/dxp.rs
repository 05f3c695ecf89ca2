//! `soffio dxp`: plays games over DXP.

use crate::input::ensure_none_is_output;
use crate::values::{integer, variant};
use anyhow::{Result, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};
use soffio::notation::FenRecord;
use soffio::notation::pdn::decode;
use soffio::rules::{Color, Variant};
use soffio_match::dxp::{self, DxpSettings, RequestedGames, address};
use soffio_match::{BareNumber, numbered_lines, read_position, read_time};
use soffio_support::with_path::WithPath;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The default address, which other machines cannot reach.
const LOOPBACK: &str = "127.0.0.1";

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("peer").required(true).args(["listen", "connect"])))]
pub struct DxpArguments {
    /// Listen for connections on this address [default host: 127.0.0.1, which other machines cannot reach; default
    /// port: 27531]
    #[arg(long, value_name = "HOST[:PORT]", num_args = 0..=1, default_missing_value = LOOPBACK, value_parser = address)]
    listen: Option<String>,
    /// Connect to a program that is listening on this address [default port: 27531]
    #[arg(long, value_name = "HOST[:PORT]", value_parser = address)]
    connect: Option<String>,
    /// Number of games to request (0 to 65535), with alternating colours [default: two per start position; without
    /// start positions, 1 with --connect and 0 with --listen]
    #[arg(long, value_parser = integer::<u16>(0..=u16::MAX.into()))]
    games: Option<u16>,
    /// Do not request games, even with --connect
    #[arg(long, conflicts_with_all = ["games", "fen", "ballots"])]
    follow: bool,
    /// Exit when the first connection closes
    #[arg(long)]
    once: bool,
    /// Variant, as listed by `soffio variants`; the other program must use the same variant
    #[arg(long, default_value = "international", value_parser = variant)]
    variant: Variant,
    /// Soffio's colour in the first requested game
    #[arg(long, default_value = "white", value_parser = PossibleValuesParser::new(["white", "black"]).map(side))]
    color: Color,
    /// Time per side for the whole game in minutes (0 to 999); 0 for no limit
    #[arg(long, default_value_t = 5, value_parser = integer::<u16>(0..=999))]
    minutes: u16,
    /// Maximum number of moves per side in each game (0 to 999); 0 for no limit
    #[arg(long, default_value_t = 0, value_parser = integer::<u16>(0..=999))]
    moves: u16,
    /// Soffio's maximum time per move, with a unit, as in 100ms, 0.1s or 1m [default: 1s in a game without a clock]
    #[arg(long, value_name = "TIME", value_parser = move_time)]
    move_time: Option<Duration>,
    /// FEN of a start position to play twice; may be repeated
    #[arg(long)]
    fen: Vec<FenRecord>,
    /// File with start positions, one FEN or EPD per line; lines that begin with # are ignored
    #[arg(long, value_name = "FILE")]
    ballots: Option<PathBuf>,
    /// Append each finished game to this PDN file
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Engine name to report to the other program
    #[arg(long, default_value = concat!("Soffio ", env!("CARGO_PKG_VERSION")))]
    name: String,
    /// Transposition table size in MiB (at least 1)
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = integer::<usize>(0..=u64::MAX))]
    hash: usize,
    /// Number of search threads (1 to 256)
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
        ensure_none_is_output([path.as_path()], arguments.pdn.as_deref())?;
        let text = decode(&std::fs::read(path).with_path(path)?).text;
        for (number, line) in numbered_lines(&text) {
            let start = read_position(line);
            starts.push(start.map_err(|error| anyhow!("{}: line {number}: fen {error}", path.display()))?);
        }
    }
    let requests =
        !arguments.follow && (arguments.connect.is_some() || arguments.games.is_some() || !starts.is_empty());
    let default_count = if starts.is_empty() { 1 } else { 2 * starts.len() };
    let games = requests.then(|| RequestedGames {
        count: arguments.games.map_or(default_count, usize::from),
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

/// Parses a time that has a unit. The unit is required because a plain number would be ambiguous: protocols give move
/// times in milliseconds or in seconds.
fn move_time(text: &str) -> Result<Duration> {
    read_time(text, BareNumber::Rejected)
}
