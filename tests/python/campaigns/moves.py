"""Compares the legal moves of random positions with those of pydraughts or py-draughts.

Usage: moves.py {pydraughts,py-draughts} [POSITIONS] [VARIANT...]
Needs the package soffio and the named one. Positions come from random games, a third of them with kings set up at random. Moves are
compared by the squares of departure, arrival and the pieces taken. Prints each kind of difference with its first positions.
"""

import random
import sys

import soffio


def soffio_moves(board):
    return {(move.from_square, move.to_square, frozenset(move.captured)) for move in board.legal_moves}


class Pydraughts:
    """pydraughts 0.6.7: its variants whose squares it numbers in one way only."""

    variants = {
        "international": "standard", "frisian": "frisian", "frysk": "frysk!", "losing": "antidraughts", "breakthrough": "breakthrough",
        "russian": "russian", "brazilian": "brazilian", "english": "english", "italian": "italian", "turkish": "turkish",
    }

    def __init__(self, variant):
        from draughts.core.game import Game

        self.make, self.variant = Game, self.variants[variant]

    def moves(self, board):
        position = board.hub()
        if self.variant == "breakthrough" and any(letter in "WB" for letter in position[1:]):
            return set()
        parts_and_captures = zip(*self.make(self.variant, position).legal_moves())
        return {
            (parts[0][0], parts[-1][1], frozenset(square for square in captures if square is not None))
            for parts, captures in parts_and_captures
        }


class PyDraughts:
    """py-draughts 1.10.1."""

    variants = {
        "international": "StandardBoard", "english": "AmericanBoard", "frisian": "FrisianBoard", "russian": "RussianBoard",
        "brazilian": "BrazilianBoard", "breakthrough": "BreakthroughBoard", "losing": "AntidraughtsBoard", "frysk": "FryskBoard",
    }

    def __init__(self, variant):
        import draughts

        self.make = getattr(draughts, self.variants[variant])
        self.variant = variant

    def moves(self, board):
        theirs = self.make.from_fen(numeric_fen(board))
        found = set()
        for move in theirs.legal_moves:
            path = [square + 1 for square in move.square_list]
            found.add((path[0], path[-1], frozenset(square + 1 for square in (move.captured_list or []))))
        return found


def numeric_fen(board):
    """The position in numbers, without the fields that others do not know."""
    lists = {"w": [], "b": []}
    for number, piece in board.piece_map().items():
        lists[piece.lower()].append(("K" if piece.isupper() else "") + str(number))
    return f"{'W' if board.turn else 'B'}:W{','.join(lists['w'])}:B{','.join(lists['b'])}"


def positions(variant, count, choose):
    """Random positions whose side to move has a move."""
    facts = soffio.Variant.named(variant)
    made = 0
    while made < count:
        board = soffio.Board(variant)
        for _ in range(choose.randrange(120)):
            if not board.legal_moves or board.is_game_over():
                break
            board.push(choose.choice(board.legal_moves))
            if choose.random() < 0.5 and board.legal_moves:
                yield clean(board, facts, choose)
                made += 1
                if made == count:
                    return


def clean(board, facts, choose):
    """The position without its history, and of every third one with some pieces made kings."""
    pieces = dict(board.piece_map())
    if choose.random() < 0.33 and board.variant != "breakthrough":
        for number in choose.sample(list(pieces), min(len(pieces), 3)):
            pieces[number] = pieces[number].upper()
        for number in list(pieces):
            if choose.random() < 0.4 and len(pieces) > 4:
                del pieces[number]
    lists = {"w": [], "b": []}
    for number, piece in pieces.items():
        lists[piece.lower()].append(("K" if piece.isupper() else "") + str(number))
    return soffio.Board(board.variant, f"{'W' if board.turn else 'B'}:W{','.join(lists['w'])}:B{','.join(lists['b'])}")


def main():
    library = {"pydraughts": Pydraughts, "py-draughts": PyDraughts}[sys.argv[1]]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    for variant in sys.argv[3:] or library.variants:
        theirs, choose = library(variant), random.Random(variant)
        differ = []
        for board in positions(variant, count, choose):
            ours, found = soffio_moves(board), theirs.moves(board)
            if ours != found:
                differ.append((numeric_fen(board), sorted(map(str, ours - found)), sorted(map(str, found - ours))))
        print(f"{variant}: {count} positions, {len(differ)} differ", flush=True)
        for fen, missing, more in differ[:5]:
            print(f"  {fen}\n    only here: {missing[:3]}\n    only there: {more[:3]}")


if __name__ == "__main__":
    main()
