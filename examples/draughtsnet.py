#!/usr/bin/env python3
"""Analyses games and plays moves for a site that, like lidraughts.org, distributes work to clients (draughtsnet).

Usage: examples/draughtsnet.py --endpoint https://SITE/draughtsnet/ --key KEY [--program soffio] [--jobs N]

Requests work, passes its positions to `soffio batch`, and sends the results back, with progress reports in between.
Unfinished work is returned to the site. SIGTERM and Ctrl-C stop the client.
"""

import argparse
import json
import platform
import random
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

# Depth in plies and milliseconds for levels 1 to 8.
LEVELS = [(2, 50), (3, 100), (4, 150), (5, 200), (6, 300), (8, 400), (11, 500), (18, 1000)]
USUAL_NODES = 3_500_000
REPORT_EVERY = 5.0  # seconds
PATIENCE = 15.0  # maximum number of seconds to wait for the site's answer


def fen(position):
    """Returns the FEN of a position, which is given as the side to move and a letter for each of the 50 squares."""
    pieces = {letter: [] for letter in "wWbB"}
    for square, letter in enumerate(position[1:], 1):
        if letter != "e":
            pieces[letter].append(square)
    white, black = ([f"{square}" for square in pieces[man]] + [f"K{square}" for square in pieces[man.upper()]] for man in "wb")
    return f"{position[0]}:W{','.join(white)}:B{','.join(black)}"


def captured_men(path, occupied):
    """Returns the captured squares: all occupied squares between the squares of `path`."""

    def place(square):
        row, column = divmod(square - 1, 5)
        return row, 2 * column + 1 - row % 2

    squares = {place(square): square for square in range(1, 51)}
    found = []
    for (row, column), (to_row, to_column) in zip(map(place, path), map(place, path[1:])):
        steps = max(abs(to_row - row), abs(to_column - column))
        between = (
            (row + (to_row - row) * step / steps, column + (to_column - column) * step / steps) for step in range(1, steps)
        )
        found += [squares[point] for point in between if squares.get(point) in occupied]
    return found


def best_move(record):
    """Returns the first move of the best line in the site's format: origin, destination and captured squares."""
    if not record.get("lines"):
        return {"bestmove": "gameover", "taken": ""}
    move = record["lines"][0]["move"]
    path = [int(square) for square in re.split("[-x]", move)]
    occupied = {int(square) for square in re.findall(r"(\d+)", record["fen"].split(":F")[0].split(":H")[0])}
    men = captured_men(path, occupied) if "x" in move else []
    return {"bestmove": f"{path[0]:02}{path[-1]:02}", "taken": "".join(f"{square:02}" for square in men)}


def score(value):
    """Returns a score in units of 100 cp in the Hub convention: a win in n moves is 100 minus 2n/100."""
    if "cp" in value:
        return f"{value['cp'] / 100:.2f}"
    moves = value.get("win", value.get("loss"))
    return f"{(1 if 'win' in value else -1) * (100 - 2 * moves / 100):.2f}"


def part(record):
    """Returns the fields of a record that the site needs for a position."""
    result = best_move(record)
    if record.get("lines"):
        line = record["lines"][0]
        result |= {"pv": " ".join(line["pv"]), "score": score(line["score"])}
        result |= {name: line[name] for name in ("depth", "nodes") if name in line}
        if record.get("time"):
            result |= {"time": f"{record['time'] / 1000:.3f}", "nps": f"{line.get('nodes', 0) / record['time'] / 1000:.3f}"}
    elif "static" in record:
        result["score"] = score(record["static"])
    return result


