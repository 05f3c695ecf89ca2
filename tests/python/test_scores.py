"""Tests of scores: their order, their side, and their text."""

import itertools
import random

import numpy as np
import pytest

import soffio
from soffio import BLACK, WHITE, Board, Engine, Game, Limit, PovScore, Score

# Scores from the worst to the best.
ORDER = [
    *(Score(loss=moves) for moves in (0, 1, 7, 65535)),
    *(Score(cp=cp) for cp in (-20_000, -1, 0, 1, 20_000)),
    *(Score(win=moves) for moves in (65535, 7, 1, 0)),
]


def test_scores_are_ordered_from_a_quick_loss_to_a_quick_win():
    shuffled = random.Random(1).sample(ORDER, len(ORDER))
    assert sorted(shuffled) == ORDER and max(shuffled) == Score(win=0) and min(shuffled) == Score(loss=0)
    for (place, one), (other_place, other) in itertools.product(enumerate(ORDER), repeat=2):
        compared = (one < other, one <= other, one == other, one >= other, one > other)
        assert compared == (place < other_place, place <= other_place, place == other_place, place >= other_place, place > other_place)
    values = [score.value(100_000) for score in ORDER]
    assert values == sorted(values) and len(set(ORDER)) == len(ORDER)
    with pytest.raises(TypeError):
        _ = Score(cp=1) < 1
    assert Score(cp=1) != 1 and PovScore(Score(cp=1), WHITE) != Score(cp=1)


def test_the_negated_score_is_the_other_sides_score():
    assert [-score for score in ORDER] == ORDER[::-1] and [-(-score) for score in ORDER] == ORDER
    assert -Score(win=0) == Score(loss=0) != Score(win=0) and (-Score(win=0)).value() == -10_000
    assert (str(Score(win=0)), str(Score(loss=0)), str(Score(cp=-25)), repr(-Score(win=2))) == ("win in 0", "loss in 0", "-0.25", "Score(loss=2)")
    assert [score.is_decided for score in ORDER] == [score.cp is None for score in ORDER]


def test_a_score_knows_its_side():
    for score, turn in itertools.product(ORDER, (WHITE, BLACK)):
        pov = PovScore(score, turn)
        assert pov.pov(turn) == pov.relative == score and pov.pov(not turn) == -score
        assert (pov.white(), pov.black()) == ((score, -score) if turn else (-score, score))
        other = PovScore(-score, not turn)
        assert other == pov and hash(other) == hash(pov) and pov.is_decided == score.is_decided
    assert str(PovScore(Score(cp=25), BLACK)) == "+0.25 for Black" and repr(PovScore(Score(win=3), WHITE)) == "PovScore(Score(win=3), WHITE)"


def test_invalid_scores_are_rejected():
    for wrong in ({}, {"cp": 1, "win": 2}, {"win": 1, "loss": 1}):
        with pytest.raises(ValueError, match="a score must have exactly one of cp, win and loss, not "):
            Score(**wrong)
    for wrong in ({"win": -1}, {"loss": 65536}, {"cp": 10**10}):
        with pytest.raises(ValueError, match="must be from"):
            Score(**wrong)
    with pytest.raises(TypeError, match="cp must be an int, not 0.5"):
        Score(cp=0.5)
    assert type(Score(cp=np.int16(5)).cp) is int
    with pytest.raises(TypeError, match="turn must be WHITE or BLACK, not 1"):
        PovScore(Score(cp=0), 1)


@pytest.mark.parametrize(("variant", "fen"), [("english", None), ("international", None), ("english", "B:WK32:BK1,K2"), ("english", "W:WK32:BK1,K2")])
def test_the_score_of_a_search_is_written_for_white(variant, fen):
    """Runs the example in the documentation with either side to move."""
    engine, game = Engine(hash=1), Game(variant, fen)
    node = game
    for _ in range(4):
        node = node.add_variation(node.board().legal_moves[0])
        info = engine.analyse(node.board(), Limit(depth=5))
        node.set_eval(info.score)
        assert info.score.turn == node.turn and node.eval() == info.score
        sign = 1 if node.turn else -1
        written = node.comment.removeprefix("[%eval ").removesuffix("]")
        if info.score.is_decided:
            assert written.startswith("#-") == (info.score.white().loss is not None)
        else:
            assert float(written) == sign * info.score.relative.cp / 100
    again = soffio.read_game(str(game))
    assert [node.eval() for node in again.mainline()] == [node.eval() for node in game.mainline()]


def test_an_evaluation_knows_its_side():
    board = Board("english", "W:WK32,K31,K30:BK1")
    engine = Engine(hash=1)
    white, black = engine.evaluate(board), engine.evaluate(Board("english", board.fen().replace("W:", "B:", 1)))
    assert white.turn == WHITE and black.turn == BLACK and white.white() > Score(cp=0) and black.white() > Score(cp=0)
    assert engine.evaluate(Board("english", "B:W32:B")) == PovScore(Score(win=0), WHITE)


def test_every_score_is_written_and_read_back():
    node = Game("english").add_variation("11-15", comment="so [%clk 0:01:00]")
    for score, turn in itertools.product(ORDER, (WHITE, BLACK)):
        node.set_eval(PovScore(score, turn))
        assert node.eval() == PovScore(score, turn), (score, node.comment)
    with pytest.raises(TypeError, match="score must be a PovScore, not Score\\(cp=1\\)"):
        node.set_eval(Score(cp=1))
    node.set_eval(None)
    assert node.eval() is None and node.clock() == 60 and node.text() == "so"
