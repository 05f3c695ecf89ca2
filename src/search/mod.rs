//! Alpha-beta search with iterative deepening and a transposition table.
//!
//! `root` starts and ends a search, `deepen` iterates over the depths and the root moves, and `node` and `quiescence`
//! search the nodes below the root. `thread` is the state of one search thread; `root` starts the helper threads. The
//! search sends its reports to an [`Observer`] and can be stopped by a [`Signal`]. It does not depend on notation or
//! protocols.
#![allow(clippy::indexing_slicing, reason = "plies, squares and slots index arrays of fixed size")]

mod deepen;
mod draws;
mod evaluation_cache;
mod gain;
mod limits;
mod node;
mod ordering;
mod parallel;
mod parameters;
mod progress;
mod quiescence;
mod report;
mod root;
mod score;
mod signal;
mod table;
mod thread;
mod time;
mod win_search;

pub use crate::eval::Wdl;
pub use crate::score::Value;
pub use deepen::MAX_DEPTH;
pub use gain::{Gain, GainLimits, Lead, MAN, balance, forced_gain};
pub use limits::{Clock, Handicap, Limits};
pub(crate) use parallel::Team;
pub use parallel::Tools;
pub use parameters::{Parameter, Parameters};
pub use report::{Bound, CurrentMove, Observer, Report, SearchResult, Silent};
pub(crate) use root::RootMove;
pub use root::{quiesce, search};
pub use score::Score;
pub use signal::Signal;
pub(crate) use table::Entry;
pub use table::{AllocationError, TranspositionTable};
pub use time::{Budget, IterationStats, budget};
