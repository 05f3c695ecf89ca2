//! Games as files: saved and loaded as Portable Draughts Notation.

use super::{House, PlayError, Player, Ply, Record};
use crate::engine::{Event, Status};
use crate::notation::MoveRecord;
use crate::notation::pdn::{GameRecord, GameResult, PdnMove, PlayedGame, read_games, today};
use crate::rules::Variant;
use crossbeam_channel::Sender;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

/// The largest file that is read, in bytes: far more than any collection of games has.
const MOST: u64 = 1 << 28;

/// A game of a file, played to its end.
pub(super) struct Loaded {
    pub(super) record: Record,
    /// White and Black, where the file has a player of this program.
    pub(super) players: [Option<Player>; 2],
    /// How the file says that it ended.
    pub(super) result: GameResult,
    /// Games in the file.
    pub(super) games: usize,
}

/// Writes the game to a new file, or over an old one if it is to `replace` it.
///
/// # Errors
/// When the file exists and is not to be replaced, or cannot be written.
pub(super) fn save(path: &Path, replace: bool, record: &Record, players: &[Player; 2]) -> Result<(), PlayError> {
    let text = record_of(record, players).to_string();
    let write = || -> io::Result<()> {
        let mut file = if replace { File::create(path)? } else { File::create_new(path)? };
        file.write_all(text.as_bytes())?;
        file.flush()
    };
    write().map_err(|error| file_error(path, error))
}

/// Reads game `number`, counted from 1, of a file; `house` is the game if the file does not say which.
///
/// # Errors
/// When the file cannot be read, is no collection of games, has fewer games, or one of the moves is not legal.
pub(super) fn load(path: &Path, number: usize, house: House, events: &Sender<Event>) -> Result<Loaded, PlayError> {
    let text = read(path).map_err(|error| file_error(path, error))?;
    let name = || path.display().to_string();
    let games = read_games(&text).map_err(|error| PlayError::Pdn { path: name(), error })?;
    let problem = |problem: String| PlayError::Game { path: name(), problem };
    let Some(game) = number.checked_sub(1).and_then(|index| games.get(index)) else {
        return Err(problem(format!("there is no game {number}, the file has {}", games.len())));
    };
    let in_game = |found: String| problem(format!("game {number}: {found}"));
    let record = play_out(game, house, events).map_err(in_game)?;
    let player = |tag| game.tag(tag).and_then(|name| name.parse().ok());
    Ok(Loaded { record, players: ["White", "Black"].map(player), result: game.result, games: games.len() })
}

fn file_error(path: &Path, error: io::Error) -> PlayError {
    PlayError::File { path: path.display().to_string(), error }
}

