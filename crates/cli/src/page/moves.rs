//! The moves of a game, as a list and as cards of the bad ones. Every link leads to a position by its address: `#game-2-ply-14`
//! after so many moves, `#game-2-ply-14-better-3` after so many moves of the line that is better there.

use super::board::{ArrowKind, Board};
use super::line::Line;
use super::text::Escaped;
use super::words;
use soffio::annotate::{JudgedMove, Mark};
use soffio::notation::pdn::{GameRecord, PdnMove};
use std::fmt::Write;

/// A move with everything that the page says about it.
pub(super) struct ListedMove<'a> {
    /// The number of its game.
    pub(super) game: usize,
    /// Its place among the moves, from 0.
    pub(super) index: usize,
    /// The game.
    pub(super) record: &'a GameRecord,
    /// As it is written.
    pub(super) written: &'a PdnMove,
    /// The engine's judgement of it.
    pub(super) judged: JudgedMove<'a>,
    /// The line that is better, and how it goes.
    pub(super) better: Option<&'a Line>,
}

impl ListedMove<'_> {
    fn mark(&self) -> Option<Mark> {
        self.judged.judgement.mark
    }

    /// Whether it is the second of a pair.
    fn is_second(&self) -> bool {
        !(self.record.first_ply() + self.index).is_multiple_of(2)
    }

    /// The move as it is written, with the signs of the file.
    fn text(&self) -> String {
        format!("{}{}", self.written.text, words::glyphs(&self.written.glyphs, self.mark()))
    }

    /// The move with its number and all signs.
    pub(super) fn label(&self) -> String {
        let sign = self.mark().map_or("", Mark::sign);
        format!("{} {}{sign}", self.record.number(self.index), self.text())
    }

    /// The move as a link to the position after it.
    fn cell(&self) -> String {
        let Self { game, index, judged, .. } = self;
        let sign = self.mark().map(|mark| format!("<b class=\"{}\">{}</b>", words::class(mark), mark.sign()));
        format!(
            "<a href=\"#game-{game}-ply-{}\" title=\"{}\">{}{} <small>{}</small></a>",
            index + 1,
            judged.behind,
            Escaped(&self.text()),
            sign.unwrap_or_default(),
            words::short_score(judged.behind),
        )
    }

    /// The better line as links to its positions.
    fn better_line(&self) -> String {
        let Self { game, index, .. } = self;
        let moves = self.better.iter().flat_map(|line| &line.moves);
        let links = (1..)
            .zip(moves)
            .map(|(step, mv)| format!("<a href=\"#game-{game}-ply-{index}-better-{step}\">{}</a>", Escaped(&mv.text)));
        links.collect::<Vec<_>>().join(" ")
    }

    /// Says why the move is bad and which one is better, if it is a bad one.
    fn note(&self) -> Option<String> {
        let mark = self.mark()?;
        let verdict = words::verdict(mark, self.judged);
        let line = self.better_line();
        let better =
            if line.is_empty() { String::new() } else { format!(" Better: <span class=\"line\">{line}</span>") };
        Some(format!("<span class=\"{}\">{}</span>.{better}", words::class(mark), Escaped(&verdict)))
    }

    /// The rows below the move in the list: comment and variations of the file, and the engine's note.
    fn remarks(&self) -> String {
        let index = self.index;
        let comment = self.written.comment.as_deref().and_then(words::comment);
        let comment = comment.map(|text| ("comment", Escaped(&text).to_string()));
        let variations = self.written.variations.iter().map(|variation| {
            let text = words::with_signs(&self.record.variation_text(index, &words::readable(variation)));
            ("variation", format!("({})", Escaped(&text)))
        });
        let note = self.note().map(|note| ("note", note));
        let remarks = comment.into_iter().chain(variations).chain(note);
        remarks.map(|(kind, text)| format!("<li class=\"{kind}\" data-move=\"{index}\">{text}</li>\n")).collect()
    }

    /// The board before the move with its arrow and that of the better one, if it is a bad one.
    fn card(&self, board: &Board, ground: &str, line: &Line) -> Option<String> {
        let Self { game, index, .. } = self;
        let note = self.note()?;
        let played = line.moves.get(*index).map(|mv| (ArrowKind::Bad, mv));
        let better = self.better.and_then(|line| line.moves.first()).map(|mv| (ArrowKind::Better, mv));
        let arrows: Vec<_> = played.into_iter().chain(better).collect();
        let label = self.label();
        let position = line.positions.get(*index)?;
        let picture = board.picture(ground, position, &format!("The position before {label}"), &arrows);
        Some(format!(
            "<li id=\"game-{game}-bad-{index}\"><a href=\"#game-{game}-ply-{index}\">{picture}<b>{}</b></a>\
             <p>{note}</p></li>\n",
            Escaped(&label)
        ))
    }
}

/// The list of all moves, two in a row, with a row of its own for every remark; `end` says why it ends before the game does.
pub(super) fn move_list(opening: Option<&str>, moves: &[ListedMove<'_>], end: Option<&str>) -> String {
    let mut list = String::from("<ol class=\"moves\" aria-label=\"Moves\">\n");
    if let Some(text) = opening.and_then(words::comment) {
        let _ = writeln!(list, "<li class=\"comment\" data-move=\"-1\">{}</li>", Escaped(&text));
    }
    let mut is_open = false;
    for mv in moves {
        if !is_open {
            let number = mv.record.number(mv.index).trim_end_matches('.').to_owned();
            let gap = if mv.is_second() { "<span class=\"gap\">\u{2026}</span>" } else { "" };
            let _ = write!(list, "<li><span class=\"number\">{number}.</span>{gap}");
            is_open = true;
        }
        list.push_str(&mv.cell());
        let remarks = mv.remarks();
        if mv.is_second() || !remarks.is_empty() {
            list.push_str("</li>\n");
            is_open = false;
        }
        list.push_str(&remarks);
    }
    list.push_str(if is_open { "</li>\n" } else { "" });
    if let (Some(text), Some(last)) = (end, moves.len().checked_sub(1)) {
        let _ = writeln!(list, "<li class=\"note\" data-move=\"{last}\">{}</li>", Escaped(text));
    }
    list.push_str("</ol>\n");
    list
}

/// All bad moves with their boards.
pub(super) fn bad_moves(board: &Board, ground: &str, line: &Line, moves: &[ListedMove<'_>]) -> String {
    let cards: String = moves.iter().filter_map(|mv| mv.card(board, ground, line)).collect();
    if cards.is_empty() { String::new() } else { format!("<h3>Bad moves</h3>\n<ol class=\"cards\">\n{cards}</ol>\n") }
}
