"""Results of matches at the width of a terminal: every name can be read, every number is whole."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from pokerlab.display.play.match import interval_text, print_match, print_tournament
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.result import MatchResult
from pokerlab.match.run.tournament import pairings, play_tournament


def printed(width: int) -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, width=width, highlight=False), out


@pytest.fixture(scope="module")
def of_six() -> MatchResult:
    agents = ["always-fold", "always-call", "always-raise", "random", "probe", "random"]
    return play_match(MatchSettings.of("holdem-nolimit(players=6)", agents, hands=36, duplicate=True, adjust="all-in"))


@pytest.mark.parametrize("width", [60, 80, 200])
def test_six_players_at_any_width(width: int, of_six: MatchResult) -> None:
    result = of_six
    console, out = printed(width)
    print_match(result, console)
    text = out.getvalue()
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in text.splitlines() if line.startswith("│")]
    assert {row[0] for row in rows} == set(result.agents)
    for place, agent in enumerate(result.agents):
        cells = [cell for row in rows if row[0] == agent for cell in row[1:]]
        for summary in (result.summaries[place], *result.positions[place]):
            assert summary is not None
            assert interval_text(summary, result.units.usual) in cells
    headings = " ".join(re.findall(r"[\w/ -]+", text))
    for seat in ("small blind", "big blind", "seat 2", "seat 4", "button", "mbb/hand", "bb/100"):
        assert seat in headings


def test_long_names_are_folded_and_not_cut() -> None:
    names = ["always-fold", "random"]
    settings = MatchSettings.of("kuhn", names, hands=4)
    long = "strategy:a/rather/long/path/to/some/solution.safetensors(purify=true)"
    result = play_match(settings)
    console, out = printed(80)
    print_match(type(result)(**{**vars(result), "agents": (long, "random")}), console)
    rows = [line.split("│")[1].strip() for line in out.getvalue().splitlines() if line.startswith("│")]
    assert "".join(rows).count(long) == 3  # winnings, times, positions


def test_a_cross_table_of_six_at_eighty_columns() -> None:
    agents = ["always-fold", "always-call", "always-raise", "random", "probe", "formula(bluff=0.1, caution=0.2)"]
    console, out = printed(80)
    print_tournament(play_tournament(pairings("kuhn", agents, hands=20)), console)
    text = out.getvalue()
    assert "…" not in text
    table = text[: text.index("By total bankroll")]
    assert max(map(len, table.splitlines())) <= 80
    for agent in agents[:5]:
        assert table.count(agent) >= 2
