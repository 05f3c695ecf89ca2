//! Imports books from games or from CSV or JSON rows, and exports books in the same formats.

use anyhow::{Context, Result, anyhow, ensure};
use clap::ValueEnum;
use csv::StringRecord;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Number, Value};
use soffio::book::{BookMove, BookScore, Graph, key, ordered_moves};
use soffio::game::Game;
use soffio::notation::pdn::{GameRecord, GameResult, PdnMove};
use soffio::notation::{MoveRecord, WrittenGame, bitboard_move};
use soffio::rules::{Color, Variant};
use soffio_analysis::annotate::PlayableGame;
use soffio_support::json::{Fields, fault};
use soffio_support::record::game_at;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

/// A row of a JSON or CSV book: a position and one of its book moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveRow {
    /// The position in the variant's notation.
    pub fen: String,
    /// The move in the variant's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Score for the side to move, encoded as in the book format, or `None` if there is no score.
    pub score: Option<i16>,
    /// The move is chosen with a probability proportional to this weight.
    pub weight: u16,
    pub depth: u8,
}

const FIELDS: [&str; 5] = ["fen", "move", "score", "weight", "depth"];

impl MoveRow {
    fn from_fields(mut fields: Fields) -> Result<Self> {
        let score = fields.take("score", "a whole number from -32000 to 32000", |value| {
            i16::try_from(value.as_i64()?).ok().filter(|score| (-32_000..=32_000).contains(score))
        });
        let row = Self {
            fen: fields.text("fen")?.context("missing field fen")?,
            mv: fields.text("move")?.context("missing field move")?,
            score: score?,
            weight: fields.number("weight", 0..=u16::MAX.into())?.map_or(1, |weight| weight as u16),
            depth: fields.number("depth", 0..=u8::MAX.into())?.map_or(0, |depth| depth as u8),
        };
        fields.end(&FIELDS)?;
        Ok(row)
    }

    /// Parses a CSV line. `headings` contains the names of its fields, and an empty field is treated as missing.
    fn from_line(headings: &StringRecord, line: &StringRecord) -> Result<Self> {
        let field = |(name, text): (&str, &str)| {
            let number = serde_json::from_str::<Number>(text).ok().filter(|_| !matches!(name, "fen" | "move"));
            let value = number.map_or_else(|| Value::from(text), Value::Number);
            let value = if text.is_empty() { Value::Null } else { value };
            format!("{}:{value}", Value::from(name))
        };
        let fields: Vec<_> = headings.iter().zip(line.iter().map(str::trim)).map(field).collect();
        Self::from_fields(Fields::parse(&format!("{{{}}}", fields.join(",")))?)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowForm {
    /// Comma-separated values with a header line.
    Csv,
    Json,
}

impl RowForm {
    pub fn write(self, rows: impl Iterator<Item = MoveRow>, output: &mut dyn Write) -> Result<()> {
        match self {
            Self::Csv => {
                let mut writer = csv::Writer::from_writer(output);
                // The I/O error shows whether the output was closed.
                let reason = |error: csv::Error| match error.into_kind() {
                    csv::ErrorKind::Io(error) => error,
                    other => io::Error::other(format!("{other:?}")),
                };
                rows.into_iter().try_for_each(|row| writer.serialize(row)).map_err(reason)?;
                Ok(writer.flush()?)
            }
            Self::Json => {
                rows.into_iter().try_for_each(|row| Ok(writeln!(output, "{}", serde_json::to_string(&row)?)?))
            }
        }
    }

    pub fn read(self, text: &str) -> Result<Box<dyn Iterator<Item = Result<MoveRow>> + '_>> {
        match self {
            Self::Csv => {
                let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::Headers).from_reader(text.as_bytes());
                let headings = reader.headers()?.clone();
                Ok(Box::new(reader.into_records().map(move |line| MoveRow::from_line(&headings, &line?))))
            }
            Self::Json => {
                let rows = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
                let row = |row: serde_json::Result<&RawValue>| {
                    let row = row.map_err(|error| anyhow!(fault(&error)))?;
                    MoveRow::from_fields(Fields::parse(row.get())?)
                };
                Ok(Box::new(rows.map(row)))
            }
        }
    }
}

