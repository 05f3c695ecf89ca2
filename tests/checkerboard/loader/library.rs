//! An engine slot: a library, loaded and called as CheckerBoard does.

use super::waiting::Waiting;
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_double, c_int};
use std::path::Path;
use std::time::{Duration, Instant};

pub type Board = [[c_int; 8]; 8];

/// A move as 67 numbers, in the order of CheckerBoard's header.
pub type RawMove = [c_int; 67];

type GetMove = unsafe extern "system" fn(
    *mut Board,
    c_int,
    c_double,
    *mut c_char,
    *mut c_int,
    c_int,
    c_int,
    *mut RawMove,
) -> c_int;
type EngineCommand = unsafe extern "system" fn(*const c_char, *mut c_char) -> c_int;
type EngineName = unsafe extern "system" fn(*mut c_char) -> c_int;
type IsLegal = unsafe extern "system" fn(*mut Board, c_int, c_int, c_int, *mut RawMove) -> c_int;

/// Guard byte after the end of a buffer.
const GUARD: c_char = 0x5a;

/// Buffer size for a status and for a long answer, in bytes.
pub const LONG: usize = 1024;

/// Buffer size for a short answer, which some callers in CheckerBoard have, in bytes.
pub const SHORT: usize = 256;

/// A status that one thread writes and a different one reads, and the flag that ends a search.
pub struct Shared {
    status: Vec<c_char>,
    play_now: c_int,
}

impl Shared {
    /// Returns an empty status followed by guard bytes.
    pub fn new() -> Self {
        let mut status = vec![GUARD; LONG + SHORT];
        status[0] = 0;
        Self { status, play_now: 0 }
    }
}

/// A pointer to a [`Shared`] that two threads use at once, like the variables of CheckerBoard.
#[derive(Clone, Copy)]
pub struct Handle(*mut Shared);

// SAFETY: it is only read and written with volatile accesses while both threads run, and outlives them.
unsafe impl Send for Handle {}

impl Handle {
    /// Returns a handle to `shared`, which must outlive every use.
    pub fn new(shared: &mut Shared) -> Self {
        Self(shared)
    }

    pub fn play_now(self) {
        // SAFETY: the pointee is alive, and the library reads it as an atomic number.
        unsafe { (&raw mut (*self.0).play_now).write_volatile(1) };
    }

    fn status_place(self) -> *mut c_char {
        // SAFETY: the vector is never moved or resized while a handle is used.
        unsafe { (*self.0).status.as_mut_ptr() }
    }

    /// Returns the current status.
    pub fn status(self) -> String {
        let place = self.status_place();
        // SAFETY: the buffer has at least this many bytes.
        let bytes = (0..LONG).map(|index| unsafe { place.add(index).read_volatile() } as u8);
        String::from_utf8_lossy(&bytes.take_while(|&byte| byte != 0).collect::<Vec<_>>()).into_owned()
    }

    /// Returns whether the guard bytes are intact.
    pub fn is_whole(self) -> bool {
        let place = self.status_place();
        // SAFETY: the guard bytes are part of the buffer.
        (LONG..LONG + SHORT).all(|index| unsafe { place.add(index).read_volatile() } == GUARD)
    }
}

/// The library's answer to a request for a move.
pub struct Played {
    /// 0 draw, 1 win, 2 loss, 3 unknown.
    pub claim: c_int,
    /// The board that the library returned.
    pub board: Board,
    pub mv: RawMove,
    /// Duration of the call.
    pub time: Duration,
    /// Time in the call during which this thread was ready but not scheduled.
    pub kept_waiting: Duration,
}

pub struct Slot {
    library: Library,
    enginecommand: EngineCommand,
    getmove: GetMove,
    islegal: IsLegal,
    enginename: EngineName,
}

impl Slot {
    /// Loads the library at `path`.
    pub fn load(path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: the functions have the types of CheckerBoard's header, and are not used after the library is
        // unloaded.
        unsafe {
            let library = Library::new(path)?;
            Ok(Self {
                enginecommand: *library.get(b"enginecommand\0")?,
                getmove: *library.get(b"getmove\0")?,
                islegal: *library.get(b"islegal\0")?,
                enginename: *library.get(b"enginename\0")?,
                library,
            })
        }
    }

    pub fn unload(self) -> Result<(), libloading::Error> {
        self.library.close()
    }

    /// Sends a command with a reply buffer of `room` bytes. Returns whether it was handled and the reply, or an error
    /// that describes what is wrong with the reply.
    pub fn command(&self, text: &str, room: usize) -> Result<(bool, String), String> {
        let command = CString::new(text).map_err(|error| error.to_string())?;
        let mut reply = vec![GUARD; room + LONG];
        reply[0] = 0;
        // SAFETY: the command is terminated, and the buffer is larger than the library may assume.
        let handled = unsafe { (self.enginecommand)(command.as_ptr(), reply.as_mut_ptr()) };
        if reply[room..].iter().any(|&byte| byte != GUARD) {
            return Err(format!("the answer to '{text}' is longer than {room} bytes"));
        }
        // SAFETY: the string ends before the guard bytes, which are not zero, or else none would be left.
        let answer = unsafe { CStr::from_ptr(reply.as_ptr()) };
        Ok((handled == 1, answer.to_string_lossy().into_owned()))
    }

    pub fn name(&self) -> String {
        let mut reply = vec![0; LONG];
        // SAFETY: the buffer is large enough and ends with a zero.
        unsafe {
            (self.enginename)(reply.as_mut_ptr());
            CStr::from_ptr(reply.as_ptr()).to_string_lossy().into_owned()
        }
    }

    /// Returns the move between two squares if the library reports it as legal.
    pub fn legal_move(&self, board: &Board, color: c_int, from: c_int, to: c_int) -> Option<RawMove> {
        let (mut board, mut mv) = (*board, [0; 67]);
        // SAFETY: board and move have their sizes.
        (unsafe { (self.islegal)(&mut board, color, from, to, &mut mv) } == 1).then_some(mv)
    }

    /// Requests a move.
    pub fn play(&self, board: &Board, color: c_int, request: (f64, c_int, c_int), shared: Handle) -> Played {
        let (mut board, mut mv) = (*board, [c_int::MIN; 67]);
        let (seconds, info, more_info) = request;
        let (started, waiting) = (Instant::now(), Waiting::begin());
        // SAFETY: everything has the size that the header specifies.
        let claim = unsafe {
            let play_now = &raw mut (*shared.0).play_now;
            (self.getmove)(&mut board, color, seconds, shared.status_place(), play_now, info, more_info, &mut mv)
        };
        Played { claim, board, mv, time: started.elapsed(), kept_waiting: waiting.end() }
    }
}
