"""Tests of arguments with wrong types and sizes.

Each of them must raise an exception that explains the problem in the terms of the package.
"""

import pathlib
import re

import numpy as np
import pytest

import soffio
from soffio import Board, Book, Engine, Game, Limit, PovScore, Score, Tavla

# Messages from PyO3, Rust and Python that mention internals of the package.
INTERNAL = re.compile(
    r"extract|out of range integral|is not an instance|converted|PyArray|panic|orrowed|has no attribute|invalid zero|cannot be interpreted"
    r"|NonZero|not iterable|NoneType|unpack|positional|native|r#|::|codec|not subscriptable"
)

# A number with more digits than Python prints.
HUGE = 10**5000

VALUES = [
    None, True, -1, 0, 3, 2**31, 2**63, 2**64, -(2**70), HUGE, 1.5, float("nan"), float("inf"), 1e300,
    "", "x", "\0", "\N{SNOWMAN}", "1-2" * 500, "W:W1:B2", b"", b"bytes", b"\xff", [], [None], [1], ["x"], [[]], (), {}, {"a": 1}, {1: 2}, {"a"},
    object(), print, int, Board(), Board("italian").legal_moves[0], Limit(depth=1), Score(cp=1), PovScore(Score(cp=1), True), Game(),
    np.zeros(3), np.zeros((1, 5, 8, 8)), np.zeros((1, 5, 8, 8), "U1"), np.zeros(2, soffio.POSITION), np.int64(-5), np.float64(2.5), np.array(["x"]),
    pathlib.Path("/nowhere/at/all"), pathlib.Path("/"),
]  # fmt: skip

ENGINE, TAVLA, NODES = Engine(hash=1), Tavla(), {"nodes": 1000}
TAVLA.set_dice(3, 1)


def network(name, value):
    shape = soffio.NetworkShape.for_variant("english")
    arrays = {
        "first": np.zeros((shape.inputs, 256)), "first_bias": np.zeros(256), "second": np.zeros((256, 8)), "second_bias": np.zeros(8),
        "last": np.zeros(8), "last_bias": 0.0,
    }  # fmt: skip
    soffio.write_weights("own.weights", "english", **{**arrays, name: value})


def node(change):
    game = Game("english")
    change(game.add_variation("11-15"))
    str(game)


def tagged(name, value):
    game = Game("english")
    game.headers[name] = value
    str(game)


def assigned(name, value):
    def change(node):
        setattr(node, name, value)

    node(change)


