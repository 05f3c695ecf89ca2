//! Matches of tavla between engine processes: rules, dice and points. The rest of [`crate`] is shared with draughts.
//! Both games of a pair use the same dice.

use crate::statistics::ScoreSample;
use crate::{
    EngineFault, GameEnd, GameLog, GameVerdict, LineProtocol, MatchGame, MatchPlayer, MoveAnswer, MoveEvaluation,
    MoveLog, MoveTexts, NewGame, NoAnswer, Pairing, SearchRequest, SideClock, Termination, end_game, forfeit,
};
use soffio::board::Color;
use soffio::rules::Variant;
use soffio_tavla::duel::{DuelGame, DuelScore, dice_of};
use soffio_tavla::game::{TavlaGame, TavlaState, TavlaStatus};
use soffio_tavla::rules::{Roll, Rules, TavlaPlay};
use soffio_tavla::session::NAME;
use std::collections::HashMap;
use std::time::Duration;

/// The termination of a game that is worth two points if the rules include mars.
const MARS: &str = "mars";

#[derive(Clone, Debug)]
pub struct TavlaMatch {
    pub rules: Rules,
    /// Seed of the dice. Games with the same opening use the same dice.
    pub seed: u64,
    /// Maximum number of turns per side, after which the game ends without a winner.
    pub max_turns: u32,
}

impl MatchGame for TavlaMatch {
    fn variant(&self) -> Option<Variant> {
        None
    }

    fn choose(&self, protocol: LineProtocol, _: &[String]) -> Result<Option<String>, String> {
        let [mars, hit_and_run] = [self.rules.mars, self.rules.hit_and_run].map(|is_on| is_on.to_string());
        let options = [("UCI_Variant", NAME), ("Mars", &mars), ("Hit And Run", &hit_and_run)];
        Ok(Some(options.map(|(name, value)| protocol.set_option(name, value)).join("\n")))
    }

    fn play(&self, pairing: &Pairing, mut players: [&mut MatchPlayer; 2]) -> anyhow::Result<Option<GameEnd>> {
        let mut running = RunningTavlaGame {
            game: TavlaGame::new(self.rules, TavlaState::start()),
            dice: dice_of(self.seed, pairing.opening as u64),
            moves: Vec::new(),
            texts: Vec::new(),
            clocks: players.each_ref().map(|player| player.clock()),
        };
        let Some(verdict) = running.play_to_the_end(self.max_turns, players.each_mut()) else { return Ok(None) };
        let are_usable = end_game(&verdict, &running.texts, Duration::ZERO, players.each_mut());
        // A game that is resigned or lost because of a fault is worth one point.
        let points = match running.game.status() {
            TavlaStatus::Won { points, .. } => points,
            TavlaStatus::Playing => u8::from(verdict.0.is_some()),
        };
        let log =
            GameLog::new(pairing, players.each_ref().map(|player| player.spec.name.as_str()), &verdict, running.moves);
        Ok(Some((GameLog { points: Some(points), ..log }, are_usable)))
    }
}

struct RunningTavlaGame {
    game: TavlaGame,
    dice: fastrand::Rng,
    moves: Vec<MoveLog>,
    texts: Vec<MoveTexts>,
    clocks: [Option<SideClock>; 2],
}

impl RunningTavlaGame {
    fn play_to_the_end(&mut self, max_turns: u32, [white, black]: [&mut &mut MatchPlayer; 2]) -> Option<GameVerdict> {
        for (player, side) in [(&mut *white, Color::White), (&mut *black, Color::Black)] {
            if let Err(reason) = player.client.new_game(&NewGame { side, position: None, opening_moves: 0 }) {
                return forfeit(side, reason);
            }
        }
        loop {
            if let TavlaStatus::Won { winner, is_mars, .. } = self.game.status() {
                let reason = if is_mars { MARS } else { "all borne off" };
                return Some((Some(winner), Termination::ByRules(reason.to_owned())));
            }
            if self.moves.len() / 2 >= max_turns as usize {
                return Some((None, Termination::MoveLimit));
            }
            let side = self.game.state().side;
            if let Err(reason) = self.turn(side, side.pick([&mut *white, &mut *black])) {
                return forfeit(side, reason);
            }
        }
    }

