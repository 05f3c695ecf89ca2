"""Tests of the engine: limits, principal variations, Ctrl-C, threads and forks."""

import asyncio
import copy
import errno
import importlib.metadata
import importlib.util
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import soffio
from soffio import Board, Elo, Engine, Level, Limit, PovScore, Score


def test_play_and_analysis_have_legal_lines():
    for variant in soffio.VARIANTS:
        engine, board = Engine(hash=1), Board(variant)
        result = engine.play(board, Limit(depth=4))
        assert result.move in board.legal_moves and result.info.pv[0] == result.move and result.info.depth == 4
        assert board.ply() == 0
        after = board.copy()
        for move in result.info.pv:
            after.push(move)
        for limit in (Limit(nodes=3000), Limit(depth=4)):
            lines = engine.analyse(board, limit, multipv=3)
            assert [line.multipv for line in lines] == [1, 2, 3] and len({line.pv[0] for line in lines}) == 3
        assert lines[0].score.relative >= lines[2].score.relative
    assert Engine().play(Board("english", "W:W:B1"), Limit(depth=3)).move is None
    assert Engine().analyse(Board("english", "W:W:B1"), Limit(depth=3)) is None
    assert Engine().evaluate(Board("english", "W:W:B1")) == PovScore(Score(loss=0), soffio.WHITE)


def test_the_same_search_gives_the_same_result():
    found = [Engine(hash=8).analyse(Board("italian"), Limit(depth=9)) for _ in range(2)]
    assert found[0].nodes == found[1].nodes and found[0].pv == found[1].pv and found[0].score == found[1].score
    assert found[0].nps > 0 and "depth 9" in str(found[0])


def test_limits_end_searches():
    engine, board = Engine(), Board("international")
    begun = time.monotonic()
    engine.play(board, Limit(time=0.05))
    engine.play(board, Limit(white_clock=1.0, white_inc=0.01, remaining_moves=40))
    assert time.monotonic() - begun < 5
    assert engine.play(Board("english", "W:WK32,K31:BK1"), Limit(win_in=20)).info.score.relative > Score(win=20)
    only = board.legal_moves[3]
    assert engine.play(board, Limit(depth=3), root_moves=[only]).move == only
    for limit in (Limit(), Limit(black_clock=5)):
        with pytest.raises(ValueError, match="limit is empty"):
            engine.play(board, limit)
    for name in ("time", "white_clock", "black_clock", "white_inc", "black_inc"):
        for wrong in (-1, float("nan"), 1e300, 10**400):
            with pytest.raises(ValueError, match=f"{name} must be a number of seconds, 0 or more, not "):
                Limit(**{name: wrong})
    for name, most in (("depth", 127), ("nodes", 2**63 - 1), ("win_in", 60), ("remaining_moves", 9999)):
        for wrong in (-1, 0, most + 1, 2**70):
            with pytest.raises(ValueError, match=f"{name} must be from 1 to {most}, not {wrong}"):
                Limit(**{name: wrong})
        with pytest.raises(TypeError, match=f"{name} must be an int, not 1.5"):
            Limit(**{name: 1.5})
    with pytest.raises(ValueError, match="multipv must be from 1 to 64, not 0"):
        engine.analyse(board, Limit(depth=3), multipv=0)
    with pytest.raises(soffio.IllegalMoveError):
        engine.play(board, Limit(depth=3), root_moves=[Board("italian").legal_moves[0]])


def test_options_are_checked():
    for option in Engine.option_table():
        if "default" in option:
            Engine().configure({option["name"]: option["default"]})
    with pytest.raises(soffio.OptionError, match="option Threads must be a number from 1 to 256, not '0'"):
        Engine(threads=0)
    with pytest.raises(soffio.OptionError, match="unknown option 'Speed'"):
        Engine(options={"Speed": 3})
    with pytest.raises(soffio.OptionError, match="TablePath"):
        Engine(options={"TablePath": "/nowhere/at/all"})
    with pytest.raises(soffio.OptionError):
        Engine(hash=2**25)
    with pytest.raises(TypeError, match="option 'TablePath' must be a str, a number or a path, not \\[\\]"):
        Engine(options={"TablePath": []})
    engine = Engine(options={"Level": Level.EASY, "Hash": np.int64(2)})
    assert repr(engine) == "<Engine Level=<Level.EASY: 'easy'> Hash=np.int64(2)>" and engine.play(Board(), Limit(depth=9)).info.depth == 2


