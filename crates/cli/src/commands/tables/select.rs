//! `soffio tables stat`, `longest`, `mutual-zugzwang` and `only-moves`: prints statistics, and lists positions that are
//! of interest to problem composers and authors.

use super::folder::{best_line_of, ensure_readable, load_tables, piece_count, position_of, slices};
use crate::progress::{TablesProgress, or_cores, print_line, stop_on_signal};
use crate::values::{any_variant, integer};
use anyhow::{Result, ensure};
use clap::Args;
use serde::Serialize;
use serde_with::skip_serializing_none;
use soffio::notation::pdn::{GameRecord, GameResult, PdnMove};
use soffio::notation::{FenRecord, WrittenGame};
use soffio::position::with_width;
use soffio::rules::{Color, Variant, Word};
use soffio::tables::{
    AnyTables, Counts, Material, Prober, SelectedPosition, Selection, Selector, Slice, TableOutcome, Tables,
};
use soffio_analysis::puzzle::canonical;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Number of positions to select per printed position. More are selected because mirrored and colour-swapped copies are
/// removed after the selection.
const CANDIDATES_PER_POSITION: usize = 4;

/// The arguments of the three commands that list positions.
#[derive(Debug, Args)]
pub struct SelectArguments {
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    /// Maximum number of pieces on the board, both sides together (2 to 14)
    #[arg(long, value_name = "N", value_parser = piece_count(), required_unless_present = "material")]
    pieces: Option<u8>,
    /// List only positions with this material, given as the men and kings of each side, such as 1m1k-0m2k
    #[arg(long, value_name = "MATERIAL", conflicts_with = "pieces")]
    material: Option<Material>,
    /// Folder with the tables [default: solve them in memory]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Maximum number of positions to print
    #[arg(long, value_name = "N", default_value = "10", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    count: NonZeroUsize,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
    /// Print one JSON object per position
    #[arg(long, conflicts_with = "pdn")]
    json: bool,
    /// Print PDN records with the FEN and the best line
    #[arg(long)]
    pdn: bool,
}

#[derive(Debug, Args)]
pub struct OnlyMovesArguments {
    /// Minimum number of consecutive turns with only one winning move
    #[arg(value_name = "TURNS", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    pub turns: NonZeroUsize,
    #[command(flatten)]
    pub select: SelectArguments,
}

#[skip_serializing_none]
#[derive(Debug, Serialize)]
struct SelectedRow {
    variant: &'static str,
    fen: String,
    /// Result for the side to move with best play by both sides.
    table: String,
    /// In a mutual zugzwang, the result for the other side if that side were to move; otherwise `None`.
    passed: Option<String>,
    only_moves: Option<usize>,
    table_pv: Vec<String>,
}

/// Prints the selected positions. Returns whether all tables were available.
pub(super) fn select(selection: Selection, arguments: &SelectArguments) -> Result<bool> {
    let spec = arguments.variant.spec();
    let (needed, wanted) = match arguments.material {
        Some(material) => {
            let slice = Slice::containing(material);
            ensure!(slice.is_solvable(spec), "{} has no table for {material}", arguments.variant);
            (slice.with_dependencies(spec), vec![slice])
        }
        None => {
            let slices = slices(arguments.variant, arguments.pieces.unwrap_or_default())?;
            (slices.clone(), slices)
        }
    };
    with_width!(AnyTables::new(arguments.variant), tables => examine(selection, arguments, &needed, &wanted, tables))
}

fn examine<W: Word>(
    selection: Selection,
    arguments: &SelectArguments,
    needed: &[Slice],
    wanted: &[Slice],
    mut tables: Tables<W>,
) -> Result<bool> {
    let (variant, threads) = (arguments.variant, or_cores(arguments.threads));
    let mut is_whole = load_tables(arguments.dir.as_deref(), variant, needed, &mut tables, threads)?;
    let without: Vec<_> = needed.iter().filter(|&&slice| !tables.contains(slice)).map(Slice::to_string).collect();
    if is_whole && !without.is_empty() {
        print_line(&format!("files with no distances: {}", without.join(", ")));
        is_whole = false;
    }
    let stop = stop_on_signal()?;
    let progress = TablesProgress::new(wanted.iter().map(|&slice| tables.size(slice)).sum());
    progress.part("positions".to_owned());
    let most = CANDIDATES_PER_POSITION * arguments.count.get();
    let selector =
        Selector { tables: &tables, selection, max_results: most, threads, stop: &stop, done: &progress.done };
    let materials = wanted.iter().filter(|&&slice| tables.contains(slice)).flat_map(|slice| slice.materials());
    let selected = progress.during(|| selector.select(materials))?;
    ensure!(!stop.is_stopped(), "interrupted");
    ensure_readable(arguments.dir.as_deref(), &tables)?;
    let (mut known, mut prober) = (HashSet::new(), Prober::new(&tables));
    let mut output = io::stdout().lock();
    for found in selected {
        let Some(setup) = selector.setup(&found) else { continue };
        let fen = FenRecord::from_setup(variant.spec(), &setup);
        let game = WrittenGame::from_start(variant, Some(&fen))?;
        if !known.insert(canonical(game.game())) {
            continue;
        }
        let line = position_of(&game).map(|position| best_line_of(&mut prober, &game, &position)).unwrap_or_default();
        let row = row(selection, found, &game, line);
        if arguments.json {
            serde_json::to_writer(&mut output, &row)?;
            writeln!(output)?;
        } else if arguments.pdn {
            write!(output, "{}", record(&row, &game))?;
        } else {
            print(&mut output, known.len(), &row, &game)?;
        }
        if known.len() == arguments.count.get() {
            break;
        }
    }
    ensure_readable(arguments.dir.as_deref(), &tables)?;
    Ok(is_whole)
}