pub fn rows(graph: &Graph) -> impl Iterator<Item = MoveRow> + '_ {
    let of_node = |(id, node): (usize, &'_ soffio::book::BookNode)| {
        let game = WrittenGame::from(graph.game(id));
        let fen = game.fen().to_string();
        let moves = if node.is_leaf() { Vec::new() } else { ordered_moves(game.game()) };
        let row = |edge: &soffio::book::Edge| {
            let BookMove { score, weight, depth, .. } = graph.record(id, edge);
            let mv = game.text(*moves.get(usize::from(edge.index))?);
            let score = score.is_known().then(|| score.code());
            Some(MoveRow { fen: fen.clone(), mv, score, weight, depth })
        };
        node.edges.iter().filter_map(row).collect::<Vec<_>>()
    };
    graph.nodes().iter().enumerate().flat_map(of_node)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BookGameResult {
    /// White won
    White,
    /// Black won
    Black,
    /// The game was drawn
    Draw,
}

impl BookGameResult {
    /// Converts the result of a game of `variant`. Returns `None` if it is unknown or if both sides lost.
    fn from_result(result: GameResult, variant: Variant) -> Option<Self> {
        let won = |side| GameResult::won_by(side, variant) == result;
        match result {
            GameResult::Draw => Some(Self::Draw),
            _ if won(Color::White) => Some(Self::White),
            _ => won(Color::Black).then_some(Self::Black),
        }
    }

    /// Returns the points for `side`: 2 for a win, 1 for a draw and 0 for a loss.
    fn points(self, side: Color) -> u16 {
        match (self, side) {
            (Self::White, Color::White) | (Self::Black, Color::Black) => 2,
            (Self::Draw, _) => 1,
            _ => 0,
        }
    }
}

/// The side whose moves get a weight in an imported book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WeightedSide {
    /// White's moves
    White,
    /// Black's moves
    Black,
    /// The winner's moves in each game
    Winner,
}

impl WeightedSide {
    fn has(self, side: Color, outcome: Option<BookGameResult>) -> bool {
        match self {
            Self::White => side == Color::White,
            Self::Black => side == Color::Black,
            Self::Winner => outcome.is_some_and(|outcome| outcome.points(side) == 2),
        }
    }
}

#[derive(Clone, Debug)]
pub struct GameFilter {
    pub plies: usize,
    /// Results of the games to import. If the list is empty, all games are imported.
    pub results: Vec<BookGameResult>,
    /// The side whose moves get a weight, or `None` for both sides.
    pub moves_of: Option<WeightedSide>,
}

#[derive(Debug)]
pub struct BookImport {
    graph: Graph,
    filter: GameFilter,
    /// Number of games imported, and number of games skipped by the filter.
    pub counts: [u64; 2],
    /// Number of times each move was played, keyed by the position's node and the move's index.
    played: HashMap<(usize, u16), u32>,
}

impl BookImport {
    pub fn new(variant: Variant, filter: GameFilter) -> Self {
        Self { graph: Graph::new(variant), filter, counts: [0; 2], played: HashMap::new() }
    }

    pub fn take_row(&mut self, row: &MoveRow) -> Result<()> {
        let game = game_at(self.graph.variant(), &row.fen)?;
        let (id, _) = self.graph.add(game.game());
        let record: MoveRecord = row.mv.parse().map_err(|error| anyhow!("move {}: {error}", row.mv))?;
        let mv = game.resolve(&[record])?;
        let score = row.score.map_or(BookScore::NONE, BookScore::from_code);
        ensure!(row.score.is_none() || score.is_known(), "score: expected a number from -32000 to 32000");
        let record = BookMove { index: 0, score, weight: row.weight, depth: row.depth, flags: 0 };
        for mv in mv {
            self.graph.add_move(id, &mut game.game().clone(), mv, record);
        }
        Ok(())
    }

