"""Tests that examples/train_torch.py has the network of the engine and trains in the same way as `soffio train`."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import soffio
from test_many import positions_of

torch = pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples/train_torch.py"
_spec = importlib.util.spec_from_file_location("train_torch", SCRIPT)
example = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(example)


def endings_of(variant, count=200):
    """Returns random positions of 2 to 8 pieces, half of them kings, to test the scaling of endings that are hard to
    win.
    """
    draw, board = np.random.default_rng(1), soffio.Variant.named(variant)
    middle = [bit for bit, (row, _) in zip(board.bits, board.places) if 0 < row < board.height - 1]
    positions = np.zeros(count, soffio.POSITION)
    positions["white_to_move"] = draw.integers(2, size=count)
    for position in positions:
        for number, bit in enumerate(draw.choice(middle, draw.integers(2, 9), replace=False).tolist()):
            word, mask = bit // 64, np.uint64(1 << bit % 64)
            position["white" if number % 2 else "black"][word] |= mask
            position["kings"][word] |= mask * np.uint64(draw.integers(2))
    return positions


@pytest.mark.parametrize("variant", soffio.VARIANTS)
def test_the_network_is_that_of_the_engine(variant, tmp_path):
    network, path = example.Network(variant).double(), ROOT / f"data/weights/{variant}.weights"
    if not path.exists():
        path = tmp_path / "random.weights"
        network.write(path, example.MAN, "random")
    network.load(path)
    positions = np.concatenate([soffio.pack(variant, positions_of(variant, games=25)), endings_of(variant)])
    packed = torch.from_numpy(np.packbits(soffio.network_inputs(variant, positions), axis=1, bitorder="little"))
    values = soffio.evaluate_many(variant, positions, eval_file=path)
    with torch.no_grad():
        exact = network(network.unpacked(packed), quantised=True).numpy() * 100 / example.MAN
        plain = network.float()(network.unpacked(packed)).numpy()
    assert len(positions) > 900 and np.unique(values).size > 50
    # If activations are rounded down as in the engine, every value is the same.
    assert (np.clip(np.trunc(exact + 1e-6 * np.sign(exact)), -9000, 9000) == values).all()
    # Otherwise, the expected scores differ by the cost of quantisation: up to 0.006 on average, and 0.03 at most.
    chances = [1 / (1 + np.exp(-logits)) for logits in (plain, values / 100 * example.MAN)]
    difference = np.abs(chances[0] - chances[1])
    assert difference.mean() < 0.01 and difference.max() < 0.05


@pytest.mark.parametrize("variant", ["english", "turkish"])
def test_the_losses_are_those_of_soffio_train(variant, tmp_path):
    games, weights = tmp_path / "games", [tmp_path / "rust.weights", tmp_path / "torch.weights"]
    program = [sys.executable, "-m", "soffio"]
    command = [*program, "selfplay", "--variant", variant, "--games", "100", "--nodes", "60", "--out", str(games)]
    subprocess.run(command, check=True, capture_output=True)
    options = f"--variant {variant} --epochs 3 --seed 4 --score-share 0.6 {games}".split()
    trainers = [[*program, "train"], [sys.executable, str(SCRIPT), "--device", "cpu"]]
    trained = [
        subprocess.run([*trainer, "--out", str(path), *options], check=True, capture_output=True, text=True)
        for trainer, path in zip(trainers, weights)
    ]
    losses = [re.findall(r"epoch [1-9].* held out ([0-9.]+)", run.stdout + run.stderr) for run in trained]
    rust, own = ([float(loss) for loss in of_run] for of_run in losses)
    assert len(rust) == 3 and own == pytest.approx(rust, abs=1e-3)
    counts = [re.search("trained on .*", run.stdout)[0] for run in trained]
    assert counts[0] == counts[1]
    # The files are also nearly the same.
    positions = soffio.pack(variant, positions_of(variant))
    values = [soffio.evaluate_many(variant, positions, eval_file=path) for path in weights]
    assert np.abs(values[0] - values[1]).max() < 10
    assert soffio.Engine(eval_file=weights[1]).play(soffio.Board(variant), soffio.Limit(depth=3)).move
    again = subprocess.run([*trainers[1], "--out", str(weights[1]), *options], capture_output=True, text=True)
    assert again.returncode == 1 and "--overwrite" in again.stderr
