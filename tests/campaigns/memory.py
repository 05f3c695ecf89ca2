#!/usr/bin/env python3
"""Measures the memory, file descriptors and threads of a session that lasts an hour.

The script plays games, stops searches, changes the variant and the table size, sends invalid lines, and runs perft. The
resident memory is read at the same point in every round. After the first tenth of the time, it must not grow by more
than --growth MiB.
"""

import argparse
import os
import random
import re
import sys
import time

from engine import Engine

VARIANTS = ["italian", "english", "international", "russian", "turkish", "frisian", "canadian"]


def used(pid):
    """Returns the resident memory in KiB, the number of open files, and the number of threads."""
    status = open(f"/proc/{pid}/status").read()
    field = lambda name: int(re.search(rf"^{name}:\s+(\d+)", status, re.MULTILINE)[1])
    return field("VmRSS"), len(os.listdir(f"/proc/{pid}/fd")), field("Threads")


def one_round(engine, rng):
    """Uses every variant, and restores the initial table size at the end."""
    for variant in VARIANTS:
        engine.send(f"setoption name UCI_Variant value {variant}", "ucinewgame", f"setoption name Hash value {rng.choice([1, 4, 16])}")
        engine.send(f"setoption name Threads value {rng.randint(1, 2)}", "position startpos")
        for _ in range(20):
            engine.send(rng.choice(["go nodes 3000", "go infinite", "go movetime 5"]), "stop")
            best = engine.until("bestmove")[-1].split()[1]
            if best == "none":
                engine.send("position startpos")
            else:
                engine.send(f"move {best}", "legal", "eval", "move 99-99", "nonsense " * rng.randint(1, 50))
        engine.send("perft 3", "position fen W:W1:B", "isready")
        engine.until("readyok")
    engine.send("setoption name UCI_Variant value italian", "setoption name Hash value 1", "isready")
    engine.until("readyok")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--growth", type=float, default=2, help="maximum growth of memory in MiB")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    engine, rng = Engine(arguments.program, "italian"), random.Random(arguments.seed)
    began, early, rounds, last_report = time.monotonic(), None, 0, 0.0
    while (passed := time.monotonic() - began) < 60 * arguments.minutes:
        one_round(engine, rng)
        rounds += 1
        now = used(engine.process.pid)
        if early is None and passed > 6 * arguments.minutes:
            early = now
        if passed - last_report > 6 * arguments.minutes or rounds == 1:
            last_report = passed
            print(f"after {passed / 60:.1f} min, {rounds} rounds: {now[0]} KiB, {now[1]} files, {now[2]} threads", flush=True)
    print(f"at the end, {rounds} rounds: {now[0]} KiB, {now[1]} files, {now[2]} threads")
    if now[0] - early[0] > 1024 * arguments.growth or now[1:] != early[1:]:
        sys.exit(f"resources grew from {early} to {now}")
    engine.quit()


if __name__ == "__main__":
    main()
