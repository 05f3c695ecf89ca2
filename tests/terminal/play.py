"""Plays with `soffio play` at the keyboard of a pseudo-terminal."""

import argparse
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from pseudo_terminal import DOWN, ENTER, ESCAPE, LEFT, RIGHT, UP, PseudoTerminal

SCREENS = pathlib.Path(__file__).parent / "screens"

OPPONENT = "player=alphabeta,depth=3"


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

    def message(self):
        """Returns the first line of the program's answer."""
        return self.terminal.text().splitlines()[21]

    def first_legal(self):
        self.terminal.send(":moves" + ENTER)
        def is_list(screen):
            words = screen.splitlines()[21].split("] ")[-1].split()
            return words and all(word.replace("-", "x").replace("x", "").isdigit() for word in words[:1])
        self.terminal.until(is_list, "the legal moves")
        return self.message().split("] ")[1].split()[0]

    def end(self, keys):
        """Types the keys that quit the program, and asserts that it exits with status 0."""
        self.terminal.send(keys)
        assert self.terminal.ended() == 0


def whole_game(arguments, folder):
    """Plays a whole game with an illegal move, undo, redo, save, load and resume."""
    sitting = Sitting(arguments, ["--black", OPPONENT], folder)
    sitting.keep("start")
    # Selects the man on 22, to the left of the cursor, and first moves it to a square that it cannot reach.
    sitting.press(LEFT + ENTER, "•")
    sitting.keep("chosen")
    sitting.press(DOWN + ENTER, "No: ")
    sitting.keep("illegal-with-the-cursor")
    sitting.press(UP + UP + ENTER, "black ")
    sitting.terminal.until(lambda screen: "white to move" in screen and "thinking" not in screen, "the answer")
    sitting.keep("answered")
    sitting.press("9-9" + ENTER, "No: 9-9")
    sitting.press("21-11" + ENTER, "No: 21-11")
    sitting.keep("illegal-typed")
    sitting.press("u", "(2 undone)")
    sitting.keep("undone")
    sitting.press("r", "replayed 2")
    sitting.keep("redone")
    moves = 0
    while moves < 6:
        move = sitting.first_legal()
        sitting.terminal.send(move + ENTER)
        sitting.terminal.until(lambda screen: "white to move" in screen and " black " in screen.splitlines()[21], "the answer")
        moves += 1
    sitting.press("sgame.pdn" + ENTER, "saved game.pdn")
    sitting.keep("saved")
    sitting.press("U", "undone)")
    sitting.press(ctrl("l") + "game.pdn" + ENTER, "loaded game 1 of 1")
    sitting.keep("loaded")
    sitting.press(" ", "game resumed")
    while "GAME OVER" not in sitting.terminal.text():
        move = sitting.first_legal()
        sitting.terminal.send(move + ENTER)
        done = lambda screen: "GAME OVER" in screen or ("white to move" in screen and " black " in screen.splitlines()[21])
        sitting.terminal.until(done, "the answer")
        moves += 1
    assert moves > 10, "the game was too short"
    sitting.keep("game-over")
    sitting.press("22-18" + ENTER, "No: the game has ended")
    sitting.press("q", "The game is not saved")
    sitting.press("s", "> save game.pdn")
    sitting.end(ENTER)
    # The game continues in a different process where it stopped.
    sitting = Sitting(arguments, ["--load", "game.pdn"], folder)
    sitting.terminal.shows("GAME OVER")
    sitting.press("u", "undone")
    sitting.press("q", "The game is not saved")
    sitting.end("y")


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


def letters(arguments, folder):
    """Types moves in a variant whose squares are named with letters, with a clock and an evaluation."""
    sitting = Sitting(arguments, ["--variant", "russian", "--black", "human", "--tc", "5+3"], folder)
    for move in ["c3-b4", "f6-g5", "e3-f4", "g5:e3"]:
        sitting.press(move + ENTER, move)
    sitting.press("v", "evaluation on")
    sitting.press("h6-g6" + ENTER, "No: h6-g6")
    sitting.press(ctrl("a"), "back at the beginning")
    sitting.keep("russian")
    sitting.press(ctrl("q"), "The game is not saved")
    sitting.end("y")


def small(arguments, folder):
    """Shows the reason for a refusal on a screen that is too small for the text."""
    sitting = Sitting(arguments, [], folder)
    sitting.terminal.resize(24, 15)
    sitting.terminal.shows("? keys  q quit  arrows E\n")
    sitting.press("9-99" + ENTER, "board")
    sitting.keep("refused-24x15")
    sitting.press(LEFT, "…")
    sitting.end("q")


def forms(arguments, folder):
    """Uses the forms for players and for the game, and the lists of keys and commands."""
    sitting = Sitting(arguments, [], folder)
    sitting.press(ctrl("b") + DOWN + RIGHT, "Who plays black")
    sitting.keep("player")
    sitting.press(ENTER, "black level=expert")
    sitting.press(ctrl("g") + LEFT, "The game")
    sitting.press(RIGHT + RIGHT + ENTER, "black to move  english")
    sitting.press("?", "Keys")
    sitting.keep("keys")
    sitting.press("x:help" + ENTER, "Commands")
    sitting.keep("commands")
    sitting.press(ESCAPE, "[")
    sitting.end("q")


def sizes(arguments, folder):
    sitting = Sitting(arguments, ["--variant", "canadian"], folder)
    sitting.keep("canadian")
    for columns, lines in [(120, 45), (60, 16), (24, 15), (10, 4), (2, 2), (1, 1), (80, 24)]:
        sitting.terminal.resize(columns, lines)
        sitting.terminal.until(lambda screen: screen.strip(), f"{columns}x{lines}")
        sitting.keep(f"canadian-{columns}x{lines}")
    sitting.end("q")


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
    sitting.terminal.process.wait(timeout=120)


def tavla(arguments, folder):
    """Plays a turn of tavla with the cursor and by typing. Includes refusals, saving, and quitting during a search."""
    command = ["--variant", "tavla", "--black", "human"]
    sitting = Sitting(arguments, command, folder, "? keys")
    # The winner of the opening roll plays these dice.
    sitting.press("d31" + ENTER, "31: 16 plays")
    sitting.press("8/9" + ENTER, "No: '8/9' is not a hop")
    sitting.press("8/5 6/5" + ENTER, "to roll: press Space")
    sitting.press("u", "31: 16 plays")
    sitting.press("w", "1. 8/5,6/5 equity +")
    sitting.press(ESCAPE, "? keys")
    sitting.press("r", "to roll: press Space")
    sitting.press(" ", "plays")
    sitting.press("q", "The game is not saved")
    sitting.press("s", "> save")
    sitting.end("game.mat" + ENTER)
    assert "31: 8/5 6/5" in (pathlib.Path(folder) / "game.mat").read_text()
    # The program must not wait for a rollout of a million games.
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
    for part in [whole_game, clicks, letters, small, forms, sizes, tavla, lines, interrupted, suspended, gone, alone]:
        with tempfile.TemporaryDirectory() as folder:
            part(arguments, folder)
        print(f"{part.__name__}: ok", flush=True)


main()
