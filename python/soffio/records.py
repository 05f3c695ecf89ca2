"""Analyses positions and games in bulk, and returns the same records as ``soffio batch``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from numbers import Real
from operator import index
from os import PathLike
from typing import Any

from soffio._arguments import path, type_error
from soffio._native import native


def batch(
    requests: Iterable[Mapping[str, Any] | str],
    *,
    variant: str | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    multipv: int = 1,
    threads: int = 1,
    hash: int = 64,
    tables: str | PathLike[str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Answers requests one by one, and returns a record for each position.

    A request is a mapping or a line of JSON, as for ``soffio batch``: ``{"fen": ...}``, ``{"moves": [...]}`` or ``{"pdn": ...}``.
    A mapping may contain ``Move`` objects and numpy numbers.
    The arguments are defaults for requests that do not set them. ``time`` is in seconds; it is 0.5 if no limit is given.
    If a position cannot be analysed, its record contains ``error``. Records are reproducible if ``depth`` or ``nodes`` is
    the only limit and there is a single thread.

    >>> import soffio
    >>> [record] = soffio.batch([{"variant": "english", "moves": ["11-15"]}], depth=6)
    >>> record["lines"][0]["depth"], record["to_move"]
    (6, 'white')
    """
    analyser = native.BatchAnalyser(
        variant=variant,
        depth=depth,
        nodes=nodes,
        time=time,
        multipv=multipv,
        threads=threads,
        hash=hash,
        tables=None if tables is None else path("tables", tables),
    )
    if isinstance(requests, (str, Mapping)) or not isinstance(requests, Iterable):
        raise type_error("requests", "an iterable of mappings or strs", requests)
    return _answers(analyser, requests)


def _answers(analyser: native.BatchAnalyser, requests: Iterable[Mapping[str, Any] | str]) -> Iterator[dict[str, Any]]:
    for number, request in enumerate(requests, 1):
        text = request if isinstance(request, str) else _json(request, number)
        for line in analyser.answer(text, number):
            yield json.loads(line)


def _json(request: Mapping[str, Any], number: int) -> str:
    if not isinstance(request, Mapping):
        raise type_error(f"request {number}", "a mapping or a str", request)
    try:
        return json.dumps(dict(request), default=_plain)
    except (RecursionError, TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"request {number}: {error}") from error


def _plain(value: Any) -> Any:
    """Converts a value of a request that JSON cannot represent."""
    if isinstance(value, native.Move):
        return str(value)
    with suppress(TypeError):
        return index(value)
    if isinstance(value, Real):
        return float(value)
    raise TypeError(f"{native.shown(value)} cannot be written as JSON")
