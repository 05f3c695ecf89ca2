#!/usr/bin/env python3
"""Shows how well the scores of a program separate won positions from drawn ones in difficult endings.

The positions come from self-play that starts from endings, and their results from the endgame tables in DIR. They have
no captures. A position is difficult if a search of 1,000 nodes misjudges it: a won position scores less than 100 cp for
the winner, or a drawn position scores more for one of the sides. The area under the curve is therefore low after such a
search. It shows how far other limits or weights correct the error; `problem_scores.py` explains the output. The scored
program has no tables.

Usage: table_scores.py PROGRAM VARIANT DIR [--pieces 6] [--count 200] [--weights FILE]... [--seed 1]
       [--limits static nodes=5000 nodes=60000]
"""

import argparse
import random
import subprocess
import sys
import tempfile

from endings import legal, pieces
from engine import Engine
from problem_scores import report, scored

DIFFICULT = "nodes=1000"
THRESHOLD = 100


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr or done.stdout)
    return done.stdout.splitlines()


def candidates(arguments, games, seed):
    """Returns different positions of a few games, with the right number of pieces, and their results for the side to
    move.
    """
    program, variant = arguments.program, arguments.variant
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/games"
        how = ["--games", str(games), "--nodes", "200", "--endings", "100", "--seed", str(seed), "--threads", "1"]
        run(program, "selfplay", "--variant", variant, *how, "--out", data)
        fens = [line.split(";")[0] for line in run(program, "data", "--text", data)]
    fens = sorted({fen for fen in fens if pieces(fen) == arguments.pieces})
    probe = ["tables", "probe", "--variant", variant, "--dir", arguments.tables]
    values = run(program, *probe, text="".join(f"{fen}\n" for fen in fens))
    return [(fen, value.split()[0]) for fen, value in zip(fens, values)]


def from_better_side(score, outcome):
    """Converts a score for the side to move to one for the winner, or for the side that the score favours."""
    return {"win": score, "loss": -score, "draw": abs(score)}[outcome]


def scorer(arguments, weights=None):
    engine = Engine(arguments.program, arguments.variant)
    engine.send("setoption name Hash value 8", "setoption name TablePieces value 0")
    if weights:
        engine.send(f"setoption name EvalFile value {weights}")
    return engine


def has_capture(engine, fen):
    engine.send(f"position fen {fen}")
    return any("x" in move for move in legal(engine))


def difficult(arguments):
    """Returns difficult positions with their results: half of them won, half of them drawn."""
    engine, found, half = scorer(arguments), {True: [], False: []}, arguments.count // 2
    rng, seed = random.Random(arguments.seed), arguments.seed
    while any(len(positions) < half for positions in found.values()):
        games = candidates(arguments, 500, seed)
        rng.shuffle(games)
        seed += 1
        for fen, outcome in games:
            is_won = outcome != "draw"
            if len(found[is_won]) == half or has_capture(engine, fen):
                continue
            if (from_better_side(scored(engine, fen, DIFFICULT), outcome) < THRESHOLD) == is_won:
                found[is_won].append((fen, outcome))
    engine.quit()
    return found[True] + found[False]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("variant")
    parser.add_argument("tables", metavar="DIR")
    parser.add_argument("--pieces", type=int, default=6)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--weights", action="append", default=[], help="further weights files to compare")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limits", nargs="+", default=["static", "nodes=5000", "nodes=60000"])
    arguments = parser.parse_args()
    positions = difficult(arguments)
    for weights in [None, *arguments.weights]:
        print(weights or "the weights in the program", flush=True)
        engine = scorer(arguments, weights)
        for limit in arguments.limits:
            scores = [(outcome, from_better_side(scored(engine, fen, limit), outcome)) for fen, outcome in positions]
            report(limit, [(arguments.pieces, outcome != "draw", score) for outcome, score in scores])
        engine.quit()


if __name__ == "__main__":
    main()
