//! Generates puzzles: positions with a proved solution, in which the solver has only one correct move at every turn.
//!
//! A [`Prover`] collects proofs for each move from endgame tables, decisive searches and exhaustive searches for gains.
//! A [`Solution`] is built from these proofs, one move after another.

mod proof;
mod solution;

pub use proof::{Goal, MoveFacts, Proof, ProofBudget, ProofGoal, Prover, PuzzleOutcome, PuzzleVerdict};
pub use solution::{Solution, Theme, canonical, themes};
