//! Counts of wins, draws and losses from an independent generator, in `tests/data/endings.json`.

use serde::Deserialize;
use soffio::notation::{FenRecord, WrittenGame};
use soffio::rules::{Variant, Word};
use soffio::tables::{AnyTables, TableValue, Tables, with_tables};
use std::collections::BTreeMap;

/// All positions of a material, White to move.
#[derive(Debug, Deserialize)]
pub struct Class {
    pub quiet_win: u64,
    pub quiet_draw: u64,
    pub quiet_loss: u64,
    longest_win_plies: u8,
    longest_win: String,
}

impl Class {
    /// Plies of the longest win, and a position with one; the data have an empty text where nothing is won.
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

/// The classes of `variant` and the pieces that its largest have.
pub fn published(variant: Variant) -> (u8, BTreeMap<String, Class>) {
    let endings: Endings = serde_json::from_str(include_str!("../data/endings.json")).expect("the data are JSON");
    let table = endings.tables.into_iter().find(|table| table.variant == variant.name());
    table.map(|table| (table.pieces, table.classes)).expect("the variant is among the data")
}

/// Pieces of a class by its name, as 1m1k-0m2k.
pub fn pieces_of(class: &str) -> u8 {
    class.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').sum()
}

fn plies_of<W: Word>(variant: Variant, tables: &Tables<W>, fen: &str) -> Option<u8> {
    let record: FenRecord = fen.parse().expect("the data have positions");
    let setup = record.to_setup(variant.spec()).expect("the data have positions of the variant");
    let position = soffio::position::Position::from_setup(tables.rules(), &setup).expect("it can be played");
    soffio::tables::Prober::new(tables).value(&position).and_then(TableValue::plies)
}

/// Compares the classes of up to `pieces`.
fn compare(variant: Variant, pieces: u8) {
    use Variant::{Brazilian, English, Italian, Pool, Russian};
    let (_, classes) = published(variant);
    let mut compared = 0;
    with_tables!(AnyTables::new(variant), tables => {
        let mut tables = tables;
        super::solve(variant, &mut tables, pieces);
        for (name, class) in classes.iter().filter(|(name, _)| pieces_of(name) <= pieces) {
            let counts = tables.counts(name.parse().expect("a material")).expect("a table");
            let found = (counts.wins, counts.draws, counts.losses, counts.longest_win.map(|(plies, _)| plies));
            let plies = class.longest_win().map(|(plies, _)| plies);
            assert_eq!(found, (class.quiet_win, class.quiet_draw, class.quiet_loss, plies), "{variant} {name}");
            // In the others the data number the squares in another way than the players.
            let same_numbers = matches!(variant, English | Italian | Russian | Brazilian | Pool);
            if let Some((_, fen)) = class.longest_win().filter(|_| same_numbers) {
                assert_eq!(plies_of(variant, &tables, fen), plies, "{variant} {fen}");
                assert!(WrittenGame::at(variant, fen.parse().ok().as_ref()).is_ok());
            }
            compared += 1;
        }
    });
    assert!(compared >= 4, "{variant}: only {compared} classes");
}

#[test]
fn the_counts_are_those_of_an_independent_generator() {
    use Variant::{Brazilian, Czech, English, International, Italian, Pool, Russian, Spanish, Thai, Turkish};
    // Code that is not optimised is many times slower.
    let pieces = if cfg!(debug_assertions) { 2 } else { 3 };
    for variant in [Italian, Russian, Brazilian, Pool, Spanish, Czech, Thai, Turkish, International] {
        compare(variant, pieces);
    }
    compare(English, pieces + 1);
}
