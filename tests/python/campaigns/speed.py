"""Speed beside py-draughts and dame-rs, where they are installed: CPU time of the same loops in one process, the best of five.

Usage: speed.py [PROGRAM]
PROGRAM is the program soffio: then perft and search are compared with it, too.
"""

import re
import subprocess
import sys
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


def cpu_of(command, text=None):
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, output


def beside_the_program(program):
    ratios = {"perft": [], "search": []}
    lines = "setoption name UCI_Variant value international\nsetoption name Hash value 16\ngo nodes 3000000\nwait\nquit\n"
    empty, _ = cpu_of([program], "quit\n")
    for _ in range(3):
        begun = time.process_time()
        soffio.Board().perft(8)
        ours = time.process_time() - begun
        theirs, _ = cpu_of([program, "perft", "international", "8"])
        ratios["perft"].append(ours / (theirs - empty))
        engine = soffio.Engine(hash=16)
        begun = time.process_time()
        engine.analyse(soffio.Board(), soffio.Limit(nodes=3_000_000))
        ours = time.process_time() - begun
        theirs, _ = cpu_of([program], lines)
        ratios["search"].append(ours / (theirs - empty))
    for what, found in ratios.items():
        found.sort()
        show(f"{what}: CPU time, package / program", f"{found[len(found) // 2]:.3f} (from {found[0]:.3f} to {found[-1]:.3f})")


legal_moves()
many()
if len(sys.argv) > 1:
    beside_the_program(sys.argv[1])
