"""How the sizes of a spot were read, and word of those that were most likely meant otherwise."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from pokerlab.display.spots.boards import size_lines, sizes_read
from pokerlab.errors import Notice
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.lab.solve.solving import solve

ONE = {"range": "AA,KQs,76s,JTo", "bet": "0.75,50%", "raise": "2.5"}
OTHER = {"range": "QQ+,K9s+", "bet": {"turn": "33%", "river": "75,0.5 chips"}, "raise": "3x"}
SPOT: dict[str, Any] = {"board": "Ks7h2d5c", "pot": 100, "stack": 300, "out_of_position": ONE, "in_position": OTHER}
BET = 'the bet 0.75 is read as 0.75 chips into a pot of 100; write 75% for 75 % of the pot, or "0.75 chips"'
RAISE = 'the raise 2.5 is read as 2.5 chips into a pot of 100; write 2.5x for 2.5 times the bet, or "2.5 chips"'


def test_streets_and_players_are_named_where_they_differ() -> None:
    assert size_lines(spot_from(SPOT)) == [
        "bets oop: 0.75 chips, 50 % of the pot",
        "bets ip: turn 33 % of the pot; river 75 chips, 0.5 chips",
        "raises oop: to 2.5 chips",
        "raises ip: to 3 times the bet",
    ]
    flop = SPOT | {"board": "Ks7h2d", "in_position": OTHER | {"bet": {"flop": "33%", "turn": "33%", "river": "e"}}}
    lines = size_lines(spot_from(flop | {"out_of_position": ONE | {"donk": {"turn": "none", "river": "20%"}}}))
    assert lines[1] == "bets ip: flop and turn 33 % of the pot; river e: all-in by the last street"
    assert lines[-1] == "donk bets oop: turn none; river 20 % of the pot"
    none = SPOT | {"out_of_position": {"range": "AA"}, "in_position": {"range": "KK"}}
    assert size_lines(spot_from(none)) == ["bets: none", "raises: none"]
    assert size_lines(spot_from(none | {"limit": 10})) == ["bets and raises: fixed limit"]


def notices(call: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        call()
    return [str(notice.message) for notice in told if issubclass(notice.category, Notice)]


def test_python_is_told_once_of_each_size(tmp_path: Path) -> None:
    told = notices(lambda: solve(SPOT, iterations=1, save=tmp_path / "a.spot"))
    assert [sentence.partition(" if that")[0] for sentence in told] == [BET, RAISE]
    assert notices(lambda: open_game(str(tmp_path / "a.spot"))) == []  # what is kept was told when it was written
    plain = SPOT | {"out_of_position": ONE | {"bet": "75%", "raise": "2.5 chips"}}
    assert notices(lambda: solve(plain, iterations=1)) == []


def test_files_and_options_are_told_alike(tmp_path: Path, cli: CommandLine) -> None:
    path = tmp_path / "a.toml"
    seats = [
        f'[{seat}]\nrange = "QQ+,AK"\nbet = "{bet}"\nraise = "3x"\n'
        for seat, bet in (("out_of_position", "0.75,50%"), ("in_position", "40"))
    ]
    path.write_text('board = "Ks7h2d5c9s"\npot = 100\nstack = 300\n' + "".join(seats))
    for words in (
        ["spot", str(path), "--iterations", "2"],
        ["solve", str(path), "--iterations", "2"],
        ["report", str(path), "--boards", "Ks7h2d5c9s,2s7h2d5c9s", "--iterations", "2"],
        ["spot", "--board", "Ks7h2d5c9s", "--oop", "AA,KQs", "--ip", "QQ", "--bet", "0.75", "--iterations", "2"],
    ):
        answer = cli(words)
        assert answer.code == 0, answer.error
        assert answer.error.count(BET) == 1, answer.error
    assert "bets oop: 0.75 chips, 50 % of the pot\nbets ip: 40 chips\n" in cli(["spot", str(path), "--forecast"]).out
    told = cli(["spot", str(path), "--iterations", "2", "--json"]).json["sizes"]
    assert (
        told == cli(["spot", str(path), "--forecast", "--json"]).json["sizes"] == sizes_read(spot_from(_settings(path)))
    )
    assert told["in_position"]["bet"] == {"river": "40 chips"}


def _settings(path: Path) -> dict[str, Any]:
    from pokerlab.formats.spot_file import read_file

    return read_file(path)


@pytest.mark.parametrize("board", ["Ks7h2d5c9s", "Ks7h2d5c"])
def test_only_streets_that_are_played_are_told(board: str) -> None:
    spot = spot_from(SPOT | {"board": board})
    assert set(sizes_read(spot)["in_position"]["bet"]) == set(spot.streets)
