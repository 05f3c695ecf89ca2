"""Tests of boards and moves."""

import copy
import json
import pathlib
import pickle
import random

import pytest

import soffio
from soffio import Board

DATA = pathlib.Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("variant", soffio.VARIANTS)
def test_every_variant_is_played_undone_and_written(variant):
    choose = random.Random(variant)
    board = Board(variant)
    fens = [board.fen()]
    while board.ply() < 30 and board.legal_moves:
        move = choose.choice(board.legal_moves)
        for notation in ("default", "numeric", "algebraic", "hub"):
            # A short path stands for several captures by one piece only if the full path does too.
            assert board.parse_move(move.text(notation)) == move, (move, notation)
        assert board.is_legal(move) and board.push(move) == move == board.peek()
        assert (move.path[0], move.path[-1]) == (move.from_square, move.to_square)
        assert move.is_capture == bool(move.captured)
        fens.append(board.fen())
    assert pickle.loads(pickle.dumps(board)).move_stack == board.move_stack
    assert Board(variant, board.fen()) == board
    played = board.move_stack
    for fen, move in zip(reversed(fens[1:]), reversed(played)):
        assert board.fen() == fen and board.pop() == move
    assert board.fen() == fens[0] and board == Board(variant)


def test_moves_are_values():
    board = Board("international", "W:W31,K50:B18,19,22")
    first, second = board.parse_move("50x17"), board.parse_move("50-17")
    assert first == second and hash(first) == hash(second) and len({first, second}) == 1
    assert first != board.parse_move("50x6") and first != "50x17"
    assert (first.path, first.captured, first.promotes) == ((50, 17), (22,), False)
    long = Board("russian", "W:Wc3:Bd4,f6").parse_move("c3:g7")
    assert str(long) == "c3:e5:g7" and len(long.path) == 3 and len(long.captured) == 2
    assert Board("english", "W:W6:B12").parse_move("6-1").promotes
    crowned = Board("russian", "W:Wb6:Bc7,f6").legal_moves[0]
    assert crowned.promotes and str(crowned).startswith("b6:d8:")


def test_rejected_moves_change_nothing():
    board = Board("english")
    before = board.fen()
    for text, error in [
        ("", soffio.InvalidMoveError),
        ("nonsense", soffio.InvalidMoveError),
        ("9-14-\N{SNOWMAN}", soffio.InvalidMoveError),
        ("9-99", soffio.IllegalMoveError),
        ("9-5", soffio.IllegalMoveError),
        ("22-18", soffio.IllegalMoveError),
    ]:
        with pytest.raises(error) as raised:
            board.push(text)
        assert isinstance(raised.value, ValueError) and str(raised.value)
    with pytest.raises(soffio.IllegalMoveError, match="the move is for italian, but the board is for english"):
        board.push(Board("italian").legal_moves[0])
    board.push("9-14")
    late = board.legal_moves[0]
    board.pop()
    with pytest.raises(soffio.IllegalMoveError):
        board.push(late)
    with pytest.raises(TypeError):
        board.push(17)
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(IndexError):
        board.peek()
    with pytest.raises(soffio.FenError, match="fen 'W:W99:B1'.*99"):
        board.set_fen("W:W99:B1")
    with pytest.raises(soffio.FenError):
        Board("english", "")
    with pytest.raises(soffio.VariantError, match="unknown variant 'chess'"):
        Board("chess")
    with pytest.raises(ValueError, match="no square '33'"):
        board.piece_at(33)
    with pytest.raises(ValueError, match="unknown notation 'morse'"):
        late.text("morse")
    assert board.fen() == before


def test_results_have_reasons():
    results = [
        ("english", "B:W32:B", "0-1", soffio.WHITE, "no piece left"),
        ("losing", "W:W:B1", "1-0", soffio.WHITE, "no piece left"),
        ("breakthrough", "B:WK1:B20", "1-0", soffio.WHITE, "first king"),
        ("international", "W:WK1:BK50:H50:F60", "1/2-1/2", None, "25-move rule"),
    ]
    for variant, fen, score, winner, reason in results:
        result = Board(variant, fen).result()
        assert (result.score, result.winner, result.reason) == (score, winner, reason), (variant, fen)
        assert str(result) == score and Board(variant, fen).is_game_over()
    board = Board("international", "W:WK1,K2:BK50,K49")
    for text in ["1-6", "50-45", "6-1", "45-50"] * 2:
        assert not board.is_game_over()
        board.push(text)
    assert board.repetitions == 3 and board.result().reason == "repetition"
    board = Board("international", "W:WK1:BK50,K45,K40:H4:F70")
    assert (board.countdown, board.halfmove_clock, board.fullmove_number) == (14, 4, 70)
    assert Board().countdown == 25 and Board().result().winner is None


def test_boards_are_compared_by_position_and_copied_with_their_moves():
    one, two = Board("italian"), Board("italian")
    for text in ["21-17", "10-13", "17x10"]:
        one.push(text)
    two.set_fen(one.fen())
    assert one == two and hash(one) == hash(two) and one.key == two.key and one.ply() != two.ply()
    assert one != Board("italian") and Board("italian") != Board("english") and one != 3
    for other in (one.copy(), copy.copy(one), copy.deepcopy(one)):
        other.pop()
        assert other.ply() == 2 and one.ply() == 3
    assert two.piece_at(1) == two.piece_map()[1] == "b" and two.piece_at(17) is None
    assert Board("russian").piece_at("c3") == "w"


def test_perft_counts_match_the_published_ones():
    counted = 0
    for known in json.loads((DATA / "perft.json").read_text()):
        if known["duplicates"] == "kept" or known["variant"].replace("_", "-") not in soffio.VARIANTS:
            continue
        for depth, count in known["nodes"].items():
            if count < 20_000:
                assert Board(known["variant"], known["fen"]).perft(int(depth)) == count, (known["variant"], known["fen"], depth)
                counted += 1
    assert counted > 300
    divided = Board("english").divide(5)
    assert sum(divided.values()) == 7361 and set(divided) == set(Board("english").legal_moves)
    for count, depth in [(Board().perft, -1), (Board().perft, 100), (Board().divide, 0)]:
        with pytest.raises(ValueError, match=f"depth must be from . to 99, not {depth}"):
            count(depth)


def test_pictures_show_every_piece():
    for variant in soffio.VARIANTS:
        board = Board(variant)
        assert board.svg().count("<circle") == 2 * len(board.piece_map()) and board._repr_svg_() == board.svg()
        assert board.ascii() == str(board) and board.ascii().count(" b") >= board.svg().count("#2b2320")
    kings = Board("international", "W:WK1:BK50")
    assert kings.svg(100, flipped=True).count("<polygon") == 2 and 'width="100"' in kings.svg(100)
    assert repr(kings) == "Board('international', 'W:WK1:BK50')"


def test_variants_are_described():
    assert {"english", "international", "english-optional"} < set(soffio.VARIANTS)
    for name in soffio.VARIANTS:
        variant = soffio.Variant.named(name)
        assert variant.name == name and len(variant.places) == len(variant.bits) == variant.squares
        assert all(row < variant.height and column < variant.width for row, column in variant.places)
        assert variant.white_starts == Board(name).turn and len(set(variant.bits)) == variant.squares
    assert soffio.Variant.named("20") == soffio.Variant.named("10x10")
