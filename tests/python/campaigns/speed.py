"""Compares the speed of the package with py-draughts and dame-rs, if they are installed.

The script measures the CPU time of the same loops in one process, and keeps the best of five runs.

py-draughts and pydraughts are modules with the same name. The environment variable PYDRAUGHTS can therefore name a
folder that contains pydraughts.

Usage: speed.py [PROGRAM]
PROGRAM is the soffio program. If it is given, the script also compares perft and search with the program, by the number
of instructions that valgrind counts.
"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import timeit

import numpy as np

import soffio


def microseconds(call, number):
    best = min(timeit.repeat(call, number=number, repeat=5, timer=time.process_time))
    return best / number * 1e6


def show(what, value):
    print(f"{what:<58} {value}", flush=True)


def legal_moves():
    for variant in ("international", "english", "turkish"):
        board = soffio.Board(variant)
        call, moves = microseconds(lambda: board.key, 50_000), microseconds(lambda: board.legal_moves, 50_000)
        show(f"soffio, {variant}: legal moves ({len(board.legal_moves)})", f"{moves:.2f} us, {moves - call:.2f} above a call")
    try:
        import draughts

        theirs = draughts.StandardBoard()
        show("py-draughts, international: legal moves", f"{microseconds(lambda: theirs.legal_moves, 5_000):.2f} us")
    except ImportError:
        show("py-draughts", "not installed")
    try:
        import dame

        theirs = dame.Board()
        moves = theirs.legal_moves
        call = moves if callable(moves) else lambda: theirs.legal_moves
        show("dame-rs: legal moves", f"{microseconds(call, 5_000):.2f} us")
    except ImportError:
        show("dame-rs", "not installed")


def many():
    start = soffio.Board()
    fens = []
    for move in start.legal_moves:
        board = start.copy()
        board.push(move)
        fens.append(board.fen())
    positions = np.tile(soffio.pack("international", fens), 50_000)
    took = microseconds(lambda: soffio.evaluate_many("international", positions), 1) / 1e6
    show("evaluate_many, international, packed", f"{len(positions) / took / 1e6:.1f} million a second on a core")
    took = microseconds(lambda: soffio.legal_moves_many("international", positions), 1) / 1e6
    show("legal_moves_many", f"{len(positions) / took / 1e6:.1f} million positions a second")


def records(program, games=1000):
    """Reads random international games of 60 plies with every library, and with `soffio pdn check`."""
    choice, texts = random.Random(1), []
    while len(texts) < games:
        board = soffio.Board()
        while board.ply() < 60 and (moves := board.legal_moves):
            board.push(choice.choice(moves))
        game = soffio.Game.from_board(board)
        game.headers.update(White="one", Black="other", Event=str(len(texts)))
        texts.append(str(game))
    text = "\n".join(texts)

    def rate(what, read, count=games):
        start = time.process_time()
        read()
        show(what, f"{count / (time.process_time() - start):.0f} games a second")

    rate("soffio.read_games: trees of legal moves", lambda: list(soffio.read_games(text)))
    rate("soffio.visit_games with HeadersBuilder", lambda: list(soffio.visit_games(text, soffio.HeadersBuilder)))
    try:
        import draughts

        refused = []

        def read(game):
            try:
                draughts.StandardBoard.from_pdn(game)
            except ValueError as error:
                refused.append(str(error))

        rate("py-draughts: Board.from_pdn", lambda: [read(game) for game in texts[:200]], 200)
        show("py-draughts: games refused", f"{len(refused)} of 200, such as: {refused[:1]}")
    except (ImportError, AttributeError):
        show("py-draughts", "not installed")
    if "PYDRAUGHTS" in os.environ:
        # pydraughts reads the text of the moves but does not play them.
        code = "import sys, time; from draughts.PDN import PDNReader; text = sys.stdin.read(); start = time.process_time(); "
        code += "PDNReader(text); print(time.process_time() - start)"
        environment = {**os.environ, "PYTHONPATH": os.environ["PYDRAUGHTS"]}
        for count in (100, 200):
            chosen = "\n".join(texts[:count])
            run = subprocess.run([sys.executable, "-c", code], input=chosen, capture_output=True, text=True, check=True, env=environment)
            show(f"pydraughts: PDNReader, {count} games in a file, not played", f"{count / float(run.stdout):.0f} games a second")
    if program:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "games.pdn")
            path.write_text(text * 20)
            before = os.times().children_user
            subprocess.run([program, "pdn", "check", path], capture_output=True, check=True)
            show("soffio pdn check", f"{20 * games / (os.times().children_user - before):.0f} games a second")


def instructions(command, text=""):
    """Returns the number of instructions that each thread of a command executes, as counted by valgrind. The first
    thread comes first.
    """
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={folder}/out"]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        subprocess.run([*valgrind, *command], input=text, capture_output=True, text=True, check=True, env=environment)
        return [int(re.search(r"totals: (\d+)", file.read_text())[1]) for file in sorted(pathlib.Path(folder).glob("out-*"))]


def beside_the_program(program):
    """Compares the package, which works on a separate thread, with the program for the same work."""
    for variant, depth in (("international", 8), ("english", 10), ("russian", 10)):
        ours = sum(instructions([sys.executable, "-c", f"import soffio; soffio.Board('{variant}').perft({depth})"])[1:])
        theirs = [instructions([program, "perft", "--variant", variant, str(d)])[0] for d in (depth, 1)]
        show(f"perft {depth} of {variant}: instructions, package / program", f"{ours / (theirs[0] - theirs[1]):.4f}")
    code = "import soffio; soffio.Engine(hash=16).play(soffio.Board(), soffio.Limit(nodes=400_000))"
    lines = "setoption name UCI_Variant value international\nsetoption name Hash value 16\ngo nodes 400000\nwait\nquit\n"
    ours, theirs = sum(instructions([sys.executable, "-c", code])[1:]), sum(instructions([program], lines)[1:])
    show("search of 400,000 nodes: instructions, package / program", f"{ours / theirs:.4f}")


legal_moves()
many()
records(sys.argv[1] if len(sys.argv) > 1 else None)
if len(sys.argv) > 1:
    beside_the_program(sys.argv[1])
