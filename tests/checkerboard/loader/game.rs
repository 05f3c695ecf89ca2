//! Plays one game between the two slots, and checks everything that CheckerBoard would display or depend on.

use super::library::{Handle, LONG, Played, SHORT, Shared, Slot};
use super::referee::Referee;
use super::waiting::{overrun, oversleep};
use soffio::{Color, Status, Variant};
use std::ffi::c_int;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Number of plies after which CheckerBoard ends a match game.
const LONGEST: usize = 200;

/// Interval at which CheckerBoard reads the status.
const TIMER: Duration = Duration::from_millis(100);

/// Time that the reference threads keep in reserve. The search uses the same reserve.
const MARGIN: Duration = Duration::from_millis(10);

/// Maximum time that a search may continue after the flag has been set.
const LONGEST_END: Duration = Duration::from_millis(10);

/// One move in this many, on average, is compared with a thread that only polls the clock for the same time.
const COMPARED_EVERY: usize = 20;

/// How the time for a game is sent to the library.
#[derive(Clone, Copy, Debug)]
pub enum TimeControl {
    /// Time per move, as in a match. Part of the unused time is added to later moves.
    Match,
    /// Time per move that must not be exceeded.
    Exact,
    /// A clock whose unit is 1, 10 or 100 ms, selected by this number.
    Clock(c_int),
}

#[derive(Debug, Default)]
pub struct Tally {
    pub games: usize,
    pub moves: usize,
    /// Numbers of games won by White, won by Black, drawn, and stopped at the maximum length.
    pub results: [usize; 4],
    /// Times from setting the flag to the end of the search.
    pub ended: Vec<Duration>,
    /// Searches that ended too late after the flag was set. The time that the search thread waited for a processor does
    /// not count.
    pub ended_late: Late,
    /// Moves that took too long. Moves that the flag ended are excluded.
    pub timed: Late,
    /// The same moves, without the delays that the system caused: the time that the search waited for a processor, or
    /// that a reference thread would have waited.
    pub own: Late,
    /// Threads that slept for the time of a search, less the margin.
    pub sleeping: Late,
    /// Threads that only polled the clock for the time of a search.
    pub idle: Late,
    /// Number of games in which a clock ran out.
    pub lost_on_time: usize,
    /// Number of commands sent during searches, and the longest response time.
    pub commands: (usize, Duration),
    /// Positions searched (in thousands, calculated from the status), and CPU seconds that the searches used.
    pub searched: (f64, f64),
    pub faults: Vec<String>,
}

/// How often a time limit was exceeded, and by how much.
#[derive(Clone, Copy, Debug, Default)]
pub struct Late {
    pub of: usize,
    /// Number of checks in which the limit was exceeded.
    pub count: usize,
    pub max_excess: Duration,
}

