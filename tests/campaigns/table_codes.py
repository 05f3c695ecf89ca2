#!/usr/bin/env python3
"""Measures the size of endgame table blocks with several encodings, and the time to unpack one block.

The script reads the files in a folder, which have the format described in `src/tables/distances/mod.rs`. It repacks each
block of 4096 values with deflate, zstd, and run lengths (one byte per value and a length of one or two bytes), both
with distances and with only win, draw and loss. The times are those of C libraries for random blocks; run lengths are
unpacked with `numpy.repeat`. Needs numpy and zstandard.
"""

import argparse
import pathlib
import random
import struct
import sys
import time
import zlib

import numpy
import zstandard

BLOCK = 4096


def blocks(path):
    """Yields the unpacked blocks of the file at `path`."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 10)[0]
    body = data[14 : 14 + length]
    at = 1 + body[0] + 4 + 4
    count, at = body[at], at + 1
    sizes = [struct.unpack_from("<Q", body, at + 43 * number)[0] for number in range(count)]
    directory = 14 + length + 4
    number = sum(-(-size // BLOCK) for size in sizes)
    lengths = [struct.unpack_from("<I", data, directory + 8 * entry)[0] for entry in range(number)]
    start = directory + 8 * number + 4
    for packed in lengths:
        yield zlib.decompress(data[start : start + packed], wbits=-15)
        start += packed


def run_lengths(block):
    """Returns the values of the runs in `block`, the lengths of the runs, and their encoded size in bytes."""
    values = numpy.frombuffer(block, dtype=numpy.uint8)
    ends = numpy.append(numpy.flatnonzero(values[1:] != values[:-1]) + 1, len(values))
    lengths = numpy.diff(ends, prepend=0)
    return values[ends - 1], lengths, int(2 * len(lengths) + numpy.count_nonzero(lengths > 127))


def deflate(block):
    packer = zlib.compressobj(9, wbits=-15)
    return packer.compress(block) + packer.flush()


def microseconds(unpack, packed):
    began = time.process_time()
    for block in packed:
        unpack(block)
    return 1e6 * (time.process_time() - began) / len(packed)


def measure(name, found, positions):
    packer, unpacker = zstandard.ZstdCompressor(level=19), zstandard.ZstdDecompressor()
    codes = {
        "deflate": (deflate, len, lambda packed: zlib.decompress(packed, wbits=-15)),
        "zstd": (packer.compress, len, unpacker.decompress),
        "run lengths": (run_lengths, lambda packed: packed[2], lambda packed: numpy.repeat(packed[0], packed[1])),
    }
    for code, (pack, size, unpack) in codes.items():
        packed = [pack(block) for block in found]
        bits = 8 * sum(map(size, packed)) / positions
        random.shuffle(packed)
        print(f"| {name} | {code} | {bits:.2f} | {microseconds(unpack, packed):.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--share", type=float, default=1, help="fraction of the blocks to measure, chosen at random")
    arguments = parser.parse_args()
    random.seed(1)
    files = sorted(arguments.folder.glob("*.table"))
    if not files:
        sys.exit(f"there are no tables in {arguments.folder}")
    found = [block for path in files for block in blocks(path) if random.random() < arguments.share]
    positions = sum(map(len, found))
    # A draw is 0. For any other value, the parity determines the winner.
    outcome = bytes([0] + [1 + value % 2 for value in range(1, 256)])
    print(f"{positions} positions\n\n| values | code | bits per position | microseconds per block |\n| --- | --- | --- | --- |")
    measure("distances", found, positions)
    measure("win, draw, loss", [block.translate(outcome) for block in found], positions)


if __name__ == "__main__":
    main()
