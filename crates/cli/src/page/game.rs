//! A game of the page.

use super::board::Board;
use super::curve::curve;
use super::line::{Line, PageMove, place};
use super::moves::{ListedMove, bad_moves, move_list};
use super::text::{Escaped, script_json};
use super::words;
use serde::Serialize;
use soffio::annotate::{Analysis, AnnotateError, JudgedMove, PlayableGame, Summary};
use soffio::notation::pdn::{Command, CommentPart, GameRecord, comment_parts};
use std::collections::BTreeMap;

/// A game that has been judged.
#[derive(Clone, Copy, Debug)]
pub struct JudgedGame<'a> {
    /// Its number in the file.
    pub number: usize,
    /// The game as it is written, without the engine's remarks.
    pub record: &'a GameRecord,
    /// The game as it can be played.
    pub game: &'a PlayableGame,
    /// Whether its variant is a guess.
    pub is_guess: bool,
    /// The engine's judgement of it.
    pub analysis: &'a Analysis,
}

/// The data of a game that the script of the page reads.
#[derive(Serialize)]
struct Data<'a> {
    /// The number of its board.
    board: usize,
    #[serde(flatten)]
    line: &'a Line,
    /// The scores of all positions.
    scores: Vec<String>,
    /// The moves with their numbers and signs.
    labels: Vec<String>,
    /// The bad moves by their place, from 0.
    bad: Vec<usize>,
    /// The better choice instead of a move, by its place.
    better: BTreeMap<usize, Better<'a>>,
    /// The squares and arrows that the file marks, with their colours, by the number of moves before.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    marks: BTreeMap<usize, Vec<(&'static str, PageMove)>>,
}

