"""Chooses the build of the extension: that for x86-64-v3, processors since 2013 to 2015, where there is one and it can run."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__all__ = ["native", "restore_board", "restore_move", "restore_tavla"]

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

# For ``pickle``: what was pickled with one build can be read with the other one.


def restore_board(*parts: Any) -> native.Board:
    """The board of a pickled one."""
    return native.restore_board(*parts)


def restore_move(*parts: Any) -> native.Move:
    """The move of a pickled one."""
    return native.restore_move(*parts)


def restore_tavla(*parts: Any) -> native.Tavla:
    """The game of tavla of a pickled one."""
    return native.restore_tavla(*parts)
