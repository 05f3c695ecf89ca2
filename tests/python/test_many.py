"""Tests of positions as arrays, weights from arrays, self-play games, and batch records."""

import csv
import errno
import fractions
import json
import os
import random
import signal
import stat
import subprocess
import sys
from collections import defaultdict

import numpy as np
import pytest

import soffio
from soffio import Board, Engine, Limit


def positions_of(variant, plies=40, games=3):
    choose = random.Random(variant)
    fens = []
    for _ in range(games):
        board = Board(variant)
        while board.ply() < plies and board.legal_moves:
            board.push(choose.choice(board.legal_moves))
            fens.append(Board(variant, board.fen().split(":H")[0].split(":E")[0].split(":F")[0].split(":+")[0]).fen())
    return fens


@pytest.mark.parametrize("variant", soffio.VARIANTS)
def test_arrays_match_boards(variant):
    fens = positions_of(variant)
    packed = soffio.pack(variant, fens)
    assert packed.dtype == soffio.POSITION and packed.dtype.itemsize == 64 and soffio.unpack(variant, packed) == fens
    planes = soffio.to_planes(variant, packed)
    back = soffio.from_planes(variant, planes)
    assert all((back[field] == packed[field]).all() for field in ("white", "black", "kings", "white_to_move"))
    shape = soffio.Variant.named(variant)
    assert planes.shape == (len(fens), 5, shape.height, shape.width)
    inputs = soffio.network_inputs(variant, packed)
    assert inputs.shape == (len(fens), 4 * shape.squares) and (inputs.sum(1) == planes[:, :4].sum((1, 2, 3))).all()
    starts, moves, successors = soffio.legal_moves_many(variant, packed, successors=True)
    values = soffio.evaluate_many(variant, packed)
    engine, after, scores = Engine(hash=1), soffio.unpack(variant, successors), defaultdict(list)
    for index, fen in enumerate(fens):
        board, found = Board(variant, fen), moves[starts[index] : starts[index + 1]]
        legal = board.legal_moves
        assert [(m.from_square, m.to_square) for m in legal] == [(f, t) for f, t in zip(found["from_square"], found["to_square"])]
        if not board.can_capture and legal:
            scores[len(board.piece_map())].append((int(values[index]), engine.evaluate(board).relative.cp))
        for move, fen_after in zip(legal, after[starts[index] : starts[index + 1]]):
            played = board.copy()
            played.push(move)
            assert (played.piece_map(), played.turn) == (Board(variant, fen_after).piece_map(), Board(variant, fen_after).turn)
    # The network uses its own scale. The common scale in cp differs by a factor that depends on the number of pieces.
    for of_number in scores.values():
        value, cp = max(of_number, key=lambda pair: abs(pair[0]))
        assert all(value * other_cp == pytest.approx(cp * other, abs=abs(value) + abs(other)) for other, other_cp in of_number)


def test_arrays_that_are_not_positions_are_rejected():
    packed = soffio.pack("english", [Board("english").fen()] * 3)
    wrong = [("white", [1 << 60, 0]), ("black", packed["white"][0]), ("kings", [0, 1]), ("black", [1 << 33, 0])]
    for field, value in wrong:
        spoilt = packed.copy()
        spoilt[field][1] = value
        for call in (soffio.evaluate_many, soffio.legal_moves_many, soffio.unpack, soffio.to_planes, soffio.network_inputs):
            with pytest.raises(soffio.PositionsError, match="position 1: "):
                call("english", spoilt)
    for spoilt in (np.zeros(3), np.zeros((3, 8), "<u8"), packed.reshape(1, 3), np.zeros(1, soffio.POSITION)):
        with pytest.raises(soffio.PositionsError):
            soffio.evaluate_many("english", spoilt)
    with pytest.raises(soffio.FenError, match="position 1: fen 'W:W99:B1'"):
        soffio.evaluate_many("english", ["W:W20:B1", "W:W99:B1"])
    with pytest.raises(soffio.PositionsError, match="shape"):
        soffio.from_planes("english", np.zeros((1, 5, 10, 10), np.uint8))
    with pytest.raises(soffio.PositionsError, match="not playable"):
        soffio.from_planes("english", np.ones((1, 5, 8, 8), np.uint8))
    assert soffio.evaluate_many("english", []).shape == (0,)
    # Only every second position is used, so that the array is not contiguous.
    assert soffio.evaluate_many("english", packed[::2]).shape == (2,)
    unaligned = np.frombuffer(b"x" + packed.tobytes(), soffio.POSITION, offset=1)
    assert not unaligned.view("<u8").flags.aligned and soffio.evaluate_many("english", unaligned).shape == (3,)


