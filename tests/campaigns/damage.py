#!/usr/bin/env python3
"""Damages every kind of file that the program reads, at random.

First, a valid file of each kind is created. For each damaged file, the program must report the fault or use the rest of
the file. It must exit in time with status 0 or 1, and must never panic. The kinds are:

- records: games (PDN), annotated, and loaded in `soffio play`;
- openings: lines with FENs and moves for a match;
- journal: the file from which a match is resumed;
- weights, tavla: weights of an evaluation;
- games: self-play games, counted, and used for training;
- tables: a slice of an endgame table, verified, and probed by a search;
- ballots: start positions for DXP.

For each use of a kind, the script prints how many damaged files were rejected and how many had no visible effect.
"""

import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

SECONDS = 60


def damaged(data, rng):
    """Returns `data` with one to three kinds of damage."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randrange(len(data) + 1)
        some = rng.choice([1, 2, 7, 64, 1000])
        kind = rng.randrange(8)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = rng.choice([0, 10, 34, 48, 58, 91, 123, 255, rng.randrange(256)])
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            data[at:at] = rng.randbytes(some)
        elif kind == 4:
            del data[at : at + some]
        elif kind == 5:
            data[at:at] = data[at : at + some] * rng.choice([1, 1, 50])
        elif kind == 6:
            data[at : at + some] = bytes(len(data[at : at + some]))
        else:
            other = rng.randrange(len(data) + 1)
            data[at : at + some] = data[other : other + some]
    return bytes(data)


class Kinds:
    """Valid files, and the commands that read damaged copies of them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.engines = ["--engine", f"cmd={program}", "name=a", "--engine", f"cmd={program}", "name=b", "--each", "depth=1"]
        self.engines += ["option.Hash=1", "--concurrency", "1", "--quiet", "--variant", "english", "--max-moves", "10"]

    def make(self, *arguments):
        subprocess.run([self.program, *map(str, arguments)], check=True, capture_output=True, timeout=600)

    def all(self):
        """Yields the name, the valid bytes, the file name, the commands, and the lines for the standard input of the
        commands.
        """
        program, folder = self.program, self.folder
        good = folder / "good"
        good.mkdir()
        openings = "B:W18,21,22,24-26,28-32:B1-4,6-8,10-12,16\n11-15 23-19 8-11\nW:WK6,22:B3,K32 6-10\n# end\n1. 9-13 22-18 *\n"
        self.make("match", *self.engines, "--games", 4, "--pdn", good / "pdn", "--json", good / "json")
        self.make("selfplay", "--variant", "english", "--games", 40, "--nodes", 200, "--players", "material", "--out", good / "games")
        (good / "tables").mkdir()
        self.make("tables", "build", "--variant", "english", "--pieces", 3, "--dir", good / "tables")
        table = max((good / "tables").iterdir(), key=lambda path: path.stat().st_size)
        root = pathlib.Path(__file__).resolve().parents[2]
        english, tavla = root / "data/weights/english.weights", root / "crates/tavla/weights/tavla.weights"
        bad = folder / "bad"
        conversation = ["setoption name UCI_Variant value english", f"setoption name EvalFile value {bad / 'weights'}", "go depth 3"]
        of_tavla = [f"setoption name EvalFile value {bad / 'tavla'}", "position startpos", "go dice 3 1"]
        probing = [
            "setoption name UCI_Variant value english",
            f"setoption name TablePath value {bad}",
            "position fen W:WK6,22:BK32",
            "go depth 5",
        ]
        return [
            ("records", (good / "pdn").read_bytes(), "pdn", ["annotate", bad / "pdn", "--depth", "1", "--hash", "1"], None),
            ("records", (good / "pdn").read_bytes(), "pdn", ["play", "--lines"], [f"load {bad / 'pdn'}", "history", "quit", "quit"]),
            ("openings", openings.encode(), "txt", ["match", *self.engines, "--games", "2", "--openings", bad / "txt"], None),
            ("journal", (good / "json").read_bytes(), "json", ["match", *self.engines, "--games", "4", "--resume", "--json", bad / "json"], None),
            ("weights", english.read_bytes(), "weights", [], conversation),
            ("tavla", tavla.read_bytes(), "tavla", ["tavla"], of_tavla),
            ("games", (good / "games").read_bytes(), "games", ["data", bad / "games"], None),
            (
                "games",
                (good / "games").read_bytes(),
                "games",
                ["train", "--variant", "english", "--epochs", "1", "--overwrite", "--out", folder / "learned", bad / "games"],
                None,
            ),
            ("tables", table.read_bytes(), table.name, ["tables", "verify", "--variant", "english", "--pieces", "3", "--dir", bad], None),
            ("tables", table.read_bytes(), table.name, [], probing),
            ("ballots", openings.encode(), "fen", ["dxp", "--connect", "127.0.0.1:9", "--ballots", bad / "fen"], None),
        ]


def attempt(program, arguments, lines):
    """Runs the program. Returns whether it rejected the file, and a description of the fault if it misbehaved."""
    text = None if lines is None else "\n".join([*lines, "wait", "quit", ""] if not arguments else [*lines, ""])
    try:
        done = subprocess.run(
            [program, *map(str, arguments)], input=(text or "").encode(), capture_output=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return None, f"it did not end within {SECONDS} s"
    printed = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode not in (0, 1) or "panicked" in printed or "error search" in printed:
        return None, f"it ended with {done.returncode}: {printed[-2000:]}"
    return done.returncode == 1 or any(line.startswith("error") for line in printed.splitlines()), None


def fresh(bad, folder, kind):
    """Recreates the folder for the damaged file. If the file is a slice of tables, the folder contains the other
    slices.
    """
    shutil.rmtree(bad, ignore_errors=True)
    if kind == "tables":
        shutil.copytree(folder / "good" / "tables", bad)
    else:
        bad.mkdir()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help="kinds of files; all by default")
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--damages", type=int, default=300, help="damaged files per use of a kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", metavar="FOLDER", default="damaged", help="folder for files that revealed a fault")
    arguments = parser.parse_args()
    program, faults = str(pathlib.Path(arguments.program).resolve()), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, good, file, command, lines in Kinds(program, folder).all():
            if arguments.kinds and kind not in arguments.kinds:
                continue
            rng = random.Random(f"{arguments.seed} {kind}")
            use = command[0] if command else "in a conversation"
            bad = folder / "bad"
            fresh(bad, folder, kind)
            (bad / file).write_bytes(good)
            # No DXP peer is listening there, so the command also fails with a valid file.
            outcome = attempt(program, command, lines)
            if kind != "ballots" and outcome != (False, None):
                sys.exit(f"{kind}, {use}: the good file is rejected: {outcome}")
            rejected = 0
            for number in range(arguments.damages):
                fresh(bad, folder, kind)
                data = damaged(good, rng)
                (bad / file).write_bytes(data)
                is_rejected, fault = attempt(program, command, lines)
                if fault:
                    faults += 1
                    pathlib.Path(arguments.keep).mkdir(exist_ok=True)
                    kept = pathlib.Path(arguments.keep) / f"{use}-{number}-{file}"
                    kept.write_bytes(data)
                    print(f"{kind}, {use}, {kept}: {fault}", flush=True)
                rejected += bool(is_rejected)
            print(f"{kind}, {use}: {arguments.damages} damaged files, {rejected} rejected", flush=True)
    sys.exit(f"{faults} faults" if faults else 0)


if __name__ == "__main__":
    main()
