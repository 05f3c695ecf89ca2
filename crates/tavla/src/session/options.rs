//! The options of the game: their names, bounds, and how their values are read.

use super::super::learned::WeightsFile;
use super::super::plain::{PlainEvaluation, Pruning};
use super::super::player::{PlayerKind, Settings};
use super::super::rules::Opening;
use super::NAME;
use super::command::{CommandError, shown};
use std::path::Path;
use std::sync::Arc;

/// The most MiB of a table.
const MAX_HASH: u64 = 4096;

/// The most plays that are reported.
const MAX_LINES: u64 = 64;

/// What values an option can have, and how it changes the settings. Readers of words and paths say why a value is refused.
enum Kind {
    Check(fn(&mut Settings) -> &mut bool),
    Spin { bounds: (u64, u64), get: fn(&Settings) -> u64, set: fn(&mut Settings, u64) },
    Combo { choices: fn() -> Vec<&'static str>, get: fn(&Settings) -> &'static str, set: fn(&mut Settings, &str) },
    Weights,
}

/// The option whose values are the names of a type, kept in a field of the settings.
macro_rules! combo {
    ($type:ident, $($field:ident).+) => {
        Kind::Combo {
            choices: || names(&$type::NAMED),
            get: |settings| name(&$type::NAMED, settings.$($field).+),
            set: |settings, text| choose(&$type::NAMED, text, &mut settings.$($field).+),
        }
    };
}

/// The option that names the game, for programs that ask every engine for it.
pub(super) const VARIANT: &str = "UCI_Variant";

/// All options.
const OPTIONS: [(&str, Kind); 11] = [
    (VARIANT, Kind::Combo { choices: || vec![NAME], get: |_| NAME, set: |_, _| {} }),
    ("Player", combo!(PlayerKind, player)),
    ("Eval", combo!(PlainEvaluation, evaluation)),
    ("Pruning", combo!(Pruning, pruning)),
    (
        "Hash",
        Kind::Spin {
            bounds: (1, MAX_HASH),
            get: |settings| settings.hash as u64,
            set: |settings, mib| settings.hash = mib as usize,
        },
    ),
    (
        "MultiPV",
        Kind::Spin {
            bounds: (1, MAX_LINES),
            get: |settings| settings.lines as u64,
            set: |settings, lines| settings.lines = lines as usize,
        },
    ),
    (
        "Seed",
        Kind::Spin {
            bounds: (0, u64::MAX >> 1),
            get: |settings| settings.seed,
            set: |settings, seed| settings.seed = seed,
        },
    ),
    ("Mars", Kind::Check(|settings| &mut settings.rules.mars)),
    ("Hit And Run", Kind::Check(|settings| &mut settings.rules.hit_and_run)),
    ("Opening Roll", combo!(Opening, rules.opening)),
    ("EvalFile", Kind::Weights),
];

fn names<T>(named: &[(&'static str, T)]) -> Vec<&'static str> {
    named.iter().map(|&(name, _)| name).collect()
}

fn name<T: PartialEq>(named: &[(&'static str, T)], value: T) -> &'static str {
    named.iter().find(|(_, known)| *known == value).map_or("", |&(name, _)| name)
}

fn choose<T: Copy>(named: &[(&'static str, T)], text: &str, value: &mut T) {
    if let Some((_, found)) = named.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        *value = *found;
    }
}

/// The options as the protocol lists them, one a line.
pub(super) fn listed() -> Vec<String> {
    let mut settings = Settings::default();
    OPTIONS
        .iter()
        .map(|(name, kind)| {
            let domain = match kind {
                Kind::Check(get) => format!("check default {}", get(&mut settings)),
                Kind::Spin { bounds: (least, most), get, .. } => {
                    format!("spin default {} min {least} max {most}", get(&settings))
                }
                Kind::Combo { choices, get, .. } => {
                    let all: String = choices().iter().map(|choice| format!(" var {choice}")).collect();
                    format!("combo default {}{all}", get(&settings))
                }
                Kind::Weights => "string default <empty>".to_owned(),
            };
            format!("option name {name} type {domain}")
        })
        .collect()
}

/// Sets the option called `name`.
pub(super) fn set(settings: &mut Settings, name: &str, value: Option<&str>) -> Result<(), CommandError> {
    let refused = |text: String| Err(CommandError::new(format!("option {text}")));
    let Some((name, kind)) = OPTIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
        return refused(format!("'{}' is not known in tavla, uci lists all options", shown(name)));
    };
    let given = value.filter(|value| !value.is_empty());
    if let Kind::Weights = kind {
        settings.weights = match given.filter(|&path| path != "<empty>") {
            None => None,
            Some(path) => match read_weights(Path::new(path)) {
                Ok(file) => Some(Arc::new(file)),
                Err(error) => return refused(format!("{name} {}: {error}", shown(path))),
            },
        };
        return Ok(());
    }
    let Some(value) = given else { return refused(format!("{name} needs a value")) };
    match kind {
        Kind::Check(get) => match value.to_ascii_lowercase().parse() {
            Ok(is_on) => *get(settings) = is_on,
            Err(_) => return refused(format!("{name} must be true or false, not '{}'", shown(value))),
        },
        Kind::Spin { bounds: (least, most), set, .. } => {
            match value.parse().ok().filter(|number| (*least..=*most).contains(number)) {
                Some(number) => set(settings, number),
                None => {
                    let text = shown(value);
                    return refused(format!("{name} must be a number from {least} to {most}, not '{text}'"));
                }
            }
        }
        Kind::Combo { choices, set, .. } => {
            if !choices().iter().any(|choice| choice.eq_ignore_ascii_case(value)) {
                let (text, all) = (shown(value), choices().join(", "));
                return refused(format!("{name} cannot be '{text}', only {all}"));
            }
            set(settings, value);
        }
        Kind::Weights => {}
    }
    Ok(())
}

/// The weights of a file.
fn read_weights(path: &Path) -> Result<WeightsFile, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    WeightsFile::parse(&bytes).map_err(|error| error.to_string())
}
