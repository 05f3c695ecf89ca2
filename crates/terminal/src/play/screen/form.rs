//! Forms with a few choices per row, for the settings of a player and of the game.

use crate::play::{GameChoice, GameCommand, PlayGame, PlayTimeControl, SidePlayer};
use crate::screen::theme::reversed;
use crate::screen::{InputState, popup};
use anyhow::Result;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use soffio::engine::{Kind, OptionSpec};
use soffio::rules::{Color, Variant};
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
struct FormRow {
    label: String,
    choices: Vec<String>,
    chosen: usize,
}

impl FormRow {
    /// Creates a row in which `value` is selected. If `choices` does not contain `value`, it is added.
    fn new(label: &str, choices: impl IntoIterator<Item = impl Into<String>>, value: &str) -> Self {
        let mut choices: Vec<String> = choices.into_iter().map(Into::into).collect();
        let chosen = choices.iter().position(|choice| choice.eq_ignore_ascii_case(value));
        let chosen = chosen.unwrap_or_else(|| {
            choices.push(value.to_owned());
            choices.len() - 1
        });
        Self { label: label.to_owned(), choices, chosen }
    }

    fn value(&self) -> &str {
        self.choices.get(self.chosen).map_or("", String::as_str)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    title: String,
    /// The rows of the form (at least one).
    rows: Vec<FormRow>,
    cursor: usize,
}

impl Form {
    fn value(&self, label: &str) -> &str {
        self.rows.iter().find(|row| row.label == label).map_or("", FormRow::value)
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> InputState {
        let count = self.rows.len();
        match key.code {
            KeyCode::Enter => return InputState::Done,
            KeyCode::Esc | KeyCode::Char('q') => return InputState::Cancelled,
            KeyCode::Up | KeyCode::BackTab => self.cursor = (self.cursor + count - 1) % count,
            KeyCode::Down | KeyCode::Tab => self.cursor = (self.cursor + 1) % count,
            KeyCode::Left => self.turn(false),
            KeyCode::Right | KeyCode::Char(' ') => self.turn(true),
            _ => {}
        }
        InputState::Editing
    }

    fn turn(&mut self, forward: bool) {
        if let Some(FormRow { choices, chosen, .. }) = self.rows.get_mut(self.cursor) {
            *chosen = (*chosen + if forward { 1 } else { choices.len() - 1 }) % choices.len();
        }
    }

    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let label = self.rows.iter().map(|row| row.label.len()).max().unwrap_or_default();
        let value = self.rows.iter().flat_map(|row| &row.choices).map(String::len).max().unwrap_or_default();
        let line = |(index, row): (usize, &FormRow)| {
            let is_at_cursor = index == self.cursor;
            let (sign, style) = if is_at_cursor { (">", reversed()) } else { (" ", Style::new()) };
            Line::styled(format!("{sign} {:<label$}  < {:<value$} >", row.label, row.value()), style)
        };
        let mut lines: Vec<_> = self.rows.iter().enumerate().map(line).collect();
        lines.extend([Line::raw(""), Line::raw("arrows choose, Enter accepts, Esc cancels")]);
        popup(&self.title, lines, self.cursor, area, buffer);
    }
}

const WHO: &str = "who";

/// The engine options in the form. Only combo options are shown.
const OPTIONS: [&str; 3] = ["Level", "Player", "Eval"];

const LIMITS: [(&str, &[&str]); 2] = [
    ("depth", &["-", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12", "14", "16", "20"]),
    ("movetime", &["-", "50", "100", "200", "500", "1000", "2000", "5000", "10000", "30000"]),
];

const NONE: &str = "-";

pub(super) fn player_form(color: Color, player: &SidePlayer) -> Form {
    let who = if player.is_human() { SidePlayer::HUMAN } else { SidePlayer::COMPUTER };
    let mut rows = vec![FormRow::new(WHO, [SidePlayer::HUMAN, SidePlayer::COMPUTER], who)];
    for name in OPTIONS {
        if let Some(Kind::Combo { default, choices, .. }) = OptionSpec::named(name).map(|option| option.kind) {
            rows.push(FormRow::new(name, choices(), player.value(name).unwrap_or(default)));
        }
    }
    for (name, values) in LIMITS {
        rows.push(FormRow::new(name, values.iter().copied(), player.value(name).unwrap_or(NONE)));
    }
    Form { title: format!("Who plays {color}"), rows, cursor: 0 }
}

/// Returns the player that `form` describes. Settings of `before` that are not in the form are kept.
pub(super) fn player_of(form: &Form, before: &SidePlayer) -> Result<SidePlayer> {
    if form.value(WHO) == SidePlayer::HUMAN {
        return Ok(SidePlayer::Human);
    }
    let is_in_form = |name: &str| form.rows.iter().any(|row| row.label.eq_ignore_ascii_case(name));
    let kept =
        before.words().iter().filter(|(name, _)| !is_in_form(name)).map(|(name, value)| format!("{name}={value}"));
    let is_default = |row: &FormRow| match OptionSpec::named(&row.label).map(|option| option.kind) {
        Some(Kind::Combo { default, .. }) => row.value() == default,
        _ => row.value() == NONE,
    };
    let set = form.rows.iter().filter(|row| row.label != WHO && !is_default(row));
    let words: Vec<_> = kept.chain(set.map(|row| format!("{}={}", row.label, row.value()))).collect();
    if words.is_empty() { SidePlayer::COMPUTER.parse() } else { words.join(",").parse() }
}

const VARIANT: &str = "variant";
const CAPTURES: &str = "captures";
const FORCED: &str = "forced";
const OPTIONAL: &str = "optional (where allowed)";
const DELAY: &str = "delay in ms";
const CONTROL: &str = "time control";

/// Time controls in minutes per game and seconds per move.
const CONTROLS: [&str; 9] = [NONE, "1+0", "3+2", "5+0", "5+3", "10+5", "15+10", "30+20", "80+60"];

pub(super) fn game_form(game: &PlayGame) -> Form {
    let GameChoice { variant, forced_capture } = game.record.choice;
    let delays = (0..=2000).step_by(250).map(|delay| delay.to_string());
    let rows = vec![
        FormRow::new(VARIANT, Variant::listed().map(Variant::name), variant.name()),
        FormRow::new(CAPTURES, [FORCED, OPTIONAL], if forced_capture { FORCED } else { OPTIONAL }),
        FormRow::new(CONTROL, CONTROLS, &control_word(game)),
        FormRow::new(DELAY, delays, &game.delay.as_millis().to_string()),
    ];
    Form { title: "The game".to_owned(), rows, cursor: 0 }
}

fn control_word(game: &PlayGame) -> String {
    game.clock.control.map_or_else(|| NONE.to_owned(), |control| control.to_string())
}

pub(super) fn game_commands(form: &Form, game: &PlayGame) -> Vec<GameCommand> {
    let current = game.record.choice;
    let variant = Variant::named(form.value(VARIANT)).unwrap_or(current.variant);
    let forced_capture = form.value(CAPTURES) == FORCED;
    let delay = form.value(DELAY).parse().map_or(game.delay, Duration::from_millis);
    let mut commands = vec![GameCommand::Delay(delay)];
    if variant != current.variant {
        commands.push(GameCommand::Variant(variant));
    }
    let before = current.forced_capture || variant != current.variant;
    if forced_capture != before {
        commands.push(GameCommand::ForcedCapture(forced_capture));
    }
    let control = form.value(CONTROL);
    if control != control_word(game) {
        commands.push(GameCommand::TimeControl(control.parse::<PlayTimeControl>().ok()));
    }
    commands
}
