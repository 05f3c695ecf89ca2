"""Checks the types of arguments. Error messages contain the name of the argument and its value."""

from __future__ import annotations

from os import PathLike, fsdecode
from typing import Any, TypeVar

from soffio._native import native

T = TypeVar("T")


def wrong(name: str, expected: str, given: object) -> TypeError:
    """Returns the error for an argument whose type is not the expected type."""
    return TypeError(f"{name} must be {expected}, not {native.shown(given)}")


def checked(name: str, kind: type[T], given: Any) -> T:
    """Returns ``given`` if it is an instance of ``kind``; otherwise raises ``TypeError``."""
    if isinstance(given, kind):
        return given
    raise wrong(name, f"a {kind.__name__}" if kind.__name__[0] not in "AEIOU" else f"an {kind.__name__}", given)


def path(name: str, given: str | bytes | PathLike[str]) -> str:
    """Returns the path ``given`` as a string; raises ``TypeError`` if it is not a path."""
    if not isinstance(given, (str, bytes, PathLike)):
        raise wrong(name, "a path", given)
    return fsdecode(given)
