//! Reads JSON objects from users and scripts field by field, and reports errors in readable form.

use crate::words::whole_number;
use anyhow::{Result, anyhow, bail, ensure};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;

const SHOWN: usize = 40;

pub fn fault(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof => "unexpected end of JSON".to_owned(),
        Category::Data => "a field is missing or has the wrong type".to_owned(),
        Category::Syntax | Category::Io => format!("not valid JSON at column {}", error.column()),
    }
}

/// The fields of a JSON object that have not been taken yet.
#[derive(Debug)]
pub struct Fields {
    within: String,
    fields: Vec<(String, Box<RawValue>)>,
}

impl Fields {
    /// Parses an object. Fails if `text` is not an object, or if a field appears twice.
    pub fn parse(text: &str) -> Result<Self> {
        Self::parse_within(String::new(), text)
    }

    fn parse_within(within: String, text: &str) -> Result<Self> {
        let parsed = Self::with_duplicates(within, text)?;
        let Self { within, fields } = &parsed;
        let mut known = HashSet::new();
        for (name, _) in fields {
            ensure!(known.insert(name), "the field {within}{} appears twice", shown(name));
        }
        Ok(parsed)
    }

    /// Parses an object that may contain several fields with the same name. Only the first of these can be taken.
    pub fn parse_any(text: &str) -> Result<Self> {
        Self::with_duplicates(String::new(), text)
    }

    fn with_duplicates(within: String, text: &str) -> Result<Self> {
        let name = within.strip_suffix('.').map(|name| format!("{name}: ")).unwrap_or_default();
        let Entries(fields) = serde_json::from_str(text).map_err(|error| match error.classify() {
            Category::Data => anyhow!("{name}expected a JSON object, found {}", shown(text)),
            _ => anyhow!(fault(&error)),
        })?;
        Ok(Self { within, fields })
    }

    fn remove(&mut self, name: &str) -> Option<Box<RawValue>> {
        let place = self.fields.iter().position(|(known, _)| known == name)?;
        Some(self.fields.swap_remove(place).1)
    }

    /// Takes the field `name`, or returns `None` if the field is missing or null. Fails if `read` rejects the value.
    /// The error then quotes `expected` as the description of a valid value.
    pub fn take<T>(&mut self, name: &str, expected: &str, read: impl FnOnce(&Value) -> Option<T>) -> Result<Option<T>> {
        let Some(raw) = self.remove(name) else { return Ok(None) };
        let value = serde_json::from_str(raw.get()).ok();
        if value == Some(Value::Null) {
            return Ok(None);
        }
        let wrong = || anyhow!("{}{name}: expected {expected}, found {}", self.within, shown(raw.get()));
        value.as_ref().and_then(read).map(Some).ok_or_else(wrong)
    }

    pub fn text(&mut self, name: &str) -> Result<Option<String>> {
        self.take(name, "a string", |value| value.as_str().map(str::to_owned))
    }

    pub fn number(&mut self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>> {
        let read = |value: &Value| value.as_u64().filter(|number| range.contains(number));
        self.take(name, &whole_number(&range), read)
    }

    pub fn object(&mut self, name: &str) -> Result<Option<Self>> {
        let Some(raw) = self.remove(name).filter(|raw| raw.get() != "null") else { return Ok(None) };
        Self::parse_within(format!("{}{name}.", self.within), raw.get()).map(Some)
    }

    /// Checks that no fields are left. If a field is left, the error lists the `known` fields.
    pub fn end(self, known: &[&str]) -> Result<()> {
        let Self { within, fields } = self;
        let Some((name, _)) = fields.first() else { return Ok(()) };
        bail!("unknown field {within}{}; the fields are {}", shown(name), known.join(", "))
    }
}

fn shown(text: &str) -> String {
    let end = if text.chars().nth(SHOWN).is_some() { "..." } else { "" };
    text.chars().take(SHOWN).map(|c| if c.is_control() { '?' } else { c }).collect::<String>() + end
}

/// The fields of an object in their original order, including duplicate fields.
struct Entries(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_errors_name_them() {
        let read = |text: &str| -> Result<(Option<String>, Option<u64>, Option<u64>)> {
            let mut fields = Fields::parse(text)?;
            let mut inner = fields.object("in")?;
            let depth = inner.as_mut().map(|inner| inner.number("depth", 1..=u64::MAX));
            let (name, byte) = (fields.text("name")?, fields.number("byte", 0..=255)?);
            let depth = depth.transpose()?.flatten();
            inner.map_or(Ok(()), |inner| inner.end(&["depth"]))?;
            fields.end(&["name", "byte", "in"])?;
            Ok((name, byte, depth))
        };
        let good = read(r#" {"byte": 7, "name": "\u00e9", "in": {"depth": 300}} "#).unwrap();
        assert_eq!(good, (Some("é".to_owned()), Some(7), Some(300)));
        assert_eq!(read(r#"{"name": null, "in": null}"#).unwrap(), (None, None, None));
        for (text, expected) in [
            ("[3]", "expected a JSON object, found [3]"),
            ("null", "expected a JSON object, found null"),
            (r#"{"in": [1]}"#, "in: expected a JSON object, found [1]"),
            (r#"{"in": {"deep": 1}}"#, "unknown field in.deep; the fields are depth"),
            (r#"{"in": {"depth": -1}}"#, "in.depth: expected a whole number of at least 1, found -1"),
            (r#"{"byte": 1e2}"#, "byte: expected a whole number from 0 to 255, found 1e2"),
            (r#"{"byte": 256}"#, "byte: expected a whole number from 0 to 255, found 256"),
            (r#"{"name": 7}"#, "name: expected a string, found 7"),
            (r#"{"name": "\ud800"}"#, "name: expected a string, found \"\\ud800\""),
            (r#"{"name": "a", "name": "b"}"#, "the field name appears twice"),
            (r#"{"x": 1}"#, "unknown field x; the fields are name, byte, in"),
            (r#"{"name""#, "unexpected end of JSON"),
            ("nonsense", "not valid JSON at column 2"),
            ("{} x", "not valid JSON at column 4"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), expected, "{text}");
        }
        let long = read(&format!("[{}]", "1,".repeat(99))).unwrap_err().to_string();
        assert!(long.len() < 90 && long.ends_with("..."), "{long}");
    }

    #[test]
    fn an_object_with_very_many_fields_is_read_in_linear_time() {
        let fields: Vec<_> = (0..200_000).map(|number| format!("\"{number}\": 0")).collect();
        let text = format!("{{{}, \"7\": 0}}", fields.join(", "));
        assert_eq!(Fields::parse(&text).unwrap_err().to_string(), "the field 7 appears twice");
    }
}
