"""Saves tavla games as .mat text, and checks that gnubg (the Debian package) reads them and writes them back.

Usage: gnubg_mat.py ENGINE. The environment variable GAMES is the number of games (default 20), and GNUBG is the gnubg
program (default /usr/games/gnubg). All rolls and plays must be the same afterwards. The points may differ, because
gnubg counts mars in every game.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLAYERS = ["player=random,seed={seed}", "depth=1", "player=expectiminimax,eval=second,depth=1"]


def turns(text):
    """Returns the turns in a file as the dice and the sorted hops of the play, with bar and off as numbers."""
    found = []
    for line in text.splitlines():
        numbered = re.match(r"\s*\d+\)(.*)", line)
        if numbered:
            for dice, play in re.findall(r"(\d\d): ?((?:(?!\d\d:)\S+ ?)*)", numbered[1]):
                hops = []
                for word in play.replace("Wins", " ").split():
                    if "/" not in word:
                        continue
                    times = int(word[-2]) if word.endswith(")") else 1
                    places = word.split("(")[0].replace("*", "").replace("bar", "25").replace("off", "0").split("/")
                    numbers = [int(place) for place in places]
                    hops += [pair for pair in zip(numbers, numbers[1:]) for _ in range(times)]
                found.append(("".join(sorted(dice)), sorted(hops)))
    return found


def main():
    engine, games = sys.argv[1], int(os.environ.get("GAMES", 20))
    gnubg = os.environ.get("GNUBG", "/usr/games/gnubg")
    count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number in range(games):
            saved, written = folder / f"{number}.mat", folder / f"{number}-gnubg.mat"
            players = [PLAYERS[(number + side) % len(PLAYERS)].format(seed=number) for side in (0, 1)]
            command = [engine, "play", "--variant", "tavla", "--lines", "--white", players[0], "--black", players[1]]
            subprocess.run(command, input=f"save {saved}\nquit\n", text=True, check=True, capture_output=True)
            commands = folder / "commands"
            commands.write_text(f"import mat {saved}\nexport match mat {written}\n")
            subprocess.run([gnubg, "-t", "-q", "-r", "-c", commands], stdin=subprocess.DEVNULL, check=True, capture_output=True)
            ours, theirs = saved.read_text(), written.read_text()
            assert turns(ours) == turns(theirs) and len(turns(ours)) > 10, f"{ours}\n{theirs}"
            count += len(turns(ours))
    print(f"{games} games of {count} turns are unchanged after gnubg read and wrote them")


if __name__ == "__main__":
    main()
