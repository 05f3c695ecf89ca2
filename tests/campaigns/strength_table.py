#!/usr/bin/env python3
"""Prints the strength table, in which the program plays against an earlier version, with one line per variant.

The matches are

- nodes: the same number of nodes per move for both programs;
- time: the same average time for both programs; the number of nodes that the new program searches in the other
  program's time is measured in the first match, because times are unreliable on a busy machine and nodes are not;
- half: half as many nodes for the new program;
- depth: both programs search to the same depth in plies.

The program's weights are used unless VARIANT=FILE names a file. The openings are all lines of four plies with scores
within 60 cp, or those of --openings, such as a file from `endings.py`. Each is played with both colours. Endgame tables
are not built during games, because one of the programs may build them before its nodes are counted. The script prints
Markdown, and each line as soon as it is known.
"""

import argparse
import re
import subprocess
import sys

SCORE = re.compile(r"^  games +\d+: (\+\d+ =\d+ -\d+),", re.MULTILINE)
# The Elo difference with its error, or with `above` or `below` if it is only a bound because all games are won or
# lost.
ELO = re.compile(r"^  Elo +(above |below |)(\S+)(?: \+/- (\S+))?", re.MULTILINE)
EFFORT = re.compile(r"^  (?:new|old) +(\d+) nodes, depth \S+, (\S+) ms per move", re.MULTILINE)


# Number of games that measure how many nodes the programs search in the same time.
GAMES_FOR_TIME = 20


def match(arguments, variant, weights, new, old, games=None):
    """Plays a match and returns its report. `new` and `old` are the limits of the engines."""
    command = [arguments.program, "match", "--variant", variant]
    command += ["--engine", f"cmd={arguments.program}", "name=new", new] + ([f"option.EvalFile={weights}"] if weights else [])
    command += ["--engine", f"cmd={arguments.against}", "name=old", old]
    command += [f"option.{option}" for option in arguments.old_options]
    command += ["--each", "option.Hash=8", "option.TableMemory=0", "--games", str(games or arguments.games)]
    command += ["--openings", arguments.openings]
    command += ["--seed", str(arguments.seed), "--max-moves", "150", "--win", "count=4,score=700"]
    command += ["--concurrency", str(arguments.concurrency)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        # The program has already printed the reason.
        sys.exit(done.returncode)
    return done.stdout


def result(report):
    elo, score = ELO.search(report), SCORE.search(report)
    if not elo or not score:
        sys.exit(f"cannot parse this report:\n{report}")
    margin = f" +- {float(elo[3]):.0f}" if elo[3] else ""
    return f"{elo[1]}{float(elo[2]):+.0f}{margin} ({score[1]})"


def share_of_nodes(report):
    """Returns the number of nodes that the new program searches while the other program searches one node."""
    (own_nodes, own_time), (nodes, time) = [(int(nodes), float(time)) for nodes, time in EFFORT.findall(report)]
    return (own_nodes / own_time) / (nodes / time)


def line(arguments, variant, weights):
    cells, share = [variant], None
    for kind in arguments.matches:
        nodes = arguments.nodes
        if kind in ("time", "half") and share is None:
            limit = f"nodes={nodes}"
            games = min(GAMES_FOR_TIME, arguments.games)
            share = share_of_nodes(match(arguments, variant, weights, limit, limit, games))
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
    parser.add_argument("--against", required=True, metavar="PROGRAM", help="the earlier version")
    parser.add_argument("--old-options", nargs="*", default=[], metavar="NAME=VALUE", help="options for the earlier version")
    parser.add_argument("--matches", nargs="+", choices=kinds, default=["nodes", "time"])
    parser.add_argument("--openings", default="generate:plies=4,margin=60", metavar="SOURCE", help="see `soffio match`")
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
