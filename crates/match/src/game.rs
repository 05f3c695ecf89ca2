//! Plays one game between two engines.

use super::answer::{EngineFault, MoveAnswer, NoAnswer};
use super::client::{EndedGame, MatchPlayer, NewGame};
use super::control::SideClock;
use super::line_protocol::SearchRequest;
use super::openings::OpenedGame;
use super::{DrawRule, GameLog, GameVerdict, LineProtocol, MoveLog, MoveTexts, Opening, Pairing, Termination, WinRule};
use anyhow::anyhow;
use soffio::notation::{FenRecord, MoveRecord, WrittenGame, printable};
use soffio::position::{Status, with_width};
use soffio::rules::{Color, Variant};
use soffio::tables::Adjudicator;
use std::sync::Arc;
use std::time::Duration;

/// A draughts match: its openings, and the adjudication rules that supplement the rules of the variant.
#[derive(Clone, Debug)]
pub struct Draughts {
    pub variant: Variant,
    pub openings: Vec<Opening>,
    pub draw: Option<DrawRule>,
    pub win: Option<WinRule>,
    /// Endgame tables. A game is adjudicated as soon as the tables decide its current position.
    pub tables: Option<Arc<Adjudicator>>,
    /// Maximum number of moves per side, after which the game is a draw.
    pub max_moves: u32,
    /// Whether to check that the moves in reported lines are legal.
    pub checks_lines: bool,
}

/// A finished game, and whether the engines of White and Black are still usable.
pub type GameEnd = (GameLog, [bool; 2]);

/// A game that can be played in matches: draughts or tavla.
pub trait MatchGame: Sync {
    fn variant(&self) -> Option<Variant>;

    /// Returns the lines of `protocol` that select the game, or `None` if no lines are needed. `known` lists the
    /// variants that the engine supports. Fails if the engine does not support the game.
    fn choose(&self, protocol: LineProtocol, known: &[String]) -> Result<Option<String>, String>;

    /// Plays the game that `pairing` describes. `players` lists White and then Black. Returns `None` if the match is
    /// stopped. Fails if the game cannot begin.
    fn play(&self, pairing: &Pairing, players: [&mut MatchPlayer; 2]) -> anyhow::Result<Option<GameEnd>>;
}

fn play(game: &mut WrittenGame, text: &str) -> Result<MoveTexts, String> {
    let record = text.parse::<MoveRecord>().map_err(|error| error.to_string())?;
    let sequence = game.play_record(&record).map_err(|error| error.to_string())?;
    Ok(MoveTexts::new(game.spec(), &sequence))
}

/// Returns the first of `lines` that cannot be played from the current position of `game`, with the reason. Returns
/// `None` if all lines are legal.
fn bad_line(game: &WrittenGame, lines: &[Vec<String>]) -> Option<String> {
    lines.iter().find_map(|line| {
        let mut game = game.clone();
        let error =
            line.iter().find_map(|text| play(&mut game, text).err().map(|reason| format!("{text}: {reason}")))?;
        Some(format!("{}: {error}", printable(line.join(" ").chars())))
    })
}

struct RunningGame<'a> {
    rules: &'a Draughts,
    start: Option<FenRecord>,
    /// Position before the opening, in Hub notation.
    hub_start: String,
    game: WrittenGame,
    moves: Vec<MoveLog>,
    texts: Vec<MoveTexts>,
    clocks: [Option<SideClock>; 2],
}

impl MatchGame for Draughts {
    fn variant(&self) -> Option<Variant> {
        Some(self.variant)
    }

    fn choose(&self, protocol: LineProtocol, known: &[String]) -> Result<Option<String>, String> {
        protocol.choose(self.variant, known)
    }

    fn play(&self, pairing: &Pairing, mut players: [&mut MatchPlayer; 2]) -> anyhow::Result<Option<GameEnd>> {
        let Some(opening) = self.openings.get(pairing.opening) else { return Ok(None) };
        let opened = opening.open(self.variant).map_err(|error| anyhow!("opening {}: {error}", pairing.opening + 1))?;
        let OpenedGame { start, hub_start, game, moves } = opened;
        let clocks = players.each_ref().map(|player| player.clock());
        let opening = moves.iter().map(|(side, mv)| MoveLog::new(mv.path.clone(), *side, None)).collect();
        let texts = moves.into_iter().map(|(_, mv)| mv).collect();
        let mut running = RunningGame { rules: self, start, hub_start, game, moves: opening, texts, clocks };
        let Some(verdict) = running.play_to_the_end(players.each_mut()) else { return Ok(None) };
        let are_usable = end_game(&verdict, &running.texts, running.last_took(), players.each_mut());
        let RunningGame { start, game, moves, .. } = running;
        let log = GameLog::new(pairing, players.each_ref().map(|player| player.spec.name.as_str()), &verdict, moves);
        let (fen, end) = (start.map(|start| start.to_string()), game.fen().to_string());
        Ok(Some((GameLog { fen, end, ..log }, are_usable)))
    }
}

