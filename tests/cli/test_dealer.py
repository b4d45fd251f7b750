"""The dealer and two clients as three programs, duplicate passes included."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

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
                    "--game",
                    "kuhn",
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
    first, second = ((tmp_path / f"m.{number}.log").read_text().splitlines()[4:-1] for number in (0, 1))
    for one, other in zip(first, second, strict=True):  # the same cards, the seats exchanged
        assert one.split(":")[3] == other.split(":")[3]
        assert one.split(":")[5].split("|") == other.split(":")[5].split("|")[::-1]


def test_nobody_comes(tmp_path: Path) -> None:
    words = ["dealer", "kuhn", "--hands", "2", "--t-start", "0.2", "--log", str(tmp_path / "log"), "--json"]
    done = subprocess.run([*POKERLAB, *words], capture_output=True, text=True, timeout=60, check=True)
    played = json.loads(done.stdout)["passes"][0]
    assert (played["forfeited"], played["hands"]) == ("player1", 0)
