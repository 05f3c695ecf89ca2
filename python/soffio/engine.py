"""Runs the engine. Searches have limits, report information while they run, and can be stopped."""

from __future__ import annotations

import asyncio
import enum
import weakref
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import index
from os import PathLike
from types import TracebackType
from typing import Any, NoReturn, overload

from soffio._arguments import check_type, type_error
from soffio._arguments import path as checked_path
from soffio._native import native
from soffio.score import PovScore, Score

Board = native.Board
Move = native.Move
EngineError = native.EngineError
OptionError = native.OptionError

_NO_LIMIT = "limit is empty: set time, depth, nodes, win_in or the clock of the side to move, or use analysis()"


# Maximum values of the limits.
_MAX = {"depth": 127, "nodes": 2**63 - 1, "win_in": 60, "remaining_moves": 9999}


class Level(str, enum.Enum):
    """The playing strength. All levels except ``FULL`` search to a fixed depth of 2 to 6 plies."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    GOD = "god"
    FULL = "full"


@dataclass(frozen=True)
class Elo:
    """A rating from 800 to 2400 at which the engine plays. Differences in rating roughly follow the Elo formula."""

    rating: int


@dataclass(frozen=True)
class Limit:
    """The limits of a search, which ends as soon as one of them is reached. Times are in seconds.

    With ``win_in``, the engine searches only for a win in at most this many moves by the side to move (up to 60). The
    constructor raises ``ValueError`` if a limit is out of range.

    >>> Limit(depth=0)
    Traceback (most recent call last):
    ValueError: depth must be from 1 to 127, not 0
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    win_in: int | None = None
    white_clock: float | None = None
    black_clock: float | None = None
    white_inc: float | None = None
    black_inc: float | None = None
    remaining_moves: int | None = None

    def __post_init__(self) -> None:
        for name, maximum in _MAX.items():
            if (number := getattr(self, name)) is not None:
                object.__setattr__(self, name, native.whole_number(name, number, 1, maximum))
        for name in ("time", "white_clock", "black_clock", "white_inc", "black_inc"):
            if (seconds := getattr(self, name)) is not None:
                object.__setattr__(self, name, native.seconds(name, seconds))

    def clock(self, turn: bool) -> tuple[float, float, int | None] | None:
        """Returns the remaining time of the side ``turn``, its increment and the moves to go, or ``None`` if it has no clock."""
        remaining = self.white_clock if turn else self.black_clock
        increment = self.white_inc if turn else self.black_inc
        return None if remaining is None else (remaining, increment or 0.0, self.remaining_moves)


@dataclass(frozen=True)
class Info:
    """A report from a search: a principal variation, its score from the point of view of the side to move, and search statistics."""

    depth: int
    seldepth: int
    multipv: int
    score: PovScore
    bound: str
    nodes: int
    tbhits: int
    hashfull: int
    time: float
    wdl: tuple[int, int, int] | None
    """Probabilities of a win, a draw and a loss for the side to move, in permille. ``None`` without a trained network."""
    pv: tuple[Move, ...] = field(repr=False)

    @classmethod
    def _of(cls, report: Mapping[str, Any], turn: bool) -> Info:
        return cls(**{**report, "score": PovScore(Score._of(report["score"]), turn), "pv": tuple(report["pv"])})

    @property
    def nps(self) -> int:
        """Number of nodes per second."""
        return round(self.nodes / self.time) if self.time > 0 else 0

    def __str__(self) -> str:
        line = " ".join(str(move) for move in self.pv)
        return f"depth {self.depth} score {self.score} nodes {self.nodes} pv {line}"


@dataclass(frozen=True)
class PlayResult:
    """The engine's move (``None`` if there are no legal moves), the reply that it expects, and the last report from the search."""

    move: Move | None
    ponder: Move | None
    info: Info | None


