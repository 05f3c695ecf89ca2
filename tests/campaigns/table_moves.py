#!/usr/bin/env python3
"""Compares endgame tables with the moves of pydraughts, an independent library.

For random positions with the given numbers of pieces, the result in the tables must match the results after all moves
that pydraughts generates. Positions may have pending captures. A position is skipped if the tables do not contain it or
a position that it leads to. Prints the results of the compared positions and every difference; exits with status 1 if
there is one.

Requires pydraughts (tests/clients/requirements-pydraughts.txt) and tables from `soffio tables build`.

Usage: table_moves.py PROGRAM VARIANT DIR [--pieces 5 6 7] [--count 10000] [--seed 1]
"""

import argparse
import collections
import random
import subprocess
import sys

from draughts.core.game import Game

# The script skips losing variants: it assumes that a side without pieces or moves has lost.
VARIANTS = ["english", "italian", "russian", "brazilian", "international", "frisian", "frysk"]
NAMES = {"international": "standard", "frysk": "frysk!"}
ROWS = {"international": (10, 5), "frysk": (10, 5), "frisian": (10, 5)}


def random_position(rng, pieces, rows, in_row):
    """Returns a position as in the Hub protocol: the side to move, followed by a letter for each square."""
    squares = rows * in_row
    letters = ["e"] * squares
    colours = ["w", "b"] + [rng.choice("wb") for _ in range(pieces - 2)]
    for colour, square in zip(colours, rng.sample(range(squares), pieces)):
        last_row = 0 if colour == "w" else rows - 1
        is_king = rng.random() < 0.5 or square // in_row == last_row
        letters[square] = colour.upper() if is_king else colour
    return rng.choice("WB") + "".join(letters)


def fen(position):
    """Converts a Hub position to a FEN."""
    pieces = {"w": [], "b": []}
    for number, letter in enumerate(position[1:], 1):
        if letter != "e":
            pieces[letter.lower()].append(f"K{number}" if letter.isupper() else str(number))
    return f"{position[0]}:W{','.join(pieces['w'])}:B{','.join(pieces['b'])}"


def after_moves(variant, position):
    """Returns the positions after all moves."""
    game = Game(variant, position)
    for parts in game.legal_moves()[0]:
        game = Game(variant, position)
        game.push(parts)
        yield game.get_fen()


def has_both_sides(position):
    return all(side in position[1:].lower() for side in "wb")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("dir")
    parser.add_argument("--pieces", type=int, nargs="+", default=[5, 6, 7])
    parser.add_argument("--count", type=int, default=10_000, help="positions for each number of pieces")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng, name = random.Random(arguments.seed), NAMES.get(arguments.variant, arguments.variant)
    rows, in_row = ROWS.get(arguments.variant, (8, 4))

    cases = []
    for pieces in arguments.pieces:
        for _ in range(arguments.count):
            position = random_position(rng, pieces, rows, in_row)
            cases.append((pieces, position, sorted(set(after_moves(name, position)))))
    asked = sorted({p for _, position, after in cases for p in [position, *after] if has_both_sides(p)})
    command = [arguments.program, "tables", "probe", "--variant", arguments.variant, "--dir", arguments.dir]
    text = "".join(fen(position) + "\n" for position in asked)
    answers = subprocess.run(command, input=text, capture_output=True, text=True).stdout.splitlines()
    results = {position: answer.split()[0] for position, answer in zip(asked, answers, strict=True)}

    seen, skipped, differences = collections.Counter(), collections.Counter(), 0
    for pieces, position, after in cases:
        # A side without pieces has lost.
        found = [results.get(p, "loss") for p in after]
        if "error" in [results[position], *found]:
            skipped[pieces] += 1
            continue
        best = "win" if "loss" in found else "draw" if "draw" in found else "loss"
        seen[pieces, results[position]] += 1
        if best != results[position]:
            differences += 1
            print(f"{fen(position)}: {results[position]} in the tables, {best} by the moves")
    for pieces in arguments.pieces:
        found = ", ".join(f"{seen[pieces, result]} {result}" for result in ("win", "draw", "loss"))
        print(f"{arguments.variant}, {pieces} pieces: {found}, {skipped[pieces]} skipped")
    print(f"{differences} differences")
    sys.exit(differences > 0)


main()
