//! From a written move to the legal move that it means.

use super::attempt::Attempt;
use super::explain::explain;
use super::move_text::{full_path, one_way_each};
use super::{IllegalMove, MoveRecord};
use crate::position::Setup;
use crate::position::reference::{Sequence, legal_sequences};
use crate::rules::RuleSet;

/// The legal move of `setup` that `record` means: by its full path, by a part of it down to the first and last square,
/// or by the squares of departure, arrival and all pieces taken, as in the Hub protocol. Where the record leaves open
/// which way a move goes, it is the one that [`printed_moves`](super::printed_moves) has.
///
/// # Errors
/// When no legal move or more than one is meant; the error says why.
pub fn resolve(spec: &RuleSet, setup: &Setup, record: &MoveRecord) -> Result<Sequence, IllegalMove> {
    let attempt = Attempt::new(spec, record)?;
    let legal = legal_sequences(spec, setup);
    let moves = one_way_each(spec, attempt.meant(&legal));
    match moves.as_slice() {
        [] => Err(explain(spec, setup, &attempt, &legal)),
        [only] => Ok(only.clone()),
        several => Err(IllegalMove::Ambiguous(several.iter().map(|way| full_path(spec, way)).collect())),
    }
}
