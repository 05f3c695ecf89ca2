"""Reads game records that pydraughts or py-draughts wrote, with random games of each variant that they support.

Usage: records.py {pydraughts,py-draughts} [GAMES PER VARIANT]
Needs the soffio package and the named package. Each game is played on a board of each package at the same time, with
moves that both packages consider legal. The record must have the same moves, and end in the other library's position.
"""

import random
import sys

from moves import PyDraughts, Pydraughts

import soffio


class ByPydraughts:
    variants = Pydraughts.variants
    # For these variants, pydraughts writes the number of a variant that has the same moves.
    read_as = {"frysk": "frisian", "losing": "international", "breakthrough": "international"}

    def __init__(self, variant):
        import draughts

        self.board = draughts.Board(self.variants[variant])

    def moves(self):
        return self.board.legal_moves()

    def text(self, move):
        # The moves in the list are not yet in the square notation of the variant.
        import draughts

        return draughts.Move(self.board, board_move=move.board_move).pdn_move

    def fen(self):
        return self.board.fen

    def record(self):
        from draughts.PDN import PDNWriter

        return PDNWriter("", self.board).pdn_text


class ByPyDraughts:
    variants = PyDraughts.variants
    read_as = {}

    def __init__(self, variant):
        import draughts

        self.board = getattr(draughts, self.variants[variant])()

    def moves(self):
        return list(self.board.legal_moves)

    def text(self, move):
        return str(move)

    def fen(self):
        return self.board.fen.split('"')[1]

    def record(self):
        # For English draughts, py-draughts writes the number of pool checkers, and White moves first without a tag.
        return self.board.pdn.replace('[GameType "23"]', f'[GameType "21"]\n[FEN "{white_begins().fen()}"]') + "\n\n"


def white_begins():
    return soffio.Board("english", soffio.Board("english").fen().replace("B:", "W:", 1))


def play(writer, board, choose):
    while board.ply() < 80 and not board.is_game_over():
        moves = writer.moves()
        choose.shuffle(moves)
        for move in moves:
            try:
                board.push(writer.text(move))
            except soffio.IllegalMoveError:
                # The move is a known fault; see moves.py.
                continue
            writer.board.push(move)
            break
        else:
            raise AssertionError(f"none of {moves} is legal in {board!r}")


def main():
    library = {"pydraughts": ByPydraughts, "py-draughts": ByPyDraughts}[sys.argv[1]]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    games, text = [], ""
    for variant in library.variants:
        choose = random.Random(variant)
        for _ in range(count):
            writer = library(variant)
            board = white_begins() if library is ByPyDraughts and variant == "english" else soffio.Board(variant)
            play(writer, board, choose)
            games.append((board, soffio.Board(variant, writer.fen()).piece_map()))
            text += writer.record()
    wrong = 0
    for number, ((board, pieces), game) in enumerate(zip(games, soffio.read_games(text), strict=True)):
        end = game.end().board()
        is_read = game.variant == library.read_as.get(board.variant, board.variant) and not game.errors
        if not is_read or end.ply() != board.ply() or end.piece_map() != pieces:
            print(f"game {number}, {board.variant}: parsed as {game.variant}, {end.ply()} of {board.ply()} moves, {game.errors}\n{game}")
            wrong += 1
    plies = sum(board.ply() for board, _ in games)
    print(f"{sys.argv[1]}: {len(games)} records with {plies} moves read, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
