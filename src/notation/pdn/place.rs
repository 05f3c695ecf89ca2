//! Places in a text.

use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)
    }
}

/// Finds the places of a text one after the other, each character being counted once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    text: &'a str,
    /// The byte that was asked for last.
    offset: usize,
    place: Place,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, offset: 0, place: Place { line: 1, column: 1 } }
    }

    /// The place of the byte `offset`, which does not come before one that was asked for earlier.
    pub(super) fn at(&mut self, offset: usize) -> Place {
        let between = self.text.get(self.offset..offset).unwrap_or_default();
        self.offset = self.offset.max(offset);
        self.place.line += between.matches('\n').count();
        if between.contains('\n') {
            self.place.column = 1;
        }
        let on_line = between.rsplit('\n').next().unwrap_or_default();
        self.place.column += on_line.chars().count();
        self.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_on() {
        let text = "a\néb\r\n\nc";
        let mut places = Places::new(text);
        let found = [0, 1, 2, 4, 7, 8, 9].map(|offset| (places.at(offset).line, places.at(offset).column));
        assert_eq!(found, [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1), (4, 2)]);
    }
}
