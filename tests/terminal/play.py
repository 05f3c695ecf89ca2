"""Plays with `soffio play` at the keyboard of a pseudo-terminal."""

import argparse
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from pseudo_terminal import ENTER, LEFT, UP, PseudoTerminal

SCREENS = pathlib.Path(__file__).parent / "screens"


def ctrl(letter):
    """Returns the character that the terminal sends for a letter with Ctrl."""
    return chr(ord(letter) - ord("a") + 1)


class Sitting:
    """A user at the keyboard, and the recorded screens."""

    def __init__(self, arguments, command, folder, ready="? shows the keys"):
        self.terminal = PseudoTerminal([arguments.program, "play", *command], folder=folder)
        self.write = arguments.write
        # Input would be lost if it arrived before the program has taken over the terminal.
        self.terminal.shows(ready)

    def press(self, keys, words):
        """Types keys, waits until the words are on the screen, and returns the screen."""
        self.terminal.send(keys)
        return self.terminal.shows(words)

    def keep(self, name):
        """Waits until the screen matches the recorded screen with this name."""
        path = SCREENS / f"{name}.txt"
        if self.write:
            # It is unknown when the output ends, because a clock never stops. One second is enough for anything that
            # is drawn.
            end = time.monotonic() + 1
            while time.monotonic() < end:
                self.terminal.read(0.1)
            path.write_text(self.terminal.text())
        expected = path.read_text() if path.exists() else ""
        self.terminal.until(lambda screen: screen == expected, f"{name}, which was\n{expected}")

    def end(self, keys):
        """Types the keys that quit the program, and asserts that it exits with status 0."""
        self.terminal.send(keys)
        assert self.terminal.ended() == 0


def game(arguments, folder):
    """Plays with the cursor and by typing. Includes a rejected move, undo, redo, another screen size, save and load."""
    sitting = Sitting(arguments, ["--black", "player=alphabeta,depth=3"], folder)
    sitting.keep("start")
    # Selects the man on 22, to the left of the cursor, and moves it to 18.
    sitting.press(LEFT + ENTER, "•")
    sitting.press(UP + ENTER, "black ")
    sitting.terminal.until(lambda screen: "white to move" in screen and "thinking" not in screen, "the answer")
    sitting.press("21-11" + ENTER, "No: 21-11")
    sitting.press("u", "(2 undone)")
    sitting.press("r", "redid 2")
    sitting.terminal.resize(24, 15)
    sitting.terminal.shows("? keys  q quit  arrows E\n")
    sitting.terminal.resize(80, 24)
    sitting.press("sgame.pdn" + ENTER, "saved game.pdn")
    sitting.press("p", "2. ")
    sitting.terminal.until(lambda screen: "white to move" in screen and "thinking" not in screen, "the answer")
    sitting.press("q", "The game is not saved")
    sitting.press("s", "> save game.pdn")
    sitting.end(ENTER)
    # The game continues in a different process.
    sitting = Sitting(arguments, ["--load", "game.pdn"], folder, "1. 22-18")
    sitting.press("U", "undone)")
    sitting.press("21-17" + ENTER, "1. 21-17")
    sitting.press(ctrl("l") + "game.pdn" + ENTER, "The game is not saved. y discards it")
    sitting.press("y", "loaded game 1 of 1")
    # The file has the undone moves.
    sitting.press("u", "undone)")
    sitting.end("q")


def resized(arguments, folder):
    """Checks that no key is lost if it is pressed while the size of the terminal changes."""
    sitting = Sitting(arguments, ["--black", "human"], folder)
    for count in range(1, 41):
        sitting.terminal.resize(80, 24 + count % 2)
        sitting.press("1", "> " + "1" * count)
    sitting.end(ctrl("c"))


def clicks(arguments, folder):
    """Plays a move with the mouse, and flips the board."""
    sitting = Sitting(arguments, ["--variant", "turkish", "--black", "human"], folder)
    sitting.terminal.click(2, 12)
    sitting.terminal.shows("•")
    sitting.terminal.click(2, 10)
    sitting.terminal.shows("1. a3-a4")
    sitting.press(ctrl("f"), "black at the bottom")
    sitting.keep("turkish-flipped")
    sitting.end(ctrl("c"))


