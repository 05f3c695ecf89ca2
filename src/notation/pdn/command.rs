//! Commands in comments, such as `[%clk 1:55:21]`. Clocks are written as in PDN 3.0, scores, squares and arrows as in
//! chess PGN.

use crate::board::SquareName;
use crate::notation::syntax::square_name;
use crate::rules::Color;
use crate::score::WhiteScore;
use std::time::Duration;

/// A part of a comment.
#[derive(Clone, Debug, PartialEq)]
pub enum CommentPart<'a> {
    /// Text, without surrounding spaces.
    Text(&'a str),
    /// A supported command.
    Command(Command),
    /// A command that is not supported or has an invalid value, including its brackets.
    Unknown(&'a str),
}

/// A command that the parser supports.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `clk` and `clock`: the time left on one clock or on both clocks.
    Clocks(Vec<ClockReading>),
    /// `mct`: the time that a mechanical clock shows.
    MechanicalClock(Duration),
    /// `emt`: the time that the player used for the move.
    MoveTime(Duration),
    /// `egt`: the time that the player has used for all moves so far.
    GameTime(Duration),
    /// `eval`: the score after the move, from White's point of view.
    Evaluation(WhiteScore),
    /// `csl` and `cal`: coloured squares and arrows.
    Marks(Vec<BoardMark>),
}

/// The time that is left on a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// The player whose clock it is, or `None` for the player who has just moved.
    pub side: Option<Color>,
    /// Whether this clock is marked as running, by a capital letter.
    pub is_running: bool,
    /// Time left.
    pub left: Duration,
}

/// A square or an arrow in a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardMark {
    /// The letter of the colour, such as `G` for green.
    pub color: char,
    /// The square, or the start of the arrow.
    pub from: SquareName,
    /// The end of the arrow, or `None` if this is a square.
    pub to: Option<SquareName>,
}

/// Finds the commands in a comment, in linear time.
pub(super) struct CommandFinder<'a> {
    text: &'a str,
    at: usize,
    /// Whether the number of quotation marks before `at` is odd.
    is_odd: bool,
    /// Offset of the last `]` that follows an even and an odd number of quotation marks.
    last: [Option<usize>; 2],
}

impl<'a> CommandFinder<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let (mut is_odd, mut even, mut odd) = (false, None, None);
        for (offset, byte) in text.bytes().enumerate() {
            match byte {
                b'"' => is_odd = !is_odd,
                b']' if is_odd => odd = Some(offset),
                b']' => even = Some(offset),
                _ => {}
            }
        }
        Self { text, at: 0, is_odd: false, last: [even, odd] }
    }

    /// Returns the command at `offset` with its brackets, or `None` if there is no complete command. The command ends
    /// at the first `]` that is not in quotation marks or, if all of them are, at the first `]`. The offset must not be
    /// less than in the previous call.
    pub(super) fn command_at(&mut self, offset: usize) -> Option<&'a str> {
        let text = self.text.get(offset..)?;
        let inner = text.strip_prefix("[%").filter(|inner| inner.starts_with(|c: char| c.is_alphanumeric()))?;
        let passed = self.text.as_bytes().get(self.at..offset).unwrap_or_default();
        self.is_odd ^= passed.iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
        self.at = offset;
        // A search that cannot succeed would read the rest of the text for each command.
        let [even, odd] = self.last.map(|last| last.is_some_and(|last| last > offset));
        let mut is_quoted = false;
        let mut is_end = |c| {
            is_quoted ^= c == '"';
            c == ']' && !is_quoted
        };
        let end = match if self.is_odd { odd } else { even } {
            true => inner.find(&mut is_end),
            false if even || odd => inner.find(']'),
            false => None,
        };
        text.get(..end? + "[%]".len())
    }
}

/// Splits `comment` into text and commands.
pub fn comment_parts(comment: &str) -> Vec<CommentPart<'_>> {
    let (mut parts, mut commands, mut end) = (Vec::new(), CommandFinder::new(comment), 0);
    for (offset, _) in comment.match_indices("[%") {
        let command = if offset < end { None } else { commands.command_at(offset) };
        let Some(command) = command else { continue };
        parts.extend(text_part(comment.get(end..offset)));
        parts.push(read_command(command).map_or(CommentPart::Unknown(command), CommentPart::Command));
        end = offset + command.len();
    }
    parts.extend(text_part(comment.get(end..)));
    parts
}

