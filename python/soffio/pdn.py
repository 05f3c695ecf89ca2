"""Game records in Portable Draughts Notation, as trees: the words are those of ``chess.pgn``.

>>> import soffio
>>> text = '[GameType "21"] 1. 11-15 {[%eval 0.10] The old fourteenth} 23-19 (23-18 $6) 2. 8-11 *'
>>> game = soffio.read_game(text)
>>> [str(move) for move in game.mainline_moves()]
['11-15', '23-19', '8-11']
>>> game.next().comment, game.next().eval(), len(game.next().variations)
('[%eval 0.10] The old fourteenth', Score(cp=10, win=None), 2)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from soffio._native import native
from soffio.engine import Score

_Line = tuple[str | None, list[Any]]


class GameNode:
    """A position of a game, after ``move``: ``variations`` are the moves from here, the first one that of the main line."""

    def __init__(self, parent: GameNode | None, move: native.Move | None) -> None:
        self.parent = parent
        self.move = move
        self.comment = ""
        """The comment on the move, with its commands."""
        self.starting_comment = ""
        """The comment before the move, where it begins a variation."""
        self.nags: list[int] = []
        """Numeric annotation glyphs: 1 for ``!``, 2 ``?``, 3 ``!!``, 4 ``??``, 5 ``!?``, 6 ``?!``."""
        self.variations: list[GameNode] = []

    def board(self) -> native.Board:
        """A board of its own with the moves to here."""
        moves = []
        node = self
        while node.parent is not None:
            moves.append(node.move)
            node = node.parent
        board = node.board()
        for move in reversed(moves):
            assert move is not None
            board.push(move)
        return board

    def game(self) -> Game:
        """The root of the tree."""
        node = self
        while node.parent is not None:
            node = node.parent
        assert isinstance(node, Game)
        return node

    @property
    def turn(self) -> bool:
        """The side to move here."""
        depth, node = 0, self
        while node.parent is not None:
            depth, node = depth + 1, node.parent
        return node.board().turn ^ bool(depth % 2)

    def next(self) -> GameNode | None:
        """The node after the main move from here."""
        return self.variations[0] if self.variations else None

    def mainline(self) -> Iterator[GameNode]:
        """The nodes after this one along the main moves."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def mainline_moves(self) -> Iterator[native.Move]:
        """Their moves."""
        for node in self.mainline():
            assert node.move is not None
            yield node.move

    def add_variation(self, move: native.Move | str, *, comment: str = "", nags: list[int] | None = None) -> GameNode:
        """Adds a move from here, the first one as the main move. Raises as ``Board.push`` does."""
        node = GameNode(self, self.board().push(move))
        node.comment = comment
        node.nags = list(nags or [])
        self.variations.append(node)
        return node

    def promote_to_main(self, node: GameNode) -> None:
        """Makes one of the variations the main move."""
        self.variations.remove(node)
        self.variations.insert(0, node)

    def _command(self, name: str) -> Any:
        return native.read_comment(self.comment).get(name)

    def _set_command(self, names: str, text: str | None) -> None:
        rest = re.sub(rf"\[%(?:{names})\s[^\]]*\]\s*", "", self.comment).strip()
        self.comment = " ".join(part for part in (text and f"[%{text}]", rest) if part)

    def text(self) -> str:
        """The comment without its commands."""
        words: str = native.read_comment(self.comment)["text"]
        return words

    def eval(self) -> Score | None:
        """The score of ``[%eval]`` for White; a positive ``win`` is one for White."""
        found = self._command("eval")
        if found is None:
            return None
        men, win = found
        return Score(win=win) if men is None else Score(cp=round(men * 100))

    def set_eval(self, score: Score | None) -> None:
        """Writes the score, for White, or takes it out."""
        if score is None:
            self._set_command("eval", None)
        elif score.win is not None:
            self._set_command("eval", f"eval #{score.win}")
        else:
            self._set_command("eval", f"eval {(score.cp or 0) / 100:.2f}")

    def clock(self) -> float | None:
        """Seconds left of the player who moved, by ``[%clk]`` or ``[%clock]``."""
        readings = self._command("clk") or []
        mover = not self.turn
        for side, seconds in readings:
            if side is None or side == mover:
                return float(seconds)
        return None

    def set_clock(self, seconds: float | None) -> None:
        """Writes the seconds left, or takes them out."""
        self._set_command("clk|clock", None if seconds is None else f"clk {_time(seconds)}")

    def emt(self) -> float | None:
        """Seconds that the move took, by ``[%emt]``."""
        seconds = self._command("emt")
        return None if seconds is None else float(seconds)

    def set_emt(self, seconds: float | None) -> None:
        """Writes the seconds that the move took, or takes them out."""
        self._set_command("emt", None if seconds is None else f"emt {_time(seconds)}")