@pytest.mark.parametrize("kind", ["U", "O"])
def test_arrays_of_fens_are_accepted(kind):
    fens = [Board("english").fen(), "W:W30:B1"]
    of_fens = np.array(fens, kind)
    for call in (soffio.pack, soffio.evaluate_many, soffio.to_planes, soffio.network_inputs):
        assert (call("english", of_fens) == call("english", fens)).all()
    assert (soffio.legal_moves_many("english", of_fens).moves == soffio.legal_moves_many("english", fens).moves).all()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timers")
@pytest.mark.parametrize("call", [soffio.evaluate_many, soffio.legal_moves_many, soffio.unpack, soffio.to_planes])
def test_a_signal_interrupts_work_on_many_positions(call):
    positions = np.repeat(soffio.pack("english", [Board("english").fen()]), 3 << 18)
    # The call reaches this invalid position only if it is not interrupted.
    positions["white"][-1] = 1 << 60

    def interrupt(*_):
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt) as found:
            # On a busy machine, the signal can arrive before the call.
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            call("english", positions)
            signal.pause()
        assert found.value.__context__ is None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


def random_network(variant, buckets=()):
    shape = soffio.NetworkShape.for_variant(variant)
    draw = np.random.default_rng(1)
    return {
        "first": draw.uniform(-0.1, 0.1, (shape.inputs, shape.first_units)),
        "first_bias": draw.uniform(0, 0.5, shape.first_units),
        "second": draw.uniform(-0.3, 0.3, (*buckets, shape.first_units, shape.second_units)),
        "second_bias": draw.uniform(0, 0.5, (*buckets, shape.second_units)),
        "last": draw.uniform(-2, 2, (*buckets, shape.second_units)),
        "last_bias": draw.uniform(0, 0.1, buckets),
    }


