#!/usr/bin/env python3
"""Tests opening books.

The result of the expansion must not depend on how it was interrupted and split, scores must agree with far longer
searches, and playing from a book must not lose Elo.

growth      expands a plan in one run, in runs with one and two engines that are killed twenty times at random, and in
            one and four shards with `soffio batch`; all books must be the same, byte for byte
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
import tempfile
import time
from collections import Counter
from pathlib import Path


def growth(arguments):
    folder = Path(tempfile.mkdtemp())
    plan = f"--variant {arguments.variant} --positions {arguments.positions} --nodes {arguments.nodes} --round 16".split()

    def grow(name, *more, **how):
        command = [arguments.program, "book", "grow", *plan, "--out", folder / name, *map(str, more)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)

    began = time.monotonic()
    assert grow("whole.book", "--threads", 1).wait() == 0
    took = time.monotonic() - began
    whole = (folder / "whole.book").read_bytes()
    print(f"{len(whole)} bytes, expanded in {took:.1f} s")
    for threads in (1, 2):
        kills = 0
        while kills < arguments.kills:
            child = grow("killed.book", "--threads", threads, "--overwrite")
            try:
                child.wait(random.uniform(0.02, took / arguments.kills))
                break
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                kills += 1
        assert grow("killed.book", "--threads", threads, "--overwrite").wait() == 0
        assert (folder / "killed.book").read_bytes() == whole, f"{threads} engines: a different book"
        print(f"{threads} engines, killed {kills} times: the same book")
        for end in ("", ".journal"):
            (folder / f"killed.book{end}").unlink()
    for shards in (1, 4):
        parts = [folder / f"{shards}-{part}.jsonl" for part in range(1, shards + 1)]
        for part in parts:
            part.touch()
        leaves, rounds = folder / "open.jsonl", 0
        while True:
            assert grow(f"{shards}.book", "--leaves", leaves, "--overwrite", "--scores", *parts).wait() == 0
            if leaves.stat().st_size == 0:
                break
            rounds += 1
            batch = [
                subprocess.Popen(
                    [arguments.program, "batch", leaves, "--hash", "16", "--shard", f"{part}/{shards}", "--resume", path],
                    stderr=subprocess.DEVNULL,
                )
                for part, path in enumerate(parts, 1)
            ]
            assert all(child.wait() == 0 for child in batch)
        assert (folder / f"{shards}.book").read_bytes() == whole, f"{shards} shards: a different book"
        print(f"{shards} shards, {rounds} rounds: the same book")


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
    parser.add_argument("what", choices=["growth", "agreement", "lines", "match"])
    parser.add_argument("books", nargs="*", type=Path)
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--variant", default="english")
    parser.add_argument("--positions", type=int, default=3000)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--variety", type=int, default=5)
    parser.add_argument("--limit", default="movetime=100", help="limit per move in a match, in the syntax of `soffio match --each`")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    # The paths must be absolute, because an engine in a match has a different working directory.
    arguments.books = [book.resolve() for book in arguments.books]
    {"growth": growth, "agreement": agreement, "lines": lines, "match": match}[arguments.what](arguments)


if __name__ == "__main__":
    sys.exit(main())
