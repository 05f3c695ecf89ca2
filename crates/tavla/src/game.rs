//! A game: whose turn it is, the dice, what was played, and how it ends.

pub use soffio::color::Color;

use super::rules::{BAR, Board, CHECKERS, Hop, Legal, OFF, Opening, Play, Plays, Roll, Rules, facing};
use std::fmt;

/// A position with the side to move and its dice, if they have been rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The board, seen by the side to move.
    pub board: Board,
    /// The side to move.
    pub side: Color,
    /// Its dice.
    pub dice: Option<Roll>,
}

impl State {
    /// White to roll at the start.
    pub fn start() -> Self {
        Self { board: Board::start(), side: Color::White, dice: None }
    }
}

/// A turn that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The position before it, always with dice.
    pub before: State,
    /// The dice.
    pub roll: Roll,
    /// What was played.
    pub play: Play,
}

/// Whether a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It goes on.
    Playing,
    /// A side has borne off all its checkers.
    Won {
        /// The side.
        winner: Color,
        /// Whether the other side has borne off none.
        is_mars: bool,
        /// Points that it has won: two for a mars where the rules count that.
        points: u8,
    },
}

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// The die of white that decided.
    pub white: u8,
    /// That of black.
    pub black: u8,
}

/// Why something cannot be done in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// It is over.
    Over,
    /// The dice have not been rolled.
    NoDice,
    /// The dice are known already.
    HasDice(Roll),
    /// The play is not legal, for this reason.
    Illegal {
        /// The play.
        play: Play,
        /// The dice.
        roll: Roll,
        /// Why.
        reason: Reason,
    },
    /// There are only so many turns to take back or play again.
    TooFew {
        /// The turns there are.
        turns: usize,
        /// What they are for.
        what: &'static str,
    },
}

/// Why a play is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no checker to move.
    Empty(u8),
    /// Checkers on the bar come first.
    Bar,
    /// The other side has made the point.
    Blocked(u8),
    /// No die that is left goes so far.
    NoDie(Hop),
    /// Checkers are borne off only when all are at home.
    NotHome,
    /// A checker from a farther point has to be moved with the larger die.
    Farther(Hop),
    /// More dice can be played.
    MoreDice(usize),
    /// Only one die can be played, and it must be the larger one.
    Larger,
    /// A checker that has hit at home stays there.
    HitAndRun(u8),
    /// A side that cannot move passes.
    MustPass,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(from) if usize::from(*from) == BAR => f.write_str("there is no checker on the bar"),
            Self::Empty(from) => write!(f, "there is no checker on point {from}"),
            Self::Bar => f.write_str("the checkers on the bar come first"),
            Self::Blocked(to) => write!(f, "point {to} is held by the other side"),
            Self::NoDie(Hop { from, to }) => write!(f, "no die goes from {from} to {to}"),
            Self::NotHome => f.write_str("not all checkers are at home"),
            Self::Farther(Hop { from, .. }) => write!(f, "a checker behind point {from} comes before it"),
            Self::MoreDice(count) => write!(f, "{count} dice can be played, and must be"),
            Self::Larger => f.write_str("only one die can be played, and it must be the larger one"),
            Self::HitAndRun(from) => write!(f, "a checker that has hit on point {from} stays there"),
            Self::MustPass => f.write_str("no die can be played, the side has to pass"),
        }
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over => f.write_str("the game is over"),
            Self::NoDice => f.write_str("the dice are not known, send dice or roll first"),
            Self::HasDice(roll) => write!(f, "the dice are {roll} already"),
            Self::Illegal { play, roll, reason } => write!(f, "{play} is not legal with {roll}: {reason}"),
            Self::TooFew { turns: 0, what } => write!(f, "there is no turn to {what}"),
            Self::TooFew { turns, what } => write!(f, "there are only {turns} turns to {what}"),
        }
    }
}

impl std::error::Error for GameError {}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    state: State,
    turns: Vec<Turn>,
    /// Turns that were taken back, the last one first.
    undone: Vec<Turn>,
    plays: Plays,
}

impl Game {
    /// A game that begins with `state`.
    pub fn new(rules: Rules, state: State) -> Self {
        let mut game = Self { rules, state, turns: Vec::new(), undone: Vec::new(), plays: Plays::default() };
        game.refresh();
        game
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Other rules for the turns to come.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.refresh();
    }

