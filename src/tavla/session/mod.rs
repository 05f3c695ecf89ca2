//! The conversation about tavla in the native protocol: lines in, lines and work out.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod command;
mod help;
mod options;
mod reply;
mod seat;
mod work;

pub use command::CommandError;
pub use reply::info;
pub use seat::Seat;
pub use work::Work;

use super::game::{Game, GameError, State, Status};
use super::learned::{BearOff, embedded};
use super::player::Settings;
use super::rules::{Play, Roll};
use command::{Command, Go};
use std::time::Duration;

/// The name of the game, as the option `UCI_Variant` has it.
pub const NAME: &str = "tavla";

/// What a line leads to.
pub enum Step {
    /// These lines are said.
    Say(Vec<String>),
    /// This work is done, which says more.
    Work(Work),
}

/// One conversation.
pub struct Session {
    settings: Settings,
    game: Game,
    dice: fastrand::Rng,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// Default options, and white to roll at the start. The dice are chance until the option `Seed` is set.
    pub fn new() -> Self {
        let settings = Settings::default();
        let game = Game::new(settings.rules, State::start());
        Self { settings, game, dice: fastrand::Rng::new() }
    }

    /// What is said when the game is chosen.
    pub fn greeting(&self) -> String {
        format!("info string variant {NAME}, start position {}", super::notation::xgid(self.game.state()))
    }

    /// The options as the protocol lists them, one a line.
    pub fn options(&self) -> Vec<String> {
        options::listed()
    }

    /// Gets ready what the first search would have to wait for.
    pub fn prepare(&self) {
        embedded();
        BearOff::get();
    }

    /// The name of the command of `line` if it has to wait for the end of a search.
    pub fn refused_while_busy(line: &str) -> Option<&'static str> {
        const REFUSED: [&str; 10] =
            ["ucinewgame", "setoption", "position", "dice", "roll", "move", "undo", "redo", "go", "perft"];
        let verb = line.split_whitespace().next().unwrap_or_default();
        REFUSED.into_iter().find(|name| name.eq_ignore_ascii_case(verb))
    }

    /// Whether `line` begins a job unless it is refused.
    pub fn begins_work(line: &str) -> bool {
        matches!(command::parse(line), Ok(Command::Go(_) | Command::Perft(_)))
    }

    /// Obeys a line that is not empty.
    ///
    /// # Errors
    /// When it cannot be obeyed; then nothing has changed.
    pub fn obey(&mut self, line: &str) -> Result<Step, CommandError> {
        let of = |what: &str, error: GameError| CommandError::new(format!("{what} {error}"));
        let mut lines = Vec::new();
        match command::parse(line)? {
            Command::NewGame => self.game = Game::new(self.settings.rules, State::start()),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position { start, moves } => self.game = self.position(start, &moves)?,
            Command::Dice(roll) => self.game.set_dice(roll).map_err(|error| of("dice", error))?,
            Command::Roll => {
                let (beginning, roll) = self.game.roll(&mut self.dice).map_err(|error| of("roll", error))?;
                lines.extend(beginning.map(|dice| reply::beginning(dice, self.game.state().side)));
                lines.push(format!("dice {} {}", roll.high(), roll.low()));
            }
            Command::Move { roll, play } => {
                let mut game = self.game.clone();
                one_turn(&mut game, roll, &play).map_err(|error| of("move", error))?;
                self.game = game;
            }
            Command::Undo(count) => self.game.undo(count).map_err(|error| of("undo", error))?,
            Command::Redo(count) => self.game.redo(count).map_err(|error| of("redo", error))?,
            Command::Go(go) => return self.go(go).map(Step::Work),
            Command::Legal => {
                if self.game.status() == Status::Playing && self.game.state().dice.is_none() {
                    return Err(of("legal", GameError::NoDice));
                }
                lines.push(reply::legal(&self.game));
            }
            Command::Eval => lines.extend(reply::eval(&self.settings, self.game.state())),
            Command::Status => lines.push(reply::status(&self.game)),
            Command::Display => lines.push(reply::board(&self.game)),
            Command::Perft(depth) => {
                return Ok(Step::Work(Work::perft(self.game.state().board, depth, self.settings.rules.hit_and_run)));
            }
            Command::Help => lines.push(help::HELP.to_owned()),
        }
        Ok(Step::Say(lines))
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), CommandError> {
        options::set(&mut self.settings, name, value)?;
        if name.eq_ignore_ascii_case("seed") {
            self.dice = fastrand::Rng::with_seed(self.settings.seed);
        }
        self.game.set_rules(self.settings.rules);
        Ok(())
    }

    fn position(&self, start: State, moves: &[(Option<Roll>, Play)]) -> Result<Game, CommandError> {
        let mut game = Game::new(self.settings.rules, start);
        for (number, (roll, play)) in moves.iter().enumerate() {
            let played = one_turn(&mut game, *roll, play);
            played.map_err(|error| CommandError::new(format!("move {} of the position: {error}", number + 1)))?;
        }
        Ok(game)
    }

    fn go(&mut self, go: Go) -> Result<Work, CommandError> {
        let refused = |error: GameError| CommandError::new(format!("go {error}"));
        if let Some(roll) = go.dice {
            self.game.set_dice(roll).map_err(refused)?;
        }
        let mut limits = go.limits;
        let [white, black] = go.clocks;
        let (left, increment) = if self.game.state().side == super::game::Color::White { white } else { black };
        if let Some(left) = left {
            // A game has about 25 turns of each side; a tenth of a second is kept for the way of the answer.
            let share = left.saturating_sub(Duration::from_millis(100)) / 25 + increment * 3 / 4;
            limits.time = Some(limits.time.map_or(share, |time| time.min(share)));
        }
        if self.game.status() == Status::Playing && self.game.state().dice.is_none() {
            return Err(refused(GameError::NoDice));
        }
        Ok(Work::search(self.settings.clone(), self.game.legal().to_vec(), limits, go.is_infinite))
    }
}

/// Plays a turn, whose dice can be known before.
fn one_turn(game: &mut Game, roll: Option<Roll>, play: &Play) -> Result<(), GameError> {
    if let Some(roll) = roll {
        game.set_dice(roll)?;
    }
    game.play(play)
}

#[cfg(test)]
mod tests;
