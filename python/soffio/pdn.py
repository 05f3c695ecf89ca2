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

import copy
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from typing import IO, Any, TypeVar

from soffio._arguments import check_type, type_error
from soffio._native import native
from soffio.score import PovScore, Score
from soffio.variants import WHITE
from soffio.visitor import SKIP, BaseVisitor, ResultT

NodeT = TypeVar("NodeT", bound="GameNode")

_Line = tuple[str | None, list[Any]]
_Source = str | bytes | bytearray | PathLike[str]

# Number of bytes or characters to read from a file at a time.
_BLOCK = 1 << 20

# Clock times must be less than this number of seconds.
_MAX_SECONDS = 100_000 * 3600


class GameNode:
    """The position of a game after ``move``. ``variations`` contains one node for each move that continues from this position.
    The first of them belongs to the main line.
    """

    def __init__(self, parent: GameNode | None, move: native.Move | None, set_up: native.Board | None = None) -> None:
        self.parent = parent
        self.move = move
        self.set_up = set_up
        """The board with the position that the record sets up instead of a move, or ``None`` if there is no such position."""
        self.comment = ""
        """The comment on the move, including its commands."""
        self.starting_comment = ""
        """The comment before the move, if the move begins a variation."""
        self.nags: list[int] = []
        """Annotation symbols (NAGs): 1 for ``!``, 2 for ``?``, 3 for ``!!``, 4 for ``??``, 5 for ``!?`` and 6 for ``?!``."""
        self.variations: list[GameNode] = []

    def __repr__(self) -> str:
        depth, node = 0, self
        while node.parent is not None:
            depth, node = depth + 1, node.parent
        return f"<GameNode {self.set_up.fen() if self.set_up else self.move}, ply {depth}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle the node as a path in its game, because pickling the parents would recurse for each move.
        path: list[int] = []
        node = self
        while node.parent is not None:
            path.append(node.parent.variations.index(node))
            node = node.parent
        return (_node_at, (node, path[::-1]))

    def __copy__(self: NodeT) -> NodeT:
        """Returns the same node in a copy of the whole game, because the nodes of a game refer to each other."""
        return copy.deepcopy(self)

    def board(self) -> native.Board:
        """Returns a new board on which the moves that lead to this node have been played."""
        moves = []
        node = self
        while node.parent is not None and node.set_up is None:
            moves.append(node.move)
            node = node.parent
        board = node.set_up.copy() if node.set_up is not None else node.board()
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
        while node.parent is not None and node.set_up is None:
            depth, node = depth + 1, node.parent
        board = node.board() if node.set_up is None else node.set_up
        return board.turn ^ bool(depth % 2)

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
        """Iterates over the moves that follow this node in the main line. Positions that are set up between them are skipped."""
        for node in self.mainline():
            if node.move is not None:
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

    def add_set_up(self, fen: str) -> GameNode:
        """Adds a position that is set up instead of a move, in the variant of the game. Raises ``FenError`` if ``fen`` is invalid."""
        node = GameNode(self, None, native.Board(self.game().variant, fen))
        self.variations.append(node)
        return node

    def promote_to_main(self, node: GameNode) -> None:
        """Makes one of the variations the main line."""
        if check_type("node", GameNode, node) not in self.variations:
            raise ValueError(f"{node!r} is not a variation of this node")
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
        white = check_type("score", PovScore, score).white()
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
    if given >= _MAX_SECONDS:
        raise ValueError(f"{name} must be less than 100000 hours, not {seconds} seconds")
    whole, fraction = divmod(round(given * 1000), 1000)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{text}.{fraction:03}".rstrip("0") if fraction else text


