"""Computes legal moves and perft counts with pydraughts, an independent library, for tests/engine/pydraughts.rs.

Each input line is `moves <variant> <position>` or `perft <variant> <position> <depth>`. The position is the side to
move followed by a letter for every square, as in the Hub protocol. Each output line answers one input line, either with
the sorted moves as `from-to:captured,...`, without duplicates, or with the count. Captures that differ only in their
path count as one.
"""

import functools
import sys

from draughts.core.game import Game


def moves_of(variant, position):
    """Returns the legal moves, each with the parts in which pydraughts plays it."""
    game = Game(variant, position)
    if variant == "breakthrough" and any(letter in "WB" for letter in position[1:]):
        return {}
    moves = {}
    for parts, captures in zip(*game.legal_moves()):
        captured = tuple(sorted(square for square in captures if square is not None))
        moves[(parts[0][0], parts[-1][1], captured)] = parts
    return moves


@functools.lru_cache(maxsize=None)
def perft(variant, position, depth):
    moves = moves_of(variant, position)
    if depth == 1:
        return len(moves)
    total = 0
    for parts in moves.values():
        game = Game(variant, position)
        game.push(parts)
        total += perft(variant, game.get_fen(), depth - 1)
    return total


for line in sys.stdin:
    request, variant, position, *rest = line.split()
    if request == "perft":
        print(perft(variant, position, int(rest[0])), flush=True)
    else:
        texts = (f"{start}-{end}:{','.join(map(str, taken))}" for start, end, taken in moves_of(variant, position))
        print(*sorted(texts), flush=True)
