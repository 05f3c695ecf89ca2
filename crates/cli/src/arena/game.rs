//! One game between two engines.

use super::clock::SideClock;
use super::line_protocol::Question;
use super::player::Player;
use super::player::{EndedGame, MoveAnswer, NewGame, NoAnswer};
use super::{DrawRule, Fault, MoveEvaluation, MoveTexts, Opening, WinRule};
use soffio::game::with_history;
use soffio::notation::{FenError, FenRecord, IllegalMove, MoveRecord, WrittenGame, printable};
use soffio::position::{DrawReason, Status, WinReason};
use soffio::rules::{Color, Variant};
use soffio::tables::Adjudicator;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How games of a match are adjudicated, beside the rules of the variant.
#[derive(Clone, Debug)]
pub struct MatchRules {
    /// The variant.
    pub variant: Variant,
    /// When to call it a draw.
    pub draw: Option<DrawRule>,
    /// When to call it won.
    pub win: Option<WinRule>,
    /// The endgame tables that end a game, the result of which they know.
    pub tables: Option<Arc<Adjudicator>>,
    /// Moves of each side after which a game is a draw.
    pub max_moves: u32,
    /// Whether the lines that engines tell are played, to see whether they can be.
    pub checks_lines: bool,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// Won by the rules.
    Won(WinReason),
    /// Drawn by the rules.
    Drawn(DrawReason),
    /// It was ended early, by agreement of the engines' scores.
    Adjudicated,
    /// It was ended early, since endgame tables know the result.
    Known,
    /// It was too long.
    MoveLimit,
    /// The loser has given up.
    Resigned,
    /// The loser did something wrong.
    Fault(Fault),
}

impl Termination {
    /// What to count it as.
    pub fn kind(&self) -> String {
        match self {
            Self::Won(reason) => reason.to_string(),
            Self::Drawn(reason) => reason.to_string(),
            Self::Adjudicated => "adjudication".to_owned(),
            Self::Known => "endgame tables".to_owned(),
            Self::MoveLimit => "move limit".to_owned(),
            Self::Resigned => "resignation".to_owned(),
            Self::Fault(fault) => fault.kind().to_owned(),
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{}: {fault}", fault.kind()),
            other => f.write_str(&other.kind()),
        }
    }
}

/// A move of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Its full path.
    pub text: String,
    /// The side that made it.
    pub side: Color,
    /// What the engine told about it; nothing for the moves of the opening.
    pub evaluation: Option<MoveEvaluation>,
    /// A line that the engine told before this move and that cannot be played, with the reason.
    pub bad_line: Option<String>,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchGame {
    /// All moves, with those of the opening.
    pub moves: Vec<PlayedMove>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// How it ended.
    pub termination: Termination,
    /// The last position.
    pub end: FenRecord,
    /// Whether the engines of White and Black still work.
    pub are_usable: [bool; 2],
}

/// The match is being stopped, so there is no game.
pub(super) struct Stopped;

/// Why an opening cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningError {
    /// Its position is impossible.
    Fen(FenError),
    /// A move cannot be read or is not legal.
    Move {
        /// The move.
        text: String,
        /// Why.
        reason: String,
    },
    /// The game is over before it begins.
    Over,
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => write!(f, "fen {error}"),
            Self::Move { text, reason } => write!(f, "move {text} {reason}"),
            Self::Over => f.write_str("the game is over there"),
        }
    }
}

impl std::error::Error for OpeningError {}

/// The game of `variant` that begins with `opening`.
///
/// # Errors
/// When the position is impossible, a move is not legal, or the game is over.
pub(super) fn begin(variant: Variant, opening: &Opening) -> Result<OpenedGame, OpeningError> {
    let mut game = WrittenGame::at(variant, opening.start.as_ref()).map_err(OpeningError::Fen)?;
    let hub_start = game.hub_position();
    let (mut moves, mut texts) = (Vec::new(), Vec::new());
    for text in &opening.moves {
        let wrong = |reason: String| OpeningError::Move { text: text.clone(), reason };
        let side = game.side();
        let played = play_of_file(&mut game, text).map_err(wrong)?;
        moves.push(PlayedMove { text: played.path.clone(), side, evaluation: None, bad_line: None });
        texts.push(played);
    }
    match game.status() {
        Status::Playing { .. } => Ok(OpenedGame { start: opening.start.clone(), hub_start, game, moves, texts }),
        Status::Won { .. } | Status::Drawn(_) => Err(OpeningError::Over),
    }
}

/// A game after its opening.
#[derive(Clone)]
pub(super) struct OpenedGame {
    /// The position before the opening; nothing for the start position.
    start: Option<FenRecord>,
    /// The same as Hub writes it.
    hub_start: String,
    game: WrittenGame,
    moves: Vec<PlayedMove>,
    /// The moves as engines are told them.
    texts: Vec<MoveTexts>,
}

