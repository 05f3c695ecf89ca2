//! The functions that JavaScript calls, and the JavaScript functions that this module calls. Strings are stored as
//! UTF-8 in the memory of the module. They are passed as an address and a length.
#![allow(unsafe_code, reason = "JavaScript functions are called, and exported functions are found by name")]

use crate::Talk;
use soffio::clock::TimeSource;
use soffio::turns::{Pause, Turns, Work};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

/// Maximum time between two turns of the event loop, which limits the delay until `stop` is handled. A turn takes about
/// 1 % of this time.
const SLICE: Duration = Duration::from_millis(12);

#[link(wasm_import_module = "soffio")]
unsafe extern "C" {
    /// Returns the time in milliseconds since a fixed moment.
    safe fn now() -> f64;
    fn say(text: *const u8, length: usize);
    /// Passes the result of [`call`] to JavaScript.
    fn answer(text: *const u8, length: usize);
    /// Reports the message of a panic. The panic ends the module.
    fn fault(text: *const u8, length: usize);
    /// Suspends the module until the event loop has had a turn. If `until_input` is true, the module is suspended until
    /// a message has arrived.
    safe fn pause(until_input: bool);
}

thread_local! {
    static TALK: RefCell<Talk> = RefCell::new(Talk::new(TimeSource::new(elapsed), Turns::new(begin, give)));
    static WORK: RefCell<VecDeque<Work>> = RefCell::default();
    static INPUT: RefCell<Vec<u8>> = RefCell::default();
    static LAST_TURN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

fn elapsed() -> Duration {
    Duration::from_secs_f64(now().max(0.0) / 1000.0)
}

fn begin(work: Work) {
    WORK.with_borrow_mut(|all| all.push_back(work));
}

fn give(reason: Pause) {
    if reason == Pause::Look && elapsed().saturating_sub(LAST_TURN.get()) < SLICE {
        return;
    }
    say_all(Talk::poll);
    pause(reason == Pause::Wait);
    LAST_TURN.set(elapsed());
}

fn say_all(act: impl FnOnce(&mut Talk) -> Vec<String>) {
    for line in TALK.with_borrow_mut(act) {
        // SAFETY: the text is read before the call returns.
        unsafe { say(line.as_ptr(), line.len()) };
    }
}

fn input(length: usize) -> String {
    INPUT.with_borrow(|input| String::from_utf8_lossy(input.get(..length).unwrap_or(input)).into_owned())
}

/// Installs a hook that reports panics before the module traps.
#[unsafe(no_mangle)]
extern "C" fn start() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the text is read before the call returns.
        unsafe { fault(text.as_ptr(), text.len()) };
    }));
}

/// Allocates space for a string of `length` bytes and returns its address.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.resize(length, 0);
        // Free the memory that an earlier, longer string needed.
        input.shrink_to(1 << 16);
        input.as_mut_ptr()
    })
}

/// Allocates the stack for asyncify and returns its address. The stack is never freed.
#[unsafe(no_mangle)]
extern "C" fn frames(length: usize) -> *mut u8 {
    Vec::leak(vec![0; length]).as_mut_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn take(length: usize) {
    let text = input(length);
    say_all(|talk| talk.take(&text));
}

/// Answers a call from the analysis board. The call is the string of `length` bytes in the input. The call and the
/// answer are JSON.
#[unsafe(no_mangle)]
extern "C" fn call(length: usize) {
    let text = soffio_board::call(&input(length));
    // SAFETY: the text is read before the call returns.
    unsafe { answer(text.as_ptr(), text.len()) };
}

#[unsafe(no_mangle)]
extern "C" fn has_work() -> bool {
    WORK.with_borrow(|all| !all.is_empty())
}

#[unsafe(no_mangle)]
extern "C" fn work() {
    LAST_TURN.set(elapsed());
    while let Some(work) = WORK.with_borrow_mut(VecDeque::pop_front) {
        work();
        say_all(Talk::poll);
    }
}

#[unsafe(no_mangle)]
extern "C" fn is_over() -> bool {
    TALK.with_borrow(Talk::is_over)
}