fn text_part(text: Option<&str>) -> Option<CommentPart<'_>> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(CommentPart::Text)
}

fn read_command(command: &str) -> Option<Command> {
    let inner = command.strip_prefix("[%")?.strip_suffix(']')?.trim();
    let (name, value) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
    let value = value.trim();
    match name {
        "clk" | "clock" => {
            let readings: Option<Vec<_>> = value.split_whitespace().map(clock_reading).collect();
            readings.filter(|readings| matches!(readings.len(), 1 | 2)).map(Command::Clocks)
        }
        "mct" => clock_time(value).map(Command::MechanicalClock),
        "emt" => clock_time(value).map(Command::MoveTime),
        "egt" => clock_time(value).map(Command::GameTime),
        "eval" => evaluation(value).map(Command::Evaluation),
        "csl" | "cal" => {
            let marks: Option<Vec<_>> = value.split(',').map(|text| board_mark(text.trim())).collect();
            marks.filter(|marks| marks.iter().all(|mark| mark.to.is_some() == (name == "cal"))).map(Command::Marks)
        }
        _ => None,
    }
}

fn clock_reading(text: &str) -> Option<ClockReading> {
    let letter = text.chars().next()?;
    let side = match letter.to_ascii_lowercase() {
        'w' => Some(Color::White),
        'b' => Some(Color::Black),
        _ => None,
    };
    let left = clock_time(text.get(usize::from(side.is_some())..)?)?;
    Some(ClockReading { side, is_running: letter.is_ascii_uppercase(), left })
}

/// Parses hours, minutes and seconds, separated by colons. The hours, or the hours and the minutes, may be omitted. The
/// seconds may have a fraction. Returns `None` if `text` is not a valid time.
pub fn clock_time(text: &str) -> Option<Duration> {
    let (whole, seconds) = text.rsplit_once(':').unwrap_or(("", text));
    let is_plain = seconds.starts_with(|c: char| c.is_ascii_digit()) && !seconds.contains(['e', 'E']);
    let seconds =
        seconds.parse().ok().filter(|_| is_plain).and_then(|number| Duration::try_from_secs_f64(number).ok())?;
    let (hours, minutes) = whole.split_once(':').unwrap_or(("0", whole));
    let number = |text: &str| match text {
        "" => Some(0),
        text => text.parse().ok().filter(|&number: &u64| number < 100_000),
    };
    seconds.checked_add(Duration::from_secs(number(hours)? * 3600 + number(minutes)? * 60))
}

/// Formats `time` as `h:mm:ss`, with a fraction if it is not a whole number of seconds.
pub fn clock_text(time: Duration) -> String {
    let (seconds, fraction) = (time.as_secs(), f64::from(time.subsec_nanos()) / 1e9);
    let fraction = if time.subsec_nanos() == 0 { String::new() } else { fraction.to_string() };
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}{}", seconds % 60, fraction.trim_start_matches('0'))
}

fn evaluation(text: &str) -> Option<WhiteScore> {
    let score = text.split(',').next()?.trim();
    if let Some(moves) = score.strip_prefix('#') {
        let (color, moves) = moves.strip_prefix('-').map_or((Color::White, moves), |moves| (Color::Black, moves));
        return Some(WhiteScore::won_by(color, moves.parse().ok()?));
    }
    score.parse().ok().filter(|men: &f64| men.is_finite()).map(WhiteScore::from_men)
}

