//! Saves and loads games as PDN.

use super::{GameChoice, PlayPly, PlayRecord, PlayTimeControl, SidePlayer};
use anyhow::{Error, Result, anyhow};
use soffio::files::{read_regular, shown_path};
use soffio::notation::pdn::{
    GameRecord, GameResult, Guesses, PdnMove, PdnReader, ReadGame, TextEncoding, clock_text, clock_time, decode,
};
use soffio::notation::{GameError, IllegalMove, MoveRecord, printable};
use soffio::rules::{Color, Variant};
use soffio::system::reason;
use soffio_support::output_file::OutputFile;
use soffio_support::words::counted;
use std::collections::HashSet;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maximum file size in bytes, far larger than any real game collection.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// The encoding of a file and its byte order mark, which is empty if the file has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileEncoding {
    encoding: TextEncoding,
    mark: &'static [u8],
}

impl FileEncoding {
    pub(super) const UTF_8: Self = Self { encoding: TextEncoding::UTF_8, mark: b"" };
}

pub(super) struct LoadedGame {
    pub(super) record: PlayRecord,
    /// Whether the variant was guessed.
    pub(super) is_guess: bool,
    /// The White and Black players. A player is `None` if the file does not name it or the name is not a valid
    /// [`SidePlayer`].
    pub(super) players: [Option<SidePlayer>; 2],
    pub(super) control: Option<PlayTimeControl>,
    /// Whether the sides have different time controls. `control` is then `None`.
    pub(super) has_unequal_controls: bool,
    pub(super) origin: FileTags,
    pub(super) original: OriginalRecord,
    pub(super) games: usize,
    pub(super) encoding: FileEncoding,
    /// The file, or `None` if it contains other games, which would be lost if the game was saved there.
    pub(super) saved: Option<SavedGame>,
}

/// A loaded game as it is in its file.
pub(super) struct OriginalRecord {
    pub(super) game: GameRecord,
    moves: Vec<String>,
}

impl OriginalRecord {
    fn new(game: GameRecord, record: &PlayRecord) -> Self {
        Self { game, moves: record.played().iter().map(|ply| ply.text.clone()).collect() }
    }

    /// Returns whether `record` still has the same moves.
    pub(super) fn has_moves_of(&self, record: &PlayRecord) -> bool {
        record.played().iter().map(|ply| &ply.text).eq(&self.moves)
    }

    /// Returns whether the game begins with the moves of `record`.
    pub(super) fn begins_with(&self, record: &PlayRecord) -> bool {
        begin_with(self.moves.iter(), record)
    }
}

/// The file in which the current game was saved, or from which it was loaded.
pub(super) struct SavedGame {
    pub(super) path: PathBuf,
    bytes: Vec<u8>,
    plies: Vec<PlayPly>,
    result: String,
    termination: Option<String>,
    /// False if the file has moves that were not loaded, such as those after an unknown move.
    is_whole: bool,
}

impl SavedGame {
    fn new(path: PathBuf, bytes: Vec<u8>, game: &GameRecord, record: &PlayRecord) -> Self {
        let plies = record.played().to_vec();
        let is_whole = game.moves.len() == plies.len();
        let termination = game.tag(TERMINATION).map(str::to_owned);
        Self { path, bytes, plies, result: game.result_text(), termination, is_whole }
    }

    /// Returns whether the file still contains the saved game and nothing else.
    pub(super) fn is_unchanged(&self) -> bool {
        read(&self.path).is_ok_and(|bytes| bytes == self.bytes)
    }

    /// Returns whether the game begins with the moves of `record`.
    pub(super) fn begins_with(&self, record: &PlayRecord) -> bool {
        begin_with(self.plies.iter().map(|ply| &ply.text), record)
    }

