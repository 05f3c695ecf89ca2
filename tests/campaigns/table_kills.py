#!/usr/bin/env python3
"""Kills `soffio tables build` and `soffio tables pack` with SIGKILL, and runs them again.

After each kill, every file must be identical to the file of an undisturbed run, byte for byte, or absent. When a run
finishes, all files must be present, and no unfinished files may be left; the script then starts with an empty folder.

build   one process at a time, killed at random moments, and as many times while it writes a file
pack    the same, from complete distances
twins   two builds in the same folder at the same time, one of which is killed at a random moment
"""

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Kills:
    """An undisturbed run, and the files of runs that are killed."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.random = random.Random(arguments.seed)
        self.distances, self.results, self.work = (folder / name for name in ("distances", "results", "work"))
        self.seconds = {"build": self.undisturbed("build", "--dir", self.distances)}
        pack = ["--dir", self.distances, "--out", self.results]
        self.seconds["pack"] = self.undisturbed("pack", *pack)
        self.expected = {"build": contents(self.distances), "pack": contents(self.results)}

    def start(self, action, *more):
        command = [self.arguments.program, "tables", action, "--variant", self.arguments.variant]
        command += ["--pieces", self.arguments.pieces, "--threads", self.arguments.threads, *more]
        return subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def undisturbed(self, action, *more):
        began = time.monotonic()
        if status := self.start(action, *more).wait():
            sys.exit(f"tables {action} ends with status {status}")
        return time.monotonic() - began

    def fresh(self):
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()

    def compare(self, action, is_complete):
        found, expected = contents(self.work), self.expected[action]
        finished = found.keys() - unfinished(self.work)
        wrong = {name for name in finished if found[name] != expected.get(name)}
        if is_complete:
            wrong |= found.keys() ^ expected.keys()
        if wrong:
            sys.exit(f"tables {action}: wrong files: {', '.join(sorted(wrong))}")

    def after_delay(self, action, child):
        """Waits for up to a quarter of the duration of an undisturbed run."""
        try:
            child.wait(self.random.uniform(0, self.seconds[action] / 4))
        except subprocess.TimeoutExpired:
            pass

    def while_writing(self, _, child):
        """Waits until the process has created one to five more unfinished files."""
        old = unfinished(self.work)
        seen, most = set(), self.random.randint(1, 5)
        while len(seen) < most and child.poll() is None:
            seen |= unfinished(self.work) - old

    def alone(self, action, wait, *more):
        kills = left = completed = 0
        self.fresh()
        while kills < self.arguments.kills:
            child = self.start(action, *more)
            wait(action, child)
            child.kill()
            status = child.wait()
            if status not in (0, -signal.SIGKILL):
                sys.exit(f"tables {action} ends with status {status}")
            kills += status != 0
            self.compare(action, is_complete=status == 0)
            left += bool(unfinished(self.work))
            if status == 0:
                completed += 1
                self.fresh()
        self.undisturbed(action, *more)
        self.compare(action, is_complete=True)
        when = wait.__name__.replace("_", " ")
        print(f"{action}: {kills} kills {when}, {left} with an unfinished file, {completed + 1} complete", flush=True)

    def twins(self):
        for _ in range(self.arguments.twins):
            self.fresh()
            pair = [self.start("build", "--dir", self.work) for _ in range(2)]
            time.sleep(self.random.uniform(0, 2 * self.seconds["build"]))
            pair[0].kill()
            if any(child.wait() not in (0, -signal.SIGKILL) for child in pair):
                sys.exit("a build failed, although only the other build was killed")
            self.undisturbed("build", "--dir", self.work)
            self.compare("build", is_complete=True)
        print(f"twins: {self.arguments.twins} pairs of builds in one folder, and no wrong file", flush=True)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def unfinished(folder):
    return {path.name for path in folder.glob("*.part")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--variant", default="english")
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--twins", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        kills = Kills(arguments, Path(name))
        for wait in (kills.after_delay, kills.while_writing):
            kills.alone("build", wait, "--dir", kills.work)
            kills.alone("pack", wait, "--dir", kills.distances, "--out", kills.work)
        kills.twins()


if __name__ == "__main__":
    main()
