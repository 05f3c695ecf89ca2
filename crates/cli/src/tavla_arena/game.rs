//! One game between two engines.

use crate::arena::{Fault, MoveEvaluation, MoveLog, NativeEngine, NativeQuestion, NoAnswer, SideClock};
use soffio::color::Color;
use soffio_tavla::game::{Game, State, Status};
use soffio_tavla::rules::{Play, Roll, Rules};
use std::fmt;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A side has borne off all its checkers; by mars if the other one has all of them left.
    BorneOff {
        /// Whether it is mars.
        is_mars: bool,
    },
    /// Nobody wins.
    TurnLimit,
    Resigned,
    /// The loser did something wrong.
    Fault(Fault),
}

impl End {
    /// Returns the kind that it is counted as.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::BorneOff { is_mars: false } => "all borne off",
            Self::BorneOff { is_mars: true } => "mars",
            Self::TurnLimit => "move limit",
            Self::Resigned => "resignation",
            Self::Fault(fault) => fault.kind(),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{}: {fault}", fault.kind()),
            _ => f.write_str(self.kind()),
        }
    }
}

/// A game that is over.
pub(super) struct Played {
    pub(super) moves: Vec<MoveLog>,
    pub(super) winner: Option<Color>,
    /// The winner's points; a game that is lost by a fault or given up counts one.
    pub(super) points: u8,
    pub(super) end: End,
    /// Whether White's engine and Black's can play another game.
    pub(super) are_usable: [bool; 2],
}

/// The match is being stopped.
pub(super) struct Stopped;

/// The terms of a game.
pub(super) struct Terms {
    pub(super) rules: Rules,
    /// Turns of each side after which nobody wins.
    pub(super) max_turns: u32,
    pub(super) dice: fastrand::Rng,
}

/// A game in progress.
struct RunningGame {
    game: Game,
    dice: fastrand::Rng,
    moves: Vec<MoveLog>,
    clocks: [Option<SideClock>; 2],
}

/// Plays a game; `players` are White, who begins, and Black.
pub(super) fn play_game(terms: Terms, players: [&mut NativeEngine; 2]) -> Result<Played, Stopped> {
    let Terms { rules, max_turns, dice } = terms;
    let clocks = players.each_ref().map(|player| player.clock());
    let mut board = RunningGame { game: Game::new(rules, State::start()), dice, moves: Vec::new(), clocks };
    let (winner, points, end) = board.play_to_the_end(max_turns, players)?;
    let is_usable = |side| match &end {
        End::Fault(fault) => winner == Some(side) || fault.leaves_process_usable(),
        _ => true,
    };
    let are_usable = [is_usable(Color::White), is_usable(Color::Black)];
    Ok(Played { moves: board.moves, winner, points, end, are_usable })
}

type Verdict = (Option<Color>, u8, End);

impl RunningGame {
    fn play_to_the_end(&mut self, max_turns: u32, players: [&mut NativeEngine; 2]) -> Result<Verdict, Stopped> {
        let [white, black] = players;
        for (player, side) in [(&mut *white, Color::White), (&mut *black, Color::Black)] {
            if let Err(reason) = player.begin_game() {
                return forfeit(side, reason);
            }
        }
        loop {
            if let Status::Won { winner, is_mars, points } = self.game.status() {
                return Ok((Some(winner), points, End::BorneOff { is_mars }));
            }
            if self.moves.len() / 2 >= max_turns as usize {
                return Ok((None, 0, End::TurnLimit));
            }
            let side = self.game.state().side;
            let player = if side == Color::White { &mut *white } else { &mut *black };
            if let Err(reason) = self.turn(side, player) {
                return forfeit(side, reason);
            }
        }
    }

    /// Rolls for `side` and lets its engine play.
    fn turn(&mut self, side: Color, player: &mut NativeEngine) -> Result<(), NoAnswer> {
        let roll = Roll::random(&mut self.dice);
        let position = self.position();
        let broken = |reason: String| Fault::IllegalMove { text: roll.to_string(), reason };
        self.game.set_dice(roll).map_err(|error| broken(error.to_string()))?;
        // A side that must pass has nothing to decide.
        let (play, evaluation) = match self.game.legal() {
            [only] if only.play.hops().is_empty() => (only.play, None),
            _ => self.ask(side, roll, position, player).map(|(play, evaluation)| (play, Some(evaluation)))?,
        };
        let [white, black] = &mut self.clocks;
        let clock = if side == Color::White { white } else { black };
        if let (Some(clock), Some(evaluation)) = (clock, evaluation) {
            clock.spend(evaluation.time);
        }
        let text = format!("{roll}:{}", play.ordered());
        // The score that an engine tells is not one of draughts.
        self.moves.push(MoveLog { score: None, ..MoveLog::new(text, side, evaluation) });
        self.game.play(&play).map_err(|error| broken(error.to_string()).into())
    }

    /// Returns the legal play that the engine answers, and what it told about it.
    fn ask(
        &self,
        side: Color,
        roll: Roll,
        position: String,
        player: &mut NativeEngine,
    ) -> Result<(Play, MoveEvaluation), NoAnswer> {
        let go = format!("go dice {} {}", roll.high(), roll.low());
        let (text, evaluation) = player.ask(NativeQuestion { position, go, side, clocks: &self.clocks })?;
        let illegal = |reason: String| Fault::IllegalMove { text: text.clone(), reason };
        let play: Play = text.parse().map_err(|error| illegal(format!("{error}")))?;
        let legal = self.game.resolve(&play).map_err(|error| illegal(error.to_string()))?;
        Ok((legal.play, evaluation))
    }

    /// Returns the line that sets up the game.
    fn position(&self) -> String {
        let moves = if self.moves.is_empty() { None } else { Some("moves") };
        let words = ["position", "startpos"].into_iter().chain(moves);
        words.chain(self.moves.iter().map(|mv| mv.text.as_str())).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the result of a game in which `side` gave no answer, for this reason.
fn forfeit(side: Color, reason: NoAnswer) -> Result<Verdict, Stopped> {
    let end = match reason {
        NoAnswer::Stopped => return Err(Stopped),
        NoAnswer::Resigns => End::Resigned,
        NoAnswer::Fault(fault) => End::Fault(fault),
    };
    Ok((Some(side.opponent()), 1, end))
}
