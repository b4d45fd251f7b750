"""One door to every game: names, settings and files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from pokerlab import store
from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.gambit_writing import efg_text
from pokerlab.formats.game_file import game_file
from pokerlab.formats.opening import is_path, open_file, open_game, spot_of
from pokerlab.formats.spot_file import settings_of
from pokerlab.games.spot.spot_game import SpotGame

KUHN = """GAMEDEF
limit
numPlayers = 2
numRounds = 1
blind = 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
"""


def test_a_competition_definition_is_a_game(tmp_path):
    from pokerlab.games.describe import describe

    path = tmp_path / "kuhn.game"
    path.write_text(KUHN)
    assert describe(open_game(path)).nodes == describe(open_game("kuhn")).nodes == 55
    assert describe(open_game(f"file(path={str(path)!r})")).nodes == 55


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.efg", True),
        ("A.NFG ", True),
        ("x/y.game", True),
        ("leduc", False),
        ("file(path='a.efg')", False),
        ("", False),
    ],
)
def test_what_is_a_path(text, expected):
    assert is_path(text) is expected


def test_settings_of_files_and_unknown_endings(tmp_path):
    path = tmp_path / "kuhn.game"
    path.write_text(KUHN)
    with pytest.raises(BadSetting, match="takes no settings, but got players"):
        open_game(path, players=3)
    with pytest.raises(BadFile, match=r"does not have the suffix of a game file; known: \.efg"):
        open_file(tmp_path / "kuhn.txt")


def test_settings_override_the_text():
    assert open_game("goofspiel(cards=3)", cards=4).name == "goofspiel(cards=4)"


EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_spot_is_a_game_from_its_file_and_from_a_kept_solution(tmp_path):
    game = open_game(EXAMPLES / "turn.toml")
    assert isinstance(game, SpotGame)
    assert open_game(game.name) == game
    kept = tmp_path / "turn.solution"
    for kind in ("spot solution", "solution"):
        store.save(kept, {}, kind=kind, spot=settings_of(game.spot))
        again = open_game(kept)
        assert again.spot == spot_of(kept) == game.spot
        assert open_game(again.name) == again
    store.save(kept, {}, kind="solution", game="kuhn")
    with pytest.raises(BadFile, match="does not hold a spot: it is a solution file"):
        spot_of(kept)
    store.save(kept, {}, kind="solution", spot={"board": "Ks"})
    with pytest.raises(BadSetting, match=r"turn\.solution: a spot needs 'pot'"):
        open_game(kept)
    with pytest.raises(BadFile):
        spot_of(tmp_path / "none.toml")


def test_a_spot_that_cannot_be_read_says_why(tmp_path):
    file = tmp_path / "spot.toml"
    file.write_text('board = "Ks7h2d"\npot = 10\n')
    with pytest.raises(BadSetting, match="a spot needs 'stack'"):
        open_game(file)
    file.write_text("board = [")
    with pytest.raises(BadSetting):
        open_game(file)


def test_a_kept_solution_is_the_game_that_was_solved(tmp_path):
    words = {"kind": "solution", "game": "leduc(ranks=4)"}
    kept = store.save(tmp_path / "l.solution", {}, **words)
    assert open_game(kept).name == "leduc(ranks=4)"
    itself = f"file(path={str(tmp_path / 'o.solution')!r})"
    for game in ("./mine.py", "package.module:Game", "file(path='evil.efg')", itself, "an-object-of-mine"):
        kept = store.save(tmp_path / "o.solution", {}, **words | {"game": game})
        with pytest.raises(BadFile, match="user code|without its checksum|was given as a Python object"):
            open_game(kept)


@pytest.mark.parametrize("ending", [".py", ".efg"])
def test_a_kept_solution_of_ones_own_game_is_opened_where_its_file_lies_unchanged(tmp_path, ending):
    file = tmp_path / f"mine{ending}"
    text = Path("examples/guess.py").read_text("utf-8") if ending == ".py" else efg_text(open_game("kuhn"))
    file.write_text(text, "utf-8")
    name = str(file) if ending == ".py" else f"file(path={str(file)!r})"
    found = asdict(game_file(name))
    kept = store.save(tmp_path / "o.solution", {}, kind="solution", game=name, game_file=found)
    assert open_game(kept).name == name
    file.write_text(text + "\n\n", "utf-8")
    with pytest.raises(BadFile, match="has changed"):
        open_game(kept)
    with pytest.raises(BadFile, match="damaged: its manifest does not say where"):
        open_game(store.save(tmp_path / "d.solution", {}, kind="solution", game=name, game_file=[3]))


def test_another_kind_of_kept_file_is_no_game(tmp_path):
    kept = store.save(tmp_path / "t.solution", {}, kind="table", game="kuhn")
    with pytest.raises(BadFile, match="does not hold a spot"):
        open_game(kept)
