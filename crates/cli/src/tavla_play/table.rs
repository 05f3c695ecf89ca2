//! A game between persons and the program.

use super::choice::{Choice, Task};
use soffio::stop::Stop;
use soffio_tavla::game::{Color, Game, GameError, State, Status};
use soffio_tavla::notation::{drawing, mat};
use soffio_tavla::player::{Limits, Settings};
use soffio_tavla::rules::{Play, Roll, Rules};
use soffio_tavla::session::Seat;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Two seats, a game and dice.
pub struct Table {
    game: Game,
    seats: [Seat; 2],
    names: [String; 2],
    dice: fastrand::Rng,
    /// The reasons of the program for its last turn.
    choice: Option<Choice>,
    /// True if the end has been told.
    is_told: bool,
    /// True if turns were played since the game was saved.
    is_unsaved: bool,
    /// The least time that a turn of the program takes.
    delay: Duration,
}

/// The effect of a line of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Told(Vec<String>),
    /// The line cannot be obeyed for this reason; nothing has changed.
    Refused(String),
    Quit,
}

impl Table {
    /// A new game. `names` are those of white and black in records.
    pub fn new(rules: Rules, seats: [Seat; 2], names: [String; 2], dice: fastrand::Rng) -> Self {
        let game = Game::new(rules, State::start());
        Self { game, seats, names, dice, choice: None, is_told: false, is_unsaved: false, delay: Duration::ZERO }
    }

