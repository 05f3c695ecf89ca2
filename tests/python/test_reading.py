"""Tests of reading games from text, bytes and files of any size, some of which contain unreadable records."""

import io
import itertools
import pathlib
import pickle

import pytest

import soffio
from soffio import Game

UNREADABLE = '[Event "Open"]\n[White "B\xe9"]\n[GameType "20"]\n\n1. 32-28 ((( 1-0\n\n'
IMPOSSIBLE = '[White "C"]\n[GameType "21"]\n[FEN "W:W99:B1"]\n\n1. 99-98 *\n\n'
ILLEGAL = '[White "D"]\n[GameType "21"]\n\n1. 11-15 23-19 2. 1-32 0-1\n\n'
GOOD = '[White "E"]\n[GameType "21"]\n[Result "0-1"]\n\n1. 11-15 {good} 23-19 0-1\n\n'


def summary(game):
    return (game.headers.get("White"), game.variant, len(list(game.mainline())), [error.split(":")[0] for error in game.errors])


def test_an_unreadable_record_is_a_game_with_an_error():
    games = list(soffio.read_games(GOOD + UNREADABLE + IMPOSSIBLE + ILLEGAL + '[GameType "77"] *\n\n' + GOOD))
    assert [summary(game) for game in games] == [
        ("E", "english", 2, []),
        ("B\xe9", "international", 1, [f"game 2, line 11 column {column}" for column in (11, 12, 14)]),
        ("C", "english", 0, ["fen square 99 is not on the 8x8 board"]),
        ("D", "english", 2, ["move 1-32"]),
        (None, "international", 0, ["unknown variant or game type '77'"]),
        ("E", "english", 2, []),
    ]
    assert games[1].headers == {"Event": "Open", "White": "B\xe9", "GameType": "20", "Result": "*"}
    assert [game.result for game in games] == ["0-1", "*", "*", "0-1", "*", "0-1"]
    assert "".join(game.source for game in games[:4]) == GOOD + UNREADABLE + IMPOSSIBLE + ILLEGAL
    for text in (IMPOSSIBLE, '[GameType "77"] *'):
        with pytest.raises(soffio.PdnError):
            soffio.read_game(text)
    assert soffio.read_game(ILLEGAL).errors


def test_unknown_tags_are_not_written():
    for text in (IMPOSSIBLE, '[GameType "77"] *', "1. 11-15 23-19 *", "1. 99-98 *"):
        [game] = soffio.read_games(text)
        written = str(game)
        assert game.variant_is_guessed and ("GameType" in written) == ("GameType" in text) and ("FEN" in written) == ("FEN" in text)
    [game] = soffio.read_games(ILLEGAL)
    assert not game.variant_is_guessed
    [game] = soffio.read_games("1. 11-15 23-19 *", variant="pool")
    assert not game.variant_is_guessed and '[GameType "23,' in str(game)


@pytest.mark.parametrize(
    ("text", "variants"),
    [
        ("1. 11-15 23-19 2. 8-11 1-0", ["english"]),
        ("1. 32-28 19-23 2. 28x19 14x23 *", ["international"]),
        ("1. c3-d4 d6-c5 *", ["russian"]),
        # The variant of the first game is used for the other games.
        ("1. 32-28 18-23 2. 38-32 12-18 *\n\n1. 31-26 *\n\n[White \"A\"]\n*", ["international"] * 3),
        ('[GameType "26"] *\n\n[GameType "26"] *\n\n1. c3-d4 d6-c5 *', ["brazilian"] * 3),
        ('[GameType "22"] 1. 22-18 *\n\n1. 22-18 *\n\n[GameType "21"] 1. 11-15 *', ["italian", "italian", "english"]),
    ],
)
def test_a_variant_is_guessed_as_in_annotate(text, variants):
    games = list(soffio.read_games(text))
    assert [game.variant for game in games] == variants and not any(game.errors for game in games)
    assert [game.variant_is_guessed for game in games] == ["GameType" not in str(game) for game in games]


class Bytewise(io.RawIOBase):
    """A file that returns only a few bytes per read."""

    def __init__(self, data):
        self._data, self._at = data, 0

    def read(self, size=-1):
        block = self._data[self._at : self._at + min(size, 7)]
        self._at += len(block)
        return block


