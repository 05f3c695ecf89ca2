//! A game between persons and the program.

use super::command::{Command, HELP, read};
use crate::tavla::game::{Color, Game, State, Status};
use crate::tavla::notation::{drawing, mat};
use crate::tavla::player::{Limits, Settings, think};
use crate::tavla::rules::{Roll, Rules};
use crate::tavla::session::{Seat, info};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// How many plays `why` shows.
const SHOWN: usize = 5;

/// Two seats, a game and dice.
pub struct Table {
    game: Game,
    seats: [Seat; 2],
    names: [String; 2],
    dice: fastrand::Rng,
    /// What the program thought of its last turn.
    thoughts: Vec<String>,
    /// Whether the end has been told.
    is_told: bool,
}

impl Table {
    /// A new game. `names` are those of white and black in records.
    pub fn new(rules: Rules, seats: [Seat; 2], names: [String; 2], dice: fastrand::Rng) -> Self {
        let game = Game::new(rules, State::start());
        Self { game, seats, names, dice, thoughts: Vec::new(), is_told: false }
    }

    fn seat(&self) -> &Seat {
        let [white, black] = &self.seats;
        if self.game.state().side == Color::White { white } else { black }
    }

    /// What stands before a person's line.
    pub fn prompt(&self) -> String {
        let dice = self.game.state().dice.map_or(String::new(), |roll| format!(" {roll}"));
        match self.game.status() {
            Status::Playing => format!("{}{dice}>", self.game.state().side),
            Status::Won { .. } => "over>".to_owned(),
        }
    }

    /// Lets the program play as long as it is its turn. Returns what there is to tell.
    pub fn go_on(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        // The sides roll for the beginning whoever plays.
        if self.game.turns().is_empty() && self.game.state().dice.is_none() {
            said.extend(self.roll());
        }
        while self.game.status() == Status::Playing
            && let Seat::Engine(player) = self.seat().clone()
        {
            if self.game.state().dice.is_none() {
                said.extend(self.roll());
            }
            let settings = Settings { rules: self.game.rules(), ..player.settings };
            let side = self.game.state().side;
            let Some(roll) = self.game.state().dice else { break };
            let Some((play, thoughts)) = self.think(&settings, player.limits) else { break };
            self.thoughts = thoughts;
            match self.game.play(&play) {
                Ok(()) => said.push(format!("{side} {roll}: {play}")),
                Err(error) => {
                    said.push(format!("error {error}"));
                    break;
                }
            }
        }
        if let Status::Won { winner, is_mars, points } = self.game.status()
            && !self.is_told
        {
            self.is_told = true;
            said.push(drawing(self.game.state()));
            let mars = if is_mars { " by mars" } else { "" };
            said.push(format!("{winner} wins {points} point{}{mars}", if points == 1 { "" } else { "s" }));
        } else if !said.is_empty() && self.game.status() == Status::Playing {
            said.push(drawing(self.game.state()));
        }
        said
    }

    /// The best play and what is thought of the best ones.
    fn think(&self, settings: &Settings, limits: Limits) -> Option<(crate::tavla::rules::Play, Vec<String>)> {
        let legal = self.game.legal();
        let settings = Settings { lines: SHOWN, ..settings.clone() };
        let mut thoughts = Vec::new();
        let place = think(&settings, legal, limits, &|| false, &mut |report| thoughts = info(legal, &report));
        let before = settings.weights().estimate(&self.game.state().board).equity(settings.rules.mars);
        thoughts.insert(0, format!("equity before the roll {before:+.4}"));
        legal.get(place).map(|legal| (legal.play.ordered(), thoughts))
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

    /// Does what a person asks for. Returns what there is to tell, and whether that was the end.
    pub fn obey(&mut self, line: &str) -> (Vec<String>, bool) {
        let command = match read(line) {
            Ok(Command::Quit) => return (Vec::new(), true),
            Ok(command) => command,
            Err(error) => return (vec![format!("error {error}")], false),
        };
        let said = self.answer(command).unwrap_or_else(|error| vec![format!("error {error}")]);
        (said, false)
    }

    fn answer(&mut self, command: Command) -> Result<Vec<String>, String> {
        let text = |error: crate::tavla::game::GameError| error.to_string();
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
                self.game.play(&play).map_err(text)?;
                self.thoughts.clear();
            }
            Command::Legal => {
                let plays = self.game.legal().iter().map(|legal| legal.play.ordered().to_string()).collect::<Vec<_>>();
                return Ok(vec![format!("{} plays: {}", plays.len(), plays.join("  "))]);
            }
            Command::Board => return Ok(vec![drawing(self.game.state())]),
            Command::Why => {
                if self.game.legal().is_empty() {
                    return Ok(self.thoughts.clone());
                }
                let settings = Settings { rules: self.game.rules(), ..Settings::default() };
                let limits = Limits { depth: Some(2), ..Limits::default() };
                return Ok(self.think(&settings, limits).map_or(Vec::new(), |(_, thoughts)| thoughts));
            }
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
                self.is_told = false;
                return Ok(vec![drawing(self.game.state())]);
            }
            Command::Redo => self.game.redo(1).map_err(text)?,
            Command::New => {
                self.game = Game::new(self.game.rules(), State::start());
                self.is_told = false;
            }
            Command::Save(path) => {
                let [white, black] = &self.names;
                save(&path, &mat(&self.game, white, black)).map_err(|error| format!("{}: {error}", path.display()))?;
                return Ok(vec![format!("saved to {}", path.display())]);
            }
            Command::Help => return Ok(vec![HELP.to_owned()]),
        }
        Ok(Vec::new())
    }
}

/// Writes a new file.
fn save(path: &Path, text: &str) -> std::io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}
