//! What a file says about a game beside its moves.

use soffio::notation::pdn::GameRecord;

/// The tags with the names of White and Black.
pub(super) const NAMES: [&str; 2] = ["White", "Black"];

/// The tags that say where and when a game was begun.
const PLACE: [&str; 4] = ["Event", "Site", "Date", "Round"];

/// What a file says about a game beside its moves. It is kept when the game is saved again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    tags: Vec<(String, String)>,
    /// What it says before the first move.
    comment: Option<String>,
}

impl Origin {
    /// The origin of `game`. If Soffio saved it, as `was_played_here` says, the player names are its own and are left out.
    pub(super) fn new(game: GameRecord, was_played_here: bool) -> Self {
        let mut origin = Self { tags: game.tags, comment: game.comment };
        if was_played_here {
            origin.forget_players();
        }
        origin
    }

    /// Drops the names, because other players continue the game.
    pub(super) fn forget_players(&mut self) {
        self.tags.retain(|(name, _)| !NAMES.contains(&name.as_str()));
    }

    /// Adds the tags and comment to `game`, which keeps its own tags on result and rules.
    pub(super) fn add_to(&self, game: &mut GameRecord) {
        for (name, value) in &self.tags {
            let is_kept = PLACE.contains(&name.as_str()) || NAMES.contains(&name.as_str());
            if is_kept || game.tag(name).is_none() {
                game.set_tag(name, value.clone());
            }
        }
        game.comment.clone_from(&self.comment);
    }
}