@pytest.mark.parametrize(
    "use",
    [
        lambda folder: Engine(tables=folder),
        lambda folder: Engine(options={"TablePath": folder}),
        lambda folder: soffio.batch([], tables=folder),
        lambda folder: soffio.puzzles.mine([], tables=folder),
        lambda folder: soffio.puzzles.solve([], tables=folder),
    ],
)
def test_a_folder_without_usable_tables_is_rejected(use, tmp_path):
    folder = tmp_path / "t\N{SNOWMAN}bles"
    with pytest.raises((soffio.OptionError, FileNotFoundError), match="No such file"):
        use(folder)
    folder.mkdir()
    (folder / "notes.txt").write_text("nothing")
    program = [sys.executable, "-m", "soffio", "tables", "build", "--variant", "english", "--pieces", "2", "--dir", str(folder)]
    for is_usable in (False, True, False):
        if is_usable:
            subprocess.run(program, check=True, capture_output=True)
            use(folder)
            continue
        for table in folder.glob("*.table"):
            table.write_bytes(table.read_bytes()[:-1])
        with pytest.raises(soffio.OptionError, match="option TablePath .*: .*no endgame table") as found:
            use(folder)
        assert f" {folder}: " in str(found.value)


def test_levels_and_ratings_play_weaker():
    board = Board("english")
    assert Engine(level=Level.EASY).play(board, Limit(depth=9)).info.depth == 2
    assert Engine(level="expert").play(board, Limit(depth=9)).info.depth == 5
    assert Engine(level=Elo(800)).play(board, Limit(depth=9)).info.depth == 1
    assert Engine(level=Level.EASY).analyse(board, Limit(depth=5)).depth == 5
    with pytest.raises(soffio.OptionError, match="from 800 to 2400"):
        Engine(level=Elo(3000))


def test_an_analysis_is_watched_and_stopped():
    engine, board = Engine(), Board("international")
    seen = []
    with engine.analysis(board, info=seen.append) as analysis:
        for info in analysis:
            if info.depth == 6:
                break
        with pytest.raises(soffio.EngineError, match="the engine is searching"):
            engine.play(board, Limit(depth=1))
    assert seen[-1].depth == 6
    analysis = engine.analysis(board)
    threading.Timer(0.1, analysis.stop).start()
    assert analysis.wait().move in board.legal_moves
    # An abandoned analysis ends when there are no more references to it.
    abandoned = engine.analysis(board)
    next(abandoned)
    del abandoned
    assert engine.play(board, Limit(depth=2)).move

    def fail(info):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        engine.play(board, Limit(depth=8), info=fail)
    assert engine.play(board, Limit(depth=2)).move


def test_an_engine_is_closed_with_its_search():
    board = Board("international")
    with Engine(hash=16) as engine:
        analysis = engine.analysis(board)
        next(analysis)
    assert list(analysis) == []
    for use in (engine.clear, lambda: engine.analysis(board), lambda: engine.play(board, Limit(depth=1))):
        with pytest.raises(soffio.EngineError, match="the engine is closed"):
            use()
    engine.close()
    with pytest.raises(KeyError), Engine() as engine:
        raise KeyError("mine")
    with pytest.raises(soffio.EngineError, match="the engine is closed"):
        engine.evaluate(board)


def test_coroutines_run_concurrently_and_can_be_cancelled():
    async def both():
        boards = [Board("english"), Board("russian")]
        engines = [Engine(), Engine()]
        played = await asyncio.gather(*(e.play_async(b, Limit(depth=8)) for e, b in zip(engines, boards)))
        assert all(result.move in board.legal_moves for result, board in zip(played, boards))
        lines = await engines[0].analyse_async(boards[0], Limit(depth=5), multipv=2)
        assert len(lines) == 2
        depths = []
        async with engines[0].analysis(boards[0]) as analysis:
            async for info in analysis:
                depths.append(info.depth)
                if info.depth >= 7:
                    break
        assert depths[-1] >= 7
        task = asyncio.create_task(engines[0].play_async(boards[0], Limit(time=60)))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert engines[0].play(boards[0], Limit(depth=2)).move

    asyncio.run(asyncio.wait_for(both(), 30))


def long_perft():
    Board("international").perft(9)


def long_evaluation():
    soffio.evaluate_many("international", np.tile(soffio.pack("international", [Board().fen()]), 500_000))


def long_pictures():
    soffio.to_planes("international", np.tile(soffio.pack("international", [Board().fen()]), 100_000))


def long_batch():
    list(soffio.batch([{"moves": ["32-28"]}], variant="international", time=0.3))


def long_rollout():
    game = soffio.Tavla()
    game.set_dice(3, 1)
    game.analyse(time=0.3, depth=6)


def long_search():
    Engine(hash=1).play(Board("international"), Limit(time=0.3))


