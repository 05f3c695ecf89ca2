#!/usr/bin/env python3
"""Plays international draughts against the engine of py-draughts, whose patterns were trained on scores from Scan.

Needs the packages in tests/clients/requirements-py-draughts.txt. The engine of py-draughts is written in Python, so it
gets a time limit, while this program searches far fewer nodes than it could in that time (about 8 million per second).
Openings consist of random moves that lead to a position that a search by this program evaluates as balanced. Each
opening is played with both colours. The script prints the result of every game, and the total at the end.
"""

import argparse
import math
import random
import re
import statistics
import subprocess
import sys
import time

from draughts import StandardBoard
from draughts.engines.hub import board_to_hub_position, move_to_hub_notation, parse_hub_move
from draughts.engines.turbo import TurboEngine

OPENING_PLIES = 6
# Maximum absolute score of an opening, in units of 100 cp.
EVEN = 0.5
MOST_PLIES = 240


class Ours:
    """This program, run through pipes with the Hub protocol."""

    def __init__(self, program, settings):
        self.process = subprocess.Popen([program, "hub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("hub", *[f"set-param name={name} value={value}" for name, value in settings], "init")
        self.wait_for("ready")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))

    def wait_for(self, *words):
        for line in self.process.stdout:
            if line.startswith("error"):
                sys.exit(line.strip())
            if line.split(" ", 1)[0].strip() in words:
                return line.strip()
        sys.exit("the engine has ended")

    def think(self, start, moves, nodes):
        """Returns the move, and the score in units of 100 cp from the last line before it."""
        self.send(f'pos pos={start} moves="{" ".join(moves)}"', f"level nodes={nodes}", "go think")
        score = 0.0
        while True:
            line = self.wait_for("info", "done")
            if line.startswith("done"):
                return re.search(r"move=(\S+)", line)[1], score
            if found := re.search(r"score=(-?[\d.]+)", line):
                score = float(found[1])


def opening(ours, seed):
    """Returns random moves from the start position to a position that is balanced under a material evaluation."""
    rng = random.Random(seed)
    ours.send("set-param name=eval value=material")
    while True:
        board, moves = StandardBoard(), []
        start = board_to_hub_position(board)
        for _ in range(OPENING_PLIES):
            move = rng.choice(list(board.legal_moves))
            moves.append(move_to_hub_notation(move))
            board.push(move)
        if abs(ours.think(start, moves, 20_000)[1]) <= EVEN:
            return moves


def play(arguments, ours, theirs, moves, our_turn):
    """Plays a game and returns the points of this program."""
    board = StandardBoard()
    start = board_to_hub_position(board)
    line = []
    for text in moves:
        board.push(parse_hub_move(text, board.legal_moves))
        line.append(text)
    depths, spent = [], 0.0
    ours.send("new-game")
    while not board.game_over and len(line) < MOST_PLIES:
        if len(line) % 2 == our_turn:
            text, _ = ours.think(start, line, arguments.nodes)
            move = parse_hub_move(text, board.legal_moves, board)
        else:
            begun = time.process_time()
            move = theirs.get_best_move(board)
            spent += time.process_time() - begun
            depths.append(theirs.completed_depth)
            text = move_to_hub_notation(move)
        board.push(move)
        line.append(text)
    white = {"1-0": 1.0, "0-1": 0.0}.get(board.result, 0.5)
    return (white if our_turn == 0 else 1.0 - white), statistics.mean(depths), spent / len(depths), len(line)


def elo(share):
    return -400 * math.log10(1 / share - 1) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes per move for Soffio")
    parser.add_argument("--seconds", type=float, default=0.25, help="seconds per move for py-draughts")
    parser.add_argument("--eval", default="learned", help="Soffio's evaluation")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    ours = Ours(arguments.program, [("variant", "normal")])
    points, depths, seconds = [], [], []
    for number in range(arguments.games):
        moves = opening(ours, f"{arguments.seed} {number // 2}")
        ours.send(f"set-param name=eval value={arguments.eval}")
        theirs = TurboEngine(depth_limit=None, time_limit=arguments.seconds)
        result, depth, spent, plies = play(arguments, ours, theirs, moves, number % 2)
        points.append(result)
        depths.append(depth)
        seconds.append(spent)
        print(f"game {number + 1}: {result} in {plies} plies, their depth {depth:.1f}", flush=True)
    share = statistics.mean(points)
    error = 1.96 * statistics.pstdev(points) / math.sqrt(len(points))
    counts = [points.count(value) for value in (1.0, 0.5, 0.0)]
    print(f"{arguments.eval}, {arguments.nodes} nodes, against {statistics.mean(seconds):.2f} s of CPU and", end=" ")
    print(f"depth {statistics.mean(depths):.1f}: +{counts[0]} ={counts[1]} -{counts[2]}, Elo {elo(share):+.0f}", end=" ")
    print(f"[{elo(max(share - error, 0)):+.0f}, {elo(min(share + error, 1)):+.0f}]")


if __name__ == "__main__":
    main()