CALLS = {
    "Board": Board,
    "Board fen": lambda a: Board("english", a),
    "push": lambda a: Board().push(a),
    "parse_move": lambda a: Board().parse_move(a),
    "is_legal": lambda a: Board().is_legal(a),
    "set_fen": lambda a: Board().set_fen(a),
    "piece_at": lambda a: Board().piece_at(a),
    "perft": lambda a: Board().perft(a),
    "divide": lambda a: Board().divide(a),
    "svg": lambda a: Board().svg(a),
    "text": lambda a: Board().legal_moves[0].text(a),
    "Variant": soffio.Variant.named,
    "Engine hash": lambda a: Engine(hash=a),
    "Engine threads": lambda a: Engine(threads=a),
    "Engine eval_file": lambda a: Engine(eval_file=a),
    "Engine tables": lambda a: Engine(tables=a),
    "Engine book": lambda a: Engine(book=a),
    "Engine level": lambda a: Engine(level=a),
    "Engine Elo": lambda a: Engine(level=soffio.Elo(a)),
    "Engine options": lambda a: Engine(options=a),
    "configure name": lambda a: Engine().configure({a: 1}),
    "configure value": lambda a: Engine().configure({"MultiPV": a}),
    "configure path": lambda a: Engine().configure({"TablePath": a}),
    **{f"Limit {name}": lambda a, name=name: ENGINE.play(Board(), Limit(**{"depth": 1, name: a})) for name in vars(Limit())},
    "play board": lambda a: ENGINE.play(a, Limit(depth=1)),
    "play limit": lambda a: ENGINE.play(Board(), a),
    "play root_moves": lambda a: ENGINE.play(Board(), Limit(depth=1), root_moves=a),
    "play info": lambda a: ENGINE.play(Board(), Limit(depth=1), info=a),
    "analyse multipv": lambda a: ENGINE.analyse(Board(), Limit(depth=1), multipv=a),
    "analysis limit": lambda a: ENGINE.analysis(Board(), a).close(),
    "evaluate": ENGINE.evaluate,
    "probe": ENGINE.probe,
    "Score cp": lambda a: str(Score(cp=a)),
    "Score win": lambda a: str(Score(win=a)),
    "Score loss": lambda a: Score(loss=a),
    "PovScore": lambda a: PovScore(a, True),
    "PovScore turn": lambda a: PovScore(Score(cp=1), a),
    "read_game": soffio.read_game,
    "read_games": lambda a: list(soffio.read_games(a)),
    "read_games file": lambda a: list(soffio.read_games(type("File", (), {"read": lambda self, size: a})())) if not a else None,
    "read_games variant": lambda a: list(soffio.read_games("1. 11-15 *", variant=a)),
    "Game": lambda a: str(Game(a)),
    "Game fen": lambda a: str(Game("english", a)),
    "Game headers": lambda a: str(Game(headers=a)),
    **{f"tag {name}": lambda a, name=name: tagged(name, a) for name in ("White", "Result", "FEN", "GameType", "Variant")},
    "name of a tag": lambda a: tagged(a, "x"),
    "add_variation": lambda a: Game("english").add_variation(a),
    "add_variation comment": lambda a: node(lambda found: found.add_variation("23-19", comment=a)),
    "add_variation nags": lambda a: node(lambda found: found.add_variation("23-19", nags=a)),
    "comment": lambda a: assigned("comment", a),
    "starting_comment": lambda a: node(lambda found: setattr(found.parent.add_variation("9-14"), "starting_comment", a)),
    "nags": lambda a: assigned("nags", a),
    "a nag": lambda a: assigned("nags", [a]),
    "promote_to_main": lambda a: Game().promote_to_main(a),
    "set_eval": lambda a: node(lambda found: found.set_eval(a)),
    "set_clock": lambda a: node(lambda found: found.set_clock(a)),
    "set_emt": lambda a: node(lambda found: found.set_emt(a)),
    "from_board": Game.from_board,
    "pack": lambda a: soffio.pack("english", a),
    "pack variant": lambda a: soffio.pack(a, []),
    "unpack": lambda a: soffio.unpack("english", a),
    "evaluate_many": lambda a: soffio.evaluate_many("english", a),
    "evaluate_many eval_file": lambda a: soffio.evaluate_many("english", [], eval_file=a),
    "legal_moves_many": lambda a: soffio.legal_moves_many("english", a),
    "to_planes": lambda a: soffio.to_planes("english", a),
    "from_planes": lambda a: soffio.from_planes("english", a),
    "network_inputs": lambda a: soffio.network_inputs("english", a),
    "SelfPlayData": soffio.SelfPlayData,
    "NetworkShape": soffio.NetworkShape.for_variant,
    "read_weights": soffio.read_weights,
    **{f"weights {name}": lambda a, name=name: network(name, a) for name in ("first", "first_bias", "second", "last", "last_bias", "man", "note")},
    "Book": Book,
    "batch": lambda a: list(soffio.batch(a, variant="english", depth=1, hash=1)),
    "a request": lambda a: list(soffio.batch([a], variant="english", depth=1, hash=1)),
    **{
        f"batch {name}": lambda a, name=name: list(soffio.batch([{"moves": []}], **{"variant": "english", "depth": 1, "hash": 1, name: a}))
        for name in ("variant", "depth", "nodes", "time", "multipv", "threads", "hash", "tables")
    },
    "mine": lambda a: list(soffio.puzzles.mine(a, **NODES)),
    "mine a game": lambda a: list(soffio.puzzles.mine([a], **NODES)),
    **{f"mine {name}": lambda a, name=name: list(soffio.puzzles.mine([], **{name: a})) for name in ("nodes", "hash", "tables")},
    "solve": lambda a: list(soffio.puzzles.solve(a, **NODES)),
    **{f"solve {name}": lambda a, name=name: list(soffio.puzzles.solve([], **{name: a})) for name in ("nodes", "hash", "tables")},
    "Puzzle": soffio.puzzles.Puzzle.from_record,
    "puzzles": lambda a: list(soffio.puzzles.read(a)),
    "Tavla": Tavla,
    "Tavla seed": lambda a: Tavla(seed=a),
    "Tavla set_dice": lambda a: Tavla().set_dice(a, 1),
    "Tavla push": lambda a: TAVLA.copy().push(a),
    **{f"Tavla {name}": lambda a, name=name: TAVLA.analyse(**{"depth": 1, name: a}) for name in ("depth", "time", "nodes", "rollout", "multipv")},
    "Tavla mat": lambda a: TAVLA.mat(a),
}  # fmt: skip

# These arguments are valid but take too long.
LONG = {"Tavla rollout": 2**31}


# numpy warns if an array is used as a number.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_raise_clear_errors(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    faults = []
    for value in VALUES:
        if isinstance(value, int) and value == LONG.get(name):
            continue
        shown = "10**5000" if value is HUGE else f"{value!r:.60}"
        try:
            CALLS[name](value)
        except (TypeError, ValueError, OSError, soffio.EngineError) as error:
            text = str(error)
            if INTERNAL.search(text) or not text or "\n" in text:
                faults.append(f"{shown}: {type(error).__name__}: {text}")
        except BaseException as error:
            faults.append(f"{shown}: {type(error)}: {error}")
    assert not faults, "\n".join(faults)
