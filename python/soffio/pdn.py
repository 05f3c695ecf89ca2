"""Game records in Portable Draughts Notation, as trees: the words are those of ``chess.pgn``.

>>> import soffio
>>> text = '[GameType "21"] 1. 11-15 {[%eval 0.10] The old fourteenth} 23-19 (23-18 $6) 2. 8-11 *'
>>> game = soffio.read_game(text)
>>> [str(move) for move in game.mainline_moves()]
['11-15', '23-19', '8-11']
>>> game.next().comment, game.next().eval(), len(game.next().variations)
('[%eval 0.10] The old fourteenth', PovScore(Score(cp=10), WHITE), 2)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import IO, Any

from soffio._given import checked, wrong
from soffio._native import native
from soffio.score import PovScore, Score
from soffio.variants import WHITE

_Line = tuple[str | None, list[Any]]
_Source = str | bytes | bytearray | PathLike[str]

# Bytes or characters that are read from a file at a time.
_BLOCK = 1 << 20

# Seconds that a clock cannot show any more.
_MOST_SECONDS = 100_000 * 3600


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

    def __repr__(self) -> str:
        depth, node = 0, self
        while node.parent is not None:
            depth, node = depth + 1, node.parent
        return f"<GameNode {self.move}, ply {depth}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled within its game, and that without a recursion for each move.
        path: list[int] = []
        node = self
        while node.parent is not None:
            path.append(node.parent.variations.index(node))
            node = node.parent
        return (_node_at, (node, path[::-1]))

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

    def add_variation(self, move: native.Move | str, *, comment: str = "", nags: Iterable[int] | None = None) -> GameNode:
        """Adds a move from here, the first one as the main move. Raises as ``Board.push`` does."""
        node = GameNode(self, self.board().push(move))
        node.comment = comment
        node.nags = _nags(node, nags or [])
        self.variations.append(node)
        return node

    def promote_to_main(self, node: GameNode) -> None:
        """Makes one of the variations the main move."""
        if checked("node", GameNode, node) not in self.variations:
            raise ValueError(f"{node!r} is not a variation from here")
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

    def eval(self) -> PovScore | None:
        """The score of ``[%eval]``."""
        found = self._command("eval")
        if found is None:
            return None
        men, win = found
        if men is None:
            side, moves = win
            return PovScore(Score(win=moves), side)
        most = 10_000_000
        return PovScore(Score(cp=round(max(-most, min(most, men)) * 100)), WHITE)

    def set_eval(self, score: PovScore | None) -> None:
        """Writes a score, such as that of a search, as ``[%eval]``, which is for White; or takes it out."""
        if score is None:
            self._set_command("eval", None)
            return
        white = checked("score", PovScore, score).white()
        if white.cp is not None:
            self._set_command("eval", f"eval {white.cp / 100:.2f}")
        else:
            self._set_command("eval", f"eval #{white.win}" if white.win is not None else f"eval #-{white.loss}")

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
        self._set_command("clk|clock", None if seconds is None else f"clk {_time('clock', seconds)}")

    def emt(self) -> float | None:
        """Seconds that the move took, by ``[%emt]``."""
        seconds = self._command("emt")
        return None if seconds is None else float(seconds)

    def set_emt(self, seconds: float | None) -> None:
        """Writes the seconds that the move took, or takes them out."""
        self._set_command("emt", None if seconds is None else f"emt {_time('emt', seconds)}")


def _time(name: str, seconds: float) -> str:
    given = native.seconds(name, seconds)
    if given >= _MOST_SECONDS:
        raise ValueError(f"{name} must be less than 100000 hours, not {seconds} seconds")
    whole, fraction = divmod(round(given * 1000), 1000)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{text}.{fraction:03}".rstrip("0") if fraction else text


class Game(GameNode):
    """A game: its tags in ``headers``, and the tree of its moves.

    ``errors`` says what of a record that was read is unusual, and what could not be played; the moves up to there are in the
    tree. ``source`` is the text of that record, with everything in it; empty for other games.
    ``variant_is_guessed`` is true for one whose tags name no variant, and then ``str`` writes none.
    """

    def __init__(self, variant: str = "international", fen: str | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(None, None)
        self._start = native.Board(variant, fen)
        if headers is not None and not isinstance(headers, Mapping):
            raise wrong("headers", "a mapping of tags to values", headers)
        self.headers: dict[str, str] = dict(headers or {})
        self.errors: list[str] = []
        self.variant_is_guessed = False
        self._is_lost = False
        self.source = ""
        if fen is not None:
            self.headers.setdefault("FEN", fen)

    @property
    def result(self) -> str:
        """The result, which is the tag ``Result``; ``*`` if it is open."""
        return self.headers.get("Result", "*")

    @result.setter
    def result(self, result: str) -> None:
        self.headers["Result"] = result

    def __repr__(self) -> str:
        """Variant, players, result and plies.

        >>> Game("english", headers={"White": "Tinsley", "Black": "Hellman"})
        <Game english: Tinsley - Hellman, *, 0 plies>
        """
        white, black = self.headers.get("White", "?"), self.headers.get("Black", "?")
        return f"<Game {self.variant}: {white} - {black}, {self.result}, {sum(1 for _ in self.mainline())} plies>"

    def __reduce__(self) -> tuple[Any, ...]:
        nodes: list[GameNode] = [self]
        parts: list[tuple[Any, ...]] = []
        for node in nodes:
            # One after the other, and without recursion: games are longer than it can be deep.
            parts.append((node.move, node.comment, node.starting_comment, node.nags, len(node.variations)))
            nodes.extend(node.variations)
        marks = (self.variant_is_guessed, self._is_lost, self.source)
        return (_restored, (type(self), self._start, self.headers, self.errors, marks, parts))

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
        start = checked("board", native.Board, board).copy()
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
        """The record, in a form that every reader of PDN takes. Raises ``ValueError`` if a tag contradicts the game."""
        tags = {**self.headers, "Result": self.result}
        for name, value in tags.items():
            checked(f"the tag {native.shown(name)}", str, value)
            checked("the name of a tag", str, name)
        moves, comment = _written(self), _comment(self, self.comment)
        text = native.write_record(self._start, self.variant_is_guessed, list(tags.items()), comment, moves, self.result)
        return text.rstrip() + "\n"


def _restored(kind: type[Game], start: native.Board, headers: Any, errors: Any, marks: Any, parts: list[Any]) -> Game:
    """The game of a pickled one."""
    game = kind.__new__(kind)
    GameNode.__init__(game, None, None)
    game._start, game.headers, game.errors = start, headers, errors
    game.variant_is_guessed, game._is_lost, game.source = marks
    nodes: list[GameNode] = [game]
    for place, (_, comment, starting, nags, count) in enumerate(parts):
        node = nodes[place]
        node.comment, node.starting_comment, node.nags = comment, starting, nags
        node.variations = [GameNode(node, move) for move, *_ in parts[len(nodes) : len(nodes) + count]]
        nodes.extend(node.variations)
    return game


def _node_at(node: GameNode, path: list[int]) -> GameNode:
    """The node of a pickled one."""
    for place in path:
        node = node.variations[place]
    return node


def _comment(node: GameNode, comment: str) -> str | None:
    return checked(f"a comment of the move {node.move}", str, comment) or None


def _nags(node: GameNode, nags: Iterable[int]) -> list[int]:
    if isinstance(nags, str) or not isinstance(nags, Iterable):
        raise wrong(f"the glyphs of the move {node.move}", "several ints", nags)
    return [native.whole_number(f"a glyph of the move {node.move}", nag, 0, 65535) for nag in nags]


def _written(node: GameNode) -> list[Any]:
    """The moves after a node, with the variations beside each, as the extension takes them."""
    moves = []
    while node.variations:
        main, *others = node.variations
        lines = [(_comment(other, other.starting_comment), [_move(other, []), *_written(other)]) for other in others]
        moves.append(_move(main, lines))
        node = main
    return moves


def _move(node: GameNode, lines: list[_Line]) -> tuple[str, list[int], str | None, list[_Line]]:
    return (str(node.move), _nags(node, node.nags), _comment(node, node.comment), lines)


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


def read_games(source: _Source | IO[str] | IO[bytes], *, variant: str | None = None) -> Iterator[Game]:
    """The games of a path, an open file, bytes or a text, one after the other, as they are needed.

    Old and damaged files are read as far as possible: ``Game.errors`` says what is unusual or wrong with a game. One with an illegal move
    has the moves before that, and ``Game.source`` has its whole text. ``variant`` is that of games whose tags name none;
    without it that is guessed from the first hundred games, as ``soffio annotate`` does: see ``Game.variant_is_guessed``.

    >>> import io
    >>> games = read_games(io.BytesIO(b"1. 11-15 23-19 2. 8-11 1-0  1. 32-28 19-23 *"))
    >>> [(game.variant, game.result, game.errors) for game in games]
    [('english', '1-0', []), ('international', '*', [])]
    """
    if isinstance(source, str):
        if "\n" not in source and os.path.isfile(source):
            raise ValueError(f"{source!r} is the name of a file: give pathlib.Path({source!r}) to read it")
    elif not isinstance(source, (bytes, bytearray, PathLike)) and not hasattr(source, "read"):
        raise wrong("source", "a path, an open file, bytes or a str", source)
    return _read(source, native.RecordReader(variant))


def read_game(source: _Source, *, variant: str | None = None) -> Game:
    """The first game of a path, bytes or a text. Raises ``PdnError`` if there is none, or it cannot be read."""
    if hasattr(source, "read"):
        raise TypeError("read_game does not take an open file, for it reads more of it than a game: use read_games")
    games = read_games(source, variant=variant)
    for game in games:
        if game._is_lost:
            raise native.PdnError(game.errors[0])
        return game
    raise native.PdnError("there is no game in this text")


def _blocks(source: _Source | IO[str] | IO[bytes]) -> Iterator[bytes]:
    if isinstance(source, PathLike):
        with open(source, "rb") as file:
            yield from _blocks(file)
    elif isinstance(source, (str, bytes, bytearray)):
        for start in range(0, len(source), _BLOCK):
            yield _bytes(source[start : start + _BLOCK])
    else:
        while block := source.read(_BLOCK):
            yield _bytes(block)


def _bytes(block: Any) -> bytes:
    if isinstance(block, str):
        # What was no UTF-8 in a file becomes the same bytes again.
        return block.encode("utf-8", "surrogateescape")
    if isinstance(block, (bytes, bytearray)):
        return bytes(block)
    raise wrong("what a file gives", "bytes or a str", block)


def _read(source: _Source | IO[str] | IO[bytes], reader: native.RecordReader) -> Iterator[Game]:
    for block in _blocks(source):
        reader.feed(block)
        while (found := reader.next()) is not None:
            yield _game(*found)
    reader.end()
    while (found := reader.next()) is not None:
        yield _game(*found)


def _game(record: Any, played: dict[str, Any]) -> Game:
    tags, comment, moves, result, source, notes = record
    start: native.Board = played["board"]
    game = Game(start.variant)
    game._start = start
    game.headers = dict(tags)
    game.result = result
    game.comment = comment or ""
    game.variant_is_guessed = played["is_guess"]
    game._is_lost = played["is_lost"]
    game.source = source
    game.errors.extend(notes)
    if played["fault"] is not None:
        game.errors.append(played["fault"])
        moves = moves[: len(played["moves"])]
    _grow(game, start.copy(), moves, played["moves"], game.errors)
    return game