fn board_mark(text: &str) -> Option<BoardMark> {
    let color = text.chars().next().filter(char::is_ascii_uppercase)?;
    let (rest, from) = square_name(text.get(1..)?).ok()?;
    if rest.is_empty() {
        return Some(BoardMark { color, from, to: None });
    }
    let (rest, to) = square_name(rest.strip_prefix(['-', 'x']).unwrap_or(rest)).ok()?;
    rest.is_empty().then_some(BoardMark { color, from, to: Some(to) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Option<Command> {
        match &comment_parts(text)[..] {
            [CommentPart::Command(command)] => Some(command.clone()),
            _ => None,
        }
    }

    #[test]
    fn the_commands_of_the_standard_are_parsed() {
        let seconds = Duration::from_secs;
        let clock = |side, is_running, left| ClockReading { side, is_running, left: seconds(left) };
        let clocks = |readings: &[ClockReading]| Some(Command::Clocks(readings.to_vec()));
        let square = |text: &str| square_name(text).unwrap().1;
        let mark = |color, from, to: Option<&str>| BoardMark { color, from: square(from), to: to.map(square) };
        let men = |men| Some(Command::Evaluation(WhiteScore::from_men(men)));
        for (text, expected) in [
            ("[%clk 1:55:21]", clocks(&[clock(None, false, 6921)])),
            (
                "[%clock w0:00:10 B0:00:03]",
                clocks(&[clock(Some(Color::White), false, 10), clock(Some(Color::Black), true, 3)]),
            ),
            ("[%clock 0:49:11]", clocks(&[clock(None, false, 2951)])),
            ("[%emt 0:00:07.5]", Some(Command::MoveTime(Duration::from_millis(7500)))),
            ("[%emt 90]", Some(Command::MoveTime(seconds(90)))),
            ("[%egt 1:00:00]", Some(Command::GameTime(seconds(3600)))),
            ("[%mct 17:10:42]", Some(Command::MechanicalClock(seconds(61_842)))),
            ("[%eval 0.12]", men(0.12)),
            ("[%eval -3.5,20]", men(-3.5)),
            ("[%eval #-4]", Some(Command::Evaluation(WhiteScore::Black(4)))),
            ("[%csl Gd4,R28]", Some(Command::Marks(vec![mark('G', "d4", None), mark('R', "28", None)]))),
            (
                "[%cal Gc3d4, R32-28]",
                Some(Command::Marks(vec![mark('G', "c3", Some("d4")), mark('R', "32", Some("28"))])),
            ),
            ("[%clk]", None),
            ("[%clk soon]", None),
            ("[%clk 0:01 0:02 0:03]", None),
            ("[%emt -1]", None),
            ("[%emt 99999999999999999:00:00]", None),
            ("[%eval good]", None),
            ("[%eval inf]", None),
            ("[%csl d4]", None),
            ("[%csl Gd4d5]", None),
            ("[%cal G99999-1]", None),
            ("[%animate 3]", None),
        ] {
            assert_eq!(only(text), expected, "{text}");
        }
    }

    #[test]
    fn a_comment_consists_of_words_and_commands() {
        let parts = comment_parts("so [%x \"a ] b\"] then [%clk 0:05] [% no [%emt 1 end");
        let clock = ClockReading { side: None, is_running: false, left: Duration::from_secs(5) };
        let expected = [
            CommentPart::Text("so"),
            CommentPart::Unknown("[%x \"a ] b\"]"),
            CommentPart::Text("then"),
            CommentPart::Command(Command::Clocks(vec![clock])),
            CommentPart::Text("[% no [%emt 1 end"),
        ];
        assert_eq!(parts, expected);
        assert_eq!(comment_parts("[%x \"a] b"), [CommentPart::Unknown("[%x \"a]"), CommentPart::Text("b")]);
    }

    #[test]
    fn commands_without_an_end_are_found_in_linear_time() {
        const COUNT: usize = 100_000;
        for (unit, commands) in [("word [%clk ", 0), ("[%x\"]\"", COUNT), ("[%x \" ", 0)] {
            let comment = unit.repeat(COUNT);
            let found = comment_parts(&comment).into_iter().filter(|part| matches!(part, CommentPart::Unknown(_)));
            assert_eq!(found.count(), commands, "{unit}");
            assert!(!crate::notation::pdn::comment_words(&comment).is_empty());
        }
    }

    #[test]
    fn times_and_scores_are_printed_as_they_were_parsed() {
        for text in ["0:00:07", "1:55:21", "0:00:07.5", "125:00:00", "0:00:00.001"] {
            assert_eq!(clock_time(text).map(clock_text).as_deref(), Some(text));
        }
        let printed = |text: &str| evaluation(text).unwrap().eval_text();
        assert_eq!(["+0.1", "-12", "#3", "#-3"].map(printed), ["0.10", "-12.00", "#3", "#-3"]);
    }
}
