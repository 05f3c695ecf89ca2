//! Tests that the readers of win/loss/draw tables in other languages agree with `soffio tables probe`.

use crate::process::{command, program, run_to_end};
use crate::table_commands::{folder, good};
use fastrand::Rng;
use soffio::notation::Placement;
use soffio::position::{Position, with_width};
use soffio::rules::{Color, Variant};
use soffio::tables::{AnyTables, Slice};
use std::fs;
use std::path::Path;

const READERS: [(&str, &str); 2] = [("python3", "wld.py"), ("node", "wld.mjs")];

/// Runs a reader in `examples/`. Returns its output and whether it succeeded, or `None` if `interpreter` is not
/// installed.
fn read(interpreter: &str, reader: &str, file: &Path, fens: &[String]) -> Option<(String, bool)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"));
    let Ok(output) = command(interpreter).arg(folder.join(reader)).arg(file).args(fens).output() else {
        eprintln!("{interpreter} is not installed: {reader} is not tested");
        return None;
    };
    Some((String::from_utf8(output.stdout).expect("the output is text"), output.status.success()))
}

/// Returns `count` random positions of `slice` as FENs with numbers, and whether the side to move can capture.
fn positions(variant: Variant, slice: Slice, count: usize, random: &mut Rng) -> Vec<(String, bool)> {
    with_width!(AnyTables::new(variant), tables => {
        let indices: Vec<_> = slice.materials().map(|material| tables.index(material)).collect();
        let mut found = Vec::new();
        while found.len() < count {
            let index = &indices[random.usize(..indices.len())];
            let Some(mut setup) = index.setup(random.u64(..index.size())) else { continue };
            setup.side = Color::from_is_white(random.bool());
            let position = Position::from_setup(tables.rules(), &setup).expect("a position");
            let fen = Placement::new(variant.spec(), &setup).record().to_string();
            found.push((fen, position.can_capture(setup.side)));
        }
        found
    })
}

#[test]
fn the_indices_match_the_documented_ones() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/table-format.md");
    let text = fs::read_to_string(page).expect("the page is there");
    let (_, rows) = text.split_once("\n## Test vectors\n").expect("the section is there");
    let mut count = 0;
    for row in rows.lines() {
        let cells: Vec<_> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [_, name, fen, material, _, _, index, value, _] = cells[..] else { continue };
        let Some(variant) = Variant::called(name) else { continue };
        let setup = with_width!(AnyTables::new(variant), tables => {
            tables.index(material.parse().expect("a material")).setup(index.parse().expect("a number"))
        });
        let setup = setup.expect("a position");
        assert_eq!(Placement::new(variant.spec(), &setup).record().to_string(), fen, "{row}");
        let (probed, ..) = run_to_end(program(&["tables", "probe", "--variant", name]), fen);
        assert_eq!(probed.trim_end(), value, "{row}");
        count += 1;
    }
    assert!(count >= 10, "only {count} rows");
}

#[test]
fn readers_in_other_languages_agree() {
    let place = folder();
    let mut random = Rng::with_seed(57);
    // The boards are upright, mirrored, numbered from the other end, and on all squares.
    let variants = [
        (Variant::English, 3),
        (Variant::Russian, 3),
        (Variant::International, 2),
        (Variant::Italian, 2),
        (Variant::Spanish, 2),
        (Variant::Turkish, 2),
        (Variant::Frisian, 2),
    ];
    for (variant, pieces) in variants {
        for action in ["build", "pack"] {
            good(&format!("{action} --variant {variant} --pieces {pieces}"), &place);
        }
        for slice in Slice::all(variant.spec(), pieces) {
            let (fens, captures): (Vec<_>, Vec<_>) = positions(variant, slice, 40, &mut random).into_iter().unzip();
            let mut probe = program(&["tables", "probe", "--variant", variant.name(), "--dir"]);
            probe.arg(place.path());
            let (probed, ..) = run_to_end(probe, &(fens.join("\n") + "\n"));
            let value = |(line, can_capture): (&str, bool)| {
                let value = line.split(' ').next().unwrap_or_default();
                (if can_capture { "capture" } else { value }).to_owned()
            };
            let expected: Vec<_> = probed.lines().zip(captures).map(value).collect();
            assert_eq!(expected.len(), fens.len(), "{variant} {slice}: {probed}");
            let file = place.path().join(format!("{variant}-{slice}.wld"));
            for (interpreter, reader) in READERS {
                let Some((output, is_good)) = read(interpreter, reader, &file, &fens) else { continue };
                assert!(is_good, "{reader} {variant} {slice}: {output}");
                for ((found, expected), fen) in output.lines().zip(&expected).zip(&fens) {
                    assert_eq!(found, expected, "{reader} {variant} {fen}");
                }
                assert_eq!(output.lines().count(), fens.len(), "{reader} {variant} {slice}");
            }
        }
    }
}

#[test]
fn readers_in_other_languages_detect_damage() {
    let place = folder();
    for action in ["build", "pack"] {
        good(&format!("{action} --variant english --pieces 2"), &place);
    }
    let whole = fs::read(place.path().join("english-0m1k-0m1k.wld")).expect("the file is there");
    let damaged = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        bytes
    };
    let header = 18 + usize::from(whole[10]) + 256 * usize::from(whole[11]);
    let files = [
        (whole.clone(), true),
        (damaged(0), false),
        (damaged(8), false),
        (damaged(30), false),
        (damaged(header), false),
        (damaged(whole.len() - 3), false),
        (whole[..whole.len() - 1].to_vec(), false),
    ];
    let path = place.path().join("damaged.wld");
    for (number, (bytes, is_whole)) in files.into_iter().enumerate() {
        fs::write(&path, bytes).expect("the file can be written");
        for (interpreter, reader) in READERS {
            let Some((output, is_good)) = read(interpreter, reader, &path, &["W:WK1:BK32".to_owned()]) else {
                continue;
            };
            assert_eq!((&*output == "draw\n", is_good), (is_whole, is_whole), "{reader}, file {number}: {output}");
        }
    }
}
