"""Reads puzzles that ``soffio puzzles`` wrote, generates puzzles from games, and checks problems as ``soffio solve`` does."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from soffio._arguments import path as checked_path
from soffio._arguments import type_error
from soffio._native import native
from soffio.pdn import Game

Board = native.Board
Move = native.Move


class PuzzleError(ValueError):
    """Raised if a record or line is not a valid puzzle."""


def _several(name: str, value: Iterable[Game | Board]) -> Iterable[Game | Board]:
    if not isinstance(value, Iterable):
        raise type_error(name, "an iterable of Games or Boards", value)
    return value


def _one(name: str, number: int, value: Board) -> Board:
    if not isinstance(value, Board):
        raise type_error(f"{name} {number}", "a Game or a Board", value)
    return value


def _line(board: Board, texts: Sequence[str]) -> tuple[Move, ...]:
    board = board.copy()
    return tuple([board.push(text) for text in texts])


@dataclass(frozen=True)
class Puzzle:
    """A position whose solution is proved and unique."""

    id: str
    """Identifier, which consists of the game's name and the ply of the position."""
    board: Board
    """The position to solve."""
    solution: tuple[Move, ...]
    """The moves of both sides. Each of the solver's moves is the only move that reaches the goal."""
    goal: str
    """The goal of the solver: ``win``, ``draw``, or ``gain`` (of at least one man)."""
    proof: str
    """How the solution is proved: by endgame tables (``table``), by a search for a win or a draw (``search``), or by an
    exhaustive search for a gain of material (``material``)."""
    win_in: int | None
    """Number of the winner's moves to the end of the game, or ``None`` if no win is proved."""
    themes: tuple[str, ...]
    """The themes, such as ``shot-5``, ``sacrifice`` and ``breakthrough``."""
    difficulty: int
    """The difficulty, from 1 (easiest) to 20 (hardest)."""
    before: Board | None
    """A board on which the last move before the puzzle has been played, or ``None`` if the game does not contain that move."""
    record: Mapping[str, Any] = field(repr=False, compare=False)
    """The record from which the puzzle was read. It can be passed to ``json.dumps``."""

    @classmethod
    def from_record(cls, record: Mapping[str, Any] | str) -> Puzzle:
        """Creates a puzzle from a line of JSON or from the parsed contents of a line.

        >>> import soffio
        >>> record = {
        ...     "id": "games/1/1", "variant": "international", "goal": "gain", "proof": "material", "solution": ["28-22", "17x28", "33x15"],
        ...     "fen": "W:W27,28,33,37,38,39,40,41,42,45,47,48:B1,2,3,4,8,9,11,16,17,18,19,20",
        ...     "themes": ["shot-24"], "difficulty": 7, "nodes": 5000,
        ... }
        >>> puzzle = soffio.puzzles.Puzzle.from_record(record)
        >>> puzzle.solution[0] in puzzle.board.legal_moves, puzzle.solution[2].captured
        (True, (28, 18, 19, 20))
        """
        try:
            found = json.loads(record) if isinstance(record, str) else record
            if not isinstance(found, Mapping):
                raise ValueError(f"expected a mapping, found {native.shown(found)}")
            board = Board(found["variant"], found["fen"])
            before = None
            if given := found.get("before"):
                before = Board(found["variant"], given["fen"])
                before.push(given["move"])
            return cls(
                found["id"],
                board,
                _line(board, found["solution"]),
                found["goal"],
                found["proof"],
                found.get("win_in"),
                tuple(found["themes"]),
                found["difficulty"],
                before,
                found,
            )
        except LookupError as error:
            raise PuzzleError(f"not a puzzle: field {error} missing") from error
        except (AttributeError, TypeError, ValueError) as error:
            raise PuzzleError(f"not a puzzle: {error}") from error


