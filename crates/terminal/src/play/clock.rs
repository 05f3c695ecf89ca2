//! The clocks of both sides: the time used and, under a time control, the time left.

use super::PlayRecord;
use anyhow::{Error, Result, anyhow};
use derive_more::Display;
use soffio::engine;
use soffio::notation::pdn::{self, Period, TimedPeriod};
use soffio::notation::printable;
use soffio::rules::Color;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The clocks of both sides. The times of played moves are stored in the [`PlayRecord`], so undo restores them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameClock {
    pub(super) current: MoveStopwatch,
    pub(super) control: Option<PlayTimeControl>,
    /// Number of moves that were played before the time control was set. The time for these moves does not count.
    untimed: usize,
}

impl GameClock {
    /// Sets the time control for the moves from index `untimed` on. `None` removes the limit.
    pub(super) fn set_control(&mut self, control: Option<PlayTimeControl>, untimed: usize) {
        (self.control, self.untimed) = (control, untimed);
    }

    /// Makes the time control apply to the moves from index `played` on, because a new move has replaced the one at
    /// this index.
    pub(super) fn count_from(&mut self, played: usize) {
        self.untimed = self.untimed.min(played);
    }

    pub(super) fn used(&self, record: &PlayRecord, color: Color, now: Instant) -> Duration {
        let (_, used) = moves_and_time(record, color, 0);
        used + self.in_progress(record, color, now)
    }

    fn in_progress(&self, record: &PlayRecord, color: Color, now: Instant) -> Duration {
        if record.side() == color { self.current.elapsed(now) } else { Duration::ZERO }
    }

    pub(super) fn left(&self, record: &PlayRecord, color: Color, now: Instant) -> Option<Duration> {
        let allowed = self.allowed(record, color)?;
        Some(allowed.saturating_sub(self.in_progress(record, color, now)))
    }

    fn allowed(&self, record: &PlayRecord, color: Color) -> Option<Duration> {
        let (moves, used) = moves_and_time(record, color, self.untimed);
        Some(self.control?.left(moves, used))
    }

    pub(super) fn falls_at(&self, record: &PlayRecord) -> Option<Instant> {
        self.current.reaches(self.allowed(record, record.side())?)
    }

    /// Returns the clocks of White and Black for the engine, or `None` if there is no time control. Each clock shows
    /// the time left minus the reserve.
    pub(super) fn engine_clocks(&self, record: &PlayRecord, now: Instant) -> Option<[engine::Clock; 2]> {
        let control = self.control?;
        let clock = |color| {
            let remaining = self.spare(record, color, now)?;
            Some(engine::Clock { remaining, increment: control.increment, moves_to_go: None })
        };
        Some([clock(Color::White)?, clock(Color::Black)?])
    }

    pub(super) fn spare(&self, record: &PlayRecord, color: Color, now: Instant) -> Option<Duration> {
        Some(self.left(record, color, now)?.saturating_sub(self.control?.reserve()))
    }
}

fn moves_and_time(record: &PlayRecord, color: Color, untimed: usize) -> (usize, Duration) {
    let own = record.played().iter().skip(untimed).filter(|ply| ply.color == color);
    own.fold((0, Duration::ZERO), |(moves, used), ply| (moves + 1, used + ply.time.unwrap_or_default()))
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveStopwatch {
    before: Duration,
    running_since: Option<Instant>,
}

impl MoveStopwatch {
    pub(super) fn elapsed(self, now: Instant) -> Duration {
        let running = self.running_since.map(|since| now.saturating_duration_since(since));
        self.before + running.unwrap_or_default()
    }

    pub(super) fn run(&mut self, runs: bool, now: Instant) {
        self.before = self.elapsed(now);
        self.running_since = runs.then_some(now);
    }

    /// Returns when a running stopwatch reaches `time`. If it had already reached `time` when it was last started,
    /// returns the time of that start. Returns `None` if the stopwatch is not running.
    pub(super) fn reaches(self, time: Duration) -> Option<Instant> {
        let since = self.running_since?;
        Some(since.checked_add(time.saturating_sub(self.before)).unwrap_or(since))
    }

    pub(super) fn reset(&mut self, now: Instant) {
        *self = Self { before: Duration::ZERO, running_since: self.running_since.map(|_| now) };
    }

    pub(super) fn is_running(self) -> bool {
        self.running_since.is_some()
    }
}

pub fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours == 0 { format!("{minutes}:{seconds:02}") } else { format!("{hours}:{minutes:02}:{seconds:02}") }
}

/// Formats the time left as [`shown`] does, but with tenths of a second below ten seconds: `0:09.7`.
pub fn shown_left(time: Duration) -> String {
    let tenths = time.subsec_millis() / 100;
    if time.as_secs() < 10 { format!("{}.{tenths}", shown(time)) } else { shown(time) }
}

const EXPECTED: &str = "minutes plus seconds per move, such as 5+3 or 0.5, at most 1440+3600";

/// Maximum number of minutes per game, and maximum number of seconds per move.
const MAX_TIMES: [f64; 2] = [1440.0, 3600.0];

#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{}+{}", base.as_secs_f64() / 60.0, increment.as_secs_f64())]
pub struct PlayTimeControl {
    /// Time per game; never zero.
    base: Duration,
    increment: Duration,
}

