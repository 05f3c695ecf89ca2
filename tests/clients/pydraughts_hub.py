"""Tests the Hub protocol with the client of pydraughts, versions 0.6.7 and 0.5.7.

Usage: pydraughts_hub.py ENGINE. The environment variable GAMES is the number of games per variant, and MOVE_TIME is the
time per move in seconds.
"""

import importlib.metadata
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

import draughts
from draughts.engine import HubEngine, Limit

VERSION = importlib.metadata.version("pydraughts")
IS_OLD = VERSION.startswith("0.5.")
GAMES = int(os.environ.get("GAMES", "20"))
MOVE_TIME = float(os.environ.get("MOVE_TIME", "0.005"))
# Factor by which time limits are extended on CI machines, which may be busy.
SLOWNESS = 50 if os.environ.get("CI") else 1

# The client's variant names, and the corresponding names in Hub. Variants are omitted if the client numbers squares
# differently in positions and in moves: english, russian, brazilian and turkish in version 0.6.7. Version 0.5.7 uses
# the same numbers for both.
VARIANTS = {
    "standard": "normal",
    "frisian": "frisian",
    "frysk!": "frisian",
    "antidraughts": "losing",
    "breakthrough": "bt",
    "italian": "italian",
}
if IS_OLD:
    VARIANTS |= {"english": "english", "russian": "russian", "brazilian": "brazilian", "turkish": "turkish"}

# Maximum number of plies. Games that end under the rules are far shorter. The client lacks some draw rules.
MAX_PLIES = 300


class Complaints(logging.Handler):
    """Collects the client's log messages about unexpected lines."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


COMPLAINTS = Complaints()
logging.getLogger("pydraughts").addHandler(COMPLAINTS)


def new_board(variant):
    return draughts.Game(variant) if IS_OLD else draughts.Board(variant)


def initial_hub_fen(board):
    return board.initial_hub_fen if IS_OLD else board._game.initial_hub_fen


def legal_moves(board):
    if not IS_OLD:
        return board.legal_moves()
    moves, captures = board.legal_moves()
    return [draughts.Move(board, board_move=move, possible_moves=moves, possible_captures=captures) for move in moves]


def push(board, move):
    board.push(move.board_move if IS_OLD else move)


def winner(board):
    return board.get_winner() if IS_OLD else board.winner()


def hub_moves(board):
    return " ".join(move.hub_move for move in board.move_stack)


class Engine:
    """A running engine with a variant set."""

    def __init__(self, path, variant="standard", arguments=("hub",), **options):
        self.hub = HubEngine([path, *arguments])
        assert self.hub.id["name"] == "Soffio", self.hub.id
        assert {"variant", "tt-size"} <= self.hub.options, self.hub.options
        assert {"normal", "bt", "frisian", "losing"} <= self.hub.variants, self.hub.variants
        self.hub.configure({"variant": VARIANTS[variant], "tt-size": 20, **options})
        self.hub.init()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hub.quit()
        code = self.hub.p.wait(timeout=120)
        self.hub.p.communicate()
        assert code == 0, code


def played(board, text):
    """Parses the engine's move `text`, which must be legal according to the library."""
    move = draughts.Move(board, hub_move=text)
    push(board, move)
    return move


def is_barred(board):
    """Returns whether the only legal move is a fourth consecutive move by the same king, which is forbidden. The
    side to move has then lost in Frisian draughts. The library allows that move, or finds neither a legal move nor a
    winner.
    """
    own = [move.hub_move for move in board.move_stack[-6::2]]
    squares = [move.split("-") for move in own]
    if len(own) < 3 or any(len(pair) != 2 for pair in squares):
        return False
    (_, first), (second, third), (fourth, king) = squares
    starts = {move.hub_move.split("-")[0] for move in legal_moves(board)}
    return first == second and third == fourth and starts <= {king}


def play_game(path, variant, seed):
    """Plays a game of the engine against itself after a few random moves. Returns the plies, the winner, and the
    longest time.
    """
    rng = random.Random(f"{variant} {seed}")
    board = new_board(variant)
    for _ in range(rng.randint(1, 4)):
        push(board, rng.choice(legal_moves(board)))
    slowest = 0.0
    with Engine(path, variant) as one, Engine(path, variant) as other:
        players = [one, other]
        while winner(board) is None and len(board.move_stack) < MAX_PLIES:
            engine = players[len(board.move_stack) % 2].hub
            begun = time.perf_counter()
            if len(board.move_stack) < 8:
                # Uses the client's usual function, which generates the legal moves three times.
                result = engine.play(board, Limit(movetime=MOVE_TIME), ponder=False)
                # On a very busy machine, there may be no time for even one iteration.
                score = result.info.get("score", {"cp": 0})
                assert "cp" in score or "win" in score, result.info
                push(board, result.move)
            else:
                try:
                    best, _ = engine.go(initial_hub_fen(board), moves=hub_moves(board), movetime=MOVE_TIME)
                except IndexError:
                    # The client cannot parse an answer that has no move.
                    assert variant in ("frisian", "frysk!") and is_barred(board), (variant, hub_moves(board))
                    break
                slowest = max(slowest, time.perf_counter() - begun)
                played(board, best)
    return len(board.move_stack), winner(board), slowest


