//! The players, and the engine that plays for a side.

use super::{GameChoice, PlayRecord};
use anyhow::{Error, Result, anyhow, bail, ensure};
use crossbeam_channel::Sender;
use soffio::engine::{Clock, Event, Limits, MAX_DEPTH, OptionSpec, Setting};
use soffio::notation::printable;
use soffio::session::{EngineSession, Session};
use soffio_support::key_value::KeyValue;
use soffio_support::record::RequestLimits;
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Instant;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SidePlayer {
    Human,
    Engine(EnginePlayer),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnginePlayer {
    /// Options and limits as (name, value) pairs, with names in lower case.
    words: Vec<(String, String)>,
    pub(super) settings: Vec<Setting>,
    limits: RequestLimits,
}

impl SidePlayer {
    pub const HUMAN: &'static str = "human";
    pub const COMPUTER: &'static str = "computer";

    pub fn is_human(&self) -> bool {
        *self == Self::Human
    }

    pub fn words(&self) -> &[(String, String)] {
        match self {
            Self::Human => &[],
            Self::Engine(EnginePlayer { words, .. }) => words,
        }
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.words().iter().rev().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

impl FromStr for SidePlayer {
    type Err = Error;

    /// Parses `human`, `computer`, or a list of options and limits such as `level=hard` or `player=alphabeta,depth=3`.
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        if text.eq_ignore_ascii_case(Self::HUMAN) {
            return Ok(Self::Human);
        }
        let mut engine = EnginePlayer::default();
        if !text.eq_ignore_ascii_case(Self::COMPUTER) {
            for word in text.split(',') {
                ensure!(!word.contains(char::is_control), "control characters in '{}'", printable(word.chars()));
                engine.set(word)?;
            }
            engine.limit_strength();
        }
        Ok(Self::Engine(engine))
    }
}

impl EnginePlayer {
    /// Returns the player for hints. This player has a fixed limit, because a hint must not use all the time on the
    /// clock.
    pub(super) fn hint_player() -> Self {
        Self { limits: DEFAULT_LIMITS, ..Self::default() }
    }

    /// Limits the strength of a player that has a rating, because a rating without a limit has no effect.
    fn limit_strength(&mut self) {
        let has = |is: fn(&Setting) -> bool| self.settings.iter().any(is);
        if has(|setting| matches!(setting, Setting::Rating(_)))
            && !has(|setting| matches!(setting, Setting::LimitStrength(_)))
        {
            self.settings.push(Setting::LimitStrength(true));
        }
    }

    fn set(&mut self, word: &str) -> Result<()> {
        let expected = "human, computer, or a list such as level=hard,depth=5";
        let pair = KeyValue::read(word, "a list")
            .map_err(|_| anyhow!("player must be {expected}, not '{}'", printable(word.chars())))?;
        let (name, value) = (&*pair.key.trim().to_ascii_lowercase(), pair.value.trim());
        let limits = &mut self.limits;
        match name {
            "depth" => limits.depth = Some(limit(name, value, "a number from 1 to 127", MAX_DEPTH.into())?),
            "nodes" => limits.nodes = Some(limit(name, value, "a number of at least 1", u64::MAX)?),
            "movetime" => limits.movetime = Some(limit(name, value, "a number of milliseconds, at least 1", u64::MAX)?),
            _ if OptionSpec::named(name).is_none() => {
                let known = "depth, nodes, movetime or an engine option";
                bail!("player: unknown setting '{}'; expected {known}", printable(name.chars()));
            }
            _ => match OptionSpec::read(name, Some(value))? {
                Setting::Variant(_) | Setting::ForcedCapture(_) | Setting::Squares(_) => {
                    bail!("option {} applies to the game, not to a player", printable(name.chars()));
                }
                setting => self.settings.push(setting),
            },
        }
        self.words.push((name.to_owned(), value.to_owned()));
        Ok(())
    }
}

impl fmt::Display for SidePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.words().iter().map(|(name, value)| format!("{name}={value}")).collect();
        match self {
            Self::Human => f.write_str(Self::HUMAN),
            Self::Engine(_) if words.is_empty() => f.write_str(Self::COMPUTER),
            Self::Engine(_) => f.write_str(&words.join(",")),
        }
    }
}

/// Default limit per move: one second.
const DEFAULT_LIMITS: RequestLimits = RequestLimits { depth: None, nodes: None, movetime: NonZeroU64::new(1000) };

