#!/usr/bin/env python3
"""Fits the chances of a win, a draw and a loss to self-play games, for src/eval/chances.rs.

The chance of a win with score s is 1 / (1 + exp((a - s) / b)). The chance of a loss is the same with -s, and the rest
is the chance of a draw. a and b are linear in the fraction of the pieces that are still on the board. The four
parameters (a and b at the start position and on an empty board) are fitted by maximum likelihood. For each variant, the
script prints the line for the table in that file, and a comparison of predicted and actual results to standard error.

Needs numpy and scipy. Usage: fit_wdl.py PROGRAM FILE... Each file must contain a single variant. Files with the same
variant are combined.
"""

import collections
import csv
import re
import subprocess
import sys

import numpy
from scipy.optimize import minimize

# Step and maximum of the scores in the counts, in cp.
STEP, MOST = 5, 1500


def pieces(fen):
    """Returns the number of pieces in a FEN."""
    return sum(len([word for word in side.split(",") if re.search(r"\d", word)]) for side in fen.split(":")[1:])


def counts(program, files):
    """Returns how often positions with each (score, pieces) ended in a loss, a draw and a win for the side to move,
    and the number of pieces at the start.
    """
    table, start = collections.defaultdict(lambda: numpy.zeros(3)), 0
    run = subprocess.Popen([program, "data", "--csv", *files], stdout=subprocess.PIPE, text=True)
    for row in csv.DictReader(run.stdout):
        number = pieces(row["fen"])
        start = max(start, number)
        if row["score"] != "":
            score = max(-MOST, min(MOST, STEP * round(int(row["score"]) / STEP)))
            table[score, number][round(2 * float(row["result"]))] += 1
    if run.wait() != 0:
        sys.exit(run.returncode)
    return table, start


def chances(parameters, score, share):
    """Returns the chances of a loss, a draw and a win."""
    a_start, a_end, b_start, b_end = parameters
    a, b = a_start * share + a_end * (1 - share), b_start * share + b_end * (1 - share)
    win = 1 / (1 + numpy.exp(numpy.clip((a - score) / b, -60, 60)))
    loss = 1 / (1 + numpy.exp(numpy.clip((a + score) / b, -60, 60)))
    return numpy.stack([loss, numpy.maximum(1 - win - loss, 0.0), win])


def fit(score, share, seen):
    """Returns the parameters with the maximum likelihood."""

    def surprise(parameters):
        return -(seen * numpy.log(numpy.maximum(chances(parameters, score, share), 1e-6))).sum() / seen.sum()

    starts, bounds = [(50, 100, 60, 30), (20, 20, 80, 80), (30, 150, 40, 40)], [(0, 2000)] * 2 + [(5, 2000)] * 2
    options = {"maxiter": 4000, "fatol": 1e-9, "xatol": 1e-3}
    tries = [minimize(surprise, start, method="Nelder-Mead", bounds=bounds, options=options) for start in starts]
    return min(tries, key=lambda found: found.fun)


def main():
    program, *files = sys.argv[1:]
    by_variant = collections.defaultdict(list)
    for path in files:
        header = subprocess.run([program, "data", path], capture_output=True, text=True, check=True).stdout
        by_variant[re.search(r": (\S+), nodes", header).group(1)].append(path)
    for variant, paths in by_variant.items():
        table, start = counts(program, paths)
        score = numpy.array([score for score, _ in table], float)
        share = numpy.array([number for _, number in table], float) / start
        seen = numpy.array(list(table.values())).T
        found = fit(score, share, seen)
        name = "".join(word.capitalize() for word in variant.split("-")).replace("Sril", "SriL")
        numbers = ", ".join(f"{number:.1f}" for number in found.x)
        print(f"    (Variant::{name}, [{numbers}]),", flush=True)
        expected = (chances(found.x, score, share) * seen.sum(0)).sum(1) / seen.sum()
        happened = seen.sum(1) / seen.sum()
        print(f"{variant}: {int(seen.sum())} positions, surprise {found.fun:.4f}", file=sys.stderr)
        print(f"  loss, draw, win: predicted {expected.round(3)}, seen {happened.round(3)}", file=sys.stderr)
        for low, high in [(-1500, -150), (-150, -50), (-50, -15), (-15, 15), (15, 50), (50, 150), (150, 1500)]:
            here = (score >= low) & (score < high)
            if seen[:, here].sum():
                rows = seen[:, here]
                predicted = (chances(found.x, score[here], share[here]) * rows.sum(0)).sum(1) / rows.sum()
                print(f"  {low:6} to {high:5}: predicted {predicted.round(3)}, seen {(rows.sum(1) / rows.sum()).round(3)}", file=sys.stderr)


if __name__ == "__main__":
    main()