impl Late {
    /// Records an excess. Zero means that the limit was kept.
    fn note(&mut self, late: Duration) {
        self.of += 1;
        self.count += usize::from(!late.is_zero());
        self.max_excess = self.max_excess.max(late);
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Time per move in seconds.
    pub seconds: f64,
    pub control: TimeControl,
    /// Whether the history is sent before each move, as newer versions of CheckerBoard do.
    pub sends_history: bool,
    /// One search in this many, on average, is ended by the flag.
    pub ends_every: usize,
}

/// Plays a game of `variant` between two slots. The slots take turns in making the first move of a game.
pub fn play(variant: Variant, slots: [&Slot; 2], plan: Plan, random: &mut fastrand::Rng, tally: &mut Tally) {
    let mut referee = opened(variant, random);
    let first = tally.games % 2;
    tally.games += 1;
    let mut clocks = [plan.start_clock(); 2];
    let mut is_reset = true;
    while matches!(referee.status(), Status::Playing { .. }) && referee.plies() < LONGEST {
        let player = (referee.plies() + first) % 2;
        let slot = slots[player];
        check_lists(&referee, variant, slot, random, tally);
        if plan.sends_history {
            let text = format!("set gamehist {}", referee.history());
            if !matches!(slot.command(&text, SHORT), Ok((true, _))) {
                tally.faults.push(format!("{variant}: '{text}' is rejected"));
            }
        }
        let (request, limit) = plan.request(clocks[player], is_reset);
        is_reset = false;
        let ends = random.usize(..plan.ends_every) == 0;
        let (played, excuse) = request_move(&referee, slot, request, (ends.then_some(limit / 2), limit), tally);
        tally.moves += 1;
        let late = played.time.saturating_sub(limit);
        if !ends {
            tally.timed.note(late);
            tally.own.note(late.saturating_sub(excuse));
        }
        if !ends && played.time + 2 * MARGIN >= limit && random.usize(..COMPARED_EVERY) == 0 {
            tally.idle.note(overrun(limit.saturating_sub(MARGIN)).saturating_sub(MARGIN));
        }
        let own_time = played.time.saturating_sub(excuse);
        if clocks[player] < own_time && matches!(plan.control, TimeControl::Clock(_)) {
            tally.lost_on_time += 1;
            break;
        }
        clocks[player] = clocks[player].saturating_sub(own_time) + plan.added_after();
        let moves = referee.moves();
        let Some(sequence) = moves.iter().find(|sequence| referee.is_move(&played.mv, sequence)) else {
            tally.faults.push(format!("{variant}: no legal move {:?} in {}", &played.mv[..7], referee.fen()));
            break;
        };
        if played.board != referee.board_after(sequence) {
            tally.faults.push(format!("{variant}: a wrong board after {:?} in {}", &played.mv[..7], referee.fen()));
        }
        let before = referee.status();
        let mover = referee.setup().side;
        referee.play(sequence);
        check_claim(&played, (before, referee.status()), mover, &referee, tally);
    }
    let result = match referee.status() {
        Status::Won { winner: Color::White, .. } => 0,
        Status::Won { .. } => 1,
        Status::Drawn(_) => 2,
        Status::Playing { .. } => 3,
    };
    tally.results[result] += 1;
}

pub fn opened(variant: Variant, random: &mut fastrand::Rng) -> Referee {
    let mut referee = Referee::new(variant);
    for _ in 0..random.usize(2..8) {
        if let Some(sequence) = random.choice(referee.moves()) {
            referee.play(&sequence);
        }
    }
    referee
}

/// Parses the speed in a status, in thousands of positions per second.
pub fn speed_in(status: &str) -> Option<f64> {
    status.split_once("speed ").and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok())
}

/// Checks that the claim returned with a move agrees with the state of the game.
fn check_claim(played: &Played, (before, now): (Status, Status), mover: Color, referee: &Referee, tally: &mut Tally) {
    let is_right = match (played.claim, now) {
        (1, Status::Won { winner, .. }) => winner == mover,
        (0, Status::Drawn(_)) => true,
        (0, _) => matches!(before, Status::Drawn(_)),
        (3, Status::Playing { .. }) => true,
        _ => false,
    };
    if !is_right {
        tally.faults.push(format!("claim {} in the state {now:?}, {}", played.claim, referee.fen()));
    }
}

impl Plan {
    fn start_clock(self) -> Duration {
        let time = Duration::from_secs_f64(self.seconds);
        match self.control {
            TimeControl::Match => time,
            TimeControl::Exact => Duration::MAX / 2,
            TimeControl::Clock(_) => time * 40,
        }
    }

    /// Returns the increment that is added to a clock after each move.
    fn added_after(self) -> Duration {
        match self.control {
            TimeControl::Exact => Duration::ZERO,
            TimeControl::Match | TimeControl::Clock(_) => Duration::from_secs_f64(self.seconds),
        }
    }

    /// Returns the seconds and the two numbers that CheckerBoard sends with a request, and the maximum time for the
    /// move.
    fn request(self, clock: Duration, is_reset: bool) -> ((f64, c_int, c_int), Duration) {
        let increment = Duration::from_secs_f64(self.seconds);
        let reset = c_int::from(is_reset);
        match self.control {
            TimeControl::Match => {
                let least = increment.mul_f64(0.4);
                let time = if clock < least {
                    least
                } else if clock <= increment {
                    clock
                } else {
                    increment + (clock - increment).mul_f64(0.4)
                };
                ((time.as_secs_f64(), reset, 0), time)
            }
            TimeControl::Exact => ((self.seconds, reset | 2, 0), increment),
            TimeControl::Clock(units) => {
                let unit = Duration::from_millis([1, 10, 100][(units - 1) as usize]);
                let count = |time: Duration| ((time.as_micros() / unit.as_micros()) as u32).min(0xffff);
                let more_info = (count(clock) << 16 | count(increment)).cast_signed();
                ((self.seconds, reset | units << 2, more_info), clock)
            }
        }
    }
}

