"""Tests of game records as trees, and of tavla."""

import copy
import pathlib
import random

import pytest

import soffio
from soffio import BLACK, WHITE, Board, Game, PovScore, Score, Tavla

TEXT = """
[Event "Test \\"one\\""]
[White "A"]
[Black "B"]
[Result "1-0"]
[GameType "20"]

{before} 1. 32-28 {[%clk 1:55:21] [%eval 0.12] good} 19-23 $1 ({first} 18-23 $2 2. 38-32 {deep} (2. 37-32 12-18) 12-18)
2. 28x19 14x23 {[%emt 0:00:03.5]} 1-0
"""


def test_records_are_parsed_to_trees_and_written_back():
    game = soffio.read_game(TEXT)
    assert game.variant == "international" and game.headers["Event"] == 'Test "one"' and game.comment == "before"
    assert [str(move) for move in game.mainline_moves()] == ["32-28", "19-23", "28x19", "14x23"]
    one = game.next()
    assert (one.text(), one.clock(), one.eval(), one.turn) == ("good", 6921.0, PovScore(Score(cp=12), WHITE), BLACK)
    other = one.variations[1]
    assert (str(other.move), other.starting_comment, other.nags, one.next().nags) == ("18-23", "first", [2], [1])
    deep, deeper = other.variations
    assert deep.text() == "deep" and [str(m) for m in deeper.mainline_moves()] == ["12-18"]
    assert game.end().emt() == 3.5 and game.end().board().ply() == 4 and game.result == "1-0" and not game.errors
    assert game.end().game() is game
    again = soffio.read_game(str(game))
    assert str(again) == str(game)


def test_games_are_built():
    game = Game("english", headers={"White": "me", "Black": "you"})
    node = game.add_variation("11-15", comment="main", nags=[1])
    reply = node.add_variation("23-19")
    node.add_variation("22-18")
    node.set_eval(PovScore(Score(cp=-25), WHITE))
    node.set_clock(61.25)
    reply.set_eval(PovScore(Score(win=3), BLACK))
    reply.set_emt(2)
    read = soffio.read_game(str(game))
    assert read.next().eval() == PovScore(Score(cp=25), BLACK) and read.next().clock() == 61.25 and read.next().text() == "main"
    assert read.next().next().eval() == PovScore(Score(loss=3), WHITE) and read.next().next().emt() == 2.0
    assert len(read.next().variations) == 2 and read.headers["White"] == "me" and read.variant == "english"
    node.set_eval(None)
    assert node.eval() is None and node.clock() == 61.25
    node.promote_to_main(node.variations[1])
    assert str(node.next().move) == "22-18"
    with pytest.raises(soffio.IllegalMoveError):
        node.add_variation("1-2")
    board = Board("russian")
    for text in ["c3-d4", "d6-c5"]:
        board.push(text)
    assert [str(m) for m in Game.from_board(board).mainline_moves()] == ["c3-d4", "d6-c5"]
    part = Game.from_board(Board("russian", "B:Wc3:Bf6,e5"))
    assert soffio.read_game(str(part)).board().fen() == "B:Wc3:Bf6,e5"


@pytest.mark.parametrize("variant", soffio.VARIANTS)
def test_games_of_every_variant_are_read_back(variant):
    choose = random.Random(variant)
    board = Board(variant)
    while board.ply() < 40 and board.legal_moves:
        board.push(choose.choice(board.legal_moves))
    # A variant that exists only as an option cannot be distinguished from its base variant with that option.
    read = soffio.read_game(str(Game.from_board(board)), variant=variant)
    assert list(read.mainline_moves()) == board.move_stack and not read.errors and read.variant == variant


def test_damaged_records_are_read_as_far_as_possible():
    game = soffio.read_game('[GameType "20"] 1. 32-28 19-23 2. 50-45 5-10 1-0')
    assert [str(m) for m in game.mainline_moves()] == ["32-28", "19-23"] and "50-45" in game.errors[0]
    with pytest.raises(soffio.PdnError, match="no GameType tag"):
        soffio.read_game("1. 99-98 *")
    with pytest.raises(soffio.PdnError, match="no game"):
        soffio.read_game("")
    branch = soffio.read_game('[GameType "20"] 1. 32-28 (1. 1-2) 19-23 *')
    assert len(list(branch.mainline())) == 2 and branch.errors and len(branch.variations) == 1


def test_tavla_is_played_to_its_end():
    for seed in range(5):
        game = Tavla(seed=seed, mars=True)
        turns = 0
        while not game.is_game_over():
            game.roll()
            before, plays = game.xgid(), game.legal_plays
            assert Tavla(before).legal_plays == plays and Tavla(game.gnubg_id()).dice == game.dice
            assert game.push(plays[turns % len(plays)]) in plays
            turns += 1
        winner, points = game.result()
        assert points in (1, 2) and game.pips[0 if winner else 1] == 0 and "Wins" in game.mat()
        game.pop()
        assert not game.is_game_over() and game.dice
    copied = copy.deepcopy(game)
    copied.push(copied.legal_plays[0])
    assert not game.is_game_over() and "BAR" in str(game)


def test_tavla_is_analysed_and_rejects_errors():
    game = Tavla()
    with pytest.raises(soffio.TavlaError, match="have not been rolled"):
        game.analyse()
    game.set_dice(3, 1)
    best, second = game.analyse(depth=1, multipv=2)
    assert best["play"] == "8/5,6/5" and best["equity"] >= second["equity"] and 0 < best["win"] < 1
    rolled = game.analyse(depth=1, rollout=2)[0]
    assert rolled["error"] >= 0 and 0 <= rolled["win"] <= 1
    for call, text in [
        (lambda: game.push("13/7"), "no die goes"),
        (lambda: game.push("x"), "play"),
        (lambda: game.set_dice(0, 7), "two dice from 1 to 6"),
        (lambda: game.pop(), "nothing to undo"),
        (lambda: Tavla("XGID=nonsense"), "xgid"),
        (lambda: Tavla("?"), "gnubg id"),
        (lambda: game.roll(), "already"),
    ]:
        with pytest.raises(soffio.TavlaError, match=text):
            call()
