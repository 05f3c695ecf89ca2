//! Reads what a person types.

use soffio_tavla::rules::{Play, Roll};
use std::path::PathBuf;

/// What a person wants.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Nothing,
    Roll,
    Dice(Roll),
    Play(Play),
    Legal,
    Board,
    Why,
    Undo,
    Redo,
    New,
    Save(PathBuf),
    Help,
    Quit,
}

/// The commands for people.
pub(super) const HELP: &str = "\
roll, dice 3 1            roll the dice, or say what they are
8/5,6/5 or 8/5 6/5        play; 25 or bar, 0 or off; pass where nothing can be played
legal, board              the legal plays, the board
why                       what the computer thinks of the plays, or of its last one
undo, redo                take back, play again
save FILE                 the game as .mat text, which gnubg reads
new, help, quit";

/// Reads a line.
pub(super) fn read(line: &str) -> Result<Command, String> {
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let alone = |command| if rest.is_empty() { Ok(command) } else { Err(format!("{verb} stands alone")) };
    match verb.to_ascii_lowercase().as_str() {
        "" => Ok(Command::Nothing),
        "roll" | "r" => alone(Command::Roll),
        "dice" => {
            let digits: String = rest.split_whitespace().collect();
            digits.parse().map(Command::Dice).map_err(|error| format!("dice: expected {error}"))
        }
        "legal" => alone(Command::Legal),
        "board" | "d" => alone(Command::Board),
        "why" | "hint" => alone(Command::Why),
        "undo" | "u" => alone(Command::Undo),
        "redo" => alone(Command::Redo),
        "new" => alone(Command::New),
        "save" if rest.is_empty() => Err("save needs the name of a file".to_owned()),
        "save" => Ok(Command::Save(PathBuf::from(rest))),
        "help" | "?" => alone(Command::Help),
        "quit" | "q" => alone(Command::Quit),
        _ => line.parse().map(Command::Play).map_err(|error| format!("{error}, and no command; try help")),
    }
}
