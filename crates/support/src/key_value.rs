//! Parses lists of the form `key=value,key=value` from the command line.

use anyhow::{Error, Result, anyhow};
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyValue<'a> {
    pub key: &'a str,
    pub value: &'a str,
}

pub fn unexpected(expected: &str, found: &str) -> Error {
    anyhow!("expected {expected}, found '{found}'")
}

impl<'a> KeyValue<'a> {
    /// Parses `key=value`. The value may contain `=`. The error quotes `expected` as the valid form.
    pub fn read(text: &'a str, expected: &str) -> Result<Self> {
        let (key, value) = text.split_once('=').ok_or_else(|| unexpected(expected, text))?;
        Ok(Self { key, value })
    }

    pub fn list(text: &'a str, expected: &'static str) -> impl Iterator<Item = Result<Self>> {
        text.split(',').map(move |text| Self::read(text, expected))
    }

    pub fn parse<T: FromStr>(&self, expected: &str, is_possible: impl FnOnce(&T) -> bool) -> Result<T> {
        self.value.parse().ok().filter(is_possible).ok_or_else(|| self.wrong(expected))
    }

    pub fn wrong(&self, expected: &str) -> Error {
        anyhow!("{}: {}", self.key, unexpected(expected, self.value))
    }

    pub fn unknown(&self, expected: &str) -> Error {
        unexpected(expected, &format!("{}={}", self.key, self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_are_split_at_the_first_equals_sign() {
        let pairs = KeyValue::list("a=1,b=c=d,=,e=", "x").map(Result::unwrap).map(|pair| (pair.key, pair.value));
        assert!(pairs.eq([("a", "1"), ("b", "c=d"), ("", ""), ("e", "")]));
    }

    #[test]
    fn errors_name_the_key_the_expectation_and_the_value() {
        let pair = KeyValue::read("depth=0", "key=value").unwrap();
        assert_eq!(pair.parse("a depth", |_: &u8| true).unwrap(), 0);
        let error = pair.parse("a depth", |&depth: &u8| depth > 0).unwrap_err();
        assert_eq!(error.to_string(), "depth: expected a depth, found '0'");
        assert_eq!(pair.unknown("nodes=").to_string(), "expected nodes=, found 'depth=0'");
        let error = KeyValue::list("", "key=value").next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "expected key=value, found ''");
    }
}