    /// Returns whether `game`, which has the moves of `record`, contains everything that is in the file.
    pub(super) fn is_contained_in(&self, game: &GameRecord, record: &PlayRecord) -> bool {
        let (count, played) = (self.plies.len(), record.played());
        let is_kept = |(old, new): (&PlayPly, &PlayPly)| old.text == new.text && old.note == new.note;
        let is_start = count <= played.len() && self.plies.iter().zip(played).all(is_kept);
        let is_same_end = count == played.len() && self.result == game.result_text();
        self.is_whole && is_start && (self.result == UNFINISHED || is_same_end) && self.keeps_termination(game)
    }

    /// Returns whether `game` has the `Termination` tag of the file. A tag that only marks the game as unfinished need
    /// not be kept.
    fn keeps_termination(&self, game: &GameRecord) -> bool {
        let is_kept = |text: &str| text.contains(UNTERMINATED) || game.tag(TERMINATION) == Some(text);
        self.termination.as_deref().is_none_or(is_kept)
    }
}

/// The result of an unfinished game.
const UNFINISHED: &str = "*";

/// The reason in the `Termination` tag of an unfinished game.
pub(super) const UNTERMINATED: &str = "unterminated";

fn begin_with<'a>(mut moves: impl Iterator<Item = &'a String>, record: &PlayRecord) -> bool {
    record.played().iter().all(|ply| moves.next() == Some(&ply.text))
}

/// Writes `game`, which has the moves of `record`.
pub(super) fn save(
    path: PathBuf,
    replace: bool,
    game: &GameRecord,
    record: &PlayRecord,
    FileEncoding { encoding, mark }: FileEncoding,
) -> Result<SavedGame> {
    let text = game.to_string();
    let bytes = encoding.try_encode(&text).map_err(|missing| {
        let missing = printable(std::iter::once(missing));
        let remedy = "convert it with soffio pdn convert --to utf-8";
        about(&path, format!("the encoding {encoding} of the loaded file cannot represent '{missing}'; {remedy}"))
    })?;
    let file = OutputFile::keep(&path, replace, "use replace FILE to overwrite it, or choose another name")?;
    let bytes = [mark, &bytes].concat();
    file.write(&bytes)?;
    Ok(SavedGame::new(path, bytes, game, record))
}

/// Loads game `number` (counted from 1) from a file. If `encoding` is `None`, it is guessed. `choice` applies if the
/// game does not name a variant and, if `guesses_variant` is true, the variant cannot be guessed.
pub(super) fn load(
    path: &Path,
    number: usize,
    encoding: Option<TextEncoding>,
    choice: GameChoice,
    guesses_variant: bool,
) -> Result<LoadedGame> {
    let bytes = read(path).map_err(|error| about(path, error))?;
    let text = encoding.map_or_else(|| decode(&bytes), |encoding| encoding.decode(&bytes));
    let (encoding, text) = (FileEncoding { encoding: text.encoding(), mark: text.mark() }, text.text);
    let mut games: Vec<_> = PdnReader::new(&text).collect();
    let count = games.len();
    if !(1..=count).contains(&number) {
        return Err(about(path, format!("no game {number}: the file contains {}", counted(count, "game"))));
    }
    let guesses = guesses_variant.then(|| Guesses::new(games.iter().map(|game| &game.record)));
    let game = games.swap_remove(number - 1);
    let guess = guesses.filter(|_| game.record.variant() == Ok(None)).and_then(|all| all.variant(&game.record));
    let assumed = guess.map_or(choice, GameChoice::with_rules);
    let record = play_out(&game, assumed).map_err(|found| {
        let note = if game.record.variant() == Ok(None) {
            let guessed = if guess.is_some() { ", a guess" } else { "" };
            let remedy = "use --variant or enter variant NAME first";
            format!(" (read as {assumed}{guessed}; if it is another variant, {remedy})")
        } else {
            String::new()
        };
        about(path, format!("game {number}{found}{note}"))
    })?;
    let players = NAMES.map(|tag| game.record.tag(tag).and_then(|name| name.parse().ok()));
    // The clock uses the same time control for both sides.
    let controls = [Color::White, Color::Black].map(|side| game.record.time_control(side));
    let has_unequal_controls = controls[0] != controls[1];
    let [control, _] = controls;
    let control = control.filter(|_| !has_unequal_controls).as_ref().and_then(PlayTimeControl::from_record);
    let original = OriginalRecord::new(game.record.clone(), &record);
    let origin = FileTags::new(game.record, &players);
    let saved = (count == 1).then(|| SavedGame::new(path.to_owned(), bytes, &original.game, &record));
    Ok(LoadedGame {
        record,
        players,
        control,
        origin,
        original,
        games: count,
        saved,
        has_unequal_controls,
        encoding,
        is_guess: guess.is_some(),
    })
}

