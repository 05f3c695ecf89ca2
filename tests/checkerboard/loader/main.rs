//! Loads the libraries as CheckerBoard does, and plays games between two slots. Each search runs on its own thread,
//! while another thread sends commands and reads the status. The sizes of the buffers and the formats of the time and
//! the history are the same as in CheckerBoard, and some searches are stopped early. Every move, move list and claim is
//! checked. `tests/checkerboard/run` starts this program.
#![allow(unsafe_code, reason = "a foreign library is loaded and called")]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod game;
mod library;
mod process;
mod referee;
mod speed;
mod waiting;

use clap::Parser;
use game::{Late, Plan, Tally, TimeControl};
use library::{LONG, SHORT, Slot};
use soffio::Variant;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Number of times that a library is loaded and unloaded at the end.
const LOADS: usize = 30;

/// Maximum growth of memory in bytes from the first tenth of the games to the end. It is less than the size of a table,
/// and corresponds to less than 20 bytes per move.
const MAX_GROWTH: u64 = 8 << 20;

/// Plays games between two slots with the same library, for each of CheckerBoard's five games.
#[derive(Parser)]
struct Arguments {
    /// CheckerBoard's folder, which becomes the working directory; the libraries are in its `engines` folder
    folder: PathBuf,
    /// Total number of games
    #[arg(long, default_value_t = 1000)]
    games: usize,
    /// Seconds per move
    #[arg(long, default_value_t = 0.1)]
    seconds: f64,
    /// End one search in this many with the flag
    #[arg(long, default_value_t = 20)]
    ends_every: usize,
    /// Do not play games: search this many positions of each game and print the speed
    #[arg(long)]
    speed: Option<usize>,
    /// Report times but do not check them, for busy machines
    #[arg(long)]
    ignore_time: bool,
    /// Seed for the openings and for the choice of the searches to end
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The games with their numbers in CheckerBoard.
const GAMES: [(Variant, &str); 5] = [
    (Variant::English, "21"),
    (Variant::Italian, "22"),
    (Variant::Spanish, "24"),
    (Variant::Russian, "25"),
    (Variant::Brazilian, "26"),
];

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(faults) if faults.is_empty() => ExitCode::SUCCESS,
        Ok(faults) => {
            faults.iter().take(20).for_each(|fault| println!("FAULT {fault}"));
            println!("{} faults", faults.len());
            ExitCode::FAILURE
        }
        Err(error) => {
            println!("FAULT {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    std::env::set_current_dir(&arguments.folder)?;
    let mut faults = Vec::new();
    let mut random = fastrand::Rng::with_seed(arguments.seed);
    if let Some(positions) = arguments.speed {
        print_speed(positions, arguments.seconds, &mut random)?;
        return Ok(faults);
    }
    let (_, threads_before) = process::usage();
    for (variant, number) in GAMES {
        let path = path_of(variant);
        // The system loads a single instance of the library for both slots.
        let slots = [Slot::load(&path)?, Slot::load(&path)?];
        check_initial_queries(&slots[0], number, &mut faults);
        let started = Instant::now();
        let mut tally = Tally::default();
        let games = arguments.games.div_ceil(GAMES.len());
        let mut early = None;
        for game in 0..games {
            let control = match game % 3 {
                0 => TimeControl::Match,
                1 => TimeControl::Exact,
                _ => TimeControl::Clock(1 + (game / 3 % 3) as i32),
            };
            let sends_history = game % 2 == 0;
            let plan = Plan { seconds: arguments.seconds, control, sends_history, ends_every: arguments.ends_every };
            game::play(variant, [&slots[0], &slots[1]], plan, &mut random, &mut tally);
            if game + 1 == games.div_ceil(10) {
                early = Some(process::usage());
            }
        }
        let now = process::usage();
        let before = early.unwrap_or(now);
        report(variant, &mut tally, (before, now), started);
        if now.0 > before.0 + MAX_GROWTH {
            faults.push(format!("{variant}: memory grew from {} to {} KiB", before.0 >> 10, now.0 >> 10));
        }
        for (count, what) in [(tally.lost_on_time, "games lost on time"), (tally.own.count, "moves late by themselves")]
        {
            if count > 0 && !arguments.ignore_time {
                faults.push(format!("{variant}: {count} {what}"));
            }
        }
        faults.append(&mut tally.faults);
        for slot in slots {
            slot.unload()?;
        }
        // Other systems do not notify the library when it is unloaded, so its table stays in memory.
        if cfg!(windows) {
            load_often(&path, &mut faults)?;
            check_kept_settings(&path, &mut faults)?;
        }
    }
    let (_, threads) = process::usage();
    println!("{threads_before} threads before the first library, {threads} after the last");
    if threads > threads_before {
        faults.push(format!("{} threads are still running", threads - threads_before));
    }
    Ok(faults)
}

fn path_of(variant: Variant) -> PathBuf {
    Path::new("engines").join(format!("soffio_{variant}.{}", std::env::consts::DLL_EXTENSION))
}

/// Prints the number of positions that each library searches per CPU second.
fn print_speed(positions: usize, seconds: f64, random: &mut fastrand::Rng) -> Result<(), libloading::Error> {
    let (mut kilonodes, mut time) = (0.0, Duration::ZERO);
    for (variant, _) in GAMES {
        let slot = Slot::load(&path_of(variant))?;
        let (searched, worked) = speed::measure(variant, &slot, (positions, seconds), random);
        slot.unload()?;
        println!("{variant} {:.0} kN/s", searched / worked.as_secs_f64());
        (kilonodes, time) = (kilonodes + searched, time + worked);
    }
    println!("all {:.0} kN/s", kilonodes / time.as_secs_f64());
    Ok(())
}

/// Sends the queries that CheckerBoard sends to a newly loaded library, and checks the answers.
fn check_initial_queries(slot: &Slot, number: &str, faults: &mut Vec<String>) {
    for (command, expected) in
        [("get gametype", number), ("get protocolversion", "2"), ("get movelist B:W1:B", "movelist 0")]
    {
        let answer = slot.command(command, SHORT);
        if answer != Ok((true, expected.to_owned())) {
            faults.push(format!("the answer to '{command}' is {answer:?}"));
        }
    }
    for command in [
        "name", "about", "help", "get hashsize", "get searchthreads", "get allscores", "get solve", "get enable_wld",
        "get max_dbpieces", "get dbmbytes",
    ] {
        if !matches!(slot.command(command, SHORT), Ok((true, text)) if !text.is_empty()) {
            faults.push(format!("'{command}' is not answered"));
        }
    }
    for (command, value) in [("get book", "2"), ("get bookfile", "")] {
        let answer = slot.command(command, LONG);
        if answer != Ok((true, value.to_owned())) {
            faults.push(format!("the answer to '{command}' is {answer:?}"));
        }
    }
    for command in ["get enable_mtc", "nonsense"] {
        let answer = slot.command(command, LONG);
        if answer != Ok((false, "?".to_owned())) {
            faults.push(format!("the answer to '{command}' is {answer:?}"));
        }
    }
    if !slot.name().starts_with("Soffio") {
        faults.push(format!("the name is '{}'", slot.name()));
    }
}

/// Loads, uses and unloads the library repeatedly, as users do when they compare engines.
fn load_often(path: &Path, faults: &mut Vec<String>) -> Result<(), libloading::Error> {
    let mut before = 0;
    for count in 0..LOADS {
        let slot = Slot::load(path)?;
        if slot.command("get gametype", SHORT).is_err() {
            faults.push("no answer after loading again".to_owned());
        }
        slot.unload()?;
        if count == 1 {
            before = process::usage().0;
        }
    }
    let now = process::usage().0;
    println!("  loaded {LOADS} times: {} KiB, initially {} KiB", now >> 10, before >> 10);
    if now > before + MAX_GROWTH {
        faults.push(format!("repeated loading leaks memory: {} to {} KiB", before >> 10, now >> 10));
    }
    Ok(())
}

/// Changes every setting, and checks that the library restores the settings when it is loaded again.
fn check_kept_settings(path: &Path, faults: &mut Vec<String>) -> Result<(), libloading::Error> {
    let slot = Slot::load(path)?;
    let file = path.to_string_lossy();
    // The tables folder is omitted here, because it must contain tables. `crates/checkerboard/tests/tables.rs` tests
    // it.
    let others = [
        ("hashsize", "48"),
        ("searchthreads", "2"),
        ("allscores", "1"),
        ("solve", "1"),
        ("enable_wld", "0"),
        ("max_dbpieces", "5"),
        ("dbmbytes", "9"),
        ("book", "1"),
        ("bookfile", &file),
    ];
    let values = others.map(|(name, _)| slot.command(&format!("get {name}"), LONG).unwrap_or_default().1);
    slot.unload()?;
    for ((name, other), before) in others.iter().zip(&values) {
        for value in [other, before.as_str()] {
            let slot = Slot::load(path)?;
            let set = slot.command(&format!("set {name} {value}"), SHORT);
            slot.unload()?;
            let slot = Slot::load(path)?;
            let kept = slot.command(&format!("get {name}"), LONG);
            slot.unload()?;
            if kept != Ok((true, value.to_string())) {
                faults.push(format!("the answer to 'set {name} {value}' is {set:?}, the stored value {kept:?}"));
            }
        }
    }
    Ok(())
}

fn report(variant: Variant, tally: &mut Tally, (before, now): ((u64, usize), (u64, usize)), started: Instant) {
    tally.ended.sort();
    let Tally { games, moves, results, ended, ended_late, lost_on_time, commands, searched, faults, .. } = tally;
    let Tally { timed, own, sleeping, idle, .. } = tally;
    let [white, black, drawn, long] = results;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let part = |percent: usize| ended.get(ended.len() * percent / 100).or(ended.last()).copied().unwrap_or_default();
    println!(
        "{variant}: {games} games, {moves} moves, white {white}, black {black}, drawn {drawn}, unfinished {long}; {:.0} s",
        started.elapsed().as_secs_f64()
    );
    println!("  illegal moves and other faults {}, lost on time {lost_on_time}", faults.len());
    for (what, Late { of, count, max_excess }) in [
        ("moves", timed),
        ("moves without the time that the system kept them waiting", own),
        ("threads that slept as long", sleeping),
        ("threads that only looked at the clock", idle),
    ] {
        println!("  {what}: {count} of {of} exceeded their time, by at most {:.1} ms", ms(*max_excess));
    }
    let [half, most] = [part(50), part(99)].map(ms);
    println!(
        "  ended by the flag {}, half within {half:.1} ms, 99 % within {most:.1} ms; over 10 ms without waiting {}",
        ended.len(),
        ended_late.count
    );
    println!("  commands during searches {}, answered within {:.1} ms", commands.0, ms(commands.1));
    println!("  speed {:.0} kN per CPU second", searched.0 / searched.1.max(1e-9));
    println!("  memory {} KiB, early {} KiB; threads {}, early {}", now.0 >> 10, before.0 >> 10, now.1, before.1);
}
