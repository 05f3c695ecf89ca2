"""Reads win/loss/draw tables in the format described in docs/table-format.md. Requires only Python.

Usage: python3 wld.py FILE FEN...

Prints one line for each FEN: ``win``, ``loss`` or ``draw`` for the side to move, or ``error`` and the reason. The line
is ``capture`` if the side to move must capture. Tables do not contain the values of such positions.
"""

import mmap
import re
import struct
import sys
import zlib
from math import comb, prod
from typing import NamedTuple

BLOCK = 2048  # number of positions in a block
GROUP = 32 * BLOCK  # number of positions in a group
RESULTS = ("draw", "win", "loss")
# The sets of squares are 0: White's men, 1: Black's men, 2: White's kings, 3: Black's kings.
TURNED = (1, 0, 3, 2)

# Columns and rows of the board, properties, and variants. Properties of the squares: a = all squares are used, not only
# the dark ones; m = mirrored, with a dark corner on the right; r = square 1 is at the bottom right. Properties of
# captures: o = along rows and columns, and without a also along diagonals; b = men capture backwards; f = kings capture
# from a distance; k = men do not capture kings; ? = captures are optional.
BOARDS = """8 8 - english casual; 8 8 ? english-optional casual-optional; 8 8 mk italian; 8 8 f czech; 8 8 rf thai;
    8 8 mrf spanish portuguese; 8 8 bf russian brazilian pool unified-pool; 8 8 mbf jamaican; 10 8 bf spantsiretti;
    8 8 aof turkish armenian; 10 10 bf international killer losing breakthrough; 10 10 obf frisian frysk;
    12 12 bf canadian; 12 12 mbf srilankan; 14 14 bf dumm"""
VARIANTS = {name: board[:3] for board in map(str.split, BOARDS.split(";")) for name in board[3:]}


def check(is_right: bool, reason: str) -> None:
    if not is_right:
        raise ValueError(reason)


class Table(NamedTuple):
    """The table of one material."""

    sizes: tuple[int, ...]  # number of possible values of each set
    order: tuple[int, ...]  # the sets, from the most to the least significant
    codes: dict[int, bytes]  # the values of each symbol; the key is a 1 bit and the Huffman code
    groups: list[tuple[int, int, int]]  # offset, length and CRC-32 of each group


