//! The search: alpha-beta with iterative deepening and a transposition table.
//!
//! `root` begins it, `deepen` goes from depth to depth through the moves of the root, and `node` is a node below it, step by step: there
//! and in `quiescence` it is decided what is searched less deeply, deeper or not at all. `ordering` says which move comes first, `time`
//! when it ends, `thread` has what a thread knows for itself, and `parallel` how several of them share the work.
//!
//! It works on positions and evaluations alone. It tells an [`Observer`] what it finds, and a [`Signal`] may end it early; text,
//! protocols and threads belong to others.

mod deepen;
mod draws;
mod evaluation_cache;
mod gain;
mod limits;
mod memory;
mod node;
mod ordering;
mod parallel;
mod parameters;
mod quiescence;
mod report;
mod root;
mod score;
mod table;
mod thread;
mod time;
mod win_search;

pub use crate::eval::Wdl;
pub use gain::{Gain, MAN, balance, forced_gain};
pub use limits::{Clock, Limits, Signal};
pub(crate) use parallel::Team;
pub use parallel::Tools;
pub use parameters::{Parameter, Parameters};
pub use report::{Bound, CurrentMove, Observer, Report, SearchResult, Silent};
pub(crate) use root::RootMove;
pub use root::{Handicap, quiesce, search};
pub use score::{Score, Value};
pub(crate) use table::Entry;
pub use table::{AllocationError, TranspositionTable};
pub use time::{Budget, IterationStats, budget};
