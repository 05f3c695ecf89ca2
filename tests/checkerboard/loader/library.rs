//! An engine slot, which loads and calls a library as CheckerBoard does.

use super::waiting::Waiting;
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_double, c_int};
use std::path::Path;
use std::time::{Duration, Instant};

pub type Board = [[c_int; 8]; 8];

/// A move as 67 numbers, in the order of the fields in CheckerBoard's header.
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

/// Byte that fills the space after a buffer, to detect writes past the end of the buffer.
const GUARD: c_char = 0x5a;

/// Size in bytes of the buffers for a status and for a long answer.
pub const LONG: usize = 1024;

/// Size in bytes of the buffer for a short answer. Some CheckerBoard calls provide only this size.
pub const SHORT: usize = 256;

/// The status, which one thread writes and another thread reads, and the flag that ends a search.
pub struct Shared {
    status: Vec<c_char>,
    play_now: c_int,
}

impl Shared {
    /// Returns an empty status, followed by guard bytes.
    pub fn new() -> Self {
        let mut status = vec![GUARD; LONG + SHORT];
        status[0] = 0;
        Self { status, play_now: 0 }
    }
}

/// A pointer to a [`Shared`] that two threads use at the same time, like CheckerBoard's variables.
#[derive(Clone, Copy)]
pub struct Handle(*mut Shared);

// SAFETY: while both threads run, the pointee is accessed only with volatile reads and writes. It outlives both
// threads.
unsafe impl Send for Handle {}

impl Handle {
    /// Returns a handle to `shared`, which must outlive every use of the handle.
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

    pub fn status(self) -> String {
        let place = self.status_place();
        // SAFETY: the buffer has at least this many bytes.
        let bytes = (0..LONG).map(|index| unsafe { place.add(index).read_volatile() } as u8);
        String::from_utf8_lossy(&bytes.take_while(|&byte| byte != 0).collect::<Vec<_>>()).into_owned()
    }

    /// Returns whether the guard bytes after the status are unchanged.
    pub fn is_whole(self) -> bool {
        let place = self.status_place();
        // SAFETY: the guard bytes are part of the buffer.
        (LONG..LONG + SHORT).all(|index| unsafe { place.add(index).read_volatile() } == GUARD)
    }
}

pub struct Played {
    /// The claim: 0 for a draw, 1 for a win, 2 for a loss, and 3 if the game continues.
    pub claim: c_int,
    pub board: Board,
    pub mv: RawMove,
    pub time: Duration,
    /// Time during the call in which this thread was ready to run but had no processor.
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
    pub fn load(path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: the functions have the types that CheckerBoard's header declares, and are not used after the library
        // has been unloaded.
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

    /// Sends a command with a reply buffer of `buffer_size` bytes. Returns whether the command was handled and the
    /// reply, or an error that describes what is wrong with the reply.
    pub fn command(&self, text: &str, buffer_size: usize) -> Result<(bool, String), String> {
        let command = CString::new(text).map_err(|error| error.to_string())?;
        let mut reply = vec![GUARD; buffer_size + LONG];
        reply[0] = 0;
        // SAFETY: the command is terminated, and the buffer is larger than the library may assume.
        let handled = unsafe { (self.enginecommand)(command.as_ptr(), reply.as_mut_ptr()) };
        if reply[buffer_size..].iter().any(|&byte| byte != GUARD) {
            return Err(format!("the answer to '{text}' is longer than {buffer_size} bytes"));
        }
        // SAFETY: the string ends within the buffer. If it had no terminating zero, it would have overwritten the guard
        // bytes.
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

    /// Returns the move between two squares, or `None` if the library reports that there is no legal move.
    pub fn legal_move(&self, board: &Board, color: c_int, from: c_int, to: c_int) -> Option<RawMove> {
        let (mut board, mut mv) = (*board, [0; 67]);
        // SAFETY: the board and the move have the sizes that the header specifies.
        (unsafe { (self.islegal)(&mut board, color, from, to, &mut mv) } == 1).then_some(mv)
    }

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
