"""Results of games, and scores that can be compared and converted between sides. The names follow python-chess."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import total_ordering

from soffio._arguments import check_type, type_error
from soffio._native import native
from soffio.variants import BLACK, WHITE

_MAX_CP = 10**9
_MAX_MOVES = 65535


@dataclass(frozen=True, repr=False)
class Result:
    """The result of a game and the reason for it.

    ``score`` is the result as in game records, such as ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``. Its first number belongs to the side
    that begins the game. ``winner`` is ``WHITE``, ``BLACK`` or ``None``. ``reason`` is ``None`` while the game is in progress.
    """

    score: str
    winner: bool | None
    reason: str | None

    def __str__(self) -> str:
        return self.score

    def __repr__(self) -> str:
        return f"<Result {self.score}>" if self.reason is None else f"<Result {self.score}: {self.reason}>"


@total_ordering
@dataclass(frozen=True, repr=False)
class Score:
    """A score for one side.

    Exactly one of the following is given: ``cp``, where 100 means an expected score of 75 %; ``win``, for a proved win;
    or ``loss``, for a proved loss. ``win`` and ``loss`` are the number of moves that the side to move makes until the
    end of the game. The score of a side that has lost is ``Score(loss=0)``, and the score of its opponent is
    ``Score(win=0)``.

    Scores are ordered from a quick loss to a quick win, and can be negated and hashed.

    >>> Score(loss=1) < Score(loss=5) < Score(cp=-20) < Score(cp=300) < Score(win=5) < Score(win=0)
    True
    >>> -Score(win=0), -Score(cp=25)
    (Score(loss=0), Score(cp=-25))
    """

    cp: int | None = None
    win: int | None = None
    loss: int | None = None

    def __post_init__(self) -> None:
        given = {name: value for name in ("cp", "win", "loss") if (value := getattr(self, name)) is not None}
        if len(given) != 1:
            raise ValueError(f"a score must have exactly one of cp, win and loss, not {', '.join(given) or 'none'}")
        [(name, value)] = given.items()
        minimum, maximum = (-_MAX_CP, _MAX_CP) if name == "cp" else (0, _MAX_MOVES)
        # Convert numpy integers to Python integers.
        object.__setattr__(self, name, native.whole_number(name, value, minimum, maximum))

    @classmethod
    def _of(cls, found: tuple[str, int]) -> Score:
        kind, value = found
        return cls(**{kind: value})

    @property
    def is_decided(self) -> bool:
        """Whether a win or a loss is proved."""
        return self.cp is None

    def value(self, decided: int = 10_000) -> int:
        """Returns the score as a single number. A proved win has the value ``decided`` minus the number of moves.

        >>> Score(cp=25).value(), Score(win=3).value(), Score(loss=2).value()
        (25, 9997, -9998)
        """
        if self.win is not None:
            return decided - self.win
        return self.cp if self.cp is not None else -decided + (self.loss or 0)

    def _key(self) -> tuple[int, int]:
        if self.win is not None:
            return (1, -self.win)
        return (0, self.cp) if self.cp is not None else (-1, self.loss or 0)

    def __lt__(self, other: object) -> bool:
        return self._key() < other._key() if isinstance(other, Score) else NotImplemented

    def __neg__(self) -> Score:
        return Score(None if self.cp is None else -self.cp, self.loss, self.win)

    def __str__(self) -> str:
        if self.cp is not None:
            return f"{self.cp / 100:+.2f}"
        return f"win in {self.win}" if self.win is not None else f"loss in {self.loss}"

    def __repr__(self) -> str:
        [shown] = [f"{field.name}={value}" for field in fields(self) if (value := getattr(self, field.name)) is not None]
        return f"Score({shown})"


@dataclass(frozen=True, repr=False, eq=False)
class PovScore:
    """A score together with a side. ``relative`` is the score from the point of view of the side ``turn``.

    Two scores are equal if they are the same from White's point of view.

    >>> score = PovScore(Score(cp=-30), BLACK)
    >>> score.white(), score.black(), score.pov(WHITE)
    (Score(cp=30), Score(cp=-30), Score(cp=30))
    >>> score == PovScore(Score(cp=30), WHITE), str(score)
    (True, '-0.30 for Black')
    """

    relative: Score
    turn: bool

    def __post_init__(self) -> None:
        check_type("relative", Score, self.relative)
        if not isinstance(self.turn, bool):
            raise type_error("turn", "WHITE or BLACK", self.turn)

    @property
    def is_decided(self) -> bool:
        """Whether a win or a loss is proved."""
        return self.relative.is_decided

    def pov(self, side: bool) -> Score:
        """Returns the score from the point of view of a side."""
        return self.relative if side == self.turn else -self.relative

    def white(self) -> Score:
        """Returns the score from White's point of view."""
        return self.pov(WHITE)

    def black(self) -> Score:
        """Returns the score from Black's point of view."""
        return self.pov(BLACK)

    def __eq__(self, other: object) -> bool:
        return self.white() == other.white() if isinstance(other, PovScore) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.white())

    def __str__(self) -> str:
        return f"{self.relative} for {'White' if self.turn else 'Black'}"

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"
