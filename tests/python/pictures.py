"""Draws the pictures in README.md, docs/images/board.svg and docs/images/match.svg, with the installed package.

Usage: python tests/python/pictures.py [--check]
Pictures that are out of date are overwritten. With --check, they are reported as errors instead. The picture of the
match is current if it differs from a new picture only in times.
"""

import os
import pathlib
import re
import subprocess
import sys
import sysconfig
from xml.sax.saxutils import escape

import soffio

IMAGES = pathlib.Path(__file__).parents[2] / "docs" / "images"

OPENING = "32-28 17-22 28x17 11x22 37-32 6-11 41-37 12-17 46-41 8-12 34-29 19-23 40-34 14-19 45-40 10-14"

# The players are plain and the openings built in, so the match does not depend on the search or the weights.
MATCH = """\
soffio match --engine cmd=soffio name=depth6 depth=6 \\
    --engine cmd=soffio name=depth4 depth=4 \\
    --each option.Player=alphabeta option.Eval=material --variant english \\
    --openings built-in --games 80 --seed 1 --concurrency 1 --sprt elo0=0,elo1=50"""

# Lines that are printed every ten seconds, so their number depends on the machine. A terminal shows a bar instead.
STANDING = re.compile(r"played \d+/\d+ ")
GAME = re.compile(r"(game|Finished game) \d+ ")
TIME = re.compile(r"([\d.]+ (ms|s|min|h)\b ?)+")

WINDOW = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {height}" width="700" height="{height}">
<rect width="700" height="{height}" rx="8" fill="#20242b"/>
<circle cx="18" cy="15" r="5" fill="#ec6a5e"/>
<circle cx="36" cy="15" r="5" fill="#f4bf4f"/>
<circle cx="54" cy="15" r="5" fill="#61c554"/>
<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="12">
{lines}
</g>
</svg>
"""


def board():
    board = soffio.Board("international")
    for move in OPENING.split():
        board.push(move)
    return board.svg(280) + "\n"


def match_output():
    """Returns the lines that the match prints. Only the first two games and the last game are included."""
    # `cmd=soffio` is the program in the package.
    path = sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"]
    command = [sys.executable, "-m", *MATCH.replace("\\\n", "").split()]
    run = subprocess.run(command, env={**os.environ, "PATH": path}, check=True, stdout=subprocess.PIPE, text=True)
    lines = [line for line in run.stdout.splitlines() if not STANDING.match(line)]
    games = [index for index, line in enumerate(lines) if GAME.match(line)]
    lines[games[4] : games[-2]] = ["..."]
    return lines


def match():
    """Returns a picture of a terminal window with the command of the match and its output."""
    lines = [(line, "#8fd18f") for line in f"$ {MATCH}".splitlines()]
    lines += [(line, "#e4e4e4") for line in match_output()]
    texts = []
    for row, (line, color) in enumerate(lines):
        # Renderers merge spaces, but not no-break spaces.
        line = escape(line).replace("  ", "\N{NO-BREAK SPACE}" * 2)
        texts.append(f'<text x="12" y="{42 + 16 * row}" fill="{color}">{line}</text>')
    return WINDOW.format(height=40 + 16 * len(lines), lines="\n".join(texts))


def stale(drawn):
    """Returns the names of the pictures that are missing or out of date."""

    def is_current(path, text):
        return path.exists() and TIME.sub("", path.read_text(encoding="utf-8")) == TIME.sub("", text)

    return [name for name, text in drawn.items() if not is_current(IMAGES / name, text)]


def draw():
    return {"board.svg": board(), "match.svg": match()}


def main():
    drawn = draw()
    if "--check" in sys.argv:
        errors = [f"docs/images/{name} is out of date: run tests/python/pictures.py" for name in stale(drawn)]
        sys.exit("\n".join(errors) or None)
    for name in stale(drawn):
        (IMAGES / name).write_text(drawn[name], encoding="utf-8", newline="\n")
        print(f"docs/images/{name} written")


if __name__ == "__main__":
    main()
