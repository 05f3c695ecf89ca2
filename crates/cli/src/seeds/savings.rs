//! How many nodes pruning, move ordering and a transposition table save.

use soffio::engine::PlainPlayer;

/// The players in the order in which each adds something to the one before.
pub const SAVERS: [PlainPlayer; 4] =
    [PlainPlayer::Minimax, PlainPlayer::AlphaBeta, PlainPlayer::Ordered, PlainPlayer::Memory];

/// The depth at which they are compared.
pub const SAVINGS_DEPTH: u8 = 8;
