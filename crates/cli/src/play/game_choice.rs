//! Which game is played.

use soffio::engine::Options;
use soffio::rules::Variant;
use std::fmt;

/// A variant, and whether its captures are compulsory, where players may agree on that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameChoice {
    /// The variant.
    pub variant: Variant,
    /// Whether a side that can capture must.
    pub forced_capture: bool,
}

impl GameChoice {
    /// `variant` by its standard rules.
    pub fn of(variant: Variant) -> Self {
        Self { variant, forced_capture: true }
    }

    /// The variant and option that lead to these rules.
    pub(super) fn with_rules(rules: Variant) -> Self {
        let forced = Variant::listed().find(|listed| listed.with_optional_capture() == Some(rules));
        forced.map_or(Self::of(rules), |variant| Self { variant, forced_capture: false })
    }

    /// The rules of the game.
    pub fn rules(self) -> Variant {
        Options { variant: self.variant, forced_capture: self.forced_capture, ..Options::default() }.rules()
    }
}

impl fmt::Display for GameChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let free = if self.rules() == self.variant { "" } else { " without forced captures" };
        write!(f, "{}{free}", self.variant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_choice_is_known_by_its_rules() {
        for &rules in Variant::ALL {
            assert_eq!(GameChoice::with_rules(rules).rules(), rules);
        }
        let free = GameChoice { forced_capture: false, ..GameChoice::of(Variant::English) };
        assert_eq!(free.to_string(), "english without forced captures");
        assert_eq!(GameChoice { forced_capture: false, ..GameChoice::of(Variant::Russian) }.to_string(), "russian");
    }
}