class WldFile:
    """A win/loss/draw file. ``tables`` maps the numbers of pieces in the four sets to a table."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            data = self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        check(data[:8] == b"SOFFTWLD" and len(data) >= 18, f"{path}: not a win/loss/draw table file")
        version, length = struct.unpack_from("<HI", data, 8)
        check(version == 2, f"{path}: unsupported version {version}")
        end = 14 + length
        check(struct.pack("<I", zlib.crc32(data[:end])) == data[end : end + 4], f"{path}: the header is damaged")
        at = 15 + data[14]
        self.variant = data[15:at].decode()
        board = VARIANTS.get(re.sub("^(killer|losing)-", "", self.variant))
        check(board is not None, f"{path}: unknown variant {self.variant}")
        self.columns, self.rows, self.rules = int(board[0]), int(board[1]), board[2]
        self.row_length = self.columns if "a" in self.rules else self.columns // 2
        self.squares = self.row_length * self.rows
        men, kings, other_men, other_kings = data[at + 4 : at + 8]
        material = (men, other_men, kings, other_kings)
        at += 9
        self.tables: dict[tuple[int, ...], Table] = {}
        for pieces in dict.fromkeys([material, tuple(material[i] for i in TURNED)]):
            self.tables[pieces], at = self.parse_table(pieces, at)
        groups = sum(-(-prod(table.sizes) // GROUP) for table in self.tables.values())
        directory = data[end + 4 : end + 4 + 8 * groups]
        start = end + 4 + len(directory) + 4
        is_whole = at == end and struct.pack("<I", zlib.crc32(directory)) == data[start - 4 : start]
        check(is_whole, f"{path}: the directory is damaged")
        entries = struct.iter_unpack("<II", directory)
        for table in self.tables.values():
            for _ in range(0, prod(table.sizes), GROUP):
                length, checksum = next(entries)
                table.groups.append((start, length, checksum))
                start += length
        check(start == len(data), f"{path}: the file should have {start} bytes but has {len(data)}")

    def parse_table(self, pieces: tuple[int, ...], at: int) -> tuple[Table, int]:
        """Parses the part of the header that describes a table, from offset ``at``. Returns the table and the end."""
        layout = struct.Struct("<4Q4B3QBQBBBH")
        fields = layout.unpack_from(self.data, at)
        sizes, order, count = fields[:4], fields[4:8], fields[-1]
        at += layout.size
        # Men cannot stand on their promotion row. Kings are placed on the squares without men.
        free = self.squares - pieces[0] - pieces[1]
        places = [self.squares - self.row_length] * 2 + [free, free - pieces[2]]
        check(sizes == tuple(map(comb, places, pieces)), "the sizes of the digits are wrong")
        values = [b"\0", b"\1", b"\2"]
        for i in range(at, at + 3 * count, 3):
            pair = int.from_bytes(self.data[i : i + 3], "little")
            values.append(values[pair & 0xFFF] + values[pair >> 12])
        at += 3 * count
        lengths = [self.data[at + i // 2] >> 4 * (i % 2) & 15 for i in range(len(values))]
        codes, code = {}, 0
        for length in range(1, 16):
            code <<= 1
            for symbol in [symbol for symbol in range(len(values)) if lengths[symbol] == length]:
                codes[1 << length | code] = values[symbol]
                code += 1
        return Table(sizes, order, codes, []), at + (len(values) + 1) // 2

    def value(self, table: Table, number: int) -> str:
        """Returns the value with this number."""
        group, number = divmod(number, GROUP)
        block, place = divmod(number, BLOCK)
        start, length, checksum = table.groups[group]
        data = self.data[start : start + length]
        check(zlib.crc32(data) == checksum, f"group {group} is damaged")
        if length == 1:
            return RESULTS[data[0]]
        size = min(GROUP, prod(table.sizes) - group * GROUP)
        lengths, at = [], 0  # the lengths of the blocks in bits
        for _ in range(0, size, BLOCK):
            length = shift = 0
            while data[at] & 0x80:
                length, shift, at = length | (data[at] & 0x7F) << shift, shift + 7, at + 1
            lengths.append(length | data[at] << shift)
            at += 1
        values, code = bytearray(), 1
        first = 8 * at + sum(lengths[:block])
        for bit in range(first, first + lengths[block]):
            code = code << 1 | data[bit // 8] >> 7 - bit % 8 & 1
            if code in table.codes:
                values += table.codes[code]
                code = 1
        check(len(values) == min(BLOCK, size - block * BLOCK), f"block {block} of group {group} is damaged")
        return RESULTS[values[place]]

    def sets(self, fen: str) -> list[list[int]]:
        """Parses a FEN. Returns the places of the four sets, on a board that is rotated if Black is to move."""
        side, *fields = re.sub(r'[ "]|\.$', "", fen.strip().upper()).split(":")
        check(side in ("W", "B"), "expected W or B")
        sets: list[list[int]] = [[], [], [], []]
        for field in fields:
            for item in re.findall("[^,]+", field[1:]) if field[:1] in ("W", "B") else []:
                match = re.fullmatch("(K?)([0-9]+)(?:-([0-9]+))?", item)
                check(match is not None, f"{item}: not a square number")
                numbers = range(int(match[2]), int(match[3] or match[2]) + 1)
                sets[2 * len(match[1]) + (field[0] != side)] += [self.place(number, side) for number in numbers]
        places, back = sum(sets, []), self.squares - self.row_length
        check(len(set(places)) == len(places), "two pieces stand on the same square")
        check(all(p >= self.row_length for p in sets[0]) and all(p < back for p in sets[1]), "a man stands on its promotion row")
        return [sorted(places) for places in sets]

    def place(self, number: int, side: str) -> int:
        """Returns the place of a square, counted from 0 at the top left of the board, with ``side`` at the bottom."""
        check(1 <= number <= self.squares, f"{number}: no such square")
        from_top = ("r" in self.rules) == (side == "B")
        row, column = divmod(number - 1 if from_top else self.squares - number, self.row_length)
        return row * self.row_length + (self.row_length - 1 - column if "m" in self.rules else column)

    def can_capture(self, sets: list[list[int]]) -> bool:
        """Returns whether the side to move can capture."""
        width = self.columns // self.row_length  # of a step along a row or column
        squares = [(r, c) for r in range(self.rows) for c in range(self.columns) if (r + c + 1) % width == 0]
        board = {squares[place]: i for i, places in enumerate(sets) for place in places}
        free = set(squares) - set(board)
        steps = [(-1, -1), (-1, 1), (1, -1), (1, 1)] if "a" not in self.rules else []
        steps += [(-width, 0), (0, -width), (0, width), (width, 0)] if "o" in self.rules else []
        of_men = [(down, right) for down, right in steps if down <= 0 or "b" in self.rules]
        for (row, column), piece in board.items():
            victims = (1,) if piece == 0 and "k" in self.rules else (1, 3)
            for down, right in (of_men, [], steps, [])[piece]:
                r, c = row + down, column + right
                while piece == 2 and "f" in self.rules and (r, c) in free:
                    r, c = r + down, c + right
                if board.get((r, c)) in victims and (r + down, c + right) in free:
                    return True
        return False

    def probe(self, fen: str) -> str:
        """Returns ``win``, ``loss`` or ``draw``, or ``capture`` if the side to move must capture."""
        sets = self.sets(fen)
        table = self.tables.get(tuple(map(len, sets)))
        check(table is not None, "the file is for a different material")
        if "?" not in self.rules and self.can_capture(sets):
            return "capture"
        number = 0
        for i in table.order:
            taken = sum(sets[:i], []) if i >= 2 else []
            places = [p - self.row_length * (i == 0) - sum(q < p for q in taken) for p in sets[i]]
            number = number * table.sizes[i] + sum(map(comb, places, range(1, 8)))
        return self.value(table, number)


if __name__ == "__main__":
    opened, status = WldFile(sys.argv[1]), 0
    for position in sys.argv[2:]:
        try:
            print(opened.probe(position))
        except ValueError as error:
            print("error", error)
            status = 1
    sys.exit(status)
