//! `soffio perft`: counts the move sequences from a position.

use crate::values::{integer, variant};
use clap::Args;
use soffio::engine::CaptureOrder;
use soffio::rules::Variant;
use soffio::wire::native::{MAX_PERFT_DEPTH, NativeReply};
use soffio_support::record::{self, AnalysisRecord};
use std::io::{self, Write};
use std::time::Instant;

#[derive(Clone, Debug, Args)]
pub struct PerftArguments {
    /// Depth in plies (0 to 99)
    #[arg(value_parser = integer::<u8>(0..=MAX_PERFT_DEPTH.into()))]
    depth: u8,
    /// Variant, as listed by `soffio variants`
    #[arg(long, default_value = "italian", value_parser = variant)]
    variant: Variant,
    /// FEN of the position to count from [default: start position]
    #[arg(long)]
    fen: Option<String>,
    /// Count captures separately if they differ only in the order of the captured pieces
    #[arg(long)]
    all: bool,
    /// Print a JSON record instead of a protocol line
    #[arg(long)]
    json: bool,
}

pub fn perft(arguments: &PerftArguments) -> anyhow::Result<()> {
    let PerftArguments { variant, depth, ref fen, all, json } = *arguments;
    let game = record::game_at(variant, fen.as_deref().unwrap_or(record::START))?;
    let order = if all { CaptureOrder::Counted } else { CaptureOrder::Merged };
    let started = Instant::now();
    let count = game.game().perft(depth, order, &|| false)?;
    let time = started.elapsed();
    if json {
        let record =
            AnalysisRecord::for_position(1, variant, &game, fen.as_deref().unwrap_or(record::START)).timed(time);
        return Ok(record::print(&Ok(AnalysisRecord { depth: Some(depth), nodes: Some(count), ..record }))?);
    }
    let reply = NativeReply::Measured { name: format!("perft {depth}"), count, time };
    Ok(writeln!(io::stdout(), "{reply}")?)
}
