//! `soffio book`: builds, probes, verifies, merges, imports and exports opening books.

mod assessments;
mod exchange;
mod files;
mod grow;
mod growth;
mod lookup;

pub use lookup::leaving;

use crate::input::{EncodingArguments, ensure_none_is_output, for_each_game_of};
use crate::progress::{ensure_not_stopped, print_line, stop_on_signal};
use crate::values::{any_variant, integer};
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, Subcommand, ValueEnum};
use exchange::{BookGameResult, BookImport, GameFilter, RowForm, WeightedSide, lines, rows};
use files::{OutArguments, open, open_graph, open_verified};
use grow::{GrowArguments, grow};
use lookup::moves_of;
use serde_json::json;
use soffio::book::{Book, BookHeader, BookMove, Graph, key};
use soffio::game::Move;
use soffio::notation::{GameError, MoveRecord, WrittenGame};
use soffio::rules::Variant;
use soffio_match::read_position;
use soffio_support::record::START;
use soffio_support::stdio::for_each_line;
use soffio_support::with_path::WithPath;
use soffio_support::words::counted;
use std::collections::{HashSet, VecDeque};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// The subcommands of `soffio book`.
#[derive(Debug, Subcommand)]
pub enum BookCommand {
    /// Build a book by searching and extending its best lines
    ///
    /// The book is built by drop-out expansion. To resume an interrupted build, run the same command again. The result
    /// is determined by --variant, --positions, --nodes, --settle, --openings, --plies, --breadth and --round.
    #[command(after_help = "Example: soffio book grow --variant english --positions 60 --nodes 100 --out small.book")]
    Grow(Box<GrowArguments>),
    /// Probe positions read from standard input
    ///
    /// Reads one FEN per line and prints the book moves of each position on one line.
    #[command(after_help = "Example: echo startpos | soffio book probe small.book")]
    Probe(BookProbeArguments),
    /// Print a book as a tree of moves with scores
    #[command(after_help = "Example: soffio book show small.book --plies 2")]
    Show(ShowArguments),
    /// Print the metadata and size of books
    #[command(after_help = "Example: soffio book stat small.book")]
    Stat(BooksArguments),
    /// Verify book files
    ///
    /// Checks that every record is intact and contains a legal move, that every position can be reached, and that the
    /// scores are backed up correctly.
    #[command(after_help = "Example: soffio book verify small.book")]
    Verify(BooksArguments),
    /// Merge books of the same variant
    ///
    /// If several books contain the same move, the score from the deepest search is kept. All scores are then backed up
    /// again.
    #[command(after_help = "Example: soffio book merge one.book two.book --out merged.book")]
    Merge(MergeBooksArguments),
    /// Create a book from games, or from CSV or JSON rows
    #[command(after_help = "Example: soffio book import games.pdn --variant russian --out games.book")]
    Import(ImportArguments),
    /// Print a book as CSV or JSON rows, or its lines as PDN games
    #[command(after_help = "Example: soffio book export small.book --format pdn > lines.pdn")]
    Export(ExportArguments),
}

pub fn run_book(command: &BookCommand) -> Result<bool> {
    match command {
        BookCommand::Grow(arguments) => grow(arguments),
        BookCommand::Probe(arguments) => probe(arguments),
        BookCommand::Show(arguments) => show(arguments).map(|()| true),
        BookCommand::Stat(arguments) => stat(arguments).map(|()| true),
        BookCommand::Verify(arguments) => verify(arguments).map(|()| true),
        BookCommand::Merge(arguments) => merge(arguments).map(|()| true),
        BookCommand::Import(arguments) => import(arguments),
        BookCommand::Export(arguments) => export(arguments).map(|()| true),
    }
}