    /// The same table, at which a turn of the program takes at least so long.
    #[must_use]
    pub fn with_delay(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    fn seat(&self) -> &Seat {
        let [white, black] = &self.seats;
        if self.game.state().side == Color::White { white } else { black }
    }

    /// The text before a person's line.
    pub fn prompt(&self) -> String {
        let dice = self.game.state().dice.map_or(String::new(), |roll| format!(" {roll}"));
        match self.game.status() {
            Status::Playing => format!("{}{dice}>", self.game.state().side),
            Status::Won { .. } => "over>".to_owned(),
        }
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// Returns true if there is something to save.
    pub(super) fn is_unsaved(&self) -> bool {
        self.is_unsaved && !self.game.turns().is_empty()
    }

    /// The player of `side`, in the words of the command line.
    pub(super) fn name(&self, side: Color) -> &str {
        let [white, black] = &self.names;
        if side == Color::White { white } else { black }
    }

    pub(super) fn is_engine_to_play(&self) -> bool {
        self.game.status() == Status::Playing && matches!(self.seat(), Seat::Engine(_))
    }

    /// Rolls for the beginning, and for the program. Returns what there is to tell, and the program's work if it is its turn.
    pub(super) fn prepare(&mut self) -> (Vec<String>, Option<Task>) {
        let mut said = Vec::new();
        // The sides roll for the beginning whoever plays.
        if self.game.turns().is_empty() && self.game.state().dice.is_none() {
            said.extend(self.roll());
        }
        if self.game.status() != Status::Playing {
            return (said, None);
        }
        let Seat::Engine(player) = self.seat().clone() else { return (said, None) };
        if self.game.state().dice.is_none() {
            said.extend(self.roll());
        }
        let settings = Settings { rules: self.game.rules(), ..player.settings };
        let task = Task::new(settings, player.limits, self.game.state().board, self.game.legal());
        (said, Some(task.delayed(self.delay)))
    }

    /// Plays what the program has chosen for its turn. Returns what there is to tell.
    pub(super) fn play_found(&mut self, choice: Choice) -> Result<String, String> {
        let State { side, dice, .. } = *self.game.state();
        let dice = dice.map_or(String::new(), |roll| format!(" {roll}"));
        let play = choice.play;
        self.choice = Some(choice);
        self.play(&play).map(|()| format!("{side}{dice}: {play}"))
    }

    fn play(&mut self, play: &Play) -> Result<(), String> {
        self.game.play(play).map_err(|error| error.to_string())?;
        self.is_unsaved = true;
        Ok(())
    }

    pub(super) fn end(&self) -> Option<String> {
        let Status::Won { winner, is_mars, points } = self.game.status() else { return None };
        let mars = if is_mars { " by mars" } else { "" };
        Some(format!("{winner} wins {points} point{}{mars}", if points == 1 { "" } else { "s" }))
    }

    /// Lets the program play as long as it is its turn. Returns what there is to tell.
    pub fn go_on(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let (rolled, task) = self.prepare();
            said.extend(rolled);
            let Some(choice) = task.and_then(|task| task.run(&Stop::new())) else { break };
            match self.play_found(choice) {
                Ok(text) => said.push(text),
                Err(error) => {
                    said.push(format!("error {error}"));
                    break;
                }
            }
        }
        match self.end() {
            Some(_) if self.is_told => {}
            Some(end) => {
                self.is_told = true;
                said.push(drawing(self.game.state()));
                said.push(end);
            }
            None if said.is_empty() => {}
            None => said.push(drawing(self.game.state())),
        }
        said
    }

    /// The values of the plays of the side that is to play, or of those that the program had at its last turn.
    pub(super) fn reasons(&self) -> Vec<String> {
        if self.game.legal().is_empty() {
            return self.choice.as_ref().map_or(Vec::new(), Choice::lines);
        }
        let settings = Settings { rules: self.game.rules(), ..Settings::default() };
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let task = Task::new(settings, limits, self.game.state().board, self.game.legal());
        task.run(&Stop::new()).as_ref().map_or(Vec::new(), Choice::lines)
    }

    fn roll(&mut self) -> Vec<String> {
        match self.game.roll(&mut self.dice) {
            Err(error) => vec![format!("error {error}")],
            Ok((beginning, roll)) => {
                let side = self.game.state().side;
                let mut said: Vec<String> = beginning
                    .map(|dice| format!("white rolls {}, black {}: {side} begins", dice.white, dice.black))
                    .into_iter()
                    .collect();
                said.push(self.rolled(roll));
                said
            }
        }
    }

    fn rolled(&self, roll: Roll) -> String {
        let must_pass = self.game.legal().iter().all(|legal| legal.play.hops().is_empty());
        let note = if must_pass { ", nothing can be played: pass" } else { "" };
        format!("{} rolls {roll}{note}", self.game.state().side)
    }

    pub(super) fn obey(&mut self, line: &str) -> Answer {
        match read(line) {
            Ok(Command::Quit) => Answer::Quit,
            Ok(command) => self.answer(command).map_or_else(Answer::Refused, Answer::Told),
            Err(error) => Answer::Refused(error),
        }
    }

    fn answer(&mut self, command: Command) -> Result<Vec<String>, String> {
        let text = |error: GameError| error.to_string();
        if self.is_engine_to_play() && matches!(command, Command::Roll | Command::Dice(_) | Command::Play(_)) {
            return Err(format!("{} is played by the program", self.game.state().side));
        }
        match command {
            Command::Nothing | Command::Quit => {}
            Command::Roll => {
                if let Some(roll) = self.game.state().dice {
                    return Err(format!("the dice are {roll} already"));
                }
                return Ok(self.roll());
            }
            Command::Dice(roll) => {
                self.game.set_dice(roll).map_err(text)?;
                return Ok(vec![self.rolled(roll)]);
            }
            Command::Play(play) => {
                self.play(&play)?;
                self.choice = None;
            }
            Command::Legal => {
                let plays = self.game.legal().iter().map(|legal| legal.play.ordered().to_string()).collect::<Vec<_>>();
                return Ok(vec![format!("{} plays: {}", plays.len(), plays.join("  "))]);
            }
            Command::Board => return Ok(vec![drawing(self.game.state())]),
            Command::Why => return Ok(self.reasons()),
            Command::Undo => {
                // Back to the last turn of a person: what the program has played since then goes with it.
                let turns = self.game.turns().iter().rev();
                let is_human = |side: Color| {
                    let [white, black] = &self.seats;
                    matches!(if side == Color::White { white } else { black }, Seat::Human)
                };
                let back =
                    turns.enumerate().find(|(_, turn)| is_human(turn.before.side)).map_or(1, |(place, _)| place + 1);
                self.game.undo(back).map_err(text)?;
                self.choice = None;
                self.is_told = false;
                return Ok(vec![drawing(self.game.state())]);
            }
            Command::Redo => self.game.redo(1).map_err(text)?,
            Command::New => {
                self.game = Game::new(self.game.rules(), State::start());
                self.choice = None;
                self.is_told = false;
            }
            Command::Save(path) => {
                let [white, black] = &self.names;
                let file = OpenOptions::new().write(true).create_new(true).open(&path);
                let saved = file.and_then(|mut file| file.write_all(mat(&self.game, white, black).as_bytes()));
                saved.map_err(|error| format!("{}: {error}", path.display()))?;
                self.is_unsaved = false;
                return Ok(vec![format!("saved to {}", path.display())]);
            }
            Command::Help => return Ok(vec![HELP.to_owned()]),
        }
        Ok(Vec::new())
    }
}

/// A request of a person.
#[derive(Clone, Debug, PartialEq)]
enum Command {
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

pub(super) const HELP: &str = "\
roll, dice 3 1            roll the dice, or say what they are
8/5,6/5 or 8/5 6/5        play; 25 or bar, 0 or off; pass where nothing can be played
legal, board              the legal plays, the board
why                       what the computer thinks of the plays, or of its last one
undo, redo                take back, play again
save FILE                 the game as .mat text, which gnubg reads
new, help, quit";

fn read(line: &str) -> Result<Command, String> {
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