impl PlayTimeControl {
    pub(super) fn left(self, moves: usize, used: Duration) -> Duration {
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        self.base.saturating_add(self.increment.saturating_mul(moves)).saturating_sub(used)
    }

    /// Returns the time that the engine keeps in reserve. The reserve leaves time for instant moves at the end of a
    /// game without increment, and for delays on a busy machine.
    pub(super) fn reserve(self) -> Duration {
        (self.base / 10).min(Duration::from_secs(10))
    }

    pub(super) fn to_record(self) -> pdn::TimeControl {
        let Self { base: time, increment } = self;
        pdn::TimeControl::Periods(vec![Period::Timed(TimedPeriod { moves: None, time, increment })])
    }

    /// Converts a PDN time control. Returns `None` unless it is a single period within the limits of `soffio play`.
    pub(super) fn from_record(control: &pdn::TimeControl) -> Option<Self> {
        let pdn::TimeControl::Periods(periods) = control else { return None };
        let [Period::Timed(TimedPeriod { moves: None, time, increment })] = periods.as_slice() else { return None };
        let [minutes, seconds] = MAX_TIMES;
        let is_offered = time.as_secs_f64() <= minutes * 60.0 && increment.as_secs_f64() <= seconds;
        Self::new(time.as_secs_f64(), increment.as_secs_f64()).filter(|_| is_offered)
    }

    fn new(base: f64, increment: f64) -> Option<Self> {
        let [base, increment] = [base, increment].map(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Some(Self { base: base.filter(|base| !base.is_zero())?, increment: increment? })
    }
}

fn number(text: &str, max: f64) -> Option<f64> {
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|&number: &f64| is_plain && number <= max)
}

impl FromStr for PlayTimeControl {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let [max_minutes, max_seconds] = MAX_TIMES;
        let numbers = number(minutes.trim(), max_minutes).zip(number(seconds.trim(), max_seconds));
        let control = numbers.and_then(|(minutes, seconds)| Self::new(minutes * 60.0, seconds));
        control.ok_or_else(|| anyhow!("tc must be {EXPECTED}, not '{}'", printable(text.chars())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_running_time_counts() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut stopwatch = MoveStopwatch::default();
        assert_eq!(stopwatch.elapsed(at(5)), Duration::ZERO);
        stopwatch.run(true, at(5));
        assert_eq!(stopwatch.elapsed(at(7)), Duration::from_secs(2));
        stopwatch.run(false, at(8));
        stopwatch.run(true, at(20));
        assert_eq!(stopwatch.elapsed(at(21)), Duration::from_secs(4));
        stopwatch.reset(at(30));
        assert_eq!(stopwatch.elapsed(at(31)), Duration::from_secs(1));
        assert_eq!(stopwatch.reaches(Duration::from_secs(6)), Some(at(36)));
        stopwatch.run(false, at(32));
        assert_eq!(stopwatch.reaches(Duration::from_secs(6)), None);
        stopwatch.run(true, at(40));
        assert_eq!(stopwatch.reaches(Duration::from_secs(6)), Some(at(44)));
    }

    #[test]
    fn hours_are_shown_if_there_are_any() {
        assert_eq!(shown(Duration::from_millis(185_900)), "3:05");
        assert_eq!(shown(Duration::from_secs(3600)), "1:00:00");
        assert_eq!(shown_left(Duration::from_millis(10_000)), "0:10");
        assert_eq!(shown_left(Duration::from_millis(9_999)), "0:09.9");
        assert_eq!(shown_left(Duration::ZERO), "0:00.0");
    }

    #[test]
    fn minutes_and_seconds_are_parsed_and_printed() {
        for (text, printed) in [("5+3", "5+3"), (" 90 + 30", "90+30"), ("0.5", "0.5+0"), ("1440+3600", "1440+3600")] {
            let control: PlayTimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), printed);
            assert_eq!(PlayTimeControl::from_record(&control.to_record()), Some(control));
        }
        assert_eq!("5+3".parse::<PlayTimeControl>().unwrap().to_record().to_string(), "300+3");
        for text in ["-", "?", "40/60", "*5", "86401"] {
            assert_eq!(PlayTimeControl::from_record(&text.parse().unwrap()), None, "{text}");
        }
    }

    #[test]
    fn invalid_time_controls_are_rejected() {
        for text in ["", "0", "0+5", "x", "5+", "+5", "-5", "5+-1", "1e3", "inf", "NaN", "1441", "5+3601", "5+3+1", "."]
        {
            let error = text.parse::<PlayTimeControl>().unwrap_err().to_string();
            assert_eq!(error, format!("tc must be {EXPECTED}, not '{text}'"));
        }
    }

    #[test]
    fn moves_add_their_increment() {
        let control: PlayTimeControl = "1+2".parse().unwrap();
        let seconds = Duration::from_secs;
        assert_eq!(control.left(0, Duration::ZERO), seconds(60));
        assert_eq!(control.left(3, seconds(50)), seconds(16));
        assert_eq!(control.left(3, seconds(67)), Duration::ZERO);
        assert_eq!((control.reserve(), "300".parse::<PlayTimeControl>().unwrap().reserve()), (seconds(6), seconds(10)));
    }
}
