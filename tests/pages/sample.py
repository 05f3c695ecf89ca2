"""Games by chance, with the positions that the engine has in them."""

import pathlib
import random
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "campaigns"))
from engine import Engine  # noqa: E402


class Position:
    """What the engine says of a position: the pieces by row and column from the top left, the side, the legal moves."""

    def __init__(self, lines, columns):
        words = {line.split(" ")[0]: line for line in lines}
        self.side = words["side"].split()[1]
        self.legal = words["legal"].split()[2:]
        # Rows have a sign at every second place, and then the names of the squares.
        board = lines[: lines.index(words["side"])]
        self.size = (len(board), columns)
        self.pieces = {
            (row, column): sign
            for row, line in enumerate(board)
            for column, sign in enumerate(line[1 : 2 * columns : 2])
            if sign in "wbWB"
        }

    def turned(self):
        """The pieces as they are seen from the other side."""
        rows, columns = self.size
        return {(rows - 1 - row, columns - 1 - column): sign for (row, column), sign in self.pieces.items()}


class Variant:
    """A variant as the table of the engine has it."""

    def __init__(self, row):
        self.name, number = row.split()[:2]
        self.tag = f'[GameType "{number}"]' if number.isdigit() else f'[Variant "{self.name}"]'
        self.columns = int(re.search(r" (\d+)x\d+ ", row)[1])


def variants(program):
    """The variants that the engine plays."""
    table = subprocess.run([program, "variants"], capture_output=True, text=True, check=True).stdout
    return [Variant(row) for row in table.splitlines()[1:] if row.strip()]


class Table:
    """An engine that tells positions of a variant."""

    def __init__(self, program, variant):
        self.variant = variant
        self.engine = Engine(program, variant.name)

    def position(self, moves):
        """The position after these moves."""
        played = " moves " + " ".join(moves) if moves else ""
        self.engine.tell("position startpos" + played, "d", "legal")
        lines = self.engine.until("legal")
        wrong = [line for line in lines if line.startswith("error")]
        assert not wrong, wrong
        # What comes before the board answers an option.
        return Position([line for line in lines if not line.startswith("info")], self.variant.columns)


class Game:
    """A game by chance of up to so many moves, and its positions from the first to the last."""

    def __init__(self, program, variant, seed, plies):
        chance = random.Random(f"{variant.name} {seed}")
        self.table = Table(program, variant)
        self.variant = variant
        self.moves = []
        self.positions = [self.table.position([])]
        while self.positions[-1].legal and len(self.moves) < plies:
            self.moves.append(chance.choice(self.positions[-1].legal))
            self.positions.append(self.table.position(self.moves))

    def record(self):
        """The game as PDN."""
        moves = " ".join(move.replace(":", "x") for move in self.moves)
        players = f'[White "White of {self.variant.name}"]\n[Black "<i>Black</i> & \'co\'"]'
        return f"{players}\n{self.variant.tag}\n\n{{<b>before</b>}} {moves} *\n\n"
