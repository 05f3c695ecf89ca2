#!/usr/bin/env python3
"""What a conversation that goes on for an hour takes of memory, descriptors and threads.

Games are played, searches stopped, variants and the size of the table changed, wrong lines sent, positions counted. The resident
memory is read at the same point of every round; after the first tenth of the time it must not grow by more than --growth MiB.
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
    """Resident KiB, open files, threads."""
    status = open(f"/proc/{pid}/status").read()
    field = lambda name: int(re.search(rf"^{name}:\s+(\d+)", status, re.MULTILINE)[1])
    return field("VmRSS"), len(os.listdir(f"/proc/{pid}/fd")), field("Threads")


def one_round(engine, rng):
    """Some use of every variant; the table has its first size at the end."""
    for variant in VARIANTS:
        engine.tell(f"setoption name UCI_Variant value {variant}", "ucinewgame", f"setoption name Hash value {rng.choice([1, 4, 16])}")
        engine.tell(f"setoption name Threads value {rng.randint(1, 2)}", "position startpos")
        for _ in range(20):
            engine.tell(rng.choice(["go nodes 3000", "go infinite", "go movetime 5"]), "stop")
            best = engine.until("bestmove")[-1].split()[1]
            if best == "none":
                engine.tell("position startpos")
            else:
                engine.tell(f"move {best}", "legal", "eval", "move 99-99", "nonsense " * rng.randint(1, 50))
        engine.tell("perft 3", "position fen W:W1:B", "isready")
        engine.until("readyok")
    engine.tell("setoption name UCI_Variant value italian", "setoption name Hash value 1", "isready")
    engine.until("readyok")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--growth", type=float, default=2, help="MiB that the memory may grow")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    engine, rng = Engine(arguments.program, "italian"), random.Random(arguments.seed)
    began, early, rounds, said = time.monotonic(), None, 0, 0.0
    while (passed := time.monotonic() - began) < 60 * arguments.minutes:
        one_round(engine, rng)
        rounds += 1
        now = used(engine.process.pid)
        if early is None and passed > 6 * arguments.minutes:
            early = now
        if passed - said > 6 * arguments.minutes or rounds == 1:
            said = passed
            print(f"after {passed / 60:.1f} min, {rounds} rounds: {now[0]} KiB, {now[1]} files, {now[2]} threads", flush=True)
    print(f"at the end, {rounds} rounds: {now[0]} KiB, {now[1]} files, {now[2]} threads")
    if now[0] - early[0] > 1024 * arguments.growth or now[1:] != early[1:]:
        sys.exit(f"it grew: {early} was {now}")
    engine.quit()


if __name__ == "__main__":
    main()
