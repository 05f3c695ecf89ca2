#!/usr/bin/env python3
"""How much sooner several threads reach a depth than one.

From each of a number of even openings one thread searches to a depth that takes it some ten seconds. Its time is divided by
that of the threads together. The depth is the same for all openings of a variant: the last one that a thread finishes in a
given time would be one at which it was lucky more often than not. Nothing else should run meanwhile. Prints a line for each
position, and the median and quartiles for each variant.
"""

import argparse
import re
import statistics
import subprocess
import sys

# An iteration that is finished: its score is no bound, and it has a line.
FINISHED = re.compile(r"info depth \d+ .* score (?:cp|win|loss) -?\d+ nodes (\d+) .* time (\d+) pv ")


class Engine:
    """The engine behind its pipes."""

    def __init__(self, program, variant, mib):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.tell(f"setoption name UCI_Variant value {variant}", f"setoption name Hash value {mib}")

    def tell(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))

    def last_iteration(self, threads, moves, depth):
        """Nodes and milliseconds until a search with an empty table has finished its last iteration."""
        self.tell("ucinewgame", f"setoption name Threads value {threads}")
        self.tell(f"position startpos moves {' '.join(moves)}", f"go depth {depth}")
        last = None
        for line in self.process.stdout:
            if line.startswith("error"):
                sys.exit(line.strip())
            if match := FINISHED.match(line):
                last = tuple(map(int, match.groups()))
            if line.startswith("bestmove"):
                return last or sys.exit(f"no iteration was finished: depth {depth}")
        sys.exit("the engine has ended")

    def quit(self):
        self.process.stdin.close()
        self.process.wait()


def openings(program, variant, count):
    """Openings of four plies, spread evenly over all that a search calls even."""
    command = [program, "openings", variant, "generate:plies=4,margin=60"]
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
        default=[("english", 24), ("italian", 23), ("international", 21)],
    )
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--positions", type=int, default=20, help="of each variant, at least 2")
    parser.add_argument("--hash", type=int, default=256, help="MiB")
    arguments = parser.parse_args()
    for variant, depth in arguments.searches:
        positions = openings(arguments.program, variant, arguments.positions)
        engine = Engine(arguments.program, variant, arguments.hash)
        ratios = []
        for moves in positions:
            nodes, alone = engine.last_iteration(1, moves, depth)
            more, together = engine.last_iteration(arguments.threads, moves, depth)
            ratios.append(max(alone, 1) / max(together, 1))
            print(
                f"{variant} {' '.join(moves)}: {alone} ms and {nodes} nodes alone, "
                f"{together} ms and {more} nodes together, {ratios[-1]:.2f} times",
                flush=True,
            )
        engine.quit()
        lower, median, upper = statistics.quantiles(ratios, n=4, method="inclusive")
        print(f"{variant}, depth {depth}: median {median:.2f}, quartiles {lower:.2f} and {upper:.2f} of {len(ratios)} positions", flush=True)


if __name__ == "__main__":
    main()
