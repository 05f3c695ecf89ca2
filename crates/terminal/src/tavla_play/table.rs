//! A game of tavla between any combination of human players and the program, and how the program chooses its plays.

use soffio::clock::Stopwatch;
use soffio::stop::Stop;
use soffio_support::output_file::OutputFile;
use soffio_support::words::counted;
use soffio_tavla::game::{Color, TavlaGame, TavlaGameError, TavlaState, TavlaStatus};
use soffio_tavla::learned::{BearOff, BearOffAccess};
use soffio_tavla::notation::{drawing, mat};
use soffio_tavla::player::{PlayValue, TavlaLimits, TavlaReport, TavlaSettings, think};
use soffio_tavla::rules::{LegalPlay, Roll, Rules, TavlaBoard, TavlaPlay};
use soffio_tavla::session::PlayerSetting;
use std::io;
use std::path::Path;
use std::time::Duration;

pub struct TavlaPlayState {
    pub(super) game: TavlaGame,
    /// The players of White and Black, with their names from the command line for the records.
    seats: [(PlayerSetting, String); 2],
    dice: fastrand::Rng,
    /// The program's choice on its last turn, which the `why` command explains, or `None` if there is no such choice.
    choice: Option<PlayChoice>,
    has_shown_end: bool,
    is_unsaved: bool,
    /// Minimum time that the program takes per turn.
    pub delay: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TavlaReply {
    Output(Vec<String>),
    /// Why the line was rejected. The game has not changed.
    Rejected(String),
    Quit,
}

impl TavlaPlayState {
    /// Creates a game. `players` are the players of White and Black as given on the command line.
    pub fn new(rules: Rules, players: [&str; 2], dice: fastrand::Rng) -> anyhow::Result<Self> {
        BearOff::build_in_background();
        let game = TavlaGame::new(rules, TavlaState::start());
        let [white, black] = players.map(|name| name.parse().map(|seat| (seat, name.to_owned())));
        let seats = [white?, black?];
        Ok(Self { game, seats, dice, choice: None, has_shown_end: false, is_unsaved: false, delay: Duration::ZERO })
    }

    pub(super) fn seat(&self, side: Color) -> &(PlayerSetting, String) {
        side.pick(self.seats.each_ref())
    }

    pub fn prompt(&self) -> String {
        let dice = self.game.state().dice.map_or(String::new(), |roll| format!(" {roll}"));
        match self.game.status() {
            TavlaStatus::Playing => format!("{}{dice}>", self.game.state().side),
            TavlaStatus::Won { .. } => "over>".to_owned(),
        }
    }

    pub(super) fn is_unsaved(&self) -> bool {
        self.is_unsaved && !self.game.turns().is_empty()
    }

    /// Returns whether the command `line` replaces an unsaved game.
    pub(super) fn is_discarded_by(&self, line: &str) -> bool {
        self.is_unsaved() && line.trim().eq_ignore_ascii_case("new")
    }

    pub(super) fn is_engine_to_play(&self) -> bool {
        self.game.status() == TavlaStatus::Playing
            && matches!(self.seat(self.game.state().side), (PlayerSetting::Engine(_), _))
    }

    /// Rolls the dice at the start of the game and on the program's turns. Returns the lines to print and the program's
    /// task, which is `None` if it is not the program's turn.
    pub(super) fn prepare(&mut self) -> (Vec<String>, Option<PlayTask>) {
        let mut said = Vec::new();
        // The opening roll is made automatically for every kind of player.
        if self.game.turns().is_empty() && self.game.state().dice.is_none() {
            said.extend(self.roll());
        }
        if self.game.status() != TavlaStatus::Playing {
            return (said, None);
        }
        let (PlayerSetting::Engine(player), _) = self.seat(self.game.state().side).clone() else { return (said, None) };
        if self.game.state().dice.is_none() {
            said.extend(self.roll());
        }
        let settings = TavlaSettings { rules: self.game.rules(), ..player.settings };
        let task = PlayTask::new(settings, player.limits, self.game.state().board, self.game.legal());
        (said, Some(PlayTask { delay: self.delay, ..task }))
    }

    pub(super) fn play_found(&mut self, choice: PlayChoice) -> Result<String, String> {
        let TavlaState { side, dice, .. } = *self.game.state();
        let dice = dice.map_or(String::new(), |roll| format!(" {roll}"));
        let play = choice.play;
        self.choice = Some(choice);
        self.play(&play).map(|()| format!("{side}{dice}: {play}"))
    }

    fn play(&mut self, play: &TavlaPlay) -> Result<(), String> {
        self.game.play(play).map_err(|error| error.to_string())?;
        self.is_unsaved = true;
        Ok(())
    }

