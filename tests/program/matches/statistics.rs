//! Tests that compare match statistics with figures from other programs.

use crate::process::run_in;
use soffio_match::statistics::{Decision, Elo, ScoreSample, Sprt, elo_of_score, score_of_elo};
use std::path::Path;

/// Maximum difference from the maximum log-likelihood within the 95 % confidence interval.
const ALLOWED: f64 = 1.959_963_984_540_054 * 1.959_963_984_540_054 / 2.0;

#[test]
fn a_few_results_have_a_correct_interval() {
    // If only one kind of result occurred, its probability is at least exp(-ALLOWED / count). The remaining probability
    // goes to the worst score.
    for (counts, score) in [
        (&[0, 0, 0, 1, 0][..], 0.75),
        (&[0, 0, 1, 0, 0], 0.5),
        (&[0, 0, 7, 0, 0], 0.5),
        (&[0, 0, 0, 0, 1], 1.0),
        (&[0, 9, 0], 0.5),
        (&[3, 0, 0], 0.0),
    ] {
        let share = (-ALLOWED / counts.iter().sum::<u64>() as f64).exp();
        let (low, high) = sample(counts).interval();
        assert!((low - score * share).abs() < 0.003, "{counts:?}: {low}");
        assert!((high - (1.0 - (1.0 - score) * share)).abs() < 0.003, "{counts:?}: {high}");
    }
    let printed = |counts: &[u64]| estimate(counts).to_string();
    assert_eq!(printed(&[0, 0, 0, 1, 0]), "+190.8 +/- 467.4");
    assert_eq!(printed(&[0, 0, 1, 0, 0]), "+0.0 +/- 442.6");
    assert_eq!(
        (printed(&[0, 0, 0, 0, 1]), printed(&[1, 0, 0])),
        ("above -308.6".to_owned(), "below +308.3".to_owned())
    );
    for counts in [&[0, 0, 0, 1, 0][..], &[0, 0, 0, 0, 1], &[0, 0, 1], &[0, 1, 1]] {
        let elo = estimate(counts);
        assert!((0.6..0.95).contains(&elo.superiority), "{counts:?}: {elo:?}");
        assert_eq!(elo.normalized, None, "{counts:?}");
    }
    let level = estimate(&[0, 0, 500, 0, 0]);
    assert!((1.0..2.0).contains(&level.error()) && (level.superiority - 0.5).abs() < 1e-6, "{level:?}");
    assert_eq!((level.difference, level.normalized), (0.0, None));
    assert_eq!(Elo::estimate(&ScoreSample::new(&[0, 0, 0], 1)), None);
}

/// Returns all ways to distribute `units` units among `scores` scores.
fn results(units: u64, scores: usize) -> Vec<Vec<u64>> {
    if scores == 1 {
        return vec![vec![units]];
    }
    let of_first =
        |first: u64| results(units - first, scores - 1).into_iter().map(move |rest| [vec![first], rest].concat());
    (0..=units).flat_map(of_first).collect()
}

#[test]
fn the_interval_contains_the_true_score_as_often_as_it_should() {
    // Computes the probability of every result of a few pairs under a known distribution.
    let factorial = |number: u64| (1..=number).map(|factor| factor as f64).product::<f64>();
    for distribution in [[0.05, 0.2, 0.5, 0.2, 0.05], [0.02, 0.1, 0.5, 0.28, 0.1], [0.01, 0.04, 0.15, 0.3, 0.5]] {
        let mean: f64 = distribution.iter().zip(0..).map(|(p, score)| p * f64::from(score) / 4.0).sum();
        for units in [1, 2, 3, 5, 8] {
            let probability = |counts: &[u64]| {
                let terms = counts
                    .iter()
                    .zip(distribution)
                    .map(|(&count, p): (_, f64)| p.powi(count as i32) / factorial(count));
                factorial(units) * terms.product::<f64>()
            };
            let covers = |counts: &Vec<u64>| {
                let (low, high) = sample(counts).interval();
                low <= mean && mean <= high
            };
            let covered: f64 =
                results(units, 5).iter().filter(|counts| covers(counts)).map(|counts| probability(counts)).sum();
            assert!(covered > 0.945, "{distribution:?}, {units} pairs: {covered}");
        }
    }
}

