//! Checking tables against themselves.

use super::cursor::Cursor;
use super::{Index, Prober, Slice, Tables, Value};
use crate::position::{MoveList, Pieces};
use crate::rules::{Color, Word};
use std::fmt;

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The position with a number has another number.
    Number {
        /// The number of the position.
        number: u64,
        /// The number that it was found to have.
        found: u64,
    },
    /// There is no value for a position, or for one that a move leads to.
    Missing {
        /// The number of the position.
        number: u64,
    },
    /// A value is not the best of those that its moves lead to.
    Value {
        /// The number of the position.
        number: u64,
        /// What is stored.
        stored: u8,
        /// What its moves are worth.
        found: u8,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { number, found } => write!(f, "position {number} has the number {found}"),
            Self::Missing { number } => write!(f, "position {number} leads to one without a value"),
            Self::Value { number, stored, found } => {
                write!(f, "position {number} has the value {stored}, its moves make it {found}")
            }
        }
    }
}

impl<W: Word> Tables<W> {
    /// Compares every stored value of `slice` with the values of the positions that its moves lead to, and the numbers of
    /// positions with the positions of numbers. Calls `done` now and then with the positions that were checked; returns how
    /// many faults there are, and the first.
    pub fn verify(&self, slice: Slice, mut done: impl FnMut(u64)) -> (u64, Option<Fault>) {
        let (mut faults, mut first) = (0, None);
        let mut prober = Prober::new(self);
        let mut moves = MoveList::new();
        for material in slice.materials() {
            let index = self.index(material);
            let mut cursor = Cursor::new(&index);
            for number in 0..index.len() {
                if number % (1 << 16) == 0 {
                    done(number);
                }
                let Some(pieces) = cursor.pieces(number) else { continue };
                if let Err(fault) = check(&mut prober, &index, &mut moves, number, &pieces) {
                    faults += 1;
                    first.get_or_insert(fault);
                }
            }
        }
        (faults, first)
    }
}

fn check<W: Word>(
    prober: &mut Prober<'_, W>,
    index: &Index<W>,
    moves: &mut MoveList<W>,
    number: u64,
    pieces: &Pieces<W>,
) -> Result<(), Fault> {
    let found = index.number(pieces);
    if found != number {
        return Err(Fault::Number { number, found });
    }
    let tables = prober.tables();
    let (rules, board) = (tables.rules(), &tables.board);
    let can_capture = rules.has_capture(pieces, Color::White);
    if can_capture && rules.compulsory() {
        return Ok(());
    }
    let stored = prober.value_of(pieces, 0).ok_or(Fault::Missing { number })?;
    moves.retain(|_| false);
    if can_capture {
        rules.captures(pieces, Color::White, moves);
    }
    rules.add_quiet_moves(pieces, Color::White, moves);
    let objective = rules.spec().objective;
    let mut best: Option<Value> = None;
    for &mv in moves.iter() {
        let after = board.turned(&rules.pieces_after(pieces, Color::White, mv));
        let value = prober.value_of(&after, 0).and_then(Value::before).ok_or(Fault::Missing { number })?;
        if best.is_none_or(|best| value.rank(objective) > best.rank(objective)) {
            best = Some(value);
        }
    }
    let found = best.unwrap_or(Value::END);
    if found == stored { Ok(()) } else { Err(Fault::Value { number, stored: stored.byte(), found: found.byte() }) }
}
