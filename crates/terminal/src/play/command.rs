//! The commands of `soffio play`, their parser, and the view settings.

use super::{PlayTimeControl, SidePlayer};
use anyhow::{Result, anyhow, ensure};
use soffio::notation::pdn::{PdnMove, TextEncoding};
use soffio::notation::{FenRecord, GameError, MoveRecord, printable};
use soffio::rules::{Color, Variant};
use std::path::PathBuf;
use std::time::Duration;

/// Maximum delay before an engine move, in milliseconds.
pub(super) const MAX_DELAY: u64 = 2000;

#[derive(Clone, Debug, PartialEq)]
pub enum PlayCommand {
    Game(GameCommand),
    View(ViewCommand),
    Show(Show),
    Help,
    Quit,
}

#[derive(Clone, Debug, PartialEq)]
pub enum GameCommand {
    Move(MoveRecord),
    Undo(Span),
    Redo(Span),
    Start,
    Pause,
    /// Undoes all moves and resets the clocks.
    Restart,
    Swap,
    Player(Color, SidePlayer),
    Hint,
    PlayForMe,
    Resign,
    /// Offers a draw, which an engine accepts unless its own position is better.
    OfferDraw,
    /// Minimum time per engine move.
    Delay(Duration),
    /// Sets or removes the time control, effective from the current position. Resets the elapsed time of the current
    /// move to 0.
    TimeControl(Option<PlayTimeControl>),
    Variant(Variant),
    ForcedCapture(bool),
    /// Starts a new game from a FEN position, or from the start position.
    SetUp(Option<FenRecord>),
    Save {
        path: PathBuf,
        replace: bool,
    },
    /// Loads a game from a file. `number` is the number of the game in the file, starting at 1.
    Load {
        path: PathBuf,
        number: usize,
        /// Encoding of the file, or `None` to guess it.
        encoding: Option<TextEncoding>,
    },
}

