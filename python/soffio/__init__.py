"""Draughts of every kind: boards, game records, a strong engine, endgame tables, positions as numpy arrays, and tavla.

>>> import soffio
>>> board = soffio.Board("international")
>>> board.push("32-28")
<Move 32-28 (international)>
>>> engine = soffio.Engine()
>>> engine.play(board, soffio.Limit(depth=8)).move in board.legal_moves
True
"""

from __future__ import annotations

from soffio._native import native
from soffio.engine import Analysis, Elo, Engine, Info, Level, Limit, PlayResult, Score, Verdict
from soffio.variants import BLACK, VARIANTS, WHITE, Variant

Board = native.Board
Move = native.Move
Result = native.Result

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

__all__ = [
    "BLACK",
    "VARIANTS",
    "WHITE",
    "Analysis",
    "Board",
    "DataError",
    "Elo",
    "Engine",
    "EngineError",
    "FenError",
    "IllegalMoveError",
    "Info",
    "InvalidMoveError",
    "Level",
    "Limit",
    "Move",
    "OptionError",
    "PdnError",
    "PlayResult",
    "PositionsError",
    "Result",
    "Score",
    "TavlaError",
    "Variant",
    "VariantError",
    "Verdict",
    "WeightsError",
]
