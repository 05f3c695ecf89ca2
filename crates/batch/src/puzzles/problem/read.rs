//! Reads problems from game records and from lines with a FEN and a stipulation.

use super::{DraughtsProblem, ProblemClaim};
use soffio::engine::Status;
use soffio::notation::pdn::{GameRecord, GameResult};
use soffio::notation::{FenRecord, GameError, WrittenGame, printable};
use soffio::rules::Variant;

/// Maximum number of moves in a stipulation such as "win in 3".
const MAX_MOVES: u16 = 60;

impl DraughtsProblem {
    /// Builds a problem from a game record. The variant is `variant` if no tag names one. Fails if the record contains
    /// no position.
    pub fn from_record(id: String, record: GameRecord, variant: Option<Variant>) -> Result<Self, String> {
        let start = record.start().map_err(|error| GameError::from(error).to_string())?;
        let start = start.ok_or("not a valid problem: FEN tag missing")?;
        let named = record.variant().map_err(|error| error.to_string())?;
        let problem = Self::new(id, &start, named.or(variant))?;
        let first_wins = problem.game.side() == problem.game.spec().starts;
        let claim = match record.result {
            GameResult::First => Some(if first_wins { ProblemClaim::Win } else { ProblemClaim::Loss }),
            GameResult::Second => Some(if first_wins { ProblemClaim::Loss } else { ProblemClaim::Win }),
            GameResult::Draw => Some(ProblemClaim::Draw),
            GameResult::Unknown | GameResult::BothLost => None,
        };
        let texts = ["Goal", "Stipulation", "Event"].into_iter().filter_map(|name| record.tag(name));
        let win_in = texts.chain(record.comment.as_deref()).find_map(win_in);
        Ok(Self { claim: win_in.map_or(claim, |_| Some(ProblemClaim::Win)), win_in, moves: record.moves, ..problem })
    }

    /// Parses a FEN, which may be followed by `win in` and a number of moves.
    pub fn from_line(id: String, line: &str, variant: Option<Variant>) -> Result<Self, String> {
        let (fen, stipulation) = line.split_at(stipulation_at(line).unwrap_or(line.len()));
        let start: FenRecord = fen.trim_end().parse().map_err(|error| GameError::from(error).to_string())?;
        let win_in = win_in(stipulation);
        if win_in.is_none() && !stipulation.is_empty() {
            let expected = format!("expected `win in N` with N from 1 to {MAX_MOVES}");
            return Err(format!("not a valid stipulation: {}; {expected}", printable(stipulation.chars())));
        }
        let problem = Self::new(id, &start, variant)?;
        Ok(Self { claim: win_in.map(|_| ProblemClaim::Win), win_in, ..problem })
    }

    /// Creates a problem without a claim. Fails if the game has ended.
    fn new(id: String, start: &FenRecord, variant: Option<Variant>) -> Result<Self, String> {
        let variant = variant.ok_or("no variant given; use --variant")?;
        let game = WrittenGame::from_start(variant, Some(start)).map_err(|error| GameError::from(error).to_string())?;
        if !matches!(game.status(), Status::Playing { .. }) {
            return Err("not a valid problem: the game has already ended in this position".to_owned());
        }
        Ok(Self { id, game, claim: None, win_in: None, moves: Vec::new() })
    }
}

/// Returns the index of the first word that can begin a stipulation, or `None` if there is no such word.
fn stipulation_at(line: &str) -> Option<usize> {
    const WORDS: [&str; 6] = ["win", "wins", "draw", "draws", "lose", "loses"];
    let is_stipulation = |at: &usize| {
        let rest = line.get(*at..).unwrap_or_default();
        let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
    };
    line.match_indices(' ').map(|(at, _)| at + 1).find(is_stipulation)
}

/// Parses the number of moves from a string such as `White to play and win in 3`. Returns `None` if the string contains
/// no such number.
fn win_in(text: &str) -> Option<u16> {
    let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
    let number = |words: &[String]| match words {
        [win, word, number] if matches!(win.as_str(), "win" | "wins") && word == "in" => {
            number.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok()
        }
        _ => None,
    };
    words.windows(3).find_map(number).filter(|moves| (1..=MAX_MOVES).contains(moves))
}