class Client:
    def __init__(self, arguments):
        self.endpoint, self.job = arguments.endpoint.rstrip("/"), None
        words = [arguments.program, "batch", "--time", "--hash", str(arguments.hash)]
        self.engine = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.who = {
            "draughtsnet": {"version": "1.0.0", "python": platform.python_version(), "apikey": arguments.key},
            "scan": {"name": "Soffio", "options": {"threads": "1", "hash": str(arguments.hash)}},
        }

    def send(self, path, more=None):
        """Sends results to the site, and returns the next piece of work or None."""
        data = json.dumps(self.who | (more or {})).encode()
        request = urllib.request.Request(f"{self.endpoint}/{path}", data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer) if answer.status == 202 else None

    def analyse(self, request):
        """Returns the record for a position."""
        print(json.dumps(request), file=self.engine.stdin)
        record = json.loads(self.engine.stdout.readline() or '{"error": "the engine has ended"}')
        if "error" in record:
            raise ValueError(record["error"])
        return record

    def positions(self, limits):
        """Returns a request for each position of the game, starting with the start position."""
        job = self.job
        if len(job["position"]) != 51:
            raise ValueError(f"the position {job['position']} does not have 50 squares")
        variant, moves = job.get("variant", "standard").lower(), job["moves"].split()
        common = {"variant": "standard" if variant == "fromposition" else variant, "fen": fen(job["position"]), "limits": limits}
        return [common | {"moves": moves[:ply]} for ply in range(len(moves) + 1)]

    def analysis(self):
        """Analyses all positions of a game from the last to the first, because the site shows them in this order."""
        name, requests = self.job["work"]["id"], self.positions({"nodes": self.job.get("nodes") or USUAL_NODES})
        parts = [None] * len(requests)
        reported = time.monotonic()
        for ply in range(len(requests) - 1, -1, -1):
            if ply in self.job.get("skipPositions", []):
                parts[ply] = {"skipped": True}
                continue
            parts[ply] = part(self.analyse(requests[ply]))
            if time.monotonic() - reported > REPORT_EVERY and ply > 0:
                self.send(f"analysis/{name}", {"analysis": parts})
                reported = time.monotonic()
        return f"analysis/{name}", {"analysis": parts}

    def move(self):
        """Returns a move at the requested level."""
        depth, milliseconds = LEVELS[self.job["work"]["level"] - 1]
        request = self.positions({"depth": depth, "movetime": milliseconds})[-1]
        return f"move/{self.job['work']['id']}", {"move": best_move(self.analyse(request))}

    def serve(self, most):
        """Processes up to `most` pieces of work."""
        pause, done = 0.5, 0
        while done < most:
            try:
                if self.job is None:
                    self.job = self.send("acquire")
                    if self.job is None:
                        time.sleep(pause * random.uniform(0.5, 1))
                        pause = min(2 * pause, 30)
                        continue
                result = self.analysis() if self.job["work"]["type"] == "analysis" else self.move()
                self.job = self.send(*result)
                pause, done = 0.5, done + 1
            except (urllib.error.URLError, OSError) as error:
                print(f"the site does not respond: {error}", file=sys.stderr)
                self.job = None
                time.sleep(pause * random.uniform(0.5, 1))
                pause = min(2 * pause, 30)
            except (ValueError, KeyError, IndexError) as error:
                print(f"work returned: {error}", file=sys.stderr)
                self.give_back()
                if self.engine.poll() is not None:
                    sys.exit("the engine has ended")
                done += 1

    def give_back(self):
        """Returns unfinished work to the site."""
        if self.job is not None:
            self.send(f"abort/{self.job['work']['id']}")
            self.job = None

    def close(self):
        try:
            self.give_back()
        finally:
            self.engine.kill()
            self.engine.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--endpoint", required=True)
    parser.add_argument("--key", default="")
    parser.add_argument("--program", default="soffio")
    parser.add_argument("--hash", type=int, default=64, help="size of the transposition table in MiB")
    parser.add_argument("--jobs", type=float, default=float("inf"), help="stop after this number of work items")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    client = Client(arguments)
    try:
        client.serve(arguments.jobs)
    except KeyboardInterrupt:
        pass
    finally:
        client.close()


if __name__ == "__main__":
    main()
