//! Opening books are grown, put together, brought in and given out.

mod exchange;
mod growth;
mod judgements;
mod leaving;

pub use exchange::{Imported, MoveRow, RowForm, lines, rows};
pub use growth::{Growth, Plan};
pub use judgements::{Judged, Judgements};
pub use leaving::{leaving, moves_of};
