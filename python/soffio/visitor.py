"""Visitors of game records. As in ``chess.pgn``, a visitor receives the parts of a game one by one and builds its own result, without
a tree of the moves.

>>> import soffio
>>> class CaptureCounter(soffio.BaseVisitor[int]):
...     def begin_game(self):
...         self.captures = 0
...     def visit_move(self, board, move):
...         self.captures += move.is_capture
...     def result(self):
...         return self.captures
>>> list(soffio.visit_games("1. 11-15 22-18 2. 15x22 25x18 *", CaptureCounter))
[2]
"""

from __future__ import annotations

from enum import Enum
from typing import Generic, TypeVar

from soffio._native import native

ResultT = TypeVar("ResultT")


class Skip(Enum):
    """The type of ``SKIP``."""

    SKIP = None


SKIP = Skip.SKIP
"""The return value of a visitor's method that skips a game or a variation."""


class BaseVisitor(Generic[ResultT]):
    """The base class of visitors. Its methods do nothing, except ``result``, which must be overridden.

    For each game the methods are called in this order: ``begin_game``, ``visit_source``, ``visit_header`` for each tag, ``end_headers``,
    ``begin_moves``, ``handle_error`` for each deviation, and for each move ``visit_move``, ``visit_nag``, ``visit_comment`` and its
    variations; then ``visit_result``, ``end_game`` and ``result``.
    """

    def begin_game(self) -> None:
        """Called at the start of a game."""

    def visit_source(self, source: str) -> None:
        """Called with the whole text of the game."""

    def visit_header(self, name: str, value: str) -> None:
        """Called for each tag."""

    def end_headers(self) -> Skip | None:
        """Called after the tags. If it returns ``SKIP``, everything up to ``end_game`` is skipped."""
        return None

    def begin_moves(self, board: native.Board, variant_is_guessed: bool) -> None:
        """Called with a board at the start position. ``variant_is_guessed`` is true if no tag names the variant."""

    def visit_move(self, board: native.Board, move: native.Move) -> None:
        """Called for each legal move, with the board before the move. The board changes later: copy it to keep the position."""

    def visit_set_up(self, board: native.Board) -> None:
        """Called for a position that the record sets up between moves."""

    def visit_comment(self, comment: str) -> None:
        """Called for each comment: on the last move, or before the first move of the game or variation."""

    def visit_nag(self, nag: int) -> None:
        """Called for each mark (NAG) of the last move."""

    def begin_variation(self) -> Skip | None:
        """Called before an alternative to the last move. If it returns ``SKIP``, the variation is skipped."""
        return None

    def end_variation(self) -> None:
        """Called at the end of an alternative, before the previous line continues."""

    def handle_error(self, error: str) -> None:
        """Called for each deviation from the standard, and for moves that are illegal."""

    def visit_result(self, result: str) -> None:
        """Called with the result as it is written, such as ``1-0``, ``2-0`` or ``*``."""

    def end_game(self) -> None:
        """Called at the end of a game, even if it was skipped."""

    def result(self) -> ResultT:
        """Returns the result of the visit."""
        raise NotImplementedError(f"{type(self).__name__} must override result()")


class HeadersBuilder(BaseVisitor["dict[str, str]"]):
    """Returns the tags of each game and skips its moves.

    >>> import soffio
    >>> list(soffio.visit_games('[White "a"] 1. 11-15 * [White "b"] 1. 11-15 *', HeadersBuilder))
    [{'White': 'a'}, {'White': 'b'}]
    """

    def begin_game(self) -> None:
        """Starts with an empty dictionary."""
        self._headers: dict[str, str] = {}

    def visit_header(self, name: str, value: str) -> None:
        """Stores the tag."""
        self._headers[name] = value

    def end_headers(self) -> Skip | None:
        """Skips the moves."""
        return SKIP

    def result(self) -> dict[str, str]:
        """Returns the tags."""
        return self._headers