fn row(selection: Selection, found: SelectedPosition, game: &WrittenGame, table_pv: Vec<String>) -> SelectedRow {
    let table = match selection {
        Selection::MutualZugzwang => TableOutcome::Loss(Some(found.plies)),
        Selection::LongestWins | Selection::OnlyMoves(_) => TableOutcome::Win(Some(found.plies)),
    };
    SelectedRow {
        variant: game.variant().name(),
        fen: game.fen().to_string(),
        table: table.to_string(),
        passed: found.passed.map(|passed| passed.to_string()),
        only_moves: matches!(selection, Selection::OnlyMoves(_)).then_some(found.only_moves),
        table_pv,
    }
}

fn title(row: &SelectedRow, side: Color) -> String {
    let mut text = format!("{side} to move: {}", row.table);
    if let Some(passed) = &row.passed {
        text += &format!("; {} to move: {passed}", side.opponent());
    }
    if let Some(only_moves) = row.only_moves {
        text += &format!(", {only_moves} only moves");
    }
    text
}

fn print(output: &mut impl Write, number: usize, row: &SelectedRow, game: &WrittenGame) -> io::Result<()> {
    writeln!(output, "{number}. {}\n   {}", row.fen, title(row, game.side()))?;
    write!(output, "{}", game.game().setup().draw(game.spec()))?;
    writeln!(output, "   {}\n", row.table_pv.join(" "))
}

fn record(row: &SelectedRow, game: &WrittenGame) -> GameRecord {
    let mut record = GameRecord::default();
    let wins = row.table.starts_with("win");
    let is_first = wins == (game.side() == game.spec().starts);
    record.result = if is_first { GameResult::First } else { GameResult::Second };
    record.set_tag("Event", title(row, game.side()));
    record.set_tag("Result", record.result_text());
    record.set_variant(game.variant());
    record.set_tag("SetUp", "1".to_owned());
    record.set_tag("FEN", row.fen.clone());
    record.moves = row.table_pv.iter().map(PdnMove::played).collect();
    record
}

#[derive(Debug, Args)]
pub struct StatArguments {
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    /// Maximum number of pieces on the board, both sides together (2 to 14)
    #[arg(long, value_name = "N", value_parser = piece_count())]
    pieces: u8,
    /// Folder with the tables [default: solve them in memory]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Number of solver threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroUsize>(1..=u64::MAX))]
    threads: Option<NonZeroUsize>,
    /// Print JSON: wins, draws, losses and longest win for each combination of material (men and kings of White, then
    /// of Black)
    #[arg(long)]
    json: bool,
}

/// Results of the positions with a given material and White to move.
#[derive(Debug, Serialize)]
struct Class {
    win: u64,
    draw: u64,
    loss: u64,
    /// FEN of the first position with the longest win, or `unknown`. `None` if no position is won.
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
    let is_whole = load_tables(arguments.dir.as_deref(), variant, slices, &mut tables, or_cores(arguments.threads))?;
    let materials = slices.iter().flat_map(|slice| slice.materials());
    let counted = materials.filter_map(|material| Some((material, tables.counts(material)?)));
    if arguments.json {
        let classes = counted.map(|(material, counts)| (material.to_string(), class(&tables, material, counts)));
        let statistics = Statistics { variant: variant.name(), classes: classes.collect() };
        let mut output = io::stdout().lock();
        serde_json::to_writer_pretty(&mut output, &statistics)?;
        writeln!(output)?;
    } else {
        print_counts(&tables, counted)?;
    }
    ensure_readable(arguments.dir.as_deref(), &tables)?;
    Ok(is_whole)
}

fn longest_win<W: Word>(tables: &Tables<W>, material: Material, counts: Counts) -> Option<(FenRecord, u8)> {
    let (plies, number) = counts.longest_win?;
    let setup = tables.index(material).setup(number)?;
    Some((FenRecord::from_setup(tables.rules().spec(), &setup), plies))
}

/// Returns `unknown` if there are won positions. Tables without distances do not contain the longest win.
fn unknown(counts: Counts) -> Option<&'static str> {
    (counts.wins > 0).then_some("unknown")
}

fn class<W: Word>(tables: &Tables<W>, material: Material, counts: Counts) -> Class {
    let (longest_win, longest_win_plies) = longest_win(tables, material, counts).unzip();
    Class {
        win: counts.wins,
        draw: counts.draws,
        loss: counts.losses,
        longest_win: longest_win.map(|fen| fen.to_string()).or_else(|| unknown(counts).map(str::to_owned)),
        longest_win_plies,
    }
}

fn print_counts<W: Word>(tables: &Tables<W>, counted: impl Iterator<Item = (Material, Counts)>) -> Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{:9} {:>12} {:>12} {:>12}  longest win", "to move", "won", "drawn", "lost")?;
    let mut prober = Prober::new(tables);
    for (material, counts) in counted {
        let Counts { wins, draws, losses, .. } = counts;
        write!(output, "{:9} {wins:12} {draws:12} {losses:12}", material.to_string())?;
        let Some((fen, plies)) = longest_win(tables, material, counts) else {
            writeln!(output, "  {}", unknown(counts).unwrap_or("none"))?;
            continue;
        };
        writeln!(output, "  {plies} {}, {fen}", if plies == 1 { "ply" } else { "plies" })?;
        let game = WrittenGame::from_start(tables.rules().variant(), Some(&fen))?;
        if let Some(position) = position_of(&game) {
            let line = best_line_of(&mut prober, &game, &position);
            if !line.is_empty() {
                writeln!(output, "          {}", line.join(" "))?;
            }
        }
    }
    Ok(())
}
