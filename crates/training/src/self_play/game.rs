//! Plays a self-play game. It starts from a random position that is sufficiently balanced according to a short search,
//! and continues with searched moves.

use super::{Limit, Players, SelfPlayPlan};
use crate::data::{GameOutcome, PositionRecord, TrainingGame};
use fastrand::Rng;
use soffio::board::{Bits, Square};
use soffio::clock::Stopwatch;
use soffio::eval::Evaluation;
use soffio::position::{GameRules, History, Move, Piece, Setup, Status};
use soffio::rules::{Color, Objective, RuleSet, Word};
use soffio::search::{AllocationError, Limits, Parameters, Score, Signal, Silent, Tools, TranspositionTable, search};
use soffio::tables::Adjudicator;
use std::sync::Arc;

const TABLE_MIB: usize = 2;

const OPENING_PLIES: std::ops::RangeInclusive<u32> = 6..=12;

/// Of the games that do not start with an endgame, one in this many starts with unbalanced material, which trains the
/// value of pieces.
const UNBALANCED: u8 = 10;

/// Number of pieces in a random endgame, which trains the placement of pieces on an open board.
const ENDING_PIECES: std::ops::RangeInclusive<usize> = 4..=12;

/// Of the remaining games, one in this many may start with a less balanced opening.
const LESS_BALANCED: u8 = 5;

/// Maximum absolute score of an opening in cp.
const MARGIN: u32 = 70;

/// Maximum absolute score of a less balanced opening in cp.
const LESS_BALANCED_MARGIN: u32 = 140;

/// Maximum absolute score in cp of a start position with unbalanced material or of a random endgame.
const UNBALANCED_MARGIN: u32 = 500;

/// Number of openings that are tried before the last one is accepted regardless of its score.
const MAX_OPENINGS_TRIED: u32 = 100;

/// A game is won after this many consecutive searches with a score of at least [`DECISIVE`] for one side.
const DECISIVE_SEARCHES: i32 = 6;

/// Minimum score of a decisive search in cp.
const DECISIVE: i16 = 550;

/// A game is adjudicated after this many plies without a capture or an advance of a man. If kings do not fly and all
/// searches in these plies scored the same side ahead by at least [`LEAD`], that side wins. Otherwise the game is a
/// draw.
///
/// With short-range kings, a win often takes more plies than this limit, and the searches have too few nodes to see it.
/// Of 100 English games with 400 nodes per move, 30 were drawn although one side was a king or more ahead. Most of
/// these positions were theoretical wins, such as three kings against two.
const QUIET_PLIES: u16 = 60;

/// The same limit for variants in which kings fly.
const QUIET_PLIES_FLYING: u16 = 40;

/// Minimum lead in cp for a win after [`QUIET_PLIES`] plies.
const LEAD: i16 = 80;

/// A game is drawn after this many plies.
const MAX_PLIES: usize = 400;

/// A search that scores an opening uses this many times the nodes of a normal search.
const OPENING_NODES: u64 = 4;

/// A search that scores an opening is this many plies deeper than a normal search.
const OPENING_DEPTH: u8 = 2;

pub(super) struct GamePlayer<'a, W: Word> {
    plan: &'a SelfPlayPlan,
    players: &'a Players<W>,
    adjudicator: Option<&'a Adjudicator>,
    start: History<W>,
    searchers: [Arc<Searcher>; 2],
}

pub(super) struct Searcher {
    table: TranspositionTable,
    parameters: Option<Arc<Parameters>>,
}

impl Searcher {
    pub(super) fn new(parameters: Option<Arc<Parameters>>) -> Result<Arc<Self>, AllocationError> {
        Ok(Arc::new(Self { table: TranspositionTable::new(TABLE_MIB)?, parameters }))
    }
}

impl<'a, W: Word> GamePlayer<'a, W> {
    pub(super) fn new(
        plan: &'a SelfPlayPlan,
        players: &'a Players<W>,
        adjudicator: Option<&'a Adjudicator>,
        rules: &'static GameRules<W>,
        searchers: [Arc<Searcher>; 2],
    ) -> Self {
        Self { plan, players, adjudicator, start: History::new(rules), searchers }
    }

