//! The search: alpha-beta with iterative deepening and a transposition table.
//!
//! It works on positions and evaluations alone. What it finds goes to an [`Observer`], what may end it early comes
//! through a [`Signal`]; text, protocols and threads belong to others.

mod deepen;
mod draws;
mod handicap;
mod limits;
mod memory;
mod node;
mod ordering;
mod quiescence;
mod report;
mod root;
mod root_move;
mod score;
mod share;
mod signal;
mod split;
mod split_points;
mod table;
mod team;
mod thread;
mod time;
mod tools;
mod win_search;

pub use handicap::Handicap;
pub use limits::{Clock, Limits};
pub use report::{Bound, CurrentMove, Observer, Report, SearchResult, Silent};
pub use root::{quiesce, search};
pub(crate) use root_move::RootMove;
pub use score::{Score, Value};
pub use signal::Signal;
pub(crate) use table::Entry;
pub use table::{AllocationError, TranspositionTable};
pub(crate) use team::Team;
pub use time::{Budget, IterationStats, budget};
pub use tools::Tools;
