//! The engine options, and the parser for player descriptions.

use super::NAME;
use crate::duel::DuelPlayer;
use crate::learned::TavlaWeightsFile;
use crate::plain::PlainEvaluation;
use crate::player::{PlayerKind, TavlaLimits, TavlaSettings};
use crate::rules::OpeningRoll;
use anyhow::{Error, Result, anyhow, bail};
use soffio::engine::{Kind, OptionError, OptionSpec};
use soffio::files::shown_path;
use soffio::notation::printable;
use soffio::system::reason;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use strum::VariantNames;

type Change = Box<dyn FnOnce(&mut TavlaSettings) -> Result<()>>;

/// Option with the name of the game, for GUIs that set this option for every engine.
pub(super) const VARIANT: &str = "UCI_Variant";

fn change(set: impl FnOnce(&mut TavlaSettings) + 'static) -> Change {
    Box::new(|settings| {
        set(settings);
        Ok(())
    })
}

/// Declares a combo option that sets a field of the settings to one of the variants of an enum.
macro_rules! combo {
    ($name:literal, $type:ident, $default:literal, $($field:ident).+) => {
        OptionSpec {
            name: $name,
            kind: Kind::Combo {
                default: $default,
                choices: || $type::VARIANTS.to_vec(),
                read: |text| {
                    let value = text.parse::<$type>().ok()?;
                    Some(change(move |settings| settings.$($field).+ = value))
                },
            },
        }
    };
}

const fn check(name: &'static str, default: bool, read: fn(bool) -> Change) -> OptionSpec<Change> {
    OptionSpec { name, kind: Kind::Check { default, read } }
}

const fn spin(name: &'static str, default: u64, bounds: (u64, u64), read: fn(u64) -> Change) -> OptionSpec<Change> {
    OptionSpec { name, kind: Kind::Spin { default, bounds, read } }
}

pub(super) const OPTIONS: [OptionSpec<Change>; 10] = [
    OptionSpec {
        name: VARIANT,
        kind: Kind::Combo {
            default: NAME,
            choices: || vec![NAME],
            read: |text| text.eq_ignore_ascii_case(NAME).then(|| change(|_| {})),
        },
    },
    combo!("Player", PlayerKind, "full", player),
    combo!("Eval", PlainEvaluation, "first", evaluation),
    spin("Hash", 16, (1, 4096), |mib| change(move |settings| settings.hash = mib as usize)),
    spin("MultiPV", 1, (1, 64), |lines| change(move |settings| settings.lines = lines as usize)),
    spin("Seed", 0, (0, u64::MAX >> 1), |seed| change(move |settings| settings.seed = seed)),
    check("Mars", false, |is_on| change(move |settings| settings.rules.mars = is_on)),
    check("Hit And Run", true, |is_on| change(move |settings| settings.rules.hit_and_run = is_on)),
    combo!("Opening Roll", OpeningRoll, "anew", rules.opening),
    OptionSpec {
        name: "EvalFile",
        kind: Kind::Path { read: |path| Box::new(|settings| read_weights(settings, path)) },
    },
];

fn is_option(name: &str) -> bool {
    OPTIONS.iter().any(|option| option.name.eq_ignore_ascii_case(name))
}

pub(super) fn set(settings: &mut TavlaSettings, name: &str, value: Option<&str>) -> Result<()> {
    let option = OPTIONS.into_iter().find(|option| option.name.eq_ignore_ascii_case(name));
    let option = option.ok_or_else(|| OptionError::Unknown(name.to_owned()));
    let change = option.and_then(|option| option.setting(value))?;
    change(settings)
}

fn read_weights(settings: &mut TavlaSettings, path: Option<PathBuf>) -> Result<()> {
    settings.weights = match path {
        None => None,
        Some(path) => {
            let file = TavlaWeightsFile::read(&path);
            Some(Arc::new(file.map_err(|error| anyhow!("option EvalFile {}: {}", shown_path(&path), reason(error)))?))
        }
    };
    Ok(())
}

#[derive(Clone, Debug)]
pub enum PlayerSetting {
    Human,
    Engine(Box<DuelPlayer>),
}

/// Parses `human`, `computer`, or a list of options and limits such as `player=expectiminimax,eval=second,depth=2`.
impl FromStr for PlayerSetting {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text.eq_ignore_ascii_case("human") {
            return Ok(Self::Human);
        }
        let mut duellist = DuelPlayer { settings: TavlaSettings::default(), limits: TavlaLimits::default() };
        let words = if text.eq_ignore_ascii_case("computer") { "" } else { text };
        for word in words.split(',').filter(|word| !word.is_empty()) {
            let Some((name, value)) = word.split_once('=') else {
                let text = "human, computer, or options and limits such as player=full,depth=2";
                bail!("expected {text}, found '{}'", printable(word.chars()));
            };
            let number = |min: u64, max: u64| {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                number.ok_or_else(|| {
                    anyhow!("{name} must be a number from {min} to {max}, not '{}'", printable(value.chars()))
                })
            };
            let limits = &mut duellist.limits;
            match name.to_ascii_lowercase().as_str() {
                "depth" => limits.depth = Some(number(1, 3)? as u8),
                "nodes" => limits.nodes = Some(number(1, u64::MAX)?),
                "movetime" => limits.time = Some(Duration::from_millis(number(1, 86_400_000)?)),
                "rollout" => limits.rollout = Some(number(2, 1_000_000)? as u32),
                name if is_option(name) => set(&mut duellist.settings, name, Some(value))?,
                name => {
                    let known = "depth, nodes, movetime, rollout and the options of the engine";
                    let name = printable(name.chars());
                    bail!("player: unknown name '{name}'; expected {known}");
                }
            }
        }
        Ok(Self::Engine(Box::new(duellist)))
    }
}
