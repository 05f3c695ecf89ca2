"""Replays the game records of a match move by move with pydraughts 0.6.7, and compares the results.

Usage: pydraughts_pdn.py ENGINE. The environment variable GAMES is the number of games per variant, and NODES is the
number of nodes per move.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from multiprocessing import Pool

import draughts
from draughts.PDN import PDNReader

GAMES = int(os.environ.get("GAMES", "20"))
NODES = int(os.environ.get("NODES", "500"))

# The library's variant names, the engine's names, and the number of occurrences of a position in a draw by
# repetition.
VARIANTS = {"standard": ("international", 3), "italian": ("italian", 4)}

# The library's values for the results in a record.
RESULTS = {"1-0": draughts.WHITE, "0-1": draughts.BLACK, "1/2-1/2": 0}


def match(engine, variant, folder):
    """Plays a match and returns the text of each game record."""
    pdn = os.path.join(folder, "games.pdn")
    command = [engine, "match", "--variant", variant, "--games", str(GAMES), "--pdn", pdn, "--max-moves", "1000"]
    for name, nodes in (("one", NODES), ("two", NODES // 2)):
        command += ["--engine", f"cmd={engine}", f"name={name}", f"nodes={nodes}", "option.Hash=1"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(pdn, encoding="utf-8") as file:
        games = file.read().split('[Event "')[1:]
    assert len(games) == GAMES, f"{len(games)} records of {GAMES} games"
    return ['[Event "' + game for game in games]


def pieces(fen):
    """Returns the number of men and kings of each side in a Hub position."""
    return Counter(letter for letter in fen[1:] if letter != "e")


def is_ending_drawn(fens, moves):
    """Returns whether each side has made `moves` moves in an ending of a lone king against no more pieces than the
    rule allows.
    """
    most = 3 if moves == 16 else 2

    def is_ending(fen):
        count = pieces(fen)
        sides = [(count["w"], count["W"]), (count["b"], count["B"])]
        return any(lone == (0, 1) and sum(others) <= most for lone, others in (sides, sides[::-1]))

    return "W" in fens[-1][1:] and "B" in fens[-1][1:] and all(map(is_ending, fens[-2 * moves - 1 :]))


def replay(job):
    """Returns a note about one game, and a description of any fault."""
    try:
        return verdict(*job), None
    except Exception as error:  # whatever the error is, the other games are still checked
        return "not replayed", f"{error!r}\n{job[1]}"


def verdict(variant, text):
    """Returns the library's verdict on the end of a game."""
    game = PDNReader(pdn_text=text).games[0]
    reason = game.tags["Termination"]
    board = draughts.Board(variant)
    for number, text in enumerate(game.moves):
        try:
            board.push(draughts.Move(board, pdn_move=text))
        except Exception as error:
            raise AssertionError(f"game {game.tags['Round']}, ply {number + 1}, {text}: {error!r}") from error
    expected, found = RESULTS[game.tags["Result"]], board.winner()
    if reason == "draw: repetition":
        fens = board._game.fens
        assert fens.count(fens[-1]) == VARIANTS[variant][1], f"game {game.tags['Round']}: {reason}, {fens[-1]}"
    if found == expected:
        return "won as the library says" if expected else "drawn as the library says"
    # The library restarts the count for an ending when a man moves.
    moves = int(reason.removeprefix("draw: ").removesuffix("-move rule"))
    assert found is None and is_ending_drawn(board._game.fens, moves), f"game {game.tags['Round']}: {reason}, {found}"
    return "drawn by the rule of an ending that the library counts in another way"


def main():
    wrong = 0
    for variant, (name, _) in VARIANTS.items():
        with tempfile.TemporaryDirectory() as folder, Pool() as pool:
            games = match(sys.argv[1], name, folder)
            replayed = list(pool.imap_unordered(replay, [(variant, game) for game in games]))
        for _, problem in replayed:
            if problem:
                print(problem)
                wrong += 1
        counts = Counter(text for text, _ in replayed)
        print(f"{name}: {sum(counts.values())} games replayed,", ", ".join(f"{n} {text}" for text, n in counts.items()))
    sys.exit(1 if wrong else 0)


main()
