"""Processes many positions at once, as numpy arrays. All functions release the GIL while they process the positions.

A position is an element of type ``POSITION``. Its fields are ``white_to_move`` and the bitboards ``white``, ``black`` and ``kings``,
each of which has two 64-bit words. ``Variant.bits`` maps squares to bits. Draw counters are not included.

Positions from self-play games have further fields. ``quiet`` is true if neither side can capture. ``score`` is the score for the side
to move in the same units as ``evaluate_many``; it is valid only if ``scored`` is true. ``result`` is the result of the game for White
(1, 0 or -1). ``ply`` and ``game`` are the numbers of the ply and of the game.

>>> import soffio
>>> positions = soffio.pack("english", ["W:W18:B15,22,24", soffio.Board("english").fen()])
>>> soffio.evaluate_many("english", positions).shape
(2,)
>>> soffio.unpack("english", positions)[0]
'W:W18:B15,22,24'
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from soffio._arguments import path as checked_path
from soffio._arguments import type_error
from soffio._files import replacing
from soffio._native import native

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    POSITION: np.dtype[np.void]
    MOVE: np.dtype[np.void]

_WORDS = 8
_SETS = [("white", "<u8", 2), ("black", "<u8", 2), ("kings", "<u8", 2)]
_MARKS = [("white_to_move", "?"), ("quiet", "?"), ("scored", "?"), ("result", "i1"), ("ply", "<u2"), ("score", "<i2"), ("game", "<u8")]
_MOVE = [("captured", "<u8", 2), ("from_square", "u1"), ("to_square", "u1"), ("crowned_in_passing", "?"), ("", "V5")]


def __getattr__(name: str) -> Any:
    # Import numpy only when it is needed, because the rest of the package works without it.
    fields: dict[str, list[Any]] = {"POSITION": _SETS + _MARKS, "MOVE": _MOVE}
    if name not in fields:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return numpy().dtype(fields[name])


def numpy() -> Any:
    """Imports numpy, loads its C API into the extension, and returns the module. Raises ``ImportError`` if numpy is not installed."""
    global _numpy
    if _numpy is None:
        try:
            import numpy as found
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError("arrays need numpy, which is not installed: pip install 'soffio[numpy]'", name="numpy") from error
        native.load_numpy()
        _numpy = found
    return _numpy


_numpy: Any = None


def _words(variant: str, positions: NDArray[np.void] | Iterable[str]) -> NDArray[np.uint64]:
    np = numpy()
    if not isinstance(positions, np.ndarray) or positions.dtype.kind in "UO":
        return native.pack(variant, _fens(positions))
    kind = __getattr__("POSITION")
    if positions.dtype != kind or positions.ndim != 1:
        raise native.PositionsError(f"positions must be a one-dimensional array of soffio.POSITION, not {positions.dtype} {positions.shape}")
    # A POSITION has no alignment, so the requirement applies only to its words.
    words: NDArray[Any] = np.require(np.ascontiguousarray(positions).view("<u8"), requirements=["C", "A"]).reshape(-1, _WORDS)
    return words


def _fens(fens: Iterable[str]) -> list[str]:
    if isinstance(fens, str) or not isinstance(fens, Iterable):
        raise type_error("positions", "an array of soffio.POSITION, or an iterable of FENs", fens)
    return list(fens)


def _positions(words: NDArray[np.uint64]) -> NDArray[np.void]:
    found: NDArray[np.void] = words.view(__getattr__("POSITION")).reshape(-1)
    return found


def pack(variant: str, fens: Iterable[str]) -> NDArray[np.void]:
    """Converts FENs to positions. Raises ``FenError`` with the index of the invalid FEN, counted from 0."""
    numpy()
    return _positions(native.pack(variant, _fens(fens)))


def unpack(variant: str, positions: NDArray[np.void]) -> list[str]:
    """Converts positions to FENs. Raises ``PositionsError`` if one of them is invalid."""
    return native.unpack(variant, _words(variant, positions))


def evaluate_many(
    variant: str, positions: NDArray[np.void] | Iterable[str], *, eval_file: str | PathLike[str] | None = None
) -> NDArray[np.int16]:
    """Returns the network's evaluation of each position for the side to move. Captures are not searched.

    In the network's units, 100 is the average effect of one extra man. The scores of ``Engine`` have a different scale.

    ``positions`` can be packed positions or FENs. FENs take much longer, because they have to be parsed.
    """
    return native.evaluate(variant, _words(variant, positions), None if eval_file is None else checked_path("eval_file", eval_file))


class LegalMovesResult(NamedTuple):
    """The legal moves of many positions. The moves of position ``i`` are ``moves[starts[i]:starts[i + 1]]``.

    Each move has the fields ``from_square``, ``to_square``, ``captured`` (a bitboard) and ``crowned_in_passing``. If requested,
    ``successors`` contains the position after each move. Its ``game`` field is the index of the position before the move.
    """

    starts: NDArray[np.int64]
    moves: NDArray[np.void]
    successors: NDArray[np.void] | None


def legal_moves_many(variant: str, positions: NDArray[np.void] | Iterable[str], *, successors: bool = False) -> LegalMovesResult:
    """Returns the legal moves of each position and, if ``successors`` is true, the positions after them.

    >>> import soffio
    >>> found = soffio.legal_moves_many("international", [soffio.Board().fen()] * 3, successors=True)
    >>> found.starts.tolist(), len(found.moves), len(found.successors)
    ([0, 9, 18, 27], 27, 27)
    """
    starts, moves, after = native.legal_moves(variant, _words(variant, positions), successors)
    return LegalMovesResult(starts, moves.view(__getattr__("MOVE")).reshape(-1), _positions(after) if successors else None)


def to_planes(variant: str, positions: NDArray[np.void] | Iterable[str]) -> NDArray[np.uint8]:
    """Converts positions to planes, in an array of shape (n, 5, height, width).

    The planes of a position are White's men, White's kings, Black's men, Black's kings, and the side to move. The last plane is 1
    everywhere if White is to move, and otherwise 0. Row 0 is at the top of the board.
    """
    return native.planes(variant, _words(variant, positions))


def from_planes(variant: str, planes: NDArray[np.uint8]) -> NDArray[np.void]:
    """Converts planes to positions. Any value other than 0 stands for a piece or, in the last plane, for White to move."""
    np = numpy()
    cells = np.asarray(planes)
    if cells.ndim != 4 or cells.dtype.kind not in "biuf":
        raise native.PositionsError(f"planes must be a four-dimensional array of numbers, not {cells.dtype} {cells.shape}")
    return _positions(native.from_planes(variant, np.ascontiguousarray(cells != 0).view("u1")))


def network_inputs(variant: str, positions: NDArray[np.void] | Iterable[str]) -> NDArray[np.uint8]:
    """Returns the network inputs of each position as a row of zeros and ones, from the point of view of the side to move.

    There is one input per square for each of the following: the men and the kings of the side to move, and the men and the kings of
    the other side.
    """
    return native.inputs(variant, _words(variant, positions))


class SelfPlayData:
    """The positions in a file that was written by ``soffio selfplay``, in batches of whole games.

    The object is an iterable of ``POSITION`` arrays. Each iteration reads the file again. If the end of the file is missing,
    because writing was interrupted, the iteration ends with a ``UserWarning``.
    """

    def __init__(self, path: str | PathLike[str], *, batch: int = 1 << 16) -> None:
        self.path = checked_path("path", path)
        self.batch = native.whole_number("batch", batch, 1, 2**40)
        reader = native.DataReader(self.path)
        self.variant = reader.variant
        self.plan = reader.plan
        self.is_truncated: bool | None = None
        """Whether the end of the file is missing, or ``None`` if no iteration has reached the last complete game."""

    def __repr__(self) -> str:
        return f"SelfPlayData({self.path!r}, batch={self.batch})"

    def __iter__(self) -> Iterator[NDArray[np.void]]:
        yield from self._batches()
        self._warn()

    def _batches(self) -> Iterator[NDArray[np.void]]:
        numpy()
        reader = native.DataReader(self.path)
        while (words := reader.read(self.batch)) is not None:
            yield _positions(words)
        self.is_truncated = reader.is_truncated

    def _warn(self) -> None:
        if self.is_truncated:
            # The level is that of the code that iterates or saves.
            warnings.warn(f"{self.path}: the end of the file is missing because writing was interrupted", UserWarning, stacklevel=3)

    def save(self, path: str | PathLike[str]) -> int:
        """Writes all positions to a ``.npy`` file, which ``numpy.load(path, mmap_mode="r")`` can map, and returns their number.

        The file appears only when it is complete. An existing file keeps its permissions, and a device or pipe is
        written directly. If the file cannot be written, for example because the disk is full, the method raises
        ``OSError``, and an existing file is unchanged.
        """
        np = numpy()
        count = left = sum(len(batch) for batch in self._batches())
        header = {"descr": np.lib.format.dtype_to_descr(__getattr__("POSITION")), "fortran_order": False, "shape": (count,)}
        with replacing(checked_path("path", path)) as file:
            np.lib.format.write_array_header_1_0(file, header)
            for batch in self._batches():
                file.write(batch.view("u1").data)
                left -= len(batch)
            if left:
                raise native.DataError(f"{self.path}: the file changed while it was read")
        self._warn()
        return count