    pub(super) fn end(&self) -> Option<String> {
        let TavlaStatus::Won { winner, is_mars, points } = self.game.status() else { return None };
        let mars = if is_mars { " by mars" } else { "" };
        Some(format!("{winner} wins {}{mars}", counted(points, "point")))
    }

    pub fn resume(&mut self) -> Vec<String> {
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
            Some(_) if self.has_shown_end => {}
            Some(end) => {
                self.has_shown_end = true;
                said.push(drawing(self.game.state()));
                said.push(end);
            }
            None if said.is_empty() => {}
            None => said.push(drawing(self.game.state())),
        }
        said
    }

    /// Returns the values of the legal plays. If there are no legal plays, returns the values from the program's last
    /// turn.
    pub(super) fn reasons(&self) -> Vec<String> {
        if self.game.legal().is_empty() {
            return self.choice.as_ref().map_or(Vec::new(), PlayChoice::lines);
        }
        let settings = TavlaSettings { rules: self.game.rules(), ..TavlaSettings::default() };
        let limits = TavlaLimits { depth: Some(2), ..TavlaLimits::default() };
        let task = PlayTask::new(settings, limits, self.game.state().board, self.game.legal());
        task.run(&Stop::new()).as_ref().map_or(Vec::new(), PlayChoice::lines)
    }

    fn roll(&mut self) -> Vec<String> {
        match self.game.roll(&mut self.dice) {
            Err(error) => vec![format!("error {error}")],
            Ok((beginning, roll)) => {
                let side = self.game.state().side;
                let begins =
                    beginning.map(|dice| format!("white rolls {}, black {}: {side} begins", dice.white, dice.black));
                begins.into_iter().chain([self.rolled(roll)]).collect()
            }
        }
    }

    fn rolled(&self, roll: Roll) -> String {
        let note = if self.game.must_pass() { ", no legal play: pass" } else { "" };
        format!("{} rolls {roll}{note}", self.game.state().side)
    }

    pub(super) fn execute(&mut self, line: &str) -> TavlaReply {
        let verb = verb(line);
        if matches!(verb.as_str(), "quit" | "q") && line.len() == verb.len() {
            return TavlaReply::Quit;
        }
        self.answer(&verb, line).map_or_else(TavlaReply::Rejected, TavlaReply::Output)
    }

    fn answer(&mut self, verb: &str, line: &str) -> Result<Vec<String>, String> {
        const ALONE: [&str; 15] =
            ["roll", "r", "legal", "board", "d", "why", "hint", "undo", "u", "redo", "new", "help", "?", "quit", "q"];
        let text = |error: TavlaGameError| error.to_string();
        let rest = line.get(verb.len()..).unwrap_or_default().trim();
        if ALONE.contains(&verb) && !rest.is_empty() {
            return Err(format!("{verb} takes no argument"));
        }
        let not_the_program = || match self.is_engine_to_play() {
            true => Err(format!("{} is played by the program", self.game.state().side)),
            false => Ok(()),
        };
        match verb {
            "" => {}
            "roll" | "r" => {
                not_the_program()?;
                if let Some(roll) = self.game.state().dice {
                    return Err(format!("the dice are already {roll}"));
                }
                return Ok(self.roll());
            }
            "dice" => {
                let digits: String = rest.split_whitespace().collect();
                let roll = digits.parse().map_err(|error| format!("dice: expected {error}"))?;
                not_the_program()?;
                self.game.set_dice(roll).map_err(text)?;
                return Ok(vec![self.rolled(roll)]);
            }
            "legal" => {
                let plays = self.game.legal().iter().map(|legal| legal.play.ordered().to_string()).collect::<Vec<_>>();
                return Ok(vec![format!("{}: {}", counted(plays.len(), "play"), plays.join("  "))]);
            }
            "board" | "d" => return Ok(vec![drawing(self.game.state())]),
            "why" | "hint" => return Ok(self.reasons()),
            "undo" | "u" => {
                // Go back to the last turn of a human player, including the program's turns since then.
                let mut turns = self.game.turns().iter().rev();
                let own = turns.position(|turn| matches!(self.seat(turn.before.side), (PlayerSetting::Human, _)));
                self.game.undo(own.map_or(1, |place| place + 1)).map_err(text)?;
                (self.choice, self.has_shown_end) = (None, false);
                return Ok(vec![drawing(self.game.state())]);
            }
            "redo" => {
                self.game.redo(1).map_err(text)?;
                // `undo` also undid the program's turns after that turn. If the program played them again, it would
                // roll new dice.
                while self
                    .game
                    .next_to_redo()
                    .is_some_and(|side| matches!(self.seat(side), (PlayerSetting::Engine(_), _)))
                {
                    self.game.redo(1).map_err(text)?;
                }
                return Ok(vec![drawing(self.game.state())]);
            }
            "new" => {
                self.game = TavlaGame::new(self.game.rules(), TavlaState::start());
                (self.choice, self.has_shown_end) = (None, false);
            }
            "save" if rest.is_empty() => return Err("save requires a file name".to_owned()),
            "save" => {
                let [(_, white), (_, black)] = &self.seats;
                let of_io = |error: io::Error| error.to_string();
                let file = OutputFile::keep(Path::new(rest), false, "choose another name").map_err(of_io)?;
                file.write(mat(&self.game, white, black).as_bytes()).map_err(of_io)?;
                self.is_unsaved = false;
                return Ok(vec![format!("saved to {rest}")]);
            }
            "help" | "?" => return Ok(vec![HELP.to_owned()]),
            _ => {
                let play = line.parse().map_err(|error| format!("{error}, and not a command; try help"))?;
                not_the_program()?;
                self.play(&play)?;
                self.choice = None;
            }
        }
        Ok(Vec::new())
    }
}

