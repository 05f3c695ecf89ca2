#!/usr/bin/env python3
"""Builds and runs a suite of mistakes from games, and counts the nodes until a program no longer plays the mistake.

find    plays games of PROGRAM against itself with --nodes nodes per move, and prints mistakes as
        `variant;FEN;move;refutation;loss`. A move is a candidate if the score drops by at least --min-loss within the
        next two plies of the game. It is a mistake if a search of --usual nodes still plays it, and if a search of
        --deep nodes after the move scores at least --min-loss below both that search and a search of the other moves
        with --deep nodes. The refutation is the principal variation after the move, and the loss is the difference
        between the last two scores in cp
count   searches each position of a suite with an empty table and at most --limit nodes; for each program, prints how
        many mistakes are no longer played at the end, and the geometric mean by variant of the nodes until then. A
        mistake that is still played at the end counts as --limit nodes

Usage: missed_shots.py find PROGRAM VARIANT > missed_shots.txt
       missed_shots.py count missed_shots.txt PROGRAM...
"""

import argparse
import subprocess

import suites

OPENING = "generate:plies=6,margin=50,depth=8,less=0"
REFUTATION_PLIES = 9


def openings(arguments):
    command = [arguments.program, "openings", "--variant", arguments.variant, OPENING, "--count", str(arguments.games)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def worth(words):
    """Returns the score of an `info` line in cp. A win counts as ten men."""
    kind, value = words[words.index("score") + 1 : words.index("score") + 3]
    return int(value) if kind == "cp" else 1000 if kind == "win" else -1000


def infos(engine, position, limit):
    """Returns the words of all `info` lines with a principal variation."""
    engine.send(position, limit)
    lines = [line.split() for line in engine.until("bestmove")]
    return [words for words in lines if words[0] == "info" and "pv" in words and "upperbound" not in words]


def line_of(words):
    return words[words.index("pv") + 1 :]


def game(engine, opening, arguments):
    """Plays a game and returns its moves and the score before each move. Moves of the opening have no score."""
    engine.send("ucinewgame")
    moves, scores = opening.split(), [None] * len(opening.split())
    while len(moves) < arguments.plies:
        found = infos(engine, "position startpos moves " + " ".join(moves), f"go nodes {arguments.nodes}")
        if not found or abs(worth(found[-1])) > arguments.max_score:
            break
        moves.append(line_of(found[-1])[0])
        scores.append(worth(found[-1]))
    return moves, scores


def candidates(scores, min_loss):
    """Yields the plies whose score drops within the next two plies. Scores are for the side to move."""
    for ply, score in enumerate(scores[:-1]):
        if score is not None:
            later = [-scores[ply + 1]] + scores[ply + 2 : ply + 3]
            if min(later) <= score - min_loss:
                yield ply


def mistake(engine, moves, arguments):
    """Returns FEN, refutation and loss of the last of `moves`, or `None` if the move is not a mistake."""
    before = "position startpos moves " + " ".join(moves[:-1])
    after = f"{before} {moves[-1]}"

    def searched(position, nodes, only=""):
        engine.send("ucinewgame")
        return infos(engine, position, f"go nodes {nodes}{only}")[-1]

    usual = searched(before, arguments.usual)
    if line_of(usual)[0] != moves[-1]:
        return None
    refutation = searched(after, arguments.deep)
    if -worth(refutation) > worth(usual) - arguments.min_loss:
        return None
    engine.send(before, "legal")
    others = [move for move in engine.until("legal")[-1].split()[2:] if move != moves[-1]]
    if not others:
        return None
    loss = worth(searched(before, arguments.deep, " searchmoves " + " ".join(others))) + worth(refutation)
    engine.send(before, "d")
    fen = engine.until("fen")[-1].split(maxsplit=1)[1].partition(":F")[0]
    return (fen, line_of(refutation)[:REFUTATION_PLIES], loss) if loss >= arguments.min_loss else None


def find(arguments):
    engine, seen = suites.started(arguments.program, arguments.variant), set()
    for opening in openings(arguments):
        moves, scores = game(engine, opening, arguments)
        for ply in candidates(scores, arguments.min_loss):
            found = mistake(engine, moves[: ply + 1], arguments)
            if found and found[0] not in seen:
                seen.add(found[0])
                fen, refutation, loss = found
                print(arguments.variant, fen, moves[ply], " ".join(refutation), loss, sep=";", flush=True)
    engine.quit()


def left_after(engine, fen, move, limit):
    """Returns the number of nodes after which the best move was never `move` again, or None if it still is."""
    engine.send("ucinewgame")
    left = None
    for words in infos(engine, f"position fen {fen}", f"go nodes {limit}"):
        if line_of(words)[0] == move:
            left = None
        elif left is None:
            left = int(words[words.index("nodes") + 1])
    return left


def count(arguments):
    def nodes_for(engine, fen, move, *_):
        return left_after(engine, fen, move, arguments.limit)

    suites.count(arguments, nodes_for, "left")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("find")
    command.add_argument("program")
    command.add_argument("variant")
    command.add_argument("--games", type=int, default=1000)
    command.add_argument("--nodes", type=int, default=25_000, help="nodes per move of the games")
    command.add_argument("--usual", type=int, default=100_000, help="nodes of the search that plays the mistake")
    command.add_argument("--plies", type=int, default=90, help="maximum length of a game in plies")
    command.add_argument("--max-score", type=int, default=250, help="score at which a game is stopped, in cp")
    command.add_argument("--deep", type=int, default=2_500_000, help="nodes of the searches that verify a mistake")
    command.add_argument("--min-loss", type=int, default=60, help="minimum loss of a mistake in cp")
    command.set_defaults(act=find)
    command = commands.add_parser("count")
    command.add_argument("suite")
    command.add_argument("programs", nargs="+")
    command.add_argument("--limit", type=int, default=10_000_000)
    command.set_defaults(act=count)
    arguments = parser.parse_args()
    arguments.act(arguments)


main()
