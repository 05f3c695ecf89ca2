"""Runs a program in a pseudo-terminal, and provides the screen that a user would see."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pyte

# Maximum time to wait for anything before the test fails, in seconds.
PATIENCE = 60

UP, DOWN, LEFT, RIGHT = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C"
ENTER, ESCAPE = "\r", "\x1b"


class PseudoTerminal:
    """A program that runs in its own terminal."""

    def __init__(self, command, columns=80, lines=24, folder=None, kind="xterm-256color"):
        self.master, self.slave = pty.openpty()
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.output = b""
        self._set_size(columns, lines)
        self.attributes = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            command,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            cwd=folder,
            env={**os.environ, "TERM": kind},
            preexec_fn=self._own_terminal,
        )

    def _own_terminal(self):
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

    def _set_size(self, columns, lines):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        self.screen.resize(lines, columns)
        self._set_size(columns, lines)
        self.process.send_signal(signal.SIGWINCH)

    def send(self, text):
        os.write(self.master, text.encode())

    def click(self, column, line):
        """Clicks on a cell. Columns and lines are counted from 1."""
        self.send(f"\x1b[<0;{column};{line}M\x1b[<0;{column};{line}m")

    def read(self, seconds):
        """Reads the output for up to `seconds` seconds. Returns whether there was any."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            # The terminal has been closed.
            return False
        self.output += data
        self.stream.feed(data)
        return bool(data)

    def text(self):
        """Returns the screen, with all times replaced by 0:00."""
        lines = (line.rstrip() for line in self.screen.display)
        return re.sub(r"\b\d+:\d\d\b", "0:00", "".join(line + "\n" for line in lines))

    def until(self, condition, what):
        """Waits until the screen no longer changes and fulfils the condition, and returns it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.read(0.05):
                continue
            if condition(self.text()):
                return self.text()
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended with {self.process.returncode} before: {what}\n{self.text()}")
        raise AssertionError(f"did not appear: {what}\n{self.text()}")

    def shows(self, words):
        """Waits until the words are on the screen, and returns the screen."""
        return self.until(lambda screen: words in screen, words)

    def ended(self):
        """Waits until the program exits, checks that the terminal is restored, and returns the exit status."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            self.read(0.05)
            if time.monotonic() > end:
                self.process.kill()
                raise AssertionError(f"the program does not end\n{self.text()}")
        while self.read(0.05):
            pass
        assert termios.tcgetattr(self.slave) == self.attributes, "the terminal is still in raw mode"
        for mode, name in [(b"1049", "the other screen"), (b"1000", "clicks"), (b"1006", "clicks")]:
            on, off = self.output.rfind(b"\x1b[?" + mode + b"h"), self.output.rfind(b"\x1b[?" + mode + b"l")
            assert -1 < on < off, f"{name} is still on: {on} {off}"
        assert self.output.rfind(b"\x1b[?25l") < self.output.rfind(b"\x1b[?25h"), "the cursor is still hidden"
        os.close(self.master)
        os.close(self.slave)
        return self.process.returncode
