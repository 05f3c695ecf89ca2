#!/usr/bin/env python3
"""Tests that the records from `soffio batch` do not depend on splitting, interruption or damage of a large corpus.

The positions come from self-play games in several variants. They are analysed by one process, whose memory is
monitored, by several concurrent processes, in seven shards that `soffio merge` combines, and by a process that is
killed twenty times. The results are compared byte for byte. The script then tests damaged lines, and measures the cost
of a record apart from its search and the cost of games in core-hours. The speed-up of several processes is meaningful
only on an idle machine. --speed measures only that speed-up.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VARIANTS = ["english", "international", "russian", "italian", "frisian"]
PLIES = 60  # length of each game in the cost measurement


def corpus(arguments, folder):
    """Writes the requests in random order. Returns the path and the positions with more than eight pieces."""
    requests, each = [], -(-arguments.positions // len(VARIANTS))
    for variant in VARIANTS:
        data, lines, games = folder / f"{variant}.data", [], each // 60
        while len(lines) < each:
            command = [arguments.program, "selfplay", "--variant", variant, "--games", str(games), "--nodes", "50", "--out", data]
            subprocess.run(command, check=True, capture_output=True)
            text = subprocess.run([arguments.program, "data", "--text", data], check=True, capture_output=True, text=True).stdout
            lines, games = text.splitlines(), games * 2
        fens = [line.split(";")[0] for line in lines[:each]]
        requests += [{"id": f"{variant}-{number}", "variant": variant, "fen": fen} for number, fen in enumerate(fens)]
    random.shuffle(requests)
    requests = requests[: arguments.positions]
    path = folder / "requests.jsonl"
    path.write_text("".join(json.dumps(request) + "\n" for request in requests))
    many = [request for request in requests if sum(c.isdigit() for c in request["fen"].replace("W:", "")) > 18]
    return path, many


def start(arguments, more, output=None, nodes=None):
    command = [arguments.program, "batch", "--nodes", str(nodes or arguments.nodes), *map(str, more)]
    return subprocess.Popen(command, stdout=output or subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def resident(pid):
    """Returns the resident memory of a process in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0)


def alone(arguments, more, output=None, nodes=None, watch=None):
    """Runs one process and returns the elapsed seconds and the CPU seconds."""
    began, child = time.monotonic(), start(arguments, more, output, nodes)
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = status
            if os.waitstatus_to_exitcode(status) > 1:
                sys.exit(f"batch ended with {status}")
            return time.monotonic() - began, usage.ru_utime + usage.ru_stime
        if watch is not None:
            watch.append(resident(child.pid))
        time.sleep(0.2)


def together(arguments, path, parts, folder):
    """Runs `parts` concurrent processes, one per shard, and returns the elapsed seconds."""
    began = time.monotonic()
    children = []
    for part in range(1, parts + 1):
        with open(folder / f"part-{part}-of-{parts}", "wb") as output:
            children.append(start(arguments, ["--shard", f"{part}/{parts}", path], output))
    if any(child.wait() > 1 for child in children):
        sys.exit("a shard ended early")
    return time.monotonic() - began


def merged(arguments, path, parts, folder):
    files = [folder / f"part-{part}-of-{parts}" for part in range(1, parts + 1)]
    out = folder / f"merged-{parts}"
    subprocess.run([arguments.program, "merge", "--requests", path, "--out", out, *files], check=True, capture_output=True)
    return out.read_bytes()


def killed(arguments, path, seconds, folder):
    """Returns the records of a run that is killed twenty times, and the actual number of kills."""
    out, kills = folder / "killed", 0
    while kills < 20:
        child = start(arguments, ["--threads", "2", "--resume", out, path])
        time.sleep(random.uniform(0, seconds / 15))
        if child.poll() is not None:
            break
        child.kill()
        child.wait()
        kills += 1
    alone(arguments, ["--threads", "2", "--resume", out, path])
    return out.read_bytes(), kills


def damaged(arguments, path, folder):
    """Checks that each line that is not a request gets an error."""
    lines = path.read_bytes().splitlines()[:1000]
    with open(folder / "damaged", "wb") as output:
        for _ in range(arguments.damaged):
            line = bytearray(random.choice(lines))
            del line[random.randrange(1, len(line) // 2) :]
            line[random.randrange(len(line))] = random.randrange(33, 256)
            output.write(bytes(line) + b"\n")
    with open(folder / "answers", "wb") as output:
        _, seconds = alone(arguments, [folder / "damaged"], output)
    answers = (folder / "answers").read_bytes().splitlines()
    if len(answers) != arguments.damaged or not all(b'"error":' in answer for answer in answers):
        sys.exit(f"{len(answers)} answers to {arguments.damaged} damaged lines, or not all are errors")
    print(f"{arguments.damaged} damaged lines: one error record each, {seconds:.0f} s of CPU time", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--damaged", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", action="store_true", help="measure only the speed-up of several processes, on an idle machine")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, many = corpus(arguments, folder)
        watch = []
        with open(folder / "whole", "wb") as output:
            clock, work = alone(arguments, [path], output, watch=watch)
        whole = (folder / "whole").read_bytes()
        print(f"{arguments.positions} positions of {len(VARIANTS)} variants at {arguments.nodes} nodes: {clock:.0f} s, {work:.0f} s of "
              f"processor time, {len(whole.splitlines())} records", flush=True)
        quarter, most = max(watch[: len(watch) // 4 + 1]), max(watch)
        print(f"memory: {quarter:.0f} MiB in the first quarter, {most:.0f} MiB at most", flush=True)
        several = together(arguments, path, arguments.processes, folder)
        print(f"{arguments.processes} processes: {several:.0f} s, {clock / several:.2f} times as fast", flush=True)
        if arguments.speed:
            return
        if merged(arguments, path, arguments.processes, folder) != whole:
            sys.exit("the records from several processes differ")
        together(arguments, path, 7, folder)
        if merged(arguments, path, 7, folder) != whole:
            sys.exit("the records from seven shards differ")
        records, kills = killed(arguments, path, clock, folder)
        if sorted(records.splitlines()) != sorted(whole.splitlines()):
            sys.exit("the records from the killed run differ")
        print(f"{arguments.processes} processes, 7 shards, killed {kills} times: identical records", flush=True)
        damaged(arguments, path, folder)
        few = folder / "many-pieces"
        few.write_text("".join(json.dumps(request) + "\n" for request in many[:20_000]))
        count = len(few.read_text().splitlines())
        seconds = {nodes: alone(arguments, [few], nodes=nodes)[1] / count for nodes in (100, 2000, 20_000)}
        of_node = (seconds[2000] - seconds[100]) / 1900
        print(f"a record at 100 nodes: {seconds[100] * 1e6:.0f} us of CPU time, of which about "
              f"{(seconds[100] - 100 * of_node) * 1e6:.0f} us beside its nodes", flush=True)
        for nodes, each in seconds.items():
            hours = each * PLIES / 3600
            print(f"games of {PLIES} plies at {nodes} nodes: 10,000 cost {1e4 * hours:.3g} core-hours, 10 million {1e7 * hours:.3g}", flush=True)


if __name__ == "__main__":
    main()
