//! What a side does with a roll: up to four hops of single checkers.

use super::board::{BAR, OFF};
use std::fmt;
use std::str::FromStr;

/// A checker moved by one die, in the numbers of its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Hop {
    /// 1 to 25, where 25 is the bar.
    pub from: u8,
    /// 0 to 24, where 0 is off.
    pub to: u8,
}

/// As in `8/5`.
impl fmt::Display for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.from, self.to)
    }
}

/// The most hops of a play, those of a double.
pub const MAX_HOPS: usize = 4;

/// The hops of a play; none when no die can be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Play {
    hops: [Hop; MAX_HOPS],
    count: u8,
}

impl Play {
    /// The play with these hops, of which there are at most four.
    pub fn new(hops: &[Hop]) -> Option<Self> {
        let mut play = Self::default();
        play.hops.get_mut(..hops.len())?.copy_from_slice(hops);
        play.count = hops.len() as u8;
        Some(play)
    }

    /// The hops in their order.
    pub fn hops(&self) -> &[Hop] {
        &self.hops[..usize::from(self.count)]
    }

    /// The same hops with those from the farthest points first, as they are printed.
    #[must_use]
    pub fn ordered(mut self) -> Self {
        self.hops[..usize::from(self.count)].sort_unstable_by_key(|hop| std::cmp::Reverse((hop.from, hop.to)));
        self
    }

    pub(super) fn push(&mut self, hop: Hop) {
        self.hops[usize::from(self.count)] = hop;
        self.count += 1;
    }

    pub(super) fn pop(&mut self) {
        self.count -= 1;
    }
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Every hop, as in `8/5,6/5`; bar 25, off 0; `pass` without hops.
impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.hops().is_empty() {
            return f.write_str("pass");
        }
        for (place, hop) in self.hops().iter().enumerate() {
            write!(f, "{}{hop}", if place == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// Why a text is no play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// This part of it is no hop.
    NotAHop(String),
    /// It has more hops than any roll allows.
    TooLong,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAHop(text) => {
                let shown: String = text.chars().take(20).map(|c| if c.is_control() { '?' } else { c }).collect();
                write!(f, "'{shown}' is no hop such as 8/5, 25/20 from the bar or 3/0 off")
            }
            Self::TooLong => write!(f, "it has more than {MAX_HOPS} hops"),
        }
    }
}

impl std::error::Error for PlayError {}

/// Reads hops separated by commas or spaces. Several places joined by strokes are several hops (`24/18/13`), `(2)` repeats a hop,
/// `*` after a place is ignored, `bar` and `off` are understood.
impl FromStr for Play {
    type Err = PlayError;

    fn from_str(text: &str) -> Result<Self, PlayError> {
        let mut hops = Vec::new();
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Self::default());
        }
        for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
            let wrong = || PlayError::NotAHop(part.to_owned());
            let (route, times) = match part.split_once('(') {
                Some((route, times)) => (route, times.strip_suffix(')').ok_or_else(wrong)?),
                None => (part, "1"),
            };
            let times: usize = times.parse().ok().filter(|times| (1..=MAX_HOPS).contains(times)).ok_or_else(wrong)?;
            let places: Option<Vec<u8>> = route.split('/').map(place).collect();
            let places = places.filter(|places| (2..=MAX_HOPS + 1).contains(&places.len())).ok_or_else(wrong)?;
            if !places.is_sorted_by(|from, to| from > to) {
                return Err(wrong());
            }
            for _ in 0..times {
                hops.extend(places.windows(2).filter_map(|pair| match *pair {
                    [from, to] => Some(Hop { from, to }),
                    _ => None,
                }));
            }
        }
        match hops.is_empty() {
            true => Err(PlayError::NotAHop(text.to_owned())),
            false => Self::new(&hops).ok_or(PlayError::TooLong),
        }
    }
}

fn place(text: &str) -> Option<u8> {
    let text = text.strip_suffix('*').unwrap_or(text);
    if text.eq_ignore_ascii_case("bar") {
        return Some(BAR as u8);
    }
    if text.eq_ignore_ascii_case("off") {
        return Some(OFF as u8);
    }
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number| is_number && usize::from(number) <= BAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let read = |text: &str| text.parse::<Play>().map(|play| play.to_string()).map_err(|error| error.to_string());
        assert_eq!(read("8/5,6/5").as_deref(), Ok("8/5,6/5"));
        assert_eq!(read("8/5 6/5").as_deref(), Ok("8/5,6/5"));
        assert_eq!(read("24/18/13").as_deref(), Ok("24/18,18/13"));
        assert_eq!(read("bar/20*,3/off").as_deref(), Ok("25/20,3/0"));
        assert_eq!(read("6/5(4)").as_deref(), Ok("6/5,6/5,6/5,6/5"));
        assert_eq!(read("pass").as_deref(), Ok("pass"));
        for wrong in ["", "8", "8/9", "26/1", "+8/5", "8/5(", "8/5(0)", "8//5", "-", "8/5/4/3/2/1"] {
            assert!(read(wrong).is_err_and(|error| error.contains("is no hop")), "{wrong}");
        }
        assert_eq!(read("6/5(3),8/7(2)"), Err("it has more than 4 hops".to_owned()));
    }

    #[test]
    fn the_farthest_checker_is_printed_first() {
        let play: Play = "6/5,24/18".parse().unwrap();
        assert_eq!(play.ordered().to_string(), "24/18,6/5");
    }
}
