//! One game.

use super::opening::begin;
use super::players::Players;
use super::{Limit, Plan};
use crate::board::Bits;
use crate::clock::Stopwatch;
use crate::eval::Evaluation;
use crate::position::{GameRules, History, Status};
use crate::rules::{Color, Word};
use crate::search::{Limits, Signal, Silent, Tools, TranspositionTable, Value, search};
use crate::tables::Adjudicator;
use crate::train::data::{GameOutcome, PositionRecord, TrainingGame};
use fastrand::Rng;

/// A game is over when so many searches in a row say that the same side is ahead by [`DECISIVE`].
const AGREEING: i32 = 6;

/// In 1/100 man.
const DECISIVE: i16 = 550;

/// A game ends after so many plies without a capture or a move of a man: as a draw, or where kings do not fly won by the side that
/// all searches in that time have called ahead by [`LEAD`]. Short kings need longer for a win than so few plies and nodes
/// allow; 30 of 100 English games of 400 nodes a move were drawn with a king or more on one side, most of them endings that are
/// won by theory, as three kings against two.
const QUIET_PLIES: u16 = 60;

/// The same where kings fly.
const QUIET_PLIES_FLYING: u16 = 40;

/// In 1/100 man.
const LEAD: i16 = 80;

/// A game is drawn after so many plies.
const LONGEST: usize = 400;

/// How many times as long as for a move the search of an opening is.
const OPENING_NODES: u64 = 4;

/// How many plies deeper it is.
const OPENING_DEPTH: u8 = 2;

/// What plays games one after the other.
pub(super) struct Referee<'a, W: Word> {
    plan: &'a Plan,
    players: &'a Players<W>,
    adjudicator: Option<&'a Adjudicator>,
    start: History<W>,
    table: TranspositionTable,
}

/// A game, and what tells it from others.
pub(super) struct FinishedGame {
    pub(super) record: TrainingGame,
    /// A hash of all its positions.
    pub(super) fingerprint: u64,
}

impl<'a, W: Word> Referee<'a, W> {
    pub(super) fn new(
        plan: &'a Plan,
        players: &'a Players<W>,
        adjudicator: Option<&'a Adjudicator>,
        (rules, table): (&'static GameRules<W>, TranspositionTable),
    ) -> Self {
        Self { plan, players, adjudicator, start: History::new(rules), table }
    }

    /// Plays the game with this number.
    pub(super) fn play(&mut self, number: u64) -> FinishedGame {
        let seed = self.plan.seed_of(number);
        let evaluation = self.players.of_game(seed);
        // The game must not depend on those played before.
        self.table.clear();
        let mut random = Rng::with_seed(seed);
        let mut game = begin(&self.start, &mut random, |game| {
            let (_, value) = self.think(game, &evaluation, deeper(self.plan.limit))?;
            match value {
                Value::Centimen(value) => Some(value.into()),
                Value::Win(_) | Value::Loss(_) => None,
            }
        });
        let mut positions = Vec::new();
        let (mut decided, mut leading) = (Streak::of(DECISIVE), Streak::of(LEAD));
        let kings_fly = self.plan.variant.spec().flying_kings;
        let most_quiet = if kings_fly { QUIET_PLIES_FLYING } else { QUIET_PLIES };
        let outcome = loop {
            let side = game.position().side();
            match game.status() {
                Status::Won { winner, .. } => break won_by(winner),
                Status::Drawn(_) => break GameOutcome::Draw,
                Status::Playing { .. } if game.position().quiet_plies() >= most_quiet => {
                    break match leading.leader(most_quiet.into()) {
                        Some(leader) if !kings_fly => won_by(leader),
                        _ => GameOutcome::Draw,
                    };
                }
                Status::Playing { .. } if game.undoable() >= LONGEST => break GameOutcome::Draw,
                Status::Playing { .. } => {}
            }
            if let Some(outcome) = self.adjudicator.and_then(|tables| tables.outcome(game.position())) {
                break outcome.winner(side).map_or(GameOutcome::Draw, won_by);
            }
            let Some((mv, value)) = self.think(&game, &evaluation, self.plan.limit) else { break GameOutcome::Draw };
            let score = match value {
                Value::Centimen(score) => score,
                Value::Win(_) => break won_by(side),
                Value::Loss(_) => break won_by(side.opponent()),
            };
            positions.push(record(&game, Some(score)));
            let for_white = if side == Color::White { score } else { -score };
            decided.add(for_white);
            leading.add(for_white);
            if let Some(winner) = decided.leader(AGREEING) {
                break won_by(winner);
            }
            game.play(mv);
        };
        let fingerprint = positions.iter().fold(outcome as u64, fold_position);
        FinishedGame { record: TrainingGame { number, outcome, positions }, fingerprint }
    }

    /// The move and the value that a search finds.
    fn think(
        &self,
        game: &History<W>,
        evaluation: &Evaluation<W>,
        limit: Limit,
    ) -> Option<(crate::position::Move<W>, Value)> {
        let (nodes, depth) = match limit {
            Limit::Nodes(nodes) => (Some(nodes), None),
            Limit::Depth(depth) => (None, Some(depth)),
        };
        let limits = Limits { nodes, depth, ..Limits::default() };
        let tools = Tools {
            table: &self.table,
            evaluation,
            endgames: self.adjudicator.and_then(|found| found.tables().of_width()),
        };
        let outcome = search(game, &limits, tools, &Signal::default(), Stopwatch::start(), &mut Silent);
        Some((outcome.best?.narrowed(), outcome.score.value()))
    }
}

fn deeper(limit: Limit) -> Limit {
    match limit {
        Limit::Nodes(nodes) => Limit::Nodes(nodes.saturating_mul(OPENING_NODES)),
        Limit::Depth(depth) => Limit::Depth(depth.saturating_add(OPENING_DEPTH)),
    }
}

fn won_by(winner: Color) -> GameOutcome {
    match winner {
        Color::White => GameOutcome::WhiteWon,
        Color::Black => GameOutcome::WhiteLost,
    }
}

/// Searches in a row that say that the same side is ahead.
#[derive(Clone, Copy, Debug)]
struct Streak {
    /// By how much at least, in 1/100 man.
    least: i16,
    /// Searches in a row in favour of White; negative for Black.
    searches: i32,
}

impl Streak {
    fn of(least: i16) -> Self {
        Self { least, searches: 0 }
    }