    pub(super) fn play(&mut self, number: u64) -> TrainingGame {
        let seed = self.plan.seed_of(number);
        let evaluation = self.players.of_game(seed);
        // The game must not depend on previous games.
        self.searchers.iter().for_each(|searcher| searcher.table.clear());
        let mut random = Rng::with_seed(seed);
        let mut game = begin(&self.start, self.plan.endings, &mut random, |game| {
            let (_, score) = self.think(game, &evaluation, Color::White, opening_limit(self.plan.limit))?;
            score.cp().map(i32::from)
        });
        let mut positions = Vec::new();
        let (mut decided, mut leading) = (Streak::new(DECISIVE), Streak::new(LEAD));
        let kings_fly = self.plan.variant.spec().flying_kings;
        let max_quiet = if kings_fly { QUIET_PLIES_FLYING } else { QUIET_PLIES };
        let outcome = loop {
            let side = game.position().side();
            match game.status() {
                Status::Won { winner, .. } => break GameOutcome::won_by(winner),
                Status::Drawn(_) => break GameOutcome::Draw,
                Status::Playing { .. } if game.position().quiet_plies() >= max_quiet => {
                    break match leading.leader(max_quiet.into()) {
                        Some(leader) if !kings_fly => GameOutcome::won_by(leader),
                        _ => GameOutcome::Draw,
                    };
                }
                Status::Playing { .. } if game.ply() >= MAX_PLIES => break GameOutcome::Draw,
                Status::Playing { .. } => {}
            }
            if let Some(outcome) = self.adjudicator.and_then(|tables| tables.likely_outcome(&game)) {
                break outcome.winner(side).map_or(GameOutcome::Draw, GameOutcome::won_by);
            }
            let found = self.think(&game, &evaluation, side, self.plan.limit);
            let Some((mv, found)) = found else { break GameOutcome::Draw };
            let Some(score) = found.cp() else {
                break GameOutcome::won_by(if found > Score::DRAW { side } else { side.opponent() });
            };
            positions.push(record(&game, Some(score)));
            let for_white = if side == Color::White { score } else { -score };
            decided.add(for_white);
            leading.add(for_white);
            if let Some(winner) = decided.leader(DECISIVE_SEARCHES) {
                break GameOutcome::won_by(winner);
            }
            game.play(mv);
        };
        TrainingGame { number, outcome, positions }
    }

    fn think(
        &self,
        game: &History<W>,
        evaluation: &Evaluation<W>,
        side: Color,
        limit: Limit,
    ) -> Option<(Move<W>, Score)> {
        let [white, black] = &self.searchers;
        let searcher = if side == Color::White { white } else { black };
        let (nodes, depth) = match limit {
            Limit::Nodes(nodes) => (Some(nodes), None),
            Limit::Depth(depth) => (None, Some(depth)),
        };
        let limits = Limits { nodes, depth, parameters: searcher.parameters.clone(), ..Limits::default() };
        let tools = Tools {
            table: &searcher.table,
            evaluation,
            endgames: self.adjudicator.and_then(|found| found.tables.downcast_ref()),
        };
        let outcome = search(game, &limits, tools, &Signal::default(), Stopwatch::start(), &mut Silent);
        Some((outcome.best?.narrowed(), outcome.score))
    }
}

/// Returns a position from which to start a game. Its score is within the margin, if such a position is found.
/// `evaluate` returns the score in cp, or `None` if the game is decided.
fn begin<W: Word>(
    start: &History<W>,
    endings: u8,
    random: &mut Rng,
    mut evaluate: impl FnMut(&History<W>) -> Option<i32>,
) -> History<W> {
    let (setup, plies, margin): (fn(&_, &mut _) -> _, _, _) = if random.u8(..100) < endings {
        (ending, 0..=0, UNBALANCED_MARGIN)
    } else if random.u8(..UNBALANCED) == 0 {
        (unbalanced, OPENING_PLIES, UNBALANCED_MARGIN)
    } else {
        let margin = if random.u8(..LESS_BALANCED) == 0 { LESS_BALANCED_MARGIN } else { MARGIN };
        (|start: &History<W>, _| start.clone(), OPENING_PLIES, margin)
    };
    let mut game = start.clone();
    for _ in 0..MAX_OPENINGS_TRIED {
        game = setup(start, random);
        let plies = random.u32(plies.clone());
        if play_random(&mut game, plies, random) && evaluate(&game).is_some_and(|value| value.unsigned_abs() <= margin)
        {
            break;
        }
    }
    game
}

