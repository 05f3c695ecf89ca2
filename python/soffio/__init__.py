"""Draughts in 30 variants: boards, game records, an engine, endgame tables, positions as numpy arrays, and tavla.

>>> import soffio
>>> board = soffio.Board("international")
>>> board.push("32-28")
<Move 32-28 (international)>
>>> engine = soffio.Engine()
>>> engine.play(board, soffio.Limit(depth=8)).move in board.legal_moves
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from soffio import arrays, puzzles
from soffio._native import native
from soffio.arrays import (
    LegalMovesResult,
    SelfPlayData,
    evaluate_many,
    from_planes,
    legal_moves_many,
    network_inputs,
    pack,
    to_planes,
    unpack,
)
from soffio.book import Book, BookMove
from soffio.engine import Analysis, Elo, Engine, Info, Level, Limit, PlayResult, Verdict
from soffio.pdn import Game, GameBuilder, GameNode, read_game, read_games, visit_games
from soffio.records import batch
from soffio.score import PovScore, Result, Score
from soffio.variants import BLACK, VARIANTS, WHITE, Variant
from soffio.visitor import SKIP, BaseVisitor, HeadersBuilder
from soffio.weights import NetworkShape, read_weights, write_weights

if TYPE_CHECKING:
    from soffio.arrays import MOVE as MOVE
    from soffio.arrays import POSITION as POSITION

__version__ = native.__version__

Board = native.Board
Move = native.Move
Tavla = native.Tavla

BookError = native.BookError
DataError = native.DataError
EngineError = native.EngineError
FenError = native.FenError
IllegalMoveError = native.IllegalMoveError
InvalidMoveError = native.InvalidMoveError
OptionError = native.OptionError
PdnError = native.PdnError
PositionsError = native.PositionsError
TavlaError = native.TavlaError
VariantError = native.VariantError
WeightsError = native.WeightsError


def __getattr__(name: str) -> Any:
    # These names are not in ``__all__``, because they require numpy.
    if name in ("MOVE", "POSITION"):
        return getattr(arrays, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BLACK",
    "SKIP",
    "VARIANTS",
    "WHITE",
    "Analysis",
    "BaseVisitor",
    "Board",
    "Book",
    "BookError",
    "BookMove",
    "DataError",
    "Elo",
    "Engine",
    "EngineError",
    "FenError",
    "Game",
    "GameBuilder",
    "GameNode",
    "HeadersBuilder",
    "IllegalMoveError",
    "Info",
    "InvalidMoveError",
    "Level",
    "Limit",
    "Move",
    "LegalMovesResult",
    "NetworkShape",
    "OptionError",
    "PdnError",
    "PlayResult",
    "PositionsError",
    "PovScore",
    "Result",
    "Score",
    "SelfPlayData",
    "Tavla",
    "TavlaError",
    "Variant",
    "VariantError",
    "Verdict",
    "WeightsError",
    "batch",
    "evaluate_many",
    "from_planes",
    "legal_moves_many",
    "network_inputs",
    "pack",
    "puzzles",
    "read_game",
    "read_games",
    "read_weights",
    "to_planes",
    "unpack",
    "visit_games",
    "write_weights",
]
