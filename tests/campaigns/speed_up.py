#!/usr/bin/env python3
"""How much sooner several threads reach a depth than one.

From each of a number of even openings one thread searches to a depth that takes it some ten seconds. Its time is divided by
that of the threads together. The depth is the same for all openings of a variant: the last one that a thread finishes in a
given time would be one at which it was lucky more often than not. The same search takes half as long or twice as long when
the table is a MiB larger, so each position is searched with several sizes, and the times are added up. Nothing else should run
meanwhile. Prints a line for each position, and for each variant the median and quartiles, and by how much the threads search
more nodes, and more of them in a second (geometric means).
"""

import argparse
import re
import statistics
import subprocess
import sys

from engine import Engine

# An iteration that is finished: its score is no bound, and it has a line.
FINISHED = re.compile(r"info depth (\d+) .* score (?:cp|win|loss) -?\d+ nodes (\d+) .* time (\d+) pv ")


class Searcher(Engine):
    """The engine, asked for searches to a depth."""

    def last_iteration(self, threads, mib, moves, depth):
        """Nodes and milliseconds until a search with an empty table of so many MiB has finished its last iteration."""
        self.tell(f"setoption name Hash value {mib}", "ucinewgame", f"setoption name Threads value {threads}")
        self.tell(f"position startpos moves {' '.join(moves)}", f"go depth {depth}")
        finished = None
        for line in self.lines():
            if line.startswith("error"):
                sys.exit(line)
            if match := FINISHED.match(line):
                reached, *last = map(int, match.groups())
                if reached == depth:
                    finished = last
            if line.startswith("bestmove"):
                return finished or sys.exit(f"the last iteration was not finished: depth {depth}")


def openings(program, variant, count):
    """Openings of four plies, spread evenly over all that a search calls even."""
    command = [program, "openings", "--variant", variant, "generate:plies=4,margin=60"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        sys.exit(f"{program} cannot be started: {error.strerror}")
    if done.returncode != 0:
        # The program has said why.
        sys.exit(done.returncode)
    lines = [line.split() for line in done.stdout.splitlines() if line and not line.startswith("#")]
    count = min(count, len(lines))
    return [lines[index * len(lines) // count] for index in range(count)]


def search(text):
    """A variant and a depth, from the command line."""
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
    parser.add_argument("--positions", type=int, default=20, help="of each variant, at least 2")
    parser.add_argument("--hash", type=int, default=256, help="MiB of the smallest table")
    parser.add_argument("--repeats", type=int, default=2, help="of each search, each with a MiB more")
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
