//! The state of a search as a line `info`.

use crate::search::{Bound, Value};
use std::fmt;
use std::time::Duration;

/// The state of a search, as far as the line tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration in plies.
    pub depth: Option<u32>,
    /// Deepest ply reached.
    pub selective_depth: Option<u32>,
    /// Place of the line among those asked for, from 1.
    pub rank: Option<usize>,
    /// The score for the side to move, and what it means.
    pub score: Option<(Value, Bound)>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Fill of the transposition table, in permille.
    pub permille_used: Option<u16>,
    /// Positions that endgame tables had an answer for.
    pub table_hits: Option<u64>,
    /// Time since the search began, in whole milliseconds when it is read.
    pub time: Option<Duration>,
    /// The root move that is being searched.
    pub current_move: Option<String>,
    /// Its place in the order of the iteration, from 1.
    pub current_number: Option<usize>,
    /// The line that both sides are expected to play.
    pub line: Option<Vec<String>>,
}

impl Info {
    /// Reads what follows `info`, up to a text for people; what is not understood is left out.
    pub(super) fn read(text: &str) -> Self {
        fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
            word.and_then(|word| word.parse().ok())
        }
        let mut info = Self::default();
        let mut words = text.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(words.next()),
                "seldepth" => info.selective_depth = number(words.next()),
                "multipv" => info.rank = number(words.next()),
                "score" => {
                    let (kind, size) = (words.next(), words.next());
                    info.score = kind.zip(size).and_then(|(kind, size)| read_score(kind, size));
                }
                "lowerbound" => info.score = info.score.map(|(value, _)| (value, Bound::Lower)),
                "upperbound" => info.score = info.score.map(|(value, _)| (value, Bound::Upper)),
                "nodes" => info.nodes = number(words.next()),
                "hashfull" => info.permille_used = number(words.next()),
                "tbhits" => info.table_hits = number(words.next()),
                "time" => info.time = number(words.next()).map(Duration::from_millis),
                "currmove" => info.current_move = words.next().map(str::to_owned),
                "currmovenumber" => info.current_number = number(words.next()),
                "pv" => info.line = Some(words.by_ref().map(str::to_owned).collect()),
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

impl fmt::Display for Info {
    /// Prints what is known, in the order that `protocol.md` shows; the speed is computed from nodes and time.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
            value.iter().try_for_each(|value| write!(f, " {name} {value}"))
        }
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.selective_depth)?;
        field(f, "multipv", self.rank)?;
        if let Some((value, bound)) = self.score {
            let bound = match bound {
                Bound::Exact => "",
                Bound::Lower => " lowerbound",
                Bound::Upper => " upperbound",
            };
            write!(f, " score {value}{bound}")?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nodes.zip(self.time).map(|(nodes, time)| per_second(nodes, time)))?;
        field(f, "hashfull", self.permille_used)?;
        field(f, "tbhits", self.table_hits)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "currmove", self.current_move.as_ref())?;
        field(f, "currmovenumber", self.current_number)?;
        let Some(line) = &self.line else { return Ok(()) };
        f.write_str(" pv")?;
        line.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// `count` in a second, when it took `time`.
pub fn per_second(count: u64, time: Duration) -> u64 {
    let nanoseconds = time.as_nanos().max(1);
    u64::try_from(u128::from(count) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX)
}

/// The score `kind size`; one that is too great for its type is the greatest there is.
fn read_score(kind: &str, size: &str) -> Option<(Value, Bound)> {
    let size: i64 = size.parse().ok()?;
    let moves = || u16::try_from(size.max(0)).unwrap_or(u16::MAX);
    let value = match kind {
        "cp" => Value::Centimen(size.clamp(i16::MIN.into(), i16::MAX.into()) as i16),
        "win" => Value::Win(moves()),
        "loss" => Value::Loss(moves()),
        _ => return None,
    };
    Some((value, Bound::Exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full(score: (Value, Bound)) -> Info {
        Info {
            depth: Some(12),
            selective_depth: Some(20),
            rank: Some(1),
            score: Some(score),
            nodes: Some(3000),
            permille_used: Some(7),
            table_hits: Some(0),
            time: Some(Duration::from_millis(1500)),
            line: Some(vec!["11-15".to_owned(), "23x14".to_owned()]),
            ..Info::default()
        }
    }

    #[test]
    fn what_is_printed_is_read_back() {
        let text = "info depth 12 seldepth 20 multipv 1 score cp -7 nodes 3000 nps 2000 hashfull 7 tbhits 0 time 1500 \
                    pv 11-15 23x14";
        assert_eq!(full((Value::Centimen(-7), Bound::Exact)).to_string(), text);
        let current =
            Info { depth: Some(3), current_move: Some("11-15".to_owned()), current_number: Some(2), ..Info::default() };
        assert_eq!(current.to_string(), "info depth 3 currmove 11-15 currmovenumber 2");
        let values = [Value::Centimen(i16::MIN), Value::Centimen(9), Value::Win(4), Value::Loss(0), Value::Loss(4)];
        let bounds = [Bound::Exact, Bound::Lower, Bound::Upper];
        let scored = values.into_iter().flat_map(|value| bounds.map(|bound| full((value, bound))));
        let empty_line = Info { line: Some(Vec::new()), ..Info::default() };
        for info in scored.chain([current, empty_line, Info::default()]) {
            let text = info.to_string();
            assert_eq!(text.strip_prefix("info").map(Info::read), Some(info), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        let read = |text| Info::read(text);
        assert_eq!(read("score win 4 depth x time -1").score, Some((Value::Win(4), Bound::Exact)));
        assert_eq!(read("score win 4 depth x time -1"), Info { score: read("score win 4").score, ..Info::default() });
        for text in ["score", "score cp", "score mate 3", "depth", "string depth 3", "pvs 1"] {
            assert_eq!(read(text), Info::default(), "{text}");
        }
        assert_eq!(read("depth 2 string depth 3").depth, Some(2));
        assert_eq!(read("pv 1-5 depth 9").depth, None, "everything after pv is the line");
    }

    #[test]
    fn scores_of_other_engines_are_cut_to_what_a_score_can_be() {
        let score = |text| Info::read(text).score.map(|(value, _)| value);
        assert_eq!(score("score cp 1000000"), Some(Value::Centimen(i16::MAX)));
        assert_eq!(score("score cp -1000000"), Some(Value::Centimen(i16::MIN)));
        assert_eq!(score("score win 70000"), Some(Value::Win(u16::MAX)));
        assert_eq!(score("score loss -1"), Some(Value::Loss(0)));
    }
}