impl GameCommand {
    /// Returns the name of the command if it replaces the game with another one.
    pub(super) fn replaced_by(&self) -> Option<&'static str> {
        match self {
            Self::Variant(_) => Some("variant"),
            Self::ForcedCapture(_) => Some("capture"),
            Self::SetUp(_) => Some("fen"),
            Self::Load { .. } => Some("load"),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// All plies up to the nearest turn of a human player, or one ply if both players are engines.
    Turn,
    Plies(usize),
    All,
}

/// Changes a view setting. `None` toggles the setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewCommand {
    Flip,
    Numbers(Option<bool>),
    Thoughts(Option<bool>),
    Evaluation(Option<bool>),
    Boards(Option<bool>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    Board,
    Moves,
    History,
    Status,
    Evaluation,
    Fen,
}

pub const HELP: &str = "\
22-18, 22x15x8, c3-d4   play a move
undo, undo N, undo all  undo to your last turn, N moves, or all moves
redo, redo N, redo all  play undone moves again
start, pause, restart   start or resume, pause, return to the beginning
hint, play              show the engine's move; let it move for you
resign, draw            resign; offer a draw
white P, black P        set a player: human, computer, level=hard, or a list
                        such as player=alphabeta,depth=3
swap                    swap the players
tc 5+3, tc off          minutes per game + seconds per move; no time limit
delay MS                minimum time per engine move in ms, 0 to 2000
variant NAME            start a game of another variant
capture optional/forced make captures optional or forced (english, casual)
fen, fen FEN, fen start print the position, set one up, reset it
save FILE, replace FILE save the game as PDN; replace overwrites the file
load FILE, load FILE N  load the first game, or game N, of a file
board, moves, history, status, eval
flip, numbers, thoughts, eval on, eval off, board on, board off
help, quit";

impl PlayCommand {
    pub fn read(line: &str) -> Result<Option<Self>> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let alone = |command: Self, usage| if rest.is_empty() { Ok(command) } else { Err(anyhow!("usage: {usage}")) };
        let game = |command, usage| alone(Self::Game(command), usage);
        let command = match word.to_ascii_lowercase().as_str() {
            "" => return Ok(None),
            "undo" => Self::Game(GameCommand::Undo(span(rest, "undo, undo N or undo all")?)),
            "redo" => Self::Game(GameCommand::Redo(span(rest, "redo, redo N or redo all")?)),
            "start" | "resume" => game(GameCommand::Start, "start")?,
            "pause" => game(GameCommand::Pause, "pause")?,
            "restart" => game(GameCommand::Restart, "restart")?,
            "swap" => game(GameCommand::Swap, "swap")?,
            "hint" => game(GameCommand::Hint, "hint")?,
            "play" => game(GameCommand::PlayForMe, "play")?,
            "resign" => game(GameCommand::Resign, "resign")?,
            "draw" => game(GameCommand::OfferDraw, "draw")?,
            "white" => Self::Game(GameCommand::Player(Color::White, rest.parse()?)),
            "black" => Self::Game(GameCommand::Player(Color::Black, rest.parse()?)),
            "delay" => Self::Game(GameCommand::Delay(delay(rest)?)),
            "tc" if rest.eq_ignore_ascii_case("off") => Self::Game(GameCommand::TimeControl(None)),
            "tc" => Self::Game(GameCommand::TimeControl(Some(rest.parse()?))),
            "variant" => {
                let unknown =
                    || anyhow!("unknown variant '{}'; run soffio variants for a list", printable(rest.chars()));
                Self::Game(GameCommand::Variant(Variant::named(rest).ok_or_else(unknown)?))
            }
            "capture" => Self::Game(GameCommand::ForcedCapture(choice(
                rest, "forced", "optional", "capture forced or optional",
            )?)),
            "fen" if rest.is_empty() => Self::Show(Show::Fen),
            "fen" if rest.eq_ignore_ascii_case("start") => Self::Game(GameCommand::SetUp(None)),
            "fen" => Self::Game(GameCommand::SetUp(Some(rest.parse().map_err(GameError::Fen)?))),
            "save" => Self::Game(GameCommand::Save { path: file(rest, "save FILE")?.0, replace: false }),
            "replace" => Self::Game(GameCommand::Save { path: file(rest, "replace FILE")?.0, replace: true }),
            "load" => {
                let usage = "load FILE or load FILE N, with quotation marks around a name that contains spaces";
                let (path, number) = numbered_file(rest, usage)?;
                Self::Game(GameCommand::Load { path, number, encoding: None })
            }
            "board" if rest.is_empty() => Self::Show(Show::Board),
            "board" => Self::View(ViewCommand::Boards(switch(rest, "board, board on or board off")?)),
            "moves" => alone(Self::Show(Show::Moves), "moves")?,
            "history" => alone(Self::Show(Show::History), "history")?,
            "eval" if rest.is_empty() => Self::Show(Show::Evaluation),
            "eval" => Self::View(ViewCommand::Evaluation(switch(rest, "eval, eval on or eval off")?)),
            "status" => alone(Self::Show(Show::Status), "status")?,
            "flip" => alone(Self::View(ViewCommand::Flip), "flip")?,
            "numbers" => Self::View(ViewCommand::Numbers(switch(rest, "numbers, numbers on or numbers off")?)),
            "thoughts" => Self::View(ViewCommand::Thoughts(switch(rest, "thoughts, thoughts on or thoughts off")?)),
            "help" | "?" => alone(Self::Help, "help")?,
            "quit" | "exit" => alone(Self::Quit, "quit")?,
            word => Self::Game(GameCommand::Move(read_move(word, line)?)),
        };
        Ok(Some(command))
    }
}

/// Parses a move. Text that does not start like a square is reported as an unknown command.
fn read_move(word: &str, line: &str) -> Result<MoveRecord> {
    let is_square = word.starts_with(|c: char| c.is_ascii_digit())
        || word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    ensure!(is_square, "'{}' is neither a move nor a command; try help", printable(word.chars()));
    PdnMove::typed(line).map_err(|error| anyhow!("move: {error}"))
}

fn span(text: &str, usage: &'static str) -> Result<Span> {
    match text {
        "" => Ok(Span::Turn),
        all if all.eq_ignore_ascii_case("all") => Ok(Span::All),
        number => number.parse().map(Span::Plies).map_err(|_| anyhow!("usage: {usage}")),
    }
}

