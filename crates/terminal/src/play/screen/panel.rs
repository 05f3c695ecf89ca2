//! Draws the panel next to the board: players, clocks, moves and search output.

use crate::play::{EvaluationBar, Phase, PlayGame, PlayView, shown, shown_left};
use crate::screen::theme::{self, strong};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget, Wrap};
use soffio::engine::Status;
use soffio::rules::Color;
use std::time::Instant;

const THOUGHT_ROWS: u16 = 4;

pub(super) fn title(game: &PlayGame, width: usize) -> String {
    let record = &game.record;
    if game.is_over() {
        return format!("GAME OVER: {}  {}", game.outcome(), record.choice);
    }
    let phase = match game.phase {
        Phase::Ready => "READY, Space starts",
        Phase::Paused => "PAUSED, Space resumes",
        Phase::Running if game.engine_is_to_move() => "thinking",
        Phase::Running => "",
    };
    let (side, outcome) = (record.side(), record.outcome());
    let countdown = match record.board.status() {
        Status::Playing { countdown: Some(moves) } if record.countdown().is_some() => format!("draw after {moves}, "),
        _ => String::new(),
    };
    // The countdown to a draw stays visible even in the shortest form.
    let forms = [
        format!("{outcome}  {}  {phase}", record.choice),
        format!("{outcome}  {phase}"),
        format!("{countdown}{side} to move  {phase}"),
    ];
    let [.., shortest] = &forms;
    forms.iter().find(|form| form.len() <= width).unwrap_or(shortest).clone()
}

pub(super) fn draw(game: &PlayGame, view: &PlayView, now: Instant, area: Rect, buffer: &mut Buffer) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for color in [Color::Black, Color::White] {
        lines.push(player_line(game, color, now, area.width));
    }
    let control = game.clock.control.map_or_else(String::new, |control| format!("tc {control}, "));
    lines.push(Line::raw(format!("{control}delay {} ms", game.delay.as_millis())));
    if view.evaluation {
        let evaluation = game.evaluation();
        lines.push(Line::raw(evaluation.as_ref().map_or_else(String::new, EvaluationBar::to_string)));
        lines.push(Line::raw(evaluation.as_ref().map_or_else(String::new, |value| bar(value, area.width))));
    }
    lines.push(Line::raw(""));
    let head = lines.len() as u16;
    Paragraph::new(lines).render(area, buffer);
    let thoughts = if view.thoughts { THOUGHT_ROWS } else { 0 };
    let below = area.height.saturating_sub(head);
    let moves = Rect { y: area.y + head.min(area.height), height: below.saturating_sub(thoughts), ..area };
    draw_moves(game, moves, buffer);
    let rest = Rect { y: moves.bottom(), height: below - moves.height, ..area };
    if view.thoughts
        && let Some(report) = &game.last_report
    {
        let head = format!("{} depth {} score {}", report.color, report.depth, report.value.in_words());
        let lines = vec![Line::styled(head, strong()), Line::raw(report.line.join(" "))];
        Paragraph::new(lines).wrap(Wrap { trim: true }).render(rest.intersection(area), buffer);
    }
}

fn bar(evaluation: &EvaluationBar, width: u16) -> String {
    let [white, black] = [Color::White, Color::Black].map(|color| theme::piece_symbol(color, false));
    let room = usize::from(width).saturating_sub(4);
    let filled = (evaluation.share() * room as f64).round() as usize;
    format!("{white} {}{} {black}", "█".repeat(filled.min(room)), "░".repeat(room.saturating_sub(filled)))
}

fn player_line<'a>(game: &PlayGame, color: Color, now: Instant, width: u16) -> Line<'a> {
    let is_to_move = game.record.side() == color && !game.is_over();
    let (symbol, style) = if is_to_move { ("> ", strong()) } else { ("  ", Style::new()) };
    let time = game.time_left(color, now).map(shown_left);
    let time = time.unwrap_or_else(|| shown(game.time_used(color, now)));
    let name = format!("{symbol}{color} {}", game.player(color));
    let room = usize::from(width).saturating_sub(time.len() + 1);
    let name: String = name.chars().take(room).collect();
    Line::styled(format!("{name:<room$} {time}"), style)
}

fn draw_moves(game: &PlayGame, area: Rect, buffer: &mut Buffer) {
    let mut rows: Vec<String> = Vec::new();
    for text in game.record.history() {
        match rows.last_mut() {
            Some(row) if !text.contains('.') => {
                row.push(' ');
                row.push_str(&text);
            }
            _ => rows.push(text),
        }
    }
    let back = game.record.undone().len();
    if back > 0 {
        rows.push(format!("({back} undone)"));
    }
    let first = rows.len().saturating_sub(area.height.into());
    Paragraph::new(rows.into_iter().skip(first).map(Line::raw).collect::<Vec<_>>()).render(area, buffer);
}
