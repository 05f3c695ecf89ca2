"""Loads the extension. The build for x86-64-v3 (processors since about 2015) is loaded if it exists and the processor supports it."""

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
            # A package that was built from source contains only one build.
            pass

# ``pickle`` uses these functions, so that objects pickled with one build can be unpickled with the other build.


def restore_board(*parts: Any) -> native.Board:
    """Restores a pickled board."""
    return native.restore_board(*parts)


def restore_move(*parts: Any) -> native.Move:
    """Restores a pickled move."""
    return native.restore_move(*parts)


def restore_tavla(*parts: Any) -> native.Tavla:
    """Restores a pickled game of tavla."""
    return native.restore_tavla(*parts)
