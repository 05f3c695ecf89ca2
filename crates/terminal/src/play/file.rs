//! Games as files: saved and loaded as Portable Draughts Notation.

use super::{Game, GameChoice, Player, Ply, Record, TimeControl};
use anyhow::{Error, Result, anyhow};
use jiff::Timestamp;
use soffio::engine::Status;
use soffio::notation::pdn::{
    self, DATE_FORMAT, GameRecord, GameResult, PdnMove, PdnReader, PlayedGame, ReadGame, clock_text, clock_time, decode,
};
use soffio::notation::{IllegalMove, MoveRecord};
use soffio::rules::{Color, Variant};
use soffio_support::of_file::shown_path;
use soffio_support::output_file::OutputFile;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

/// The largest file that is read, in bytes: far more than any collection of games has.
const MOST: u64 = 1 << 28;

/// A game of a file, with all its moves played.
pub(super) struct Loaded {
    pub(super) record: Record,
    /// White and Black, where the file names a player that Soffio can provide.
    pub(super) players: [Option<Player>; 2],
    /// The time that both sides had, where the file says so.
    pub(super) control: Option<TimeControl>,
    /// Its other tags and comments.
    pub(super) origin: Origin,
    /// How the file says that it ended.
    pub(super) result: GameResult,
    pub(super) games: usize,
}

/// Writes `game` to a new file, or over an existing one if `replace` is set.
pub(super) fn save(path: &Path, replace: bool, game: &GameRecord) -> Result<()> {
    let file = OutputFile::keep(path, replace, "replace FILE overwrites it, or choose another name")?;
    Ok(file.write(game.to_string().as_bytes())?)
}

/// Reads game `number`, counted from 1, of a file; `choice` is used if the file does not name a variant. Other games of the
/// file need not be readable.
pub(super) fn load(path: &Path, number: usize, choice: GameChoice) -> Result<Loaded> {
    let text = decode(&read(path).map_err(|error| about(path, error))?).text;
    let mut games: Vec<_> = PdnReader::new(&text).collect();
    let count = games.len();
    if !(1..=count).contains(&number) {
        return Err(about(path, format!("there is no game {number}, the file has {count}")));
    }
    let game = games.swap_remove(number - 1).map_err(|error| about(path, error))?;
    let record = play_out(&game, choice).map_err(|found| about(path, format!("game {number}{found}")))?;
    let players = NAMES.map(|tag| game.record.tag(tag).and_then(|name| name.parse().ok()));
    // Soffio gives both sides the same time.
    let control = game.record.time_control(Color::White).as_ref().and_then(TimeControl::from_record);
    let result = game.record.result;
    let origin = Origin::new(game.record, players.iter().any(Option::is_some));
    Ok(Loaded { record, players, control, origin, result, games: count })
}

fn about(path: &Path, problem: impl Display) -> Error {
    anyhow!("{}: {problem}", shown_path(path))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Before it is opened: Windows opens no folder, and to open a pipe waits for a process that writes to it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    if file.take(MOST + 1).read_to_end(&mut bytes)? as u64 > MOST {
        return Err(io::Error::other("is too large"));
    }
    Ok(bytes)
}

/// The board after the moves of `game`; the error says what is wrong, and where in the game.
fn play_out(game: &ReadGame, choice: GameChoice) -> Result<Record, String> {
    let ReadGame { record: game, moves: places, .. } = game;
    let choice = game_choice_of(game, choice).map_err(|error| format!(": {error}"))?;
    let start = game.start().map_err(|error| format!(": fen {error}"))?;
    let mut record = Record::new(choice, start).map_err(|error| format!(": {error}"))?;
    for (mv, place) in game.moves.iter().zip(places) {
        let wrong = |error: Error| format!(", {place}: {error}");
        let read = mv.record().map_err(|error| wrong(anyhow!("move: {error}")))?;
        let (time, comment) = mv.comment.as_deref().map_or((None, None), split_comment);
        play_written(&mut record, read, time).map_err(wrong)?;
        record.note(PdnMove { comment, ..mv.clone() });
    }
    Ok(record)
}

/// Plays a move of a file. Old files write the capture sign also in moves that take nothing.
fn play_written(record: &mut Record, mv: MoveRecord, time: Option<Duration>) -> Result<()> {
    match record.play(&mv, time) {
        Err(error) if matches!(error.downcast_ref(), Some(IllegalMove::TakesNothing(..))) => {
            record.play(&MoveRecord { capture: false, ..mv }, time)
        }
        played => played,
    }
}

/// Which game the tags name; without such a tag it is `current`.
fn game_choice_of(game: &GameRecord, current: GameChoice) -> Result<GameChoice, String> {
    // Files that Soffio saved also name the rule sets that only an option leads to.
    let unnumbered = game.tag("Variant").filter(|_| game.tag("GameType").is_none());
    let rules = match unnumbered.and_then(Variant::called) {
        Some(rules) => Some(rules),
        None => game.variant().map_err(|error| error.to_string())?,
    };
    Ok(rules.map_or(current, GameChoice::with_rules))
}

