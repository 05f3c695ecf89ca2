"""Compares the legal moves in random positions with those of pydraughts or py-draughts.

Usage: moves.py {pydraughts,py-draughts} [POSITIONS] [VARIANT...]
Needs the soffio package and the named package. The positions are distinct and come from random games. In a third of
them, some men are replaced by kings and some pieces are removed. Moves are compared by origin, destination and captured
pieces. If a library has a known fault, its list is compared again with the fault repaired. Remaining differences are
printed, and the exit status is then 1.
"""

import collections
import multiprocessing
import random
import sys

import soffio


class Pydraughts:
    """pydraughts 0.6.7."""

    variants = {
        "international": "standard", "frisian": "frisian", "frysk": "frysk!", "losing": "antidraughts", "breakthrough": "breakthrough",
        "russian": "russian", "brazilian": "brazilian", "english": "english", "italian": "italian", "turkish": "turkish",
    }

    def __init__(self, board):
        from draughts.core.game import Game

        self.pieces, self.variant = board.piece_map(), board.variant
        self.game = Game(self.variants[self.variant], board.hub())

    @staticmethod
    def found(parts_and_captures):
        """Returns each move as its origin, its destination and the captured squares in the order of capture."""
        return [
            (parts[0][0], parts[-1][1], tuple(square for square in captures if square is not None))
            for parts, captures in parts_and_captures
        ]

    def moves(self):
        return self.found(zip(*self.game.legal_moves()))

    def repaired(self):
        """Returns the moves without the known faults, calculated from all captures before the capture rules are
        applied.
        """
        every = self.found(zip(*self.game.get_moves()))
        if self.variant == "turkish":
            return [move for move in self.moves() if move[2] or not self.is_barred(*move[:2])]
        if self.variant not in ("italian", "frisian", "frysk") or not any(move[2] for move in every):
            return self.moves()
        most = max(map(self.rank, every))
        return [move for move in every if self.rank(move) == most]

    def is_king(self, square):
        return self.pieces[square].isupper()

    def rank(self, move):
        """Returns the sort key for the capture rules."""
        departure, _, captured = move
        kings = [self.is_king(square) for square in captured]
        if self.variant == "italian":
            return len(captured), self.is_king(departure), sum(kings), kings
        # In this order, a king is worth more than a man and less than two men, for any number of kings.
        return 1000 * len(captured) + 999 * sum(kings), self.is_king(departure)

    def is_barred(self, departure, arrival):
        """Returns whether there is a piece between two squares of a board with eight columns."""
        step = 8 if (arrival - departure) % 8 == 0 else 1
        return any(square in self.pieces for square in range(min(departure, arrival) + step, max(departure, arrival), step))


class PyDraughts:
    """py-draughts 1.10.1."""

    variants = {
        "international": "StandardBoard", "english": "AmericanBoard", "frisian": "FrisianBoard", "russian": "RussianBoard",
        "brazilian": "BrazilianBoard", "breakthrough": "BreakthroughBoard", "losing": "AntidraughtsBoard", "frysk": "FryskBoard",
    }

    def __init__(self, board):
        import draughts

        self.board = getattr(draughts, self.variants[board.variant]).from_fen(numeric_fen(board.piece_map(), board.turn))

    @staticmethod
    def found(moves):
        return [
            (move.square_list[0] + 1, move.square_list[-1] + 1, tuple(square + 1 for square in move.captured_list or [])) for move in moves
        ]

    def moves(self):
        return self.found(self.board.legal_moves)

    def repaired(self):
        """Returns the moves without the known fault: in English draughts, py-draughts makes captures optional."""
        moves = self.moves()
        return [move for move in moves if move[2]] or moves


LIBRARIES = {"pydraughts": Pydraughts, "py-draughts": PyDraughts}


def numeric_fen(pieces, turn):
    """Returns the FEN with square numbers, without the fields that other programs do not support."""
    lists = {"w": [], "b": []}
    for number, piece in pieces.items():
        lists[piece.lower()].append(("K" if piece.isupper() else "") + str(number))
    return f"{'W' if turn else 'B'}:W{','.join(lists['w'])}:B{','.join(lists['b'])}"


def positions(variant, count):
    """Returns the FENs of `count` random positions in which the side to move has a legal move."""
    choose, made = random.Random(variant), set()
    while len(made) < count:
        board = soffio.Board(variant)
        for _ in range(choose.randrange(120)):
            if not board.legal_moves or board.is_game_over():
                break
            board.push(choose.choice(board.legal_moves))
            if choose.random() < 0.5:
                fen = changed(board, choose)
                if fen not in made and len(made) < count and soffio.Board(variant, fen).legal_moves:
                    made.add(fen)
                    yield variant, fen


def changed(board, choose):
    """Returns the position without its history. In a third of the positions, some men are replaced by kings and some
    pieces are removed.
    """
    pieces = board.piece_map()
    if choose.random() < 0.33 and board.variant != "breakthrough":
        for number in choose.sample(list(pieces), min(len(pieces), 3)):
            pieces[number] = pieces[number].upper()
        for number in list(pieces):
            if choose.random() < 0.4 and len(pieces) > 4:
                del pieces[number]
    return numeric_fen(pieces, board.turn)


def compare(task):
    """Compares the moves in a position. Returns nothing if they agree, or else a known fault or both lists."""
    variant, fen = task
    board = soffio.Board(variant, fen)
    ours = {(move.from_square, move.to_square, frozenset(move.captured)) for move in board.legal_moves}
    theirs = LIBRARIES[sys.argv[1]](board)

    def as_set(moves):
        return {(departure, arrival, frozenset(captured)) for departure, arrival, captured in moves}

    if ours == as_set(theirs.moves()):
        return fen, "same", None
    found = as_set(theirs.repaired())
    if ours == found:
        return fen, "known", None
    return fen, "new", f"only here {sorted(map(str, ours - found))[:3]}, only there {sorted(map(str, found - ours))[:3]}"


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    fine = True
    with multiprocessing.Pool() as pool:
        for variant in sys.argv[3:] or LIBRARIES[sys.argv[1]].variants:
            outcomes, first_known = collections.Counter(), None
            for fen, outcome, what in pool.imap_unordered(compare, positions(variant, count), chunksize=50):
                outcomes[outcome] += 1
                if outcome == "known" and (first_known is None or len(fen) < len(first_known)):
                    first_known = fen
                if outcome == "new":
                    print(f"  {fen}\n    {what}", flush=True)
            fine &= outcomes["new"] == 0
            known = f", {outcomes['known']} by the known fault, as {first_known}" if first_known else ""
            print(f"{variant}: {outcomes.total()} positions, {outcomes['new']} differ{known}", flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
