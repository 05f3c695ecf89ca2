"""Tests the Hub protocol with the client of py-draughts 1.10.

Usage: py_draughts_hub.py ENGINE. The environment variable GAMES is the number of games per variant, and MOVE_TIME is
the time per move in seconds.
"""

import importlib.metadata
import os
import random
import signal
import sys
import time

from draughts import AntidraughtsBoard, BreakthroughBoard, FrisianBoard, FryskBoard, HubEngine, StandardBoard

VERSION = importlib.metadata.version("py-draughts")
GAMES = int(os.environ.get("GAMES", "20"))
MOVE_TIME = float(os.environ.get("MOVE_TIME", "0.005"))
# Factor by which time limits are extended on CI machines, which may be busy.
SLOWNESS = 50 if os.environ.get("CI") else 1

# The client waits forever if the answer to a search arrives together with the line before it. This happens on a busy
# machine, when the client reads late. The test is then repeated, and skipped with a message if this happens every
# time. Any other problem is a failure. A release does not skip tests.
PATIENCE = 30
TRIES = 3
STRICT = os.environ.get("STRICT") == "1"

# The client sends only positions with ten columns. It does not set a variant before `init`, so the variant is set
# here.
VARIANTS = {
    StandardBoard: "normal",
    FrisianBoard: "frisian",
    FryskBoard: "frisian",
    AntidraughtsBoard: "losing",
    BreakthroughBoard: "bt",
}

MAX_PLIES = 400


def check_handshake(path):
    for _ in range(20):
        # The client waits forever if the last of several lines arrives together with the other lines.
        with HubEngine(path, init_timeout=120.0) as engine:
            assert engine.info.name == "Soffio" and engine.info.author == "the Soffio developers", engine.info
            assert "normal" in engine.params["variant"].values, engine.params
            assert engine.ping()


def check_limits(path):
    board = StandardBoard()
    with HubEngine(path, time_limit=0.1, init_timeout=120.0) as engine:
        begun = time.perf_counter()
        move, score = engine.get_best_move(board, with_evaluation=True)
        assert time.perf_counter() - begun < 3.0 * SLOWNESS
        assert move in list(board.legal_moves) and isinstance(score, float), (move, score)
    with HubEngine(path, depth_limit=5, init_timeout=120.0) as engine:
        for _ in range(30):
            engine.new_game()
            begun = time.perf_counter()
            assert engine.get_best_move(board) in list(board.legal_moves)
            assert time.perf_counter() - begun < 5.0 * SLOWNESS, "the answer was late"


def play_game(path, board_class, seed):
    board = board_class()
    rng = random.Random(f"{VARIANTS[board_class]} {seed}")
    for _ in range(rng.randint(1, 4)):
        board.push(rng.choice(list(board.legal_moves)))
    plies = 0
    with HubEngine(path, time_limit=MOVE_TIME, init_timeout=120.0) as engine:
        engine._send(f"set-param name=variant value={VARIANTS[board_class]}")
        engine._send("set-param name=tt-size value=20")
        while not board.game_over and plies < MAX_PLIES:
            board.push(engine.get_best_move(board))
            plies += 1
    return plies, board.result


def patiently(play):
    """Returns the result of `play`, which is called again if the client waits forever. Returns None if every call
    does so.
    """

    def give_up(*_):
        raise TimeoutError("the client waits for ever")

    signal.signal(signal.SIGALRM, give_up)
    for _ in range(TRIES):
        signal.alarm(PATIENCE)
        try:
            return play()
        except TimeoutError as error:
            print(f"  {error}", flush=True)
        finally:
            signal.alarm(0)
    if STRICT:
        raise TimeoutError(f"the client waited for ever {TRIES} times")
    print(f"  skipped: the client waited for ever {TRIES} times", flush=True)
    return None


def check_games(path):
    for board_class in VARIANTS:
        for seed in range(GAMES):
            played = patiently(lambda: play_game(path, board_class, seed))
            if played is None:
                continue
            plies, result = played
            assert plies > 10, (board_class, seed, plies)
            print(f"  {board_class.__module__.rsplit('.', 1)[-1]} {seed}: {plies} plies, {result}", flush=True)


def main():
    path = sys.argv[1]
    print(f"py-draughts {VERSION}", flush=True)
    patiently(lambda: check_handshake(path))
    patiently(lambda: check_limits(path))
    check_games(path)
    print(f"py-draughts {VERSION}: passed")


if __name__ == "__main__":
    main()
