//! The functions that JavaScript calls, and the JavaScript functions that this module calls. Strings are stored as
//! UTF-8 in the memory of the module. They are passed as an address and a length.
#![allow(unsafe_code, reason = "JavaScript functions are called, and exported functions are found by name")]

use crate::BrowserSession;
use soffio::clock::TimeSource;
use soffio::eval::nnue::{embedded, install, weights_file};
use soffio::rules::Variant;
use soffio::turns::{Pause, Turns, Work};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

/// Maximum time between two turns of the event loop, which limits the delay until `stop` is handled. A turn takes about
/// 1 % of this time.
const TIME_SLICE: Duration = Duration::from_millis(12);

#[link(wasm_import_module = "soffio")]
unsafe extern "C" {
    /// Returns the time in milliseconds since a fixed moment.
    safe fn now() -> f64;
    fn emit(text: *const u8, length: usize);
    /// Passes the result of [`call`] or the name of a weights file to JavaScript.
    fn answer(text: *const u8, length: usize);
    /// Reports the message of a panic. The module then traps.
    fn fault(text: *const u8, length: usize);
    /// Suspends the module until the event loop has had a turn or, if `until_input` is true, until a message has
    /// arrived.
    safe fn pause(until_input: bool);
}

thread_local! {
    static SESSION: RefCell<BrowserSession> =
        RefCell::new(BrowserSession::new(TimeSource::new(elapsed), Turns::new(begin, yield_now)));
    static WORK: RefCell<VecDeque<PendingWork>> = RefCell::default();
    static INPUT: RefCell<Vec<u8>> = RefCell::default();
    static LAST_TURN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

fn elapsed() -> Duration {
    Duration::from_secs_f64(now().max(0.0) / 1000.0)
}

/// A unit of work that has not started yet.
struct PendingWork {
    /// The variants whose weights must be loaded first. Weights that cannot be loaded are removed, too.
    variants: VecDeque<Variant>,
    work: Work,
}

fn begin(variants: &[Variant], work: Work) {
    let variants = variants.iter().copied().collect();
    WORK.with_borrow_mut(|all| all.push_back(PendingWork { variants, work }));
}

fn yield_now(reason: Pause) {
    if reason == Pause::Poll && elapsed().saturating_sub(LAST_TURN.get()) < TIME_SLICE {
        return;
    }
    emit_all(BrowserSession::poll);
    pause(reason == Pause::Wait);
    LAST_TURN.set(elapsed());
}

fn emit_all(act: impl FnOnce(&mut BrowserSession) -> Vec<String>) {
    SESSION.with_borrow_mut(act).iter().for_each(|line| emit_line(line));
}

fn with_input<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    INPUT.with_borrow(|input| read(input.get(..length).unwrap_or(input)))
}

fn input(length: usize) -> String {
    with_input(length, |bytes| String::from_utf8_lossy(bytes).into_owned())
}

fn emit_line(line: &str) {
    // SAFETY: the text is read before the call returns.
    unsafe { emit(line.as_ptr(), line.len()) };
}

fn answer_with(text: &str) {
    // SAFETY: the text is read before the call returns.
    unsafe { answer(text.as_ptr(), text.len()) };
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
extern "C" fn allocate(length: usize) -> *mut u8 {
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
    emit_all(|session| session.take(&text));
}

/// Answers a call from the analysis board. The call is the string of `length` bytes in the input. The call and the
/// answer are JSON.
#[unsafe(no_mangle)]
extern "C" fn call(length: usize) {
    answer_with(&soffio_board::call(&input(length)));
}

#[unsafe(no_mangle)]
extern "C" fn has_work() -> bool {
    WORK.with_borrow(|all| !all.is_empty())
}

/// Runs the next unit of work.
#[unsafe(no_mangle)]
extern "C" fn work() {
    LAST_TURN.set(elapsed());
    if let Some(next) = WORK.with_borrow_mut(VecDeque::pop_front) {
        (next.work)();
        emit_all(BrowserSession::poll);
    }
}

/// Returns whether the line of `length` bytes in the input must wait until weights have been loaded, because the line
/// evaluates the position immediately. If the next unit of work does not need these weights, a unit that only loads
/// them is added.
#[unsafe(no_mangle)]
extern "C" fn must_wait(length: usize) -> bool {
    let variant = SESSION.with_borrow(|session| session.evaluates(&input(length)).then(|| session.variant()));
    let Some(variant) = variant.filter(|&variant| embedded(variant).is_none()) else { return false };
    let is_loading = |all: &VecDeque<PendingWork>| all.front().is_some_and(|next| next.variants.contains(&variant));
    if !WORK.with_borrow(is_loading) {
        begin(&[variant], Box::new(|| ()));
    }
    true
}

/// Returns whether the next unit of work needs a weights file. The answer is the name of the file.
#[unsafe(no_mangle)]
extern "C" fn needs_weights() -> bool {
    let variant = WORK.with_borrow_mut(|all| {
        let variants = &mut all.front_mut()?.variants;
        variants.retain(|&variant| embedded(variant).is_none());
        variants.front().copied()
    });
    name_weights(variant)
}

/// Returns whether the weights file of the selected variant has not been loaded. The answer is the name of the file.
#[unsafe(no_mangle)]
extern "C" fn lacks_weights() -> bool {
    let variant = SESSION.with_borrow(BrowserSession::variant);
    name_weights(Some(variant).filter(|&variant| embedded(variant).is_none()))
}

fn name_weights(variant: Option<Variant>) -> bool {
    let name = variant.and_then(weights_file);
    name.into_iter().for_each(answer_with);
    name.is_some()
}

/// Installs the weights that the next unit of work needs. The input contains the file of `length` bytes. Returns false
/// if the file cannot be used; the work then starts without these weights.
#[unsafe(no_mangle)]
extern "C" fn take_weights(length: usize) -> bool {
    let Some((variant, file)) = next_weights() else { return true };
    let installed = with_input(length, |bytes| install(variant, bytes));
    installed.inspect_err(|error| report_missing(file, &error.to_string())).is_ok()
}

/// Lets the next unit of work start without the weights that it needs, because their file cannot be loaded. The input
/// contains the reason in `length` bytes. It is empty if the work has been stopped and needs no weights at all.
#[unsafe(no_mangle)]
extern "C" fn give_up_weights(length: usize) {
    let reason = input(length);
    if reason.is_empty() {
        WORK.with_borrow_mut(|all| all.front_mut().into_iter().for_each(|next| next.variants.clear()));
    } else if let Some((_, file)) = next_weights() {
        report_missing(file, &reason);
    }
}

fn next_weights() -> Option<(Variant, &'static str)> {
    let variant = WORK.with_borrow_mut(|all| all.front_mut()?.variants.pop_front())?;
    Some((variant, weights_file(variant)?))
}

fn report_missing(file: &str, reason: &str) {
    emit_line(&SESSION.with_borrow(|session| session.missing_weights(file, reason)));
}

#[unsafe(no_mangle)]
extern "C" fn is_over() -> bool {
    SESSION.with_borrow(BrowserSession::is_over)
}
