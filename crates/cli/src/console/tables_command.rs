//! `soffio tables`: builds, verifies, counts and probes endgame tables.

use super::tables_build::{BuildArguments, VerifyArguments, build, verify};
use super::tables_probe::{ProbeArguments, probe};
use super::tables_select::{OnlyMovesArguments, SelectArguments, StatArguments, select, stat};
use anyhow::Result;
use clap::Subcommand;
use soffio::tables::Selection;

/// The subcommands of `soffio tables`.
#[derive(Debug, Subcommand)]
pub enum TablesCommand {
    /// Build the tables of a variant
    ///
    /// Writes one file per slice. A slice contains all positions with the same number of men and kings on each side,
    /// with either side to move. Existing slices are kept, so an interrupted build can be resumed with the same
    /// command.
    #[command(after_help = "Example: soffio tables build --variant english --pieces 4")]
    Build(BuildArguments),
    /// Verify table files
    ///
    /// Checks every block of the files, the counts, and the value of every position against the values of its
    /// successors.
    #[command(after_help = "Example: soffio tables verify --variant english --pieces 4")]
    Verify(VerifyArguments),
    /// Count wins, draws and losses, and show the longest wins
    ///
    /// Only positions with White to move in which no capture is possible are counted.
    #[command(after_help = "Example: soffio tables stat --variant english --pieces 3")]
    Stat(StatArguments),
    /// Probe positions read from standard input
    ///
    /// Reads one FEN per line and prints one line for each position: win, draw or loss, with the number of plies to the
    /// end of the game.
    #[command(after_help = "Example: echo W:WK1:BK32 | soffio tables probe --variant english")]
    Probe(ProbeArguments),
    /// List the longest wins
    #[command(after_help = "Example: soffio tables longest --variant english --pieces 3")]
    Longest(SelectArguments),
    /// List mutual zugzwangs
    ///
    /// In these positions, the side to move has a worse result than it would have if the other side were to move.
    #[command(after_help = "Example: soffio tables mutual-zugzwang --variant english --pieces 3")]
    MutualZugzwang(SelectArguments),
    /// List wins with long sequences of only moves
    #[command(after_help = "Example: soffio tables only-moves 4 --variant italian --pieces 3")]
    OnlyMoves(OnlyMovesArguments),
}

pub fn run_tables(command: &TablesCommand) -> Result<bool> {
    match command {
        TablesCommand::Build(arguments) => build(arguments),
        TablesCommand::Verify(arguments) => verify(arguments),
        TablesCommand::Stat(arguments) => stat(arguments),
        TablesCommand::Probe(arguments) => probe(arguments),
        TablesCommand::Longest(arguments) => select(Selection::LongestWins, arguments),
        TablesCommand::MutualZugzwang(arguments) => select(Selection::MutualZugzwang, arguments),
        TablesCommand::OnlyMoves(OnlyMovesArguments { turns, select: arguments }) => {
            select(Selection::OnlyMoves(*turns), arguments)
        }
    }
}