@pytest.mark.parametrize("buckets", [(), (4,)])
@pytest.mark.parametrize(("variant", "most"), [("english", 24), ("turkish", 32), ("canadian", 60)])
def test_written_weights_are_used_by_the_engine(variant, most, buckets, tmp_path):
    network, path = random_network(variant, buckets), tmp_path / "own.weights"
    soffio.write_weights(path, variant, **network, man=0.7, note="random")
    read = soffio.read_weights(path)
    assert (read["variant"], read["note"]) == (variant, "random")
    for name, values in network.items():
        scale = 0.7 if name.startswith("last") else 1
        assert np.allclose(np.asarray(read[name]) * scale, values, atol=2e-3), name
    positions = soffio.pack(variant, positions_of(variant))
    inputs = soffio.network_inputs(variant, positions).astype(float)
    # A network without buckets has the same weights in each bucket.
    bucket = np.minimum((inputs.sum(1).astype(int) - 1) * 4 // most, 3)
    own = {name: values[bucket] if buckets and "first" not in name else np.asarray(values)[None] for name, values in network.items()}
    first = np.clip(inputs @ network["first"] + network["first_bias"], 0, 1)
    second = np.clip((first[:, :, None] * own["second"]).sum(1) + own["second_bias"], 0, 1)
    expected = 100 * ((second * own["last"]).sum(1) + own["last_bias"]) / 0.7
    values = soffio.evaluate_many(variant, positions, eval_file=path)
    no_kings = (positions["kings"] == 0).all(1)
    assert np.abs(values - expected)[no_kings].max() < 16
    engine = Engine(eval_file=path)
    assert engine.play(Board(variant), Limit(depth=3)).move
    with pytest.raises(soffio.WeightsError, match="for a different variant"):
        soffio.evaluate_many("italian", soffio.pack("italian", [Board("italian").fen()]), eval_file=path)


def test_weights_that_do_not_fit_are_rejected(tmp_path):
    path, network = tmp_path / "own.weights", random_network("english")
    for name, value, reason in [
        ("first", np.zeros((3, 128)), "shape"),
        ("first_bias", np.zeros(5), "shape \\(5,\\), expected \\(256,\\)"),
        ("second", np.full((256, 8), 1e6), "outside the range"),
        ("last", np.full(8, np.nan), "outside the range"),
        ("second_bias", np.zeros((3, 8)), "expected \\(8,\\) or \\(4, 8\\)"),
        ("first", np.full((128, 256), 60.0), "overflow"),
        ("man", 0, "man"),
    ]:
        with pytest.raises(soffio.WeightsError, match=reason):
            soffio.write_weights(path, "english", **{**network, name: value})
    assert not path.exists()
    path.write_bytes(b"nothing")
    for call in (soffio.read_weights, lambda path: Engine(eval_file=path)):
        with pytest.raises(soffio.WeightsError, match="own.weights"):
            call(path)


def test_self_play_games_are_read_in_batches(tmp_path):
    file, mapped = tmp_path / "games", tmp_path / "positions.npy"
    program = [sys.executable, "-m", "soffio"]
    command = [*program, "selfplay", "--variant", "english", "--games", "12", "--nodes", "60", "--seed", "1", "--out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    data = soffio.SelfPlayData(file, batch=100)
    assert data.variant == "english" and data.plan
    batches = list(data)
    positions = np.concatenate(batches)
    assert len(batches) > 1 and len(set(positions["game"])) == 12 and set(positions["result"]) <= {-1, 0, 1}
    exported = subprocess.run([*program, "data", "--csv", str(file)], capture_output=True, text=True)
    rows = list(csv.DictReader(exported.stdout.splitlines()))
    assert [row["fen"] for row in rows] == soffio.unpack("english", positions)
    assert [row["score"] for row in rows] == [str(p["score"]) if p["scored"] else "" for p in positions]
    assert [int(row["ply"]) for row in rows] == positions["ply"].tolist()
    assert data.save(mapped) == len(positions)
    loaded = np.load(mapped, mmap_mode="r")
    assert (loaded == positions).all() and isinstance(loaded, np.memmap)
    assert soffio.evaluate_many("english", loaded).shape == (len(positions),)
    assert repr(data) == f"SelfPlayData({str(file)!r}, batch=100)"
    for wrong in (0, -1, 2**64):
        with pytest.raises(ValueError, match=f"batch must be from 1 to .*, not {wrong}"):
            soffio.SelfPlayData(file, batch=wrong)
    with pytest.raises(soffio.DataError, match="positions.npy: not a self-play game file"):
        soffio.SelfPlayData(mapped)
    assert data.is_truncated is False
    file.write_bytes(file.read_bytes() + b"cut")
    cut = soffio.SelfPlayData(file)
    assert cut.is_truncated is None
    with pytest.warns(UserWarning, match="games: the end of the file is missing") as found:
        number = sum(len(batch) for batch in cut)
    assert number == len(positions) and cut.is_truncated and found[0].filename == __file__
    with pytest.warns(UserWarning, match="is missing") as found:
        assert cut.save(mapped) == number
    assert len(found) == 1 and found[0].filename == __file__


# A limit on the file size has the same effect as a full disk.
LIMITED = """
import resource, sys
import numpy, soffio
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    {call}
except OSError as error:
    print(type(error).__name__, error.errno, error.filename)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="file size limits need Linux")
@pytest.mark.parametrize("is_there", [False, True])
@pytest.mark.parametrize("call", ["soffio.SelfPlayData(sys.argv[1]).save(sys.argv[2])", "soffio.write_weights(sys.argv[2], **network)"])
def test_a_file_that_cannot_be_written_is_an_error_and_leaves_nothing(call, is_there, tmp_path):
    games, path = tmp_path / "games", tmp_path / "out" / "file"
    path.parent.mkdir()
    if is_there:
        path.write_bytes(b"old")
    command = [sys.executable, "-m", "soffio", "selfplay", "--variant", "english", "--games", "4", "--nodes", "60", "--out", str(games)]
    subprocess.run(command, check=True, capture_output=True)
    arrays = "shape = soffio.NetworkShape.for_variant('english'); z = numpy.zeros\nnetwork = dict(variant='english', first=z((shape.inputs, 256)),"
    arrays += " first_bias=z(256), second=z((256, 8)), second_bias=z(8), last=z(8), last_bias=0)\n"
    code = arrays + LIMITED.format(call=call) if "network" in call else LIMITED.format(call=call)
    code = "import numpy, soffio\n" + code
    ran = subprocess.run([sys.executable, "-c", code, str(games), str(path)], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"OSError {errno.EFBIG} {path}\n", "")
    assert [file.read_bytes() for file in path.parent.iterdir()] == ([b"old"] if is_there else [])


@pytest.mark.skipif(os.name != "posix", reason="pipes and permissions differ on other systems")
def test_special_files_are_kept_and_permissions_too(tmp_path):
    path, pipe, network = tmp_path / "own.weights", tmp_path / "pipe", random_network("english")
    path.touch(0o600)
    soffio.write_weights(path, "english", **network)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        soffio.write_weights(pipe, "english", **network)
        assert reader.communicate()[0] == path.read_bytes()
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_man_can_be_any_number(tmp_path):
    path, network = tmp_path / "own.weights", random_network("english")
    contents = []
    for man in (1, 1.0, np.float32(1), np.int64(1), fractions.Fraction(1)):
        soffio.write_weights(path, "english", **network, man=man)
        contents.append(path.read_bytes())
    assert len(set(contents)) == 1
    with pytest.raises(TypeError, match="man must be a number, not '1'"):
        soffio.write_weights(path, "english", **network, man="1")


def test_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere/own.weights"):
        soffio.write_weights(tmp_path / "nowhere" / "own.weights", "english", **random_network("english"))


def test_batch_records_match_the_command():
    requests = [{"variant": "english", "moves": ["11-15", "23-19"], "plies": True}, '{"fen": "nonsense"}', "{", {"variant": "chess"}]
    records = list(soffio.batch(requests, variant="italian", depth=5, hash=1))
    lines = "\n".join(request if isinstance(request, str) else json.dumps(request) for request in requests)
    command = [sys.executable, "-m", "soffio", "batch", "--variant", "italian", "--depth", "5", "--hash", "1"]
    printed = subprocess.run(command, input=lines, capture_output=True, text=True)
    assert [json.loads(line) for line in printed.stdout.splitlines()] == records
    assert len(records) == 6 and all("error" in record for record in records[3:])
    with pytest.raises(ValueError, match="multipv"):
        soffio.batch([], multipv=0)
    with pytest.raises(ValueError, match="time must be at most 86400 seconds"):
        soffio.batch([], time=100_000)
    # The default limit is the same as for the command.
    [record] = soffio.batch([{"moves": []}], variant="english", hash=1)
    assert record["limits"] == {"movetime": 500}
    with pytest.raises(soffio.VariantError):
        soffio.batch([], variant="chess")


def test_requests_may_contain_moves_and_numpy_numbers():
    move = Board("english").legal_moves[0]
    request = {"variant": "english", "moves": [move], "limits": {"depth": np.int64(2)}}
    [record] = soffio.batch([request], hash=1)
    assert "error" not in record and record["limits"] == {"depth": 2}
    for wrong, error in (({"fen": object()}, TypeError), ({(1, 2): 3}, TypeError)):
        with pytest.raises(error, match="request 2: "):
            list(soffio.batch([request, wrong], hash=1))