#[derive(Debug, Args)]
pub struct BookProbeArguments {
    /// Book file
    book: PathBuf,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct ShowArguments {
    /// Book file
    book: PathBuf,
    /// FEN of the position to show [default: start position]
    #[arg(long)]
    fen: Option<String>,
    /// Moves to play from the --fen position before the tree is printed, separated by spaces [default: none]
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// Number of plies to print
    #[arg(long, default_value_t = 3, value_parser = integer::<usize>(0..=u64::MAX))]
    plies: usize,
    /// Include moves that lose up to MARGIN cp compared with the best move
    #[arg(long, default_value_t = 30, value_parser = integer::<u32>(0..=u32::MAX.into()))]
    margin: u32,
}

#[derive(Debug, Args)]
pub struct BooksArguments {
    /// Book files
    #[arg(required = true)]
    books: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct MergeBooksArguments {
    #[command(flatten)]
    books: BooksArguments,
    #[command(flatten)]
    out: OutArguments,
}

#[derive(Debug, Args)]
pub struct ImportArguments {
    /// Files to import: games (.pdn), or rows with the fields fen, move, score, weight and depth (.csv with a header
    /// line, or .jsonl)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Variant, as listed by `soffio variants`
    #[arg(long, value_parser = any_variant)]
    variant: Variant,
    #[command(flatten)]
    encoding: EncodingArguments,
    /// Maximum number of plies to import from each game
    #[arg(long, default_value_t = 40, value_parser = integer::<usize>(0..=u64::MAX))]
    plies: usize,
    /// Skip moves that were played in fewer than N games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer::<u32>(0..=u32::MAX.into()))]
    games: u32,
    /// Import only games with these results, separated by commas [default: all games]
    #[arg(long, value_name = "RESULTS", value_enum, value_delimiter = ',')]
    result: Vec<BookGameResult>,
    /// Assign weights only to moves by this side, or by the winner of each game [default: both sides]; other moves get
    /// weight 0: they connect positions but are never played
    #[arg(long, value_name = "SIDE", value_enum)]
    moves_of: Option<WeightedSide>,
    #[command(flatten)]
    out: OutArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TextForm {
    /// The lines of the book as PDN games
    Pdn,
    /// All moves as comma-separated values
    Csv,
    /// All moves as JSON objects, one per line
    Jsonl,
}

#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Book file
    book: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value = "jsonl")]
    format: TextForm,
    /// Maximum length of a line in plies (pdn only)
    #[arg(long, default_value_t = 12, value_parser = integer::<usize>(0..=u64::MAX))]
    plies: usize,
    /// Include moves that lose up to MARGIN cp compared with the best move (pdn only)
    #[arg(long, default_value_t = 30, value_parser = integer::<u32>(0..=u32::MAX.into()))]
    margin: u32,
}

fn text(record: &BookMove) -> String {
    let score = record.score.value().map_or_else(|| "no score".to_owned(), |value| value.to_string());
    format!("{score}, weight {}, depth {}", record.weight, record.depth)
}

fn probe(arguments: &BookProbeArguments) -> Result<bool> {
    let (book, variant) = open_verified(&arguments.book)?;
    let (mut output, mut is_fine) = (io::stdout().lock(), true);
    for_each_line(|line| {
        let answer = line.map_err(anyhow::Error::msg).and_then(|line| {
            let fen = if line == START { None } else { Some(read_position(&line)) };
            let fen = fen.transpose().map_err(GameError::from)?;
            let game = WrittenGame::from_start(variant, fen.as_ref()).map_err(GameError::from)?;
            Ok((line, game))
        });
        is_fine &= answer.is_ok();
        let moves = answer.as_ref().map(|(_, game)| moves_of(&book, game)).unwrap_or_default();
        match answer {
            Err(error) if arguments.json => writeln!(output, "{}", json!({"error": error.to_string()}))?,
            Err(error) => writeln!(output, "error {error}")?,
            Ok((fen, game)) if arguments.json => {
                let of_move = |(mv, record): &(Move, BookMove)| {
                    let score = record.score.is_known().then(|| record.score.code());
                    json!({"move": game.text(*mv), "score": score, "weight": record.weight, "depth": record.depth})
                };
                writeln!(output, "{}", json!({"fen": fen, "moves": moves.iter().map(of_move).collect::<Vec<_>>()}))?;
            }
            Ok(_) if moves.is_empty() => writeln!(output, "none")?,
            Ok((_, game)) => {
                let said = |(mv, record): &(Move, BookMove)| format!("{} {}", game.text(*mv), text(record));
                writeln!(output, "{}", moves.iter().map(said).collect::<Vec<_>>().join("; "))?;
            }
        }
        anyhow::Ok(())
    })?;
    Ok(is_fine)
}