/// Plays the move `text`, and returns it as each protocol writes it.
fn play(game: &mut WrittenGame, text: &str) -> Result<MoveTexts, String> {
    let record = text.parse::<MoveRecord>().map_err(|error| error.to_string())?;
    let sequence = game.play_way(&record).map_err(|error| error.to_string())?;
    Ok(MoveTexts::of(game.spec(), &sequence))
}

/// Plays the move `text` of an opening. Some collections write the sign of captures in every move.
fn play_of_file(game: &mut WrittenGame, text: &str) -> Result<MoveTexts, String> {
    let record = text.parse::<MoveRecord>().map_err(|error| error.to_string())?;
    let played = match game.play_way(&record) {
        Err(IllegalMove::TakesNothing { .. }) => game.play_way(&MoveRecord { capture: false, ..record }),
        other => other,
    };
    let sequence = played.map_err(|error| error.to_string())?;
    Ok(MoveTexts::of(game.spec(), &sequence))
}

/// The first of `lines` that cannot be played from where `game` stands, with the reason.
fn bad_line(game: &WrittenGame, lines: &[Vec<String>]) -> Option<String> {
    lines.iter().find_map(|line| {
        let mut game = game.clone();
        let error =
            line.iter().find_map(|text| play(&mut game, text).err().map(|reason| format!("{text}: {reason}")))?;
        Some(format!("{}: {error}", printable(line.join(" ").chars())))
    })
}

/// A game in progress.
struct RunningGame<'a> {
    rules: &'a MatchRules,
    state: OpenedGame,
    clocks: [Option<SideClock>; 2],
}

/// Plays the game `state` to its end; `players` are White and Black.
///
/// # Errors
/// When it was stopped.
pub(super) fn play_game(
    rules: &MatchRules,
    state: OpenedGame,
    players: [&mut Player; 2],
) -> Result<MatchGame, Stopped> {
    let clock = |player: &Player| player.spec().control.clock.map(SideClock::new);
    let [white, black] = players;
    let clocks = [clock(white), clock(black)];
    RunningGame { rules, state, clocks }.play([white, black])
}

impl RunningGame<'_> {
    fn play(mut self, players: [&mut Player; 2]) -> Result<MatchGame, Stopped> {
        let [white, black] = players;
        let (winner, termination) = self.play_to_the_end([&mut *white, &mut *black])?;
        let why =
            (!matches!(termination, Termination::Won(_) | Termination::Drawn(_))).then(|| termination.to_string());
        let ended = EndedGame { moves: &self.state.texts, last_took: self.last_took(), winner, why };
        let is_usable = |player: &mut Player, side: Color| match &termination {
            Termination::Fault(fault) if winner != Some(side) && !fault.leaves_process_usable() => false,
            _ => player.client().end_game(&ended),
        };
        let are_usable = [is_usable(white, Color::White), is_usable(black, Color::Black)];
        let end = self.state.game.fen();
        Ok(MatchGame { moves: self.state.moves, winner, termination, end, are_usable })
    }

    /// Plays until there is a result.
    fn play_to_the_end(&mut self, players: [&mut Player; 2]) -> Result<(Option<Color>, Termination), Stopped> {
        let [white, black] = players;
        let (position, opening_moves) = (self.state.game.fen(), self.state.moves.len());
        for (player, side) in [(&mut *white, Color::White), (&mut *black, Color::Black)] {
            let game = NewGame { side, position: &position, opening_moves };
            if let Err(reason) = player.client().new_game(&game) {
                return forfeit(side, reason);
            }
        }
        let mut expected: Option<(Color, String)> = None;
        loop {
            if let Some(end) = self.verdict() {
                return Ok(end);
            }
            if let Some((side, reply)) = expected.take() {
                let player = if side == Color::White { &mut *white } else { &mut *black };
                if player.spec().ponders {
                    self.let_ponder(player, side, &reply);
                }
            }
            let side = self.state.game.side();
            let player = if side == Color::White { &mut *white } else { &mut *black };
            let clocks = self.clocks.each_ref().map(Option::as_ref);
            let last_took = self.last_took();
            let OpenedGame { start, hub_start, texts, .. } = &self.state;
            let start = start.as_ref();
            let question = Question { start, hub_start, moves: texts, side, clocks, last_took };
            let answer = player.client().think(&question).map_err(|reason| forfeit(side, reason));
            let MoveAnswer { text, evaluation, expected: reply, lines } = match answer {
                Ok(answer) => answer,
                Err(end) => return end,
            };
            let bad_line = if self.rules.checks_lines { bad_line(&self.state.game, &lines) } else { None };
            expected = reply.map(|reply| (side, reply));
            match play(&mut self.state.game, &text) {
                Ok(played) => {
                    let text = played.path.clone();
                    self.state.moves.push(PlayedMove { text, side, evaluation: Some(evaluation), bad_line });
                    self.state.texts.push(played);
                }
                Err(reason) => return forfeit(side, Fault::IllegalMove { text, reason }.into()),
            }
            let [white_clock, black_clock] = &mut self.clocks;
            let clock = if side == Color::White { white_clock } else { black_clock };
            if let Some(clock) = clock {
                clock.spend(evaluation.time);
            }
        }
    }

    /// Lets `player`, which plays `side`, think about its answer to `reply` while the opponent is to move. A reply that cannot be
    /// played is no more than a wrong guess.
    fn let_ponder(&self, player: &mut Player, side: Color, reply: &str) {
        let mut game = self.state.game.clone();
        let Ok(played) = play(&mut game, reply) else { return };
        if !matches!(game.status(), Status::Playing { .. }) {
            return;
        }
        let OpenedGame { start, hub_start, texts, .. } = &self.state;
        let start = start.as_ref();
        let moves: Vec<_> = texts.iter().cloned().chain([played]).collect();
        let clocks = self.clocks.each_ref().map(Option::as_ref);
        let last_took = Duration::ZERO;
        player.client().ponder(&Question { start, hub_start, moves: &moves, side, clocks, last_took });
    }

    /// Time that the last move took; none for a move of the opening.
    fn last_took(&self) -> Duration {
        let evaluation = self.state.moves.last().and_then(|mv| mv.evaluation.as_ref());
        evaluation.map(|evaluation| evaluation.time).unwrap_or_default()
    }

    /// The result, if the game is over.
    fn verdict(&self) -> Option<(Option<Color>, Termination)> {
        match self.state.game.status() {
            Status::Won { winner, reason } => return Some((Some(winner), Termination::Won(reason))),
            Status::Drawn(reason) => return Some((None, Termination::Drawn(reason))),
            Status::Playing { .. } => {}
        }
        if let Some(winner) = self.known_winner() {
            return Some((winner, Termination::Known));
        }
        let evaluations = self.state.moves.iter().filter_map(|mv| mv.evaluation.as_ref());
        let next_move = u32::try_from(self.state.moves.len() / 2 + 1).unwrap_or(u32::MAX);
        let last_side = self.state.game.side().opponent();
        if let Some(winner) = self.rules.win.and_then(|rule| rule.winner(last_side, evaluations.clone())) {
            return Some((Some(winner), Termination::Adjudicated));
        }
        if self.rules.draw.is_some_and(|rule| rule.fits(next_move, evaluations)) {
            return Some((None, Termination::Adjudicated));
        }
        (next_move > self.rules.max_moves).then_some((None, Termination::MoveLimit))
    }

    /// The result by endgame tables, if they know the position: the winner, or none in a draw.
    fn known_winner(&self) -> Option<Option<Color>> {
        let tables = self.rules.tables.as_ref()?;
        let game = self.state.game.game();
        let outcome = with_history!(game.history(), history => tables.outcome(history.position()))?;
        Some(outcome.winner(game.side()))
    }
}

