"""What the parts of pages do with what is typed, painted and chosen, without a browser."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the page needs NiceGUI: pip install 'pokerlab[app]'")

from nicegui import Client, ui
from nicegui.page import page

from pokerlab.app.pages.preflop import HeadsUpPanel, IcmPanel, TablePanel, _valued
from pokerlab.app.pages.spots import SpotForm
from pokerlab.app.widgets.cards import card_html
from pokerlab.app.widgets.felt import Felt
from pokerlab.app.widgets.hand_grid import _with_cells
from pokerlab.app.widgets.job_list import progress_text
from pokerlab.app.widgets.node_html import crumbs
from pokerlab.app.widgets.range_editor import RangeEditor
from pokerlab.app.widgets.replayer import Replayer
from pokerlab.cards.card import FULL_DECK
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.jobs.record import FINISHED, RUNNING, Job
from pokerlab.lab.play.playing import match
from pokerlab.lab.preflop.push_fold import push_fold, stakes


class StandIn:
    """A visitor who has one job, and computes at once."""

    def __init__(self, *jobs: Job, **latest: Any) -> None:
        self.had, self.submitted, self.seen = jobs, list[tuple[Any, ...]](), list[str]()
        folder = SimpleNamespace(latest=lambda: latest, result=lambda: {"decisions": []})
        self.shelf = SimpleNamespace(folder=lambda _: folder)
        self.queue = SimpleNamespace(end=None, resume=None)

    def jobs(self) -> list[Job]:
        return list(self.had)

    def submit(self, *job: Any) -> Job:
        self.submitted.append(job)
        return Job("7", job[0], job[1], job[2])

    def opened(self, address: str, _: str) -> None:
        self.seen.append(address)

    async def compute(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)


@pytest.fixture(autouse=True)
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A page of nobody."""
    monkeypatch.setattr(ui.navigate, "to", lambda _: None)
    with Client(page("/of-nobody"), request=None):
        yield


def test_a_range_that_is_typed_painted_and_cleared() -> None:
    told = list[str]()
    editor = RangeEditor("Range", "AA", on_change=told.append)
    editor.field.value = "AA"
    editor.field.value = "QQ+"
    assert (told, editor.range.count) == (["QQ+"], 18)
    editor.field.value = ""
    assert "the range is empty" in editor.error.text
    assert editor.range.count == 18
    editor._paint([0, 14, 28])  # AA, KK, QQ: all are there, so they go
    assert (told[-1], editor.range.count, editor.field.value, editor.error.text) == ("", 0, "", "")
    editor._paint([1])
    assert (told[-1], editor.range.count) == ("AKs", 4)


def test_only_cells_of_the_grid_are_painted() -> None:
    painted = list[list[int]]()
    handle = _with_cells(painted.append)
    for sent in ([0, 168], [169], [-1], ["x"], None, 5, [], list(range(169)), [*range(169), 0]):
        handle(SimpleNamespace(args=sent))
    assert painted == [[0, 168], [], [], [], list(range(169))]


def test_a_board_that_is_typed_is_picked() -> None:
    seat = {"range": "AA"}
    spot = {"board": "Ks7h2d", "pot": 100, "stack": 100, "out_of_position": seat, "in_position": seat}
    form = SpotForm(StandIn(), spot)  # type: ignore[arg-type]
    picked = list[str]()
    form.picker.set = lambda cards: picked.append(FULL_DECK.text(cards))  # type: ignore[method-assign]
    form.board_field.value = "Ks7h2d5c9s8s"
    form.board_field.value = "Ks7h2d5x"
    assert picked == ["Ks7h2d5c9s"]
    assert form.board_error.text
    form.board_field.value = "Ks7h"
    assert (picked[-1], form.board_error.text) == ("Ks7h", "")


def test_a_table_of_several_players_is_asked_for_and_shown() -> None:
    visitor = StandIn()
    panel = TablePanel(visitor, "")  # type: ignore[arg-type]
    panel.stacks.value, panel.payouts.value, panel.ante.value, panel.big_blind_ante.value = "9,8,7", "", "", "0.5"
    panel._submit()
    asked = {"stacks": "9,8,7", "payouts": "", "ante": "", "big_blind_ante": "0.5"}
    assert visitor.submitted == [("pushfold", "Push or fold BU 9, SB 8, BB 7 big blinds; big-blind ante 0.5", asked)]
    assert (visitor.seen, panel.error.text) == (["/preflop?job=7"], "")
    panel.stacks.value = "9"
    panel._submit()
    assert panel.error.text
    assert len(visitor.submitted) == 1
    for jobs, words, goes_on in (
        ((Job("7", "pushfold", "Nine", {}, RUNNING),), "Nine: running. 3 of 8 rounds, 2 s", True),
        ((Job("7", "pushfold", "Nine", {}, FINISHED),), "Nine: finished. ", False),
        ((), "", False),
    ):
        panel = TablePanel(StandIn(*jobs, done=3, total=8, unit="rounds", seconds=2.0), "7")  # type: ignore[arg-type]
        panel._look()
        assert (panel.words.text, panel.timer.active) == (words, goes_on)


