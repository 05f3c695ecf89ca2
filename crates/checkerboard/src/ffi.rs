//! The functions that CheckerBoard calls. All unsafe code of this crate is in this module.
//!
//! Each function converts pointers and calls the [`Instance`]. CheckerBoard owns all memory, and no pointer is kept
//! after a call. Null pointers are allowed: a null input is treated as absent, and a null output is not written.
#![allow(unsafe_code)]

use super::board::{BoardArray, BoardMove, GameClaim, MAX_LONG_REPLY, MAX_SHORT_REPLY, game_of_file};
use super::command::name;
use super::instance::Instance;
use super::settings;
use super::time::TimeRequest;
use std::ffi::{CStr, c_char, c_double, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::AtomicI32;
use std::sync::{Arc, Mutex, PoisonError};

static INSTANCE: Mutex<Option<Arc<Instance>>> = Mutex::new(None);

fn instance() -> Arc<Instance> {
    let mut instance = INSTANCE.lock().unwrap_or_else(PoisonError::into_inner);
    let made = || {
        let file = own_file().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let game = game_of_file(&file.unwrap_or_default());
        Arc::new(Instance::new(game, settings::store(game)))
    };
    Arc::clone(instance.get_or_insert_with(made))
}

/// Writes `text` to `buffer` with a terminating 0. The text is truncated to `max_bytes` bytes.
///
/// # Safety
/// `buffer` must be null or valid for writes of `max_bytes + 1` bytes.
unsafe fn write_text(buffer: *mut c_char, text: &str, max_bytes: usize) {
    if buffer.is_null() {
        return;
    }
    // CheckerBoard decodes text with the system's code page, so only ASCII is portable.
    let bytes = text.chars().take(max_bytes).map(|c| if c.is_ascii() && c != '\0' { c as u8 } else { b'?' });
    for (index, byte) in bytes.chain([0]).enumerate() {
        // SAFETY: at most `max_bytes` bytes and the 0 are written. Another CheckerBoard thread may read the status at
        // the same time; the last byte of its buffer stays 0.
        unsafe { buffer.add(index).write_volatile(byte as c_char) };
    }
}

/// Searches `board` for about `maxtime` seconds, or until `playnow` becomes nonzero, and plays the best move of
/// `color`. Writes the new board, the move, and `status`, which another CheckerBoard thread displays during the search.
/// Returns a [`GameClaim`]. [`TimeRequest`] describes `info` and `moreinfo`.
///
/// # Safety
/// Each pointer must be null or valid. `board` must point to 64 numbers, `status` to 1024 bytes, `playnow` to the flag,
/// and `mv` to a move.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn getmove(
    board: *mut BoardArray,
    color: c_int,
    maxtime: c_double,
    status: *mut c_char,
    playnow: *mut c_int,
    info: c_int,
    moreinfo: c_int,
    mv: *mut BoardMove,
) -> c_int {
    // SAFETY: guaranteed by the caller. The board is copied, because CheckerBoard may change the original in the
    // meantime.
    let Some(position) = (unsafe { board.as_ref() }).copied() else { return GameClaim::Unknown as c_int };
    let never = AtomicI32::new(0);
    let flag = if playnow.is_null() {
        &never
    } else {
        // SAFETY: the flag outlives the call and is only read here.
        unsafe { AtomicI32::from_ptr(playnow) }
    };
    let request = TimeRequest { seconds: maxtime, info, more_info: moreinfo };
    let played = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller guarantees 1024 bytes.
        let mut show = |text: &str| unsafe { write_text(status, text, MAX_LONG_REPLY) };
        instance().play(&position, color, request, flag, &mut show)
    }));
    let Ok(played) = played else {
        // SAFETY: as above.
        unsafe { write_text(status, "soffio: aborted by an internal error", MAX_LONG_REPLY) };
        return GameClaim::Unknown as c_int;
    };
    // SAFETY: as above; no other thread reads the board or the move before this function returns.
    unsafe {
        write_text(status, &played.status, MAX_LONG_REPLY);
        board.write(played.board);
        if !mv.is_null() {
            mv.write(played.mv);
        }
    }
    played.claim as c_int
}