pub(super) fn record_of(game: &Game) -> GameRecord {
    let record = &game.record;
    let rules = record.choice.rules();
    let (result, reason) = match (record.board.status(), game.fallen) {
        (Status::Playing { .. }, Some(fallen)) => (GameResult::won_by(fallen.opponent(), rules), "on time".to_owned()),
        (Status::Playing { .. }, None) => (GameResult::Unknown, "to be played on".to_owned()),
        (Status::Won { winner, reason }, _) => (GameResult::won_by(winner, rules), reason.to_string()),
        (Status::Drawn(reason), _) => (GameResult::Draw, reason.to_string()),
    };
    let [white, black] = [Color::White, Color::Black].map(|color| game.player(color).to_string());
    let fen = record.start().map(ToString::to_string);
    let mut written = GameRecord::from(PlayedGame {
        event: "soffio play",
        site: "?",
        round: 1,
        date: &Timestamp::now().strftime(DATE_FORMAT).to_string(),
        players: [&white, &black],
        variant: rules,
        fen: fen.as_deref(),
        controls: [game.control(); 2].map(|control| control.map_or(pdn::TimeControl::Unlimited, TimeControl::written)),
        moves: record.played().iter().map(pdn_move).collect(),
        result,
        reason: &reason,
    });
    game.origin.add_to(&mut written);
    written
}

/// The beginning and end of a comment with the time of a move.
const TIME_TAG: (&str, char) = ("[%emt ", ']');

fn pdn_move(ply: &Ply) -> PdnMove {
    let (begin, end) = TIME_TAG;
    let milliseconds = |time: Duration| time - Duration::from_nanos((time.subsec_nanos() % 1_000_000).into());
    let comment = ply.time.map(|time| format!("{begin}{}{end}", clock_text(milliseconds(time))));
    let mut mv = PdnMove { comment, ..ply.note.clone() };
    mv.text = PdnMove::played(&ply.text).text;
    if let Some(comment) = &ply.note.comment {
        mv.say(comment);
    }
    mv
}

/// The time of a move, if the comment has it, and the rest of the comment.
fn split_comment(comment: &str) -> (Option<Duration>, Option<String>) {
    let (begin, end) = TIME_TAG;
    let timed = comment.split_once(begin).and_then(|(before, rest)| {
        let (time, after) = rest.split_once(end)?;
        Some((clock_time(time)?, format!("{before}{after}")))
    });
    let (time, rest) = timed.map_or((None, comment.to_owned()), |(time, rest)| (Some(time), rest));
    let rest = rest.trim();
    (time, (!rest.is_empty()).then(|| rest.to_owned()))
}

/// The tags with the names of White and Black.
pub(super) const NAMES: [&str; 2] = ["White", "Black"];

/// The tags that say where and when a game was begun.
const PLACE: [&str; 4] = ["Event", "Site", "Date", "Round"];

/// The tags of a file about a game, and its first comment. It is kept when the game is saved again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    tags: Vec<(String, String)>,
    /// The comment before the first move.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_have_the_time_of_their_move() {
        let split = |text| split_comment(text);
        assert_eq!(split("[%emt 0:01:02.5]"), (Some(Duration::from_millis(62_500)), None));
        assert_eq!(split("good [%emt 5] move"), (Some(Duration::from_secs(5)), Some("good  move".to_owned())));
        assert_eq!(split("[%emt x] a"), (None, Some("[%emt x] a".to_owned())));
        assert_eq!(split("[%emt -1]"), (None, Some("[%emt -1]".to_owned())));
    }

    #[test]
    fn tags_name_the_game() {
        let choice = |name: &str, value: &str| {
            let tags = vec![(name.to_owned(), value.to_owned())];
            game_choice_of(&GameRecord { tags, ..GameRecord::default() }, GameChoice::of(Variant::Thai))
        };
        assert_eq!(choice("GameType", "25,W,8,8,A0,0"), Ok(GameChoice::of(Variant::Russian)));
        assert_eq!(choice("GameType", "20"), Ok(GameChoice::of(Variant::International)));
        assert_eq!(choice("Variant", "killer8"), Ok(GameChoice::of(Variant::KillerBrazilian)));
        let free = GameChoice { forced_capture: false, ..GameChoice::of(Variant::Casual) };
        assert_eq!(choice("Variant", "casual-optional"), Ok(free));
        assert_eq!(choice("Event", "a match"), Ok(GameChoice::of(Variant::Thai)));
        assert_eq!(choice("GameType", "77"), Err("no game is known as '77'".to_owned()));
        assert_eq!(choice("Variant", "chess"), Err("no game is known as 'chess'".to_owned()));
    }
}