@pytest.mark.parametrize("work", [long_search, long_perft, long_evaluation, long_pictures, long_batch, long_rollout])
def test_long_calls_release_the_gil(work):
    waiter = threading.Thread(target=work)
    waiter.start()
    count = 0
    while waiter.is_alive():
        count += 1
    assert count > 1000


def test_each_thread_in_a_pool_needs_its_own_engine():
    def search(depth):
        return Engine(hash=1).play(Board("english"), Limit(depth=depth)).info.nodes

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(search, [7] * 8)) == [search(7)] * 8

    shared, board = Engine(hash=1), Board("english")

    def search_the_same(_):
        try:
            return shared.play(board, Limit(time=0.02)).move in board.legal_moves
        except soffio.EngineError as error:
            return str(error)

    refusal = "the engine is searching: stop the search first, or create a second engine"
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(search_the_same, range(40))) == {True, refusal}
    assert search_the_same(0) is True


@pytest.mark.parametrize("work", ["perft", "divide", "play", "evaluate", "probe", "mine", "analysis"])
def test_a_board_can_be_changed_while_other_threads_use_it(work):
    engine, board, done = Engine(hash=1), Board("international"), threading.Event()
    call = {
        "perft": lambda: board.perft(5),
        "divide": lambda: board.divide(4),
        "play": lambda: engine.play(board, Limit(nodes=2000)),
        "evaluate": lambda: engine.evaluate(board),
        "probe": lambda: engine.probe(board),
        "mine": lambda: list(soffio.puzzles.mine([board], nodes=50)),
        "analysis": lambda: engine.analyse(board, Limit(nodes=2000), multipv=2),
    }[work]
    faults = []

    def push():
        try:
            while not done.is_set():
                for text in ("32-28", "19-23", "28x19"):
                    board.push(text)
                for _ in range(3):
                    board.pop()
                board.set_fen(board.fen())
        except BaseException as error:
            faults.append(error)

    pusher = threading.Thread(target=push)
    pusher.start()
    try:
        for _ in range(20):
            call()
    finally:
        done.set()
        pusher.join()
    assert not faults and board == Board("international")


def test_a_tavla_game_can_be_continued_while_it_is_analysed():
    game = soffio.Tavla(seed=1)
    game.roll()
    plays = game.legal_plays
    waiter = threading.Thread(target=lambda: found.extend(game.analyse(depth=2, multipv=3)))
    found = []
    waiter.start()
    while waiter.is_alive():
        game.push(game.legal_plays[0])
        game.pop()
    assert found and all(play["play"] in plays for play in found)


def test_ctrl_c_ends_a_search_at_once():
    # A background process of a shell ignores the interrupt, and so does Python unless it installs a handler.
    code = """
import signal, soffio
signal.signal(signal.SIGINT, signal.default_int_handler)
engine, tavla = soffio.Engine(), soffio.Tavla()
tavla.set_dice(3, 1)
print("ready", flush=True)
try:
    %s
except KeyboardInterrupt:
    print("ended", engine.play(soffio.Board(), soffio.Limit(depth=2)).move is not None, flush=True)
"""
    calls = [
        "engine.play(soffio.Board(), soffio.Limit(time=60))",
        "engine.analysis(soffio.Board()).wait()",
        "[info for info in engine.analysis(soffio.Board())]",
        "soffio.Board().perft(30)",
        "list(soffio.batch([{'moves': ['11-15']}], variant='english', time=60))",
        "tavla.analyse(rollout=10**6)",
    ]
    for call in calls:
        process = subprocess.Popen([sys.executable, "-c", code % call], stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=20)
        assert output == "ended True\n" and process.returncode == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_needs_its_own_engine():
    engine, board = Engine(), Board("english")
    engine.play(board, Limit(depth=4))
    child = os.fork()
    if child == 0:
        try:
            engine.play(board, Limit(depth=4))
            os._exit(1)
        except soffio.EngineError as error:
            fine = "fork" in str(error) and Engine().play(board, Limit(depth=4)).move in board.legal_moves
            os._exit(0 if fine else 2)
    assert os.waitpid(child, 0)[1] == 0
    assert engine.play(board, Limit(depth=4)).move


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("use", ["del engine", "del analyser", "analysis.close()", "next(analysis)", "analysis.stop()", "del analysis"])
def test_inherited_engines_and_searches_end_with_the_child(use):
    code = f"""
import gc, os, soffio
engine, other, board = soffio.Engine(hash=1), soffio.Engine(hash=1), soffio.Board("english")
engine.play(board, soffio.Limit(depth=4))
analysis = other.analysis(board)
next(analysis)
analyser = soffio.batch([{{"moves": []}}] * 2, variant="english", depth=2, hash=1)
next(analyser)
child = os.fork()
try:
    {use}
    gc.collect()
    result = 0
except soffio.EngineError as error:
    result = 3 if "fork" in str(error) else 4
if child == 0:
    os._exit(result)
found = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(found, result)
"""
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120)
    expected = "0 0\n" if use.startswith("del") else "3 0\n"
    assert (ran.stdout, ran.stderr, ran.returncode) == (expected, "", 0)