fn show(arguments: &ShowArguments) -> Result<()> {
    let (book, variant) = open_verified(&arguments.book)?;
    let fen = arguments.fen.as_deref().map(read_position).transpose().map_err(GameError::from)?;
    let mut game = WrittenGame::from_start(variant, fen.as_ref()).map_err(GameError::from)?;
    let moves: Vec<MoveRecord> = arguments.moves.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    game.play(&moves)?;
    if book.moves(key(game.game())).is_empty() {
        let is_start = arguments.fen.is_none() && moves.is_empty();
        let root = book.header().roots.first().filter(|_| is_start);
        let hint = root.map(|root| format!("; use --fen to name a position such as {root}")).unwrap_or_default();
        bail!("position not in the book: {}{hint}", game.fen());
    }
    let mut output = BufWriter::new(io::stdout().lock());
    show_moves(arguments, &book, &mut game, 0, &mut output)?;
    Ok(output.flush()?)
}

fn show_moves(
    arguments: &ShowArguments,
    book: &Book,
    game: &mut WrittenGame,
    ply: usize,
    output: &mut dyn Write,
) -> Result<()> {
    let moves = moves_of(book, game);
    let best = moves.first().map(|(_, record)| record.score);
    for (mv, record) in moves {
        if best.is_some_and(|best| record.score.is_known() && best.drop_to(record.score) > arguments.margin) {
            continue;
        }
        writeln!(output, "{:indent$}{} {}", "", game.text(mv), text(&record), indent = 2 * ply)?;
        if ply + 1 < arguments.plies {
            game.play_found(mv);
            show_moves(arguments, book, game, ply + 1, output)?;
            game.undo(1)?;
        }
    }
    Ok(())
}

fn stat(arguments: &BooksArguments) -> Result<()> {
    let mut output = io::stdout().lock();
    for path in &arguments.books {
        let (book, graph) = open_graph(path)?;
        let BookHeader { identity, author, licence, engine, nodes, plan, roots } = book.header();
        let leaves = graph.nodes().iter().filter(|node| node.is_leaf()).count();
        let ends = graph.nodes().iter().filter(|node| node.is_end).count();
        let (positions, moves) = (counted(graph.nodes().len() as u64, "position"), counted(book.len() as u64, "move"));
        let (roots, nodes) = (counted(roots.len() as u64, "root"), counted(*nodes, "node"));
        let plies = counted(farthest(&graph) as u64, "ply");
        writeln!(output, "{}: {} by {author}, licence {licence}, {engine}", path.display(), identity.variant)?;
        writeln!(output, "  plan: {plan}")?;
        writeln!(output, "  scores from searches of {nodes}; {roots} in addition to the start position")?;
        writeln!(output, "  {positions} ({leaves} leaves, {ends} ends of games), {moves}")?;
        writeln!(output, "  maximum distance from a root: {plies}")?;
    }
    Ok(())
}

/// Returns the distance in plies from the roots to the farthest position.
fn farthest(graph: &Graph) -> usize {
    let mut open: VecDeque<_> = graph.roots().into_iter().map(|root| (root, 0)).collect();
    let (mut seen, mut farthest) = (HashSet::new(), 0);
    while let Some((id, ply)) = open.pop_front() {
        let Some(node) = graph.nodes().get(id).filter(|_| seen.insert(id)) else { continue };
        farthest = farthest.max(ply);
        open.extend(node.edges.iter().map(|edge| (edge.child, ply + 1)));
    }
    farthest
}

fn verify(arguments: &BooksArguments) -> Result<()> {
    for path in &arguments.books {
        let (book, graph) = open_graph(path)?;
        graph.check(&book).with_path(path)?;
        writeln!(io::stdout(), "{}: {} verified", path.display(), counted(book.len(), "record"))?;
    }
    Ok(())
}

fn merge(arguments: &MergeBooksArguments) -> Result<()> {
    let stop = stop_on_signal()?;
    let reservation = arguments.out.reserve()?;
    let paths = &arguments.books.books;
    let (books, variants): (Vec<_>, Vec<_>) =
        paths.iter().map(|path| open(path)).collect::<Result<Vec<_>>>()?.into_iter().unzip();
    let variant = *variants.first().context("no book given")?;
    for (book, path) in books.iter().zip(paths) {
        book.header().check_variant(variant).with_path(path)?;
    }
    let names = || paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let out = arguments.out.for_merged(&books)?;
    let graph = Graph::from_books(variant, &books).map_err(|error| anyhow!("{}: {error}", names()))?;
    let nodes = books.iter().map(|book| book.header().nodes).min().unwrap_or_default();
    ensure_not_stopped(&stop)?;
    let plans: Vec<_> = books.iter().map(|book| format!("({})", book.header().plan)).collect();
    out.write_all(reservation, &graph, (nodes, format!("merged: {}", plans.join(" "))))
}

