//! One game between two engines.

use super::answer::{Fault, MoveAnswer, MoveEvaluation, NoAnswer};
use super::control::SideClock;
use super::line_protocol::Question;
use super::openings::OpenedGame;
use super::player::{EndedGame, NewGame, Player};
use super::{DrawRule, MoveTexts, WinRule};
use soffio::game::with_history;
use soffio::notation::{FenRecord, MoveRecord, WrittenGame, printable};
use soffio::position::{DrawReason, Status, WinReason};
use soffio::rules::{Color, Variant};
use soffio::tables::Adjudicator;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How games of a match are adjudicated, beside the rules of the variant.
#[derive(Clone, Debug)]
pub struct MatchRules {
    pub variant: Variant,
    pub draw: Option<DrawRule>,
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
    MoveLimit,
    Resigned,
    /// The loser did something wrong.
    Fault(Fault),
}

impl Termination {
    /// Returns the kind that it is counted as.
    pub fn kind(&self) -> String {
        let kind = match self {
            Self::Won(reason) => return reason.to_string(),
            Self::Drawn(reason) => return reason.to_string(),
            Self::Adjudicated => "adjudication",
            Self::Known => "endgame tables",
            Self::MoveLimit => "move limit",
            Self::Resigned => "resignation",
            Self::Fault(fault) => fault.kind(),
        };
        kind.to_owned()
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

/// A move of a game, with those of its opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Its full path.
    pub text: String,
    pub side: Color,
    /// The engine's evaluation, unless it is a move of the opening.
    pub evaluation: Option<MoveEvaluation>,
    /// A line that the engine told before this move and that cannot be played, with the reason.
    pub bad_line: Option<String>,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchGame {
    pub moves: Vec<PlayedMove>,
    /// The winner, unless it is drawn.
    pub winner: Option<Color>,
    pub termination: Termination,
    /// The last position.
    pub end: FenRecord,
    /// Whether the engines of White and Black still work.
    pub are_usable: [bool; 2],
}

/// The match is being stopped, and the game with it.
pub(super) struct Stopped;

/// The winner, unless it is a draw, and how the game ended.
type Verdict = (Option<Color>, Termination);

/// Plays the move `text`, and returns it as each protocol writes it.
fn play(game: &mut WrittenGame, text: &str) -> Result<MoveTexts, String> {
    let record = text.parse::<MoveRecord>().map_err(|error| error.to_string())?;
    let sequence = game.play_way(&record).map_err(|error| error.to_string())?;
    Ok(MoveTexts::of(game.spec(), &sequence))
}

/// Returns the first of `lines` that cannot be played from where `game` stands, with the reason.
fn bad_line(game: &WrittenGame, lines: &[Vec<String>]) -> Option<String> {
    lines.iter().find_map(|line| {
        let mut game = game.clone();
        let error =
            line.iter().find_map(|text| play(&mut game, text).err().map(|reason| format!("{text}: {reason}")))?;
        Some(format!("{}: {error}", printable(line.join(" ").chars())))
    })
}

/// Returns that of White and Black which belongs to `side`.
pub(super) fn of_side<T>([white, black]: [T; 2], side: Color) -> T {
    if side == Color::White { white } else { black }
}

/// A game in progress.
struct RunningGame<'a> {
    rules: &'a MatchRules,
    /// The position before the opening, if it is not the start position.
    start: Option<FenRecord>,
    /// The same as Hub writes it.
    hub_start: String,
    game: WrittenGame,
    moves: Vec<PlayedMove>,
    /// The moves as engines are told them.
    texts: Vec<MoveTexts>,
    clocks: [Option<SideClock>; 2],
}

/// Plays the game `opened` to its end; `players` are White and Black.
///
/// # Errors
/// When it was stopped.
pub(super) fn play_game(
    rules: &MatchRules,
    opened: OpenedGame,
    players: [&mut Player; 2],
) -> Result<MatchGame, Stopped> {
    let clocks = players.each_ref().map(|player| player.spec().control.clock.map(SideClock::new));
    let OpenedGame { start, hub_start, game, moves } = opened;
    let played = |(side, mv): &(Color, MoveTexts)| PlayedMove {
        text: mv.path.clone(),
        side: *side,
        evaluation: None,
        bad_line: None,
    };
    let opening = moves.iter().map(played).collect();
    let texts = moves.into_iter().map(|(_, mv)| mv).collect();
    RunningGame { rules, start, hub_start, game, moves: opening, texts, clocks }.play(players)
}

impl RunningGame<'_> {
    fn play(mut self, [white, black]: [&mut Player; 2]) -> Result<MatchGame, Stopped> {
        let (winner, termination) = self.play_to_the_end([&mut *white, &mut *black])?;
        let is_by_rules = matches!(termination, Termination::Won(_) | Termination::Drawn(_));
        let why = (!is_by_rules).then(|| termination.to_string());
        let ended = EndedGame { moves: &self.texts, last_took: self.last_took(), winner, why };
        let is_usable = |player: &mut Player, side: Color| match &termination {
            Termination::Fault(fault) if winner != Some(side) && !fault.leaves_process_usable() => false,
            _ => player.client().end_game(&ended),
        };
        let are_usable = [is_usable(white, Color::White), is_usable(black, Color::Black)];
        let end = self.game.fen();
        Ok(MatchGame { moves: self.moves, winner, termination, end, are_usable })
    }