@dataclass(frozen=True)
class Verdict:
    """The result of a position in the endgame tables, for the side to move.

    ``outcome`` is ``win``, ``draw`` or ``loss``. ``plies`` is the number of plies to the end of the game, or ``None`` if the tables
    contain only results. ``sure`` is true if no draw rule can intervene. ``moves`` maps each move to its verdict for the side that plays the move, or to ``None`` if there is no table.
    """

    outcome: str
    plies: int | None
    sure: bool
    moves: dict[Move, Verdict | None] = field(default_factory=dict, repr=False, hash=False)


def _check(board: Board, limit: Limit) -> Limit:
    bounds = (check_type("limit", Limit, limit).time, limit.depth, limit.nodes, limit.win_in, limit.clock(check_type("board", Board, board).turn))
    if all(bound is None for bound in bounds):
        raise ValueError(_NO_LIMIT)
    return limit


def _option(name: str, value: Any) -> str:
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, PathLike):
        return checked_path(name, value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, float)):
        return str(value)
    with suppress(TypeError):
        # ``index`` also accepts numpy integers.
        return native.shown(index(value))
    raise type_error(f"option {native.shown(name)}", "a str, a number or a path", value)


def _root_moves(board: Board, moves: Iterable[Move | str]) -> list[Move]:
    if isinstance(moves, (str, Move)) or not isinstance(moves, Iterable):
        raise type_error("root_moves", "an iterable of moves", moves)
    chosen = [move if isinstance(move, Move) else board.parse_move(move) for move in moves]
    if not chosen and board.legal_moves:
        raise ValueError("root_moves is empty: omit it to search all moves")
    return chosen