/// The result of a game in which `side` gave no answer, for this reason.
fn forfeit(side: Color, reason: NoAnswer) -> Result<(Option<Color>, Termination), Stopped> {
    let termination = match reason {
        NoAnswer::Stopped => return Err(Stopped),
        NoAnswer::Resigns => Termination::Resigned,
        NoAnswer::Fault(fault) => Termination::Fault(fault),
    };
    Ok((Some(side.opponent()), termination))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(moves: &[&str]) -> Result<Vec<String>, String> {
        let opening = Opening { start: None, moves: moves.iter().map(|&text| text.to_owned()).collect() };
        let game = begin(Variant::English, &opening).map_err(|error| error.to_string())?;
        Ok(game.moves.into_iter().map(|mv| mv.text).collect())
    }

    #[test]
    fn a_line_that_cannot_be_played_is_found() {
        let game = WrittenGame::new(Variant::English);
        let line = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let good = ["11-15", "11-15 23-19 8-11", "9-13 22-18"].map(line);
        assert_eq!(bad_line(&game, &good), None);
        let bad = [good[0].clone(), line("11-15 23-19 8-12"), line("x")];
        let expected = "11-15 23-19 8-12: 8-12: 12 is occupied";
        assert_eq!(bad_line(&game, &bad).as_deref(), Some(expected));
        assert!(bad_line(&game, &[line("x")]).unwrap().starts_with("x: x: expected a square"));
    }

    #[test]
    fn openings_are_played_as_they_are_written() {
        let moves = ["11-15", "23-18", "8-11", "27-23", "4-8", "23-19", "10-14", "19-10", "14x23", "26x19"];
        let played = begun(&moves).unwrap();
        assert_eq!(played[7], "19x10", "a hyphen is good enough for a capture");
        assert_eq!(begun(&["11x15", "23x18"]).unwrap(), ["11-15", "23-18"], "some write every move so");
        assert_eq!(begun(&["11-15", "x"]).unwrap_err(), "move x expected a square, found 'x' at column 1");
        assert_eq!(begun(&["1-5"]).unwrap_err(), "move 1-5 5 is occupied");
    }
}