def test_games_are_read_from_every_kind_of_source(tmp_path):
    text = GOOD + UNREADABLE + GOOD
    latin, marked, wide = text.encode("latin-1"), text.encode("utf-8-sig"), text.encode("utf-16")
    path, named = tmp_path / "games.pdn", tmp_path / "utf8.pdn"
    path.write_bytes(latin)
    named.write_text(text, encoding="utf-8")
    expected = [summary(game) for game in soffio.read_games(text)]
    with open(path, "rb") as binary, open(named, encoding="utf-8") as words, open(path, encoding="ascii", errors="surrogateescape") as escaped:
        sources = [latin, marked, wide, bytearray(latin), path, named, binary, words, escaped, io.StringIO(text), io.BytesIO(wide), Bytewise(latin)]
        for source in [*sources, text.replace("\n", "\r\n").encode(), text.replace("\n", "\r").encode()]:
            assert [summary(game) for game in soffio.read_games(source)] == expected, source
        assert not binary.closed
    assert summary(soffio.read_game(path)) == expected[0]
    for name in (path, named):
        with pytest.raises(ValueError, match="is the name of a file; use pathlib.Path"):
            soffio.read_games(str(name))
    with pytest.raises(FileNotFoundError, match="nowhere"):
        list(soffio.read_games(pathlib.Path("/nowhere/at/all")))
    for wrong in (None, 3, ["1. 11-15 *"]):
        with pytest.raises(TypeError, match="source must be a path, an open file, bytes or a str, not "):
            soffio.read_games(wrong)
    with pytest.raises(TypeError, match="use next"):
        soffio.read_game(io.StringIO(text))
    assert list(soffio.read_games("")) == list(soffio.read_games(b"")) == []


class Endless(io.RawIOBase):
    """A file that has no end."""

    def __init__(self, block):
        self._block, self.bytes_read = block, 0

    def read(self, size=-1):
        assert size > 0, "a file without an end cannot be read at once"
        self.bytes_read += len(self._block)
        return self._block


