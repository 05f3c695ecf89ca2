//! Numbers of wins, draws and losses from an independent generator, stored in `tests/data/endings.json`.

use serde::Deserialize;
use soffio::rules::Variant;
use std::collections::BTreeMap;

/// Results of all positions with the same material and White to move.
#[derive(Debug, Deserialize)]
pub struct Class {
    pub quiet_win: u64,
    pub quiet_draw: u64,
    pub quiet_loss: u64,
    longest_win_plies: u8,
    longest_win: String,
}

impl Class {
    /// Returns the length of the longest win in plies and a position with such a win, or `None` if there is no win (the
    /// data then contain an empty string).
    pub fn longest_win(&self) -> Option<(u8, &str)> {
        (!self.longest_win.is_empty()).then_some((self.longest_win_plies, self.longest_win.as_str()))
    }
}

#[derive(Debug, Deserialize)]
struct Table {
    variant: String,
    pieces: u8,
    classes: BTreeMap<String, Class>,
}

#[derive(Debug, Deserialize)]
struct Endings {
    tables: Vec<Table>,
}

/// Returns the classes of `variant`, and the maximum number of pieces in a class.
pub fn published(variant: Variant) -> (u8, BTreeMap<String, Class>) {
    let endings: Endings = serde_json::from_str(include_str!("../data/endings.json")).expect("the data are valid JSON");
    let table = endings.tables.into_iter().find(|table| table.variant == variant.name());
    table.map(|table| (table.pieces, table.classes)).expect("the variant is among the data")
}

/// Returns the number of pieces in the class with a name such as 1m1k-0m2k.
pub fn pieces_of(class: &str) -> u8 {
    class.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').sum()
}