def check_games(path):
    for variant in VARIANTS:
        for seed in range(GAMES):
            begun = time.perf_counter()
            plies, won, slowest = play_game(path, variant, seed)
            assert plies > 10, (variant, seed, plies)
            took = time.perf_counter() - begun
            print(f"  {variant} {seed}: {plies} plies, winner {won}, slowest move {slowest:.3f} s, {took:.1f} s", flush=True)


def check_levels(path):
    """Checks that every time control gives a move in the start position and is respected."""
    board = new_board("standard")
    start = initial_hub_fen(board)
    legal = {move.hub_move for move in legal_moves(board)}
    with Engine(path, threads=1, **{"bb-size": 5, "book": True, "initial-time": 60}) as engine:
        engine.hub.ping()
        for limit, most in [
            ({"depth": 4}, 5),
            ({"nodes": 5000}, 5),
            ({"movetime": 0.1}, 1),
            ({"my_time": 2.0}, 2),
            ({"my_time": 2.0, "inc": 0.1}, 2),
            ({"my_time": 0.1, "inc": 0.2}, 1),
            ({"my_time": 0.05, "inc": 0.3}, 1),
            ({"my_time": 2.0, "moves_left": 5}, 2),
            ({"my_time": 2.0, "inc": 0.1, "moves_left": 5}, 2),
        ]:
            # A busy machine may leave no time for an iteration. The request is then repeated.
            for _ in range(20):
                begun = time.perf_counter()
                best, ponder = engine.hub.go(start, **limit)
                took = time.perf_counter() - begun
                assert best in legal, (limit, best)
                assert took < most * SLOWNESS, (limit, took)
                if engine.hub.info.get("depth"):
                    break
            # A very short search has not found a reply yet.
            assert ponder or engine.hub.info["depth"] == 1, limit
            assert engine.hub.info["depth"] >= 1 and engine.hub.info["nodes"] >= 1, engine.hub.info
        assert engine.hub.go(start, depth=3)[0] in legal
        assert engine.hub.info["depth"] == 3, engine.hub.info


def check_ponder(path):
    board = new_board("standard")
    start = initial_hub_fen(board)
    with Engine(path) as engine:
        for hit in (True, False):
            answer = []
            arguments = {"moves": "32-28", "my_time": 1.0, "ponder": True}
            thread = threading.Thread(target=lambda: answer.append(engine.hub.go(start, **arguments)))
            thread.start()
            time.sleep(0.3)
            assert not answer, "no answer while the engine ponders"
            engine.hub.ponderhit() if hit else engine.hub.stop()
            thread.join(timeout=120)
            assert answer and answer[0][0], answer
        assert engine.hub.go(start, moves="32-27", depth=2)[0]


def check_analysis(path):
    board = new_board("standard")
    start = initial_hub_fen(board)
    with Engine(path) as engine:
        engine.hub.send(f"pos pos={start}")
        engine.hub.send("level infinite")
        engine.hub.send("go analyze")
        first = engine.hub.recv_hub()
        assert first[0] == "info" and first[1].startswith("depth=1 mean-depth="), first
        for _ in range(3):
            engine.hub.stop()
        while engine.hub.recv_hub()[0] != "done":
            pass
        engine.hub.ping()


def check_bare_start(path):
    """Starts the engine without an argument, as some GUIs do."""
    with Engine(path, arguments=()) as engine:
        assert engine.hub.go(initial_hub_fen(new_board("standard")), depth=1)[0]


def check_wins(path):
    """Checks that the client parses a win as a number of moves."""
    with Engine(path) as engine:
        engine.hub.go("W" + "e" * 17 + "beeew" + "e" * 28, depth=3)
        assert engine.hub.info["score"] in ({"win": 1}, {"win": 0}), engine.hub.info


def check_recipe(path):
    """Runs the recipe in docs/guis.md, with the program on the PATH and with its full path."""
    page = pathlib.Path(__file__).parents[2] / "docs" / "guis.md"
    recipe = page.read_text().split("```python\n")[1].split("```")[0]
    if IS_OLD:
        recipe = recipe.replace("import Board", "import Game").replace("Board(", "Game(")
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(path), os.path.join(folder, "soffio"))
        on_path = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]}
        for text, environment in [(recipe, on_path), (recipe.replace('"soffio"', repr(os.path.abspath(path))), None)]:
            done = subprocess.run([sys.executable, "-c", text], env=environment, cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0 and "-" in done.stdout, done


def main():
    path = sys.argv[1]
    print(f"pydraughts {VERSION}", flush=True)
    for check in (check_recipe, check_levels, check_ponder, check_analysis, check_bare_start, check_wins, check_games):
        check(path)
    assert not COMPLAINTS.messages, COMPLAINTS.messages
    print(f"pydraughts {VERSION}: passed")


if __name__ == "__main__":
    main()
