//! `soffio sprt`: evaluates the results of a match.

use super::matches::report::{games, pairs, strength};
use anyhow::{Result, anyhow, ensure};
use clap::{ArgGroup, Args};
use soffio_match::statistics::{Sprt, Tally};
use std::io::{self, Write};

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("counts").required(true).args(["games", "pairs"])))]
pub struct SprtArguments {
    /// SPRT to evaluate; `alpha`, `beta` and `model` may be omitted [default: print only Elo]
    #[arg(value_name = "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic")]
    test: Option<Sprt>,
    /// Numbers of games won, drawn and lost
    #[arg(long, value_name = "W,D,L", value_parser = numbers::<3>)]
    games: Option<[u64; 3]>,
    /// Numbers of game pairs (same opening, colours reversed) that scored 0, 1/2, 1, 1 1/2 and 2 points; gives tighter
    /// bounds than --games
    #[arg(long, value_name = "N,N,N,N,N", value_parser = numbers::<5>)]
    pairs: Option<[u64; 5]>,
}

/// Maximum value of a count. With larger counts, the total number of games could overflow.
const MAX_COUNT: u64 = 1_000_000_000_000;

fn numbers<const N: usize>(text: &str) -> Result<[u64; N]> {
    let read: Vec<u64> = text.split(',').map_while(|number| number.trim().parse().ok()).collect();
    let is_whole = read.len() == text.split(',').count() && read.iter().all(|number| *number <= MAX_COUNT);
    let numbers = read.try_into().ok().filter(|_| is_whole);
    numbers.ok_or_else(|| anyhow!("expected {N} numbers separated by commas, each at most {MAX_COUNT}"))
}

pub fn print_test(arguments: &SprtArguments) -> Result<()> {
    let tally = match (arguments.games, arguments.pairs) {
        (Some([won, drawn, lost]), _) => Tally { games: [lost, drawn, won], ..Tally::default() },
        (None, counts) => Tally { pairs: counts.unwrap_or_default(), ..Tally::default() },
    };
    let sample = tally.sample();
    ensure!(sample.units() > 0.0, "no results: all counts are 0");
    let mut text = String::new();
    match arguments.pairs {
        Some(_) => pairs(&mut text, &tally),
        None => games(&mut text, &tally),
    }
    strength(&mut text, &sample, arguments.test.as_ref());
    Ok(write!(io::stdout(), "{text}")?)
}
