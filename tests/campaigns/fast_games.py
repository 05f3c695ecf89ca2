#!/usr/bin/env python3
"""Plays fast games in every variant with a build that checks all its assertions.

The program is a debug build, made with `cargo build`. It recomputes everything that is updated incrementally and
compares the results. `soffio match` is the referee: the campaign ends if there is a crash, an illegal move, a rejected
position or an illegal reported line. Half of the games use searches of a few hundred nodes with two threads and without
endgame tables. The other half use a fixed depth with one thread and with tables. A debug build needs half a minute to
build the tables, once per match.
"""

import argparse
import re
import subprocess
import sys
import time

GAMES = re.compile(r"^  games +(\d+):", re.MULTILINE)
ENDED = re.compile(r"^  ended by +(.*)$", re.MULTILINE)


def match(arguments, variant, limits, games, seed):
    """Plays a match and returns a summary of how its games ended."""
    command = [arguments.referee, "match", "--variant", variant, "--games", str(games), "--seed", str(seed), "--quiet"]
    for name in ("a", "b"):
        command += ["--engine", f"cmd={arguments.program}", f"name={name}"]
    command += ["--each", *limits, "option.Hash=1", "--openings", "generate:plies=3,margin=1000,depth=1", "--check-lines"]
    command += ["--max-moves", "150", "--concurrency", str(arguments.concurrency), "--stall", "5m"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or "illegal line" in done.stdout:
        sys.exit(f"{variant}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    if int(GAMES.search(done.stdout)[1]) != games:
        sys.exit(f"{variant}: not all games were played\n{done.stdout}")
    return ENDED.search(done.stdout)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/debug/soffio")
    parser.add_argument("--referee", default="target/release/soffio")
    parser.add_argument("--games", type=int, default=10_000, help="total number of games over all variants")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    names = variants(arguments.referee)
    # The number of games is even for both kinds.
    each = 2 * -(-arguments.games // (4 * len(names)))
    began = time.monotonic()
    for variant in names:
        for limits in (["nodes=200", "option.Threads=2", "option.TableMemory=0"], ["depth=2"]):
            print(f"{variant}, {' '.join(limits)}: {match(arguments, variant, limits, each, arguments.seed)}", flush=True)
    print(f"{2 * each * len(names)} games, {len(names)} variants, no faults, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
