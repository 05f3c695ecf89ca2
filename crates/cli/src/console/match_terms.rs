//! What must be the same when an interrupted match goes on.

use super::match_arguments::MatchArguments;
use crate::arena::Words;
use std::collections::BTreeMap;

/// The terms of a match between so many engines, by name, as people read them. How many games there are is none of them: a
/// match can be made longer.
pub(super) fn terms(arguments: &MatchArguments, engines: usize) -> BTreeMap<String, String> {
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
    let plan = arguments.plan();
    let mut terms = BTreeMap::from(
        [
            ("openings", arguments.opening_source().to_string()),
            ("plies", or_none(arguments.plies.map(|plies| plies.to_string()))),
            ("order", arguments.order().to_string()),
            ("start", arguments.start.to_string()),
            ("seed", or_none(arguments.seed.map(|seed| seed.to_string()))),
            ("format", arguments.format.to_string()),
            ("repeat", plan.repeat.to_string()),
            ("colours", if plan.swaps { "change" } else { "stay" }.to_owned()),
            ("draw", or_none(arguments.draw.map(|rule| rule.to_string()))),
            ("win", or_none(arguments.win.map(|rule| rule.to_string()))),
            ("tables", or_none(arguments.tables.as_ref().map(|folder| folder.display().to_string()))),
            ("max moves", arguments.max_moves.to_string()),
            ("margin", Words(arguments.margin).to_string()),
            ("stall", Words(arguments.stall).to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    // With two engines more games of a round only follow the others.
    if engines > 2 {
        terms.insert("games".to_owned(), plan.games.to_string());
    }
    terms
}
