//! The record of a game that was played here.

use super::{GameRecord, GameResult, PdnMove};
use crate::notation::game_type;
use crate::rules::Variant;
use jiff::Timestamp;

/// A game that was played here.
#[derive(Clone, Debug)]
pub struct PlayedGame<'a> {
    /// What it was part of.
    pub event: &'a str,
    /// Where that was.
    pub site: &'a str,
    /// Its number there, counted from 1.
    pub round: usize,
    /// When it was played, as [`today`] has it.
    pub date: &'a str,
    /// White and Black.
    pub players: [&'a str; 2],
    /// Its rules.
    pub variant: Variant,
    /// Where it began, if not at the start position.
    pub fen: Option<&'a str>,
    /// The time that White and Black had.
    pub controls: [String; 2],
    /// The moves.
    pub moves: Vec<PdnMove>,
    /// How it ended.
    pub result: GameResult,
    /// Why it ended.
    pub reason: &'a str,
}

impl From<PlayedGame<'_>> for GameRecord {
    fn from(game: PlayedGame<'_>) -> Self {
        let PlayedGame { variant, result, moves, players: [white, black], .. } = game;
        let mut tags = vec![
            ("Event", game.event.to_owned()),
            ("Site", game.site.to_owned()),
            ("Date", game.date.to_owned()),
            ("Round", game.round.to_string()),
            ("White", white.to_owned()),
            ("Black", black.to_owned()),
            ("Result", result.to_string()),
        ];
        tags.push(variant_tag(variant));
        if let Some(fen) = game.fen {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.to_owned())]);
        }
        let [white, black] = game.controls;
        tags.extend([("WhiteTimeControl", white), ("BlackTimeControl", black)]);
        let first = variant.spec().starts;
        let end = match result {
            GameResult::First => format!("{first} wins"),
            GameResult::Second => format!("{} wins", first.opponent()),
            GameResult::Draw => "draw".to_owned(),
            GameResult::BothLost => "both lose".to_owned(),
            GameResult::Unknown => "unfinished".to_owned(),
        };
        tags.push(("Termination", format!("{end}: {}", game.reason)));
        let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { tags, comment: None, moves, result }
    }
}

/// The name and value of the tag that says what is played: only some variants have a number, and no reader takes anything
/// else for one.
pub(super) fn variant_tag(variant: Variant) -> (&'static str, String) {
    let game_type = game_type(variant).map(|text| ("GameType", text));
    game_type.unwrap_or_else(|| ("Variant", variant.name().to_owned()))
}

/// The date as a record has it, such as `2026.01.31`, in universal time.
pub fn today() -> String {
    Timestamp::now().strftime("%Y.%m.%d").to_string()
}