fn delay(text: &str) -> Result<Duration> {
    let milliseconds = text.parse().ok().filter(|&number| number <= MAX_DELAY);
    let expected =
        || anyhow!("delay must be a number of milliseconds from 0 to {MAX_DELAY}, not '{}'", printable(text.chars()));
    milliseconds.map(Duration::from_millis).ok_or_else(expected)
}

fn choice(text: &str, yes: &str, no: &str, usage: &'static str) -> Result<bool> {
    if text.eq_ignore_ascii_case(yes) {
        Ok(true)
    } else if text.eq_ignore_ascii_case(no) {
        Ok(false)
    } else {
        Err(anyhow!("usage: {usage}"))
    }
}

fn switch(text: &str, usage: &'static str) -> Result<Option<bool>> {
    if text.is_empty() { Ok(None) } else { choice(text, "on", "off", usage).map(Some) }
}

/// Splits `text` into a file name and the remaining text. If text follows the name, the name must be in quotation
/// marks.
fn file<'a>(text: &'a str, usage: &'static str) -> Result<(PathBuf, &'a str)> {
    let (name, rest) = match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').ok_or_else(|| anyhow!("usage: {usage}"))?,
        None => (text, ""),
    };
    if name.is_empty() { Err(anyhow!("usage: {usage}")) } else { Ok((name.into(), rest.trim())) }
}

