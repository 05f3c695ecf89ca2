//! The statistics of matches, held against figures that others compute.

use soffio_cli::arena::statistics::{Decision, Elo, Sample, Sprt, elo_of_score, score_of_elo};

#[test]
fn results_without_deviation_have_an_estimate_too() {
    let level = Elo::estimate(&Sample::new(&[0, 0, 7, 0, 0], 2)).unwrap();
    assert_eq!((level.difference, level.error, level.superiority), (0.0, 0.0, 0.5));
    assert_eq!((level.normalized, level.normalized_error), (0.0, 0.0));
    let won = Elo::estimate(&Sample::new(&[0, 0, 9], 1)).unwrap();
    assert_eq!((won.difference, won.superiority, won.normalized), (f64::INFINITY, 1.0, f64::INFINITY));
    assert_eq!(Elo::estimate(&Sample::new(&[0, 0, 0], 1)), None);
}

fn estimate(counts: &[u64]) -> Elo {
    Elo::estimate(&Sample::new(counts, if counts.len() == 5 { 2 } else { 1 })).unwrap()
}

/// Results by losses, draws and wins, or by pairs, and Elo with its error, as the match runner fastchess has them in
/// its own tests (`tests/elo_test.cpp` and `app/tests/elo_test.cpp`).
#[test]
fn estimates_are_those_that_others_compute() {
    for (counts, difference, error) in [
        (&[772, 1329, 859][..], 10.21, 9.28),
        (&[1267, 3049, 1164], -6.53, 6.12),
        (&[34, 54, 63, 64, 75], 55.58, 27.65),
        (&[332, 433, 498, 333, 334], -8.64, 10.33),
    ] {
        let elo = estimate(counts);
        let is_near = (elo.difference - difference).abs() < 0.05 && (elo.error - error).abs() < 0.05;
        assert!(is_near, "{counts:?}: {elo}, not {difference} +/- {error}");
    }
}

/// Normalized Elo with its error and the likelihood of superiority in percent, from the same tests.
#[test]
fn normalized_estimates_are_those_that_others_compute() {
    for (counts, normalized, error, superiority) in [
        (&[89, 123, 76][..], -20.76, 40.13, 15.53),
        (&[356, 0, 34], -508.44, 34.48, 0.0),
        (&[34, 54, 63, 64, 75], 57.94, 28.28, 100.0),
        (&[332, 433, 498, 333, 334], -9.17, 10.96, 5.05),
    ] {
        let elo = estimate(counts);
        assert!((elo.normalized - normalized).abs() < 0.02, "{counts:?}: {elo:?}");
        assert!((elo.normalized_error - error).abs() < 0.02, "{counts:?}: {elo:?}");
        assert!((100.0 * elo.superiority - superiority).abs() < 0.01, "{counts:?}: {elo:?}");
    }
}

#[test]
fn elo_and_score_are_inverse() {
    assert!((elo_of_score(0.64) - 99.95).abs() < 0.01, "{}", elo_of_score(0.64));
    assert_eq!(elo_of_score(0.5), 0.0);
    for elo in [-300.0, -5.0, 0.0, 12.5, 400.0] {
        assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
    }
    assert_eq!(elo_of_score(1.0), f64::INFINITY);
}

fn ratio(test: &str, counts: &[u64]) -> f64 {
    let sprt: Sprt = test.parse().unwrap();
    sprt.ratio(&Sample::new(counts, if counts.len() == 5 { 2 } else { 1 }))
}

/// Results and ratios that the match runner fastchess has in its own tests (`app/tests/sprt_test.cpp`).
#[test]
fn ratios_are_those_that_others_compute() {
    for (test, counts, expected) in [
        ("elo0=0,elo1=2,model=normalized", &[36027, 68692, 36433][..], 0.92),
        ("elo0=-1.75,elo1=0.25,model=normalized", &[10650, 20431, 10871], 2.30),
        ("elo0=0.5,elo1=2.5,model=logistic", &[21184, 40708, 21404], -1.57),
        ("elo0=0,elo1=2", &[57030, 106_593, 57433], -2.59),
        ("elo0=0,elo1=2,model=normalized", &[365, 16618, 36229, 16974, 390], 2.25),
        ("elo0=-1.75,elo1=0.25,model=normalized", &[127, 4883, 10712, 5150, 104], 3.01),
        ("elo0=0.5,elo1=2.5", &[223, 9863, 21279, 10037, 246], -3.07),
        ("elo0=0,elo1=2", &[871, 26175, 55983, 26678, 821], -4.98),
    ] {
        let found = ratio(test, counts);
        assert!((found - expected).abs() < 0.01, "{test} {counts:?}: {found}, not {expected}");
    }
    assert_eq!(ratio("elo0=0,elo1=5", &[0; 5]), 0.0);
}

#[test]
fn results_of_one_kind_only_have_a_ratio_too() {
    for model in ["logistic", "normalized"] {
        let won = ratio(&format!("elo0=0,elo1=100,model={model}"), &[0, 0, 0, 0, 50]);
        let lost = ratio(&format!("elo0=0,elo1=100,model={model}"), &[50, 0, 0, 0, 0]);
        assert!(won > 3.0 && lost < -3.0, "{model}: {won} {lost}");
    }
}

#[test]
fn the_bounds_are_those_of_wald() {
    let sprt: Sprt = "elo0=0,elo1=5,alpha=0.05,beta=0.1".parse().unwrap();
    let (lower, upper) = sprt.bounds();
    assert!((lower + 2.251).abs() < 1e-3 && (upper - 2.890).abs() < 1e-3, "{lower} {upper}");
    assert_eq!(sprt.decide(&Sample::new(&[0, 100, 900, 300, 10], 2)), Decision::Elo1);
    assert_eq!(sprt.decide(&Sample::new(&[10, 300, 900, 100, 0], 2)), Decision::Elo0);
    assert_eq!(sprt.decide(&Sample::new(&[1, 3, 9, 3, 1], 2)), Decision::Open);
}

#[test]
fn tests_are_complete_or_refused() {
    for (text, error) in [
        ("elo0=0", "elo0 and elo1 must be given"),
        ("elo0=5,elo1=5", "elo0 must be less than elo1, by no more than 1000"),
        ("elo0=0,elo1=5,alpha=0.5", "alpha and beta must be between 0 and 0.5"),
        ("elo0=0,elo1=inf", "elo1: expected a number, found 'inf'"),
        ("elo0=0,elo1=5,model=x", "model: expected logistic or normalized, found 'x'"),
        ("elo2=0", "expected elo0=,elo1=,alpha=,beta=,model=, found 'elo2=0'"),
    ] {
        assert_eq!(text.parse::<Sprt>().unwrap_err().to_string(), error);
    }
}