fn about(path: &Path, problem: impl Display) -> Error {
    anyhow!("{}: {}", shown_path(path), reason(problem))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read_regular(path, MAX_FILE_BYTES + 1)?;
    if bytes.len() as u64 > MAX_FILE_BYTES { Err(io::Error::other("too large")) } else { Ok(bytes) }
}

fn play_out(game: &ReadGame<'_>, choice: GameChoice) -> Result<PlayRecord, String> {
    let ReadGame { record: game, moves: places, .. } = game;
    let choice = game_choice_of(game, choice).map_err(|error| format!(": {error}"))?;
    let leading = game.moves.iter().take_while(|mv| mv.is_set_up()).count();
    let set_up = leading.checked_sub(1).and_then(|last| game.moves.get(last)?.set_up());
    let start = set_up.map_or_else(|| game.start(), |position| position.map(Some));
    let start = start.map_err(|error| format!(": {}", GameError::from(error)))?;
    let mut record = PlayRecord::new(choice, start).map_err(|error| format!(": {error}"))?;
    // After an unknown move, the position is unknown.
    let known = game.moves.iter().zip(places).skip(leading).take_while(|(mv, _)| !mv.is_unknown());
    for (mv, place) in known {
        let wrong = |error: Error| format!(", {place}: {error}");
        if mv.is_set_up() {
            return Err(wrong(anyhow!("cannot load a game that sets up a new position between moves: {}", mv.text)));
        }
        let read = mv.record().map_err(|error| wrong(anyhow!("move: {error}")))?;
        let (time, comment) = mv.comment.as_deref().map_or((None, None), split_comment);
        play_written(&mut record, read, time).map_err(wrong)?;
        record.note(PdnMove { comment, ..mv.clone() });
    }
    Ok(record)
}

/// Plays a move from a file. Old files contain the capture separator even in moves that capture nothing.
fn play_written(record: &mut PlayRecord, mv: MoveRecord, time: Option<Duration>) -> Result<()> {
    match record.play(&mv, time) {
        Err(error) if matches!(error.downcast_ref(), Some(IllegalMove::TakesNothing(..))) => {
            record.play(&MoveRecord { capture: false, ..mv }, time)
        }
        played => played,
    }
}

fn game_choice_of(game: &GameRecord, current: GameChoice) -> Result<GameChoice, String> {
    // Files saved by Soffio use the `Variant` tag even for rules that can only be selected by `forced_capture`.
    let unnumbered = game.tag("Variant").filter(|_| game.tag("GameType").is_none());
    let rules = match unnumbered.and_then(Variant::called) {
        Some(rules) => Some(rules),
        None => game.variant().map_err(|error| error.to_string())?,
    };
    Ok(rules.map_or(current, GameChoice::with_rules))
}

const TIME_TAG: (&str, char) = ("[%emt ", ']');

pub(super) fn pdn_move(ply: &PlayPly) -> PdnMove {
    let (begin, end) = TIME_TAG;
    let milliseconds = |time: Duration| time - Duration::from_nanos((time.subsec_nanos() % 1_000_000).into());
    let comment = ply.time.map(|time| format!("{begin}{}{end}", clock_text(milliseconds(time))));
    let mut mv = PdnMove { comment, ..ply.note.clone() };
    mv.text = PdnMove::played(&ply.text).text;
    if let Some(comment) = &ply.note.comment {
        mv.add_comment(comment);
    }
    mv
}

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

