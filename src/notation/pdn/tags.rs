//! Reads the tags of a game.

use super::error::Failure;
use super::tokens::{skip, tag_pair};

/// Names and values of tags.
type Tags = Vec<(String, String)>;

/// Reads the tags at the start of `input`; returns what is left, and whether it is the next game: a tag of the name that
/// these begin with, below an empty line.
pub(super) fn read_tags(input: &str) -> Result<(&str, Tags, bool), Failure<'_>> {
    let mut tags = Tags::new();
    let mut rest = input;
    let mut below_empty_line = false;
    while rest.starts_with('[') {
        let (after, pair) = tag_pair(rest).map_err(|_| Failure::new(rest, "a tag such as [Event \"Match\"]"))?;
        if below_empty_line && tags.first().is_some_and(|(first, _)| *first == pair.0) {
            return Ok((rest, tags, true));
        }
        tags.push(pair);
        rest = skip(after);
        let space = after.len() - rest.len();
        below_empty_line = after.get(..space).is_some_and(|space| space.matches('\n').count() > 1);
    }
    Ok((rest, tags, false))
}
