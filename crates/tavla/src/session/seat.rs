//! The player of a side, in words.

use super::super::duel::Duellist;
use super::super::player::{Limits, Settings};
use super::command::{CommandError, shown};
use super::options;
use std::str::FromStr;
use std::time::Duration;

/// The player of a side.
#[derive(Clone, Debug)]
pub enum Seat {
    /// A person.
    Human,
    /// The program, with its options and limits.
    Engine(Box<Duellist>),
}

/// Reads `human`, `computer`, or options and limits by name, such as `player=expectiminimax,eval=second,depth=2`.
impl FromStr for Seat {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        if text.eq_ignore_ascii_case("human") {
            return Ok(Self::Human);
        }
        let mut duellist = Duellist { settings: Settings::default(), limits: Limits::default() };
        let words = if text.eq_ignore_ascii_case("computer") { "" } else { text };
        for word in words.split(',').filter(|word| !word.is_empty()) {
            let Some((name, value)) = word.split_once('=') else {
                let text = "human, computer, or options and limits such as player=full,depth=2";
                return Err(CommandError::new(format!("expected {text}, found '{}'", shown(word))));
            };
            let limits = &mut duellist.limits;
            match name.to_ascii_lowercase().as_str() {
                "depth" => limits.depth = Some(number(name, value, 3)? as u8),
                "nodes" => limits.nodes = Some(number(name, value, u64::MAX)?),
                "movetime" => limits.time = Some(Duration::from_millis(number(name, value, 86_400_000)?)),
                "rollout" => limits.rollout = Some(number(name, value, 1_000_000)? as u32),
                _ => options::set(&mut duellist.settings, name, Some(value))?,
            }
        }
        Ok(Self::Engine(Box::new(duellist)))
    }
}

fn number(name: &str, value: &str, most: u64) -> Result<u64, CommandError> {
    let number = value.parse().ok().filter(|number| (1..=most).contains(number));
    let text = shown(value);
    number.ok_or_else(|| CommandError::new(format!("{name} must be a number from 1 to {most}, not '{text}'")))
}
