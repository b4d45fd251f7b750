"""The command `pokerlab game`."""

from __future__ import annotations

from pathlib import Path

import pygambit
import pytest

from command_line import CommandLine
from pokerlab.lab.solve.solving import solve


def test_json_of_liars_dice(cli: CommandLine) -> None:
    found = cli(["game", "liars-dice(sides=3)", "--json"]).json
    assert (found["nodes"], found["terminals"], found["chance_nodes"]) == (1147, 567, 4)
    assert found["zero_sum"] is True
    assert found["perfect_recall"] is True
    assert found["by_player"][0]["infosets"] == 96
    assert int(found["by_player"][0]["pure_strategies_exact"]) == 2**24 * 3**12 * 4**6 * 5**3 * 6**3


def test_what_people_read(cli: CommandLine) -> None:
    out = cli(["game", "ace-king"]).printed
    assert "ace-king: 2 players, zero-sum, perfect recall" in out
    assert "39 nodes: 16 decisions, 3 chance, 20 terminal" in out
    assert "kB of memory to solve" in out


def test_imperfect_recall_is_shown(tmp_path: Path, cli: CommandLine) -> None:
    path = tmp_path / "forgetful.efg"
    path.write_text(
        'EFG 2 R "forgetful" { "a" }\np "" 1 1 "one" { "l" "r" } 0\n'
        'p "" 1 2 "two" { "x" "y" } 0\nt "" 1 "" { 1 }\nt "" 0\np "" 1 2 0\nt "" 1\nt "" 0\n'
    )
    out = cli(["game", str(path)]).printed
    assert "imperfect recall" in out
    assert "player 0 does not recall at 'two' whether it played l or r" in out


def test_the_list_names_every_game(cli: CommandLine) -> None:
    from pokerlab.registry import available

    listed = cli(["game", "--json"]).json["games"]
    assert [game["name"] for game in listed] == [entry.name for entry in available("games")]
    assert all(game["summary"] for game in listed)
    assert "princess-and-monster" in cli(["game"]).printed


def test_drawing_and_writing(tmp_path: Path, cli: CommandLine) -> None:
    picture, file = tmp_path / "tree.svg", tmp_path / "game.efg"
    found = cli(["game", "goofspiel(cards=3)", "--draw", str(picture), "--write", str(file), "--json"]).json
    assert found["drawing"] == str(picture)
    assert picture.read_text().startswith("<svg")
    assert cli(["game", str(file), "--json"]).json["nodes"] == found["nodes"] == 67


def test_small_extensive_games_are_written_in_normal_form(tmp_path: Path, cli: CommandLine) -> None:
    tree, table = tmp_path / "kuhn.efg", tmp_path / "kuhn.nfg"
    assert cli(["game", "kuhn", "--write", str(tree)]).code == 0
    assert cli(["game", str(tree), "--write", str(table)]).code == 0
    assert len(pygambit.read_nfg(str(table)).players) == 2
    value = solve(str(table), algorithm="lp").value
    assert value == pytest.approx(-1 / 18, abs=1e-9)  # Kuhn 1950
    assert "the normal form of leduc" in cli(["game", "leduc", "--write", str(tmp_path / "leduc.nfg")]).refusal


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("holdem-limit", ["8.54e17 nodes;", "159,682,961,261,304", "415,175,699,280,187", "88.3 EB"]),
        ("push-fold", ["55.6 trillion nodes;", "1,326", "2,653"]),
        ("princess-and-monster", ["13.9 million nodes;", "6,725"]),
        ("phantom-tictactoe", ["billion nodes by random walks;", "TB"]),
        ("five-card-draw", ["5.93e30 nodes;", "7,210,420,052,671,071,600"]),
        ("five-card-draw(players=3)", ["at least", "nodes by random walks"]),
    ],
)
def test_a_game_too_large_to_walk_is_told_without(name: str, said: list[str], cli: CommandLine) -> None:
    out = cli(["game", name]).printed
    for words in [*said, "players, zero-sum in 100 random plays", "more than 1,000,000 nodes, so not computed: "]:
        assert words in out
    found = cli(["game", name, "--json"]).json
    assert found["zero_sum"] is True
    assert found["memory_bytes"] > 1e9


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["leduk"], "did you mean leduc"),
        (["liars-dice(sides=3)", "--draw", "tree.svg"], "too many for a readable picture"),
        (["ace-king", "--draw", "tree.png"], "does not end in .svg"),
        (["ace-king", "--draw", "no/such/folder/tree.svg"], "cannot write"),
        (["ace-king", "--write", "game.doc"], "as .efg or .nfg"),
        (["ace-king(bet=-1)"], "bet must be a number above 0"),
        (["goofspiel(cards=one)"], "cards"),
        (["ace-king", "--most-nodes", "0"], "most-nodes"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], reason: str, cli: CommandLine) -> None:
    assert reason in cli(["game", *words]).refusal