def read(path: str | PathLike[str]) -> Iterator[Puzzle]:
    """Reads puzzles from a JSON file that ``soffio puzzles`` printed or wrote with ``--resume``.

    If a line is invalid, raises ``PuzzleError`` with the line number.
    """
    name = checked_path("path", path)
    with open(name, encoding="utf-8-sig", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                found = json.loads(line)
                records = found["puzzles"] if isinstance(found, dict) and "puzzles" in found else [found]
                puzzles = [Puzzle.from_record(record) for record in records]
            except (TypeError, ValueError) as error:
                raise PuzzleError(f"{name}: line {number}: {error}") from error
            yield from puzzles


def mine(
    games: Iterable[Game | Board], *, nodes: int = 20_000, hash: int = 16, tables: str | PathLike[str] | None = None
) -> Iterator[Puzzle]:
    """Finds puzzles in games, as ``soffio puzzles`` does. A board stands for the game that was played on it.

    The ``id`` of a puzzle begins with the number of the game. ``nodes`` is the node limit for proving a move.

    >>> import soffio
    >>> board = soffio.Board("international", "B:W24,29,31,32,33,36,37,39:B8,9,13,14,16,18,22,26")
    >>> for move in ("14-19", "39-34"):
    ...     _ = board.push(move)
    >>> [puzzle] = soffio.puzzles.mine([board], nodes=8000)
    >>> puzzle.id, [str(move) for move in puzzle.solution], puzzle.goal
    ('1/1', ['39-34', '19x30x39x28', '32x23x12x3x14'], 'gain')
    """
    miner = native.PuzzleMiner(nodes=nodes, hash=hash, tables=None if tables is None else checked_path("tables", tables))
    return _mined(miner, _several("games", games))


def _mined(miner: native.PuzzleMiner, games: Iterable[Game | Board]) -> Iterator[Puzzle]:
    for number, game in enumerate(games, 1):
        board = game.end().board() if isinstance(game, Game) else _one("game", number, game)
        for line in miner.mine(board, str(number)):
            yield Puzzle.from_record(line)


@dataclass(frozen=True)
class ProvedMove:
    """A move with its proved result: ``win``, ``draw``, ``loss``, ``gain``, or ``open`` if nothing is proved."""

    move: Move
    result: str
    proof: str | None
    win_in: int | None
    line: tuple[Move, ...]
    """The expected line, which starts with the move."""

    @classmethod
    def _of(cls, board: Board, record: Mapping[str, Any]) -> ProvedMove:
        move, line = board.parse_move(record["move"]), _line(board, record["line"])
        return cls(move, record["result"], record.get("proof"), record.get("win_in"), line)


@dataclass(frozen=True)
class Dual:
    """A turn at which other moves are as good as the author's move.

    ``after`` contains the moves that lead to this turn, ``move`` is the author's move, and ``others`` are the other moves.
    """

    after: tuple[Move, ...]
    move: Move
    others: tuple[Move, ...]

    @classmethod
    def _of(cls, board: Board, record: Mapping[str, Any]) -> Dual:
        board, after = board.copy(), record["after"]
        played = tuple([board.push(text) for text in after])
        return cls(played, board.parse_move(record["move"]), tuple([board.parse_move(text) for text in record["others"]]))


@dataclass(frozen=True)
class ProblemReport:
    """What is proved about a problem, as reported by ``soffio solve``."""

    id: str
    board: Board
    verdict: str
    """``sound``, ``sole``, ``cooked``, ``unsolvable`` or ``open``."""
    result: str
    """The proved result for the side to move: ``win``, ``gain``, ``draw``, ``loss``, or ``open`` if nothing is proved."""
    claim: str | None
    """The result that the author claims: ``win``, ``draw`` or ``loss``, or ``None`` if there is no claim."""
    moves: tuple[ProvedMove, ...]
    """The legal moves."""
    win_in: int | None
    """Number of moves in the shortest win that was found, or ``None`` if no win was found."""
    is_shortest: bool
    """Whether it has been proved that there is no shorter win."""
    cooks: tuple[ProvedMove, ...]
    """First moves other than the author's that reach the same result."""
    duals: tuple[Dual, ...]
    """Later turns at which other moves are as good as the author's."""
    misses: tuple[str, ...]
    """Sentences about gaps and errors in the author's solution."""
    composition: tuple[str, ...]
    """Sentences about the problem's faults as a composition."""

    @classmethod
    def _of(cls, record: Mapping[str, Any]) -> ProblemReport:
        board = Board(record["variant"], record["fen"])
        return cls(
            record["id"],
            board,
            record["verdict"],
            record["result"],
            record.get("claim"),
            tuple([ProvedMove._of(board, move) for move in record["moves"]]),
            record.get("win_in"),
            "shortest" in record,
            tuple([ProvedMove._of(board, move) for move in record["cooks"]]),
            tuple([Dual._of(board, dual) for dual in record["duals"]]),
            tuple(record["misses"]),
            tuple(record.get("composition", [])),
        )


def solve(
    problems: Iterable[Game | Board],
    *,
    nodes: int = 200_000,
    hash: int = 64,
    tables: str | PathLike[str] | None = None,
    composition: bool = False,
) -> Iterator[ProblemReport]:
    """Checks problems, as ``soffio solve`` does. A problem is a game with a position, a result and the author's solution, or a board.

    ``nodes`` is the node limit per move. If ``composition`` is true, the rules of composition are checked as well.

    >>> import soffio
    >>> [verdict] = soffio.puzzles.solve([soffio.Board("international", "W:W6,11,18,22,28:B17,32,36,37,43")], nodes=20_000)
    >>> verdict.verdict, verdict.result, [str(move.move) for move in verdict.moves if move.result == "win"]
    ('sole', 'win', ['6-1'])
    """
    verifier = native.ProblemVerifier(nodes=nodes, hash=hash, tables=None if tables is None else checked_path("tables", tables))
    return _verified(verifier, _several("problems", problems), composition)


def _verified(verifier: native.ProblemVerifier, problems: Iterable[Game | Board], composition: bool) -> Iterator[ProblemReport]:
    for number, problem in enumerate(problems, 1):
        game = problem
        if not isinstance(game, Game):
            board = _one("problem", number, game)
            game = Game(board.variant, board.fen())
        yield ProblemReport._of(json.loads(verifier.verify(str(game), str(number), composition)))
