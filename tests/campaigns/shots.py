#!/usr/bin/env python3
"""Builds and runs a suite of shots from self-play games, and counts the nodes until a program finds each shot.

find    searches positions from self-play games with --nodes nodes and with fifty times as many. If the longer search
        sacrifices a piece and scores at least --min-gain higher than the short one, prints the position as
        `variant;FEN;move;score`: the move that sacrifices, and the score of the short search for the side to move
count   searches each position of a suite with an empty table and at most --limit nodes. The shot is found once a line
        that starts with its move scores at least --min-gain minus 25 more than the stored score. For each program,
        prints how many shots are found, and the geometric mean of the nodes by variant

Usage: shots.py find PROGRAM VARIANT GAMES... > shots.txt
       shots.py count shots.txt PROGRAM...
"""

import argparse
import csv
import json
import random
import subprocess
import sys

import suites

DEEPER, FIRST_PLY = 50, 8


def analysed(arguments, fens, nodes):
    """Returns the best line for each position after `nodes` nodes, in the order of the positions."""
    requests = "".join(json.dumps({"id": str(number), "fen": fen}) + "\n" for number, fen in enumerate(fens))
    command = [arguments.program, "batch", "--variant", arguments.variant, "--nodes", str(nodes), "--hash", "16"]
    out = subprocess.run(command, input=requests, capture_output=True, text=True, check=True).stdout
    return [record["lines"][0] for record in map(json.loads, out.splitlines())]


def find(arguments):
    reader = subprocess.Popen([arguments.program, "data", "--csv", *arguments.games], stdout=subprocess.PIPE, text=True)
    level = lambda row: row["score"] and abs(int(row["score"])) <= arguments.max_score and int(row["ply"]) >= FIRST_PLY
    fens = sorted({row["fen"] for row in csv.DictReader(reader.stdout) if level(row)})
    fens = random.Random(arguments.seed).sample(fens, min(arguments.positions, len(fens)))
    usual, deep = (analysed(arguments, fens, nodes) for nodes in (arguments.nodes, DEEPER * arguments.nodes))
    count = 0
    for fen, before, line in zip(fens, usual, deep):
        pv, gain = line["pv"], worth(line["score"]) - worth(before["score"])
        is_offer = len(pv) > 1 and not is_capture(pv[0]) and is_capture(pv[1])
        if is_offer and gain >= arguments.min_gain and count < arguments.count:
            count += 1
            print(arguments.variant, fen, pv[0], worth(before["score"]), sep=";")
    print(f"{count} shots in {len(fens)} positions", file=sys.stderr)


def is_capture(move):
    return "x" in move or ":" in move


def worth(score):
    """Converts a score in a record to a number. A win counts as ten men."""
    return score.get("cp", 1000 if "win" in score else -1000)


def seen_after(engine, fen, move, minimum, limit):
    """Returns the number of nodes searched until `move` scored at least `minimum`, or None if it never did."""
    engine.send("ucinewgame", f"position fen {fen}", f"go nodes {limit}")
    for line in engine.lines():
        words = line.split()
        if words[0] == "bestmove":
            return None
        if words[0] == "info" and "pv" in words and words[words.index("pv") + 1] == move and "upperbound" not in words:
            kind, value = words[words.index("score") + 1 : words.index("score") + 3]
            if kind == "win" or (kind == "cp" and int(value) >= minimum):
                engine.send("stop")
                engine.until("bestmove")
                return int(words[words.index("nodes") + 1])


def count(arguments):
    def nodes_for(engine, fen, move, score):
        return seen_after(engine, fen, move, int(score) + arguments.min_gain - 25, arguments.limit)

    suites.count(arguments, nodes_for, "found")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("find")
    command.add_argument("program")
    command.add_argument("variant")
    command.add_argument("games", nargs="+")
    command.add_argument("--positions", type=int, default=5000, help="number of positions from the games to check")
    command.add_argument("--nodes", type=int, default=5000, help="nodes of the search that misses the shot")
    command.add_argument("--max-score", type=int, default=150, help="maximum score of a position in cp")
    command.add_argument("--count", type=int, default=60)
    command.add_argument("--seed", type=int, default=1)
    command.set_defaults(act=find)
    command = commands.add_parser("count")
    command.add_argument("suite")
    command.add_argument("programs", nargs="+")
    command.add_argument("--limit", type=int, default=2_000_000)
    command.set_defaults(act=count)
    for command in commands.choices.values():
        command.add_argument("--min-gain", type=int, default=100, help="minimum gain of a shot in cp")
    arguments = parser.parse_args()
    arguments.act(arguments)


main()
