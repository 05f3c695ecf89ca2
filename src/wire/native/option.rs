//! The declaration of an option.

use std::fmt;

/// The line `option name ...`: an option that can be set, and to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name, which may have spaces.
    pub name: String,
    /// Its type: `check`, `spin`, `combo`, `string` or `button`.
    pub kind: String,
    /// Its value at the start.
    pub default: Option<String>,
    /// The least and the greatest number it can be.
    pub bounds: Option<[String; 2]>,
    /// The words that it can be.
    pub choices: Vec<String>,
}

impl OptionLine {
    /// Reads what follows `option`; without a name and a type it declares none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in text.split_ascii_whitespace() {
            match (word, fields.last_mut()) {
                ("name" | "type" | "default" | "min" | "max" | "var", _) => fields.push((word, Vec::new())),
                (_, Some((_, words))) => words.push(word),
                (_, None) => return None,
            }
        }
        let mut all = fields.into_iter().map(|(field, words)| (field, words.join(" ")));
        let mut option = Self::default();
        let (mut least, mut greatest) = (None, None);
        all.by_ref().for_each(|(field, value)| match field {
            "name" => option.name = value,
            "type" => option.kind = value,
            "default" => option.default = Some(value),
            "min" => least = Some(value),
            "max" => greatest = Some(value),
            _ => option.choices.push(value),
        });
        option.bounds = least.zip(greatest).map(|(least, greatest)| [least, greatest]);
        (!option.name.is_empty() && !option.kind.is_empty()).then_some(option)
    }
}

impl fmt::Display for OptionLine {
    /// Prints what is read back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, default, bounds, choices } = self;
        write!(f, "option name {name} type {kind}")?;
        default.iter().try_for_each(|default| write!(f, " default {default}"))?;
        bounds.iter().try_for_each(|[least, greatest]| write!(f, " min {least} max {greatest}"))?;
        choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_back() {
        let own = str::to_owned;
        let option = |kind: &str, default: Option<&str>| OptionLine {
            name: own("Clear Hash"),
            kind: own(kind),
            default: default.map(own),
            ..OptionLine::default()
        };
        let options = [
            (option("button", None), "option name Clear Hash type button"),
            (option("check", Some("true")), "option name Clear Hash type check default true"),
            (option("string", Some("<empty>")), "option name Clear Hash type string default <empty>"),
            (
                OptionLine { bounds: Some(["1", "9"].map(own)), ..option("spin", Some("7")) },
                "option name Clear Hash type spin default 7 min 1 max 9",
            ),
            (
                OptionLine { choices: ["no man", "king"].map(own).into(), ..option("combo", Some("king")) },
                "option name Clear Hash type combo default king var no man var king",
            ),
        ];
        for (option, text) in options {
            assert_eq!(option.to_string(), text);
            assert_eq!(text.strip_prefix("option").and_then(OptionLine::read), Some(option), "{text}");
        }
        for text in ["", "name Hash", "type spin", "Hash name Hash type spin", "name type spin"] {
            assert_eq!(OptionLine::read(text), None, "{text}");
        }
    }
}