fn numbered_file(text: &str, usage: &'static str) -> Result<(PathBuf, usize)> {
    let (name, number) = match file(text, usage)? {
        (name, "") if !text.starts_with('"') => {
            let split = text.rsplit_once(char::is_whitespace);
            let numbered = split.and_then(|(name, last)| Some((name.trim_end().into(), last.parse().ok()?)));
            return Ok(numbered.unwrap_or((name, 1)));
        }
        found => found,
    };
    if number.is_empty() { Ok((name, 1)) } else { Ok((name, number.parse().map_err(|_| anyhow!("usage: {usage}"))?)) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayView {
    /// Whether Black is at the bottom.
    pub flipped: bool,
    pub numbers: bool,
    pub thoughts: bool,
    pub evaluation: bool,
    /// Whether line mode prints the board after every move.
    pub boards: bool,
}

impl Default for PlayView {
    fn default() -> Self {
        Self { flipped: false, numbers: true, thoughts: false, evaluation: false, boards: true }
    }
}

impl PlayView {
    pub fn execute(&mut self, command: ViewCommand) -> String {
        let (what, is_on, value) = match command {
            ViewCommand::Flip => {
                self.flipped = !self.flipped;
                return format!("{} at the bottom", if self.flipped { "black" } else { "white" });
            }
            ViewCommand::Numbers(value) => ("numbers", &mut self.numbers, value),
            ViewCommand::Thoughts(value) => ("thoughts", &mut self.thoughts, value),
            ViewCommand::Evaluation(value) => ("evaluation", &mut self.evaluation, value),
            ViewCommand::Boards(value) => ("board after every move", &mut self.boards, value),
        };
        *is_on = value.unwrap_or(!*is_on);
        format!("{what} {}", if *is_on { "on" } else { "off" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<PlayCommand>, String> {
        PlayCommand::read(line).map_err(|error| error.to_string())
    }

    fn command(line: &str) -> GameCommand {
        match read(line) {
            Ok(Some(PlayCommand::Game(command))) => command,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn commands_are_parsed() {
        assert_eq!(read("  "), Ok(None));
        assert_eq!(command(" UNDO "), GameCommand::Undo(Span::Turn));
        assert_eq!(command("undo 12"), GameCommand::Undo(Span::Plies(12)));
        assert_eq!(command("redo ALL"), GameCommand::Redo(Span::All));
        assert_eq!(command("resume"), GameCommand::Start);
        assert_eq!(command("White human"), GameCommand::Player(Color::White, SidePlayer::Human));
        assert_eq!(command("delay 2000"), GameCommand::Delay(Duration::from_secs(2)));
        assert_eq!(command("tc 5+3"), GameCommand::TimeControl("5+3".parse().ok()));
        assert_eq!(command("tc OFF"), GameCommand::TimeControl(None));
        assert_eq!(command("variant Shashki"), GameCommand::Variant(Variant::Russian));
        assert_eq!(command("capture optional"), GameCommand::ForcedCapture(false));
        assert_eq!(command("fen start"), GameCommand::SetUp(None));
        assert!(matches!(command("fen W:W31:B1"), GameCommand::SetUp(Some(_))));
        assert!(matches!(command("22 - 18"), GameCommand::Move(_)));
        assert!(matches!(command("C3:e5"), GameCommand::Move(_)));
        for typed in ["11 15", "1115", " 11  15 "] {
            assert_eq!(command(typed), command("11-15"), "{typed}");
        }
        assert_eq!((command("c3 d4"), command("c3d4")), (command("c3-d4"), command("c3-d4")));
        assert_eq!(read("board off"), Ok(Some(PlayCommand::View(ViewCommand::Boards(Some(false))))));
        assert_eq!(read("board"), Ok(Some(PlayCommand::Show(Show::Board))));
        assert_eq!(read("eval"), Ok(Some(PlayCommand::Show(Show::Evaluation))));
        assert_eq!(read("eval on"), Ok(Some(PlayCommand::View(ViewCommand::Evaluation(Some(true))))));
        assert_eq!(read("?"), Ok(Some(PlayCommand::Help)));
    }

    #[test]
    fn the_list_of_commands_fits_into_a_box_on_the_screen() {
        assert!(HELP.lines().all(|line| line.len() <= 76) && HELP.lines().count() <= 20);
    }

    #[test]
    fn file_names_may_contain_spaces_and_numbers() {
        let save = |path: &str, replace| GameCommand::Save { path: path.into(), replace };
        assert_eq!(command("save my game.pdn"), save("my game.pdn", false));
        assert_eq!(command("replace \"a b\""), save("a b", true));
        let load = |path: &str, number| GameCommand::Load { path: path.into(), number, encoding: None };
        assert_eq!(command("load games.pdn"), load("games.pdn", 1));
        assert_eq!(command("load games.pdn 12"), load("games.pdn", 12));
        assert_eq!(command("load my games.pdn"), load("my games.pdn", 1));
        assert_eq!(command("load \"game 1\""), load("game 1", 1));
        assert_eq!(command("load \"game 1\" 7"), load("game 1", 7));
        assert_eq!(read("load \"game").unwrap_err(), read("load").unwrap_err());
        assert_eq!(read("save"), Err("usage: save FILE".to_owned()));
    }

    #[test]
    fn invalid_commands_are_rejected_with_the_reason() {
        for (line, reason) in [
            ("castle", "'castle' is neither a move nor a command; try help"),
            ("e", "'e' is neither a move nor a command; try help"),
            ("undo x", "usage: undo, undo N or undo all"),
            ("start now", "usage: start"),
            ("delay 2001", "delay must be a number of milliseconds from 0 to 2000, not '2001'"),
            ("tc", "tc must be minutes plus seconds per move, such as 5+3 or 0.5, at most 1440+3600, not ''"),
            ("eval maybe", "usage: eval, eval on or eval off"),
            ("variant chess", "unknown variant 'chess'; run soffio variants for a list"),
            ("capture maybe", "usage: capture forced or optional"),
            ("fen W:W0", "fen white pieces: expected a square, found '0' at column 4"),
            ("22-", "move: expected a square, found the end at column 4"),
            ("22 18 x", "move: expected '-' or 'x', found '18' at column 4"),
            ("numbers maybe", "usage: numbers, numbers on or numbers off"),
        ] {
            assert_eq!(read(line), Err(reason.to_owned()));
        }
    }

    #[test]
    fn without_a_value_the_setting_is_toggled() {
        let mut view = PlayView::default();
        assert_eq!(view.execute(ViewCommand::Numbers(None)), "numbers off");
        assert_eq!(view.execute(ViewCommand::Numbers(Some(false))), "numbers off");
        assert_eq!(view.execute(ViewCommand::Thoughts(None)), "thoughts on");
        assert_eq!(view.execute(ViewCommand::Evaluation(None)), "evaluation on");
        assert_eq!(view.execute(ViewCommand::Boards(Some(false))), "board after every move off");
        assert_eq!(view.execute(ViewCommand::Flip), "black at the bottom");
        assert_eq!(view, PlayView { flipped: true, numbers: false, thoughts: true, evaluation: true, boards: false });
    }
}
