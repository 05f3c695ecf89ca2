#!/usr/bin/env python3
"""Tests opening books. Scores must agree with far longer searches, and playing from a book must not lose Elo.

agreement   searches positions of a book with a hundred times the nodes of the book; reports how many scores differ by
            at most 5, 10, 15, 20 and 30, and the ten largest differences
lines       plays games of a book against itself, and counts the different lines of ten plies
match       plays games with the book against games without it, from the start position, with --limit per move
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path


def run(arguments, *command, text=None):
    return subprocess.run([arguments.program, *map(str, command)], input=text, capture_output=True, text=True, check=True).stdout


def agreement(arguments):
    for book in arguments.books:
        stat = run(arguments, "book", "stat", book)
        nodes = int(stat.split("searches of ")[1].split()[0])
        variant = stat.split(": ")[1].split()[0]
        best, moves = {}, Counter()
        for line in run(arguments, "book", "export", book).splitlines():
            row = json.loads(line)
            best[row["fen"]] = max(row["score"], best.get(row["fen"], -40000))
            moves[row["fen"]] += 1
        # A position with a single legal move is not searched, and proven results need no comparison.
        known = [fen for fen, score in sorted(best.items()) if abs(score) < 30000 and moves[fen] > 1]
        sample = random.Random(1).sample(known, min(arguments.samples, len(known)))
        requests = "".join(json.dumps({"id": fen, "variant": variant, "fen": fen}) + "\n" for fen in sample)
        out = run(arguments, "batch", "--nodes", 100 * nodes, "--hash", 256, "--threads", arguments.threads, text=requests)
        found = []
        for line in out.splitlines():
            record = json.loads(line)
            score = record["lines"][0]["score"]
            value = score["cp"] if "cp" in score else 30000 if "win" in score else -30000
            found.append((abs(value - best[record["id"]]), best[record["id"]], value, record["id"]))
        found.sort(reverse=True)
        for limit in (5, 10, 15, 20, 30):
            share = sum(difference <= limit for difference, *_ in found) / len(found)
            print(f"{book.name}: {share:.1%} of {len(found)} within {limit} of a search of {100 * nodes} nodes")
        for difference, ours, theirs, fen in found[:10]:
            print(f"  {difference}: the book {ours}, the search {theirs}: {fen}")


def lines(arguments):
    for book in arguments.books:
        variant = run(arguments, "book", "stat", book).split(": ")[1].split()[0]
        child = subprocess.Popen([arguments.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def send(line):
            child.stdin.write(line + "\n")
            child.stdin.flush()

        send(f"setoption name UCI_Variant value {variant}")
        send(f"setoption name BookFile value {book}")
        send(f"setoption name BookVariety value {arguments.variety}")
        found = Counter()
        for _ in range(arguments.games):
            moves = []
            while len(moves) < 10:
                send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
                send("go nodes 1000")
                line = ""
                while not line.startswith("bestmove"):
                    line = child.stdout.readline()
                moves.append(line.split()[1])
            found[" ".join(moves)] += 1
        send("quit")
        child.wait()
        print(f"{book.name}: {len(found)} different lines of 10 plies in {arguments.games} games, the most frequent {max(found.values())} times")


def match(arguments):
    for book in arguments.books:
        variant = run(arguments, "book", "stat", book).split(": ")[1].split()[0]
        command = ["match", "--variant", variant, "--games", arguments.games, "--openings", "startpos", "--each", arguments.limit]
        for name, option in (("book", [f"option.BookFile={book}", f"option.BookVariety={arguments.variety}"]), ("none", [])):
            command += ["--engine", f"cmd={arguments.program}", f"name={name}", *option, "option.Hash=32"]
        # The margin avoids losses on time, because a busy machine may delay a move.
        command += ["--margin", 1000, "--concurrency", arguments.threads]
        done = subprocess.run([arguments.program, *map(str, command)], capture_output=True, text=True)
        print(done.stdout[done.stdout.rfind("book against none") :], done.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["agreement", "lines", "match"])
    parser.add_argument("books", nargs="+", type=Path)
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--variety", type=int, default=5)
    parser.add_argument("--limit", default="movetime=100", help="limit per move in a match, in the syntax of `soffio match --each`")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    # The paths must be absolute, because an engine in a match has a different working directory.
    arguments.books = [book.resolve() for book in arguments.books]
    {"agreement": agreement, "lines": lines, "match": match}[arguments.what](arguments)


if __name__ == "__main__":
    sys.exit(main())