    fn play_to_the_end(&mut self, [white, black]: [&mut Player; 2]) -> Result<Verdict, Stopped> {
        let (position, opening_moves) = (self.game.fen(), self.moves.len());
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
                let player = of_side([&mut *white, &mut *black], side);
                if player.spec().ponders {
                    self.let_ponder(player, side, &reply);
                }
            }
            let side = self.game.side();
            let player = of_side([&mut *white, &mut *black], side);
            let answer = player.client().think(&self.question(&self.texts, side, self.last_took()));
            let MoveAnswer { text, evaluation, expected: reply, lines } = match answer {
                Ok(answer) => answer,
                Err(reason) => return forfeit(side, reason),
            };
            let bad_line = if self.rules.checks_lines { bad_line(&self.game, &lines) } else { None };
            expected = reply.map(|reply| (side, reply));
            match play(&mut self.game, &text) {
                Ok(played) => {
                    let text = played.path.clone();
                    self.moves.push(PlayedMove { text, side, evaluation: Some(evaluation), bad_line });
                    self.texts.push(played);
                }
                Err(reason) => return forfeit(side, Fault::IllegalMove { text, reason }.into()),
            }
            if let Some(clock) = of_side(self.clocks.each_mut(), side) {
                clock.spend(evaluation.time);
            }
        }
    }

    fn question<'q>(&'q self, moves: &'q [MoveTexts], side: Color, last_took: Duration) -> Question<'q> {
        let clocks = self.clocks.each_ref().map(Option::as_ref);
        Question { start: self.start.as_ref(), hub_start: &self.hub_start, moves, side, clocks, last_took }
    }

    /// Lets `player`, which plays `side`, think about its answer to `reply` while the opponent is to move. A reply that cannot be
    /// played is only a wrong guess.
    fn let_ponder(&self, player: &mut Player, side: Color, reply: &str) {
        let mut game = self.game.clone();
        let Ok(played) = play(&mut game, reply) else { return };
        if matches!(game.status(), Status::Playing { .. }) {
            let moves: Vec<_> = self.texts.iter().cloned().chain([played]).collect();
            player.client().ponder(&self.question(&moves, side, Duration::ZERO));
        }
    }

    /// Returns the time that the last move took, which is nothing for a move of the opening.
    fn last_took(&self) -> Duration {
        let evaluation = self.moves.last().and_then(|mv| mv.evaluation.as_ref());
        evaluation.map(|evaluation| evaluation.time).unwrap_or_default()
    }

    /// Returns the result, if the game is over.
    fn verdict(&self) -> Option<Verdict> {
        match self.game.status() {
            Status::Won { winner, reason } => return Some((Some(winner), Termination::Won(reason))),
            Status::Drawn(reason) => return Some((None, Termination::Drawn(reason))),
            Status::Playing { .. } => {}
        }
        if let Some(winner) = self.known_winner() {
            return Some((winner, Termination::Known));
        }
        let evaluations = self.moves.iter().filter_map(|mv| mv.evaluation.as_ref());
        let next_move = u32::try_from(self.moves.len() / 2 + 1).unwrap_or(u32::MAX);
        let last_side = self.game.side().opponent();
        if let Some(winner) = self.rules.win.and_then(|rule| rule.winner(last_side, evaluations.clone())) {
            return Some((Some(winner), Termination::Adjudicated));
        }
        if self.rules.draw.is_some_and(|rule| rule.fits(next_move, evaluations)) {
            return Some((None, Termination::Adjudicated));
        }
        (next_move > self.rules.max_moves).then_some((None, Termination::MoveLimit))
    }

    /// Returns the winner by endgame tables, if they know the position, and inside it `None` for a draw.
    fn known_winner(&self) -> Option<Option<Color>> {
        let tables = self.rules.tables.as_ref()?;
        let game = self.game.game();
        let outcome = with_history!(game.history(), history => tables.outcome(history.position()))?;
        Some(outcome.winner(game.side()))
    }
}

/// Returns the result of a game in which `side` gave no answer, for this reason.
fn forfeit(side: Color, reason: NoAnswer) -> Result<Verdict, Stopped> {
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
}
