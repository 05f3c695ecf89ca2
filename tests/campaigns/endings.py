#!/usr/bin/env python3
"""Prints endings from games of the program, one FEN per line, for use as openings of a match.

Each game starts with six random moves, and continues at 200 nodes per move. Its ending is the first position with at
most a certain number of pieces, which is chosen at random between FEWEST and MOST. An ending is used if it has no
capture, and if a search with the given number of nodes scores it between LEAST and GREATEST cp for one of the sides.
Balanced endings are mostly drawn, so uneven ones distinguish programs better if each is played with both colours.

Usage: endings.py PROGRAM VARIANT [--count 100] [--pieces 8-12] [--margin 0-33] [--nodes 10000] [--seed 1]
"""

import argparse
import random
import re

from engine import Engine

CENTIPAWNS = re.compile(r" score cp (-?\d+) ")
MAX_PLIES = 200


def legal(engine):
    engine.send("legal")
    return engine.until("legal ")[-1].split()[2:]


def fen(engine):
    engine.send("d")
    return engine.until("fen ")[-1].removeprefix("fen ")


def pieces(position):
    return sum(len(side[1:].split(",")) for side in position.split(":")[1:3])


def ending(engine, rng, pieces_wanted, margin, nodes):
    """Plays a game, and returns its ending, or None if the ending is not used."""
    fewest, most = pieces_wanted
    most = rng.randint(fewest, most)
    engine.send("ucinewgame", "position startpos")
    for ply in range(MAX_PLIES):
        moves = legal(engine)
        if not moves:
            return None
        position = fen(engine)
        if pieces(position) <= most:
            if pieces(position) < fewest or any("x" in move for move in moves):
                return None
            engine.send(f"go nodes {nodes}")
            scores = [found[1] for line in engine.until("bestmove") if (found := CENTIPAWNS.search(line))]
            return position if scores and margin[0] <= abs(int(scores[-1])) <= margin[1] else None
        move = rng.choice(moves)
        if ply >= 6:
            engine.send("go nodes 200")
            move = engine.until("bestmove")[-1].split()[1]
        engine.send(f"move {move}")
    return None


def endings(program, variant, count, seed, pieces_wanted, margin=(0, 33), nodes=10000):
    """Yields different endings. The two ranges include both of their ends."""
    engine, rng, found = Engine(program, variant), random.Random(seed), set()
    engine.send("setoption name Hash value 1")
    while len(found) < count:
        position = ending(engine, rng, pieces_wanted, margin, nodes)
        if position and position not in found:
            found.add(position)
            yield position
    engine.quit()


def number_range(text):
    least, _, greatest = text.partition("-")
    numbers = int(least), int(greatest or least)
    if numbers[0] > numbers[1]:
        raise argparse.ArgumentTypeError(f"{text}: the first number is greater than the second")
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("variant")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--pieces", type=number_range, default=(8, 12), metavar="FEWEST-MOST")
    parser.add_argument("--margin", type=number_range, default=(0, 33), metavar="LEAST-GREATEST", help="score in cp")
    parser.add_argument("--nodes", type=int, default=10000, help="nodes of the search that scores an ending")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    settings = arguments.seed, arguments.pieces, arguments.margin, arguments.nodes
    for position in endings(arguments.program, arguments.variant, arguments.count, *settings):
        print(position, flush=True)


if __name__ == "__main__":
    main()