const NAMES: [&str; 2] = ["White", "Black"];

const SIDE_CONTROLS: [&str; 4] = ["TimeControlWhite", "WhiteTimeControl", "TimeControlBlack", "BlackTimeControl"];

const TERMINATION: &str = "Termination";

const PLACE: [&str; 4] = ["Event", "Site", "Date", "Round"];

/// The tags and the first comment of a loaded game, which are kept when the game is saved again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileTags {
    tags: Vec<(String, String)>,
    comment: Option<String>,
    extra: Vec<String>,
}

impl FileTags {
    /// Takes the tags and the comment from `game`. The names of `players` are Soffio's own and are dropped, as is the
    /// reason for a result, because the result is not kept.
    pub(super) fn new(game: GameRecord, players: &[Option<SidePlayer>; 2]) -> Self {
        let is_finished = game.result_text() != UNFINISHED;
        let mut origin = Self { tags: game.tags, comment: game.comment, extra: game.extra };
        let own: Vec<_> = NAMES.into_iter().zip(players).filter(|(_, player)| player.is_some()).collect();
        origin.tags.retain(|(name, _)| own.iter().all(|(own, _)| name != own));
        origin.tags.retain(|(name, _)| name != TERMINATION || !is_finished);
        origin
    }

    /// Drops the name of the player of `color` and other tags about this player, such as `WhiteElo`.
    pub(super) fn forget_player(&mut self, color: Color) {
        let own = color.pick(NAMES);
        self.tags.retain(|(name, _)| !name.starts_with(own) || SIDE_CONTROLS.contains(&name.as_str()));
    }

    /// Adds the tags and the comment to `game`. Existing tags are overwritten only by the event tags (`Event`, `Site`,
    /// `Date`, `Round`), the player tags, by the time controls if the game has no time limit, and by `Termination` if
    /// the game is unfinished. Repeated tags, of which the first counts, are added as well.
    pub(super) fn add_to(&self, game: &mut GameRecord) {
        let is_untimed = game.tag("TimeControl") == Some("-");
        let is_of_side = |name: &str| SIDE_CONTROLS.contains(&name);
        if is_untimed && self.tags.iter().any(|(name, _)| is_of_side(name)) {
            game.tags.retain(|(name, _)| name != "TimeControl");
        }
        let mut names = HashSet::new();
        for (name, value) in self.tags.iter().filter(|(name, _)| is_untimed || !is_of_side(name)) {
            let is_kept = match name.as_str() {
                "TimeControl" => is_untimed,
                TERMINATION => game.result == GameResult::Unknown,
                name => PLACE.contains(&name) || NAMES.contains(&name),
            };
            if !names.insert(name) {
                game.tags.push((name.clone(), value.clone()));
            } else if is_kept || game.tag(name).is_none() {
                game.set_tag(name, value.clone());
            }
        }
        game.comment.clone_from(&self.comment);
        game.extra.clone_from(&self.extra);
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
            game_choice_of(&GameRecord { tags, ..GameRecord::default() }, GameChoice::new(Variant::Thai))
        };
        assert_eq!(choice("GameType", "25,W,8,8,A0,0"), Ok(GameChoice::new(Variant::Russian)));
        assert_eq!(choice("GameType", "20"), Ok(GameChoice::new(Variant::International)));
        assert_eq!(choice("Variant", "killer8"), Ok(GameChoice::new(Variant::KillerBrazilian)));
        let free = GameChoice { forced_capture: false, ..GameChoice::new(Variant::Casual) };
        assert_eq!(choice("Variant", "casual-optional"), Ok(free));
        assert_eq!(choice("Event", "a match"), Ok(GameChoice::new(Variant::Thai)));
        assert_eq!(choice("GameType", "77"), Err("unknown variant or game type '77'".to_owned()));
        assert_eq!(choice("Variant", "chess"), Err("unknown variant or game type 'chess'".to_owned()));
    }
}