fn read(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    let mut bytes = Vec::new();
    if file.take(MOST + 1).read_to_end(&mut bytes)? as u64 > MOST {
        return Err(io::Error::other("is too large"));
    }
    // Old collections have names in other encodings, which play no part in a game.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The board after the moves of `game`; the error says what is wrong with it.
fn play_out(game: &GameRecord, house: House, events: &Sender<Event>) -> Result<Record, String> {
    let house = house_of(game, house)?;
    let start = game.start().map_err(|error| format!("fen {error}"))?;
    let mut record = Record::new(house, start, events.clone()).map_err(|error| error.to_string())?;
    for (index, PdnMove { text, comment, .. }) in game.moves.iter().enumerate() {
        let wrong = |error: PlayError| format!("move {} of {}: {error}", index + 1, game.moves.len());
        let mv: MoveRecord = text.parse().map_err(|error| wrong(PlayError::Syntax(error)))?;
        let (time, comment) = comment.as_deref().map_or((None, None), split_comment);
        record.play(&mv, time.unwrap_or_default()).map_err(wrong)?;
        record.comment(comment);
    }
    Ok(record)
}

/// Which game the tags name; without such a tag it is `present`.
fn house_of(game: &GameRecord, present: House) -> Result<House, String> {
    let by_number = game.tag("GameType").map(|tag| (tag, Variant::named(tag.split(',').next().unwrap_or_default())));
    let by_name = || {
        let tag = game.tag("Variant")?;
        let is_called = |variant: &Variant| variant.name().eq_ignore_ascii_case(tag);
        Some((tag, Variant::ALL.iter().copied().find(is_called).or_else(|| Variant::named(tag))))
    };
    match by_number.or_else(by_name) {
        None => Ok(present),
        Some((_, Some(rules))) if rules == present.variant => Ok(House::of(rules)),
        Some((_, Some(rules))) => Ok(House::with_rules(rules)),
        Some((tag, None)) => Err(format!("variant '{tag}' is not known")),
    }
}

/// The game as a record.
fn record_of(record: &Record, players: &[Player; 2]) -> GameRecord {
    let rules = record.house().rules();
    let (result, reason) = match record.status() {
        Status::Playing { .. } => (GameResult::Unknown, "to be played on".to_owned()),
        Status::Won { winner, reason } => (GameResult::won_by(winner, rules), reason.to_string()),
        Status::Drawn(reason) => (GameResult::Draw, reason.to_string()),
    };
    let [white, black] = players.each_ref().map(ToString::to_string);
    let fen = record.start().map(ToString::to_string);
    PlayedGame {
        event: "soffio play",
        round: 1,
        date: &today(),
        players: [&white, &black],
        variant: rules,
        fen: fen.as_deref(),
        controls: ["-".to_owned(), "-".to_owned()],
        moves: record.played().iter().map(pdn_move).collect(),
        result,
        reason: &reason,
    }
    .into()
}

/// How a comment begins and ends that says the time of a move.
const TIME_TAG: (&str, char) = ("[%emt ", ']');

fn pdn_move(ply: &Ply) -> PdnMove {
    let milliseconds = ply.time.as_millis();
    let (seconds, thousandths) = (milliseconds / 1000, milliseconds % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let (begin, end) = TIME_TAG;
    let time = format!("{begin}{hours}:{minutes:02}:{seconds:02}.{thousandths:03}{end}");
    let comment = ply.comment.as_ref().map_or(time.clone(), |comment| format!("{time} {comment}"));
    PdnMove { comment: Some(comment), ..PdnMove::new(ply.text.clone()) }
}

/// The time of a move, if the comment has it, and the rest of the comment.
fn split_comment(comment: &str) -> (Option<Duration>, Option<String>) {
    let (begin, end) = TIME_TAG;
    let timed = comment.split_once(begin).and_then(|(before, rest)| {
        let (time, after) = rest.split_once(end)?;
        Some((read_time(time)?, format!("{before}{after}")))
    });
    let (time, rest) = timed.map_or((None, comment.to_owned()), |(time, rest)| (Some(time), rest));
    let rest = rest.trim();
    (time, (!rest.is_empty()).then(|| rest.to_owned()))
}

/// Reads `0:01:23.456`.
fn read_time(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().ok()?;
    }
    Duration::try_from_secs_f64(seconds).ok()
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
        let house = |name: &str, value: &str| {
            let tags = vec![(name.to_owned(), value.to_owned())];
            house_of(&GameRecord { tags, ..GameRecord::default() }, House::of(Variant::Thai))
        };
        assert_eq!(house("GameType", "25,W,8,8,A0,0"), Ok(House::of(Variant::Russian)));
        assert_eq!(house("GameType", "20"), Ok(House::of(Variant::International)));
        assert_eq!(house("Variant", "killer8"), Ok(House::of(Variant::KillerBrazilian)));
        let free = House { forced_capture: false, ..House::of(Variant::Casual) };
        assert_eq!(house("Variant", "casual-optional"), Ok(free));
        assert_eq!(house("Event", "a match"), Ok(House::of(Variant::Thai)));
        assert_eq!(house("GameType", "77"), Err("variant '77' is not known".to_owned()));
    }
}
