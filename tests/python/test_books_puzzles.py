"""Tests that opening books, puzzles and problems give the same results as the commands of the program."""

import copy
import json
import pickle
import subprocess
import sys

import pytest

import soffio
from soffio import Board, Book, Engine, Limit, puzzles

GAME = """[GameType "20"]
[FEN "B:W24,29,31,32,33,36,37,39:B8,9,13,14,16,18,22,26"]

1... 14-19 2. 39-34 19x28 3. 32x14 *
"""
PROBLEM = '[Event "a shot"]\n[GameType "20"]\n[Result "1-0"]\n[FEN "W:W6,11,18,22,28:B17,32,36,37,43"]\n\n1. 6-1 32x12 1-0\n'


def program(*words, text=""):
    ran = subprocess.run([sys.executable, "-m", "soffio", *words], input=text, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "small.book"
    grow = "--variant russian --positions 80 --nodes 100 --threads 1 --author somebody --out"
    program("book", "grow", *grow.split(), str(path))
    return path


def test_a_book_matches_the_probe_command(small):
    book = Book(small)
    assert book.variant == "russian" and book.header["author"] == "somebody" and book.header["nodes"] == 100
    board, known = Board("russian"), 0
    while found := book.probe(board):
        [printed] = program("book", "probe", "--json", str(small), text=board.fen()).splitlines()
        rows = json.loads(printed)["moves"]
        assert [str(move.move) for move in found] == [row["move"] for row in rows]
        assert [(move.weight, move.depth) for move in found] == [(row["weight"], row["depth"]) for row in rows]
        assert all(move.move in board.legal_moves and move.score is not None for move in found) and board in book
        known += len(found)
        board.push(found[0].move)
    assert 1 < board.ply() and known <= len(book) and board not in book and book.choose(board) is None


def test_moves_are_chosen_from_a_book(small):
    book, board = Book(small), Board("russian")
    wide = {book.choose(board, margin=1000, seed=seed).move for seed in range(60)}
    assert len(wide) > 1 and wide <= {found.move for found in book.probe(board)}
    best = book.choose(board, margin=0, seed=1)
    assert best == book.choose(board, margin=0, seed=1) and best.score == book.probe(board)[0].score
    engine = Engine(book=small)
    result = engine.play(board, Limit(depth=3))
    assert result.move in {found.move for found in book.probe(board)} and result.info is None
    assert engine.analyse(board, Limit(depth=3)).depth == 3
    engine.configure({"OwnBook": False})
    assert engine.play(board, Limit(depth=3)).info.depth == 3
    assert Engine(book=small).play(Board("english"), Limit(depth=3)).info.depth == 3
    again = pickle.loads(pickle.dumps(book))
    assert again.probe(board) == book.probe(board) and repr(again) == repr(book) == f"Book({str(small)!r})"
    for score in (found.score for found in book.probe(board)):
        assert score.turn == board.turn and score.relative == score.white()


@pytest.mark.parametrize(
    ("wrong", "text"),
    [({"margin": -1}, "margin must be from 0 to 4294967295, not -1"), ({"seed": -1}, "seed must be from 0"), ({"seed": 1.5}, "seed must be an int")],
)
def test_books_reject_wrong_arguments(small, wrong, text):
    with pytest.raises((TypeError, ValueError), match=text):
        Book(small).choose(Board("russian"), **wrong)
    for ask in (Book(small).probe, Book(small).choose, Book(small).__contains__):
        with pytest.raises(TypeError, match="board must be a Board, not 'start'"):
            ask("start")


def test_unusable_books_are_reported(small, tmp_path):
    with pytest.raises(soffio.BookError, match="the book is for russian, not for italian"):
        Book(small).probe(Board("italian"))
    data, damaged = small.read_bytes(), tmp_path / "damaged.book"
    for wrong in (b"GIF89a", data[:-1], data[:40] + b"?" + data[41:]):
        damaged.write_bytes(wrong)
        for use in (Book, lambda path: Engine(book=path)):
            with pytest.raises(soffio.BookError, match="damaged.book: "):
                use(damaged)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Book("/nowhere/at/all")


def test_mined_puzzles_match_the_command(tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text(GAME)
    lines = tmp_path / "puzzles.jsonl"
    lines.write_text(program("puzzles", "--nodes", "8000", str(path)))
    [read] = puzzles.read(lines)
    [mined] = puzzles.mine([soffio.read_game(GAME)], nodes=8000)
    assert {**read.record, "id": ""} == {**mined.record, "id": ""} and (read.id, mined.id) == ("games/1/1", "1/1")
    assert read.goal == "gain" and 1 <= read.difficulty <= 20 and read.themes and read.win_in is None
    assert read.solution[0] in read.board.legal_moves and len(read.solution) == 3 and len({read, copy.copy(read)}) == 1
    assert str(read.before.peek()) == "14-19" and read.before.hub() == read.board.hub()
    of_game = {"id": "games/1", "input_hash": "0", "puzzles": [read.record, read.record]}
    lines.write_text("\n" + json.dumps(of_game) + "\n" + json.dumps(read.record) + "\n")
    assert list(puzzles.read(lines)) == [read] * 3
    assert list(puzzles.mine([Board("english")], nodes=1000)) == []


@pytest.mark.parametrize("wrong", ["", "[]", "3", "{}", "null", '{"puzzles": 1}', '{"puzzles": [{"id": ""}]}', "fen", '"puzzles"'])
def test_lines_that_are_not_puzzles_are_rejected(tmp_path, wrong):
    path = tmp_path / "wrong.jsonl"
    path.write_text(f"\n{wrong}\n")
    with pytest.raises(puzzles.PuzzleError, match="not a puzzle"):
        puzzles.Puzzle.from_record(wrong)
    if wrong:
        with pytest.raises(puzzles.PuzzleError, match="wrong.jsonl: line 2: "):
            list(puzzles.read(path))


def test_puzzles_with_an_impossible_position_or_solution_are_rejected():
    good = next(puzzles.mine([soffio.read_game(GAME)], nodes=8000)).record
    for name, value in [("variant", "chess"), ("fen", "W:W1"), ("solution", ["1-50"]), ("solution", 3), ("before", {"fen": ""})]:
        with pytest.raises(puzzles.PuzzleError):
            puzzles.Puzzle.from_record({**good, name: value})


def test_solved_problems_match_the_command(tmp_path):
    path = tmp_path / "problems.pdn"
    path.write_text(PROBLEM)
    printed = json.loads(program("solve", "--json", "--composition", "--nodes", "20000", str(path)))
    [solved] = puzzles.solve(soffio.read_games(PROBLEM), nodes=20_000, composition=True)
    assert (solved.verdict, solved.result, solved.claim, solved.win_in) == tuple(printed[k] for k in ("verdict", "result", "claim", "win_in"))
    assert [(str(move.move), move.result, move.proof) for move in solved.moves] == [
        (move["move"], move["result"], move.get("proof")) for move in printed["moves"]
    ]
    assert [*solved.misses] == printed["misses"] and [*solved.composition] == printed["composition"] and solved.is_shortest == ("shortest" in printed)
    assert all(move.line[0] == move.move for move in solved.moves)
    with pytest.raises(soffio.PdnError, match="not a valid problem: the game has already ended in this position"):
        list(puzzles.solve([Board("english", "W:W:B1")]))