    fn turn(&mut self, side: Color, player: &mut MatchPlayer) -> Result<(), NoAnswer> {
        let roll = Roll::random(&mut self.dice);
        let broken = |reason: String| EngineFault::IllegalMove { text: roll.to_string(), reason };
        self.game.set_dice(roll).map_err(|error| broken(error.to_string()))?;
        // A side that must pass has nothing to decide.
        let (play, evaluation) = if self.game.must_pass() {
            (TavlaPlay::default(), None)
        } else {
            self.query(side, roll, player).map(|(play, evaluation)| (play, Some(evaluation)))?
        };
        if let (Some(clock), Some(evaluation)) = (side.pick(self.clocks.each_mut()), evaluation) {
            clock.spend(evaluation.time);
        }
        let text = format!("{roll}:{}", play.ordered());
        self.texts.push(MoveTexts { path: text.clone(), hub: String::new() });
        // The engine's score is not comparable with a score in draughts.
        self.moves.push(MoveLog { score: None, ..MoveLog::new(text, side, evaluation) });
        self.game.play(&play).map_err(|error| broken(error.to_string()).into())
    }

    fn query(
        &self,
        side: Color,
        roll: Roll,
        player: &mut MatchPlayer,
    ) -> Result<(TavlaPlay, MoveEvaluation), NoAnswer> {
        let (moves, clocks) = (&self.texts, self.clocks.each_ref().map(Option::as_ref));
        let dice = format!(" dice {} {}", roll.high(), roll.low());
        let last_took = Duration::ZERO;
        let request = SearchRequest { start: None, hub_start: "", moves, side, clocks, last_took, dice: &dice };
        let MoveAnswer { text, evaluation, .. } = player.client.think(&request)?;
        let illegal = |reason: String| EngineFault::IllegalMove { text: text.clone(), reason };
        let play: TavlaPlay = text.parse().map_err(|error| illegal(format!("{error}")))?;
        let legal = self.game.resolve(&play).map_err(|error| illegal(error.to_string()))?;
        Ok((legal.play, evaluation))
    }
}

/// Formats the points per game and, if a pair is finished, half the width of the 95 % interval. Without mars, each game
/// is worth one point.
pub fn points(score: &DuelScore, mars: bool) -> String {
    let by_points = if mars { &score.by_points[..] } else { score.by_points.get(2..7).unwrap_or_default() };
    let sample = ScoreSample::new(by_points, 2);
    let mean = score.mean();
    if sample.units() < 1.0 {
        return format!("{mean:+.4} points per game");
    }
    let ((low, high), range) = (sample.interval(), (by_points.len() - 1) as f64 / 2.0);
    format!("{mean:+.4} +/- {:.4} points per game", (high - low) / 2.0 * range)
}

/// The results of a match. Points are from the point of view of the first engine.
#[derive(Clone, Debug, Default)]
pub struct TavlaResults {
    pub games: crate::MatchResults,
    pub score: DuelScore,
    pub mars: [u64; 2],
    halves: HashMap<usize, DuelGame>,
}

impl TavlaResults {
    pub fn add(&mut self, pairing: &Pairing, log: &GameLog) {
        self.games.add(pairing, log);
        let points = i32::from(log.points.unwrap_or_default());
        let is_won = log.winner == Some(if pairing.white == 0 { Color::White } else { Color::Black });
        let [mars_lost, mars_won] = &mut self.mars;
        *(if is_won { mars_won } else { mars_lost }) += u64::from(log.termination == MARS);
        let ended = DuelGame { points: if is_won { points } else { -points }, turns: log.moves.len() as u64 };
        let pair = pairing.pair.unwrap_or(pairing.number);
        match self.halves.remove(&pair) {
            Some(other) => self.score.add([other, ended]),
            None => drop(self.halves.insert(pair, ended)),
        }
    }
}
