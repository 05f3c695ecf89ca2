//! What expectiminimax has found out of positions it meets again.

use crate::rules::Board;

/// Bounds of the sum that a chance node has, found at this depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The sum is at least this.
    pub low: i64,
    /// The sum is at most this.
    pub high: i64,
}

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    depth: u8,
    bounds: Bounds,
    /// The search that it belongs to.
    age: u32,
}

/// A transposition table: for each chance node one place, where the last one stays, if there is room at all. The whole position is kept, so that two are
/// never mistaken for each other.
pub(super) struct Table {
    entries: Vec<Option<Entry>>,
    age: u32,
}

impl Table {
    /// A table without room.
    pub fn new() -> Self {
        Self { entries: Vec::new(), age: 0 }
    }

    /// Has room for about as many MiB.
    pub fn make_room(&mut self, mib: usize) {
        self.entries.resize((mib << 20) / size_of::<Option<Entry>>(), None);
    }

    /// Begins another search, whose evaluation may be another one: what was found before does not count any more.
    pub fn begin(&mut self) {
        self.age += 1;
    }

    fn place(&self, board: &Board, depth: u8) -> usize {
        let mut key = u64::from(depth) + 1;
        for counts in [board.own.counts(), board.other.counts()] {
            for eight in counts.chunks(8) {
                let word = eight.iter().fold(0_u64, |word, &count| word << 8 | u64::from(count));
                key = (key ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            }
        }
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    /// What is known of a chance node at exactly this depth.
    pub fn get(&self, board: &Board, depth: u8) -> Option<Bounds> {
        let entry = self.entries.get(self.place(board, depth))?.as_ref()?;
        (entry.age == self.age && entry.depth == depth && entry.board == *board).then_some(entry.bounds)
    }

    /// Remembers what was found out; it is at least as narrow as what was known.
    pub fn put(&mut self, board: &Board, depth: u8, bounds: Bounds) {
        let place = self.place(board, depth);
        if let Some(entry) = self.entries.get_mut(place) {
            *entry = Some(Entry { board: *board, depth, bounds, age: self.age });
        }
    }
}
