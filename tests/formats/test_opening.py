"""One door to every game: names, settings and files."""

from __future__ import annotations

import pytest

from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.opening import is_path, open_file, open_game

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
    with pytest.raises(BadFile, match=r"does not end like a file of a game; known: \.efg"):
        open_file(tmp_path / "kuhn.txt")


def test_settings_override_the_text():
    assert open_game("goofspiel(cards=3)", cards=4).name == "goofspiel(cards=4)"
