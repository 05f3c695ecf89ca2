"""Creates a million boards, runs 10,000 searches and tries 100,000 invalid inputs.

The memory must not grow, and every error must be a documented exception.

Usage: soak.py [BOARDS] [SEARCHES] [INPUTS]
"""

import random
import resource
import sys

import numpy as np

import soffio

BOARDS, SEARCHES, INPUTS = (int(word) for word in (sys.argv[1:] + ["1000000", "10000", "100000"][len(sys.argv) - 1 :]))

DOCUMENTED = (
    soffio.VariantError, soffio.FenError, soffio.InvalidMoveError, soffio.IllegalMoveError, soffio.PdnError, soffio.OptionError,
    soffio.PositionsError, soffio.WeightsError, soffio.DataError, soffio.TavlaError, ValueError, TypeError, OSError,
)


def resident():
    """Returns the resident memory in MiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def report(what, count, before):
    grown = resident() - before
    print(f"{count} {what}: {grown:+.1f} MiB", flush=True)
    return grown < 8


def boards(count, choose):
    for index in range(count):
        board = soffio.Board(soffio.VARIANTS[index % len(soffio.VARIANTS)])
        moves = board.legal_moves
        board.push(choose.choice(moves))
        moves[0].path, moves[0].captured, board.peek(), board.copy().key
        if index % 16 == 0:
            soffio.Board(board.variant, board.fen()).svg()


def searches(count, choose):
    engine, board = soffio.Engine(hash=1), soffio.Board("english")
    for index in range(count):
        if index % 100 == 0:
            engine = soffio.Engine(hash=1)
        if board.is_game_over() or board.ply() > 100:
            board = soffio.Board(choose.choice(soffio.VARIANTS))
        board.push(engine.play(board, soffio.Limit(nodes=50)).move)
        if index % 50 == 0:
            next(engine.analysis(board), None)


def noise(choose):
    """Returns a random string that may look like valid input."""
    parts = ["W:W31,K50:B18", "32-28", "28x19x10", "K", ":", ",", "-", "x", "a1", "é", "\0", "(", "{", "}", "1.", "[Event \"x\"]", "$3",
             "[GameType \"20\"]", "99", "-1", "1e9", "XGID=", "english", "\N{SNOWMAN}", "{\"fen\": \"W\"}", " "]
    return "".join(choose.choice(parts) for _ in range(choose.randrange(9)))


def thing(choose):
    kinds = [
        lambda: noise(choose), lambda: noise(choose), lambda: choose.randrange(-(2**70), 2**70), lambda: choose.randrange(-3, 70),
        lambda: None, lambda: choose.random() * 10 - 5, lambda: float("nan"), lambda: b"bytes", lambda: [noise(choose)], lambda: {},
        lambda: soffio.Board(), lambda: soffio.Board("italian").legal_moves[0], lambda: np.zeros(choose.randrange(3), soffio.POSITION),
        lambda: np.frombuffer(choose.randbytes(64), soffio.POSITION), lambda: np.zeros((2, 5, 8, 8), np.uint8), lambda: object(),
        lambda: choose.choice(soffio.VARIANTS), lambda: soffio.Limit(depth=choose.choice([1, 2])),
    ]
    return choose.choice(kinds)()


def wrong_inputs(count, choose):
    engine, board, tavla = soffio.Engine(hash=1), soffio.Board(), soffio.Tavla()
    tavla.set_dice(3, 1)
    calls = [
        soffio.Board, board.push, board.parse_move, board.set_fen, board.is_legal, board.piece_at, lambda a: board.legal_moves[0].text(a),
        lambda a: soffio.Engine(options={"Seed": a}), lambda a: soffio.Engine(hash=a if not isinstance(a, int) or a < 9 else -1),
        lambda a: engine.play(board, a), lambda a: engine.analyse(board, soffio.Limit(depth=2), multipv=a),
        lambda a: engine.play(board, soffio.Limit(depth=1), root_moves=a), lambda a: engine.evaluate(a), lambda a: engine.probe(a),
        soffio.read_game, lambda a: list(soffio.read_games(a, variant="english")), lambda a: soffio.Game("english", headers={"White": a}).__str__(),
        lambda a: soffio.pack("english", a), lambda a: soffio.evaluate_many("english", a), lambda a: soffio.legal_moves_many("canadian", a, successors=True),
        lambda a: soffio.unpack("international", a), lambda a: soffio.to_planes("turkish", a), lambda a: soffio.from_planes("english", a),
        lambda a: soffio.network_inputs("italian", a), lambda a: soffio.NetworkShape.for_variant(a), lambda a: list(soffio.batch([a], depth=1, hash=1)),
        lambda a: soffio.Variant.named(a), soffio.Tavla, tavla.push, lambda a: tavla.set_dice(a, 1), lambda a: board.svg(a) if a != 3 else None,
        lambda a: soffio.SelfPlayData(a) if not isinstance(a, int) else None, lambda a: soffio.read_weights(a) if not isinstance(a, int) else None,
        lambda a: board.divide(a) if not isinstance(a, int) or a < 3 else None,
    ]
    raised = 0
    for _ in range(count):
        try:
            choose.choice(calls)(thing(choose))
        except DOCUMENTED:
            raised += 1
        if board.ply() > 3:
            board.set_fen(soffio.Board().fen())
    print(f"{raised} of {count} inputs raised documented exceptions", flush=True)


def main():
    choose, fine = random.Random(1), True
    for what, work, count in (("boards", boards, BOARDS), ("searches", searches, SEARCHES), ("wrong inputs", wrong_inputs, INPUTS)):
        work(max(1, count // 10), choose)
        before = resident()
        work(count, choose)
        fine &= report(what, count, before)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
