//! `soffio perft`, `soffio bench` and `soffio variants`: commands that test or describe the engine.

use crate::values::{depth, integer, threads, variant};
use clap::Args;
use soffio::clock::TimeSource;
use soffio::engine::{BenchResult, BenchSettings, CaptureOrder, Signal, bench as run_bench};
use soffio::notation::game_type;
use soffio::rules::{FirstSquare, Letters, Variant};
use soffio::wire::native::{MAX_PERFT_DEPTH, NativeReply};
use soffio_support::record::{self, AnalysisRecord};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

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
            AnalysisRecord::of_position(1, variant, &game, fen.as_deref().unwrap_or(record::START)).timed(time);
        return Ok(record::print(&Ok(AnalysisRecord { depth: Some(depth), nodes: Some(count), ..record }))?);
    }
    Ok(print(&NativeReply::Measured { name: format!("perft {depth}"), count, time })?)
}

#[derive(Clone, Debug, Args)]
pub struct BenchArguments {
    /// Search only this variant; may be repeated [default: all variants]
    #[arg(long, value_name = "NAME", value_parser = variant)]
    variant: Vec<Variant>,
    /// Search depth in plies (1 to 127) [default: depends on the variant]
    #[arg(long, value_parser = depth::<u8>())]
    depth: Option<u8>,
    /// Number of search threads (1 to 256) [default: 1]; node counts are reproducible only with one thread
    #[arg(long, value_parser = threads())]
    threads: Option<NonZeroUsize>,
    /// Print a JSON record for each variant and one with the total, named `all`, instead of protocol lines
    #[arg(long)]
    json: bool,
}

pub fn bench(arguments: &BenchArguments) -> io::Result<()> {
    let BenchArguments { variant, depth, threads, json } = arguments.clone();
    let settings = BenchSettings { variants: variant, depth, threads };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let mut result = Ok(());
    run_bench(&settings, &TimeSource::default(), &Signal::default(), &mut |part: BenchResult| {
        nodes += part.nodes;
        time += part.time;
        let BenchResult { variant, nodes, time } = part;
        let line = if json {
            let record = AnalysisRecord::of_variant(variant.name(), variant).scored(variant).timed(time);
            record::print(&Ok(AnalysisRecord { nodes: Some(nodes), ..record }))
        } else {
            print(&NativeReply::Measured { name: variant.to_string(), count: nodes, time })
        };
        result = std::mem::replace(&mut result, Ok(())).and(line);
    });
    result?;
    if json {
        return record::print(&Ok(AnalysisRecord { nodes: Some(nodes), ..AnalysisRecord::of_all("all").timed(time) }));
    }
    print(&NativeReply::Measured { name: "bench".to_owned(), count: nodes, time })
}

pub fn variants(as_json: bool) -> io::Result<()> {
    if as_json {
        return Variant::listed().try_for_each(|variant| writeln!(io::stdout(), "{}", object(variant)));
    }
    let rows: Vec<_> = std::iter::once(HEADINGS.map(str::to_owned)).chain(Variant::listed().map(row)).collect();
    let length = |row: &[String; HEADINGS.len()], column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
    let width = |column: usize| rows.iter().map(|row| length(row, column)).max().unwrap_or_default();
    let widths: Vec<_> = (0..HEADINGS.len()).map(width).collect();
    let mut output = io::stdout().lock();
    for row in &rows {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        writeln!(output, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

const HEADINGS: [&str; 9] =
    ["variant", "PDN", "GameType", "board", "men", "first move", "squares", "capture", "other names"];

fn first_square(variant: Variant) -> &'static str {
    let notation = variant.spec().notation;
    match (notation.algebraic, notation.letters, notation.first) {
        (true, Letters::Upright, _) => "a1 at the bottom left",
        (true, Letters::Turned, _) => "a1 at the top left",
        (false, _, FirstSquare::TopLeft) => "1 at the top left",
        (false, _, FirstSquare::BottomRight) => "1 at the bottom right",
    }
}

fn object(variant: Variant) -> serde_json::Value {
    let spec = variant.spec();
    serde_json::json!({
        "variant": variant.name(),
        "aliases": variant.aliases(),
        "pdn": variant.game_type(),
        "game_type": game_type(variant),
        "columns": spec.shape.width,
        "rows": spec.shape.height,
        "men": spec.men(),
        "first_move": spec.starts.to_string(),
        "algebraic": spec.notation.algebraic,
        "squares": first_square(variant),
        "capture": spec.notation.capture.to_string(),
    })
}

fn row(variant: Variant) -> [String; HEADINGS.len()] {
    let spec = variant.spec();
    let (shape, notation) = (spec.shape, spec.notation);
    let missing = || "-".to_owned();
    [
        variant.name().to_owned(),
        variant.game_type().map_or_else(missing, |number| number.to_string()),
        game_type(variant).unwrap_or_else(missing),
        format!("{}x{}", shape.width, shape.height),
        spec.men().to_string(),
        spec.starts.to_string(),
        first_square(variant).to_owned(),
        notation.capture.to_string(),
        variant.aliases().join(", "),
    ]
}

fn print(reply: &NativeReply) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{reply}")
}
