#!/usr/bin/env python3
"""Counts the nodes that programs need for the positions of a suite, each with an empty table.

shots      until the first move of a line is the given sacrifice and its score is at least 75 cp above the given one;
           a line of the suite is `variant;FEN;sacrifice;score`, with the score of a search that misses the shot
mistakes   until the best move is no longer the given mistake, nor is it again up to the limit; a line of the suite is
           `variant;FEN;mistake;refutation;loss`

Prints, for each program and variant, how many positions are solved and the geometric mean of the nodes. An unsolved
position counts as the limit.

Usage: suites.py shots tests/data/shots.txt PROGRAM...
       suites.py mistakes tests/data/missed_shots.txt PROGRAM...
"""

import argparse
import math
from collections import defaultdict

from engine import Engine

MIN_GAIN = 75
LIMITS = {"shots": 2_000_000, "mistakes": 10_000_000}


def infos(engine, fen, limit):
    """Starts a search, and yields the words of each `info` line that has a principal variation."""
    engine.send("ucinewgame", f"position fen {fen}", f"go nodes {limit}")
    for line in engine.lines():
        words = line.split()
        if words[0] == "bestmove":
            return
        if words[0] == "info" and "pv" in words and "upperbound" not in words:
            yield words


def value(words, field):
    return words[words.index(field) + 1]


def shot_found(engine, limit, fen, move, score):
    """Returns the number of nodes searched until `move` scored enough, or None if it never did."""
    found = None
    for words in infos(engine, fen, limit):
        kind, cp = words[words.index("score") + 1 : words.index("score") + 3]
        is_good = kind == "win" or (kind == "cp" and int(cp) >= int(score) + MIN_GAIN)
        if found is None and is_good and value(words, "pv") == move:
            found = int(value(words, "nodes"))
            engine.send("stop")
    return found


def mistake_abandoned(engine, limit, fen, move, *_):
    """Returns the number of nodes after which the best move was never `move` again, or None if it still is."""
    abandoned = None
    for words in infos(engine, fen, limit):
        if value(words, "pv") == move:
            abandoned = None
        elif abandoned is None:
            abandoned = int(value(words, "nodes"))
    return abandoned


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=LIMITS)
    parser.add_argument("suite")
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--limit", type=int, help="maximum number of nodes per position")
    arguments = parser.parse_args()
    limit = arguments.limit or LIMITS[arguments.kind]
    nodes_for = shot_found if arguments.kind == "shots" else mistake_abandoned
    suite = defaultdict(list)
    for line in open(arguments.suite):
        variant, *fields = line.strip().split(";")
        suite[variant].append(fields)
    for program in arguments.programs:
        for variant, positions in suite.items():
            engine = Engine(program, variant)
            engine.send("setoption name Hash value 64", "setoption name TableMemory value 0")
            nodes = [nodes_for(engine, limit, *fields) for fields in positions]
            engine.quit()
            mean = math.exp(sum(math.log(found or limit) for found in nodes) / len(nodes))
            solved = sum(found is not None for found in nodes)
            print(f"{program} {variant}: {solved} of {len(positions)} solved, {mean:,.0f} nodes", flush=True)


if __name__ == "__main__":
    main()
