#!/usr/bin/env python3
"""Measures how much sooner several threads reach a given depth than one thread.

From each of a number of balanced openings, one thread searches to a depth that takes about ten seconds. Its time is
divided by the time of several threads. The depth is the same for all openings of a variant, because the last depth that
is completed within a time limit would favour depths at which the single thread was lucky. If the table is 1 MiB larger,
the same search can take half as long or twice as long. Therefore, each position is searched with several table sizes,
and the times are added. The machine should be idle. The script prints a line per position. For each variant, it prints
the median and the quartiles, and the factors by which several threads search more nodes in total and per second
(geometric means).
"""

import argparse
import re
import statistics
import subprocess
import sys

from engine import Engine

# A report of a completed iteration, whose score is not a bound.
FINISHED = re.compile(r"info depth (\d+) .* score (?:cp|win|loss) -?\d+ nodes (\d+) .* time (\d+) pv ")


class Searcher(Engine):
    """The engine, used for fixed-depth searches."""

    def last_iteration(self, threads, mib, moves, depth):
        """Returns the nodes and milliseconds until a search with an empty table of `mib` MiB has completed its last
        iteration.
        """
        self.send(f"setoption name Hash value {mib}", "ucinewgame", f"setoption name Threads value {threads}")
        self.send(f"position startpos moves {' '.join(moves)}", f"go depth {depth}")
        finished = None
        for line in self.lines():
            if line.startswith("error"):
                sys.exit(line)
            if match := FINISHED.match(line):
                reached, *last = map(int, match.groups())
                if reached == depth:
                    finished = last
            if line.startswith("bestmove"):
                return finished or sys.exit(f"the last iteration was not completed: depth {depth}")


def openings(program, variant, count):
    """Returns `count` openings of four plies, spread evenly over all openings that a search evaluates as balanced."""
    command = [program, "openings", "--variant", variant, "generate:plies=4,margin=60"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        sys.exit(f"{program} cannot be started: {error.strerror}")
    if done.returncode != 0:
        # The program has already printed the reason.
        sys.exit(done.returncode)
    lines = [line.split() for line in done.stdout.splitlines() if line and not line.startswith("#")]
    count = min(count, len(lines))
    return [lines[index * len(lines) // count] for index in range(count)]


def search(text):
    """Parses a variant and a depth from the command line."""
    variant, _, depth = text.partition("=")
    if not depth.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is not VARIANT=DEPTH")
    return variant, int(depth)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "searches",
        nargs="*",
        metavar="VARIANT=DEPTH",
        type=search,
        default=[("english", 25), ("italian", 24), ("international", 23)],
    )
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--positions", type=int, default=20, help="positions per variant, at least 2")
    parser.add_argument("--hash", type=int, default=256, help="size of the smallest table in MiB")
    parser.add_argument("--repeats", type=int, default=2, help="repetitions of each search, each with a table 1 MiB larger")
    arguments = parser.parse_args()
    sizes = range(arguments.hash, arguments.hash + arguments.repeats)
    for variant, depth in arguments.searches:
        positions = openings(arguments.program, variant, arguments.positions)
        engine = Searcher(arguments.program, variant)
        speed_ups, more_nodes, faster = [], [], []
        for moves in positions:
            totals = [0] * 4
            for mib in sizes:
                pair = [engine.last_iteration(threads, mib, moves, depth) for threads in (1, arguments.threads)]
                totals = [total + figure for total, figure in zip(totals, pair[0] + pair[1])]
            nodes, alone, all_nodes, together = (max(total, 1) for total in totals)
            speed_ups.append(alone / together)
            more_nodes.append(all_nodes / nodes)
            faster.append(more_nodes[-1] * speed_ups[-1])
            print(
                f"{variant} {' '.join(moves)}: {alone} ms and {nodes} nodes alone, "
                f"{together} ms and {all_nodes} nodes together, {speed_ups[-1]:.2f} times",
                flush=True,
            )
        engine.quit()
        lower, median, upper = statistics.quantiles(speed_ups, n=4, method="inclusive")
        print(
            f"{variant}, depth {depth}: median {median:.2f}, quartiles {lower:.2f} and {upper:.2f} of {len(speed_ups)} positions, "
            f"nodes {statistics.geometric_mean(more_nodes):.2f} times, nodes/s {statistics.geometric_mean(faster):.2f} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