    /// Counts a search with this score for White.
    fn add(&mut self, for_white: i16) {
        self.searches = match for_white {
            score if score >= self.least => self.searches.max(0) + 1,
            score if score <= -self.least => self.searches.min(0) - 1,
            _ => 0,
        };
    }

    /// The side that is ahead by so many searches in a row.
    fn leader(self, searches: i32) -> Option<Color> {
        (self.searches.abs() >= searches).then_some(if self.searches > 0 { Color::White } else { Color::Black })
    }
}

fn record<W: Word>(game: &History<W>, score: Option<i16>) -> PositionRecord {
    let position = game.position();
    let pieces = position.pieces();
    let [white, black, kings] = [pieces.white, pieces.black, pieces.kings].map(Bits::mask);
    PositionRecord {
        white,
        black,
        kings,
        white_to_move: position.side() == Color::White,
        quiet: !position.can_capture(Color::White) && !position.can_capture(Color::Black),
        ply: u16::try_from(game.undoable()).unwrap_or(u16::MAX),
        score,
    }
}

fn fold_position(hash: u64, position: &PositionRecord) -> u64 {
    let mixed = |hash: u64, set: u128| {
        let word = set as u64 ^ (set >> 64) as u64;
        (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    };
    [position.white, position.black, position.kings].into_iter().fold(hash, mixed)
}

/// The fingerprint of a game that was played before.
pub(super) fn fingerprint(game: &TrainingGame) -> u64 {
    game.positions.iter().fold(game.outcome as u64, fold_position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leader_is_one_without_a_break() {
        let mut streak = Streak::of(80);
        for (for_white, leader) in
            [(80, None), (200, Some(Color::White)), (79, None), (-80, None), (-90, Some(Color::Black))]
        {
            streak.add(for_white);
            assert_eq!(streak.leader(2), leader, "{for_white}");
        }
        streak.add(300);
        assert_eq!((streak.leader(1), streak.leader(2)), (Some(Color::White), None));
    }
}
