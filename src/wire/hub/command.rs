//! Hub commands, including the positions and moves that they contain. Unknown input is silently ignored. Squares are
//! written with the square numbers of the variant. If the variant writes squares with letters, the numbers start at the
//! top left.

use super::{HubLevel, HubLine, quoted};
use crate::notation::{FenKingRun, FenRecord, MoveRecord, MoveSyntaxError, Placement, SquareName, printable};
use crate::position::Piece;
use crate::rules::{Color, RuleSet};
use std::fmt;
use strum::{EnumString, IntoStaticStr};

/// What follows the letter of a side without a king that has moved several times in a row.
const NO_KING_RUN: &str = "..";

/// A command from the client.
#[derive(Clone, Debug, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum HubCommand {
    /// Identify the engine and declare its parameters.
    Hub,
    /// All parameters have been set.
    Init,
    /// Set a parameter.
    SetParam {
        /// Name of the parameter.
        name: String,
        /// New value.
        value: String,
    },
    /// The next search belongs to a new game.
    NewGame,
    /// The position to search.
    Position(PositionText),
    /// Limits for the next search.
    Level(HubLevel),
    /// Start a search.
    Go(Mode),
    /// The opponent has played the expected move.
    PonderHit,
    /// Stop the search.
    Stop,
    /// Answer with `pong`.
    Ping,
    /// Exit the program.
    Quit,
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug, EnumString, IntoStaticStr, PartialEq, Eq)]
#[strum(serialize_all = "lowercase")]
pub enum Mode {
    /// Find the move to play.
    Think,
    /// Search during the opponent's turn.
    Ponder,
    /// Analyse the position.
    Analyze,
}

impl HubCommand {
    /// Parses a line. Returns `Ok(None)` if the command is unknown, and an error if a limit is not a valid number.
    pub fn read(text: &str) -> Result<Option<Self>, String> {
        let Some(line) = HubLine::read(text) else { return Ok(None) };
        Ok(Some(match line.command {
            "hub" => Self::Hub,
            "init" => Self::Init,
            "set-param" => {
                let (Some(name), Some(value)) = (line.value("name"), line.value("value")) else { return Ok(None) };
                Self::SetParam { name: name.to_owned(), value: value.to_owned() }
            }
            "new-game" => Self::NewGame,
            "pos" => {
                let text = |name| line.value(name).unwrap_or_default().to_owned();
                Self::Position(PositionText { squares: text("pos"), moves: text("moves"), king_runs: text("wolf") })
            }
            "level" => Self::Level(HubLevel::read(&line)?),
            "go" => Self::Go(line.arguments.iter().find_map(|(name, _)| name.parse().ok()).unwrap_or(Mode::Think)),
            "ponder-hit" => Self::PonderHit,
            "stop" => Self::Stop,
            "ping" => Self::Ping,
            "quit" => Self::Quit,
            _ => return Ok(None),
        }))
    }
}

impl fmt::Display for HubCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SetParam { name, value } => write!(f, "set-param name={} value={}", quoted(name), quoted(value)),
            Self::Position(position) => position.fmt(f),
            Self::Level(level) => level.fmt(f),
            Self::Go(mode) => write!(f, "go {}", <&str>::from(mode)),
            other => f.write_str(other.into()),
        }
    }
}

/// The unparsed arguments of the `pos` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionText {
    /// The side to move, followed by one character for each square.
    pub squares: String,
    /// The moves played from the position.
    pub moves: String,
    /// The `wolf` argument: the number of consecutive moves that each side has made with the same king.
    pub king_runs: String,
}

impl PositionText {
    /// Creates the arguments of a `pos` command: the starting position and the moves played from it.
    pub fn new<'a>(squares: &str, moves: impl IntoIterator<Item = &'a str>) -> Self {
        let moves: Vec<_> = moves.into_iter().collect();
        Self { squares: squares.to_owned(), moves: moves.join(" "), king_runs: String::new() }
    }

    /// Parses the position before the moves. Returns an error if it does not fit `spec`'s board.
    pub fn position(&self, spec: &RuleSet) -> Result<FenRecord, String> {
        let mut characters = self.squares.chars();
        let side = match characters.next() {
            Some('W') => Color::White,
            Some('B') => Color::Black,
            other => return Err(format!("pos must begin with W or B, not '{}'", printable(other))),
        };
        let (squares, needed) = (characters.clone().count(), spec.shape.squares());
        if squares != usize::from(needed) {
            return Err(format!("pos has {squares} squares, but the board has {needed}"));
        }
        let piece = |letter: char| match letter {
            'w' | 'W' => Ok(Some(Piece { color: Color::White, king: letter == 'W' })),
            'b' | 'B' => Ok(Some(Piece { color: Color::Black, king: letter == 'B' })),
            'e' => Ok(None),
            other => Err(format!("pos squares must be w, b, W, B or e, not '{}'", printable([other]))),
        };
        let squares = characters.map(piece).collect::<Result<_, _>>()?;
        let king_runs = if spec.king_moves.is_some() { self.king_runs()? } else { [None; 2] };
        Ok(FenRecord { king_runs, ..Placement { side, squares }.record() })
    }

    fn king_runs(&self) -> Result<[Option<FenKingRun>; 2], String> {
        let error = |word: &str| {
            let found = printable(word.chars());
            format!("pos wolf: expected a side, a square and 1 to 3 moves, as in W28=2, found '{found}'")
        };
        let runs = self.king_runs.split_whitespace().map(|word| king_run(word).ok_or_else(|| error(word)));
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        let of = |side: char| runs.iter().rev().find(|&&(found, _)| found == side).and_then(|&(_, run)| run);
        Ok([of('W'), of('B')])
    }

    /// Parses the moves played from the position.
    pub fn moves(&self) -> Result<Vec<MoveRecord>, String> {
        let read = |text: &str| {
            text.parse().map_err(|error: MoveSyntaxError| format!("move {}: {error}", printable(text.chars())))
        };
        self.moves.split_whitespace().map(read).collect()
    }
}

/// Parses the letter of a side and the moves that this side has made with the same king.
fn king_run(word: &str) -> Option<(char, Option<FenKingRun>)> {
    let mut run = word.chars();
    let side = run.next().filter(|side| ['W', 'B'].contains(side))?;
    if run.as_str() == NO_KING_RUN {
        return Some((side, None));
    }
    let (square, moves) = run.as_str().split_once('=')?;
    let moves = moves.parse().ok().filter(|moves| (1..=3).contains(moves))?;
    let square = square.parse().ok().and_then(SquareName::numbered)?;
    Some((side, Some(FenKingRun { moves, square: Some(square) })))
}

impl fmt::Display for PositionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pos pos={}", quoted(&self.squares))?;
        let lists = [("moves", &self.moves), ("wolf", &self.king_runs)];
        lists.iter().filter(|(_, list)| !list.is_empty()).try_for_each(|(name, list)| write!(f, " {name}=\"{list}\""))
    }
}