fn limit<T: FromStr>(name: &str, text: &str, expected: &str, max: u64) -> Result<T> {
    let within = text.parse().ok().filter(|&number: &u64| number <= max).and_then(|_| text.parse().ok());
    within.ok_or_else(|| anyhow!("{name} must be {expected}, not '{}'", printable(text.chars())))
}

/// An engine with its own options and transposition table, so that two engines can play each other.
pub(super) struct Computer {
    session: EngineSession,
    player: EnginePlayer,
}

impl Computer {
    pub(super) fn new(player: EnginePlayer, choice: GameChoice, events: Sender<Event>) -> Result<Self> {
        let mut session = EngineSession::new(events);
        let of_game = [Setting::Variant(choice.variant), Setting::ForcedCapture(choice.forced_capture)];
        for setting in of_game.into_iter().chain(player.settings.iter().cloned()) {
            session.apply(setting).map_err(Error::msg)?;
        }
        Ok(Self { session, player })
    }

    pub(super) fn think(&mut self, record: &PlayRecord, clocks: Option<[Clock; 2]>, now: Instant) -> Result<()> {
        let moves: Vec<_> = record.played().iter().map(|ply| ply.record.clone()).collect();
        self.session.game.set_position(record.start(), &moves)?;
        let clock = clocks.map(|clocks| record.side().pick(clocks));
        let usual = self.session.engine().limits();
        let own = if self.player.limits.is_empty() && clock.is_none() { DEFAULT_LIMITS } else { self.player.limits };
        let limits = Limits { clock, overhead: usual.overhead, ..own.apply_to(usual) };
        Ok(self.session.search(limits, now.into())?)
    }

    pub(super) fn stop(&mut self) {
        self.session.stop();
    }

    pub(super) fn end(&mut self) {
        self.session.end_job();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::engine::Level;

    fn reprinted(text: &str) -> String {
        text.parse().map_or_else(|error| format!("error {error}"), |player: SidePlayer| player.to_string())
    }

    #[test]
    fn players_are_parsed_and_printed() {
        for text in ["human", "computer", "level=hard", "depth=3,uci_elo=900,uci_limitstrength=true", "nodes=7"] {
            assert_eq!(reprinted(text), text);
        }
        assert_eq!(reprinted(" Human "), "human");
        assert_eq!(reprinted("Level = HARD, Move Overhead=5"), "level=HARD,move overhead=5");
        assert_eq!(reprinted("COMPUTER"), "computer");
        let Ok(SidePlayer::Engine(engine)) = "DEPTH=2,TablePath=/Tables/A".parse() else { panic!("an engine") };
        assert_eq!(engine.settings, [Setting::TablePath(Some("/Tables/A".into()))]);
        let player: SidePlayer = "level=hard,movetime=500".parse().unwrap();
        let SidePlayer::Engine(engine) = &player else { panic!("{player}") };
        assert_eq!(engine.settings, [Setting::Level(Level::Hard)]);
        assert_eq!((player.value("Level"), player.value("depth")), (Some("hard"), None));
        for (text, is_limited) in [("uci_elo=800", true), ("uci_elo=800,uci_limitstrength=false", false)] {
            let Ok(SidePlayer::Engine(engine)) = text.parse() else { panic!("{text}") };
            assert_eq!(engine.settings, [Setting::Rating(800), Setting::LimitStrength(is_limited)], "{text}");
            assert_eq!(reprinted(text), text);
        }
    }

    #[test]
    fn invalid_players_are_rejected_with_the_reason() {
        for (text, error) in [
            ("hal", "player must be human, computer, or a list such as level=hard,depth=5, not 'hal'"),
            ("BookFile=a\u{1b}[2J", "control characters in 'BookFile=a?[2J'"),
            ("depth=0", "depth must be a number from 1 to 127, not '0'"),
            ("movetime=x", "movetime must be a number of milliseconds, at least 1, not 'x'"),
            ("level=best", "option Level: invalid value 'best'; expected easy, medium, hard, expert, god, full"),
            ("uci_variant=thai", "option uci_variant applies to the game, not to a player"),
            ("Forced Capture=false", "option forced capture applies to the game, not to a player"),
        ] {
            assert_eq!(reprinted(text), format!("error {error}"));
        }
        assert!(reprinted("speed=3").starts_with("error player: unknown setting 'speed'; expected depth, "));
        assert!(reprinted("level=hard,").starts_with("error player must be human, computer, or a list"));
    }
}
