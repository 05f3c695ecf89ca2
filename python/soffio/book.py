"""Opening books: the moves that a file has for a position, with the words of ``chess.polyglot`` where it has one."""

from __future__ import annotations

import random
from dataclasses import dataclass
from os import PathLike
from typing import Any

from soffio._given import checked
from soffio._given import path as checked_path
from soffio._native import native
from soffio.score import PovScore, Score


@dataclass(frozen=True)
class BookMove:
    """A move of a book: ``score`` knows the side that plays it, and is ``None`` where none is known; ``weight`` how often it is chosen in
    proportion to the others; ``depth`` the plies that were looked ahead, 0 where that is not known.
    """

    move: native.Move
    score: PovScore | None
    weight: int
    depth: int
    goes_on: bool
    """Whether the book has moves after it, too."""
    is_proved: bool
    """Whether the score is proved: a win, a loss, or a draw by endgame tables."""

    @classmethod
    def _of(cls, found: tuple[native.Move, tuple[str, int] | None, int, int, bool, bool], turn: bool) -> BookMove:
        move, score, weight, depth, goes_on, is_proved = found
        known = None if score is None else PovScore(Score._of(score), turn)
        return cls(move, known, weight, depth, goes_on, is_proved)


class Book:
    """An opening book of any variant, as ``soffio book`` grows them. ``len(book)`` is the number of its moves.

    ``Engine(book=...)`` plays from one. ``BookError`` says what is wrong with a file.

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
        """The variant that it is for."""
        return self._reader.variant

    @property
    def header(self) -> dict[str, Any]:
        """What it says of itself: ``author``, ``licence``, ``engine``, ``nodes``, ``plan`` and ``roots``."""
        return self._reader.header()

    def __len__(self) -> int:
        return len(self._reader)

    def __contains__(self, board: native.Board) -> bool:
        return bool(self.probe(board))

    def probe(self, board: native.Board) -> list[BookMove]:
        """All moves of the position, the best one first; none if the book does not have it."""
        board = checked("board", native.Board, board).copy()
        return [BookMove._of(found, board.turn) for found in self._reader.probe(board)]

    def choose(self, board: native.Board, *, margin: int = 5, seed: int | None = None) -> BookMove | None:
        """The move that the engine would play, with the option ``BookVariety`` as ``margin``, drawn by the weights; ``None`` if there is none.

        No move is among them that loses by the book or by the rules of the game at hand.
        """
        board = checked("board", native.Board, board).copy()
        found = self._reader.choose(board, margin, random.getrandbits(64) if seed is None else seed)
        return None if found is None else BookMove._of(found, board.turn)