/// Returns the first word of `line` in lower case.
pub(super) fn verb(line: &str) -> String {
    line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase()
}

pub(super) const HELP: &str = "\
roll, dice 3 1            roll the dice, or set them
8/5,6/5 or 8/5 6/5        play; 25 or bar, 0 or off; pass when no play is possible
legal, board              list the legal plays, draw the board
why                       show the evaluation of the plays, or of the program's last one
undo, redo                undo, or redo, your last play and the program's answer
save FILE                 save the game as .mat text, which gnubg can read
new, help, quit";

const SHOWN: usize = 5;

/// A choice between plays. It can be computed on any thread.
#[derive(Clone, Debug)]
pub(super) struct PlayTask {
    settings: TavlaSettings,
    limits: TavlaLimits,
    board: TavlaBoard,
    legal: Vec<LegalPlay>,
    delay: Duration,
}

#[derive(Clone, Debug)]
pub(super) struct PlayChoice {
    pub(super) play: TavlaPlay,
    /// Points that the side to move could expect before the roll.
    before: f32,
    best: Vec<(TavlaPlay, u8, PlayValue)>,
}

impl PlayTask {
    /// Creates a task. `legal` must not be empty.
    pub(super) fn new(settings: TavlaSettings, limits: TavlaLimits, board: TavlaBoard, legal: &[LegalPlay]) -> Self {
        let settings = TavlaSettings { lines: SHOWN, ..settings };
        Self { settings, limits, board, legal: legal.to_vec(), delay: Duration::ZERO }
    }

    /// Searches, and then waits for the rest of the delay. After `stop`, returns the best play found so far.
    pub(super) fn run(&self, stop: &Stop) -> Option<PlayChoice> {
        let clock = Stopwatch::start();
        let mut findings = Vec::new();
        let is_stopped = &|| stop.is_stopped();
        let report = &mut |report: TavlaReport| findings = report.findings;
        let place = think(&self.settings, &self.legal, self.limits, clock.clone(), is_stopped, report);
        let rest = self.delay.saturating_sub(clock.elapsed());
        if !rest.is_zero() {
            // Nothing is ever sent on this channel. It is closed to signal a stop.
            let _ = stop.receiver().recv_timeout(rest);
        }
        let play = |place: usize| self.legal.get(place).map(|legal| legal.play.ordered());
        let before =
            self.settings.weights().estimate(&self.board, BearOffAccess::WAIT).equity(self.settings.rules.mars);
        let best = findings.iter().filter_map(|found| Some((play(found.place)?, found.depth, found.worth))).collect();
        Some(PlayChoice { play: play(place)?, before, best })
    }
}

impl PlayChoice {
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("equity before the roll {:+.4}", self.before)];
        for (number, (play, depth, worth)) in (1..).zip(&self.best) {
            let text = match worth {
                PlayValue::Equity { estimate, equity, rollout } => {
                    let chances = [estimate.win, estimate.win_mars, estimate.lose_mars];
                    let [win, mars, lost] = chances.map(|chance| 100.0 * chance);
                    let games = rollout
                        .map_or(String::new(), |(games, error)| format!(", {} +- {error:.4}", counted(games, "game")));
                    format!("equity {equity:+.4}  win {win:.1} %, mars {mars:.1} %, lose by mars {lost:.1} %{games}")
                }
                PlayValue::Value(value) => format!("value {value:+.4}"),
            };
            lines.push(format!("{number}. {play}  {text}  (depth {depth})"));
        }
        lines
    }
}
