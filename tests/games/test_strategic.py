"""One-shot games: their tables, and the files and settings they come from."""

from __future__ import annotations

import pytest

from pokerlab.errors import BadFile, BadSetting, UnknownName
from pokerlab.formats.opening import open_game
from pokerlab.games.game import TERMINAL, Game

ZERO_SUM = ["rock-paper-scissors", "rps-lizard-spock", "matching-pennies", "abstraction-pathology"]


def payoff_table(game):
    """The payoffs of both players by the actions of both."""
    root = game.root()
    table = {}
    for row in game.actions(root):
        after = game.child(root, row)
        assert game.player(after) == 1
        for column in game.actions(after):
            end = game.child(after, column)
            assert game.player(end) == TERMINAL
            table[row, column] = tuple(game.returns(end))
    return table


@pytest.mark.parametrize("name", ZERO_SUM)
def test_zero_sum(name):
    assert all(sum(cell) == 0 for cell in payoff_table(open_game(name)).values())


@pytest.mark.parametrize("name", ["rock-paper-scissors", "rps-lizard-spock"])
def test_gestures_are_symmetric_and_fair(name):
    table = payoff_table(open_game(name))
    gestures = {row for row, _ in table}
    for a in gestures:
        assert table[a, a] == (0, 0)
        assert sum(table[a, b][0] for b in gestures) == 0, "every gesture wins as often as it loses"
        assert all(table[a, b] == table[b, a][::-1] for b in gestures)


def test_spock_vaporises_rock_and_lizard_poisons_spock():
    table = payoff_table(open_game("rps-lizard-spock"))
    assert table["spock", "rock"] == (1, -1)
    assert table["lizard", "spock"] == (1, -1)


def test_confessing_dominates_in_the_dilemma():
    table = payoff_table(open_game("prisoners-dilemma"))
    for other in ("confess", "quiet"):
        assert table["confess", other][0] > table["quiet", other][0]
    assert table["quiet", "quiet"] > table["confess", "confess"]


def test_together_is_an_equilibrium_of_the_battle():
    table = payoff_table(open_game("battle-of-the-sexes"))
    assert table["football", "football"][0] > table["opera", "football"][0]
    assert table["opera", "opera"][1] > table["opera", "football"][1]
    assert table["football", "opera"] == (-20, -20)


def test_abstraction_keeps_rows_and_columns():
    game = open_game("abstraction-pathology(rows=B, columns=ac)")
    assert payoff_table(game) == {("B", "a"): (7, -7), ("B", "c"): (5, -5)}
    assert payoff_table(open_game(game.name)) == payoff_table(game)


@pytest.mark.parametrize("columns", ["", "aa", "x", "a" * 500])
def test_wrong_columns_are_named(columns):
    with pytest.raises(BadSetting, match="columns must be different letters"):
        open_game("abstraction-pathology", columns=columns)


def test_matrix_from_settings_has_a_name_that_reads_back():
    game = open_game("matrix(payoffs=[[1, -1], [-2, 2]])")
    assert payoff_table(open_game(game.name)) == payoff_table(game) == payoff_table(open_game(game))


def test_csv_with_and_without_names(tmp_path):
    named, plain = tmp_path / "named.csv", tmp_path / "plain.csv"
    named.write_text(",left,right\nup,1/2,-1\ndown,-1,.5\n")
    plain.write_text("1/2,-1\n-1,.5\n")
    table = payoff_table(open_game(named))
    assert table["up", "left"] == (0.5, -0.5)
    assert list(table.values()) == list(payoff_table(open_game(str(plain))).values())
    assert payoff_table(open_game(open_game(named).name)) == table


def test_csv_with_both_payoffs(tmp_path):
    path = tmp_path / "game.csv"
    path.write_text(",a,b\nx,3;-1,0;0\ny,(1 2),4|5\n")
    assert payoff_table(open_game(path))["y", "a"] == (1, 2)


def test_json_of_three_players(tmp_path):
    path = tmp_path / "game.json"
    path.write_text('{"payoffs": [[[[1,2,3],[4,5,6]],[[7,8,9],[0,0,0]]]], "actions": [["x"],["a","b"],["l","r"]]}')
    game = open_game(path)
    assert game.players == 3
    assert game.returns(("x", "b", "l")) == (7, 8, 9)
    assert isinstance(game, Game)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.csv", "", "empty"),
        ("a.csv", ",a,b\n", "no row of payoffs"),
        ("a.csv", ",a,b\nx,1\n", "line 2: 1 payoffs where there are 2"),
        ("a.csv", "1,2\n3,cow\n", "'cow' is not a payoff|must be"),
        ("a.csv", ",a,a\nx,1,2\n", "different names"),
        ("a.csv", "1,1e999999999\n2,3", "not a payoff|no row"),
        ("a.csv", "1e150,-1\n-2,3\n", "line 1: payoffs are from .* and '1e150' is beyond"),
        ("a.csv", "\n3;-inf,1;2\n4;5,6;7\n", "line 2: .* '3;-inf' is beyond"),
        ("a.csv", "nan,1\n2,3\n", "'nan' is beyond"),
        ("a.json", "{", "not JSON"),
        ("a.json", "[1, 2]", "table of numbers"),
        ("a.json", "[[1, 2], [3]]", "ragged"),
        ("a.json", '{"payoffs": [[1, "x"]]}', "must be a number"),
        ("a.json", "[[[1, 2], [1, 2, 3]]]", "list of 2 numbers"),
        ("a.json", '[[[1, 2], [1, "x"]]]', "list of 2 numbers"),
        ("a.json", "[" * 100_000, "nested more than"),
    ],
)
def test_bad_tables_get_a_sentence(tmp_path, name, content, complaint):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(BadFile, match=complaint):
        open_game(path)


@pytest.mark.parametrize(
    "spec", ["no/such/file.csv", "no-such.efg", "\0.nfg", "x" * 5000 + ".json", "../../etc/passwd.csv"]
)
def test_missing_files(spec):
    with pytest.raises(BadFile, match="cannot read"):
        open_game(spec)


@pytest.mark.parametrize("spec", ["", "-1", "nö", "a" * 10_000, "../../etc/passwd", "file(path=nothing)"])
def test_unknown_games(spec):
    with pytest.raises((UnknownName, BadFile)):
        open_game(spec)


def test_made_games_take_no_settings():
    with pytest.raises(BadSetting, match="is a game object already"):
        open_game(open_game("matching-pennies"), players=3)


@pytest.mark.parametrize("form", ["json", "csv"])
def test_tables_are_as_large_as_those_of_gambit(form, tmp_path):
    """A file of a few megabytes does not take minutes and all memory; that of .nfg files is the limit."""
    row = ",".join(["1"] * 1_000_001)
    path = tmp_path / f"wide.{form}"
    path.write_text(f"[[{row}]]" if form == "json" else row)
    with pytest.raises(BadFile, match="2,000,002 payoffs is more than the 2,000,000 we read"):
        open_game(str(path))
