"""Reads and writes game records in Portable Draughts Notation, as trees of moves. The names follow ``chess.pgn``.

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

# Number of bytes or characters to read from a file at a time.
_BLOCK = 1 << 20

# Clock times must be less than this number of seconds.
_MOST_SECONDS = 100_000 * 3600


class GameNode:
    """The position of a game after ``move``. ``variations`` are the nodes after the moves that continue from this position; the first
    of them belongs to the main line.
    """

    def __init__(self, parent: GameNode | None, move: native.Move | None) -> None:
        self.parent = parent
        self.move = move
        self.comment = ""
        """The comment on the move, including its commands."""
        self.starting_comment = ""
        """The comment before the move, if the move begins a variation."""
        self.nags: list[int] = []
        """Numeric annotation glyphs: 1 for ``!``, 2 for ``?``, 3 for ``!!``, 4 for ``??``, 5 for ``!?`` and 6 for ``?!``."""
        self.variations: list[GameNode] = []

    def __repr__(self) -> str:
        depth, node = 0, self
        while node.parent is not None:
            depth, node = depth + 1, node.parent
        return f"<GameNode {self.move}, ply {depth}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle the node as a path in its game, because pickling the parents would recurse for each move.
        path: list[int] = []
        node = self
        while node.parent is not None:
            path.append(node.parent.variations.index(node))
            node = node.parent
        return (_node_at, (node, path[::-1]))

    def board(self) -> native.Board:
        """Returns a new board on which the moves that lead to this node have been played."""
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
        """Returns the root of the tree."""
        node = self
        while node.parent is not None:
            node = node.parent
        assert isinstance(node, Game)
        return node

    @property
    def turn(self) -> bool:
        """The side to move in this position."""
        depth, node = 0, self
        while node.parent is not None:
            depth, node = depth + 1, node.parent
        return node.board().turn ^ bool(depth % 2)

    def next(self) -> GameNode | None:
        """Returns the first variation, which continues the main line, or ``None`` if no moves follow."""
        return self.variations[0] if self.variations else None

    def mainline(self) -> Iterator[GameNode]:
        """Iterates over the nodes that follow this node in the main line."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def mainline_moves(self) -> Iterator[native.Move]:
        """Iterates over the moves that follow this node in the main line."""
        for node in self.mainline():
            assert node.move is not None
            yield node.move

    def add_variation(self, move: native.Move | str, *, comment: str = "", nags: Iterable[int] | None = None) -> GameNode:
        """Adds a move and returns its node. The first move that is added becomes the main line.

        Raises the same errors as ``Board.push``.
        """
        node = GameNode(self, self.board().push(move))
        node.comment = comment
        node.nags = _nags(node, nags or [])
        self.variations.append(node)
        return node

    def promote_to_main(self, node: GameNode) -> None:
        """Makes one of the variations the main line."""
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
        """Returns the comment without its commands."""
        words: str = native.read_comment(self.comment)["text"]
        return words

    def eval(self) -> PovScore | None:
        """Returns the score in the ``[%eval]`` command, or ``None`` if there is none."""
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
        """Writes a score as an ``[%eval]`` command, which is from White's point of view. If ``score`` is ``None``, removes the command."""
        if score is None:
            self._set_command("eval", None)
            return
        white = checked("score", PovScore, score).white()
        if white.cp is not None:
            self._set_command("eval", f"eval {white.cp / 100:.2f}")
        else:
            self._set_command("eval", f"eval #{white.win}" if white.win is not None else f"eval #-{white.loss}")

    def clock(self) -> float | None:
        """Returns the remaining seconds of the player who made the move, from the ``[%clk]`` or ``[%clock]`` command.

        Returns ``None`` if the comment does not contain the time of this player.
        """
        readings = self._command("clk") or []
        mover = not self.turn
        for side, seconds in readings:
            if side is None or side == mover:
                return float(seconds)
        return None

    def set_clock(self, seconds: float | None) -> None:
        """Writes the remaining seconds as a ``[%clk]`` command. If ``seconds`` is ``None``, removes the command."""
        self._set_command("clk|clock", None if seconds is None else f"clk {_time('clock', seconds)}")

    def emt(self) -> float | None:
        """Returns the seconds that the move took, from the ``[%emt]`` command, or ``None`` if there is none."""
        seconds = self._command("emt")
        return None if seconds is None else float(seconds)

    def set_emt(self, seconds: float | None) -> None:
        """Writes the seconds that the move took as an ``[%emt]`` command. If ``seconds`` is ``None``, removes the command."""
        self._set_command("emt", None if seconds is None else f"emt {_time('emt', seconds)}")


