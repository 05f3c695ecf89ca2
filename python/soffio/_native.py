"""Chooses the build of the extension: that for x86-64-v3, processors since 2013 to 2015, where there is one and it can run."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__all__ = ["native", "restore_board"]

if TYPE_CHECKING:
    from soffio import _soffio as native
else:
    from soffio import _soffio as native

    if native.has_x86_64_v3():
        try:
            native = importlib.import_module("soffio.x86_64_v3._soffio")
        except ModuleNotFoundError:
            # A package that was built from its source has one build.
            pass


def restore_board(variant: str, fen: str, moves: list[str]) -> native.Board:
    """A board after these moves, for ``pickle``."""
    return native.restore_board(variant, fen, moves)
