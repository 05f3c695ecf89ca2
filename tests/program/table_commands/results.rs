//! Tests of tables that are built without distances.

use super::{command, folder, good, tables};
use crate::process::run_to_end;
use serde_json::Value;
use std::fs;

#[test]
fn results_are_built_without_distances() {
    let (exact, results) = (folder(), folder());
    good("build --variant russian --pieces 3", &exact);
    let built = good("build --variant russian --pieces 3 --wld", &results);
    assert!(built.ends_with("9 slices: 9 built, 0 already built\n"), "{built}");
    let again = good("build --variant russian --pieces 3 --wld", &results);
    assert!(again.ends_with("9 slices: 0 built, 9 already built\n"), "{again}");
    assert!(good("verify --variant russian --pieces 3", &results).ends_with("9 slices: 9 valid, 0 faulty\n"));
    let counts = |place| {
        let json: Value = serde_json::from_str(&good("stat --variant russian --pieces 3 --json", place)).expect("JSON");
        let classes = json["classes"].as_object().expect("classes").clone();
        classes
            .into_iter()
            .map(|(name, class)| (name, ["win", "draw", "loss"].map(|field| class[field].clone())))
            .collect::<Vec<_>>()
    };
    assert_eq!(counts(&exact), counts(&results));
    // The longest win is not known, unless there is none.
    let text = good("stat --variant russian --pieces 2", &results);
    let longest: Vec<_> = text.lines().skip(1).filter_map(|line| line.split_whitespace().nth(4)).collect();
    assert_eq!(longest, ["unknown", "unknown", "unknown", "unknown"], "{text}");
    let json = good("stat --variant russian --pieces 2 --json", &results);
    assert!(json.contains(r#""longest_win": "unknown","#), "{json}");
    let fens = "W:WKa1,Kc1:BKh8\nB:Wa3:BKb8\nW:Wa3:BKb8\nW:Wa3,c3:Bb8\n";
    let [exact, results] =
        [&exact, &results].map(|place| run_to_end(command("probe --variant russian", place), fens).0);
    let without_distance = |line: &str| line.split(' ').next().map(str::to_owned);
    let expected: Vec<_> = exact.lines().filter_map(without_distance).collect();
    assert_eq!(results.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn both_files_of_a_slice_are_verified() {
    let place = folder();
    good("build --variant english --pieces 2", &place);
    good("build --variant english --pieces 2 --wld", &place);
    let files = fs::read_dir(place.path()).expect("a folder").flatten().map(|entry| entry.path());
    let mut results: Vec<_> = files.filter(|path| path.extension().is_some_and(|kind| kind == "wld")).collect();
    results.sort();
    let path = results.first().expect("a file with results");
    let mut bytes = fs::read(path).expect("it can be read");
    let last = bytes.len() - 5;
    bytes[last] ^= 1;
    fs::write(path, bytes).expect("it can be written");
    let (output, _, success) = tables("verify --variant english --pieces 2", &place);
    assert!(!success && output.contains(&format!(" {}: ", path.display())), "{output}");
    assert!(
        output.ends_with(&format!("{} slices: {} valid, 1 faulty\n", results.len(), results.len() - 1)),
        "{output}"
    );
}

#[test]
fn slices_of_results_can_be_built_separately() {
    let place = folder();
    let list = good("build --variant english --pieces 3 --wld --list", &place);
    let missing = |arguments: &str| {
        let (_, errors, success) = tables(arguments, &place);
        assert!(!success, "{arguments}");
        errors
    };
    let errors = missing("build --variant english --slice 1m1k-0m1k --wld");
    assert!(errors.contains("1m1k-0m1k depends on slices missing from"), "{errors}");
    for slice in list.lines().filter_map(|line| line.split(' ').nth(1)) {
        good(&format!("build --variant english --slice {slice} --wld"), &place);
    }
    let list = good("build --variant english --pieces 3 --wld --list", &place);
    assert!(list.lines().all(|line| line.ends_with(" built")), "{list}");
    // The files do not depend on the number of threads.
    let single = folder();
    good("build --variant english --pieces 3 --wld --threads 1", &single);
    for entry in fs::read_dir(single.path()).expect("a folder").flatten() {
        let [one, other] =
            [entry.path(), place.path().join(entry.file_name())].map(|path| fs::read(path).expect("a file"));
        assert!(one == other, "{:?}", entry.file_name());
    }
    let errors = missing("build --variant english --pieces 7 --wld --memory 100");
    assert!(errors.contains("requires 1.7 GiB of memory for 2m2k-1m2k; "), "{errors}");
}
