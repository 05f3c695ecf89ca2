#!/usr/bin/env python3
"""The table of strength: the program against an earlier one, a line for each variant.

The matches are

- nodes: as many nodes a move for both;
- time: as long for both, on the average of the first match, which tells how many nodes the new program has in the time
  of the other; times on a busy machine say little, nodes are the same everywhere;
- half: half that many for the new program;
- depth: both look as many plies ahead.

Weights are those of the program; VARIANT=FILE takes them from a file. Openings are all lines of four plies within 60, each with changed
sides. No endings are solved on the way: one of the programs may do that before its nodes are counted. Prints Markdown, a line as soon
as it is known.
"""

import argparse
import re
import subprocess
import sys

SCORE = re.compile(r"^  games +\d+: (\+\d+ =\d+ -\d+),", re.MULTILINE)
# The difference with its error, or `above` or `below` a bound where all games are won or lost.
ELO = re.compile(r"^  Elo +(above |below |)(\S+)(?: \+/- (\S+))?", re.MULTILINE)
EFFORT = re.compile(r"^  (?:new|old) +(\d+) nodes, depth \S+, (\S+) ms per move", re.MULTILINE)


def match(arguments, variant, weights, new, old):
    """The report of a match; `new` and `old` are the limits of the engines."""
    command = [arguments.program, "match", "--variant", variant]
    command += ["--engine", f"cmd={arguments.program}", "name=new", new] + ([f"option.EvalFile={weights}"] if weights else [])
    command += ["--engine", f"cmd={arguments.against}", "name=old", old]
    command += [f"option.{option}" for option in arguments.old_options]
    command += ["--each", "option.Hash=8", "option.TableMemory=0", "--games", str(arguments.games)]
    command += ["--openings", "generate:plies=4,margin=60"]
    command += ["--seed", str(arguments.seed), "--max-moves", "150", "--win", "count=4,score=700"]
    command += ["--concurrency", str(arguments.concurrency)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        # The program has said why.
        sys.exit(done.returncode)
    return done.stdout


def result(report):
    elo, score = ELO.search(report), SCORE.search(report)
    if not elo or not score:
        sys.exit(f"this report cannot be read:\n{report}")
    margin = f" +- {float(elo[3]):.0f}" if elo[3] else ""
    return f"{elo[1]}{float(elo[2]):+.0f}{margin} ({score[1]})"


def share_of_nodes(report):
    """How many nodes the new program has in the time in which the other one has one."""
    (own_nodes, own_time), (nodes, time) = [(int(nodes), float(time)) for nodes, time in EFFORT.findall(report)]
    return (own_nodes / own_time) / (nodes / time)


def line(arguments, variant, weights):
    cells, share = [variant], None
    for kind in arguments.matches:
        nodes = arguments.nodes
        if kind in ("time", "half") and share is None:
            # What is played for the first column already, or few games more.
            share = share_of_nodes(match(arguments, variant, weights, f"nodes={nodes}", f"nodes={nodes}"))
        if kind == "nodes":
            report = match(arguments, variant, weights, f"nodes={nodes}", f"nodes={nodes}")
            share = share_of_nodes(report)
        elif kind == "depth":
            report = match(arguments, variant, weights, f"depth={arguments.depth}", f"depth={arguments.depth}")
        else:
            own = round(nodes * share / (2 if kind == "half" else 1))
            report = match(arguments, variant, weights, f"nodes={own}", f"nodes={nodes}")
            cells.append(f"{own} : {nodes}")
        cells.append(result(report))
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = ["nodes", "time", "half", "depth"]
    parser.add_argument("variants", nargs="+", metavar="VARIANT[=FILE]")
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--against", required=True, metavar="PROGRAM", help="the earlier program")
    parser.add_argument("--old-options", nargs="*", default=[], metavar="NAME=VALUE", help="options of the earlier program")
    parser.add_argument("--matches", nargs="+", choices=kinds, default=["nodes", "time"])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--depth", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=1)
    arguments = parser.parse_args()
    head = ["variant"]
    for kind in arguments.matches:
        head += {
            "nodes": [f"equal nodes ({arguments.nodes})"],
            "time": ["nodes", "equal time"],
            "half": ["nodes", "half the time"],
            "depth": [f"equal depth ({arguments.depth})"],
        }[kind]
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head), flush=True)
    for text in arguments.variants:
        variant, _, weights = text.partition("=")
        print("| " + " | ".join(line(arguments, variant, weights)) + " |", flush=True)


if __name__ == "__main__":
    main()
