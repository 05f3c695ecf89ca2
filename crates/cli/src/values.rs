//! Parses argument values.

use clap::builder::TypedValueParser;
use soffio::engine::{MAX_DEPTH, MAX_HASH, MAX_LINES, MAX_THREADS};
use soffio::rules::Variant;
use soffio_support::words::whole_number;
use soffio_tavla::session::NAME as TAVLA;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Returns the variant called `name`. The error message lists all variants.
pub fn variant(name: &str) -> Result<Variant, String> {
    Variant::named(name).ok_or_else(unknown_variant)
}

/// Like [`variant`], but also accepts variants that other commands can select only with an option.
pub fn any_variant(name: &str) -> Result<Variant, String> {
    Variant::any_named(name).ok_or_else(unknown_variant)
}

fn unknown_variant() -> String {
    let names: Vec<_> = Variant::listed().map(Variant::name).collect();
    format!("expected one of {}", names.join(", "))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameName {
    Draughts(Variant),
    Tavla,
}

pub fn game(name: &str) -> Result<GameName, String> {
    if name.eq_ignore_ascii_case(TAVLA) {
        return Ok(GameName::Tavla);
    }
    variant(name).map(GameName::Draughts).map_err(|error| format!("{error}, {TAVLA}"))
}

/// Parses an engine name, which must fit on one line in every protocol.
pub fn engine_name(text: &str) -> Result<String, String> {
    const MAX_NAME_CHARS: usize = 60;
    let name = text.trim();
    let breaks = |c: char| c.is_control() || c == '"' || c == '=';
    match name.chars().count() {
        1..=MAX_NAME_CHARS if !name.contains(breaks) => Ok(name.to_owned()),
        1..=MAX_NAME_CHARS => Err("must not contain quotation marks, '=' or control characters".to_owned()),
        _ => Err(format!("must have 1 to {MAX_NAME_CHARS} characters")),
    }
}

pub fn integer<T: FromStr + Clone + Send + Sync + 'static>(
    range: RangeInclusive<u64>,
) -> impl TypedValueParser<Value = T> {
    move |text: &str| {
        let is_possible = text.parse().is_ok_and(|number: u64| range.contains(&number));
        text.parse().ok().filter(|_| is_possible).ok_or_else(|| format!("expected {}", whole_number(&range)))
    }
}

pub fn depth<T: FromStr + Clone + Send + Sync + 'static>() -> impl TypedValueParser<Value = T> {
    integer(1..=MAX_DEPTH.into())
}

pub fn multipv() -> impl TypedValueParser<Value = NonZeroUsize> {
    integer(1..=MAX_LINES)
}

pub fn threads() -> impl TypedValueParser<Value = NonZeroUsize> {
    integer(1..=MAX_THREADS)
}

pub fn hash() -> impl TypedValueParser<Value = usize> {
    integer(1..=MAX_HASH)
}

pub fn number_in(
    range: RangeInclusive<f32>,
    wanted: &'static str,
) -> impl Fn(&str) -> Result<f32, &'static str> + Clone {
    move |text| text.parse().ok().filter(|number| range.contains(number)).ok_or(wanted)
}