/// A better choice than the move that was played.
#[derive(Serialize)]
#[serde(untagged)]
enum Better<'a> {
    /// A line that can be played through.
    Line(&'a Line),
    /// A move instead of one that is not bad enough for more.
    Move { moves: &'a [PageMove] },
}

impl JudgedGame<'_> {
    /// Its number and players, such as `Game 3: Ann – Bob`.
    pub(super) fn title(&self) -> String {
        let game = format!("Game {}", self.number);
        match words::players(self.record) {
            ["White", "Black"] => game,
            [white, black] => format!("{game}: {white} \u{2013} {black}"),
        }
    }

    /// The result.
    pub(super) fn result(&self) -> String {
        words::result(self.game.variant(), self.record, self.analysis)
    }

    /// The board with the names that the record has for its squares.
    ///
    /// # Errors
    /// None: the position has been set up before.
    pub(super) fn board(&self) -> Result<Board, AnnotateError> {
        Ok(Board::new(self.game.played().spec()))
    }

    /// Its part of the page. `index` is its place there, from 1, and `board_index` that of its board.
    ///
    /// # Errors
    /// When a move or one of the engine's lines cannot be played.
    pub(super) fn section(&self, index: usize, board: &Board, board_index: usize) -> Result<String, AnnotateError> {
        let (line, better) = self.lines()?;
        let moves: Vec<_> = self.judged_moves();
        let listed: Vec<_> = moves
            .iter()
            .zip(&self.record.moves)
            .enumerate()
            .map(|(place, (&judged, written))| ListedMove {
                game: index,
                index: place,
                record: self.record,
                written,
                judged,
                better: better.get(&place),
            })
            .collect();
        let ground = super::ground_id(board_index);
        let start = line.positions.first().map(String::as_str).unwrap_or_default();
        let picture = board.picture(&ground, start, "The first position", &[]);
        let data = self.data(board_index, &line, &listed, &better);
        let [white, black] = words::players(self.record);
        let curve = if moves.is_empty() { String::new() } else { curve(self.analysis, self.record.first_ply()) };
        Ok(format!(
            "<section class=\"game\" id=\"game-{index}\" aria-labelledby=\"title-{index}\">\n\
             <header><h2 id=\"title-{index}\">{title}</h2>\n<p class=\"result\">{result}</p>\n{facts}</header>\n\
             <div class=\"view\"><p class=\"player black\">{black}</p>{picture}<p class=\"player white\">{white}</p>\n\
             {CONTROLS}</div>\n<div class=\"side\">{curve}<div class=\"caption\" aria-live=\"polite\"></div>\n{list}</div>\n\
             <div class=\"below\">{summary}{bad}{tags}</div>\n\
             <script type=\"application/json\">{data}</script>\n</section>\n",
            title = Escaped(&self.title()),
            result = Escaped(&self.result()),
            facts = self.facts(),
            black = Escaped(black),
            white = Escaped(white),
            list = move_list(self.record.comment.as_deref(), &listed, self.end().as_deref()),
            summary = self.summary(),
            bad = bad_moves(board, &ground, &line, &listed),
            tags = self.tags(),
        ))
    }

    fn judged_moves(&self) -> Vec<JudgedMove<'_>> {
        self.analysis.judged_moves().collect()
    }

    /// The game, and what is better than its moves that lose something.
    fn lines(&self) -> Result<(Line, BTreeMap<usize, Line>), AnnotateError> {
        let mut game = self.game.played().clone();
        let mut positions = vec![game.hub_position()];
        let mut better = BTreeMap::new();
        // From the end to the start, as moves are taken back.
        for (index, judgement) in self.analysis.moves.iter().enumerate().rev() {
            game.undo(1)?;
            positions.push(game.hub_position());
            let shown = if judgement.mark.is_some() {
                judgement.shown_line()
            } else {
                judgement.better.get(..1).unwrap_or_default()
            };
            if !shown.is_empty() && (judgement.loss > 0 || judgement.mark.is_some()) {
                better.insert(index, Line::read(&game, shown)?);
            }
        }
        positions.reverse();
        let ways = self.record.moves.iter().zip(self.game.moves());
        let moves = ways.map(|(mv, way)| PageMove::new(game.spec(), &mv.text, way)).collect();
        Ok((Line { positions, moves }, better))
    }

    /// The reason why the moves end before those of the file, if they do.
    fn end(&self) -> Option<String> {
        let number = self.record.number(self.game.moves().len());
        let fault = self.game.fault()?;
        Some(format!("{number} {fault}. The game is judged up to here."))
    }

    /// The squares and arrows that comments of the file mark on the board.
    fn marks(&self) -> BTreeMap<usize, Vec<(&'static str, PageMove)>> {
        let spec = self.game.played().spec();
        let index = |name: soffio::board::SquareName| Some(place(spec, name.resolve(spec).ok()?));
        let comments = std::iter::once(&self.record.comment).chain(self.record.moves.iter().map(|mv| &mv.comment));
        let mut marked = BTreeMap::new();
        for (ply, comment) in comments.enumerate().take(self.game.moves().len() + 1) {
            for part in comment.iter().flat_map(|text| comment_parts(text)) {
                let CommentPart::Command(Command::Marks(marks)) = part else { continue };
                let drawn = marks.iter().filter_map(|mark| {
                    let from = index(mark.from)?;
                    let (route, taken) = match mark.to {
                        Some(to) => (vec![from, index(to)?], Vec::new()),
                        None => (Vec::new(), vec![from]),
                    };
                    Some((words::mark_color(mark.color), PageMove { text: String::new(), route, taken }))
                });
                marked.entry(ply).or_insert_with(Vec::new).extend(drawn);
            }
        }
        marked
    }

    fn data(&self, board: usize, line: &Line, listed: &[ListedMove<'_>], better: &BTreeMap<usize, Line>) -> String {
        let is_bad = |index: &usize| self.analysis.moves.get(*index).is_some_and(|mv| mv.mark.is_some());
        let shown = |(&index, line): (&usize, &'_ Line)| (index, line.clone());
        let better: BTreeMap<_, _> = better.iter().map(shown).collect();
        let better = better
            .iter()
            .map(|(index, line)| {
                (*index, if is_bad(index) { Better::Line(line) } else { Better::Move { moves: &line.moves } })
            })
            .collect();
        let data = Data {
            board,
            line,
            scores: self.analysis.scores.iter().map(ToString::to_string).collect(),
            labels: listed.iter().map(ListedMove::label).collect(),
            bad: (0..self.analysis.moves.len()).filter(is_bad).collect(),
            better,
            marks: self.marks(),
        };
        // It has no map whose keys are not text, which is all that could go wrong.
        script_json(&serde_json::to_string(&data).unwrap_or_default())
    }

    fn facts(&self) -> String {
        let guess = if self.is_guess { "the variant is a guess" } else { "" };
        let facts = [words::facts(self.record), guess.to_owned()];
        let facts: Vec<_> = facts.into_iter().filter(|text| !text.is_empty()).collect();
        if facts.is_empty() {
            String::new()
        } else {
            format!("<p class=\"facts\">{}</p>\n", Escaped(&facts.join(" \u{b7} ")))
        }
    }

    /// How well both sides played.
    fn summary(&self) -> String {
        if self.analysis.moves.is_empty() {
            return "<p>The game has no moves.</p>\n".to_owned();
        }
        let summary = Summary::from(self.analysis);
        let row = |name: &str, side: soffio::annotate::SideSummary| {
            let mean = side.mean_loss();
            format!(
                "<tr><th scope=\"row\">{name}</th><td>{}</td><td>{}</td><td>{}</td><td>{mean:.2}</td></tr>",
                side.blunders, side.mistakes, side.doubtful
            )
        };
        format!(
            "<table class=\"summary\"><tr><td></td><th scope=\"col\">blunders ??</th><th scope=\"col\">mistakes ?</th>\
             <th scope=\"col\">doubtful ?!</th><th scope=\"col\">mean loss in men</th></tr>{}{}</table>\n",
            row("White", summary.white),
            row("Black", summary.black)
        )
    }

    /// Everything that the file says about the game.
    fn tags(&self) -> String {
        let tag = |(name, value): &(String, String)| format!("<dt>{}</dt><dd>{}</dd>", Escaped(name), Escaped(value));
        let tags: String = self.record.tags.iter().map(tag).collect();
        if tags.is_empty() { tags } else { format!("<details><summary>All tags</summary><dl>{tags}</dl></details>\n") }
    }
}

/// The buttons that move through the game, which the script shows, and the meaning of the arrows.
const CONTROLS: &str = "<div class=\"controls\" role=\"group\" aria-label=\"Through the game\">\
    <button type=\"button\" data-do=\"first\" aria-label=\"first position\" title=\"first position (Home)\">\u{ab}</button>\
    <button type=\"button\" data-do=\"back\" aria-label=\"a move back\" title=\"a move back (\u{2190})\">\u{2039}</button>\
    <button type=\"button\" data-do=\"on\" aria-label=\"a move on\" title=\"a move on (\u{2192})\">\u{203a}</button>\
    <button type=\"button\" data-do=\"last\" aria-label=\"last position\" title=\"last position (End)\">\u{bb}</button>\
    <button type=\"button\" data-do=\"bad-before\" aria-label=\"bad move before\" title=\"bad move before (\u{2191})\">\u{2191} ?</button>\
    <button type=\"button\" data-do=\"bad-after\" aria-label=\"next bad move\" title=\"next bad move (\u{2193})\">\u{2193} ?</button>\
    <button type=\"button\" data-do=\"turn\" aria-label=\"turn the board\" title=\"turn the board (F)\">\u{21c5}</button></div>\n\
    <p class=\"legend\"><span class=\"played\">played next</span><span class=\"bad\">played next, and bad</span>\
    <span class=\"better\">the engine's choice</span></p>";
