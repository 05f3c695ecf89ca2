//! `soffio tables`: builds, verifies, counts and probes endgame tables.

use super::tables_build::{BuildArguments, VerifyArguments, build, verify};
use super::tables_probe::{ProbeArguments, probe};
use super::tables_select::{OnlyMovesArguments, SelectArguments, StatArguments, select, stat};
use anyhow::Result;
use clap::Subcommand;
use soffio::tables::Selection;

/// The parts of `soffio tables`.
#[derive(Debug, Subcommand)]
pub enum TablesCommand {
    /// Build the tables of a variant, a file for each slice: the pieces of both sides, with either side to move. Slices that
    /// are there are left as they are, so that the same command goes on after an interrupt.
    Build(BuildArguments),
    /// Check files: every block, every value against those that its moves lead to, the counts.
    Verify(VerifyArguments),
    /// Count wins, draws and losses, White to move and without a capture, and show the longest wins.
    Stat(StatArguments),
    /// Answer positions: FENs come on standard input, one a line, and each gets a line: win, draw or loss, with the plies to the
    /// end of the game.
    Probe(ProbeArguments),
    /// List the longest wins.
    Longest(SelectArguments),
    /// List positions of mutual zugzwang: who is to move does worse than if the other side were.
    MutualZugzwang(SelectArguments),
    /// List wins in which one move alone wins at many turns, one after the other.
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
