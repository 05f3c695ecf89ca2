//! The figures that the reports published.

use soffio::engine::PlainKind;

/// Mean times for one move in milliseconds, by depth.
pub type PublishedTimes = &'static [(u8, f64)];

/// Minimax in Italian draughts, with material alone: the desktop game.
pub const ITALIAN_MINIMAX: PublishedTimes = &[(5, 33.0), (7, 483.0), (9, 20_300.0)];

/// Minimax in English draughts: the checkers automaton without pruning.
pub const ENGLISH_MINIMAX: PublishedTimes =
    &[(2, 1.5), (3, 4.9), (4, 11.8), (5, 29.0), (6, 121.0), (7, 1035.0), (8, 3387.0)];

/// The same automaton with pruning, which it does only after it has built the whole tree.
pub const ENGLISH_PRUNING: PublishedTimes =
    &[(2, 1.1), (3, 4.8), (4, 11.3), (5, 35.0), (6, 153.0), (7, 1462.0), (8, 4893.0)];

/// Games of minimax against chance in the desktop game: all won.
pub const RANDOM_GAMES: usize = 20;

/// The ply from which on all of the automaton's players evaluate kings.
pub const KINGS_AFTER: u16 = 70;

/// Games of each evaluation in the automaton's round robin.
pub const ROUND_ROBIN_GAMES: u32 = 70;

/// How many of them each has won, at depth 7.
pub const ROUND_ROBIN_WINS: [(PlainKind, u32); 7] = [
    (PlainKind::Standard, 48),
    (PlainKind::Random, 14),
    (PlainKind::Centrality, 21),
    (PlainKind::BackRows, 53),
    (PlainKind::Complete, 35),
    (PlainKind::Offensive, 24),
    (PlainKind::Defensive, 37),
];
