#!/usr/bin/env python3
"""Plays random won endings against the longest defence, and counts the games that the engine wins.

The defender always plays a best move from tables with distances (DISTANCES, built with `soffio tables build`). The
engine has the given number of nodes per move. It has no endgame tables, or those in the folder given by --tables and
the small ones that it solves itself. A material such as `2m1k-1m1k` means that the winner, who is to move, has two men
and a king against a man and a king. A game is not won if it is drawn by the rules or takes 300 plies.

The script prints a line for each material: the number of endings won, how many of them took at most twice the shortest
number of plies, and the mean ratio to this number in the endings won.

Usage: won_endings.py PROGRAM VARIANT DISTANCES MATERIAL... [--count 150] [--nodes 5000] [--weights FILE]
       [--tables DIR] [--seed 4]
"""

import argparse
import random
import re
import subprocess
import sys

from engine import Engine

MAX_PLIES = 300


def is_accepted(engine, command):
    engine.send(command, "isready")
    return not any(line.startswith("error") for line in engine.until("readyok"))


def configured(arguments, *options):
    """Returns an engine with these options."""
    engine = Engine(arguments.program, arguments.variant)
    for option in options:
        if not is_accepted(engine, f"setoption name {option}"):
            sys.exit(f"{option}: not accepted")
    return engine


def squares_on_board(program, variant, engine):
    """Returns the number of squares on which pieces can stand: all squares of the board, or half of them."""
    table = subprocess.run([program, "variants"], capture_output=True, text=True, check=True).stdout
    board = next((row.split()[3] for row in table.splitlines() if row.split()[:1] == [variant]), None)
    if board is None:
        sys.exit(f"{variant}: not a variant")
    columns, rows = map(int, board.split("x"))
    last = columns * rows
    return last if is_accepted(engine, f"position fen W:WK{last}:BK1") else last // 2


def random_ending(rng, material, squares):
    """Returns a FEN with the material on random squares, and its side to move. The position may be illegal."""
    counts = [tuple(map(int, side)) for side in re.findall(r"(\d)m(\d)k", material)]
    if len(counts) != 2:
        sys.exit(f"{material}: expected a material such as 2m1k-1m1k")
    free = rng.sample(range(1, squares + 1), sum(map(sum, counts)))
    winner = rng.choice("WB")
    sides = {}
    for colour, (men, kings) in zip(winner + "WB".replace(winner, ""), counts):
        own = [free.pop() for _ in range(men + kings)]
        sides[colour] = ",".join(f"{'' if place < men else 'K'}{square}" for place, square in enumerate(own))
    return f"{winner}:W{sides['W']}:B{sides['B']}", winner


def plies_to_win(defender, fen):
    """Returns the shortest number of plies, or None if the position is illegal or not won."""
    if not is_accepted(defender, f"position fen {fen}"):
        return None
    defender.send("go depth 1")
    for line in reversed(defender.until("bestmove")):
        if found := re.search(r" score win (\d+)", line):
            return 2 * int(found[1]) - 1  # The protocol counts moves.
    return None


def play(arguments, player, defender, fen, winner):
    """Returns the number of plies of the game, or None if it is not won."""
    moves, side = [], winner
    player.send("ucinewgame")
    while len(moves) < MAX_PLIES:
        mover, limit = (player, f"nodes {arguments.nodes}") if side == winner else (defender, "depth 1")
        mover.send(f"position fen {fen} moves {' '.join(moves)}" if moves else f"position fen {fen}")
        mover.send(f"go {limit}")
        move = mover.until("bestmove")[-1].split()[1]
        if move == "none":
            mover.send("status")
            return None if "draw" in mover.until("status")[-1] else len(moves)
        moves.append(move)
        side = "B" if side == "W" else "W"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("variant")
    parser.add_argument("distances")
    parser.add_argument("materials", nargs="+")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--weights")
    parser.add_argument("--tables")
    parser.add_argument("--seed", type=int, default=4)
    arguments = parser.parse_args()
    options = ["Hash value 16"]
    options += [f"TablePath value {arguments.tables}"] if arguments.tables else ["TablePieces value 0"]
    options += [f"EvalFile value {arguments.weights}"] if arguments.weights else []
    player = configured(arguments, *options)
    defender = configured(arguments, "Hash value 1", "TableMemory value 0", f"TablePath value {arguments.distances}")
    squares = squares_on_board(arguments.program, arguments.variant, defender)
    for material in arguments.materials:
        rng, played, ratios = random.Random(arguments.seed), 0, []
        while played < arguments.count:
            fen, winner = random_ending(rng, material, squares)
            if plies := plies_to_win(defender, fen):
                played += 1
                if length := play(arguments, player, defender, fen, winner):
                    ratios.append(length / plies)
        soon, mean = sum(ratio <= 2 for ratio in ratios), sum(ratios) / max(len(ratios), 1)
        print(f"{material}: won {len(ratios)} of {played}, {soon} within twice, mean ratio {mean:.2f}", flush=True)


if __name__ == "__main__":
    main()