def test_missing_files_raise_os_errors(tmp_path):
    path = tmp_path / "missing"
    for use in (
        soffio.SelfPlayData,
        soffio.Book,
        soffio.read_weights,
        lambda path: Engine(book=path),
        lambda path: Engine(eval_file=path),
        lambda path: Engine(tables=path),
        lambda path: soffio.evaluate_many("english", [], eval_file=path),
        lambda path: soffio.batch([], tables=path),
        lambda path: soffio.puzzles.mine([], tables=path),
    ):
        with pytest.raises(FileNotFoundError) as found:
            use(path)
        assert (found.value.errno, found.value.filename) == (errno.ENOENT, str(path))


def test_results_are_hashable():
    engine, board = Engine(hash=1), Board("english")
    result, verdict = engine.play(board, Limit(depth=3)), engine.probe(Board("english", "W:WK32,K31:BK1"))
    assert len({result, copy.copy(result), result.info}) == 2 and len({verdict, copy.copy(verdict)}) == 1
    assert len({soffio.Variant.named(name) for name in ("english", "checkers", "italian")}) == 2


def test_evaluations_and_endgame_tables(tmp_path):
    engine = Engine()
    assert abs(engine.evaluate(Board("international")).relative.cp) < 50
    assert not engine.evaluate(Board("english", "W:W18:B15,22,24")).is_decided
    verdict = engine.probe(Board("english", "W:WK32,K31:BK1"))
    assert (verdict.outcome, verdict.sure) == ("win", True) and (verdict.plies or 0) > 0
    best = [move for move, after in verdict.moves.items() if after and after.outcome == "win"]
    assert best and all(move in Board("english", "W:WK32,K31:BK1").legal_moves for move in best)
    assert engine.probe(Board("international")) is None
    program = [sys.executable, "-m", "soffio", "tables", "build", "--variant", "english", "--pieces", "2", "--dir", str(tmp_path)]
    subprocess.run(program, check=True, capture_output=True)
    from_files = Engine(tables=tmp_path, options={"TableMemory": 0})
    two = Board("english", "W:WK32:BK1")
    assert from_files.probe(two) == engine.probe(two) and from_files.probe(two).outcome == "draw"
    assert from_files.probe(Board("english", "W:WK32,K31:BK1")) is None


@pytest.mark.skipif(importlib.util.find_spec("soffio.x86_64_v3") is None, reason="only release wheels have two builds")
def test_the_build_for_this_processor_is_selected():
    from soffio import _soffio
    from soffio._native import native

    assert native.__name__ == ("soffio.x86_64_v3._soffio" if _soffio.has_x86_64_v3() else "soffio._soffio")
    assert _soffio.Board("english").perft(6) == Board("english").perft(6) == 36768
    assert _soffio.SearchEngine.option_table() == Engine.option_table()


def test_the_program_is_in_the_package():
    program = [sys.executable, "-m", "soffio"]
    handshake = subprocess.run([*program, "hub"], input="hub\nquit\n", capture_output=True, text=True, timeout=60)
    assert handshake.returncode == 0 and "id name=Soffio" in handshake.stdout and "wait" in handshake.stdout
    script = os.path.join(os.path.dirname(sys.executable), "soffio")
    for command in (program, [script]):
        counted = subprocess.run([*command, "perft", "--variant", "english", "6"], capture_output=True, text=True).stdout
        assert counted.split()[:3] == ["perft", "6", "36768"]
    wrong = subprocess.run([*program, "nonsense"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "nonsense" in wrong.stderr
    unheard = subprocess.Popen([*program, "hub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    unheard.stdin.write(b"hub\n")
    unheard.stdin.flush()
    unheard.stdout.readline()
    unheard.send_signal(signal.SIGINT)
    assert unheard.wait(20) in (-signal.SIGINT, 0, 130)


def test_the_version_matches_the_package():
    assert soffio.__version__ == importlib.metadata.version("soffio")
    printed = subprocess.run([sys.executable, "-m", "soffio", "--version"], capture_output=True, text=True).stdout
    assert soffio.__version__ in printed.split()


def test_objects_have_a_useful_repr():
    engine = Engine(hash=2, level=Elo(900))
    assert repr(engine) == "<Engine Hash=2 UCI_Elo=900 UCI_LimitStrength=True>" and repr(Engine()) == "<Engine>"
    engine.close()
    assert repr(engine) == "<Engine closed>"
