//! `soffio tables`: builds, verifies, counts and probes endgame tables.

use super::integer;
use super::progress::say;
use super::tables_build::{BuildArguments, build};
use super::tables_probe::{ProbeArguments, probe};
use super::tables_select::{OnlyMovesArguments, SelectArguments, select};
use super::tables_stat::{StatArguments, stat};
use super::tables_verify::{VerifyArguments, verify};
use anyhow::{Result, ensure};
use clap::Subcommand;
use clap::builder::TypedValueParser;
use soffio::rules::{Objective, Variant};
use soffio::tables::{Material, Selection, Slice};
use soffio_support::words::counted;

pub(super) const FOLDER: &str = "tables";

pub(super) const MOST_PIECES: u8 = 2 * Material::MOST_OF_A_SIDE;

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

pub(super) fn piece_count() -> impl TypedValueParser<Value = u8> {
    integer::<u8>(2..=MOST_PIECES.into())
}

/// Also finds variants that elsewhere only an option selects.
pub(super) fn variant(name: &str) -> Result<Variant, String> {
    super::variant(name).or_else(|error| Variant::called(name).ok_or(error))
}

/// Returns why slices of `variant` are left out, if any are.
pub(super) fn reason_for_gaps(variant: Variant) -> Option<&'static str> {
    let spec = variant.spec();
    if spec.objective == Objective::FirstKing {
        Some("the first king ends the game, so that there are no positions with kings")
    } else if spec.king_moves.is_some() {
        Some("a side with men may not move one king more than three times in a row, which tables do not count")
    } else {
        None
    }
}

/// Reports on standard error which slices are left out and why. Fails if there are none.
pub(super) fn slices(variant: Variant, pieces: u8) -> Result<Vec<Slice>> {
    let left_out = Slice::left_out(variant.spec(), pieces);
    if let (false, Some(reason)) = (left_out.is_empty(), reason_for_gaps(variant)) {
        say(&format!("{variant}: {} left out: {reason}", counted(left_out.len(), "slice")));
    }
    let slices = Slice::all(variant.spec(), pieces);
    ensure!(!slices.is_empty(), "{variant} has no tables of {pieces} pieces");
    Ok(slices)
}