def _time(seconds: float) -> str:
    whole, fraction = divmod(round(seconds * 1000), 1000)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{text}.{fraction:03}".rstrip("0") if fraction else text


class Game(GameNode):
    """A game: its tags in ``headers``, its result, and the tree of its moves.

    ``errors`` says what of a record that was read could not be played; the moves up to there are in the tree.
    """

    def __init__(self, variant: str = "international", fen: str | None = None, headers: dict[str, str] | None = None) -> None:
        super().__init__(None, None)
        self._start = native.Board(variant, fen)
        self.headers: dict[str, str] = dict(headers or {})
        self.result = "*"
        self.errors: list[str] = []
        if fen is not None:
            self.headers.setdefault("FEN", fen)

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self._start.variant

    def board(self) -> native.Board:
        """A board at the start."""
        return self._start.copy()

    def end(self) -> GameNode:
        """The last node of the main line."""
        node: GameNode = self
        while node.variations:
            node = node.variations[0]
        return node

    @classmethod
    def from_board(cls, board: native.Board) -> Game:
        """The game that was played on a board."""
        start = board.copy()
        while start.ply():
            start.pop()
        is_usual = start == native.Board(board.variant)
        game = cls(board.variant, None if is_usual else start.fen())
        node: GameNode = game
        for move in board.move_stack:
            node.variations.append(GameNode(node, move))
            node = node.variations[0]
        game.result = board.result().score
        return game

    def __str__(self) -> str:
        """The record, in a form that every reader of PDN takes."""
        tags = {**self.headers, "Result": self.result}
        moves = _written(self)
        return native.write_record(self.variant, list(tags.items()), self.comment or None, moves, self.result).rstrip() + "\n"


def _written(node: GameNode) -> list[Any]:
    """The moves after a node, with the variations beside each, as the extension takes them."""
    moves = []
    while node.variations:
        main, *others = node.variations
        lines = [(other.starting_comment or None, [_move(other, []), *_written(other)]) for other in others]
        moves.append(_move(main, lines))
        node = main
    return moves


def _move(node: GameNode, lines: list[_Line]) -> tuple[str, list[int], str | None, list[_Line]]:
    return (str(node.move), node.nags, node.comment or None, lines)


def _grow(node: GameNode, board: native.Board, moves: list[Any], played: list[native.Move], errors: list[str]) -> None:
    """Adds moves of a record after a node, whose position the board has; ``played`` are those that are known already."""
    for place, (text, nags, comment, lines) in enumerate(moves):
        for starting, line in lines:
            # Beside the main move, which comes first.
            branch = GameNode(node, None)
            _grow(branch, board.copy(), line, [], errors)
            for first in branch.variations:
                first.parent = node
                first.starting_comment = starting or ""
                node.variations.append(first)
        try:
            move = board.push(played[place] if place < len(played) else text)
        except ValueError as error:
            if not played:
                errors.append(f"variation: {error}")
            return
        child = GameNode(node, move)
        child.comment = comment or ""
        child.nags = nags
        node.variations.insert(0, child)
        node = child


def read_games(text: str, *, variant: str | None = None) -> Iterator[Game]:
    """The games of a text. ``variant`` is that of games whose tags say none.

    Old and damaged files are read as far as they can be played: see ``Game.errors``. Raises ``PdnError`` with line and column for text
    that is no record; the iterator then goes on with the next game.
    """
    return _Games(text, variant)


class _Games(Iterator[Game]):
    def __init__(self, text: str, variant: str | None) -> None:
        self._reader = native.RecordReader(text)
        self._variant = variant

    def __next__(self) -> Game:
        found = self._reader.next(self._variant)
        if found is None:
            raise StopIteration
        (tags, comment, moves, result), (variant, board, played, fault) = found
        if board is None or variant is None:
            raise native.PdnError(f"game: {fault}")
        game = Game(variant)
        game._start = board
        game.headers = dict(tags)
        game.result = result
        game.comment = comment or ""
        if fault is not None:
            game.errors.append(fault)
            moves = moves[: len(played)]
        _grow(game, board.copy(), moves, played, game.errors)
        return game


def read_game(text: str, *, variant: str | None = None) -> Game:
    """The first game of a text. Raises ``PdnError`` if there is none."""
    for game in read_games(text, variant=variant):
        return game
    raise native.PdnError("there is no game in this text")
