//! Files of games that the engine played for learning.
//!
//! A file is a [`Header`], which names the game, followed by frames of some games each, so that it can be written game by game and
//! be cut at the end of the last whole frame when the program was killed. All numbers are little-endian.
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 8 | `SOFFDATA` |
//! | 2 | version of the format, 1 |
//! | 4 | length of the header that follows |
//! | 1, 1, 1 | the board: columns, rows, the corner that is played on (0 left, 1 right, 2 both) |
//! | 4 | CRC-32 of the rules as text |
//! | 1 + n | length of the variant's name, and the name |
//! | 2 + n | length of the text that tells how the games were played, and the text |
//! | 4 | CRC-32 of everything before |
//!
//! Each frame:
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 4 | length of the packed games |
//! | 4 | their length when unpacked |
//! | 4 | CRC-32 of the packed games |
//! | 4 | CRC-32 of the 12 bytes before |
//! | n | the games, a zlib stream |
//!
//! Each game: its number (8 bytes), the outcome (1; 0 for White's loss, 1 for a draw, 2 for a win), the number of its positions
//! (2); each position: marks (1; 1 for White to move, 2 for quiet, 4 for having a score), ply (2), score (2), and the sets of
//! White's pieces, Black's pieces and kings, 8 bytes each or 16 on boards that need them, in which every bit is changed that was
//! set in the position before.

mod error;
mod frame;
mod header;
mod input;
mod reader;
mod record;
mod summary;
#[cfg(test)]
mod tests;
mod text;
mod writer;

pub use error::DataError;
pub use header::Header;
pub use reader::{DataFile, DataReader};
pub use record::{GameOutcome, PositionRecord, TrainingGame};
pub use summary::DataSummary;
pub use text::CSV_HEADINGS;
pub use writer::DataWriter;