fn sample(counts: &[u64]) -> ScoreSample {
    ScoreSample::new(counts, if counts.len() == 5 { 2 } else { 1 })
}

fn estimate(counts: &[u64]) -> Elo {
    Elo::estimate(&sample(counts)).unwrap()
}

/// Numbers of losses, draws and wins (or pairs) with the Elo difference and its error, taken from the tests of the
/// match runner fastchess (`tests/elo_test.cpp` and `app/tests/elo_test.cpp`).
#[test]
fn estimates_match_fastchess() {
    for (counts, difference, error) in [
        (&[772, 1329, 859][..], 10.21, 9.28),
        (&[1267, 3049, 1164], -6.53, 6.12),
        (&[34, 54, 63, 64, 75], 55.58, 27.65),
        (&[332, 433, 498, 333, 334], -8.64, 10.33),
    ] {
        let elo = estimate(counts);
        let is_near = (elo.difference - difference).abs() < 0.05 && (elo.error() - error).abs() < 0.05;
        assert!(is_near, "{counts:?}: {elo}, not {difference} +/- {error}");
    }
}

/// Normalized Elo with its error and the likelihood of superiority in percent, taken from the same tests.
#[test]
fn normalized_estimates_match_fastchess() {
    for (counts, normalized, error, superiority) in [
        (&[89, 123, 76][..], -20.76, 40.13, 15.53),
        (&[356, 0, 34], -508.44, 34.48, 0.0),
        (&[34, 54, 63, 64, 75], 57.94, 28.28, 100.0),
        (&[332, 433, 498, 333, 334], -9.17, 10.96, 5.05),
    ] {
        let elo = estimate(counts);
        let found = elo.normalized.unwrap();
        assert!((found.0 - normalized).abs() < 0.02 && (found.1 - error).abs() < 0.02, "{counts:?}: {elo:?}");
        // The tolerance is needed because fastchess uses the normal distribution.
        assert!((100.0 * elo.superiority - superiority).abs() < 0.05, "{counts:?}: {elo:?}");
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
    sprt.ratio(&sample(counts))
}

/// Results and ratios taken from the tests of the match runner fastchess (`app/tests/sprt_test.cpp`).
#[test]
fn ratios_match_fastchess() {
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
fn results_of_a_single_kind_have_a_ratio() {
    for model in ["logistic", "normalized"] {
        let won = ratio(&format!("elo0=0,elo1=100,model={model}"), &[0, 0, 0, 0, 50]);
        let lost = ratio(&format!("elo0=0,elo1=100,model={model}"), &[50, 0, 0, 0, 0]);
        assert!(won > 3.0 && lost < -3.0, "{model}: {won} {lost}");
    }
}

/// Ratios for normalized Elo, found by a general optimiser (SLSQP of SciPy 1.17; the best of 60 starts for each
/// hypothesis).
#[test]
fn ratios_of_one_sided_pairs_match_an_optimiser() {
    const HYPOTHESES: [&str; 5] = ["-1500,elo1=-500", "0,elo1=500", "-400,elo1=-100", "-800,elo1=-300", "300,elo1=600"];
    for (counts, expected) in [
        ([0, 0, 0, 0, 200], [410.6866, 128.1047, 287.6159, 327.2774, 16.4171]),
        ([200, 0, 0, 0, 0], [-9.1994, -455.5964, -59.2807, -19.5610, -222.0362]),
        ([0, 0, 7, 0, 0], [14.0499, -11.4518, 7.9890, 10.7681, -7.1953]),
        ([0, 0, 0, 5, 0], [10.1402, 1.9040, 6.5072, 7.9236, 0.1955]),
        ([1, 3, 20, 30, 12], [130.8866, -6.1045, 79.7712, 101.0627, -29.4120]),
        ([30, 4, 2, 0, 0], [1.4388, -79.7842, -9.8613, -3.1830, -39.5193]),
        ([0, 0, 0, 0, 1], [2.0510, 0.6365, 1.4352, 1.6341, 0.0807]),
    ] {
        for (hypotheses, expected) in HYPOTHESES.iter().zip(expected) {
            let found = ratio(&format!("elo0={hypotheses},model=normalized"), &counts);
            assert!((found - expected).abs() < 0.001 + 1e-4 * expected.abs(), "{counts:?} {hypotheses}: {found}");
        }
    }
}

/// Returns the maximum log-likelihood of `frequencies` over all distributions of losses, draws and wins whose mean is
/// `t` standard deviations above 1/2. The draw ratio determines such a distribution, so the function searches over the
/// draw ratio.
fn greatest(frequencies: [f64; 3], t: f64) -> f64 {
    let likelihood = |draws: f64| {
        let lead = t * ((1.0 - draws) / (1.0 + t * t)).sqrt();
        let shares = [(1.0 - draws - lead) / 2.0, draws, (1.0 - draws + lead) / 2.0];
        let is_possible = shares.iter().all(|share| *share > 0.0);
        if is_possible { frequencies.iter().zip(shares).map(|(f, p)| f * p.ln()).sum() } else { f64::NEG_INFINITY }
    };
    let most = 1.0 / (1.0 + t * t);
    let (mut best, mut step) = (0.0, 0.01_f64);
    // The scale is fine at both ends, and is refined around the maximum.
    let draws = |x: f64| most / (1.0 + (-x).exp());
    let mut range = (-40.0, 40.0);
    while step > 1e-9 {
        let steps = ((range.1 - range.0) / step) as usize;
        let tried = (0..=steps).map(|number| range.0 + number as f64 * step);
        best = tried.max_by(|one, other| likelihood(draws(*one)).total_cmp(&likelihood(draws(*other)))).unwrap();
        range = (best - 2.0 * step, best + 2.0 * step);
        step /= 20.0;
    }
    likelihood(draws(best))
}

#[test]
fn ratios_by_normalized_elo_match_a_search_over_all_distributions() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..30 {
        let counts: [u64; 3] = std::array::from_fn(|_| random.u64(0..200) * u64::from(random.bool()));
        let count: u64 = counts.iter().sum();
        let (elo0, width) = (random.f64() * 2500.0 - 1500.0, random.f64() * 1000.0);
        let regularised = counts.map(|count| (count as f64).max(1e-3));
        let frequencies = regularised.map(|seen| seen / regularised.iter().sum::<f64>());
        let t = |elo: f64| elo * 10f64.ln() / 800.0;
        let expected = count as f64 * (greatest(frequencies, t(elo0 + width)) - greatest(frequencies, t(elo0)));
        let found = ratio(&format!("elo0={elo0},elo1={},model=normalized", elo0 + width), &counts);
        assert!(
            (found - expected).abs() < 1e-4 * (1.0 + expected.abs()),
            "{counts:?} {elo0} {width}: {found}, not {expected}"
        );
    }
}

#[test]
fn a_one_sided_match_ends_its_test() {
    for (hypotheses, won, lost) in [
        ("elo0=-1500,elo1=-500", Decision::Elo1, Decision::Elo0),
        ("elo0=0,elo1=500", Decision::Elo1, Decision::Elo0),
        ("elo0=-400,elo1=-100", Decision::Elo1, Decision::Elo0),
        ("elo0=-800,elo1=-300", Decision::Elo1, Decision::Elo0),
        ("elo0=300,elo1=600", Decision::Elo1, Decision::Elo0),
        ("elo0=-3000,elo1=-2000", Decision::Elo1, Decision::Open),
        ("elo0=2000,elo1=3000", Decision::Open, Decision::Elo0),
    ] {
        for model in ["logistic", "normalized"] {
            let sprt: Sprt = format!("{hypotheses},model={model}").parse().unwrap();
            for (counts, expected) in
                [(&[0, 0, 0, 0, 200][..], won), (&[200, 0, 0, 0, 0], lost), (&[0, 0, 400], won), (&[400, 0, 0], lost)]
            {
                let ratio = sprt.ratio(&sample(counts));
                assert!(ratio.is_finite(), "{hypotheses} {model} {counts:?}");
                assert_eq!(sprt.decide(&sample(counts)), expected, "{hypotheses} {model} {counts:?}: {ratio}");
            }
        }
    }
}

#[test]
fn the_bounds_match_wald() {
    let sprt: Sprt = "elo0=0,elo1=5,alpha=0.05,beta=0.1".parse().unwrap();
    let (lower, upper) = sprt.bounds();
    assert!((lower + 2.251).abs() < 1e-3 && (upper - 2.890).abs() < 1e-3, "{lower} {upper}");
    assert_eq!(sprt.decide(&ScoreSample::new(&[0, 100, 900, 300, 10], 2)), Decision::Elo1);
    assert_eq!(sprt.decide(&ScoreSample::new(&[10, 300, 900, 100, 0], 2)), Decision::Elo0);
    assert_eq!(sprt.decide(&ScoreSample::new(&[1, 3, 9, 3, 1], 2)), Decision::Open);
}

#[test]
fn tests_are_complete_or_rejected() {
    for (text, error) in [
        ("elo0=0", "elo0 and elo1 are required"),
        ("elo0=5,elo1=5", "elo0 must be less than elo1, and the difference at most 1000"),
        ("elo0=0,elo1=5,alpha=0.5", "alpha and beta must be between 0 and 0.5"),
        ("elo0=-4000,elo1=-3500", "elo0 and elo1 must be from -3000 to 3000"),
        ("elo0=0,elo1=inf", "elo1: expected a number, found 'inf'"),
        ("elo0=0,elo1=5,model=x", "model: expected logistic or normalized, found 'x'"),
        ("elo2=0", "expected elo0=,elo1=,alpha=,beta=,model=, found 'elo2=0'"),
    ] {
        assert_eq!(text.parse::<Sprt>().unwrap_err().to_string(), error);
    }
}

#[test]
fn given_results_are_counted_like_those_of_a_match() {
    let sprt = |line: &str| {
        let (output, errors, is_success) = run_in(Path::new("."), &format!("sprt {line}"), "");
        (output + &errors, is_success)
    };
    let of_games = "  games          2960: +859 =1329 -772, 51.5 %\n  Elo            +10.2 +/- 9.3 (95 %), LOS 98.4 %\n  normalized Elo +13.8 +/- 12.5\n";
    assert_eq!(sprt("--games 859,1329,772"), (of_games.to_owned(), true));
    let (text, is_good) = sprt("elo0=0,elo1=2,model=normalized --pairs 365,16618,36229,16974,390");
    assert!(
        is_good && text.starts_with("  pairs          365 16618 36229 16974 390 (0, 1/2, 1, 1 1/2, 2 points)\n"),
        "{text}"
    );
    assert!(text.ends_with("  SPRT           elo0 0 elo1 2: LLR 2.25 [-2.94, 2.94], open\n"), "{text}");
    let (text, _) = sprt("elo0=300,elo1=600,model=normalized --games 400,0,0");
    assert!(
        text.contains("\n  Elo            above +926.2 (95 %), LOS 100.0 %\n  SPRT ")
            && text.ends_with(", H1 accepted\n"),
        "{text}"
    );
    for (line, error) in [
        ("--games 0,0,0", "soffio: no results: all counts are 0\n"),
        ("--games 1,2", "expected 3 numbers separated by commas"),
        ("--games 1,2,3,4", "expected 3 numbers separated by commas"),
        ("--games 1,-2,3", "expected 3 numbers"),
        ("--pairs 1,2,3", "expected 5 numbers separated by commas"),
        ("--games 1,2,99999999999999999999", "expected 3 numbers"),
        ("elo0=0,elo1=5", "--games"),
        ("--games 1,2,3 --pairs 1,2,3,4,5", "cannot be used with"),
        ("elo0=0 --games 1,2,3", "elo0 and elo1 are required"),
    ] {
        let (text, is_good) = sprt(line);
        assert!(!is_good && text.contains(error), "{line}: {text}");
    }
}
