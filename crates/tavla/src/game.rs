//! The game state: position, dice, history and result.

pub use soffio::color::Color;

use super::rules::{
    BAR, Board, CHECKERS, HOME, Hop, Legal, OFF, Opening, Play, Plays, Roll, Rules, Side, after_hops, facing,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The board from the view of the side to move.
    pub board: Board,
    pub side: Color,
    pub dice: Option<Roll>,
}

impl State {
    pub fn start() -> Self {
        Self { board: Board::start(), side: Color::White, dice: None }
    }

    /// Returns the checkers of White and of Black, each in its own numbering.
    pub fn sides(&self) -> (&Side, &Side) {
        let Board { own, other } = &self.board;
        if self.side == Color::White { (own, other) } else { (other, own) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub before: State,
    pub roll: Roll,
    pub play: Play,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Playing,
    Won {
        winner: Color,
        /// Whether the loser has borne off no checker.
        is_mars: bool,
        /// Two for a mars if the rules count it, otherwise one.
        points: u8,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    pub white: u8,
    pub black: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    #[error("the game is over")]
    Over,
    #[error("the dice are not known, send dice or roll first")]
    NoDice,
    #[error("the dice are {0} already")]
    HasDice(Roll),
    #[error("{play} is not legal with {roll}: {reason}")]
    Illegal { play: Play, roll: Roll, reason: Reason },
    #[error("there is no turn to {0}")]
    NoTurn(&'static str),
    #[error("there are only {turns} turns to {what}")]
    TooFew { turns: usize, what: &'static str },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("there is no checker on {}", if usize::from(*.0) == BAR { "the bar".to_owned() } else { format!("point {}", .0) })]
    Empty(u8),
    #[error("the checkers on the bar come first")]
    Bar,
    #[error("point {0} is held by the other side")]
    Blocked(u8),
    #[error("no die goes from {} to {}", .0.from, .0.to)]
    NoDie(Hop),
    #[error("not all checkers are at home")]
    NotHome,
    #[error("a checker behind point {} comes before it", .0.from)]
    Farther(Hop),
    #[error("{0} dice can be played, and must be")]
    MoreDice(usize),
    #[error("only one die can be played, and it must be the larger one")]
    Larger,
    #[error("a checker that has hit on point {0} stays there")]
    HitAndRun(u8),
    #[error("no die can be played, the side has to pass")]
    MustPass,
}

#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    state: State,
    turns: Vec<Turn>,
    undone: Vec<Turn>,
    plays: Plays,
}

impl Game {
    pub fn new(rules: Rules, state: State) -> Self {
        let mut game = Self { rules, state, turns: Vec::new(), undone: Vec::new(), plays: Plays::default() };
        game.refresh();
        game
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.refresh();
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    pub fn status(&self) -> Status {
        let Board { own, other } = &self.state.board;
        let side = self.state.side;
        let (winner, loser_off) = match (own.off(), other.off()) {
            (CHECKERS, off) => (side, off),
            (off, CHECKERS) => (side.opponent(), off),
            _ => return Status::Playing,
        };
        let is_mars = loser_off == 0;
        Status::Won { winner, is_mars, points: if is_mars && self.rules.mars { 2 } else { 1 } }
    }

    /// Legal plays: empty without dice or after the end of the game, and a single play without hops if the side must
    /// pass.
    pub fn legal(&self) -> &[Legal] {
        if self.state.dice.is_some() && self.status() == Status::Playing { self.plays.found() } else { &[] }
    }

    fn refresh(&mut self) {
        if let Some(roll) = self.state.dice {
            self.plays.find(&self.state.board, roll, self.rules.hit_and_run);
        }
    }

    pub fn set_dice(&mut self, roll: Roll) -> Result<(), GameError> {
        if self.status() != Status::Playing {
            return Err(GameError::Over);
        }
        self.state.dice = Some(roll);
        self.undone.clear();
        self.refresh();
        Ok(())
    }

    /// Rolls the dice. In the opening position each side first rolls one die, and the higher one starts.
    pub fn roll(&mut self, random: &mut fastrand::Rng) -> Result<(Option<Beginning>, Roll), GameError> {
        if let Some(roll) = self.state.dice {
            return Err(GameError::HasDice(roll));
        }
        let is_beginning = self.turns.is_empty() && self.state.board == Board::start();
        if !is_beginning {
            let roll = Roll::random(random);
            return self.set_dice(roll).map(|()| (None, roll));
        }
        let (beginning, single) = loop {
            let (white, black) = (random.u8(1..=6), random.u8(1..=6));
            if white != black
                && let Some(roll) = Roll::new(white, black)
            {
                break (Beginning { white, black }, roll);
            }
        };
        self.state.side = if beginning.white > beginning.black { Color::White } else { Color::Black };
        let roll = match self.rules.opening {
            Opening::RollBoth => Roll::random(random),
            Opening::Single => single,
        };
        self.set_dice(roll)?;
        Ok((Some(beginning), roll))
    }

    /// Finds the legal play that leads to the same position as `play`.
    pub fn resolve(&self, play: &Play) -> Result<Legal, GameError> {
        if self.status() != Status::Playing {
            return Err(GameError::Over);
        }
        let roll = self.state.dice.ok_or(GameError::NoDice)?;
        let wanted = play.ordered();
        let same = self.legal().iter().find(|legal| legal.play.ordered() == wanted);
        let meant = same.or_else(|| {
            let after = after_hops(&self.state.board, play.ordered().hops())?;
            self.legal().iter().find(|legal| legal.after == after)
        });
        meant.copied().ok_or_else(|| GameError::Illegal { play: *play, roll, reason: self.reason(play, roll) })
    }

    pub fn play(&mut self, play: &Play) -> Result<(), GameError> {
        let legal = self.resolve(play)?;
        let roll = self.state.dice.ok_or(GameError::NoDice)?;
        self.turns.push(Turn { before: self.state, roll, play: legal.play.ordered() });
        self.undone.clear();
        self.state = State { board: legal.after.turned(), side: self.state.side.opponent(), dice: None };
        Ok(())
    }

    pub fn undo(&mut self, count: usize) -> Result<(), GameError> {
        are_there(self.turns.len(), count, "take back")?;
        for _ in 0..count {
            if let Some(turn) = self.turns.pop() {
                self.state = turn.before;
                self.undone.push(turn);
            }
        }
        self.refresh();
        Ok(())
    }

    pub fn redo(&mut self, count: usize) -> Result<(), GameError> {
        are_there(self.undone.len(), count, "play again")?;
        for _ in 0..count {
            if let Some(turn) = self.undone.pop() {
                let rest = std::mem::take(&mut self.undone);
                self.state = turn.before;
                self.refresh();
                let played = self.play(&turn.play);
                self.undone = rest;
                played?;
            }
        }
        Ok(())
    }

    fn reason(&self, play: &Play, roll: Roll) -> Reason {
        let most = self.legal().iter().map(|legal| legal.play.hops().len()).max().unwrap_or(0);
        if most == 0 {
            return Reason::MustPass;
        }
        let mut dice = if roll.is_double() { vec![roll.high(); 4] } else { vec![roll.high(), roll.low()] };
        let mut board = self.state.board;
        let mut hitters = Vec::new();
        for hop in play.ordered().hops() {
            let (from, to) = (usize::from(hop.from), usize::from(hop.to));
            if board.own.at(from) == 0 {
                return Reason::Empty(hop.from);
            }
            if board.own.bar() > 0 && from != BAR {
                return Reason::Bar;
            }
            if to != OFF && !board.is_open(to) {
                return Reason::Blocked(hop.to);
            }
            if to == OFF && board.own.farthest() > HOME {
                return Reason::NotHome;
            }
            // No die matches a backward hop.
            let steps = hop.from.saturating_sub(hop.to);
            let exact = dice.iter().position(|&die| die == steps);
            let fitting = exact.or_else(|| dice.iter().position(|&die| to == OFF && die > steps));
            let Some(die) = fitting else { return Reason::NoDie(*hop) };
            if exact.is_none() && board.own.farthest() > from {
                return Reason::Farther(*hop);
            }
            if !self.rules.hit_and_run && board.own.at(from) == 1 && hitters.contains(&from) {
                return Reason::HitAndRun(hop.from);
            }
            dice.remove(die);
            if to != OFF && board.other.at(facing(to)) == 1 {
                hitters.push(to);
            }
            board.hop(from, to);
        }
        if play.hops().len() < most { Reason::MoreDice(most) } else { Reason::Larger }
    }
}

fn are_there(turns: usize, count: usize, what: &'static str) -> Result<(), GameError> {
    match turns {
        turns if count <= turns => Ok(()),
        0 => Err(GameError::NoTurn(what)),
        turns => Err(GameError::TooFew { turns, what }),
    }
}
