//! Tests of promotions in Turkish draughts. Squares are numbered from the top left, so a8 is 1 and h1 is 64.

use crate::common::data::turkish_promotions;
use crate::common::{fast, reference_moves, setup, square};
use soffio::rules::Variant;

/// Returns the number of a square such as `a8`.
fn number(name: &str) -> u8 {
    let [file, rank] = name.as_bytes() else { panic!("{name} is not a square") };
    (b'8' - rank) * 8 + (file - b'a') + 1
}

/// Parses a move such as `d3xd1 (1, crowned)`. Returns its origin and destination, the number of captured pieces, and
/// whether it promotes.
fn answer(text: &str) -> (u8, u8, usize, bool) {
    let (squares, rest) = text.split_once(" (").unwrap_or_else(|| panic!("{text} has no count"));
    let (from, to) = squares.split_once('x').unwrap_or_else(|| panic!("{text} is not a capture"));
    let rest = rest.trim_end_matches(')');
    let count = rest.trim_end_matches(", crowned");
    (number(from), number(to), count.parse().expect("a number"), rest.ends_with("crowned"))
}

#[test]
fn a_man_that_reaches_the_far_row_in_a_capture_continues_as_a_man() {
    let cases = turkish_promotions();
    assert_eq!(cases.len(), 20);
    for case in cases {
        let setup = setup(Variant::Turkish, &case.fen_num);
        let mut expected: Vec<_> = case.a_goes_on_as_man.iter().map(|text| answer(text)).collect();
        expected.sort();
        let shape = Variant::Turkish.spec().shape;
        let far_row = shape.row_mask(Variant::Turkish.spec().far_row(setup.side));
        for moves in [fast(Variant::Turkish, &setup).0, reference_moves(Variant::Turkish, &setup)] {
            let answers = moves.iter().map(|mv| {
                let by_man = !setup.pieces[&square(Variant::Turkish, mv.from)].king;
                let on_far_row = far_row >> square(Variant::Turkish, mv.to).index() & 1 == 1;
                (mv.from, mv.to, mv.captured.len(), by_man && on_far_row)
            });
            assert_eq!(answers.collect::<Vec<_>>(), expected, "{}", case.fen_num);
        }
    }
}
