"""Compares the legal tavla plays with gnubg's, and plays whole games against its PubEval and its 0-ply player.

Usage: gnubg_tavla.py ENGINE. These environment variables are optional: POSITIONS is the number of random positions and
rolls to compare (default 2000). GAMES is the number of games against each opponent, which must be even (default 4).
DEPTH is the engine's depth (default 1). OPPONENTS lists the opponents (default `pubeval,gnubg`).
"""

import math
import os
import random
import subprocess
import sys

import gnubg_nn

BAR, OFF = 25, 0


class Engine:
    """The engine in a tavla session."""

    def __init__(self, command, options=()):
        self.process = subprocess.Popen([command, "tavla"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        for name, value in options:
            self.send(f"setoption name {name} value {value}")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def read(self):
        line = self.process.stdout.readline().strip()
        assert line and not line.startswith("error"), f"the engine says '{line}'"
        return line

    def legal(self, board, dice):
        self.send(f"position gnubgid {position_id(board)}\ndice {dice[0]} {dice[1]}\nlegal")
        words = self.read().split()
        assert words[0] == "legal" and int(words[1]) == len(words) - 2
        return words[2:]

    def best(self, board, dice, depth):
        self.send(f"position gnubgid {position_id(board)}\ngo dice {dice[0]} {dice[1]} depth {depth}")
        while not (line := self.read()).startswith("bestmove"):
            pass
        return line.split()[1]

    def quit(self):
        self.process.communicate("quit\n", timeout=120)
        assert self.process.returncode == 0


def sides(board):
    """Returns the board in gnubg's format. The side not to move comes first, and each side is listed by its points 1 to
    24 and the bar.
    """
    return [list(side[1:26]) for side in (board[1], board[0])]


def position_id(board):
    return gnubg_nn.position_id(sides(board))


def start():
    side = [0] * 26
    side[24], side[13], side[8], side[6] = 2, 5, 3, 5
    return [side, side[:]]


def after(board, hops):
    """Returns the board after hops of the side to move, from the point of view of that side."""
    own, other = board[0][:], board[1][:]
    for source, target in hops:
        own[source] -= 1
        own[target] += 1
        if target != OFF and other[BAR - target] == 1:
            other[BAR - target] = 0
            other[BAR] += 1
    return [own, other]


def hops(play):
    return [] if play == "pass" else [tuple(map(int, hop.split("/"))) for hop in play.split(",")]


def key(board):
    return gnubg_nn.key_of_board(sides(board))


def random_board(rng):
    """Returns a random board with checkers on few points, as is common in games."""
    while True:
        board = [[0] * 26, [0] * 26]
        for place in (0, 1):
            widest = rng.choice((6, 12, 24))
            points = [rng.randint(1, widest) for _ in range(rng.randint(2, 8))]
            for _ in range(15):
                point = rng.choice(points)
                chance = rng.random()
                if chance < 0.025:
                    point = BAR
                elif chance < 0.1:
                    point = OFF
                elif point != OFF and board[1 - place][BAR - point] > 0:
                    point = OFF
                board[place][point] += 1
        closed = [all(side[point] > 1 for point in range(1, 7)) for side in board]
        stuck = all(closed) and board[0][BAR] and board[1][BAR]
        if board[0][OFF] < 15 and board[1][OFF] < 15 and not stuck:
            return board


def compare_legal(engine, positions, rng):
    game = start()
    for number in range(positions):
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        is_thrown = number % 2 == 1
        board = random_board(rng) if is_thrown else game
        plays = engine.legal(board, dice)
        # gnubg lists no plays if the side must pass.
        ours = {key(after(board, hops(play))) for play in plays if play != "pass"}
        theirs = set(gnubg_nn.moves(sides(board), *dice))
        assert ours == theirs and len(ours) == len([play for play in plays if play != "pass"]), (board, dice, plays)
        if not is_thrown:
            own, other = after(game, hops(rng.choice(plays)))
            game = start() if own[OFF] == 15 else [other, own]
    print(f"legal plays in {positions} positions with rolls agree with gnubg", flush=True)


def gnubg_play(board, dice):
    return gnubg_nn.best_move(sides(board), dice[0], dice[1], 0)


def pubeval_play(board, dice):
    move = gnubg_nn.pub_best_move(sides(board), dice[0], dice[1])
    return [(source + 1, target + 1) for source, target in zip(move[::2], move[1::2])]


def points(engine, opponent, depth, dice, engine_begins):
    """Plays a game and returns the points that the engine wins, with two points for a win by mars."""
    board, is_engine = start(), engine_begins
    while True:
        roll = (dice.randint(1, 6), dice.randint(1, 6))
        played = hops(engine.best(board, roll, depth)) if is_engine else opponent(board, roll)
        own, other = after(board, played)
        if own[OFF] == 15:
            won = 2 if other[OFF] == 0 else 1
            return won if is_engine else -won
        board, is_engine = [other, own], not is_engine


def match(engine, name, opponent, depth, games):
    pairs = []
    for pair in range(games // 2):
        # The same dice are used twice, with either side moving first.
        both = [points(engine, opponent, depth, random.Random(pair), begins) for begins in (True, False)]
        pairs.append(sum(both) / 2)
    mean = sum(pairs) / len(pairs)
    spread = math.sqrt(sum((pair - mean) ** 2 for pair in pairs) / max(len(pairs) - 1, 1))
    error = 1.96 * spread / math.sqrt(len(pairs))
    print(f"depth {depth} against {name}: {mean:+.4f} +- {error:.4f} points per game, {games} games", flush=True)


def main():
    positions, games = int(os.environ.get("POSITIONS", 2000)), int(os.environ.get("GAMES", 4))
    depth = int(os.environ.get("DEPTH", 1))
    opponents = {"pubeval": pubeval_play, "gnubg": gnubg_play}
    engine = Engine(sys.argv[1], [("Mars", "true")])
    compare_legal(engine, positions, random.Random(1))
    for name in os.environ.get("OPPONENTS", "pubeval,gnubg").split(","):
        match(engine, name, opponents[name], depth, games)
    engine.quit()


if __name__ == "__main__":
    main()
