"""The variants and their boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from soffio._native import native

WHITE = True
BLACK = False

VARIANTS: tuple[str, ...] = tuple(native.variant_names())
"""The names of all variants."""


@dataclass(frozen=True)
class Variant:
    """The properties of a variant. In tuples with one element per square, the first element is for square 1.

    >>> variant = Variant.named("checkers")
    >>> variant.name, variant.squares, variant.white_starts
    ('english', 32, False)
    """

    name: str
    aliases: tuple[str, ...]
    game_type: int | None
    """The variant's number in the ``GameType`` tag of game records, or ``None`` if it has no number."""
    width: int
    height: int
    squares: int
    men: int
    """Number of men per side in the start position."""
    white_starts: bool
    algebraic: bool
    """Whether squares are written as a letter and a digit."""
    places: tuple[tuple[int, int], ...]
    """Row and column of each square, counted from 0 at the top left corner, with White at the bottom of the board."""
    bits: tuple[int, ...]
    """The bit of each square in the bitboards of packed positions."""
    square_names: tuple[str, ...]

    @classmethod
    def named(cls, name: str) -> Variant:
        """Returns the variant with this name, alias or ``GameType`` number. Raises ``VariantError`` if there is no such variant."""
        properties: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in native.describe_variant(name).items()
        }
        return cls(**properties)
