//! The status line that CheckerBoard displays and logs during a search.

use soffio::engine::Bound;
use soffio::{Answer, Move, Report, Variant, WrittenGame};
use std::time::Duration;

/// Maximum length of the status in bytes. CheckerBoard's buffer has 1023 bytes and must also hold the remaining time.
const MAX_STATUS_BYTES: usize = 900;

#[derive(Debug)]
pub struct StatusLine<'a> {
    game: &'a WrittenGame,
    shows_all: bool,
    max_lines: usize,
    /// The last report of each principal variation, with the best variation first. All variations begin with different
    /// moves.
    lines: Vec<Report>,
}

impl<'a> StatusLine<'a> {
    pub const fn new(game: &'a WrittenGame, shows_all: bool, max_lines: usize) -> Self {
        Self { game, shows_all, max_lines, lines: Vec::new() }
    }

    /// Adds a report. The reports about other moves may come from an older iteration, and stay until they are replaced.
    pub fn report(&mut self, report: &Report) {
        self.lines.retain(|line| line.line.first() != report.line.first());
        self.lines.insert(report.rank.min(self.lines.len()), report.clone());
        self.lines.truncate(self.max_lines);
    }

    pub fn text(&self) -> String {
        let Some(best) = self.lines.first() else { return String::new() };
        let head = head(best.depth, best.selective_depth, &bounded(best), best.time, best.nodes);
        self.with_moves(&head, &best.line)
    }

    pub fn last_text(&self, answer: &Answer) -> String {
        let selective_depth = self.lines.first().map_or(answer.depth.into(), |best| best.selective_depth);
        let head = head(answer.depth, selective_depth, &answer.value.in_words(), answer.time, answer.nodes);
        self.with_moves(&head, &answer.line)
    }

    fn with_moves(&self, head: &str, line: &[Move]) -> String {
        let pv = || format!("pv {}", self.game.line_text(line).join(" "));
        let moves = if self.shows_all { format!("all {}", self.all()) } else { pv() };
        cut(format!("{head}  {moves}"))
    }

    fn all(&self) -> String {
        let moves = self
            .lines
            .iter()
            .filter_map(|line| Some(format!("{} {}", self.game.text(*line.line.first()?), bounded(line))));
        moves.collect::<Vec<_>>().join(", ")
    }
}

fn head(depth: u8, selective_depth: u16, value: &str, time: Duration, nodes: u64) -> String {
    let seconds = time.as_secs_f64();
    let kilonodes = (nodes as f64 / seconds.max(0.001) / 1000.0).round();
    format!("depth {depth}/{selective_depth}  value {value}  time {seconds:.1}s  speed {kilonodes} kN/s")
}

pub fn of_fault(game: Variant, fault: &dyn std::fmt::Display) -> String {
    cut(format!("soffio {game}: {fault}"))
}

fn bounded(report: &Report) -> String {
    let sign = match report.bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    format!("{sign}{}", report.value.in_words())
}

/// Truncates `text` to [`MAX_STATUS_BYTES`] bytes, at a space if possible.
fn cut(mut text: String) -> String {
    if text.len() > MAX_STATUS_BYTES {
        let end = text
            .char_indices()
            .map(|(index, _)| index)
            .take_while(|&index| index <= MAX_STATUS_BYTES)
            .last()
            .unwrap_or(0);
        let end = text.get(..end).and_then(|start| start.rfind(' ')).unwrap_or(end);
        text.truncate(end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::engine::Signal;
    use soffio::{Engine, Limits};

    fn searched() -> (WrittenGame, Report) {
        let game = WrittenGame::new(Variant::English);
        let mut found = None;
        let limits = Limits { depth: Some(1), ..Limits::default() };
        Engine::new()
            .go_with_reports(game.game(), limits, &Signal::default(), &mut |report| found = Some(report.clone()))
            .unwrap();
        (game, Report { time: Duration::from_millis(100), nodes: 1000, ..found.unwrap() })
    }

    fn of_move((game, report): &(WrittenGame, Report), rank: usize, text: &str, bound: Bound) -> Report {
        let line = game.game().legal_moves().into_iter().filter(|&mv| game.text(mv) == text).collect();
        Report { rank, bound, line, ..report.clone() }
    }

    #[test]
    fn a_move_with_a_changed_score_hides_no_other_move() {
        let searched = searched();
        let value = searched.1.value.in_words();
        let mut status = StatusLine::new(&searched.0, true, 3);
        for (rank, mv) in ["9-13", "9-14", "10-14"].into_iter().enumerate() {
            status.report(&of_move(&searched, rank, mv, Bound::Exact));
        }
        let all = status.text();
        assert!(all.ends_with(&format!("  all 9-13 {value}, 9-14 {value}, 10-14 {value}")), "{all}");
        // The third move is now better than the first move, which is not reported again before the search ends.
        status.report(&of_move(&searched, 0, "10-14", Bound::Lower));
        let all = status.text();
        assert!(all.ends_with(&format!("  all 10-14 >={value}, 9-13 {value}, 9-14 {value}")), "{all}");
        status.report(&of_move(&searched, 1, "11-15", Bound::Upper));
        let all = status.text();
        assert!(all.ends_with(&format!("  all 10-14 >={value}, 11-15 <={value}, 9-13 {value}")), "{all}");
    }

    #[test]
    fn a_single_line_shows_the_best_move() {
        let searched = searched();
        let (value, selective) = (searched.1.value.in_words(), searched.1.selective_depth);
        let mut status = StatusLine::new(&searched.0, false, 1);
        assert_eq!(status.text(), "");
        status.report(&of_move(&searched, 0, "9-13", Bound::Exact));
        status.report(&of_move(&searched, 0, "9-14", Bound::Lower));
        assert_eq!(status.text(), format!("depth 1/{selective}  value >={value}  time 0.1s  speed 10 kN/s  pv 9-14"));
    }
}