class Game(GameNode):
    """A game, with its tags in ``headers`` and the tree of its moves.

    If the game was read from a record, ``errors`` describes what is unusual in the record and which moves could not be played. The tree
    contains only the moves before them. ``source`` is the complete text of the record, or empty if there is no record.
    ``variant_is_guessed`` is true if the tags of the record do not name the variant. In that case, ``str`` does not write a variant.
    """

    def __init__(self, variant: str = "international", fen: str | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(None, None)
        self._start = native.Board(variant, fen)
        if headers is not None and not isinstance(headers, Mapping):
            raise type_error("headers", "a mapping of tags to values", headers)
        self.headers: dict[str, str] = dict(headers or {})
        self.errors: list[str] = []
        self.variant_is_guessed = False
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
            parts.append((node.move, node.set_up, node.comment, node.starting_comment, node.nags, len(node.variations)))
            nodes.extend(node.variations)
        marks = (self.variant_is_guessed, self.source)
        return (_restored, (type(self), self._start, self.headers, self.errors, marks, parts))

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self._start.variant

    def board(self) -> native.Board:
        """Returns a new board with the start position of the game."""
        return self._start.copy()

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Traverses the game with a visitor and returns the visitor's result."""
        record = (list(self.headers.items()), self.comment, _written(self), self.result, self.source, self.errors)
        return _visit(record, self._start, self.variant_is_guessed, [], visitor)

    def end(self) -> GameNode:
        """Returns the last node of the main line."""
        node: GameNode = self
        while node.variations:
            node = node.variations[0]
        return node

    @classmethod
    def from_board(cls, board: native.Board) -> Game:
        """Returns the game that was played on a board."""
        start = check_type("board", native.Board, board).copy()
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
            check_type(f"the tag {native.shown(name)}", str, value)
            check_type("the name of a tag", str, name)
        moves, comment = _written(self), _comment(self, self.comment)
        text = native.write_record(self._start, self.variant_is_guessed, list(tags.items()), comment, moves, self.result)
        return text.rstrip() + "\n"


def _restored(kind: type[Game], start: native.Board, headers: Any, errors: Any, marks: Any, parts: list[Any]) -> Game:
    """Restores a pickled game."""
    game = kind.__new__(kind)
    GameNode.__init__(game, None, None)
    game._start, game.headers, game.errors = start, headers, errors
    game.variant_is_guessed, game.source = marks
    nodes: list[GameNode] = [game]
    for place, (_, _, comment, starting, nags, count) in enumerate(parts):
        node = nodes[place]
        node.comment, node.starting_comment, node.nags = comment, starting, nags
        node.variations = [GameNode(node, move, set_up) for move, set_up, *_ in parts[len(nodes) : len(nodes) + count]]
        nodes.extend(node.variations)
    return game


def _node_at(node: GameNode, path: list[int]) -> GameNode:
    """Restores a pickled node."""
    for place in path:
        node = node.variations[place]
    return node


def _comment(node: GameNode, comment: str) -> str | None:
    return check_type(f"a comment of the move {node.move}", str, comment) or None


def _nags(node: GameNode, nags: Iterable[int]) -> list[int]:
    if isinstance(nags, str) or not isinstance(nags, Iterable):
        raise type_error(f"the NAGs of the move {node.move}", "an iterable of ints", nags)
    return [native.whole_number(f"a NAG of the move {node.move}", nag, 0, 65535) for nag in nags]


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
    text = str(node.move) if node.set_up is None else f'/FEN "{node.set_up.fen()}"/'
    return (text, _nags(node, node.nags), _comment(node, node.comment), lines)


class GameBuilder(BaseVisitor[Game]):
    """Builds a ``Game``, as ``read_games`` does."""

    def begin_game(self) -> None:
        """Starts with an empty game."""
        self._source = ""
        self._errors: list[str] = []
        self._headers: dict[str, str] = {}
        self._result = ""
        self._game = Game()
        self._node: GameNode = self._game
        # The nodes at which the lines around the current variation continue.
        self._main: list[GameNode] = []
        self._starts_line = False

    def visit_source(self, source: str) -> None:
        """Stores the text."""
        self._source = source

    def visit_header(self, name: str, value: str) -> None:
        """Stores a tag."""
        self._headers[name] = value

    def begin_moves(self, board: native.Board, variant_is_guessed: bool) -> None:
        """Creates the root of the tree."""
        self._game = Game(board.variant)
        self._game._start = board.copy()
        self._game.variant_is_guessed = variant_is_guessed
        self._node = self._game

    def _add(self, move: native.Move | None, set_up: native.Board | None) -> None:
        node = GameNode(self._node, move, set_up)
        if self._starts_line:
            node.starting_comment = self._starting_comment
            self._starts_line = False
        self._node.variations.append(node)
        self._node = node

    def visit_move(self, board: native.Board, move: native.Move) -> None:
        """Adds a move."""
        self._add(move, None)

    def visit_set_up(self, board: native.Board) -> None:
        """Adds a setup position."""
        self._add(None, board.copy())

    def visit_comment(self, comment: str) -> None:
        """Adds a comment to the last move, or to the next one at the start of a variation."""
        if self._starts_line:
            self._starting_comment = comment
        else:
            self._node.comment = comment

    def visit_nag(self, nag: int) -> None:
        """Adds a mark (NAG) to the last move."""
        self._node.nags.append(nag)

    def begin_variation(self) -> None:
        """Goes back to the position before the last move."""
        self._main.append(self._node)
        assert self._node.parent is not None
        self._node = self._node.parent
        self._starts_line, self._starting_comment = True, ""

    def end_variation(self) -> None:
        """Continues after the last move before the variation."""
        self._node = self._main.pop()
        self._starts_line = False

    def handle_error(self, error: str) -> None:
        """Stores a message."""
        self._errors.append(error)

    def visit_result(self, result: str) -> None:
        """Stores the result."""
        self._result = result

    def result(self) -> Game:
        """Returns the game."""
        game = self._game
        game.headers, game.errors, game.source = self._headers, self._errors, self._source
        if self._result:
            game.result = self._result
        return game


def _visit(record: Any, start: native.Board, is_guess: bool, played: list[Any], visitor: BaseVisitor[ResultT]) -> ResultT:
    """Traverses a record. ``played`` has the known moves of the main line, and ``None`` for each setup position."""
    tags, comment, moves, result, source, errors = record
    visitor.begin_game()
    visitor.visit_source(source)
    for name, value in tags:
        visitor.visit_header(name, value)
    if visitor.end_headers() is not SKIP:
        visitor.begin_moves(start.copy(), is_guess)
        for error in errors:
            visitor.handle_error(error)
        if comment:
            visitor.visit_comment(comment)
        _visit_line(start.copy(), moves, played, visitor, is_main=True)
        visitor.visit_result(result)
    visitor.end_game()
    return visitor.result()


def _visit_line(board: native.Board, moves: list[Any], played: list[Any], visitor: BaseVisitor[Any], *, is_main: bool) -> None:
    for place, (text, nags, comment, lines) in enumerate(moves):
        before = board.copy() if lines else board
        try:
            if text.startswith("/"):
                board = native.Board(board.variant, text.strip("/").strip().removeprefix("FEN").strip().strip('"'))
                visitor.visit_set_up(board)
            else:
                known = played[place] if place < len(played) else None
                move = board.parse_move(text) if known is None else known
                visitor.visit_move(board, move)
                board.push(move)
        except ValueError as error:
            visitor.handle_error(str(error) if is_main else f"variation: {error}")
            return
        for nag in nags:
            visitor.visit_nag(nag)
        if comment:
            visitor.visit_comment(comment)
        for starting, line in lines:
            if visitor.begin_variation() is SKIP:
                continue
            if starting:
                visitor.visit_comment(starting)
            _visit_line(before.copy(), line, [], visitor, is_main=False)
            visitor.end_variation()


def read_games(source: _Source | IO[str] | IO[bytes], *, variant: str | None = None) -> Iterator[Game]:
    """Iterates over the games in a path, an open file, bytes or a string. Games are read as they are needed.

    Old and damaged files are read as far as possible. ``Game.errors`` describes what is unusual or wrong in a game. A game with an
    illegal move contains the moves before it, and ``Game.source`` contains the complete text. ``variant`` applies to games
    whose tags do not name one. If it is ``None``, the variant of such games is guessed from the first hundred games, as
    ``soffio annotate`` does, and ``Game.variant_is_guessed`` is true.

    >>> import io
    >>> games = read_games(io.BytesIO(b"1. 11-15 23-19 2. 8-11 1-0  1. 32-28 19-23 *"))
    >>> [(game.variant, game.result, game.errors) for game in games]
    [('english', '1-0', []), ('international', '*', [])]
    """
    return visit_games(source, GameBuilder, variant=variant)


def visit_games(
    source: _Source | IO[str] | IO[bytes], visitor: Callable[[], BaseVisitor[ResultT]], *, variant: str | None = None
) -> Iterator[ResultT]:
    """Traverses each game with a new visitor and iterates over the visitors' results: see ``soffio.BaseVisitor``.

    A visitor can skip games based on their tags, and needs no memory for trees. The other arguments are the same as for ``read_games``.
    """
    _check_source(source)
    return (_visited(record, played, visitor()) for record, played in _records(source, native.RecordReader(variant)))


def _check_source(source: Any) -> None:
    if isinstance(source, str):
        if "\n" not in source and os.path.isfile(source):
            raise ValueError(f"{source!r} is the name of a file; use pathlib.Path({source!r}) to read it")
    elif not isinstance(source, (bytes, bytearray, PathLike)) and not hasattr(source, "read"):
        raise type_error("source", "a path, an open file, bytes or a str", source)


def read_game(source: _Source, *, variant: str | None = None) -> Game:
    """Returns the first game in a path, bytes or a string. Raises ``PdnError`` if there is no game or if it cannot be read."""
    if hasattr(source, "read"):
        raise TypeError("read_game cannot read from an open file; use next(read_games(file)) instead")
    _check_source(source)
    for record, played in _records(source, native.RecordReader(variant)):
        if played["is_lost"]:
            raise native.PdnError(played["fault"])
        return _visited(record, played, GameBuilder())
    raise native.PdnError("no game found")


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
    raise type_error("the data read from the file", "bytes or a str", block)


def _records(source: _Source | IO[str] | IO[bytes], reader: native.RecordReader) -> Iterator[tuple[Any, dict[str, Any]]]:
    for block in _blocks(source):
        reader.feed(block)
        while (found := reader.next()) is not None:
            yield found
    reader.end()
    while (found := reader.next()) is not None:
        yield found


def _visited(record: Any, played: dict[str, Any], visitor: BaseVisitor[ResultT]) -> ResultT:
    """Lets a visitor traverse a record that the extension has read and played. Moves that cannot be played are skipped."""
    tags, comment, written, result, source, errors = record
    known: list[Any] = list(played["moves"])
    moves = written[: len(known)]
    for first, later in played["later"]:
        moves += [written[first - 1], *written[first : first + len(later)]]
        known += [None, *later]
    if len(written) > 1 and written[-1][0].startswith("/"):
        moves.append(written[-1])
    if played["fault"] is not None:
        errors = [*errors, played["fault"]]
    return _visit((tags, comment, moves, result, source, errors), played["board"], played["is_guess"], known, visitor)
