//! The record of a game that was played here, with its result.

use super::{GameRecord, PdnMove, TimeControl, game_type};
use crate::rules::{Color, Variant};
use derive_more::Display;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A game that was played here.
#[derive(Clone, Debug)]
pub struct PlayedGame<'a> {
    /// The tournament, or the command that played it.
    pub event: &'a str,
    /// The place of the event.
    pub site: &'a str,
    /// Its number there, counted from 1.
    pub round: usize,
    /// The day in universal time, as [`Date`] prints it.
    pub date: &'a str,
    /// White and Black.
    pub players: [&'a str; 2],
    /// Its rules.
    pub variant: Variant,
    /// Where it began, if not at the start position.
    pub fen: Option<&'a str>,
    /// The time that White and Black had.
    pub controls: [TimeControl; 2],
    /// The moves.
    pub moves: Vec<PdnMove>,
    /// The result.
    pub result: GameResult,
    /// The reason of the result.
    pub reason: &'a str,
}

impl From<PlayedGame<'_>> for GameRecord {
    fn from(game: PlayedGame<'_>) -> Self {
        let PlayedGame { variant, result, moves, players: [white, black], .. } = game;
        let mut tags = vec![
            ("Event", game.event.to_owned()),
            ("Site", game.site.to_owned()),
            ("Date", game.date.to_owned()),
            ("Round", game.round.to_string()),
            ("White", white.to_owned()),
            ("Black", black.to_owned()),
            ("Result", result.to_string()),
        ];
        tags.push(variant_tag(variant));
        if let Some(fen) = game.fen {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.to_owned())]);
        }
        match game.controls {
            [white, black] if white == black => tags.push(("TimeControl", white.to_string())),
            [white, black] => {
                tags.extend([("TimeControlWhite", white.to_string()), ("TimeControlBlack", black.to_string())]);
            }
        }
        let first = variant.spec().starts;
        let end = match result {
            GameResult::First => format!("{first} wins"),
            GameResult::Second => format!("{} wins", first.opponent()),
            GameResult::Draw => "draw".to_owned(),
            GameResult::BothLost => "both lose".to_owned(),
            GameResult::Unknown => "unfinished".to_owned(),
        };
        tags.push(("Termination", format!("{end}: {}", game.reason)));
        let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { tags, comment: None, moves, result }
    }
}

/// The name and value of the tag that says what is played: only some variants have a number, and no reader takes anything
/// else for one.
pub(super) fn variant_tag(variant: Variant) -> (&'static str, String) {
    let game_type = game_type(variant).map(|text| ("GameType", text));
    game_type.unwrap_or_else(|| ("Variant", variant.name().to_owned()))
}

/// A day, which prints as records have it: `2026.01.31`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord)]
#[display("{year:04}.{month:02}.{day:02}")]
pub struct Date {
    year: i64,
    month: u8,
    day: u8,
}

impl Date {
    /// The day that begins so many days after 1 January 1970, by the algorithm `civil_from_days` of Howard Hinnant
    /// (<https://howardhinnant.github.io/date_algorithms.html>): the years begin in March, so that the leap day is the last.
    pub const fn from_unix_days(days: i64) -> Self {
        // From 1 March 0000 on, in eras of 400 years, which all have the same days.
        let days = days.saturating_add(719_468);
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let months_since_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * months_since_march + 2) / 5 + 1;
        let month = if months_since_march < 10 { months_since_march + 3 } else { months_since_march - 9 };
        let year = era * 400 + year_of_era + (month <= 2) as i64;
        Self { year, month: month as u8, day: day as u8 }
    }
}

/// The day in universal time.
impl From<SystemTime> for Date {
    fn from(time: SystemTime) -> Self {
        let seconds = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
            Err(error) => {
                let before = error.duration();
                i64::try_from(before.as_secs())
                    .map_or(i64::MIN, |seconds| -seconds - i64::from(before.subsec_nanos() > 0))
            }
        };
        Self::from_unix_days(seconds.div_euclid(86_400))
    }
}

/// The result of a game. The side that begins the game of a variant comes first: White in most, Black in English
/// draughts, as its collections of games have it.
#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0` or `2-0`: the side that begins has won.
    #[display("1-0")]
    First,
    /// `0-1` or `0-2`: the other side has won.
    #[display("0-1")]
    Second,
    /// `1/2-1/2` or `1-1`.
    #[display("1/2-1/2")]
    Draw,
    /// `0-0`: both have lost.
    #[display("0-0")]
    BothLost,
    /// `*`: not over, or not known.
    #[default]
    #[display("*")]
    Unknown,
}

impl GameResult {
    /// The result of a game of `variant` that `winner` has won.
    pub fn won_by(winner: Color, variant: Variant) -> Self {
        if winner == variant.spec().starts { Self::First } else { Self::Second }
    }
}

/// The error that a text is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoResult;

impl FromStr for GameResult {
    type Err = NoResult;

    /// Reads the result at the end of a game or in its tag. An `F` after it says that the game was won by forfeit.
    fn from_str(text: &str) -> Result<Self, NoResult> {
        match text.trim_end_matches(['F', 'f']) {
            "1-0" | "2-0" => Ok(Self::First),
            "0-1" | "0-2" => Ok(Self::Second),
            "1/2-1/2" | "½-½" | "1-1" => Ok(Self::Draw),
            "0-0" => Ok(Self::BothLost),
            _ if text == "*" => Ok(Self::Unknown),
            _ => Err(NoResult),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let date = |days| Date::from_unix_days(days).to_string();
        assert_eq!(date(0), "1970.01.01");
        assert_eq!([date(-1), date(-719_528)], ["1969.12.31", "0000.01.01"]);
        assert_eq!([date(11_016), date(11_017)], ["2000.02.29", "2000.03.01"]);
        assert_eq!([date(47_540), date(47_541)], ["2100.02.28", "2100.03.01"]);
        assert_eq!(date(20_484), "2026.01.31");
        let at = |seconds: f64| {
            let duration = Duration::from_secs_f64(seconds.abs());
            let time = if seconds < 0.0 { UNIX_EPOCH - duration } else { UNIX_EPOCH + duration };
            Date::from(time).to_string()
        };
        assert_eq!(
            [at(-0.5), at(0.0), at(86_399.9), at(86_400.0)],
            ["1969.12.31", "1970.01.01", "1970.01.01", "1970.01.02"]
        );
        // Every day comes after the one before, and months have their lengths.
        let mut before = Date::from_unix_days(-200_000);
        for days in -199_999..200_000 {
            let next = Date::from_unix_days(days);
            let is_next = (next.year, next.month, next.day) == (before.year, before.month, before.day + 1)
                || next.day == 1
                    && before.day >= 28
                    && (next.month == before.month + 1 || next.month == 1 && next.year == before.year + 1);
            assert!(is_next, "{before} {next}");
            before = next;
        }
    }
}
