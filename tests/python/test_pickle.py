"""Tests of values that are sent to other processes and back, and of values that cannot be pickled."""

import copy
import multiprocessing
import pickle
import random
from concurrent.futures import ProcessPoolExecutor

import pytest

import soffio
from soffio import Board, Engine, Game, Limit, PovScore, Score, Tavla


def returned(value, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(value, protocol))


@pytest.mark.parametrize("variant", soffio.VARIANTS)
def test_moves_and_games_of_every_variant_are_restored(variant):
    choose, board, max_captured = random.Random(variant), Board(variant), 0
    while board.ply() < 200 and board.legal_moves:
        for move in board.legal_moves:
            for other in (returned(move), returned(move, 0), copy.copy(move), copy.deepcopy(move)):
                assert other == move and hash(other) == hash(move) and repr(other) == repr(move)
                assert (other.path, other.captured, other.promotes) == (move.path, move.captured, move.promotes)
            max_captured = max(max_captured, len(move.captured))
        board.push(choose.choice(board.legal_moves))
    result, game = board.result(), Game.from_board(board)
    game.add_variation(board.move_stack[0]).comment = "the same again"
    for again in (returned, copy.copy, copy.deepcopy):
        assert again(result) == result and hash(again(result)) == hash(result)
        assert str(again(game)) == str(game) and again(game).board() == game.board() and again(board).move_stack == board.move_stack


def test_nodes_keep_their_tree():
    game = Game("english", headers={"White": "A"})
    first = game.add_variation("11-15", nags=[1])
    reply, other = first.add_variation("23-19"), first.add_variation("22-18", comment="sharp")
    other.starting_comment = "or"
    for again in (returned, copy.deepcopy):
        found_game, found_other, found_reply = again((game, other, reply))
        assert found_other.game() is found_game is found_reply.game() and found_other is found_game.next().variations[1]
        assert str(found_game) == str(game) and found_other.board() == other.board() and found_reply.parent is found_other.parent
        found_other.comment = "changed"
    assert other.comment == "sharp"
    assert repr(game) == "<Game english: A - ?, *, 2 plies>" and repr(other) == "<GameNode 22-18, ply 2>"


def test_a_shallow_copy_of_a_game_is_independent():
    game = Game("english", headers={"White": "A"})
    node = game.add_variation("11-15", nags=[1])
    for original in (game, node):
        other = copy.copy(original)
        assert type(other) is type(original) and other is not original and str(other.game()) == str(game)
        other.game().headers["White"] = "B"
        other.game().next().nags.append(2)
        other.game().add_variation("9-14")
    assert game.headers["White"] == "A" and node.nags == [1] and len(game.variations) == 1


def test_long_games_are_pickled_without_recursion():
    game = Game("international", "W:WK1:BK50")
    moves = [Board("international", fen).legal_moves[0] for fen in ("W:WK1:BK50", "B:WK6:BK50")]
    node = game
    for ply in range(3000):
        node.variations.append(soffio.GameNode(node, moves[ply % 2]))
        node = node.variations[0]
    for again in (returned, copy.deepcopy):
        assert [str(move) for move in again(game).mainline_moves()] == [str(move) for move in game.mainline_moves()]


def test_engine_results_are_restored():
    engine, endgame = Engine(hash=1), Board("english", "W:WK32,K31:BK1")
    values = [
        engine.play(Board(), Limit(depth=4)),
        engine.analyse(Board(), Limit(depth=4), multipv=2),
        engine.probe(endgame),
        Score(loss=0),
        PovScore(Score(cp=3), soffio.BLACK),
        Limit(depth=4),
        soffio.Elo(900),
        soffio.Variant.named("italian"),
    ]
    for again in (returned, copy.copy, copy.deepcopy):
        assert again(values) == values


def test_tavla_games_with_the_same_position_are_equal():
    game = Tavla(seed=3)
    game.roll()
    other = copy.copy(game)
    assert game == game and game == other == returned(game) and game != Tavla(seed=3) and game != "Tavla"
    assert Tavla(mars=True) != Tavla() == Tavla(seed=1)
    other.push(other.legal_plays[0])
    assert game != other
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_tavla_is_restored_with_its_dice():
    game = Tavla(seed=3, mars=True)
    while not game.is_game_over():
        other = returned(game)
        assert game.roll() == other.roll() and returned(game).legal_plays == game.legal_plays
        game.push(game.legal_plays[0])
    other = returned(game)
    assert other.mat() == game.mat() and other.result() == game.result()
    for _ in (game.pop(), other.pop()):
        assert other.xgid() == game.xgid()


@pytest.mark.parametrize("name", [name for name in soffio.__all__ if name.endswith("Error")])
def test_exceptions_are_restored(name):
    error = getattr(soffio, name)("what is wrong")
    assert type(returned(error)) is type(error) and str(returned(error)) == "what is wrong"


def test_objects_tied_to_a_process_cannot_be_pickled():
    for again in (returned, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="an Engine cannot be pickled or copied"):
            again(Engine(hash=1))
    parts = list(pickle.loads(pickle.dumps(Board("russian", "W:Wc3:Bd4,f6").legal_moves[0])).__reduce__()[1])
    for place, wrong in [(1, (99, 1, b"")), (1, (1, 2, b"\x03")), (3, "W:W1:B"), (3, "nonsense")]:
        with pytest.raises(ValueError, match="not a pickled move"):
            soffio._native.restore_move(*parts[:place], wrong, *parts[place + 1 :])


def annotated(game):
    """Annotates `game` in a worker process, which has its own engine."""
    engine = Engine(hash=1)
    for node in game.mainline():
        node.set_eval(engine.analyse(node.board(), Limit(depth=3)).score)
    return game, engine.play(game.end().board(), Limit(depth=3))


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_games_are_annotated_by_several_processes(method):
    games = []
    for variant in ("english", "russian", "international"):
        choose, board = random.Random(variant), Board(variant)
        while board.ply() < 12:
            board.push(choose.choice(board.legal_moves))
        games.append(Game.from_board(board))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        done = list(pool.map(annotated, games))
    for game, (found, result) in zip(games, done):
        assert list(found.mainline_moves()) == list(game.mainline_moves()) and all(node.eval() for node in found.mainline())
        assert str(found) == str(annotated(game)[0]) and result.move in found.end().board().legal_moves
