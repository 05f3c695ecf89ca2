//! The state of a game: its position, dice, turns and result.

pub use soffio::board::Color;

use super::rules::{
    BAR, CHECKERS, Checkers, HOME, Hop, LegalPlay, OFF, OpeningRoll, Plays, Roll, Rules, TavlaBoard, TavlaPlay,
    after_hops, facing,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TavlaState {
    /// The board as seen from the side to move.
    pub board: TavlaBoard,
    pub side: Color,
    pub dice: Option<Roll>,
}

impl TavlaState {
    pub fn start() -> Self {
        Self { board: TavlaBoard::start(), side: Color::White, dice: None }
    }

    /// Returns the checkers of White, then the checkers of Black. Each side uses its own numbering.
    pub fn sides(&self) -> (&Checkers, &Checkers) {
        let TavlaBoard { own, other } = &self.board;
        if self.side == Color::White { (own, other) } else { (other, own) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TavlaTurn {
    pub before: TavlaState,
    pub roll: Roll,
    pub play: TavlaPlay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TavlaStatus {
    Playing,
    Won {
        winner: Color,
        /// Whether the loser has not borne off any checkers.
        is_mars: bool,
        /// Points for the win: 2 for a mars if the rules count it double, and 1 otherwise.
        points: u8,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    pub white: u8,
    pub black: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TavlaGameError {
    #[error("the game has ended")]
    Over,
    #[error("the dice have not been rolled; send dice or roll first")]
    NoDice,
    #[error("the dice are already {0}")]
    HasDice(Roll),
    #[error("{play} is not legal with {roll}: {reason}")]
    Illegal { play: TavlaPlay, roll: Roll, reason: IllegalPlay },
    #[error("nothing to {0}")]
    NoTurn(&'static str),
    #[error("only {turns} {} to {what}", if *.turns == 1 { "turn" } else { "turns" })]
    TooFew { turns: usize, what: &'static str },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPlay {
    #[error("there is no checker on {}", if usize::from(*.0) == BAR { "the bar".to_owned() } else { format!("point {}", .0) })]
    Empty(u8),
    #[error("the checkers on the bar must enter first")]
    Bar,
    #[error("point {0} is held by the other side")]
    Blocked(u8),
    #[error("no die goes from {} to {}", .0.from, .0.to)]
    NoDie(Hop),
    #[error("not all checkers are at home")]
    NotHome,
    #[error("a checker behind point {} must be borne off first", .0.from)]
    Farther(Hop),
    #[error("{0} dice can be played, so {0} must be played")]
    MoreDice(usize),
    #[error("only one die can be played, and it must be the larger one")]
    Larger,
    #[error("a checker that hit on point {0} must stay there")]
    HitAndRun(u8),
    #[error("no die can be played; the side must pass")]
    MustPass,
}

#[derive(Clone, Debug)]
pub struct TavlaGame {
    rules: Rules,
    state: TavlaState,
    turns: Vec<TavlaTurn>,
    /// The undone turns, each with the dice that had been rolled after it.
    undone: Vec<(TavlaTurn, Option<Roll>)>,
    plays: Plays,
}

impl TavlaGame {
    pub fn new(rules: Rules, state: TavlaState) -> Self {
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

    pub fn state(&self) -> &TavlaState {
        &self.state
    }

    pub fn turns(&self) -> &[TavlaTurn] {
        &self.turns
    }

    pub fn status(&self) -> TavlaStatus {
        let TavlaBoard { own, other } = &self.state.board;
        let side = self.state.side;
        let (winner, loser_off) = match (own.off(), other.off()) {
            (CHECKERS, off) => (side, off),
            (off, CHECKERS) => (side.opponent(), off),
            _ => return TavlaStatus::Playing,
        };
        let is_mars = loser_off == 0;
        TavlaStatus::Won { winner, is_mars, points: if is_mars && self.rules.mars { 2 } else { 1 } }
    }

    /// Returns the legal plays. The list is empty if the dice have not been rolled or the game has ended. If the side
    /// must pass, the list contains a single play without hops.
    pub fn legal(&self) -> &[LegalPlay] {
        if self.state.dice.is_some() && self.status() == TavlaStatus::Playing { self.plays.found() } else { &[] }
    }

    /// Returns whether the dice have been rolled and no die can be played.
    pub fn must_pass(&self) -> bool {
        matches!(self.legal(), [only] if only.play.hops().is_empty())
    }

    fn refresh(&mut self) {
        if let Some(roll) = self.state.dice {
            self.plays.find(&self.state.board, roll, self.rules.hit_and_run);
        }
    }

    pub fn set_dice(&mut self, roll: Roll) -> Result<(), TavlaGameError> {
        if self.status() != TavlaStatus::Playing {
            return Err(TavlaGameError::Over);
        }
        self.state.dice = Some(roll);
        self.undone.clear();
        self.refresh();
        Ok(())
    }

    /// Rolls the dice. In the starting position, each side first rolls one die, and the side with the higher number
    /// starts. Returns the two dice of this opening roll (`None` later in the game), and the roll for the play.
    pub fn roll(&mut self, random: &mut fastrand::Rng) -> Result<(Option<Beginning>, Roll), TavlaGameError> {
        if let Some(roll) = self.state.dice {
            return Err(TavlaGameError::HasDice(roll));
        }
        let is_beginning = self.turns.is_empty() && self.state.board == TavlaBoard::start();
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
            OpeningRoll::RollBoth => Roll::random(random),
            OpeningRoll::Single => single,
        };
        self.set_dice(roll)?;
        Ok((Some(beginning), roll))
    }

    /// Finds `play` among the legal plays. If it is missing, finds a legal play that leads to the same position.
    pub fn resolve(&self, play: &TavlaPlay) -> Result<LegalPlay, TavlaGameError> {
        if self.status() != TavlaStatus::Playing {
            return Err(TavlaGameError::Over);
        }
        let roll = self.state.dice.ok_or(TavlaGameError::NoDice)?;
        let wanted = play.ordered();
        let same = self.legal().iter().find(|legal| legal.play.ordered() == wanted);
        let meant = same.or_else(|| {
            let after = after_hops(&self.state.board, play.ordered().hops())?;
            self.legal().iter().find(|legal| legal.after == after)
        });
        meant.copied().ok_or_else(|| TavlaGameError::Illegal { play: *play, roll, reason: self.reason(play, roll) })
    }

    pub fn play(&mut self, play: &TavlaPlay) -> Result<(), TavlaGameError> {
        let legal = self.resolve(play)?;
        let roll = self.state.dice.ok_or(TavlaGameError::NoDice)?;
        self.turns.push(TavlaTurn { before: self.state, roll, play: legal.play.ordered() });
        self.undone.clear();
        self.state = TavlaState { board: legal.after.turned(), side: self.state.side.opponent(), dice: None };
        Ok(())
    }

    pub fn undo(&mut self, count: usize) -> Result<(), TavlaGameError> {
        ensure_available(self.turns.len(), count, "undo")?;
        for _ in 0..count {
            if let Some(turn) = self.turns.pop() {
                self.undone.push((turn, self.state.dice));
                self.state = turn.before;
            }
        }
        self.refresh();
        Ok(())
    }

    /// Redoes `count` undone turns. If dice had been rolled after them, these dice are restored, so that nobody can
    /// replace a bad roll with `undo` and `redo`.
    pub fn redo(&mut self, count: usize) -> Result<(), TavlaGameError> {
        ensure_available(self.undone.len(), count, "redo")?;
        for _ in 0..count {
            if let Some((turn, dice_after)) = self.undone.pop() {
                let rest = std::mem::take(&mut self.undone);
                self.state = turn.before;
                self.refresh();
                let played = self.play(&turn.play);
                self.undone = rest;
                played?;
                self.state.dice = dice_after;
                self.refresh();
            }
        }
        Ok(())
    }

    /// Returns the side that played the last undone turn, which is the next turn to redo.
    pub fn next_to_redo(&self) -> Option<Color> {
        self.undone.last().map(|(turn, _)| turn.before.side)
    }

    fn reason(&self, play: &TavlaPlay, roll: Roll) -> IllegalPlay {
        let most = self.legal().iter().map(|legal| legal.play.hops().len()).max().unwrap_or(0);
        if most == 0 {
            return IllegalPlay::MustPass;
        }
        let mut dice = if roll.is_double() { vec![roll.high(); 4] } else { vec![roll.high(), roll.low()] };
        let mut board = self.state.board;
        let mut hitters = Vec::new();
        for hop in play.ordered().hops() {
            let (from, to) = (usize::from(hop.from), usize::from(hop.to));
            if board.own.count_at(from) == 0 {
                return IllegalPlay::Empty(hop.from);
            }
            if board.own.bar() > 0 && from != BAR {
                return IllegalPlay::Bar;
            }
            if to != OFF && !board.is_open(to) {
                return IllegalPlay::Blocked(hop.to);
            }
            if to == OFF && board.own.farthest() > HOME {
                return IllegalPlay::NotHome;
            }
            // If a hop goes backwards, `steps` is 0, which matches no die.
            let steps = hop.from.saturating_sub(hop.to);
            let exact = dice.iter().position(|&die| die == steps);
            let fitting = exact.or_else(|| dice.iter().position(|&die| to == OFF && die > steps));
            let Some(die) = fitting else { return IllegalPlay::NoDie(*hop) };
            if exact.is_none() && board.own.farthest() > from {
                return IllegalPlay::Farther(*hop);
            }
            if !self.rules.hit_and_run && board.own.count_at(from) == 1 && hitters.contains(&from) {
                return IllegalPlay::HitAndRun(hop.from);
            }
            dice.remove(die);
            if to != OFF && board.other.count_at(facing(to)) == 1 {
                hitters.push(to);
            }
            board.hop(from, to);
        }
        if play.hops().len() < most { IllegalPlay::MoreDice(most) } else { IllegalPlay::Larger }
    }
}

fn ensure_available(turns: usize, count: usize, what: &'static str) -> Result<(), TavlaGameError> {
    match turns {
        turns if count <= turns => Ok(()),
        0 => Err(TavlaGameError::NoTurn(what)),
        turns => Err(TavlaGameError::TooFew { turns, what }),
    }
}