/// Executes `command` and writes the answer to `reply`. Returns 1 if the command is supported and valid, and 0
/// otherwise.
///
/// # Safety
/// `command` must be null or a C string. `reply` must be null or valid for writes of 256 bytes, or of 1024 bytes for
/// commands with long answers.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginecommand(command: *const c_char, reply: *mut c_char) -> c_int {
    if command.is_null() {
        return 0;
    }
    // SAFETY: the caller guarantees a C string.
    let text = unsafe { CStr::from_ptr(command) }.to_string_lossy();
    let Ok(answer) = catch_unwind(AssertUnwindSafe(|| instance().command(&text))) else { return 0 };
    // SAFETY: only answers to commands with the larger buffer are longer than 254 bytes.
    unsafe { write_text(reply, &answer.text, MAX_LONG_REPLY) };
    answer.is_handled.into()
}

/// Returns 1 and writes the move if `color` can move from square `from` to square `to` (CheckerBoard's square numbers).
/// Returns 0 otherwise.
///
/// # Safety
/// `board` must be null or point to 64 numbers; `mv` must be null or valid for a move.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn islegal(
    board: *const BoardArray,
    color: c_int,
    from: c_int,
    to: c_int,
    mv: *mut BoardMove,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    let Some(board) = (unsafe { board.as_ref() }) else { return 0 };
    let found = catch_unwind(AssertUnwindSafe(|| instance().legal_move(board, color, from, to)));
    let Ok(Some(found)) = found else { return 0 };
    if !mv.is_null() {
        // SAFETY: guaranteed by the caller.
        unsafe { mv.write(found) };
    }
    1
}

/// Writes the engine's name to `reply` and returns 1.
///
/// # Safety
/// `reply` must be null or valid for writes of 255 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginename(reply: *mut c_char) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe { write_text(reply, &name(), MAX_SHORT_REPLY) };
    1
}

/// Frees the engine when CheckerBoard unloads the library. No search is running at that time.
#[cfg(windows)]
#[unsafe(no_mangle)]
extern "system" fn DllMain(
    _: windows::Win32::Foundation::HMODULE,
    reason: u32,
    process_ends: *const std::ffi::c_void,
) -> c_int {
    use windows::Win32::System::SystemServices::DLL_PROCESS_DETACH;
    if reason == DLL_PROCESS_DETACH && process_ends.is_null() {
        INSTANCE.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
    1
}

#[cfg(windows)]
fn own_file() -> Option<PathBuf> {
    use std::os::windows::ffi::OsStringExt;
    use windows::Win32::Foundation::HMODULE;
    use windows::Win32::System::LibraryLoader::{
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, GetModuleFileNameW,
        GetModuleHandleExW,
    };
    let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    let mut module = HMODULE::default();
    let address = windows::core::PCWSTR(enginename as *const u16);
    // SAFETY: with the first flag, any code address identifies its module.
    unsafe { GetModuleHandleExW(flags, address, &mut module) }.ok()?;
    // The maximum length of a path on Windows.
    let mut path = vec![0; 1 << 15];
    // SAFETY: this module stays loaded during the call.
    let length = unsafe { GetModuleFileNameW(Some(module), &mut path) } as usize;
    path.get(..length).map(|path| PathBuf::from(std::ffi::OsString::from_wide(path)))
}

#[cfg(unix)]
fn own_file() -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: `Dl_info` consists of numbers and pointers, for which 0 is valid.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the address points to a function, and `info` is valid for writes.
    let is_known = unsafe { libc::dladdr(enginename as *const libc::c_void, &mut info) } != 0;
    if !is_known || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: `dladdr` returned a C string that lives as long as the library is loaded.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes())))
}
