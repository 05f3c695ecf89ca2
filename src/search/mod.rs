//! The search: alpha-beta with iterative deepening and a transposition table.
//!
//! It works on positions and evaluations alone. What it finds goes to an [`Observer`], what may end it early comes
//! through a [`Signal`]; text, protocols and threads belong to others.

mod alphabeta;
mod limits;
mod order;
mod quiescence;
mod report;
mod root;
mod score;
mod signal;
mod table;
mod time;

pub use limits::{Clock, Limits};
pub use report::{Bound, Observer, Outcome, Report};
pub use root::{quiesce, search};
pub use score::{Score, Value};
pub use signal::Signal;
pub use table::{AllocationError, Table};
pub use time::{Budget, budget};