class Analysis:
    """A search that runs in its own threads.

    The object is an iterator over the reports from the search, for use with ``for`` or ``async for``. As a context manager, it
    ends the search on exit.

    >>> import soffio
    >>> engine = soffio.Engine()
    >>> with engine.analysis(soffio.Board("english")) as analysis:
    ...     for info in analysis:
    ...         if info.depth == 5:
    ...             break
    >>> info.depth
    5
    """

    def __init__(self, search: native.Search, turn: bool, info: Callable[[Info], object] | None) -> None:
        self._search = search
        self._turn = turn
        self._watch = info
        # The lines of the current iteration by rank, and the lines of the previous iteration.
        self._lines: dict[int, Info] = {}
        self._earlier: dict[int, Info] = {}
        self._best: tuple[Move | None, Move | None] | None = None

    def stop(self) -> None:
        """Stops the search as soon as possible. ``wait`` still returns its answer."""
        self._search.stop()

    def close(self) -> None:
        """Stops the search and waits until it has ended, which takes a few milliseconds."""
        self._search.close()

    def wait(self) -> PlayResult:
        """Waits for the end of the search and returns its answer. Ctrl-C stops the search."""
        with self:
            for _ in self:
                pass
        move, ponder = self._best or (None, None)
        lines = self.lines
        return PlayResult(move, ponder, lines[0] if lines else None)

    @property
    def lines(self) -> list[Info]:
        """The best lines so far, best first. Lines that the current iteration has not reported yet come from the previous iteration."""
        lines = [self._lines[place] for place in sorted(self._lines)]
        begun = {line.pv[0] for line in lines if line.pv}
        rest = (self._earlier[place] for place in sorted(self._earlier))
        missing = len(self._earlier) - len(lines)
        lines += [line for line in rest if line.pv and line.pv[0] not in begun][: max(0, missing)]
        return [replace(line, multipv=place) for place, line in enumerate(lines, 1)]

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        try:
            found = self._search.next()
            if isinstance(found, dict):
                info = Info._of(found, self._turn)
                self._note(info)
                if self._watch is not None:
                    self._watch(info)
                return info
        except BaseException:
            # Leave the engine idle after Ctrl-C or an exception in the callback.
            self.close()
            raise
        if found is not None:
            self._best = found
        raise StopIteration

    def _note(self, info: Info) -> None:
        # After a fail-low, the new score is not known yet.
        if info.bound == "upper" and self._lines:
            return
        if info.multipv == 1 and 1 in self._lines and info.depth > self._lines[1].depth:
            self._earlier, self._lines = self._lines, {}
        self._lines[info.multipv] = info

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        loop = asyncio.get_running_loop()
        try:
            info = await loop.run_in_executor(None, next, self, None)
        except asyncio.CancelledError:
            self.stop()
            raise
        if info is None:
            raise StopAsyncIteration
        return info

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> Analysis:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Engine:
    """An engine that plays and analyses all variants. Its searches run in parallel with Python code, and Ctrl-C stops them.

    ``hash`` is the size of the transposition table in MiB, and ``threads`` is the number of search threads. ``eval_file`` is a weights
    file for one variant, and ``tables`` is a folder with endgame tables. ``book`` is an opening book from which ``play`` takes moves
    in the variant of the book. ``level`` is a :class:`Level`, the name of a level, or an :class:`Elo`. ``options`` is a mapping of
    options, which are set as with ``configure``.

    An engine runs one search at a time, and separate engines are independent. As a context manager, the engine is closed on exit.

    >>> import soffio
    >>> with soffio.Engine(hash=16) as engine:
    ...     result = engine.play(soffio.Board("international", "W:W31,K50:B18,19,22"), soffio.Limit(depth=6))
    >>> str(result.move)
    '50x11'
    """

    def __init__(
        self,
        *,
        hash: int | None = None,
        threads: int | None = None,
        eval_file: str | PathLike[str] | None = None,
        tables: str | PathLike[str] | None = None,
        book: str | PathLike[str] | None = None,
        level: Level | Elo | str | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self._opened: native.SearchEngine | None = native.SearchEngine()
        # The last search, as long as the caller has a reference to it.
        self._search: weakref.ref[Analysis] | None = None
        # The options that were set, for the repr.
        self._set: dict[str, Any] = {}
        self.configure({name: value for name, value in {"Hash": hash, "Threads": threads}.items() if value is not None})
        paths = {"TablePath": (tables, self._engine.set_tables), "EvalFile": (eval_file, self._engine.set_eval_file)}
        for name, (path, use) in {**paths, "BookFile": (book, self._engine.set_book)}.items():
            if path is not None:
                self._set[name] = checked_path(name, path)
                use(self._set[name])
        if level is not None:
            self.set_level(level)
        self.configure(options or {})

    def __repr__(self) -> str:
        """Returns the options that were set.

        >>> Engine(hash=16, level="easy"), Engine()
        (<Engine Hash=16 UCI_LimitStrength=False Level='easy'>, <Engine>)
        """
        words = ["Engine", *(f"{name}={value!r}" for name, value in self._set.items())]
        return f"<{' '.join(words if self._opened else ['Engine', 'closed'])}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an Engine cannot be pickled or copied, because its threads belong to a process: create one in each process")

    @property
    def _engine(self) -> native.SearchEngine:
        if self._opened is None:
            raise EngineError("the engine is closed")
        return self._opened

    def close(self) -> None:
        """Stops a running search and frees the engine's memory. Using a closed engine raises ``EngineError``.

        >>> engine = Engine()
        >>> engine.close()
        >>> engine.clear()
        Traceback (most recent call last):
        soffio.EngineError: the engine is closed
        """
        search = self._search() if self._search else None
        if search is not None:
            search.close()
        self._opened = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def set_level(self, level: Level | Elo | str) -> None:
        """Sets the level or rating at which the engine plays. Analysis is never weakened."""
        if isinstance(level, Elo):
            self.configure({"UCI_Elo": level.rating, "UCI_LimitStrength": True})
        else:
            self.configure({"UCI_LimitStrength": False, "Level": level.value if isinstance(level, Level) else level})

    @staticmethod
    def option_table() -> list[dict[str, Any]]:
        """Returns the options that can be set, each with its name, type, default and bounds."""
        return native.SearchEngine.option_table()

    def configure(self, options: Mapping[str, object]) -> None:
        """Sets options by their names in the protocol. Raises ``OptionError`` at the first invalid option.

        >>> Engine().configure({"Hash": 0})
        Traceback (most recent call last):
        soffio.OptionError: option Hash must be a number from 1 to 33554432, not '0'
        """
        if not isinstance(options, Mapping):
            raise type_error("options", "a mapping of names to values", options)
        for name, value in options.items():
            self._engine.set_option(name, None if value is None else _option(name, value))
            self._set.pop(name, None)
            if value is not None:
                self._set[name] = value

    def clear(self) -> None:
        """Clears the results of earlier searches, as before a new game."""
        self._engine.set_option("Clear Hash", None)

    def _start(
        self,
        board: Board,
        limit: Limit,
        analysis: bool,
        multipv: int | None,
        root_moves: Iterable[Move | str] | None,
        info: Callable[[Info], object] | None,
    ) -> Analysis:
        # Search a copy, so that moves played on the board in the meantime have no effect.
        board = check_type("board", Board, board).copy()
        search = self._engine.start(
            board,
            depth=limit.depth,
            nodes=limit.nodes,
            time=limit.time,
            clock=limit.clock(board.turn),
            win_in=limit.win_in,
            analysis=analysis,
            multipv=multipv,
            root_moves=None if root_moves is None else _root_moves(board, root_moves),
        )
        started = Analysis(search, board.turn, info)
        self._search = weakref.ref(started)
        return started

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        root_moves: Iterable[Move | str] | None = None,
        info: Callable[[Info], object] | None = None,
    ) -> PlayResult:
        """Chooses a move from the book or by a search. ``info`` is called with each report from the search. The board is not changed."""
        with self._start(board, _check(board, limit), False, None, root_moves, info) as search:
            return search.wait()

    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: None = None,
        root_moves: Iterable[Move | str] | None = None,
        info: Callable[[Info], object] | None = None,
    ) -> Info | None: ...

    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int,
        root_moves: Iterable[Move | str] | None = None,
        info: Callable[[Info], object] | None = None,
    ) -> list[Info]: ...

    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move | str] | None = None,
        info: Callable[[Info], object] | None = None,
    ) -> Info | list[Info] | None:
        """Returns the best line, or ``None`` if there are no legal moves.

        With ``multipv``, returns a list of up to that many lines, best first.
        """
        with self._start(board, _check(board, limit), True, multipv, root_moves, info) as search:
            search.wait()
            lines = search.lines
        if multipv is not None:
            return lines
        return lines[0] if lines else None

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move | str] | None = None,
        info: Callable[[Info], object] | None = None,
    ) -> Analysis:
        """Starts an analysis, which runs until a limit is reached or the analysis is stopped."""
        return self._start(board, Limit() if limit is None else check_type("limit", Limit, limit), True, multipv, root_moves, info)

    async def play_async(self, board: Board, limit: Limit, *, root_moves: Iterable[Move | str] | None = None) -> PlayResult:
        """Like ``play``, but as a coroutine. Other tasks can run during the search. Cancelling the coroutine stops the search."""
        search = self._start(board, _check(board, limit), False, None, root_moves, None)
        try:
            async for _ in search:
                pass
            return search.wait()
        finally:
            search.close()

    async def analyse_async(
        self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Iterable[Move | str] | None = None
    ) -> list[Info]:
        """Like ``analyse``, but as a coroutine that returns a list of lines."""
        search = self._start(board, _check(board, limit), True, multipv, root_moves, None)
        try:
            async for _ in search:
                pass
            return search.lines
        finally:
            search.close()

    def evaluate(self, board: Board) -> PovScore:
        """Returns the static evaluation of the position after all pending captures have been resolved."""
        return PovScore(Score._of(self._engine.evaluation(check_type("board", Board, board))[0]), board.turn)

    def probe(self, board: Board) -> Verdict | None:
        """Probes the endgame tables in the ``tables`` folder and the small tables that are solved in memory.

        Returns ``None`` if no table contains the position.

        >>> import soffio
        >>> soffio.Engine().probe(soffio.Board("english", "W:WK32,K31:BK1")).outcome
        'win'
        """
        probed = self._engine.probe_tables(check_type("board", Board, board))
        if probed is None:
            return None
        (outcome, plies, sure), moves = probed
        return Verdict(outcome, plies, sure, {move: None if found is None else Verdict(*found) for move, found in moves})
