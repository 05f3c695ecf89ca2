//! Writes puzzles as JSON lines, game records, or lidraughts imports.

use super::record::{MinedGame, PuzzleRecord, position};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use soffio::engine::Status;
use soffio::notation::pdn::{GameRecord, GameResult, PdnMove};
use soffio::notation::{FenRecord, MoveRecord, WrittenGame};
use soffio::position::paths::Sequence;
use soffio::rules::{Color, Notation, RuleSet, Variant};
use soffio_analysis::puzzle::{Goal, canonical};
use soffio_support::json::fault;
use std::collections::HashSet;
use std::io::{self, Write};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleFormat {
    Json,
    Pdn,
    /// The import format of lidraughts, with one JSON object per line.
    Lidraughts,
}

/// A set of puzzles without duplicates. Puzzles that differ only by a reflection or by swapped colours are duplicates.
#[derive(Debug, Default)]
pub struct Collection {
    pub puzzles: Vec<PuzzleRecord>,
    known: HashSet<(String, String)>,
    pub duplicates: u64,
    /// Number of puzzles that cannot be represented in the output format.
    pub unfit: u64,
}

/// The fields that distinguish the puzzles of a game from a single puzzle.
#[derive(Deserialize)]
struct PuzzleLine {
    input_hash: Option<IgnoredAny>,
}

/// Parses a line that contains a puzzle or the puzzles of a game.
fn puzzles_of(line: &str) -> serde_json::Result<Vec<PuzzleRecord>> {
    Ok(match serde_json::from_str::<PuzzleLine>(line)?.input_hash {
        Some(_) => serde_json::from_str::<MinedGame>(line)?.puzzles,
        None => vec![serde_json::from_str(line)?],
    })
}

impl Collection {
    pub fn add_line(&mut self, line: &str) -> Result<(), String> {
        let puzzles =
            puzzles_of(line).map_err(|error| format!("expected a record from `soffio puzzles`: {}", fault(&error)))?;
        puzzles.into_iter().try_for_each(|puzzle| self.add(puzzle))
    }

    pub fn add(&mut self, puzzle: PuzzleRecord) -> Result<(), String> {
        let (_, start) = puzzle.solved().map_err(|error| format!("{}: {error}", puzzle.id))?;
        if self.known.insert((puzzle.variant.clone(), canonical(start.game()))) {
            self.puzzles.push(puzzle);
        } else {
            self.duplicates += 1;
        }
        Ok(())
    }

    /// Returns the puzzles as game records.
    pub fn records(&self) -> impl Iterator<Item = GameRecord> {
        self.puzzles.iter().filter_map(record)
    }

    pub fn write(&mut self, format: PuzzleFormat, output: &mut dyn Write) -> io::Result<()> {
        for puzzle in &self.puzzles {
            let text = match format {
                PuzzleFormat::Json => {
                    serde_json::to_string(puzzle).map(|text| text + "\n").map_err(io::Error::other)?
                }
                PuzzleFormat::Pdn => record(puzzle).map(|record| record.to_string()).unwrap_or_default(),
                PuzzleFormat::Lidraughts => match lidraughts_import(puzzle) {
                    Some(text) => text + "\n",
                    None => {
                        self.unfit += 1;
                        continue;
                    }
                },
            };
            output.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

pub(super) fn task(puzzle: &PuzzleRecord, side: Color) -> String {
    let side = side.pick(["White", "Black"]);
    match puzzle.goal {
        Goal::Gain => format!("{side} to play and gain material"),
        Goal::Draw => format!("{side} to play and draw"),
        Goal::Win => format!("{side} to play and win"),
    }
}

pub(super) fn record(puzzle: &PuzzleRecord) -> Option<GameRecord> {
    let (end, start) = puzzle.solved().ok()?;
    let mut record = GameRecord::default();
    let (fen, side) = (start.fen(), start.side());
    record.set_tag("Event", task(puzzle, side));
    record.set_tag("Site", puzzle.id.clone());
    record.set_tag("White", "?".to_owned());
    record.set_tag("Black", "?".to_owned());
    let spec = start.spec();
    record.result = match puzzle.goal {
        Goal::Win if side == spec.starts => GameResult::First,
        Goal::Win => GameResult::Second,
        Goal::Draw => GameResult::Draw,
        Goal::Gain => GameResult::Unknown,
    };
    record.set_tag("Result", record.result_text());
    record.set_variant(end.variant());
    record.set_tag("SetUp", "1".to_owned());
    record.set_tag("FEN", fen.to_string());
    record.set_tag("Goal", puzzle.goal.to_string());
    record.set_tag("Proof", puzzle.proof.to_string());
    record.set_tag("Themes", puzzle.themes.join(" "));
    record.set_tag("Difficulty", puzzle.difficulty.to_string());
    record.moves = puzzle.solution.iter().map(PdnMove::played).collect();
    Some(record)
}

const VARIANTS: [Variant; 3] = [Variant::International, Variant::Frisian, Variant::Russian];

#[derive(Serialize)]
struct Import {
    category: &'static str,
    last_pos: String,
    last_move: String,
    /// Variations, each given as a list of moves.
    move_list: [Vec<String>; 1],
    /// Identifies a puzzle that does not come from a game on the server.
    game_id: &'static str,
}

/// Returns the JSON line for `puzzle`, or `None` if lidraughts cannot import it.
///
/// The format contains the position before the last move, that move, and the solution. All moves are written with
/// square numbers.
///
/// The importer of lidraughts reads `category`, `last_pos`, `last_move`, `move_list` and `game_id`. A move is written
/// as two square numbers in four digits, and every jump of a capture is a separate move. The last move must lead to the
/// position of the puzzle. A puzzle that follows a multiple capture is skipped, because the last move can be only one
/// jump of that capture.
fn lidraughts_import(puzzle: &PuzzleRecord) -> Option<String> {
    let before = puzzle.before.as_ref()?;
    let mut game = position(&puzzle.variant, &before.fen).ok().filter(|game| VARIANTS.contains(&game.variant()))?;
    let spec = RuleSet { notation: Notation::NUMERIC, ..*game.spec() };
    let last_pos = FenRecord::from_setup(&spec, &game.game().setup()).to_string();
    let [last_move] = <[String; 1]>::try_from(jumps(&spec, &play(&mut game, &before.text)?)).ok()?;
    let mut moves = Vec::new();
    for text in &puzzle.solution {
        moves.extend(jumps(&spec, &play(&mut game, text)?));
    }
    let is_mate = matches!(game.status(), Status::Won { .. });
    let category = if is_mate { "Mate" } else { "Material" };
    serde_json::to_string(&Import { category, last_pos, last_move, move_list: [moves], game_id: "custom" }).ok()
}

fn play(game: &mut WrittenGame, text: &str) -> Option<Sequence> {
    game.play_record(&text.parse::<MoveRecord>().ok()?).ok()
}

/// Returns the jumps of a capture, or the single step of a quiet move, each as the numbers of its two squares.
fn jumps(spec: &RuleSet, sequence: &Sequence) -> Vec<String> {
    let number = |square| format!("{:02}", spec.number(square).get());
    let from = std::iter::once(&sequence.from).chain(&sequence.landings);
    from.zip(&sequence.landings).map(|(&from, &to)| number(from) + &number(to)).collect()
}