    /// The position, the side to move and its dice.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What was played.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Whether the game is over.
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

    /// The legal plays; none without dice or when the game is over, and a single one without hops where the side must pass.
    pub fn legal(&self) -> &[Legal] {
        if self.state.dice.is_some() && self.status() == Status::Playing { self.plays.found() } else { &[] }
    }

    fn refresh(&mut self) {
        if let Some(roll) = self.state.dice {
            self.plays.find(&self.state.board, roll, self.rules.hit_and_run);
        }
    }

    /// Says what the dice are; other ones than before if they were known.
    ///
    /// # Errors
    /// When the game is over.
    pub fn set_dice(&mut self, roll: Roll) -> Result<(), GameError> {
        if self.status() != Status::Playing {
            return Err(GameError::Over);
        }
        self.state.dice = Some(roll);
        self.undone.clear();
        self.refresh();
        Ok(())
    }

    /// Rolls the dice. Before the first turn at the start each side first rolls one die, and the larger one begins.
    ///
    /// # Errors
    /// When the game is over or the dice are known.
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
            Opening::Anew => Roll::random(random),
            Opening::Single => single,
        };
        self.set_dice(roll)?;
        Ok((Some(beginning), roll))
    }

    /// The legal play that `play` means: that which leads to the same position.
    ///
    /// # Errors
    /// When there is none.
    pub fn resolve(&self, play: &Play) -> Result<Legal, GameError> {
        if self.status() != Status::Playing {
            return Err(GameError::Over);
        }
        let roll = self.state.dice.ok_or(GameError::NoDice)?;
        let wanted = play.ordered();
        let same = self.legal().iter().find(|legal| legal.play.ordered() == wanted);
        let meant = same.or_else(|| {
            let after = self.after(play)?;
            self.legal().iter().find(|legal| legal.after == after)
        });
        meant.copied().ok_or_else(|| GameError::Illegal { play: *play, roll, reason: self.reason(play, roll) })
    }

    /// The position after the hops, whether they are legal or not; `None` if there are no such checkers.
    fn after(&self, play: &Play) -> Option<Board> {
        let mut board = self.state.board;
        for Hop { from, to } in play.ordered().hops() {
            let (from, to) = (usize::from(*from), usize::from(*to));
            if board.own.at(from) == 0 || (to != OFF && !board.is_open(to)) {
                return None;
            }
            board.hop(from, to);
        }
        Some(board)
    }

    /// Plays `play` with the dice that are known.
    ///
    /// # Errors
    /// When it is not legal, the dice are not known, or the game is over.
    pub fn play(&mut self, play: &Play) -> Result<(), GameError> {
        let legal = self.resolve(play)?;
        let roll = self.state.dice.ok_or(GameError::NoDice)?;
        self.turns.push(Turn { before: self.state, roll, play: legal.play.ordered() });
        self.undone.clear();
        self.state = State { board: legal.after.turned(), side: self.state.side.opponent(), dice: None };
        Ok(())
    }

    /// Takes back `count` turns. The dice of the last one are known again.
    ///
    /// # Errors
    /// When there are not so many; then nothing is changed.
    pub fn undo(&mut self, count: usize) -> Result<(), GameError> {
        if count > self.turns.len() {
            return Err(GameError::TooFew { turns: self.turns.len(), what: "take back" });
        }
        for _ in 0..count {
            if let Some(turn) = self.turns.pop() {
                self.state = turn.before;
                self.undone.push(turn);
            }
        }
        self.refresh();
        Ok(())
    }

    /// Plays `count` turns again that were taken back.
    ///
    /// # Errors
    /// When there are not so many; then nothing is changed.
    pub fn redo(&mut self, count: usize) -> Result<(), GameError> {
        if count > self.undone.len() {
            return Err(GameError::TooFew { turns: self.undone.len(), what: "play again" });
        }
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

    /// Why a play that is not legal is none.
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
            if to == OFF && board.own.farthest() > 6 {
                return Reason::NotHome;
            }
            // A hop away from home is made by no die.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &[(&str, &str)]) -> Game {
        let mut game = Game::new(Rules::default(), State::start());
        for (roll, play) in moves {
            game.set_dice(roll.parse().unwrap()).unwrap();
            game.play(&play.parse().unwrap()).unwrap();
        }
        game
    }

    fn refusal(game: &Game, play: &str) -> String {
        game.resolve(&play.parse().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn plays_are_understood_in_any_order_and_joined() {
        let mut game = game(&[]);
        assert_eq!(refusal(&game, "8/5,6/5"), "the dice are not known, send dice or roll first");
        game.set_dice("31".parse().unwrap()).unwrap();
        for text in ["8/5,6/5", "6/5 8/5", "8/5,6/5*"] {
            assert_eq!(game.resolve(&text.parse().unwrap()).unwrap().play.ordered().to_string(), "8/5,6/5");
        }
        assert_eq!(game.resolve(&"24/20".parse().unwrap()).unwrap().after.own.at(20), 1, "two dice as one hop");
    }

    #[test]
    fn refusals_say_why() {
        let mut game = game(&[]);
        game.set_dice("61".parse().unwrap()).unwrap();
        for (play, reason) in [
            ("7/6,8/2", "there is no checker on point 7"),
            ("24/18,6/5,6/5", "no die goes from 6 to 5"),
            ("13/7", "2 dice can be played, and must be"),
            ("pass", "2 dice can be played, and must be"),
            ("24/18,18/15", "no die goes from 18 to 15"),
            ("8/2,6/0", "not all checkers are at home"),
            ("13/12,7/1", "point 12 is held by the other side"),
        ] {
            assert!(refusal(&game, play).ends_with(reason), "{play}: {}", refusal(&game, play));
        }
        let backwards = Play::new(&[Hop { from: 8, to: 14 }]).unwrap();
        assert!(game.resolve(&backwards).unwrap_err().to_string().ends_with("no die goes from 8 to 14"));
        game.set_dice("65".parse().unwrap()).unwrap();
        assert!(refusal(&game, "24/19,13/7").ends_with("point 19 is held by the other side"));
    }

    #[test]
    fn turns_are_taken_back_and_played_again() {
        let mut game = game(&[("31", "8/5,6/5"), ("65", "24/18,18/13")]);
        let end = *game.state();
        assert_eq!(game.undo(3), Err(GameError::TooFew { turns: 2, what: "take back" }));
        game.undo(2).unwrap();
        assert_eq!(
            (game.state().board, game.state().dice.map(|roll| roll.to_string())),
            (Board::start(), Some("31".into()))
        );
        game.redo(2).unwrap();
        assert_eq!(*game.state(), end);
        game.undo(1).unwrap();
        assert_eq!(game.legal().iter().filter(|legal| legal.play.ordered().to_string() == "24/18,18/13").count(), 1);
        game.play(&"24/18,13/8".parse().unwrap()).unwrap();
        assert_eq!(game.redo(1), Err(GameError::TooFew { turns: 0, what: "play again" }));
    }

    #[test]
    fn the_larger_die_begins() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut doubles, mut white) = (0, 0);
        for _ in 0..400 {
            let mut game = Game::new(Rules::default(), State::start());
            let (beginning, roll) = game.roll(&mut random).unwrap();
            let beginning = beginning.unwrap();
            assert_eq!(game.state().side == Color::White, beginning.white > beginning.black);
            white += usize::from(game.state().side == Color::White);
            doubles += usize::from(roll.is_double());
            let rules = Rules { opening: Opening::Single, ..Rules::default() };
            let mut game = Game::new(rules, State::start());
            let (beginning, roll) = game.roll(&mut random).unwrap();
            assert_eq!(Roll::new(beginning.unwrap().white, beginning.unwrap().black), Some(roll));
        }
        assert!((150..250).contains(&white) && (40..100).contains(&doubles), "{white} {doubles}");
    }

    #[test]
    fn mars_counts_two_points_where_it_is_agreed() {
        let mut counts = [0; 26];
        (counts[0], counts[3]) = (14, 1);
        let own = super::super::rules::Side::new(counts).unwrap();
        for mars in [false, true] {
            let board = Board::new(own, Board::start().other).unwrap();
            let state = State { board, side: Color::Black, dice: Some("32".parse().unwrap()) };
            let mut game = Game::new(Rules { mars, ..Rules::default() }, state);
            game.play(&"3/0".parse().unwrap()).unwrap();
            let points = if mars { 2 } else { 1 };
            assert_eq!(game.status(), Status::Won { winner: Color::Black, is_mars: true, points });
            assert_eq!(game.set_dice("21".parse().unwrap()), Err(GameError::Over));
            assert!(game.legal().is_empty());
        }
    }
}
