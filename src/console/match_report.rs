//! What a match prints.

use super::Settings;
use crate::arena::Results;
use crate::arena::statistics::{Elo, Sprt, Tally};
use std::fmt::Write;
use std::time::Duration;

/// One line on how the match stands.
pub(super) fn progress(settings: &Settings, results: &Results, elapsed: Duration) -> String {
    let played = results.games();
    let mut text = format!("game {played}/{}", settings.games);
    if let Some(tally) = results.tallies.get(&(0, 1)) {
        let [losses, draws, wins] = tally.games;
        let _ = write!(text, "  +{wins} ={draws} -{losses}");
        if let Some(elo) = Elo::estimate(&tally.sample()) {
            let _ = write!(text, "  Elo {elo}");
        }
        if let Some(sprt) = &settings.sprt {
            let (lower, upper) = sprt.bounds();
            let _ = write!(text, "  LLR {:.2} [{lower:.2}, {upper:.2}]", sprt.ratio(&tally.sample()));
        }
    }
    let left = u64::from(settings.games).saturating_sub(played);
    if played > 0 && left > 0 {
        let time = elapsed.mul_f64(left as f64 / played as f64);
        let _ = write!(text, "  {} left", duration(time));
    }
    text
}

/// A time for people: its two greatest units.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// The table at the end.
pub(super) fn table(settings: &Settings, results: &Results, elapsed: Duration) -> String {
    let mut text = String::new();
    let name = |index: usize| settings.names.get(index).map_or("?", String::as_str);
    for (&(one, other), tally) in &results.tallies {
        let _ = writeln!(text, "{} against {}, {}", name(one), name(other), settings.variant);
        text.push_str(&standing(tally, settings.sprt.as_ref()));
    }
    let ended: Vec<_> = results.terminations.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let _ = writeln!(text, "  ended by       {}", ended.join(", "));
    for (&index, figures) in &results.engines {
        let mean = |(count, sum): (u64, u64)| if count == 0 { 0.0 } else { sum as f64 / count as f64 };
        let time = figures.time.as_secs_f64() * 1e3 / figures.moves.max(1) as f64;
        let (nodes, depth) = (mean(figures.nodes), mean(figures.depth));
        let _ = write!(text, "  {:<14} {nodes:.0} nodes, depth {depth:.1}, {time:.2} ms a move", name(index));
        for (kind, count) in &figures.faults {
            let _ = write!(text, ", {kind} {count}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "  time           {}", duration(elapsed));
    text
}

/// The lines on one pair of engines.
fn standing(tally: &Tally, sprt: Option<&Sprt>) -> String {
    let mut text = String::new();
    let [losses, draws, wins] = tally.games;
    let sample = tally.sample();
    let score = wins as f64 + draws as f64 / 2.0;
    let percent = 100.0 * score / tally.count().max(1) as f64;
    let _ = writeln!(text, "  games          {}: +{wins} ={draws} -{losses}, {percent:.1} %", tally.count());
    let pairs = tally.pairs.map(|count| count.to_string()).join(" ");
    let _ = writeln!(text, "  pairs          {pairs} (0, 1/2, 1, 1 1/2, 2 points)");
    if let Some(elo) = Elo::estimate(&sample) {
        let _ = writeln!(text, "  Elo            {elo} (95 %), LOS {:.1} %", 100.0 * elo.superiority);
        let _ = writeln!(text, "  normalized Elo {:+.1} +/- {:.1}", elo.normalized, elo.normalized_error);
    }
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        let (ratio, decision) = (sprt.ratio(&sample), sprt.decide(&sample));
        let _ = writeln!(
            text,
            "  SPRT           elo0 {} elo1 {}: LLR {ratio:.2} [{lower:.2}, {upper:.2}], {decision}",
            sprt.elo0, sprt.elo1
        );
    }
    text
}