def _time(name: str, seconds: float) -> str:
    given = native.seconds(name, seconds)
    if given >= _MOST_SECONDS:
        raise ValueError(f"{name} must be less than 100000 hours, not {seconds} seconds")
    whole, fraction = divmod(round(given * 1000), 1000)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{text}.{fraction:03}".rstrip("0") if fraction else text


class Game(GameNode):
    """A game, with its tags in ``headers`` and the tree of its moves.

    If the game was read from a record, ``errors`` describes what is unusual in the record and which moves could not be played. The tree
    contains the moves before them. ``source`` is the complete text of the record, and is empty for other games.
    ``variant_is_guessed`` is true if the tags of the record do not name the variant. In that case, ``str`` does not write a variant.
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
        """The value of the ``Result`` tag, or ``*`` if there is no such tag."""
        return self.headers.get("Result", "*")

    @result.setter
    def result(self, result: str) -> None:
        self.headers["Result"] = result

    def __repr__(self) -> str:
        """Returns the variant, the players, the result and the number of plies.

        >>> Game("english", headers={"White": "Tinsley", "Black": "Hellman"})
        <Game english: Tinsley - Hellman, *, 0 plies>
        """
        white, black = self.headers.get("White", "?"), self.headers.get("Black", "?")
        return f"<Game {self.variant}: {white} - {black}, {self.result}, {sum(1 for _ in self.mainline())} plies>"

    def __reduce__(self) -> tuple[Any, ...]:
        nodes: list[GameNode] = [self]
        parts: list[tuple[Any, ...]] = []
        for node in nodes:
            # Store the nodes in a list, because a recursion for each move would be too deep for long games.
            parts.append((node.move, node.comment, node.starting_comment, node.nags, len(node.variations)))
            nodes.extend(node.variations)
        marks = (self.variant_is_guessed, self._is_lost, self.source)
        return (_restored, (type(self), self._start, self.headers, self.errors, marks, parts))

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self._start.variant

    def board(self) -> native.Board:
        """Returns a new board with the start position of the game."""
        return self._start.copy()

    def end(self) -> GameNode:
        """Returns the last node of the main line."""
        node: GameNode = self
        while node.variations:
            node = node.variations[0]
        return node

    @classmethod
    def from_board(cls, board: native.Board) -> Game:
        """Returns the game that was played on a board."""
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
        """Returns the record in standard PDN, which every PDN reader can parse. Raises ``ValueError`` if a tag contradicts the game."""
        tags = {**self.headers, "Result": self.result}
        for name, value in tags.items():
            checked(f"the tag {native.shown(name)}", str, value)
            checked("the name of a tag", str, name)
        moves, comment = _written(self), _comment(self, self.comment)
        text = native.write_record(self._start, self.variant_is_guessed, list(tags.items()), comment, moves, self.result)
        return text.rstrip() + "\n"


def _restored(kind: type[Game], start: native.Board, headers: Any, errors: Any, marks: Any, parts: list[Any]) -> Game:
    """Restores a pickled game."""
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
    """Restores a pickled node."""
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
    """Returns the moves after a node and the alternatives to each of them, in the form that the extension expects."""
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
    """Adds the moves of a record after a node, whose position ``board`` has. ``played`` contains the moves that are parsed already."""
    for place, (text, nags, comment, lines) in enumerate(moves):
        for starting, line in lines:
            # Variations branch off from the same node as the main move, which is inserted before them below.
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
    """Iterates over the games in a path, an open file, bytes or a string. Games are read as they are needed.

    Old and damaged files are read as far as possible. ``Game.errors`` describes what is unusual or wrong in a game. A game with an
    illegal move contains the moves before it, and ``Game.source`` contains the complete text. ``variant`` is the variant of games
    whose tags do not name one. If it is ``None``, the variant of such games is guessed from the first hundred games, as
    ``soffio annotate`` does, and ``Game.variant_is_guessed`` is true.

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
    """Returns the first game in a path, bytes or a string. Raises ``PdnError`` if there is no game or if it cannot be read."""
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
        # Restore the bytes that were not valid UTF-8 in a file.
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
