"""A mirrored match: the same cards at two tables at once, seats swapped, other players, one result."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from match.wire.serving import QUICK, Mixed, poker
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadSetting
from pokerlab.events import Event
from pokerlab.lab.play.serving import ServedMatch, serve_match
from pokerlab.match.wire.client import play_on_dealer


def served(name: str, path: Path, hands: int, *agents: tuple[Any, ...], **settings: Any) -> ServedMatch:
    """A mirrored match between agents [table][seat]; None leaves its seat after connecting."""
    game, clients = poker(name), []

    def connect(event: Event) -> None:
        if event.payload is None:
            return
        for seat, port in enumerate(event.payload.ports):
            agent = agents[event.payload.table][seat]
            if agent is None:
                gone = socket.create_connection(("127.0.0.1", port))
                gone.sendall(b"VERSION:2.0.0\r\n")
                gone.close()
                continue
            where: dict[str, Any] = {"host": "127.0.0.1", "port": port, "seed": 1}
            clients.append(threading.Thread(target=play_on_dealer, args=(game, agent), kwargs=where))
            clients[-1].start()

    result = serve_match(
        game, hands=hands, log=path / "m.log", mirror=True, limits=QUICK, seed=3, on_progress=connect, **settings
    )
    for client in clients:
        client.join()
    return result


def dealt(log: Path) -> list[tuple[str, str]]:
    """The cards of each position, and the names, hand by hand."""
    rows = [line.split(":") for line in log.read_text().splitlines() if line.startswith("STATE")]
    return [(row[3].split("/")[0], row[5]) for row in rows]


@pytest.mark.parametrize("name", ["leduc", "kuhn(players=3)"])
def test_the_same_cards_with_seats_swapped(name: str, tmp_path: Path) -> None:
    count = poker(name).players
    sides = ("people", "bots", "others")[:count]
    tables = [tuple(Mixed() for _ in range(count)) for _ in range(count)]
    result = served(name, tmp_path, 12, *tables, names=sides)
    logs = [dealt(tmp_path / f"m.{table}.log") for table in range(count)]
    for rows in zip(*logs, strict=True):
        assert len({cards for cards, _ in rows}) == 1
        held = [dict(zip(names.split("|"), cards.split("|"), strict=True)) for cards, names in rows]
        for side in sides:  # over the tables, each side holds every hand of the deal once
            assert sorted(table[side] for table in held) == sorted(held[0].values())
    assert sum(result.scores.values()) == pytest.approx(0)
    for side in sides:
        assert result.winnings[side].count == 12
        assert result.winnings[side].mean * 12 * count == pytest.approx(result.scores[side])


def test_luck_cancels_between_equal_players(tmp_path: Path) -> None:
    caller = open_agent("always-call")
    result = served("leduc", tmp_path, 15, (caller, caller), (caller, caller))
    assert [(one.mean, one.deviation) for one in result.winnings.values()] == [(0.0, 0.0)] * 2


def test_a_table_that_ends_early_does_not_stop_the_other(tmp_path: Path) -> None:
    result = served("leduc", tmp_path, 8, (None, Mixed()), (Mixed(), Mixed()))
    assert [one.served.hands for one in result.passes] == [1, 8]
    assert result.passes[0].served.forfeited == "player1"
    assert result.winnings == {}


def test_the_button_can_stay(tmp_path: Path) -> None:
    served("leduc", tmp_path, 4, (Mixed(), Mixed()), (Mixed(), Mixed()), fixed_button=True)
    assert {names for _, names in dealt(tmp_path / "m.0.log")} == {"player1|player2"}
    assert {names for _, names in dealt(tmp_path / "m.1.log")} == {"player2|player1"}


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="4 ports, not 2"):
        serve_match(poker("kuhn"), hands=1, log=tmp_path / "x", mirror=True, ports=[0, 0])
    with pytest.raises(BadSetting, match="not both"):
        serve_match(poker("kuhn"), hands=1, log=tmp_path / "x", mirror=True, duplicate=True)
