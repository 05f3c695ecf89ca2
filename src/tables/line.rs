//! Lines of best play.

use super::{Prober, TableValue};
use crate::position::{Move, Position};
use crate::rules::Word;

/// The line from `position` in which both sides play best: the winner for the shortest game, the loser for the longest. It
/// goes on to the end of the game, or to where tables end. Empty in a draw, in which there is no such line.
pub fn best_line<W: Word>(prober: &mut Prober<'_, W>, position: &Position<W>) -> Vec<Move<W>> {
    let mut line = Vec::new();
    let mut position = *position;
    let mut left = prober.value(&position).and_then(TableValue::plies);
    while let Some(plies) = left.filter(|&plies| plies > 0) {
        let leads_on =
            |mv: &&Move<W>| prober.value(&position.play(**mv)).and_then(TableValue::plies) == Some(plies - 1);
        let moves = position.legal_moves();
        let Some(&mv) = moves.iter().find(leads_on) else { break };
        line.push(mv);
        position = position.play(mv);
        left = Some(plies - 1);
    }
    line
}
