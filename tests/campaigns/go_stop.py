#!/usr/bin/env python3
"""Starts and stops searches at random times in every variant. Every `go` must get exactly one legal `bestmove`.

Half of the searches are infinite, and the others may end before they are stopped. A tenth of the searches ponder, and
some of these get a ponder hit. The script prints a line per variant with the longest time from `stop` to the answer. On
a busy machine, this time depends mainly on the load. The searches depend only on --seed, but the times do not.
"""

import argparse
import random
import subprocess
import sys
import time

from engine import Engine


def cycles(engine, count, rng):
    """Runs `count` searches and returns the longest time from `stop` to `bestmove`."""
    longest = 0.0
    for cycle in range(count):
        if cycle % 20 == 0:
            engine.send("position startpos")
        engine.send("legal")
        legal = engine.until("legal ")[-1].split()[2:]
        if not legal:
            engine.send("position startpos")
            continue
        kind = rng.random()
        if kind < 0.1:
            engine.send("go ponder movetime 20")
            if rng.random() < 0.5:
                engine.send("ponderhit")
        elif kind < 0.55:
            engine.send("go infinite")
        else:
            engine.send(f"go depth {rng.randint(1, 12)}")
        time.sleep(rng.choice([0, 0, 0.0005, 0.002, 0.005]))
        began = time.monotonic()
        engine.send("stop")
        best = engine.until("bestmove")[-1].split()[1]
        longest = max(longest, time.monotonic() - began)
        if best not in legal:
            sys.exit(f"{best} is not one of {' '.join(legal)}")
        # Nothing else may follow, so the next output must be the answer to `isready`.
        engine.send("isready")
        between = engine.until("readyok")[:-1]
        if between:
            sys.exit(f"unexpected output after the answer: {between}")
        engine.send(f"move {best}")
    return longest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--cycles", type=int, default=10_000, help="total number of searches over all variants")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    names = variants(arguments.program)
    each = -(-arguments.cycles // len(names))
    for variant in names:
        engine = Engine(arguments.program, variant)
        engine.send("setoption name Hash value 1", f"setoption name Threads value {arguments.threads}")
        longest = cycles(engine, each, random.Random(f"{arguments.seed} {variant}"))
        if engine.quit() != 0:
            sys.exit(f"{variant}: the engine ended with {engine.process.returncode}")
        print(f"{variant}: {each} searches, at most {1000 * longest:.0f} ms from stop to bestmove", flush=True)
    print(f"{each * len(names)} searches, {len(names)} variants, no faults")


if __name__ == "__main__":
    main()