def test_push_or_fold_begins_with_equal_stacks() -> None:
    panel = HeadsUpPanel(StandIn())  # type: ignore[arg-type]
    first = panel._solve()
    assert set(first.stakes.stacks) == {10}
    panel.amounts |= {"small": 8, "big": 20, "ante": 0.5}
    assert panel._solve().value == push_fold(stakes(stacks="8,20", ante="0.5")).value != first.value


def test_players_of_a_tournament_are_counted_from_one() -> None:
    panel = IcmPanel(StandIn())  # type: ignore[arg-type]
    values, curve = _valued({"stacks": "60,30,10", "payouts": "70,30", "bounties": ""})
    panel._draw(values, curve)
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in panel.table.content.split("</tr>") if "<td" in row]
    assert [row[:2] for row in rows] == [["1", "60"], ["2", "30"], ["3", "10"]]
    assert [float(row[2]) for row in rows] == pytest.approx(values.values, abs=6e-4)
    assert [row[4] for row in rows] == ["60.0 %", "30.0 %", "10.0 %"]


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        ({"exploitability_percent": 0.25, "iterations": 1200}, "exploitability 0.25 % after 1,200 iterations"),
        ({"leader": "tight"}, "leader: tight"),
        ({"title": "Kuhn"}, "Kuhn"),
        ({"title": "", "boards": 3}, "3 boards"),
        ({}, ""),
    ],
)
def test_what_came_of_a_job(summary: dict[str, Any], words: str) -> None:
    assert progress_text(StandIn(), Job("1", "spot", "", {}, FINISHED, summary=summary)) == words  # type: ignore[arg-type]


def test_only_who_is_to_act_is_marked() -> None:
    game = open_game("kuhn")
    assert isinstance(game, PokerGame)
    felt, state = Felt(game), game.start((0, 2))
    for returns, marked in (((), ["Ann"]), ((1.0, -1.0), [])):
        felt.draw(game.view(state, 1), ("Ann", "Bob"), hands={}, returns=returns)
        seats = [one for one in felt.box.descendants() if "seat" in one.classes]
        assert len(seats) == 2
        assert [next(iter(one.descendants())).text.split(" ")[0] for one in seats if "acting" in one.classes] == marked


def test_cards_have_the_colours_of_their_suits() -> None:
    kuhn = open_game("kuhn")
    assert isinstance(kuhn, PokerGame)
    shown = [card_html(FULL_DECK, card) for card in FULL_DECK.cards("AsKhQdJc")] + [card_html(kuhn.deck, 0)]
    found = [re.findall(r'class="card (.*?) ".*label="(.*?)">(.*)<', card)[0] for card in shown]
    words = [
        ("s", "A of spades", "A♠"),
        ("h", "K of hearts", "K♥"),
        ("d", "Q of diamonds", "Q♦"),
        ("c", "J of clubs", "J♣"),
    ]
    assert found == [*words, ("s", "J", "J")]


def test_moves_that_were_made_are_marked_and_the_last_have_keys() -> None:
    seats = ("out", "in")
    places = [
        SimpleNamespace(player=0, actions=("check", "bet 5"), seats=seats, pot=10, is_deal=False),
        SimpleNamespace(player=None, pot=20, is_deal=True),
        SimpleNamespace(player=1, actions=("fold", "call"), seats=seats, pot=20, is_deal=False),
    ]
    shown = str(crumbs(places, ("bet 5", "Ah")))
    buttons = re.findall(r'data-go="(.*?)" class="(.*?)"(?: data-key="(\d)")?', shown)
    assert buttons == [
        ("0:check", "", ""),
        ("0:bet 5", "taken", ""),
        ("1:", "taken", ""),
        ("2:fold", "", "1"),
        ("2:call", "", "2"),
    ]
    assert re.findall(r'class="who">(.*?)<', shown) == ["out · pot 10", "card · pot 20", "in · pot 20"]


def test_a_hand_is_shown_from_its_start(tmp_path: Path) -> None:
    match(["always-call", "always-call"], game="kuhn", hands=2, seed=1, out=tmp_path / "kuhn.duckdb")
    player = Replayer(StandIn(), tmp_path / "kuhn.duckdb")  # type: ignore[arg-type]
    asyncio.run(player.open())
    assert player.replay is not None
    steps = len(player.replay.states)
    assert (player.error.text, player.step, steps) == ("", 0, 3)
    said = [len(player.tale.default_slot.children)]
    for step in (1, 2, 5, -3):
        player._go(step)
        said.append(len(player.tale.default_slot.children))
    assert said == [1, 2, 3, 3, 1]
    asyncio.run(player._next())
    assert (player.number.value, player.step) == (1, 0)
    asyncio.run(player._next())
    assert player.error.text  # there is no third hand
