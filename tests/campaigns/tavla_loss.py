#!/usr/bin/env python3
"""Measures how much tavla weights lose at depth 1, according to gnubg searching one roll ahead.

Usage: tavla_loss.py PROGRAM WEIGHTS [WEIGHTS ...]
Use PROGRAM=WEIGHTS for weights that need a different program.

All positions are contact positions from games of the program against itself, gnubg's PubEval and gnubg's 0-ply player.
They are the same for all weights, so the weights can be compared far more precisely than by matches. Needs the packages
in tests/clients/requirements-gnubg.txt.
"""

import argparse
import math
import random
import sys
from pathlib import Path

import gnubg_nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "clients"))
from gnubg_tavla import OFF, Engine, after, gnubg_play, hops, position_id, pubeval_play, sides, start  # noqa: E402

# gnubg's classes of contact positions: crashed, and all others.
CONTACT = (4, 5)

# Number of positions per request.
PART = 200


class Evaluator:
    """Computes equities of positions after a play, for the side that has played. A win by mars is worth two points."""

    def __init__(self):
        self.known = {}

    def equity(self, board):
        own, other = board
        if own[OFF] == 15:
            return 2.0 if other[OFF] == 0 else 1.0
        name = position_id([other, own])
        if name not in self.known:
            win, win_mars, _, lose_mars, _ = gnubg_nn.probabilities(sides([other, own]), 1)
            self.known[name] = 1 - 2 * win - win_mars + lose_mars
        return self.known[name]


def plays(engine, positions):
    """Returns the engine's play in each position."""
    for first in range(0, len(positions), PART):
        part = positions[first : first + PART]
        lines = [f"position gnubgid {position_id(board)}\ngo dice {high} {low} depth 1\nwait" for board, (high, low) in part]
        engine.send("\n".join(lines))
        engine.process.stdin.flush()
        for _ in part:
            while not (line := engine.read()).startswith("bestmove"):
                pass
            yield hops(line.split()[1])


def collect(engine, count, seed):
    """Collects positions with rolls, from the same number of games against each opponent."""
    opponents = [pubeval_play, gnubg_play, None]
    positions, game = [], 0
    while len(positions) < count:
        rng, board, turn = random.Random(seed + game), start(), game // len(opponents) % 2
        opponent = opponents[game % len(opponents)]
        while True:
            roll = (rng.randint(1, 6), rng.randint(1, 6))
            is_engine = turn == 0 or opponent is None
            if is_engine and gnubg_nn.classify(sides(board)) in CONTACT:
                positions.append(([side[:] for side in board], roll))
            played = hops(engine.best(board, roll, 1)) if is_engine else opponent(board, roll)
            own, other = after(board, played)
            if own[OFF] == 15:
                break
            board, turn = [other, own], 1 - turn
        game += 1
    random.Random(seed).shuffle(positions)
    return positions[:count]


def mean(values):
    """Formats the mean of some numbers with its 95 % confidence interval, in thousandths."""
    middle = sum(values) / len(values)
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / max(len(values) - 1, 1))
    return f"{1000 * middle:+.2f} +- {1960 * spread / math.sqrt(len(values)):.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("weights", nargs="+")
    parser.add_argument("--positions", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    options, evaluator = [("Mars", "true")], Evaluator()
    engine = Engine(arguments.program, options)
    positions = collect(engine, arguments.positions, arguments.seed)
    engine.quit()
    best = [evaluator.equity(after(board, gnubg_play(board, roll))) for board, roll in positions]
    first = None
    for name in arguments.weights:
        program, _, weights = name.rpartition("=")
        engine = Engine(program or arguments.program, [*options, ("EvalFile", weights)])
        found = [evaluator.equity(after(board, play)) for (board, _), play in zip(positions, plays(engine, positions))]
        engine.quit()
        losses = [theirs - own for theirs, own in zip(best, found)]
        first = first or losses
        than_first = mean([own - other for own, other in zip(losses, first)])
        print(f"{weights}: {mean(losses)} thousandths of a point per play, {than_first} than the first", flush=True)


if __name__ == "__main__":
    main()