def interrupted(arguments, folder):
    """Checks that the terminal is restored when the process is terminated, even during a search."""
    for number in [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]:
        sitting = Sitting(arguments, ["--black", "movetime=600000"], folder)
        sitting.press("22-18" + ENTER, "thinking")
        # The program responds during a search.
        sitting.press("t", "thoughts on")
        sitting.press("21-17" + ENTER, "No: it is black's turn")
        sitting.terminal.process.send_signal(number)
        assert sitting.terminal.ended() == 0
    sitting = Sitting(arguments, ["--black", "movetime=600000"], folder)
    sitting.press("22-18" + ENTER, "thinking")
    sitting.press(" ", "PAUSED")
    sitting.press("q", "The game is not saved")
    sitting.end("y")


def suspended(arguments, folder):
    """Checks that Ctrl-Z returns to the shell, and that fg continues a paused game."""
    for words, ready, move, after in [
        ("--black human --tc 5", "? shows the keys", "22-18" + ENTER, "PAUSED"),
        ("--variant tavla --black human", "? keys", "d31" + ENTER + "8/5 6/5" + ENTER, "to roll"),
    ]:
        terminal = PseudoTerminal(["sh", "-i"], folder=folder)
        terminal.send(f"PS1='shell> '; {arguments.program} play {words}\r")
        terminal.shows(ready)
        terminal.send(move)
        terminal.shows("to move" if "tavla" not in words else "to roll")
        terminal.send(ctrl("z"))
        terminal.shows("Stopped")
        terminal.send("echo in the shell\r")
        terminal.until(lambda screen: screen.count("in the shell") == 2, "the shell")
        terminal.send("fg\r")
        terminal.shows(after)
        terminal.send(ctrl("c"))
        terminal.shows("shell> ")
        terminal.send("exit\r")
        assert terminal.ended() == 0


def gone(arguments, folder):
    """Checks that the program exits when its terminal is closed."""
    sitting = Sitting(arguments, [], folder)
    os.close(sitting.terminal.slave)
    os.close(sitting.terminal.master)
    assert sitting.terminal.process.wait(timeout=120) == 0


def rollout(arguments, folder):
    """Checks that the program quits during a rollout of a million games."""
    players = ["--white", "rollout=1000000", "--black", "rollout=1000000"]
    sitting = Sitting(arguments, ["--variant", "tavla", *players], folder, ": thinking")
    sitting.press("13/7" + ENTER, "is played by the program")
    sitting.end("q")


def lines(arguments, folder):
    """Checks that a terminal without cursor control gets the line mode."""
    for kind, words in [("dumb", []), ("xterm-256color", ["--lines"])]:
        terminal = PseudoTerminal([arguments.program, "play", *words], folder=folder, kind=kind)
        terminal.shows("white to move")
        terminal.send("22-18\n")
        terminal.shows("black ")
        assert b"\x1b" not in terminal.output
        terminal.send("quit\n")
        terminal.shows("not saved")
        terminal.send("quit\n")
        assert terminal.process.wait(timeout=120) == 0


def alone(arguments, folder):
    """Checks that the program without a command prints short help on a terminal, and waits silently in a pipe."""
    terminal = PseudoTerminal([arguments.program], folder=folder)
    terminal.shows("help for a list")
    assert all(len(line) < 80 for line in terminal.output.decode().splitlines()), terminal.output
    terminal.send("isready\n")
    terminal.shows("readyok")
    terminal.send("quit\n")
    assert terminal.process.wait(timeout=120) == 0
    assert subprocess.run([arguments.program], input="isready\nquit\n", capture_output=True, text=True).stdout == "readyok\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("program")
    arguments = parser.parse_args()
    for part in [game, resized, clicks, rollout, lines, interrupted, suspended, gone, alone]:
        with tempfile.TemporaryDirectory() as folder:
            part(arguments, folder)
        print(f"{part.__name__}: ok", flush=True)


main()
