"""Tests of the package without numpy, with an interrupted import of numpy, and with numpy installed later."""

import subprocess
import sys

import pytest

# All functions that need numpy.
CALLS = [
    "soffio.pack('english', [FEN])",
    "soffio.unpack('english', [FEN])",
    "soffio.evaluate_many('english', [FEN])",
    "soffio.legal_moves_many('english', [FEN])",
    "soffio.to_planes('english', [FEN])",
    "soffio.from_planes('english', [[[[0]]]])",
    "soffio.network_inputs('english', [FEN])",
    "list(soffio.SelfPlayData(sys.argv[1]))",
    "soffio.SelfPlayData(sys.argv[1]).save('out.npy')",
    "soffio.write_weights('own.weights', 'english', first=0, first_bias=0, second=0, second_bias=0, last=0, last_bias=0)",
    "soffio.read_weights('own.weights')",
    "soffio.POSITION",
    "soffio.arrays.MOVE",
]

CODE = """
import sys
{before}
from soffio import *
import soffio
FEN = Board("english").fen()
for call in [{calls}]:
    try:
        call()
        print("done")
    except BaseException as error:
        print(f"{{type(error).__name__}}: {{error}}")
assert Engine(hash=1).play(Board(), Limit(depth=2)).move
"""


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games"
    command = [sys.executable, "-m", "soffio", "selfplay", "--variant", "english", "--games", "2", "--nodes", "60", "--out", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def output(before, games, folder, calls=CALLS):
    code = CODE.format(before=before, calls=", ".join(f"lambda: {call}" for call in calls))
    ran = subprocess.run([sys.executable, "-c", code, str(games)], capture_output=True, text=True, cwd=folder)
    assert ran.returncode == 0 and not ran.stderr, ran.stderr
    return ran.stdout.splitlines()


def test_without_numpy_arrays_report_what_they_need(games, tmp_path):
    missing = "ModuleNotFoundError: arrays need numpy, which is not installed: pip install 'soffio[numpy]'"
    assert output("sys.modules['numpy'] = None", games, tmp_path) == [missing] * len(CALLS)
    assert not list(tmp_path.iterdir())


def test_ctrl_c_during_the_import_of_numpy_is_raised(games, tmp_path):
    fake = tmp_path / "fake" / "numpy"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("raise KeyboardInterrupt")
    before = f"sys.path.insert(0, {str(fake.parent)!r})"
    assert output(before, games, tmp_path) == ["KeyboardInterrupt: "] * len(CALLS)


@pytest.mark.parametrize("name", ["numpy.lib", "numpy._core.multiarray"])
def test_ctrl_c_during_the_first_use_of_numpy_is_harmless(name, games, tmp_path):
    """Interrupts the extension while it loads what it needs, after the import of numpy. The next call must work."""
    before = f"""
import builtins, signal
import numpy
signal.signal(signal.SIGINT, signal.default_int_handler)
real, left = builtins.__import__, [1]
def interrupted(name, *rest):
    if name == {name!r} and left:
        left.clear()
        signal.raise_signal(signal.SIGINT)
    return real(name, *rest)
builtins.__import__ = interrupted
"""
    assert output(before, games, tmp_path, [CALLS[0], CALLS[0]]) == ["KeyboardInterrupt: ", "done"]
