//! The search: alpha-beta with iterative deepening and a transposition table.
//!
//! It works on positions and evaluations alone. It tells an [`Observer`] what it finds, and a [`Signal`] may end it early; text,
//! protocols and threads belong to others.

mod deepen;
mod draws;
mod limits;
mod memory;
mod node;
mod ordering;
mod parallel;
mod quiescence;
mod report;
mod root;
mod score;
mod split;
mod table;
mod thread;
mod time;
mod wdl;
mod win_search;

pub use limits::{Clock, Limits, Signal};
pub(crate) use parallel::Team;
pub use parallel::Tools;
pub use report::{Bound, CurrentMove, Observer, Report, SearchResult, Silent};
pub(crate) use root::RootMove;
pub use root::{Handicap, quiesce, search};
pub use score::{Score, Value};
pub(crate) use table::Entry;
pub use table::{AllocationError, TranspositionTable};
pub use time::{Budget, IterationStats, budget};
pub use wdl::Wdl;