impl ImportArguments {
    /// Explains why an import of `taken` games has no move. `left_out` games do not have the selected results.
    fn reason_for_no_move(&self, taken: u64, left_out: u64) -> String {
        match (taken, left_out) {
            (0, 1..) => format!("--result selects none of {}", counted(left_out, "game")),
            _ if self.plies == 0 => "--plies 0 imports no moves; use at least 1".to_owned(),
            _ if self.games > 1 => format!("--games {}: no move was played in that many games", self.games),
            _ => "the games contain no readable moves".to_owned(),
        }
    }
}

/// Builds a book from games or rows. Returns whether all games could be replayed.
fn import(arguments: &ImportArguments) -> Result<bool> {
    ensure_none_is_output(arguments.files.iter().map(PathBuf::as_path), [arguments.out.out.as_path()])?;
    let stop = stop_on_signal()?;
    let reservation = arguments.out.reserve()?;
    let filter = GameFilter { plies: arguments.plies, results: arguments.result.clone(), moves_of: arguments.moves_of };
    let mut imported = BookImport::new(arguments.variant, filter);
    let (mut entries, mut faulty) = (0_u64, 0_u64);
    for path in &arguments.files {
        let end = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let wrong =
            |place: &str, number: usize, error: anyhow::Error| anyhow!("{}, {place} {number}: {error}", path.display());
        let form = match end.as_str() {
            "pdn" => {
                for_each_game_of(path, arguments.encoding, |game| {
                    ensure_not_stopped(&stop)?;
                    entries += 1;
                    if let Err(error) = imported.import_game(&game.record) {
                        faulty += 1;
                        print_line(&wrong("game", game.number, error).to_string());
                    }
                    Ok(())
                })?;
                continue;
            }
            "csv" => RowForm::Csv,
            "jsonl" | "json" => RowForm::Json,
            _ => bail!("{}: expected a file whose name ends in .pdn, .csv or .jsonl", path.display()),
        };
        let text = arguments.encoding.decode(&fs::read(path).with_path(path)?).text;
        for (number, row) in (1..).zip(form.read(&text).with_path(path)?) {
            ensure_not_stopped(&stop)?;
            entries += 1;
            row.and_then(|row| imported.take_row(&row)).map_err(|error| wrong("row", number, error))?;
        }
    }
    let names: Vec<_> = arguments.files.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    ensure!(entries > 0, "no games or rows found");
    let [taken, left_out] = imported.counts;
    ensure!(faulty < entries, "none of the games can be imported");
    if left_out > 0 || faulty > 0 {
        let skipped = if left_out > 0 { format!(", {left_out} skipped") } else { String::new() };
        let not_imported = if faulty > 0 { format!(", {faulty} not imported") } else { String::new() };
        print_line(&format!("{} imported{skipped}{not_imported}", counted(taken, "game")));
    }
    let graph = imported.finish(arguments.games);
    ensure_not_stopped(&stop)?;
    let is_empty = graph.nodes().iter().all(|node| node.is_leaf());
    ensure!(!is_empty, "the book would be empty: {}", arguments.reason_for_no_move(taken, left_out));
    arguments.out.write_all(reservation, &graph, (0, format!("imported: {}", names.join(" "))))?;
    Ok(faulty == 0)
}

fn export(arguments: &ExportArguments) -> Result<()> {
    let (_, graph) = open_graph(&arguments.book)?;
    let mut output = BufWriter::new(io::stdout().lock());
    match arguments.format {
        TextForm::Csv => RowForm::Csv.write(rows(&graph), &mut output)?,
        TextForm::Jsonl => RowForm::Json.write(rows(&graph), &mut output)?,
        TextForm::Pdn => {
            let games = lines(&graph, arguments.plies, arguments.margin);
            games.iter().try_for_each(|game| write!(output, "{game}"))?;
        }
    }
    Ok(output.flush()?)
}
