"""Reads opening books of any variant, in the format described in docs/book-format.md. Requires only Python."""

import bisect
import os
import struct
import sys
import zlib
from typing import NamedTuple


class Move(NamedTuple):
    """A move in a book: its index in the order of legal moves, and the data that the book stores for it."""

    place: int
    score: int | None  # in cp for the side that plays the move; 32,000 - n for a win in n plies; None if unknown
    weight: int
    depth: int
    flags: int


def key(position: str) -> int:
    """Returns the key of a position in Hub notation, such as ``Wbbb...www``."""
    result = 0xCBF29CE484222325
    for byte in position.encode():
        result = (result ^ byte) * 0x100000001B3 % 2**64
    return result


class Book:
    """An opening book. ``header`` maps the names in the header to their values, and ``roots`` lists the root FENs."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        with open(path, "rb") as file:
            data = file.read()
        if data[:8] != b"SOFFBOOK" or len(data) < 18:
            raise ValueError(f"{path}: not an opening book")
        version, length = struct.unpack_from("<HI", data, 8)
        end = 14 + length
        if version != 1:
            raise ValueError(f"{path}: unsupported version {version}")
        if struct.pack("<I", zlib.crc32(data[:end])) != data[end : end + 4]:
            raise ValueError(f"{path}: the header is damaged")
        lines = [line.split(" ", 1) for line in data[14:end].decode().splitlines()]
        self.roots = [value for name, value in lines if name == "root"]
        self.header = {name: value for name, value in lines if name != "root"}
        size = 16 * int(self.header["records"])
        self.records, sums = data[end + 4 : end + 4 + size], data[end + 4 + size :]
        blocks = [self.records[i : i + 1024] for i in range(0, size, 1024)]
        if len(self.records) != size or b"".join(struct.pack(">I", zlib.crc32(block)) for block in blocks) != sums:
            raise ValueError(f"{path}: the records are damaged")

    def moves(self, position: str) -> list[Move]:
        """Returns the moves for a position in Hub notation."""
        wanted = key(position)
        number = range(len(self.records) // 16)
        first = bisect.bisect_left(number, wanted, key=lambda i: int.from_bytes(self.records[16 * i : 16 * i + 8], "big"))
        moves = []
        for found, place, score, weight, depth, flags in struct.iter_unpack(">QHhHBB", self.records[16 * first :]):
            if found != wanted:
                break
            moves.append(Move(place, score if abs(score) <= 32000 else None, weight, depth, flags))
        return moves


if __name__ == "__main__":
    book = Book(sys.argv[1])
    print(book.header["variant"])
    for line in sys.stdin:
        print(", ".join(" ".join(str(part).lower() for part in move) for move in book.moves(line.strip())))
