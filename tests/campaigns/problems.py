#!/usr/bin/env python3
"""Converts a collection of problems to game records for `soffio solve`.

The collection is JSON with lists of positions, results and first moves.

Usage: problems.py COLLECTION.json LIST > problems.pdn
       problems.py COLLECTION.json international > compositions.pdn
"""
import json
import sys

GAME_TYPES = {"english": 21, "international": 20}

collection, name = sys.argv[1:]
for number, problem in enumerate(json.load(open(collection))[name], 1):
    moves = problem.get("first_move", "")
    print(f'[Event "{name} {number}, {problem.get("event") or problem["source"]}"]')
    print(f'[GameType "{GAME_TYPES[name]}"]')
    print(f'[Result "{problem["result"]}"]')
    print('[SetUp "1"]')
    print(f'[FEN "{problem["fen"]}"]\n')
    side = problem["fen"][0]
    print(f'1{"." if side == "W" else "..."} {moves} {problem["result"]}\n' if moves else f'{problem["result"]}\n')
