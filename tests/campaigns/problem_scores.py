#!/usr/bin/env python3
"""Shows how well the scores of a program separate won positions from drawn ones in a collection of problems.

Each position with a published result is scored statically, after a depth, after a number of nodes, and after a time.
The script prints the area under the curve: the probability that a won position, seen from the winner, has a higher
score than a drawn position, seen from the better side. A value of 0.5 is chance. It also prints how many wins have a
score that at most 5 % of the drawn positions exceed, and the area by number of pieces. Do not train on these
positions.

Usage: problem_scores.py PROGRAM COLLECTION.json [--weights FILE] [--limits static depth=9 nodes=60000 movetime=37]
"""

import argparse
import json

from engine import Engine

BANDS = ((7, 9), (10, 13), (14, 24))
WORTH_OF_WIN = 20_000


def problems(path, fewest):
    """Returns the positions of the collection, each with its winner (`W`, `B` or `None` for a draw)."""
    winners = {"1-0": "B", "0-1": "W", "1/2-1/2": None}
    found = [problem for problem in json.load(open(path))["english"] if problem["pieces"] >= fewest]
    return [(problem["fen"], problem["pieces"], winners[problem["result"]]) for problem in found]


def worth(words):
    """Converts the words after `score` or `eval` to a number for the side to move."""
    kind, value = words[0], int(words[1])
    return value if kind == "cp" else WORTH_OF_WIN - value if kind == "win" else value - WORTH_OF_WIN


def scored(engine, fen, limit):
    """Returns the score of a position for the side to move after a search with an empty table."""
    engine.send("ucinewgame", f"position fen {fen}")
    if limit == "static":
        engine.send("eval")
        return worth(engine.until("eval ")[-1].split()[1:])
    engine.send("go " + limit.replace("=", " "))
    lines = [line.split() for line in engine.until("bestmove")]
    last = [words for words in lines if words[0] == "info" and "score" in words][-1]
    return worth(last[last.index("score") + 1 :])


def area(won, drawn):
    """Returns the area under the curve, or `None` if one of the lists is empty."""
    pairs = [(one > other) + (one == other) / 2 for one in won for other in drawn]
    return sum(pairs) / len(pairs) if pairs else None


def report(limit, rows):
    def scores(is_won, fewest=0, most=24):
        return [score for pieces, won, score in rows if won == is_won and fewest <= pieces <= most]

    won, drawn = scores(True), scores(False)
    threshold = sorted(drawn)[len(drawn) * 95 // 100]
    seen = sum(score > threshold for score in won)
    bands = [(fewest, most, area(scores(True, fewest, most), scores(False, fewest, most))) for fewest, most in BANDS]
    bands = ", ".join(f"{fewest}-{most} pieces {value:.2f}" for fewest, most, value in bands if value is not None)
    print(f"{limit}: area {area(won, drawn):.3f} ({bands}), {seen} of {len(won)} wins seen", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("collection")
    parser.add_argument("--weights", help="weights file [default: the weights in the program]")
    parser.add_argument("--fewest", type=int, default=7, help="fewest pieces of a position [default: 7]")
    parser.add_argument("--limits", nargs="+", default=["static", "depth=9", "nodes=60000", "movetime=37", "movetime=250"])
    arguments = parser.parse_args()
    collection = problems(arguments.collection, arguments.fewest)
    engine = Engine(arguments.program, "english")
    engine.send("setoption name Hash value 32")
    if arguments.weights:
        engine.send(f"setoption name EvalFile value {arguments.weights}")
    for limit in arguments.limits:
        rows = []
        for fen, pieces, winner in collection:
            score = scored(engine, fen, limit)
            seen_from = abs(score) if winner is None else score if winner == fen[0] else -score
            rows.append((pieces, winner is not None, seen_from))
        report(limit, rows)
    engine.quit()


if __name__ == "__main__":
    main()
