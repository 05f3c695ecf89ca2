//! The experiments of the report on tavla.

use super::tavla_command::score_text;
use soffio_tavla::duel::{Duellist, duel};
use soffio_tavla::plain::{PlainEvaluation, Pruning};
use soffio_tavla::player::{Limits, PlayerKind, Settings};
use soffio_tavla::rules::Rules;
use std::io::{self, Write};
use std::time::Instant;

/// What the report says of whole games at depths 1 and 2.
const PUBLISHED: [(u8, &str); 2] = [(1, "0.1 s to 0.9 s"), (2, "15 s to 90 minutes")];

/// What the report says of games between evaluations, at depth 2.
const PUBLISHED_SCORES: [(&str, &str, &str); 3] =
    [("first", "plain", "3-0"), ("second", "plain", "3-0"), ("first", "second", "2-1")];

fn player(name: &str, depth: u8, pruning: Pruning) -> Duellist {
    let evaluation = PlainEvaluation::NAMED.iter().find(|(known, _)| *known == name);
    let evaluation = evaluation.map_or(PlainEvaluation::Plain, |&(_, evaluation)| evaluation);
    let settings = Settings { player: PlayerKind::Expectiminimax, evaluation, pruning, ..Settings::default() };
    Duellist { settings, limits: Limits { depth: Some(depth), ..Limits::default() } }
}

/// Prints times and results beside the published figures; `games` of each kind, with dice from `seed`.
pub(super) fn repeat_tavla(games: u32, seed: u64) -> io::Result<()> {
    let say = |line: String| writeln!(io::stdout(), "{line}");
    let pairs = games.div_ceil(2);
    say(format!("Time of a whole game, tavla, mean of {} games of `first` against itself", 2 * pairs))?;
    say("  depth  pruning         time   turns    published".to_owned())?;
    for (depth, published) in PUBLISHED {
        for (name, pruning) in Pruning::NAMED {
            let one = player("first", depth, pruning);
            let started = Instant::now();
            let score = duel([&one, &one], Rules::default(), pairs, seed, &mut |_| true);
            let count = f64::from(2 * score.pairs);
            let (time, turns) = (started.elapsed().as_secs_f64() * 1e3 / count, score.turns as f64 / count);
            say(format!("  {depth:>5}  {name:<7} {time:>9.3} ms {turns:>7.1}    {published}"))?;
        }
    }
    say(format!("Evaluations against each other, tavla, depth 2, {} games, the same dice for both orders", 2 * pairs))?;
    for (one, two, published) in PUBLISHED_SCORES {
        let players = [one, two].map(|name| player(name, 2, Pruning::Star2));
        let score = duel([&players[0], &players[1]], Rules::default(), pairs, seed, &mut |_| true);
        say(format!("  {one} - {two}: {} (published: {published})", score_text(&score)))?;
    }
    Ok(())
}