pub(crate) fn end_game(
    (winner, termination): &GameVerdict,
    moves: &[MoveTexts],
    last_took: Duration,
    [white, black]: [&mut &mut MatchPlayer; 2],
) -> [bool; 2] {
    let why = (!matches!(termination, Termination::ByRules(_))).then(|| termination.to_string());
    let ended = EndedGame { moves, last_took, winner: *winner, why };
    let is_usable = |player: &mut MatchPlayer, side: Color| match termination {
        Termination::Fault(fault) if *winner != Some(side) && !fault.leaves_process_usable() => false,
        _ => player.client.end_game(&ended),
    };
    [is_usable(white, Color::White), is_usable(black, Color::Black)]
}

impl RunningGame<'_> {
    fn play_to_the_end(&mut self, [white, black]: [&mut &mut MatchPlayer; 2]) -> Option<GameVerdict> {
        let (position, opening_moves) = (self.game.fen(), self.moves.len());
        for (player, side) in [(&mut *white, Color::White), (&mut *black, Color::Black)] {
            let game = NewGame { side, position: Some(&position), opening_moves };
            if let Err(reason) = player.client.new_game(&game) {
                return forfeit(side, reason);
            }
        }
        let mut expected: Option<(Color, String)> = None;
        loop {
            if let Some(end) = self.verdict() {
                return Some(end);
            }
            if let Some((side, reply)) = expected.take() {
                let player = side.pick([&mut *white, &mut *black]);
                if player.spec.ponders {
                    self.let_ponder(player, side, &reply);
                }
            }
            let side = self.game.side();
            let player = side.pick([&mut *white, &mut *black]);
            let answer = player.client.think(&self.request(&self.texts, side, self.last_took()));
            let MoveAnswer { text, evaluation, expected: reply, lines } = match answer {
                Ok(answer) => answer,
                Err(reason) => return forfeit(side, reason),
            };
            let bad_line = if self.rules.checks_lines { bad_line(&self.game, &lines) } else { None };
            expected = reply.map(|reply| (side, reply));
            match play(&mut self.game, &text) {
                Ok(played) => {
                    let log = MoveLog::new(played.path.clone(), side, Some(evaluation));
                    self.moves.push(MoveLog { bad_line, ..log });
                    self.texts.push(played);
                }
                Err(reason) => return forfeit(side, EngineFault::IllegalMove { text, reason }.into()),
            }
            if let Some(clock) = side.pick(self.clocks.each_mut()) {
                clock.spend(evaluation.time);
            }
        }
    }

    fn request<'q>(&'q self, moves: &'q [MoveTexts], side: Color, last_took: Duration) -> SearchRequest<'q> {
        let clocks = self.clocks.each_ref().map(Option::as_ref);
        SearchRequest {
            start: self.start.as_ref(),
            hub_start: &self.hub_start,
            moves,
            side,
            clocks,
            last_took,
            dice: "",
        }
    }

    /// Makes `player` ponder on the position after `reply`, which is the reply expected from the opponent. Does nothing
    /// if `reply` is illegal or ends the game.
    fn let_ponder(&self, player: &mut MatchPlayer, side: Color, reply: &str) {
        let mut game = self.game.clone();
        let Ok(played) = play(&mut game, reply) else { return };
        if matches!(game.status(), Status::Playing { .. }) {
            let moves: Vec<_> = self.texts.iter().cloned().chain([played]).collect();
            player.client.ponder(&self.request(&moves, side, Duration::ZERO));
        }
    }

    /// Returns the time taken for the last move, or zero for an opening move.
    fn last_took(&self) -> Duration {
        Duration::from_micros(self.moves.last().and_then(|mv| mv.us).unwrap_or_default())
    }

    fn verdict(&self) -> Option<GameVerdict> {
        match self.game.status() {
            Status::Won { winner, reason } => return Some((Some(winner), Termination::ByRules(reason.to_string()))),
            Status::Drawn(reason) => return Some((None, Termination::ByRules(reason.to_string()))),
            Status::Playing { .. } => {}
        }
        if let Some(winner) = self.known_winner() {
            return Some((winner, Termination::Known));
        }
        let scores = self.moves.iter().filter(|mv| mv.us.is_some()).map(|mv| mv.score);
        let next_move = u32::try_from(self.moves.len() / 2 + 1).unwrap_or(u32::MAX);
        let last_side = self.game.side().opponent();
        if let Some(winner) = self.rules.win.and_then(|rule| rule.winner(last_side, scores.clone())) {
            return Some((Some(winner), Termination::Adjudicated));
        }
        if self.rules.draw.is_some_and(|rule| rule.fits(next_move, scores)) {
            return Some((None, Termination::Adjudicated));
        }
        (next_move > self.rules.max_moves).then_some((None, Termination::MoveLimit))
    }

    /// Returns the winner according to the endgame tables, where `Some(None)` is a draw, or `None` if the tables do not
    /// contain the position.
    fn known_winner(&self) -> Option<Option<Color>> {
        let tables = self.rules.tables.as_ref()?;
        let game = self.game.game();
        let outcome = with_width!(game.history(), history => tables.outcome(history))?;
        Some(outcome.winner(game.side()))
    }
}

/// Returns the verdict for a game in which `side` gave no answer, or `None` if the match was stopped.
pub(crate) fn forfeit(side: Color, reason: NoAnswer) -> Option<GameVerdict> {
    let termination = match reason {
        NoAnswer::Stopped => return None,
        NoAnswer::Resigns => Termination::Resigned,
        NoAnswer::Fault(fault) => Termination::Fault(fault),
    };
    Some((Some(side.opponent()), termination))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unplayable_line_is_found() {
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
