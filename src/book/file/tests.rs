//! Tests of writing and probing book files, and of damaged book files.

use super::*;
use crate::book::BookScore;
use crate::rules::{Identity, Variant};
use std::fs;

fn header() -> Header {
    Header {
        identity: Identity::of(Variant::English),
        author: "a\nb".to_owned(),
        licence: "CC0-1.0".to_owned(),
        engine: "soffio".to_owned(),
        nodes: 1000,
        plan: String::new(),
        roots: vec!["W:W1:B2".to_owned()],
    }
}

/// Returns moves for the given number of positions. The keys of the positions are in no particular order.
fn moves(positions: u64) -> Vec<(u64, BookMove)> {
    let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mv = |index: u16| BookMove { index, score: BookScore::DRAW, weight: 7 * index, depth: 1, flags: 0 };
    (0..positions).flat_map(|number| (0..3 + number as u16 % 5).map(move |index| (key(number), mv(index)))).collect()
}

#[test]
fn written_moves_are_found() {
    let all = moves(200);
    let folder = std::env::temp_dir().join(format!("soffio-book-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.book");
    write(&path, &header(), [&*all, &*all].concat()).unwrap();
    let book = Book::open(&path).unwrap();
    assert_eq!(book.len(), all.len(), "each move occurs once");
    assert_eq!(*book.header(), Header { author: "a b".to_owned(), ..header() }, "a value is a line");
    for (key, mv) in &all {
        assert_eq!(book.moves(*key).get(usize::from(mv.index)), Some(mv));
        assert!(book.moves(key ^ 1).is_empty());
    }
    let mut sorted = all;
    sorted.sort_unstable_by_key(|(key, mv)| (*key, mv.index));
    assert_eq!(book.all_moves().unwrap().collect::<Vec<_>>(), sorted);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no other file is left");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_reason_is_reported() {
    let good = sealed(&header(), moves(30));
    let error = |bytes: Vec<u8>| Book::of(bytes).unwrap_err().to_string();
    assert_eq!(error(b"GIF89a".to_vec()), "not an opening book");
    assert!(error(good[..200].to_vec()).starts_with("the file should have "));
    assert!(error([&*good, b"x"].concat()).starts_with("the file should have "));
    let changed = |place: usize| {
        let mut bytes = good.clone();
        bytes[place] ^= 1;
        bytes
    };
    assert_eq!(error(changed(20)), "the file is damaged: checksum mismatch");
    assert_eq!(error(changed(good.len() - 1)), "the file is damaged: the record checksums do not match the header");
    let book = Book::of(changed(good.len() - 20)).unwrap();
    let Err(found) = book.all_moves().map(drop) else { panic!("it is damaged") };
    assert_eq!(found.to_string(), "the file is damaged: checksum mismatch in the block that starts at record 128");
    let book = Book::of(good).unwrap();
    let refused = |variant| book.header().check_variant(variant).unwrap_err().to_string();
    assert_eq!(refused(Variant::Russian), "the book is for english, not for russian");
    let header = Header { identity: Identity::new("english", "other"), ..header() };
    assert!(
        header
            .check_variant(Variant::English)
            .unwrap_err()
            .to_string()
            .starts_with("the book was built for different rules")
    );
    assert!(matches!(header.check_variant(Variant::English), Err(BookError::OtherRules(_))));
    for (line, with) in [("records", "x"), ("checksum", "xyz"), ("nodes", "-1")] {
        let text = String::from_utf8_lossy(&header.to_bytes(Layout { records: 0, checksum: 0 })[14..]).into_owned();
        let lines =
            text.lines().map(|own| if own.starts_with(line) { format!("{line} {with}\n") } else { format!("{own}\n") });
        let content: String = lines.collect();
        let head = crate::book::FORMAT.seal_head(content.as_bytes());
        assert_eq!(error(head), format!("header line {line:?} is missing or invalid"));
    }
}

/// Damages a book `count` times. Asserts that each damaged book is rejected, or returns either the original moves or no
/// moves for every probe.
fn damage(count: usize) {
    let all = moves(60);
    let good = sealed(&header(), all.clone());
    let whole = Book::of(good.clone()).unwrap();
    let mut random = fastrand::Rng::with_seed(3);
    let mut refused = 0;
    for _ in 0..count {
        let mut bytes = good.clone();
        let place = random.usize(..bytes.len());
        match random.u8(..6) {
            0 => bytes[place] ^= 1 << random.u8(..8),
            1 => bytes.truncate(place),
            2 => bytes.insert(place, random.u8(..)),
            3 => drop(bytes.remove(place)),
            4 => bytes.rotate_left(place),
            _ => bytes[place..].iter_mut().take(40).for_each(|byte| *byte = random.u8(..)),
        }
        let is_equal = bytes == good;
        match Book::of(bytes) {
            Err(_) => refused += 1,
            Ok(book) => {
                assert_eq!(book.all_moves().is_ok(), is_equal);
                for (key, _) in &all {
                    let found = book.moves(*key);
                    assert!(found.is_empty() || found == whole.moves(*key), "another answer");
                }
            }
        }
    }
    assert!(refused > count / 3, "{refused} of {count}");
}

#[test]
fn damage_never_changes_an_answer() {
    damage(500);
}

#[test]
#[ignore = "takes seconds in release, minutes in debug"]
fn damage_never_changes_an_answer_in_a_hundred_thousand_trials() {
    damage(100_000);
}

#[test]
#[ignore = "measures time"]
fn a_book_of_a_million_records_is_opened_and_probed() {
    let all: Vec<_> = moves(200_000);
    let path = std::env::temp_dir().join(format!("soffio-book-million-{}.book", std::process::id()));
    write(&path, &header(), all.clone()).unwrap();
    let started = std::time::Instant::now();
    let book = Book::open(&path).unwrap();
    let opened = started.elapsed();
    let mut random = fastrand::Rng::with_seed(1);
    let keys: Vec<u64> = (0..1_000_000).map(|_| all[random.usize(..all.len())].0).collect();
    let started = std::time::Instant::now();
    let found: usize = keys.iter().map(|key| book.moves(*key).len()).sum();
    let probed = started.elapsed() / 1_000_000;
    println!("{} records: opened in {opened:?}, a probe took {probed:?}, {found} moves", book.len());
    fs::remove_file(path).unwrap();
}
