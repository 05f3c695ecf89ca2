"""Compares the speed of the package with py-draughts and dame-rs, if they are installed.

The speed is measured by the CPU time of the same loops in one process; the best of five runs counts.

Usage: speed.py [PROGRAM]
PROGRAM is the soffio program. If it is given, perft and search are also compared with the program, by the number of
instructions, which valgrind counts.
"""

import os
import pathlib
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
if len(sys.argv) > 1:
    beside_the_program(sys.argv[1])
