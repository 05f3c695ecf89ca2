//! Runs the native and Hub line protocols on standard input and output.
//!
//! One thread reads lines and records the time at which each line arrives. The main thread runs the conversation and is
//! the only thread that writes. Input has priority over events, so that `stop` is not delayed by a flood of info lines.

use crossbeam_channel::{Receiver, Sender, bounded, select_biased, unbounded};
use soffio::session::{Conversation, EventOf, Flow, Hub, Input, MAX_LINE, Native, Output, SessionDialect};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

const READ_AHEAD: usize = 1024;

pub type InputLines = Receiver<(Input, Instant)>;

/// Serves a conversation on standard input and output. If the first line is `hub`, the conversation uses the Hub
/// protocol, otherwise the native protocol. If `name` is set, the engine reports this name.
pub fn run(name: Option<String>) -> io::Result<()> {
    let lines = read_standard_input()?;
    let first = lines.iter().find(|(input, _)| !is_blank(input));
    let is_hub = matches!(&first, Some((Input::Line(line), _)) if Hub::begins_with(line));
    let output = io::stdout().lock();
    if is_hub {
        serve(Hub::named(name), first, &lines, output)
    } else {
        serve(Native::named(name), first, &lines, output)
    }
}

pub fn converse(lines: &InputLines, output: impl Write) -> io::Result<()> {
    serve(Native::named(None), None, lines, output)
}

pub fn run_in(dialect: impl SessionDialect) -> io::Result<()> {
    serve(dialect, None, &read_standard_input()?, io::stdout().lock())
}

fn is_blank(input: &Input) -> bool {
    matches!(input, Input::Line(line) if line.trim().is_empty())
}

pub fn read_standard_input() -> io::Result<InputLines> {
    let (sender, lines) = bounded(READ_AHEAD);
    thread::Builder::new().name("reader".to_owned()).spawn(move || read_lines(io::stdin(), &sender))?;
    Ok(lines)
}

fn serve<D: SessionDialect>(
    dialect: D,
    first: Option<(Input, Instant)>,
    lines: &InputLines,
    output: impl Write,
) -> io::Result<()> {
    let (sender, events): (_, Receiver<EventOf<D>>) = unbounded();
    let mut conversation = Conversation::new(dialect, sender);
    let mut output = Writer { output, last: None };
    let mut input_is_open = true;
    let mut next = first;
    loop {
        let flow = match next.take() {
            Some((input, instant)) => {
                input_is_open = input != Input::End;
                log_input(&input);
                conversation.input(input, instant)
            }
            None if input_is_open => select_biased! {
                recv(lines) -> input => {
                    next = Some(input.unwrap_or_else(|_| (Input::End, Instant::now())));
                    continue;
                }
                recv(events) -> event => event.map_or(Flow::Quit, |event| conversation.event(event)),
            },
            None => events.recv().map_or(Flow::Quit, |event| conversation.event(event)),
        };
        output.write(conversation.outputs())?;
        if flow == Flow::Quit {
            input_is_open = false;
            if !conversation.is_busy() {
                return Ok(());
            }
        }
    }
}

fn log_input(input: &Input) {
    match input {
        Input::Line(line) => log::debug!("< {line}"),
        Input::TooLong(_) => log::debug!("< (a line that is too long)"),
        Input::End => log::debug!("< (end of input)"),
    }
}

struct Writer<W> {
    output: W,
    last: Option<Instant>,
}

impl<W: Write> Writer<W> {
    fn write(&mut self, outputs: Vec<Output>) -> io::Result<()> {
        if outputs.is_empty() {
            return Ok(());
        }
        for Output { text, pause } in outputs {
            self.wait_for(pause)?;
            text.lines().for_each(|line| log::debug!("> {line}"));
            writeln!(self.output, "{text}")?;
            self.last = Some(Instant::now());
        }
        self.output.flush()
    }

    /// Waits until `pause` has passed since the last output.
    fn wait_for(&mut self, pause: Duration) -> io::Result<()> {
        let left = self.last.map_or(Duration::ZERO, |last| pause.saturating_sub(last.elapsed()));
        if !left.is_zero() {
            self.output.flush()?;
            thread::sleep(left);
        }
        Ok(())
    }
}

