//! The functions that CheckerBoard calls: the only unsafe code.
//!
//! Each turns pointers into references or texts, and hands them to the [`Instance`] of the library. CheckerBoard owns all
//! memory; nothing of it is kept after a call. A null pointer is read as nothing, and nothing is written to it.
#![allow(unsafe_code)]

use super::board::{Board, BoardMove, Claim};
use super::command::{LONG, SHORT, name};
use super::instance::Instance;
use super::time::Request;
use super::{GameType, settings};
use std::ffi::{CStr, c_char, c_double, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::AtomicI32;
use std::sync::{Arc, Mutex, PoisonError};

/// The engine of this library, which is made when it is first needed.
static INSTANCE: Mutex<Option<Arc<Instance>>> = Mutex::new(None);

fn instance() -> Arc<Instance> {
    let mut instance = INSTANCE.lock().unwrap_or_else(PoisonError::into_inner);
    let made = || {
        let file = own_file().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let game = GameType::of_file(&file.unwrap_or_default());
        Arc::new(Instance::new(game, settings::store(game)))
    };
    Arc::clone(instance.get_or_insert_with(made))
}

/// Writes `text` and its end to `place`, which has room for `most` bytes and one more.
///
/// # Safety
/// `place` is null or has this room.
unsafe fn write_text(place: *mut c_char, text: &str, most: usize) {
    if place.is_null() {
        return;
    }
    // CheckerBoard shows texts in the code page of the system: other characters than ASCII would come out as something else.
    let bytes = text.chars().take(most).map(|c| if c.is_ascii() && c != '\0' { c as u8 } else { b'?' });
    for (index, byte) in bytes.chain([0]).enumerate() {
        // SAFETY: at most `most` bytes and the end are written. Another thread of CheckerBoard may be reading them, which is
        // how its interface shows a status: the last byte of the room stays 0.
        unsafe { place.add(index).write_volatile(byte as c_char) };
    }
}

/// Finds the move that `color` plays on `board`, for about `maxtime` seconds, and until `playnow` is no longer 0. Fills in the
/// board after the move, the move, and `status`, which CheckerBoard shows from another thread while the search runs. Returns a
/// [`Claim`]. `info` and `moreinfo` are described with [`Request`].
///
/// # Safety
/// Each pointer is null or points to what CheckerBoard passes: the board of 64 numbers, 1024 bytes for the status, the flag, and
/// room for the move.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn getmove(
    board: *mut Board,
    color: c_int,
    maxtime: c_double,
    status: *mut c_char,
    playnow: *mut c_int,
    info: c_int,
    moreinfo: c_int,
    mv: *mut BoardMove,
) -> c_int {
    // SAFETY: the caller says so; the board is copied, for CheckerBoard may change its own meanwhile.
    let Some(position) = (unsafe { board.as_ref() }).copied() else { return Claim::Unknown as c_int };
    let never = AtomicI32::new(0);
    let flag = if playnow.is_null() {
        &never
    } else {
        // SAFETY: it points to a number that lives for the call, and is only read here.
        unsafe { AtomicI32::from_ptr(playnow) }
    };
    let request = Request { seconds: maxtime, info, more_info: moreinfo };
    let played = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller says that there is room.
        let mut show = |text: &str| unsafe { write_text(status, text, LONG) };
        instance().play((&position, color), request, flag, &mut show)
    }));
    let Ok(played) = played else {
        // SAFETY: as above.
        unsafe { write_text(status, "soffio: broken off by a fault", LONG) };
        return Claim::Unknown as c_int;
    };
    // SAFETY: as above; neither place is read by others before this returns.
    unsafe {
        write_text(status, &played.status, LONG);
        board.write(played.board);
        if !mv.is_null() {
            mv.write(played.mv);
        }
    }
    played.claim as c_int
}

/// Obeys `command` and writes the answer to `reply`. Returns 1 if the command was obeyed, 0 otherwise.
///
/// # Safety
/// `command` is null or a text that ends; `reply` is null or has room for 256 bytes, and for a question with a long answer for
/// 1024.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginecommand(command: *const c_char, reply: *mut c_char) -> c_int {
    if command.is_null() {
        return 0;
    }
    // SAFETY: the caller says that the text ends.
    let text = unsafe { CStr::from_ptr(command) }.to_string_lossy();
    let Ok(answer) = catch_unwind(AssertUnwindSafe(|| instance().command(&text))) else { return 0 };
    // SAFETY: the instance gives long answers to such questions alone.
    unsafe { write_text(reply, &answer.text, LONG) };
    answer.is_handled.into()
}

/// Looks whether `color` can move from square `from` to square `to` on `board`, by CheckerBoard's numbers. Fills in the move if it can,
/// and returns 1; otherwise 0.
///
/// # Safety
/// `board` is null or points to 64 numbers, `mv` is null or has room for a move.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn islegal(
    board: *const Board,
    color: c_int,
    from: c_int,
    to: c_int,
    mv: *mut BoardMove,
) -> c_int {
    // SAFETY: the caller says so.
    let Some(board) = (unsafe { board.as_ref() }) else { return 0 };
    let found = catch_unwind(AssertUnwindSafe(|| instance().legal_move(board, color, from, to)));
    let Ok(Some(found)) = found else { return 0 };
    if !mv.is_null() {
        // SAFETY: the caller says that there is room.
        unsafe { mv.write(found) };
    }
    1
}

/// Writes the name of the engine to `reply`. Returns 1.
///
/// # Safety
/// `reply` is null or has room for 255 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginename(reply: *mut c_char) -> c_int {
    // SAFETY: the caller says that there is room.
    unsafe { write_text(reply, &name(), SHORT) };
    1
}

/// Called by the system. When CheckerBoard unloads the library, its memory is given back; no search runs then.
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

/// The file that this code was loaded from.
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
    // SAFETY: with the first flag the address of any code of the module stands for its name.
    unsafe { GetModuleHandleExW(flags, address, &mut module) }.ok()?;
    // The longest path that the system knows.
    let mut path = vec![0; 1 << 15];
    // SAFETY: the module is this one, which stays loaded for the call.
    let length = unsafe { GetModuleFileNameW(Some(module), &mut path) } as usize;
    path.get(..length).map(|path| PathBuf::from(std::ffi::OsString::from_wide(path)))
}

/// The file that this code was loaded from.
#[cfg(unix)]
fn own_file() -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: all of it is numbers and pointers, which may be 0.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the address is that of code, and there is room for the answer.
    let is_known = unsafe { libc::dladdr(enginename as *const libc::c_void, &mut info) } != 0;
    if !is_known || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the name ends, and stays as long as the library is loaded.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes())))
}
