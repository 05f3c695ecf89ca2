//! Writes the import format of lidraughts: the position before the last move, that move, and the solution. All moves
//! are written with square numbers.
//!
//! The importer of lidraughts reads `category`, `last_pos`, `last_move`, `move_list` and `game_id`. A move is written
//! as two square numbers in four digits, and every jump of a capture is a separate move. The last move must lead to the
//! position of the puzzle. A puzzle after a multiple capture is skipped, because only one jump of the capture could be
//! played.

use super::record::{PuzzleRecord, position};
use serde::Serialize;
use soffio::engine::Status;
use soffio::notation::{FenRecord, MoveRecord, WrittenGame};
use soffio::position::paths::Sequence;
use soffio::rules::{Notation, RuleSet, Variant};

const VARIANTS: [Variant; 3] = [Variant::International, Variant::Frisian, Variant::Russian];

#[derive(Serialize)]
struct Import {
    category: &'static str,
    last_pos: String,
    last_move: String,
    /// Variations, each of which is a list of moves.
    move_list: [Vec<String>; 1],
    /// Identifies a puzzle that does not come from a game on the server.
    game_id: &'static str,
}

/// Returns the JSON line for `puzzle`, or `None` if lidraughts cannot import it.
pub(super) fn import(puzzle: &PuzzleRecord) -> Option<String> {
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

/// Returns the steps of a move, each of which is written as two square numbers.
fn jumps(spec: &RuleSet, way: &Sequence) -> Vec<String> {
    let number = |square| format!("{:02}", spec.number(square).get());
    let from = std::iter::once(&way.from).chain(&way.landings);
    from.zip(&way.landings).map(|(&from, &to)| number(from) + &number(to)).collect()
}
