"""The variants and their boards."""

from __future__ import annotations

from dataclasses import dataclass

from soffio._native import native

WHITE = True
BLACK = False

VARIANTS: tuple[str, ...] = tuple(native.variant_names())
"""The names of all variants."""


@dataclass(frozen=True)
class Variant:
    """What there is to know of a variant. What is listed by square begins with square 1.

    >>> variant = Variant.named("checkers")
    >>> variant.name, variant.squares, variant.white_starts
    ('english', 32, False)
    """

    name: str
    aliases: list[str]
    game_type: int | None
    """Its number in the tag ``GameType`` of game records."""
    width: int
    height: int
    squares: int
    men: int
    """Men of each side at the start."""
    white_starts: bool
    algebraic: bool
    """Whether squares are written as letter and digit."""
    places: list[tuple[int, int]]
    """Row from the top and column from the left of each square, from 0, with White at the bottom."""
    bits: list[int]
    """The bit of each square in the sets of squares of packed positions."""
    square_names: list[str]

    @classmethod
    def named(cls, name: str) -> Variant:
        """The variant with this name, another name of it, or number. Raises ``VariantError``."""
        return cls(**native.describe_variant(name))
