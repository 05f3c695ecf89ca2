//! The settings that are chosen in forms: the player of a side, and the game.

use super::form::{Form, Row};
use crate::play::{Game, GameChoice, GameCommand, PlayError, Player, TimeControl};
use soffio::engine::{Kind, OptionSpec};
use soffio::rules::{Color, Variant};
use std::time::Duration;

/// The row for a person or the engine.
const WHO: &str = "who";

/// The options of the engine that are offered, where it has them: all of them a choice of words.
const OPTIONS: [&str; 3] = ["Level", "Player", "Eval"];

/// The limits that are offered, and their values.
const LIMITS: [(&str, &[&str]); 2] = [
    ("depth", &["-", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12", "14", "16", "20"]),
    ("movetime", &["-", "50", "100", "200", "500", "1000", "2000", "5000", "10000", "30000"]),
];

/// The text for a limit that is not set.
const NONE: &str = "-";

/// The form for the player of `color`.
pub(super) fn player_form(color: Color, player: &Player) -> Form {
    let who = if player.is_human() { Player::HUMAN } else { Player::COMPUTER };
    let mut rows = vec![Row::new(WHO, [Player::HUMAN, Player::COMPUTER], who)];
    for name in OPTIONS {
        if let Some(Kind::Combo { default, choices, .. }) = OptionSpec::named(name).map(|option| option.kind) {
            rows.push(Row::new(name, choices(), player.value(name).unwrap_or(default)));
        }
    }
    for (name, values) in LIMITS {
        rows.push(Row::new(name, values.iter().copied(), player.value(name).unwrap_or(NONE)));
    }
    Form::new(format!("Who plays {color}"), rows)
}

/// The player that `form` describes; settings of `before` that the form does not offer are kept.
///
/// # Errors
/// When the settings are not possible.
pub(super) fn player_of(form: &Form, before: &Player) -> Result<Player, PlayError> {
    if form.value(WHO) == Player::HUMAN {
        return Ok(Player::Human);
    }
    let is_asked = |name: &str| form.rows().iter().any(|row| row.label().eq_ignore_ascii_case(name));
    let kept = before.words().iter().filter(|(name, _)| !is_asked(name)).map(|(name, value)| format!("{name}={value}"));
    let is_default = |row: &Row| match OptionSpec::named(row.label()).map(|option| option.kind) {
        Some(Kind::Combo { default, .. }) => row.value() == default,
        _ => row.value() == NONE,
    };
    let set = form.rows().iter().filter(|row| row.label() != WHO && !is_default(row));
    let words: Vec<_> = kept.chain(set.map(|row| format!("{}={}", row.label(), row.value()))).collect();
    if words.is_empty() { Player::COMPUTER.parse() } else { words.join(",").parse() }
}

const VARIANT: &str = "variant";
const CAPTURES: &str = "captures";
const FORCED: &str = "forced";
const FREE: &str = "free, where players may agree";
const DELAY: &str = "delay in ms";
const CONTROL: &str = "time control";

/// The time controls that are offered: minutes for the game and seconds for each move.
const CONTROLS: [&str; 9] = [NONE, "1+0", "3+2", "5+0", "5+3", "10+5", "15+10", "30+20", "80+60"];

/// The form for the game.
pub(super) fn game_form(game: &Game) -> Form {
    let GameChoice { variant, forced_capture } = game.record().game_choice();
    let delays = (0..=2000).step_by(250).map(|delay| delay.to_string());
    let rows = vec![
        Row::new(VARIANT, Variant::listed().map(Variant::name), variant.name()),
        Row::new(CAPTURES, [FORCED, FREE], if forced_capture { FORCED } else { FREE }),
        Row::new(CONTROL, CONTROLS, &control_word(game)),
        Row::new(DELAY, delays, &game.delay().as_millis().to_string()),
    ];
    Form::new("The game".to_owned(), rows)
}

/// The time control of `game` as the form has it.
fn control_word(game: &Game) -> String {
    game.control().map_or_else(|| NONE.to_owned(), |control| control.to_string())
}

/// The commands that make `game` as `form` says.
pub(super) fn game_commands(form: &Form, game: &Game) -> Vec<GameCommand> {
    let present = game.record().game_choice();
    let variant = Variant::named(form.value(VARIANT)).unwrap_or(present.variant);
    let forced_capture = form.value(CAPTURES) == FORCED;
    let delay = form.value(DELAY).parse().map_or(game.delay(), Duration::from_millis);
    let mut commands = vec![GameCommand::Delay(delay)];
    if variant != present.variant {
        commands.push(GameCommand::Variant(variant));
    }
    let before = present.forced_capture || variant != present.variant;
    if forced_capture != before {
        commands.push(GameCommand::ForcedCapture(forced_capture));
    }
    let control = form.value(CONTROL);
    if control != control_word(game) {
        commands.push(GameCommand::TimeControl(control.parse::<TimeControl>().ok()));
    }
    commands
}
