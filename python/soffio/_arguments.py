"""Checks the types of arguments. Error messages contain the name of the argument and its value."""

from __future__ import annotations

from os import PathLike, fsdecode
from typing import Any, TypeVar

from soffio._native import native

T = TypeVar("T")


def type_error(name: str, expected: str, value: object) -> TypeError:
    """Returns the error for an argument whose type is not the expected type."""
    return TypeError(f"{name} must be {expected}, not {native.shown(value)}")


def check_type(name: str, kind: type[T], value: Any) -> T:
    """Returns ``value`` if it is an instance of ``kind``; otherwise raises ``TypeError``."""
    if isinstance(value, kind):
        return value
    raise type_error(name, f"a {kind.__name__}" if kind.__name__[0] not in "AEIOU" else f"an {kind.__name__}", value)


def path(name: str, value: str | bytes | PathLike[str]) -> str:
    """Returns the path ``value`` as a string; raises ``TypeError`` if it is not a path."""
    if not isinstance(value, (str, bytes, PathLike)):
        raise type_error(name, "a path", value)
    return fsdecode(value)
