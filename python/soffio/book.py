"""Reads opening books. Names follow ``chess.polyglot`` where it has a counterpart."""

from __future__ import annotations

import random
from dataclasses import dataclass
from os import PathLike
from typing import Any

from soffio._arguments import check_type
from soffio._arguments import path as checked_path
from soffio._native import native
from soffio.score import PovScore, Score


@dataclass(frozen=True)
class BookMove:
    """A move in a book.

    ``score`` is from the point of view of the side that plays the move, or ``None`` if it is unknown. The move is
    chosen with a probability proportional to ``weight``. ``depth`` is the search depth in plies, or 0 if it is unknown.
    """

    move: native.Move
    score: PovScore | None
    weight: int
    depth: int
    continues: bool
    """Whether the book also contains moves after this move."""
    is_proved: bool
    """Whether the score is proved, which is the case for wins, losses, and draws according to endgame tables."""

    @classmethod
    def _of(cls, found: tuple[native.Move, tuple[str, int] | None, int, int, bool, bool], turn: bool) -> BookMove:
        move, score, weight, depth, continues, is_proved = found
        known = None if score is None else PovScore(Score._of(score), turn)
        return cls(move, known, weight, depth, continues, is_proved)


class Book:
    """An opening book of any variant, as built by ``soffio book``. ``len(book)`` is the number of moves in the book.

    ``Engine(book=...)`` plays moves from a book. If the file is invalid, the constructor raises ``BookError`` with the reason,
    and if it cannot be opened, ``OSError``.

    >>> import soffio, subprocess, sys, tempfile
    >>> path = tempfile.mkdtemp() + "/small.book"
    >>> grow = "soffio book grow --variant english --positions 60 --nodes 100 --threads 1 --out"
    >>> _ = subprocess.run([sys.executable, "-m", *grow.split(), path], check=True, capture_output=True)
    >>> book, board = soffio.Book(path), soffio.Board("english")
    >>> found = book.probe(board)
    >>> len(found), found[0].move in board.legal_moves, found[0].score.relative >= found[-1].score.relative
    (7, True, True)
    >>> book.choose(board).move in board.legal_moves
    True
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = checked_path("path", path)
        self._reader = native.BookReader(self.path)

    def __repr__(self) -> str:
        return f"Book({self.path!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.path,))

    @property
    def variant(self) -> str:
        """The variant of the book."""
        return self._reader.variant

    @property
    def header(self) -> dict[str, Any]:
        """The metadata in the file: ``author``, ``licence``, ``engine``, ``nodes``, ``plan`` and ``roots``."""
        return self._reader.header()

    def __len__(self) -> int:
        return len(self._reader)

    def __contains__(self, board: native.Board) -> bool:
        return bool(self.probe(board))

    def probe(self, board: native.Board) -> list[BookMove]:
        """Returns all book moves in the position, best first. The list is empty if the book does not contain the position."""
        board = check_type("board", native.Board, board).copy()
        return [BookMove._of(found, board.turn) for found in self._reader.probe(board)]

    def choose(self, board: native.Board, *, margin: int = 5, seed: int | None = None) -> BookMove | None:
        """Chooses a move at random by weight, as the engine does if ``BookVariety`` is set to ``margin``.

        Returns ``None`` if there is no move to choose. Never chooses a move that the book scores as a loss, or that loses the current
        game at once or after the opponent's next move.
        """
        board = check_type("board", native.Board, board).copy()
        found = self._reader.choose(board, margin, random.getrandbits(64) if seed is None else seed)
        return None if found is None else BookMove._of(found, board.turn)
