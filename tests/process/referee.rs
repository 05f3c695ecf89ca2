//! Plays games between two players and checks them with the library's rules.

use super::Engine;
use fastrand::Rng;
use soffio::game::Game;
use soffio::notation::{FenRecord, MoveRecord, bitboard_move, full_path, printed_moves, resolve};
use soffio::position::Status;
use soffio::rules::{Color, Variant};
use soffio::wire::native::NativeReply;
use std::time::{Duration, Instant};

pub enum Player<'a> {
    /// An engine, and the arguments for its `go` commands.
    Engine(&'a mut Engine, &'a str),
    /// An engine that plays with a clock.
    Clocked(&'a mut Engine, Clock),
    /// Plays a random legal move.
    Random,
}

#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub left: Duration,
    pub increment: Duration,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub winner: Option<Color>,
    /// The reason for the end of the game, as printed by `status`.
    pub reason: String,
    pub plies: usize,
    /// Minimum time that remained on any clock.
    pub least: Duration,
}

/// Plays a game of `variant` that starts with `opening` random moves. The first of the two `players` makes the first
/// move. Panics if a player breaks the rules of the protocol or the game, or if the game does not end.
pub fn play(variant: Variant, players: [Player<'_>; 2], opening: usize, rng: &mut Rng) -> Record {
    RefereedGame::new(variant, players, rng).play(opening)
}

struct RefereedGame<'a, 'b> {
    game: Game,
    moves: Vec<String>,
    players: [Player<'a>; 2],
    rng: &'b mut Rng,
    least: Duration,
}

/// Maximum number of plies. Any game that ends under the rules is far shorter.
const MAX_PLIES: usize = 5000;

impl<'a, 'b> RefereedGame<'a, 'b> {
    fn new(variant: Variant, players: [Player<'a>; 2], rng: &'b mut Rng) -> Self {
        Self { game: Game::new(variant), moves: Vec::new(), players, rng, least: Duration::MAX }
    }

    fn play(mut self, opening: usize) -> Record {
        for player in &mut self.players {
            if let Player::Engine(engine, _) | Player::Clocked(engine, _) = player {
                engine.send("ucinewgame");
            }
        }
        loop {
            let (winner, reason) = match self.game.status() {
                Status::Won { winner, reason } => (Some(winner), reason.to_string()),
                Status::Drawn(reason) => (None, reason.to_string()),
                Status::Playing { .. } => {
                    assert!(self.moves.len() < MAX_PLIES, "{}: the game does not end", self.game.variant());
                    let text = if self.moves.len() < opening { self.random_move() } else { self.request_move() };
                    self.make(&text);
                    continue;
                }
            };
            self.compare();
            return Record { winner, reason, plies: self.moves.len(), least: self.least };
        }
    }

    fn random_move(&mut self) -> String {
        let moves = printed_moves(self.game.spec(), &self.game.setup());
        let index = self.rng.usize(..moves.len());
        full_path(self.game.spec(), &moves[index])
    }

    fn request_move(&mut self) -> String {
        let turn = self.moves.len() % 2;
        let position = self.position();
        let clocks = self.clocks();
        match &mut self.players[turn] {
            Player::Random => self.random_move(),
            Player::Engine(engine, limits) => answer(engine, &format!("{position}\ngo {limits}")).0,
            Player::Clocked(engine, clock) => {
                let (text, time) = answer(engine, &format!("{position}\ngo {clocks}"));
                assert!(time <= clock.left, "time exceeded: {time:?} of {clock:?} in {position}");
                let left = clock.left.saturating_sub(time);
                self.least = self.least.min(left);
                clock.left = left + clock.increment;
                text
            }
        }
    }

    fn position(&self) -> String {
        let moves = if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        format!("position startpos{moves}")
    }

    fn clocks(&self) -> String {
        let names = if self.game.spec().starts == Color::White { ["w", "b"] } else { ["b", "w"] };
        let clocks = self.players.iter().zip(names).map(|(player, side)| match player {
            Player::Clocked(_, clock) => {
                format!("{side}time {} {side}inc {} ", clock.left.as_millis(), clock.increment.as_millis())
            }
            _ => String::new(),
        });
        clocks.collect()
    }

    fn make(&mut self, text: &str) {
        let setup = self.game.setup();
        let record: MoveRecord = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let sequence = resolve(self.game.spec(), &setup, &record)
            .unwrap_or_else(|error| panic!("{text} {error} after {:?}", self.moves));
        assert_eq!(full_path(self.game.spec(), &sequence), text, "a move is printed with its full path");
        assert!(self.game.play(bitboard_move(&sequence)), "both generators have the move {text}");
        self.moves.push(text.to_owned());
        if self.moves.len().is_multiple_of(8) {
            self.compare();
        }
    }

    /// Asserts that the engines agree with the library on the position, the moves and the status.
    fn compare(&mut self) {
        let setup = self.game.setup();
        let fen = format!("fen {}", FenRecord::from_setup(self.game.spec(), &setup));
        let count = printed_moves(self.game.spec(), &setup).len();
        let status = NativeReply::Status(self.game.status()).to_string();
        let position = self.position();
        for player in &mut self.players {
            if let Player::Engine(engine, _) | Player::Clocked(engine, _) = player {
                let lines = engine.request(&format!("{position}\nd\nlegal\nisready"), "readyok");
                assert!(lines.contains(&fen), "{fen} {lines:?}");
                assert!(lines.contains(&status), "{status} {lines:?}");
                let legal = lines.iter().find(|line| line.starts_with("legal "));
                assert_eq!(legal.and_then(|line| line.split(' ').nth(1)), Some(&*count.to_string()), "{fen}");
            }
        }
    }
}

/// Returns the best move of `engine` after `commands`, and the time between writing the commands and reading the
/// answer.
fn answer(engine: &mut Engine, commands: &str) -> (String, Duration) {
    let sent: Instant = engine.send(commands);
    let (answered, lines) = engine.until("bestmove ");
    assert!(!lines.iter().any(|line| line.starts_with("error")), "{commands}: {lines:?}");
    let best = lines[lines.len() - 1].split(' ').nth(1).unwrap_or_default().to_owned();
    (best, answered.saturating_duration_since(sent))
}
