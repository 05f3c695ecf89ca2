//! The players of a student report: random plays, and expectiminimax by simple evaluations.

mod evaluation;
mod expectiminimax;
mod star;
mod table;

pub use evaluation::PlainEvaluation;
pub use expectiminimax::{Answer, Expectiminimax, MAX_DEPTH, Pruning};