/// Requests a move on a separate thread, as CheckerBoard does, while the current thread reads the status and sends
/// commands. A third thread sleeps for the allowed time. Returns the answer, and the time by which the system delayed
/// the search or the sleeping thread.
fn request_move(
    referee: &Referee,
    slot: &Slot,
    request: (f64, c_int, c_int),
    (end_after, limit): (Option<Duration>, Duration),
    tally: &mut Tally,
) -> (Played, Duration) {
    let (board, color) = (referee.board(), referee.color());
    let mut shared = Shared::new();
    let handle = Handle::new(&mut shared);
    let ((done, is_done), (awake, is_awake)) = (channel(), channel());
    thread::scope(|scope| {
        let sleeper = scope.spawn(move || oversleep(limit.saturating_sub(MARGIN), &is_awake));
        let search = thread::Builder::new().stack_size(1 << 20);
        let search = search.spawn_scoped(scope, move || {
            let played = slot.play(&board, color, request, of_thread(handle));
            // The other threads wait for these messages.
            let _ = (awake.send(Instant::now()), done.send(()));
            played
        });
        let search = search.expect("a thread can be started");
        let mut ended = None;
        let started = Instant::now();
        loop {
            let left = end_after.filter(|_| ended.is_none()).map(|end| end.saturating_sub(started.elapsed()));
            match is_done.recv_timeout(left.unwrap_or(TIMER).min(TIMER)) {
                Err(RecvTimeoutError::Timeout) => {}
                _ => break,
            }
            if end_after.is_some_and(|end| ended.is_none() && started.elapsed() >= end) {
                handle.play_now();
                ended = Some(Instant::now());
            }
            handle.status();
            let sent = Instant::now();
            let answer = slot.command("get hashsize", SHORT);
            tally.commands = (tally.commands.0 + 1, tally.commands.1.max(sent.elapsed()));
            if !matches!(answer, Ok((true, _))) {
                tally.faults.push(format!("no answer during a search: {answer:?}"));
            }
        }
        let played = search.join().expect("no call panics");
        let ended = ended.map(|ended| ended.elapsed());
        let status = handle.status();
        let worked = played.time.saturating_sub(played.kept_waiting);
        tally.searched.0 += speed_in(&status).unwrap_or(0.0) * played.time.as_secs_f64();
        tally.searched.1 += worked.as_secs_f64();
        if !handle.is_whole() || !status.contains("depth ") || !status.is_ascii() {
            tally.faults.push(format!("a wrong status: '{status}'"));
        }
        let overslept = sleeper.join().expect("a sleeping thread does not panic");
        if let Some(late) = overslept.at_the_end {
            tally.sleeping.note(late.saturating_sub(MARGIN));
        }
        tally.ended.extend(ended);
        let excuse = played.kept_waiting.max(overslept.at_the_end.unwrap_or_default()) + overslept.after_message;
        if let Some(ended) = ended {
            tally.ended_late.note(ended.saturating_sub(LONGEST_END + excuse));
        }
        (played, excuse)
    })
}

/// Returns `handle`. Calling this function makes a closure capture the whole handle instead of the pointer in it.
const fn of_thread(handle: Handle) -> Handle {
    handle
}

/// Checks the list of legal moves, and the library's answers about single moves.
fn check_lists(referee: &Referee, variant: Variant, slot: &Slot, random: &mut fastrand::Rng, tally: &mut Tally) {
    let moves = referee.moves();
    let (board, color) = (referee.board(), referee.color());
    let command = format!("get movelist {}", referee.fen());
    match slot.command(&command, LONG) {
        Ok((true, text)) if text.starts_with(&format!("movelist {},", moves.len())) => {
            if text.matches(';').count() != moves.len() {
                tally.faults.push(format!("{variant}: the answer to {command} is {text}"));
            }
        }
        other => tally.faults.push(format!("{variant}: the answer to {command} is {other:?}")),
    }
    for sequence in &moves {
        let (from, to) = referee.ends(sequence);
        let found = slot.legal_move(&board, color, from, to);
        let is_one =
            |raw| moves.iter().any(|sequence| referee.ends(sequence) == (from, to) && referee.is_move(raw, sequence));
        if !found.as_ref().is_some_and(is_one) {
            tally.faults.push(format!("{variant}: {from}-{to} is not found in {}", referee.fen()));
        }
    }
    let (from, to) = (random.i32(1..=32), random.i32(1..=32));
    let is_legal = moves.iter().any(|sequence| referee.ends(sequence) == (from, to));
    if slot.legal_move(&board, color, from, to).is_some() != is_legal {
        tally.faults.push(format!("{variant}: wrong legality of {from}-{to} in {}", referee.fen()));
    }
}
