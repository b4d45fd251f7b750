"""The dealer and two clients as three programs, duplicate passes included."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab.display.elements.screen import Screen
from pokerlab.display.play.match import print_served
from pokerlab.lab.play.serving import ServedMatch, ServedPass
from pokerlab.match.wire.dealer import ServingResult

POKERLAB = [sys.executable, "-m", "pokerlab"]


def test_dealer_and_clients_as_programs(tmp_path: Path) -> None:
    log = tmp_path / "m.log"
    words = ["dealer", "kuhn", "--hands", "20", "--duplicate", "--names", "ann,bea", "--log", str(log), "--json"]
    with subprocess.Popen([*POKERLAB, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as dealer:
        assert dealer.stderr is not None
        ports = re.findall(r"(?:ann|bea) (\d+)", dealer.stderr.readline())
        assert len(ports) == 2
        clients = [
            subprocess.Popen(
                [
                    *POKERLAB,
                    "client",
                    "127.0.0.1",
                    port,
                    "--agent",
                    agent,
                    "--matches",
                    "2",
                    "--json",
                ],
                stdout=subprocess.PIPE,
                text=True,
            )
            for port, agent in zip(ports, ("always-call", "random"), strict=True)
        ]
        told = [json.loads(client.communicate(timeout=60)[0]) for client in clients]
        result = json.loads(dealer.communicate(timeout=60)[0])
    assert [client["hands"] for client in told] == [40, 40]
    assert [client["won"] for client in told] == [result["scores"]["ann"], result["scores"]["bea"]]
    assert sum(result["scores"].values()) == 0
    logs = [(tmp_path / f"m.{number}.log").read_text().splitlines() for number in (0, 1)]
    for lines in logs:  # the seed of the deals is told when they are over
        assert lines[0].endswith(" secret")
        assert lines[-2] == f"# seed {result['seed']}"
    first, second = (lines[4:-2] for lines in logs)
    for one, other in zip(first, second, strict=True):  # the same cards, the seats exchanged
        assert one.split(":")[3] == other.split(":")[3]
        assert one.split(":")[5].split("|") == other.split(":")[5].split("|")[::-1]


@pytest.mark.parametrize("option", ["--t-response", "--t-hand", "--t-per-hand", "--t-start"])
@pytest.mark.parametrize("seconds", ["inf", "nan", "1e308", "0"])
def test_limits_that_are_none(option: str, seconds: str, tmp_path: Path, cli: CommandLine) -> None:
    words = ["dealer", "kuhn", option, seconds, "--log", str(tmp_path / "log")]
    assert "must be positive and at most 1e+09" in cli(words).refusal


def test_notes_of_a_match_are_shown_without_markup(capsys: pytest.CaptureFixture[str]) -> None:
    names, forfeits, notes = ("ann", "bea"), {"bea": "'[x]' came"}, ["ann, hand 0: '[red]' became c"]
    served = ServingResult(names, [0.0, 0.0], seed=1, hands=1, forfeits=forfeits, notes=notes)
    print_served(ServedMatch("kuhn", 1, 1, names, (ServedPass(Path("[m].log"), served),)), Screen())
    out = capsys.readouterr().out
    assert "ann, hand 0: '[red]' became c" in out
    assert "bea forfeits: '[x]' came" in out
    assert "[m].log" in out
    assert "[yellow]" not in out


def test_nobody_comes(tmp_path: Path, cli: CommandLine) -> None:
    words = ["dealer", "kuhn", "--hands", "2", "--t-start", "0.2", "--log", str(tmp_path / "log"), "--json"]
    result = cli(words).json
    played = result["passes"][0]
    assert result["forfeited"] == ["player1", "player2"]
    assert (list(played["forfeits"]), played["hands"]) == (["player1", "player2"], 0)


def test_where_it_listens_is_one_line(tmp_path: Path, cli: CommandLine) -> None:
    names = [f"a-player-with-a-long-name-{number}" for number in range(6)]
    words = ["dealer", "holdem-nolimit(players=6)", "--names", ",".join(names), "--t-start", "0.1"]
    words += ["--log", str(tmp_path / "log"), "--json"]
    (line,) = cli(words, width=80).error.splitlines()
    assert re.fullmatch(r"listening on 127\.0\.0\.1: " + ", ".join(rf"{name} \d+" for name in names), line)


def test_every_match_has_its_own_deals(tmp_path: Path, cli: CommandLine) -> None:
    words = ["dealer", "kuhn", "--t-start", "0.1", "--log", str(tmp_path / "log"), "--json"]
    assert len({cli(words).json["seed"] for _ in range(2)}) == 2


def test_nobody_need_read_where_it_listens(tmp_path: Path) -> None:
    """Who has read the first line and gone ends no later pass of a duplicate match."""
    words = f"{sys.executable} -m pokerlab dealer kuhn --hands 1 --duplicate --t-start 0.3 --log {tmp_path / 'm.log'}"
    subprocess.run(["bash", "-c", f"{words} 2>&1 | head -1"], capture_output=True, check=False, timeout=60)
    for place in (0, 1):
        assert (tmp_path / f"m.{place}.log").read_text().splitlines()[-1].startswith("SCORE:0|0:")


def test_a_match_that_cannot_begin_leaves_the_log_of_an_earlier_one(tmp_path: Path, cli: CommandLine) -> None:
    log = tmp_path / "m.log"
    words = ["dealer", "kuhn", "--hands", "1", "--t-start", "0.1", "--log", str(log)]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for more in (["--ports", f"0,{taken.getsockname()[1]}"], ["--host", "no such host"], ["--names", "a b,c"]):
            log.write_text("an earlier match\n")
            assert "cannot" in cli([*words, *more]).refusal
            assert log.read_text() == "an earlier match\n"
    assert cli(words).code == 0
    assert log.read_text().startswith("# name/game/hands/seed match kuhn 1 secret\n")
    assert cli([*words[:-1], os.devnull]).code == 0
