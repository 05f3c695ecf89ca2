//! Lists `key=value,key=value` of command lines, for which each reader has its own table of keys.

use std::fmt;
use std::str::FromStr;

/// One `key=value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair<'a> {
    pub(crate) key: &'a str,
    pub(crate) value: &'a str,
}

/// Why a list cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairError {
    /// Its key, where a value is wrong.
    key: Option<String>,
    expected: &'static str,
    found: String,
}

impl PairError {
    /// `found` stands where something else is expected.
    pub(crate) fn new(expected: &'static str, found: &str) -> Self {
        Self { key: None, expected, found: found.to_owned() }
    }
}

impl fmt::Display for PairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, expected, found } = self;
        key.iter().try_for_each(|key| write!(f, "{key}: "))?;
        write!(f, "expected {expected}, found '{found}'")
    }
}

impl std::error::Error for PairError {}

impl<'a> Pair<'a> {
    /// Reads `key=value`; what follows a second `=` belongs to the value. `expected` is what the error names.
    pub(crate) fn read(text: &'a str, expected: &'static str) -> Result<Self, PairError> {
        let (key, value) = text.split_once('=').ok_or_else(|| PairError::new(expected, text))?;
        Ok(Self { key, value })
    }

    /// The pairs of `text`. `expected` is what the error of one that is none names.
    pub(crate) fn list(text: &'a str, expected: &'static str) -> impl Iterator<Item = Result<Self, PairError>> {
        text.split(',').map(move |text| Self::read(text, expected))
    }

    /// The value, if it can be read and `is_possible`.
    pub(crate) fn parse<T: FromStr>(
        &self,
        expected: &'static str,
        is_possible: impl FnOnce(&T) -> bool,
    ) -> Result<T, PairError> {
        self.value.parse().ok().filter(is_possible).ok_or_else(|| self.wrong(expected))
    }

    /// The error that the value is not what is expected of its key.
    pub(crate) fn wrong(&self, expected: &'static str) -> PairError {
        PairError { key: Some(self.key.to_owned()), ..PairError::new(expected, self.value) }
    }

    /// The error that there is no such key.
    pub(crate) fn unknown(&self, expected: &'static str) -> PairError {
        PairError::new(expected, &format!("{}={}", self.key, self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_are_split_at_the_first_sign() {
        let pairs: Vec<_> = Pair::list("a=1,b=c=d,=,e=", "x").map(Result::unwrap).collect();
        assert_eq!(
            pairs.iter().map(|pair| (pair.key, pair.value)).collect::<Vec<_>>(),
            [("a", "1"), ("b", "c=d"), ("", ""), ("e", "")]
        );
    }

    #[test]
    fn errors_name_the_key_what_is_expected_and_what_is_found() {
        let pair = Pair::read("depth=0", "key=value").unwrap();
        assert_eq!(pair.parse("a depth", |_: &u8| true), Ok(0));
        let error = pair.parse("a depth", |&depth: &u8| depth > 0).unwrap_err();
        assert_eq!(error.to_string(), "depth: expected a depth, found '0'");
        assert_eq!(pair.unknown("nodes=").to_string(), "expected nodes=, found 'depth=0'");
        let error = Pair::list("", "key=value").next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "expected key=value, found ''");
    }
}