fn read_lines(source: impl Read, lines: &Sender<(Input, Instant)>) {
    let mut source = BufReader::new(source);
    // An error is ignored here, because it is reported again when the first line is read.
    drop(skip_byte_order_mark(&mut source));
    loop {
        let input = next_input(&mut source).unwrap_or_else(|error| {
            log::warn!("cannot read the input: {error}");
            Input::End
        });
        let is_end = input == Input::End;
        if lines.send((input, Instant::now())).is_err() || is_end {
            return;
        }
    }
}

/// The UTF-8 byte order mark, which some shells and editors write at the beginning of their output.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

pub fn skip_byte_order_mark(source: &mut impl BufRead) -> io::Result<usize> {
    let length = if source.fill_buf()?.starts_with(BYTE_ORDER_MARK.as_bytes()) { BYTE_ORDER_MARK.len() } else { 0 };
    source.consume(length);
    Ok(length)
}

pub fn next_input(source: &mut impl BufRead) -> io::Result<Input> {
    Ok(match next_line(source, MAX_LINE)? {
        None => Input::End,
        Some(None) => Input::TooLong(MAX_LINE),
        // Invalid UTF-8 is converted to replacement characters, which do not occur in any command.
        Some(Some(line)) => Input::Line(String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned()),
    })
}

/// Calls `take` for every line of standard input. The argument is the trimmed line, or the reason why the line cannot
/// be read.
pub fn for_each_line<E: From<io::Error>>(
    mut take: impl FnMut(Result<String, String>) -> Result<(), E>,
) -> Result<(), E> {
    let mut input = io::stdin().lock();
    skip_byte_order_mark(&mut input)?;
    loop {
        match next_input(&mut input)? {
            Input::Line(line) => take(Ok(line.trim().to_owned()))?,
            Input::TooLong(max_bytes) => take(Err(format!("the line has more than {max_bytes} bytes")))?,
            Input::End => return Ok(()),
        }
    }
}

/// Returns the next line without its line ending. Returns `Some(None)` if the line has more than `max_bytes` bytes, and
/// `None` at the end of the input.
pub fn next_line(source: &mut impl BufRead, max_bytes: usize) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut line = Vec::new();
    if source.by_ref().take(max_bytes as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_none() && line.len() > max_bytes {
        source.skip_until(b'\n')?;
        return Ok(Some(None));
    }
    Ok(Some(Some(line)))
}

/// Returns whether writing failed because the process that reads the output closed the pipe.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(bytes: &[u8]) -> Vec<Input> {
        let (sender, lines) = unbounded();
        read_lines(bytes, &sender);
        lines.try_iter().map(|(input, _)| input).collect()
    }

    fn line(text: &str) -> Input {
        Input::Line(text.to_owned())
    }

    #[test]
    fn lines_end_with_or_without_carriage_return() {
        assert_eq!(inputs(b"uci\r\n\nquit"), [line("uci"), line(""), line("quit"), Input::End]);
        assert_eq!(inputs(b""), [Input::End]);
        assert_eq!(inputs(b"\xef\xbb\xbfuci\n"), [line("uci"), Input::End], "a byte order mark is skipped");
    }

    #[test]
    fn invalid_utf_8_does_not_stop_the_reader() {
        assert_eq!(inputs(b"\xff\xfe\nuci\n"), [line("\u{fffd}\u{fffd}"), line("uci"), Input::End]);
    }

    #[test]
    fn an_overlong_line_is_skipped() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend(b"\nuci\n");
        assert_eq!(inputs(&bytes), [Input::TooLong(MAX_LINE), line("uci"), Input::End]);
        assert_eq!(inputs(&vec![b'x'; MAX_LINE + 1]), [Input::TooLong(MAX_LINE), Input::End]);
        assert_eq!(inputs(&vec![b'x'; MAX_LINE]), [line(&"x".repeat(MAX_LINE)), Input::End]);
    }
}
