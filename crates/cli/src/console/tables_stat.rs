//! `soffio tables stat`.

use super::progress::or_cores;
use super::tables_folder::{gather, line_of, piece_count, position_of, slices};
use super::values::{any_variant, integer};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use soffio::notation::{FenRecord, WrittenGame};
use soffio::position::with_width;
use soffio::rules::{Variant, Word};
use soffio::tables::{AnyTables, Counts, Material, Prober, Slice, Tables};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct StatArguments {
    /// The game.
    #[arg(long, value_name = "V", value_parser = any_variant)]
    variant: Variant,
    /// Most pieces on the board, of both sides together.
    #[arg(long, value_name = "N", value_parser = piece_count())]
    pieces: u8,
    /// The folder of the files; without it the tables are solved in memory.
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
    /// Threads that solve; without it as many as there are cores.
    #[arg(long, value_name = "T", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
    /// Print JSON: for each material, men and kings of White, then of Black, the wins, draws and losses and the longest win.
    #[arg(long)]
    json: bool,
}

/// With White to move.
#[derive(Debug, Serialize)]
struct Class {
    win: u64,
    draw: u64,
    loss: u64,
    /// The first position with the longest win.
    longest_win: Option<String>,
    longest_win_plies: Option<u8>,
}

#[derive(Debug, Serialize)]
struct Statistics {
    variant: &'static str,
    classes: BTreeMap<String, Class>,
}

pub(super) fn stat(arguments: &StatArguments) -> Result<bool> {
    let slices = slices(arguments.variant, arguments.pieces)?;
    with_width!(AnyTables::new(arguments.variant), tables => count(arguments, &slices, tables))
}

fn count<W: Word>(arguments: &StatArguments, slices: &[Slice], mut tables: Tables<W>) -> Result<bool> {
    let variant = arguments.variant;
    let is_whole = gather(arguments.dir.as_deref(), variant, slices, &mut tables, or_cores(arguments.threads))?;
    let materials = slices.iter().flat_map(|slice| slice.materials());
    let counted = materials.filter_map(|material| Some((material, tables.counts(material)?)));
    if arguments.json {
        let classes = counted.map(|(material, counts)| (material.to_string(), class(&tables, material, counts)));
        let statistics = Statistics { variant: variant.name(), classes: classes.collect() };
        let mut output = io::stdout().lock();
        serde_json::to_writer_pretty(&mut output, &statistics)?;
        writeln!(output)?;
    } else {
        print(&tables, counted)?;
    }
    Ok(is_whole)
}

fn longest_win<W: Word>(tables: &Tables<W>, material: Material, counts: Counts) -> Option<(FenRecord, u8)> {
    let (plies, number) = counts.longest_win?;
    let setup = tables.index(material).setup(number)?;
    Some((FenRecord::from_setup(tables.rules().spec(), &setup), plies))
}

fn class<W: Word>(tables: &Tables<W>, material: Material, counts: Counts) -> Class {
    let (longest_win, longest_win_plies) = longest_win(tables, material, counts).unzip();
    Class {
        win: counts.wins,
        draw: counts.draws,
        loss: counts.losses,
        longest_win: longest_win.map(|fen| fen.to_string()),
        longest_win_plies,
    }
}

fn print<W: Word>(tables: &Tables<W>, counted: impl Iterator<Item = (Material, Counts)>) -> Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{:9} {:>12} {:>12} {:>12}  longest win", "to move", "won", "drawn", "lost")?;
    let mut prober = Prober::new(tables);
    for (material, counts) in counted {
        let Counts { wins, draws, losses, .. } = counts;
        write!(output, "{:9} {wins:12} {draws:12} {losses:12}", material.to_string())?;
        let Some((fen, plies)) = longest_win(tables, material, counts) else {
            writeln!(output, "  none")?;
            continue;
        };
        writeln!(output, "  {plies} {}, {fen}", if plies == 1 { "ply" } else { "plies" })?;
        let game = WrittenGame::at(tables.rules().variant(), Some(&fen))?;
        if let Some(position) = position_of(&game) {
            writeln!(output, "          {}", line_of(&mut prober, &game, &position).join(" "))?;
        }
    }
    Ok(())
}
