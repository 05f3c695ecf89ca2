//! Opening books are grown, put together, brought in and given out.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod exchange;
mod growth;
mod judgements;
mod leaving;

pub use exchange::{Imported, MoveRow, RowForm, lines, rows};
pub use growth::{Growth, Plan};
pub use judgements::{Judged, Judgements};
pub use leaving::leaving;
