#!/usr/bin/env python3
"""Measures how well evaluations predict the results of a collection of games, by the number of pieces on the board.

The script reads game records (PDN) with results, and obtains the program's static evaluation of each position that
neither follows nor precedes a capture. For each evaluation, one scale (logits per man) is fitted for all positions, so
that only the order and the proportions of the values matter. The script prints the logistic loss in nats per position.
The last column is the loss of a prediction that has the same chances for all positions. The other columns also show the
difference from the loss of the first evaluation, with an error that treats whole games as samples.
"""

import argparse
import math
import re
import statistics

from engine import Engine

RESULTS = {"1-0": 1.0, "2-0": 1.0, "0-1": 0.0, "0-2": 0.0, "1/2-1/2": 0.5, "1-1": 0.5}
VALUE = re.compile(r"^eval (cp|win|loss) (-?\d+)")
# Absolute value of a decided position, in cp.
DECIDED = 1000


def records(path):
    """Yields the result and the moves of each game that has a result, without comments, variations and move numbers."""
    text = open(path, encoding="latin-1").read()
    text = re.sub(r"\{[^}]*\}|;[^\n]*", " ", text)
    for tags, body in re.findall(r"((?:\[[^\]]*\]\s*)+)([^\[]*)", text):
        result = re.search(r'\[Result\s+"([^"]*)"\]', tags)
        while "(" in body:
            shorter = re.sub(r"\([^()]*\)", " ", body)
            if shorter == body:
                break
            body = shorter
        moves = [word for word in body.split() if re.fullmatch(r"\w+(?:[-x:]\w+)+", word) and word not in RESULTS]
        if result and result[1] in RESULTS and moves and "[FEN" not in tags:
            yield RESULTS[result[1]], moves


class Evaluator(Engine):
    """A session in which the program provides legal moves and evaluations."""

    def answer(self, word):
        """Returns the first line that starts with `word`, and whether an error preceded it."""
        found = self.until(word)
        return found[-1], any(line.startswith("error") for line in found)

    def legal_part(self, moves):
        """Returns the moves before the first illegal move. If a capture is illegal, the quiet move with the same
        squares is tried, because some collections write quiet moves as captures.
        """
        played = []
        for move in moves:
            for text in dict.fromkeys([move, move.replace("x", "-")]):
                self.send("position startpos moves " + " ".join([*played, text]), "d")
                if not self.answer("fen")[1]:
                    played.append(text)
                    break
            else:
                break
        return played

    def value(self, moves):
        """Returns the number of pieces, and the static evaluation in cp from White's point of view."""
        self.send("position startpos moves " + " ".join(moves), "d")
        fen = self.answer("fen")[0].split()[1]
        pieces = sum(bool(square) for side in fen.split(":")[1:3] for square in side[1:].split(","))
        self.send("eval")
        kind, number = VALUE.match(self.answer("eval")[0]).groups()
        value = int(number) if kind == "cp" else DECIDED * (1 if kind == "win" else -1)
        return pieces, value if fen.startswith("W") else -value


def values(engine, evaluation, games, first_ply):
    """Returns, for each game, a list of its positions as (number of pieces, evaluation in cp from White's point of
    view).
    """
    engine.send(f"setoption name Eval value {evaluation}")
    found = []
    for moves in games:
        quiet = [ply for ply in range(first_ply, len(moves)) if not re.search("[x:]", moves[ply] + moves[ply - 1])]
        found.append([engine.value(moves[:ply]) for ply in quiet])
    return found


def loss(value, scale, result):
    logits = scale * value / 100
    return max(logits, 0) - logits * result + math.log1p(math.exp(-abs(logits)))


def fitted_scale(samples):
    """Returns the logits per man with the minimum loss, found with a golden-section search."""
    low, high = 0.0, 4.0
    ratio = (math.sqrt(5) - 1) / 2
    mean = lambda scale: statistics.fmean(loss(value, scale, result) for _, _, value, result in samples)
    for _ in range(30):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if mean(left) < mean(right):
            high = right
        else:
            low = left
    return (low + high) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant")
    parser.add_argument("records")
    parser.add_argument("--program", default="target/release/soffio")
    parser.add_argument("--evaluations", nargs="+", default=["material", "learned"])
    parser.add_argument("--first-ply", type=int, default=8)
    parser.add_argument("--first-wins", choices=["white", "black"], default="white", help="the winner in games with the result 1-0")
    arguments = parser.parse_args()
    known = list(records(arguments.records))
    points = [result if arguments.first_wins == "white" else 1 - result for result, _ in known]
    engine = Evaluator(arguments.program, arguments.variant)
    games = [engine.legal_part(moves) for _, moves in known]
    cut = sum(len(moves) < len(all_moves) for moves, (_, all_moves) in zip(games, known))
    print(f"{len(games)} games, {cut} of them cut before an illegal move")
    columns = {}
    for evaluation in arguments.evaluations:
        of_games = values(engine, evaluation, games, arguments.first_ply)
        samples = [
            (game, pieces, value, points[game]) for game, of_game in enumerate(of_games) for pieces, value in of_game
        ]
        scale = fitted_scale(samples)
        print(f"{evaluation}: {scale:.3f} logits per man")
        columns[evaluation] = [(game, pieces, loss(value, scale, result)) for game, pieces, value, result in samples]
    most = max(pieces for _, pieces, _ in columns[arguments.evaluations[0]])
    bands = [(0, most)] + [(low, low + most // 6 - 1) for low in range(2, most + 1, most // 6)]
    chance = statistics.fmean(points)
    print("| pieces | positions | " + " | ".join(arguments.evaluations) + " | none |")
    print("|" + " --- |" * (len(arguments.evaluations) + 3))
    for low, high in bands:
        cells, first = [], None
        for evaluation in arguments.evaluations:
            picked = [(game, value) for game, pieces, value in columns[evaluation] if low <= pieces <= high]
            if not picked:
                break
            mean = statistics.fmean(value for _, value in picked)
            cell = f"{mean:.4f}"
            if first is None:
                first = picked
            else:
                by_game = {}
                for (game, value), (_, other) in zip(picked, first):
                    by_game[game] = by_game.get(game, 0.0) + value - other
                error = 1.96 * math.sqrt(sum(value**2 for value in by_game.values())) / len(picked)
                cell += f" ({mean - statistics.fmean(value for _, value in first):+.4f} +- {error:.4f})"
            cells.append(cell)
        if cells:
            games_of = [points[game] for game, _ in first]
            none = statistics.fmean(-r * math.log(chance) - (1 - r) * math.log(1 - chance) for r in games_of)
            print(f"| {low} to {high} | {len(first)} | " + " | ".join(cells) + f" | {none:.4f} |")


if __name__ == "__main__":
    main()