fn play_random<W: Word>(game: &mut History<W>, plies: u32, random: &mut Rng) -> bool {
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let Some(&mv) = random.choice(moves.iter()) else { return false };
        game.play(mv);
    }
    game.position().has_move()
}

/// Returns the start position with one man fewer on one side, or with an extra king in exchange for one to three men.
fn unbalanced<W: Word>(start: &History<W>, random: &mut Rng) -> History<W> {
    let mut setup = start.setup();
    let side = if random.bool() { Color::White } else { Color::Black };
    if random.bool() {
        remove_man(&mut setup, side, random);
    } else {
        if let Some(square) = free_square(start.spec(), &setup, random) {
            setup.pieces.insert(square, Piece { color: side, king: true });
        }
        for _ in 0..random.u8(1..=3) {
            remove_man(&mut setup, side, random);
        }
    }
    History::from_setup(start.position().rules(), &setup).unwrap_or_else(|_| start.clone())
}

/// Returns a random endgame in which the numbers of pieces differ by at most one. A man on its promotion row becomes a
/// king.
fn ending<W: Word>(start: &History<W>, random: &mut Rng) -> History<W> {
    let (spec, mut setup) = (start.spec(), start.setup());
    setup.pieces.clear();
    setup.side = if random.bool() { Color::White } else { Color::Black };
    // With this objective, the first king wins the game.
    let kings = spec.objective != Objective::FirstKing;
    for number in 0..random.usize(ENDING_PIECES) {
        let Some(square) = free_square(spec, &setup, random) else { break };
        let color = if number % 2 == 0 { setup.side } else { setup.side.opponent() };
        let king = (kings && random.bool()) || spec.shape.row(square) == spec.far_row(color);
        setup.pieces.insert(square, Piece { color, king });
    }
    History::from_setup(start.position().rules(), &setup).unwrap_or_else(|_| start.clone())
}

fn free_square(spec: &RuleSet, setup: &Setup, random: &mut Rng) -> Option<Square> {
    random.choice(spec.shape.all_squares().filter(|square| !setup.pieces.contains_key(square)).collect::<Vec<_>>())
}

fn remove_man(setup: &mut Setup, side: Color, random: &mut Rng) {
    let man = Piece { color: side, king: false };
    let men: Vec<Square> = setup.pieces.iter().filter(|&(_, &piece)| piece == man).map(|(&square, _)| square).collect();
    if let Some(square) = random.choice(men) {
        setup.pieces.remove(&square);
    }
}

fn opening_limit(limit: Limit) -> Limit {
    match limit {
        Limit::Nodes(nodes) => Limit::Nodes(nodes.saturating_mul(OPENING_NODES)),
        Limit::Depth(depth) => Limit::Depth(depth.saturating_add(OPENING_DEPTH)),
    }
}

#[derive(Clone, Copy, Debug)]
struct Streak {
    /// Minimum lead in cp that a search must report.
    min_score: i16,
    /// Number of consecutive searches that reported this lead for White; negative if they reported it for Black.
    searches: i32,
}

impl Streak {
    fn new(min_score: i16) -> Self {
        Self { min_score, searches: 0 }
    }

    fn add(&mut self, for_white: i16) {
        self.searches = match for_white {
            score if score >= self.min_score => self.searches.max(0) + 1,
            score if score <= -self.min_score => self.searches.min(0) - 1,
            _ => 0,
        };
    }

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
        ply: u16::try_from(game.ply()).unwrap_or(u16::MAX),
        score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::rules::Variant;

    #[test]
    fn endings_have_a_few_pieces_per_side() {
        let mut random = Rng::with_seed(1);
        for variant in [Variant::English, Variant::Breakthrough, Variant::Turkish] {
            let start = History::<u64>::new(GameRules::for_variant(variant).unwrap());
            let mut with_king = 0;
            for _ in 0..200 {
                let setup = ending(&start, &mut random).setup();
                let white = setup.pieces.values().filter(|piece| piece.color == Color::White).count();
                assert!(ENDING_PIECES.contains(&setup.pieces.len()) && setup.pieces.len().abs_diff(2 * white) <= 1);
                with_king += usize::from(setup.pieces.values().any(|piece| piece.king));
            }
            let expected = if variant == Variant::Breakthrough { 10..190 } else { 180..201 };
            assert!(expected.contains(&with_king), "{variant}: {with_king}");
        }
    }

    #[test]
    fn a_leader_keeps_the_lead_without_a_break() {
        let mut streak = Streak::new(80);
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
