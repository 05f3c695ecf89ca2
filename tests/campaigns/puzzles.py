#!/usr/bin/env python3
"""Verifies a sample of puzzles with many times the nodes of their proofs or with endgame tables.

The script finds wrong puzzles and second solutions.

Usage: puzzles.py SOFFIO PUZZLES.jsonl COUNT [TIMES [TABLES]]

At each turn of the solution at which there is a choice, two lines are searched with TIMES (default 1000) times the
nodes of the proof. A puzzle is wrong if the solver's move does not win, draw or gain an advantage. It has a second
solution if a different move achieves the same: the move wins if the goal is a win, and does not lose if the goal is a
draw. If the goal is a gain, the winning chance of the other move must be at least half that of the solution, and at
least 500 of 1000.
"""
import json
import random
import subprocess
import sys

program, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
times = int(sys.argv[4]) if len(sys.argv) > 4 else 1000
tables = ["--tables", sys.argv[5]] if len(sys.argv) > 5 else []
puzzles = [json.loads(line) for line in open(path)]
sample = random.Random(1).sample(puzzles, min(count, len(puzzles)))
requests = []
for number, puzzle in enumerate(sample):
    for turn in range(0, len(puzzle["solution"]), 2):
        requests.append({"id": f"{number}.{turn}", "variant": puzzle["variant"], "fen": puzzle["fen"], "moves": puzzle["solution"][:turn],
                         "multipv": 2, "limits": {"nodes": times * puzzle["nodes"]}})
text = "".join(json.dumps(request) + "\n" for request in requests)
batch = subprocess.run([program, "batch", "--hash", "256", "--ordered", *tables, "-"], input=text, capture_output=True, text=True)
wrong, second = set(), set()
for record in map(json.loads, batch.stdout.splitlines()):
    number, turn = map(int, record["id"].split("."))
    puzzle = sample[number]
    lines, goal = record["lines"], puzzle["goal"]
    if len(lines) < 2:
        continue
    move = puzzle["solution"][turn]
    own = next((line for line in lines if line["move"] == move), None)
    other = next(line for line in lines if line["move"] != move)

    def what(line):
        return f'{line["move"]} {json.dumps(line["score"])} {line["wdl"]}'

    description = f'{puzzle["id"]} {puzzle["fen"]} {goal} after {turn}: {move}, found {" and ".join(map(what, lines))}'
    if own is None:
        wrong.add(number)
        print("not among the best two:", description)
        continue
    (win, _, loss), (other_win, _, other_loss) = own["wdl"], other["wdl"]
    if goal == "win" and "win" not in own["score"] or goal == "draw" and loss > 100 or goal == "gain" and win < 500:
        wrong.add(number)
        print("wrong:", description)
    if goal == "win" and "win" in other["score"] or goal == "draw" and other_loss < 900 or goal == "gain" and other_win >= max(500, win // 2):
        second.add(number)
        print("second solution:", description)
print(f"{path}: {len(sample)} puzzles, {len(requests)} turns, {len(wrong)} wrong, {len(second)} with a second solution")
