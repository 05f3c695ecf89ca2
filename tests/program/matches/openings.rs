//! Tests of openings that are generated with a search, and of the order of openings.

use anyhow::Result;
use soffio::rules::Variant;
use soffio_match::{LineStart, Margin, Opening, OpeningEvaluator, OpeningGenerator};

fn generator(plies: u32, seed: u64) -> OpeningGenerator {
    OpeningGenerator {
        variant: Variant::English,
        plies,
        margin: Margin { min: 0, max: 50 },
        seed,
        start: LineStart::AllMen,
    }
}

fn generate(plies: u32, seed: u64, evaluate: OpeningEvaluator<'_>) -> Result<Vec<Opening>> {
    generator(plies, seed).openings(usize::MAX, evaluate)
}

#[test]
fn two_plies_of_english_give_the_two_move_ballots() {
    // Each of the 7 first moves has 7 replies. All of the 49 lines lead to different positions.
    let all = generate(2, 1, &mut |_| Some(0)).unwrap();
    assert_eq!(all.len(), 49);
    let again = generate(2, 1, &mut |_| Some(0)).unwrap();
    assert_eq!(all, again, "the same seed gives the same order");
    let other = generate(2, 2, &mut |_| Some(0)).unwrap();
    assert_ne!(all, other);
}

#[test]
fn only_balanced_lines_are_kept() {
    let mut evaluate = |line: &Opening| match line.moves[0].as_str() {
        "9-13" => Some(-51),
        "9-14" => None,
        _ => Some(50),
    };
    let level = generate(1, 1, &mut evaluate).unwrap();
    assert_eq!(level.len(), 5);
    assert_eq!(generate(1, 1, &mut |_| None).unwrap_err().to_string(), "no line is within the margin: use a wider one");
    let few = generator(1, 1).openings(2, &mut evaluate);
    assert_eq!(few.unwrap().len(), 2);
    let uneven = OpeningGenerator { margin: Margin { min: 51, max: 60 }, ..generator(1, 1) }.openings(9, &mut evaluate);
    assert_eq!(uneven.unwrap().iter().map(ToString::to_string).collect::<Vec<_>>(), ["9-13"]);
    let read = |text: &str| text.parse::<Margin>().map(|margin| margin.to_string()).map_err(|error| error.to_string());
    assert_eq!(["60", "30-60"].map(read), ["60", "30-60"].map(|text| Ok(text.to_owned())));
    assert_eq!(read("60-30"), Err("the minimum 60 exceeds the maximum 30".to_owned()));
    assert!(["", "-", "30-", "-60", "1-2-3"].iter().all(|text| read(text).is_err()));
}

#[test]
fn each_side_can_start_with_one_man_less() {
    let generator = OpeningGenerator { start: LineStart::OneManLess, ..generator(0, 1) };
    let openings = generator.openings(usize::MAX, &mut |_| Some(0)).unwrap();
    assert_eq!(openings.len(), 12 * 12);
    for opening in openings {
        let start = opening.start.unwrap();
        assert_eq!((start.white.len(), start.black.len()), (11, 11));
    }
}
