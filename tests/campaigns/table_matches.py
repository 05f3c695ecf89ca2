#!/usr/bin/env python3
"""Plays the engine with endgame tables against itself without tables, with equal time limits.

The games start from openings and from balanced endings. The endings come from games of the engine (`endings.py`): they
are positions with eight pieces and no capture whose search score is within 33 cp of even. Each ending is played with
both colours. Games are not adjudicated, so a won ending must be won on the board. The tables are in DIR/VARIANT, and
were built with `soffio tables build`. The script prints each line of Markdown as soon as the result is known.
"""

import argparse
import re
import subprocess
import sys
import tempfile

from endings import endings

SCORE = re.compile(r"^  games +\d+: (\+\d+ =\d+ -\d+),", re.MULTILINE)
ELO = re.compile(r"^  Elo +(.+?) \(95 %\)", re.MULTILINE)
EFFORT = re.compile(r"^  (?:tables|none) +(\d+) nodes, depth \S+, (\S+) ms per move", re.MULTILINE)


def match(arguments, variant, openings):
    command = [arguments.program, "match", "--variant", variant]
    command += ["--engine", f"cmd={arguments.program}", "name=tables", f"option.TablePath={arguments.tables}/{variant}"]
    command += ["--engine", f"cmd={arguments.program}", "name=none", "option.TablePieces=0"]
    # The margin avoids losses on time, because a busy machine delays both engines.
    command += ["--each", f"st={arguments.seconds}", "option.Hash=8", "option.Move Overhead=0", "--margin", "60s"]
    command += ["--games", str(arguments.games), "--openings", openings, "--seed", str(arguments.seed)]
    command += ["--max-moves", "150", "--quiet", "--concurrency", "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        # The program has already printed the reason.
        sys.exit(done.returncode)
    score, elo, effort = SCORE.search(done.stdout), ELO.search(done.stdout), EFFORT.findall(done.stdout)
    if not score or not elo or len(effort) != 2:
        sys.exit(f"cannot parse this report:\n{done.stdout}")
    (nodes, time), (plain_nodes, plain_time) = [(float(nodes), float(time)) for nodes, time in effort]
    speed = (nodes / time) / (plain_nodes / plain_time)
    return f"{elo[1]} ({score[1]}), {speed:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", default=["english", "italian", "russian", "international"])
    parser.add_argument("--tables", required=True, metavar="DIR")
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.01, help="seconds per move")
    parser.add_argument("--pieces", type=int, default=8, help="number of pieces in an ending")
    parser.add_argument("--endings-only", action="store_true", help="play no games from openings")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("| variant | from openings: Elo, speed | from endings: Elo, speed |\n| --- | --- | --- |", flush=True)
    for variant in arguments.variants:
        with tempfile.NamedTemporaryFile("w", suffix=".fen") as file:
            found = endings(arguments.program, variant, arguments.games // 2, arguments.seed, 2 * (arguments.pieces,))
            file.write("".join(f"{position}\n" for position in sorted(found)))
            file.flush()
            from_openings = "-" if arguments.endings_only else match(arguments, variant, "generate:plies=4,margin=60")
            from_endings = match(arguments, variant, file.name)
        print(f"| {variant} | {from_openings} | {from_endings} |", flush=True)


if __name__ == "__main__":
    main()