    /// Adds the opening moves of `record` if the game passes the filter. The weight of a move increases by two if the
    /// side that played it won the game, and by one if the game was drawn. Fails, without adding any moves, if the game
    /// cannot be replayed.
    pub fn import_game(&mut self, record: &GameRecord) -> Result<()> {
        let variant = self.graph.variant();
        let outcome = BookGameResult::from_result(record.result, variant);
        let results = &self.filter.results;
        let is_taken = results.is_empty() || outcome.is_some_and(|outcome| results.contains(&outcome));
        let [taken, left_out] = &mut self.counts;
        if !is_taken {
            *left_out += 1;
            return Ok(());
        }
        let parts = match PlayableGame::parts(record, Some(variant)) {
            Err(error) if error.is_unknown_move() => Vec::new(),
            parts => parts?,
        };
        for game in &parts {
            let played = game.played().variant();
            ensure!(played == variant, "the variant of the game is {played}, not {variant}");
            if let Some(fault) = game.mistake() {
                return Err(fault.clone().into());
            }
        }
        *taken += 1;
        let mut plies = self.filter.plies;
        for game in &parts {
            self.import_moves(game, outcome, plies);
            plies = plies.saturating_sub(game.moves().len());
        }
        Ok(())
    }

    fn import_moves(&mut self, game: &PlayableGame, outcome: Option<BookGameResult>, plies: usize) {
        let mut position = game.played().game().clone();
        (0..game.moves().len()).for_each(|_| position.undo());
        let (mut id, _) = self.graph.add(&position);
        for sequence in game.moves().iter().take(plies) {
            let (mv, side) = (bitboard_move(sequence), position.side());
            let has_weight = self.filter.moves_of.is_none_or(|moves_of| moves_of.has(side, outcome));
            let weight = outcome.filter(|_| has_weight).map_or(0, |outcome| outcome.points(side));
            let record = BookMove { index: 0, score: BookScore::NONE, weight, depth: 0, flags: 0 };
            let Some(edge) = self.graph.add_move(id, &mut position, mv, record) else { return };
            *self.played.entry((id, edge.index)).or_default() += 1;
            id = edge.child;
        }
    }

    /// Removes the moves that were played in fewer than `games` games, backs up the scores, and returns the book. Moves
    /// imported from CSV or JSON rows are never removed.
    pub fn finish(mut self, games: u32) -> Graph {
        self.graph.retain(|id, edge| self.played.get(&(id, edge.index)).is_none_or(|&played| played >= games));
        self.graph.back_up();
        self.graph
    }
}

/// Returns the lines of a book as games of up to `plies` plies, with scores as comments. Moves that are more than
/// `margin` cp worse than the best move are omitted. If several lines transpose into the same position, only one of
/// them continues.
pub fn lines(graph: &Graph, plies: usize, margin: u32) -> Vec<GameRecord> {
    let mut tree = BookTree { graph, plies, margin, seen: HashSet::new(), lines: Vec::new() };
    let start = key(&Game::new(graph.variant()));
    for root in graph.roots() {
        let (mut game, mut record) = (WrittenGame::from(graph.game(root)), GameRecord::default());
        if graph.nodes().get(root).is_some_and(|node| node.key != start) {
            record.set_tag("FEN", game.fen().to_string());
        }
        record.set_variant(graph.variant());
        tree.follow(root, &mut game, &mut record);
    }
    tree.lines
}

struct BookTree<'a> {
    graph: &'a Graph,
    plies: usize,
    margin: u32,
    seen: HashSet<usize>,
    lines: Vec<GameRecord>,
}

impl BookTree<'_> {
    /// Adds the lines that continue from node `id`. The current position of `game` must be that of the node, and
    /// `record` must contain the moves that lead to it.
    fn follow(&mut self, id: usize, game: &mut WrittenGame, record: &mut GameRecord) {
        let Some(node) = self.graph.nodes().get(id) else { return };
        let is_open = record.moves.len() < self.plies && self.seen.insert(id);
        let good = |edge: &&soffio::book::Edge| {
            let score = self.graph.record(id, edge).score;
            !score.is_known() || node.backed_up.0.drop_to(score) <= self.margin
        };
        let edges: Vec<_> = if is_open { node.edges.iter().filter(good).collect() } else { Vec::new() };
        if edges.is_empty() {
            self.lines.extend(Some(&*record).filter(|record| !record.moves.is_empty()).cloned());
            return;
        }
        let moves = ordered_moves(game.game());
        for edge in edges {
            let Some(&mv) = moves.get(usize::from(edge.index)) else { continue };
            let mut written = PdnMove::new(game.text(mv));
            if let Some(value) = self.graph.record(id, edge).score.value() {
                written.add_comment(&value.to_string());
            }
            record.moves.push(written);
            game.play_found(mv);
            self.follow(edge.child, game, record);
            drop(game.undo(1));
            record.moves.pop();
        }
    }
}
