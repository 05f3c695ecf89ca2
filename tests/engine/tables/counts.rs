//! Tests that compare the numbers of wins, draws and losses with those of an independent generator.

use crate::common::endings::{pieces_of, published};
use soffio::notation::{FenRecord, WrittenGame};
use soffio::position::with_width;
use soffio::rules::{Variant, Word};
use soffio::tables::{AnyTables, TableValue, Tables};

fn plies_of<W: Word>(variant: Variant, tables: &Tables<W>, fen: &str) -> Option<u8> {
    let record: FenRecord = fen.parse().expect("the data have positions");
    let setup = record.to_setup(variant.spec()).expect("the data have positions of the variant");
    let position = soffio::position::Position::from_setup(tables.rules(), &setup).expect("it can be played");
    soffio::tables::Prober::new(tables).value(&position).and_then(TableValue::plies)
}

/// Compares the counts and the longest wins for all classes with up to `pieces` pieces.
fn compare(variant: Variant, pieces: u8) {
    use Variant::{Brazilian, English, Italian, Pool, Russian};
    let (_, classes) = published(variant);
    let mut compared = 0;
    with_width!(AnyTables::new(variant), mut tables => {
        super::solve(variant, &mut tables, pieces);
        for (name, class) in classes.iter().filter(|(name, _)| pieces_of(name) <= pieces) {
            let counts = tables.counts(name.parse().expect("a material")).expect("a table");
            let found = (counts.wins, counts.draws, counts.losses, counts.longest_win.map(|(plies, _)| plies));
            let plies = class.longest_win().map(|(plies, _)| plies);
            assert_eq!(found, (class.quiet_win, class.quiet_draw, class.quiet_loss, plies), "{variant} {name}");
            // For the other variants, the square numbers in the data differ from those that players use.
            let same_numbers = matches!(variant, English | Italian | Russian | Brazilian | Pool);
            if let Some((_, fen)) = class.longest_win().filter(|_| same_numbers) {
                assert_eq!(plies_of(variant, &tables, fen), plies, "{variant} {fen}");
                assert!(WrittenGame::from_start(variant, fen.parse().ok().as_ref()).is_ok());
            }
            compared += 1;
        }
    });
    assert!(compared >= 4, "{variant}: only {compared} classes");
}

#[test]
fn the_counts_match_an_independent_generator() {
    use Variant::{Brazilian, Czech, English, International, Italian, Pool, Russian, Spanish, Thai, Turkish};
    // Unoptimised code is many times slower.
    let pieces = if cfg!(debug_assertions) { 2 } else { 3 };
    for variant in [Italian, Russian, Brazilian, Pool, Spanish, Czech, Thai, Turkish, International] {
        compare(variant, pieces);
    }
    compare(English, pieces + 1);
}