@pytest.mark.parametrize("text", [GOOD, UNREADABLE, "1. 11-15 23-19 1-0\n\n[Event \"x\"]\n"])
def test_only_the_necessary_part_is_read_and_kept(text):
    block = text.encode() * (20_000 // len(text))
    file = Endless(block)
    games = soffio.read_games(file)
    assert file.bytes_read == 0
    assert len(list(itertools.islice(games, 120))) == 120 and file.bytes_read < 400_000
    assert len(list(itertools.islice(games, 3000))) == 3000 and file.bytes_read < 3200 * len(text) + 200_000


def test_block_sizes_do_not_change_the_result(monkeypatch):
    records = [
        GOOD, UNREADABLE, ILLEGAL, "1. 11-15 23-19 1-0\n", "1. 22-18 *\n[Event \"x\"]\n\n[Event \"y\"]\n\n1. 11-15 (1. 9-14 *)\n",
        "{before}\n[White \"F\"]\n{after *\n[White \"G\"]\n1. 11-15 {over\n[lines] *\n} *\n; a remark *\n", "1. 11-15 23-19 ; it ends *\n[White \"H\"] 1. 9-13 1-0 {last}\n",
    ]  # fmt: skip
    text = "".join(itertools.islice(itertools.cycle([*records, *records[::-1]]), 4000))

    def read(size):
        monkeypatch.setattr("soffio.pdn._BLOCK", size)
        return [(str(game), game.errors, game.variant_is_guessed) for game in soffio.read_games(text, variant=None)]

    whole = read(len(text))
    assert len(whole) > 3000 and len(text) > 150_000
    for size in (501, 10_007, 65_536):
        assert read(size) == whole


def test_variations_are_written_as_deep_as_they_are_read():
    deep = "1. 11-15" + " (1. 9-14" * 100 + ")" * 100 + " *"
    game = soffio.read_game(deep, variant="english")
    assert not game.errors and str(soffio.read_game(str(game))) == str(game)


def test_tags_match_the_written_game():
    game = Game("english", headers={"White": "A"})
    game.add_variation("11-15")
    game.headers["Result"] = "1-0"
    assert game.result == "1-0" and str(game).endswith("1. 11-15 1-0\n") and soffio.read_game(str(game)).result == "1-0"
    game.result = "0-1"
    assert game.headers["Result"] == "0-1" and str(game).endswith("0-1\n")
    for name, value, text in [
        ("Result", "won", '"won" is not a game result'),
        ("GameType", "20", "the tags name international, but the variant of the game is english"),
        ("GameType", "77", "unknown variant or game type '77'"),
        ("Variant", "russian", "the tags name russian, but the variant of the game is english"),
        ("FEN", "W:W32:B1", "the FEN tag does not match the position in which the game begins"),
        ("FEN", "nonsense", "FEN tag: "),
        ("a b", "x", '"a b" is not a valid tag name: use only letters, digits and underscores'),
    ]:
        changed = soffio.read_game(str(game))
        del changed.headers["GameType"]
        changed.headers[name] = value
        with pytest.raises(ValueError, match=text):
            str(changed)
    part = Game("english", "W:W32:B1")
    del part.headers["FEN"]
    assert soffio.read_game(str(part)).board() == part.board()


@pytest.mark.parametrize("wrong", [-5, -0.001, float("nan"), float("inf"), 1e300, 360_000_000])
def test_times_that_no_clock_can_show_are_not_written(wrong):
    node = Game("english").add_variation("11-15", comment="[%clk 0:01:00] so")
    for write in (node.set_clock, node.set_emt):
        with pytest.raises(ValueError, match="clock must be|emt must be"):
            write(wrong)
    assert node.comment == "[%clk 0:01:00] so"
    for seconds in (0, 0.001, 61.25, 359_999_999):
        node.set_clock(seconds)
        node.set_emt(seconds)
        assert (node.clock(), node.emt(), node.text()) == (seconds, seconds, "so")


SET_UP = '[GameType "21"]\n\n1. 11-15 23-18 (23-19 $6 {why}) /FEN "B:W32:B1"/ {new} 1. 1-5 32-28 /FEN "W:WK5:B7"/ 2-1\n'


def test_a_position_set_up_between_moves_is_a_node():
    game = soffio.read_game(SET_UP)
    assert not [error for error in game.errors if "unusual result" not in error]
    nodes = list(game.mainline())
    assert [str(node.move) for node in nodes if node.move] == ["11-15", "23-18", "1-5", "32-28"] == [str(m) for m in game.mainline_moves()]
    assert [node.set_up is not None for node in nodes] == [False, False, True, False, False, True]
    assert nodes[2].comment == "new" and nodes[2].board().fen() == "B:W32:B1" == nodes[2].set_up.fen()
    assert nodes[4].board().fen().startswith("B:W28:B5") and nodes[4].turn == soffio.BLACK and nodes[5].turn == soffio.WHITE
    assert str(soffio.read_game(str(game))) == str(game)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    made = Game("english")
    made.add_variation("11-15").add_set_up("B:W32:B1").add_variation("1-5")
    assert '/FEN "B:W32:B1"/' in str(made)
    with pytest.raises(soffio.FenError):
        made.add_set_up("B:W99:B1")
    # An illegal move ends only its own part.
    broken = soffio.read_game('[GameType "21"] 1. 11-15 1-32 /FEN "B:W32:B1"/ 1. 1-5 *')
    assert len(list(broken.mainline())) == 3 and "1-32" in broken.errors[-1]


class Recorder(soffio.BaseVisitor):
    """Records the calls of its methods."""

    def begin_game(self):
        self.calls = []

    def visit_header(self, name, value):
        self.calls.append((name, value))

    def visit_move(self, board, move):
        assert move in board.legal_moves
        self.calls.append(str(move))

    def visit_set_up(self, board):
        self.calls.append(board.fen())

    def visit_comment(self, comment):
        self.calls.append("{" + comment + "}")

    def visit_nag(self, nag):
        self.calls.append(nag)

    def begin_variation(self):
        self.calls.append("(")

    def end_variation(self):
        self.calls.append(")")

    def visit_result(self, result):
        self.calls.append(result)

    def handle_error(self, error):
        self.calls.append("error")

    def result(self):
        return self.calls


def test_a_visitor_sees_every_part_of_a_game():
    [calls] = soffio.visit_games(SET_UP, Recorder)
    line = ["11-15", "23-18", "(", "23-19", 6, "{why}", ")", "B:W32:B1", "{new}", "1-5", "32-28", "W:WK5:B7", "2-1"]
    assert calls == [("GameType", "21"), "error", *line]
    game = soffio.read_game(SET_UP)
    assert game.accept(Recorder()) == [("GameType", "21"), ("Result", "2-1"), "error", *line]
    assert str(game.accept(soffio.GameBuilder())) == str(game)
    with pytest.raises(NotImplementedError):
        list(soffio.visit_games(GOOD, soffio.BaseVisitor))


def test_a_visitor_can_skip_games_and_variations():
    class Lines(Recorder):
        def end_headers(self):
            return soffio.SKIP if ("White", "D") in self.calls else None

        def begin_variation(self):
            return soffio.SKIP

    calls = list(soffio.visit_games(ILLEGAL + SET_UP, Lines))
    assert calls[0] == [("White", "D"), ("GameType", "21")] and "(" not in calls[1] and "23-18" in calls[1]
    assert list(soffio.visit_games(GOOD, soffio.HeadersBuilder)) == [{"White": "E", "GameType": "21", "Result": "0-1"}]
