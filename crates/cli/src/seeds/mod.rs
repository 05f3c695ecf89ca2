//! The experiments that five student reports on draughts programs published, on the same players, with this program.
//!
//! Players and evaluations are the plain ones of the engine. All randomness comes from a seed, so results that
//! do not depend on time can be reproduced.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod contender;
mod full;
mod game;
mod pairing;
mod published;
mod round_robin;
mod sample;
mod savings;
mod times;

pub use contender::Contender;
pub use full::{FULL_MOVE_TIME, seed_players};
pub use game::GameEnd;
pub use pairing::{MatchResult, PlayerMatch, play_pairings};
pub use published::{
    ENGLISH_MINIMAX, ENGLISH_PRUNING, ITALIAN_MINIMAX, PublishedTimes, RANDOM_GAMES, ROUND_ROBIN_GAMES,
    ROUND_ROBIN_WINS,
};
pub use round_robin::{Standing, round_robin, standings};
pub use sample::{Sample, sample};
pub use savings::{SAVERS, SAVINGS_DEPTH};
pub use times::{TimeRow, mean_times};

/// How far an experiment has come: games or positions done, and how many there are.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);
