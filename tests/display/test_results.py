"""Results in notebooks: HTML that stands alone, small and escaped, and pictures that touch no global state."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pokerlab
from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.ranges import Range
from pokerlab.display.elements.figure import COLOURS, line_style
from pokerlab.display.notebook.results import _shares
from pokerlab.errors import BadSetting, IllegalAction
from pokerlab.lab.play.playing import run_match, run_ring, run_tournament
from pokerlab.match.run.contest import ContestRules
from pokerlab.match.run.contests import ContestSettings, play_contests
from pokerlab.match.run.match import MatchSettings, poker_table
from pokerlab.match.run.ring import plan_ring
from pokerlab.match.run.tournament import pairings
from pokerlab.notebook_display import NotebookDisplay

RIVER = {
    "board": "Ks 7h 2d 5c 9s",
    "pot": 10,
    "stack": 20,
    "out_of_position": {"range": "AA,QJs,T8s:0.5", "bet": "50%,allin"},
    "in_position": {"range": "KQ,77", "bet": "100%"},
}
MOST_BYTES = 80_000


@cache
def match() -> Any:
    return run_match(MatchSettings.of("leduc", ["formula", "random"], hands=60, seed=2), workers=1)


def contests(kind: str) -> Any:
    rules = ContestRules((9, 14), kind, most_hands=40)
    return play_contests(ContestSettings.of("leduc", ["formula", "random"], rules, repeat=8))


MADE = {
    "range": lambda: Range.parse("22+,AKo:0.3"),
    "no hands": lambda: Range(np.zeros(1326)),
    "sequence": lambda: pokerlab.solve("leduc", iterations=20),
    "three players": lambda: pokerlab.solve("kuhn(players=3)", iterations=5),
    "public": lambda: pokerlab.solve("leduc", form="public", iterations=5),
    "push or fold": lambda: pokerlab.solve("push-fold(stack=7)"),
    "classes": lambda: pokerlab.solve("preflop-limit(raises=1)"),
    "one decision": lambda: pokerlab.solve("von-neumann(cards=8)", form="classes"),
    "normal": lambda: pokerlab.solve("rock-paper-scissors", algorithm="normal-lp"),
    "spot": lambda: pokerlab.solve(RIVER, iterations=5),
    "spot view": lambda: pokerlab.solve(RIVER, iterations=5).at("bet 5"),
    "leduc view": lambda: pokerlab.solve("leduc", iterations=5).at("r", "c", "Ka"),
    "public view": lambda: pokerlab.solve("leduc", form="public", iterations=5).at("r", "c", "Ka"),
    "push or fold view": lambda: pokerlab.solve("push-fold(stack=7)").at("push"),
    "classes view": lambda: pokerlab.solve("preflop-limit(raises=1)").at("r"),
    "strategy": lambda: pokerlab.Strategy.from_dict({"K:r": "c"}, game="kuhn"),
    "response": lambda: pokerlab.best_response("kuhn", {}, player=1),
    "comparison": lambda: pokerlab.compare("kuhn", ["cfr", "external", "lp"], iterations=30),
    "match": match,
    "counter-strategy": lambda: pokerlab.exploit("kuhn", "always-call", p=0.5, iterations=50, points=(0, 1)),
    "counter-strategy of one seat": lambda: pokerlab.exploit("kuhn", "always-call", method="fbr", hands=50, seat=1),
    "tournament": lambda: run_tournament(pairings("leduc", ["formula", "random", "always-call"], hands=40), workers=1),
    "freeze-outs": lambda: contests("freezeout"),
    "match play": lambda: contests("match-play"),
    "ring tournament": lambda: run_ring(plan_ring(poker_table("kuhn", 3), ["formula", "random"], hands=9), workers=1),
}  # fmt: skip


def test_numbers_of_a_strategy_are_aligned_right() -> None:
    shown = pokerlab.Strategy.from_dict({"K:r": "c"}, game="kuhn")._repr_html_()
    rows = [re.findall(r"<td style=\"text-align:(\w+)[^>]*>([^<]*)", row) for row in shown.split("<tr>")]
    assert [("left", "1"), ("left", "J:c"), ("right", "1.000")] in [row[:3] for row in rows]


def test_classes_of_hands_are_a_grid_in_any_order() -> None:
    """Of 169 hands that are classes, as blueprints have them, the pairs are on the diagonal."""
    rows = [{"hand": name, "strategy": {"f": number / 169, "c": 0.5}} for number, name in enumerate(CLASS_NAMES)]
    view = SimpleNamespace(player=0, has_starting_hands=False, actions=("c", "f"), table=lambda _: rows[::-1])
    shares = _shares(view)
    assert shares is not None
    assert shares.shape == (13, 13, 2)
    assert (shares[1, 2] == (0.5, CLASS_NAMES.index("KQs") / 169)).all()
    rows.pop()
    assert _shares(view) is None


class Checker(HTMLParser):
    """Counts rows, and complains of tags that are not closed and of anything that is fetched or run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows = 0
        self.text = ""

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        assert tag not in ("script", "link", "img", "iframe", "style")
        assert not {name for name, _ in attributes} & {"src", "href", "class", "id"}
        assert not [name for name, _ in attributes if name.startswith("on")]
        self.rows += tag == "tr"
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: Any) -> None:
        assert tag == "rect"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def checked(text: str) -> Checker:
    checker = Checker()
    checker.feed(text)
    assert not checker.open
    assert len(text) < MOST_BYTES
    assert "nan" not in text.lower()
    return checker


@pytest.fixture(params=MADE, scope="module")
def result(request: pytest.FixtureRequest) -> NotebookDisplay:
    return MADE[request.param]()


def test_html_stands_alone(result: NotebookDisplay) -> None:
    assert checked(result._repr_html_()).rows < 40


def test_a_picture_touches_no_global_state(result: NotebookDisplay) -> None:
    picture = result.plot()
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or pyplot.get_fignums() == []
    assert picture.axes


def test_a_notebook_shows_a_picture() -> None:
    """Without pyplot, whose formatter of figures a notebook would use."""
    assert Range.parse("AA").plot()._repr_png_().startswith(b"\x89PNG")


def test_results_give_their_tables(result: NotebookDisplay) -> None:
    if isinstance(result, Range | pokerlab.lab.analyse.responding.Response):
        return
    table = result.to_pandas()  # type: ignore[attr-defined]
    assert len(table) > 0
    assert not table.columns.duplicated().any()
    assert all(
        table[name].dtype.kind in "if" for name in ("player", "probability", "reach", "seconds") if name in table
    )


def test_long_tables_are_cut_and_say_so() -> None:
    shown = pokerlab.solve("leduc", iterations=1)._repr_html_()
    assert "912 more: to_pandas() has all" in shown
    assert "more:" not in pokerlab.solve("kuhn", iterations=1)._repr_html_()


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b's", '" onload="x', "$x$", "\x1b[31m"])
def test_names_are_shown_letter_by_letter(name: str) -> None:
    strategy = replace(pokerlab.Strategy.from_dict({}, game="kuhn"), game=name)
    named = replace(strategy, infosets=[f"{one}{name}" for one in strategy.infosets])
    found = replace(match(), agents=(name, "other"), game=name, faults=((name, name, 3),))
    read = name.replace("\x1b", "\\x1b")  # what would colour a terminal is shown by its number
    for shown, times in ((strategy, 1), (named, 13), (found, 4)):  # the game; every infoset; agent, fault and whose
        assert checked(shown._repr_html_()).text.count(read) == times
        shown.plot().draw_without_rendering()  # reads what looks like a formula


def test_a_grid_is_filled_as_far_as_a_hand_is_held() -> None:
    shown = Range.parse("AA,KK:0.25,AKs:0.999999")._repr_html_()
    assert shown.count("<title>") == 169
    assert re.search(r"<title>AA: 100.0 %</title><rect [^>]*width=\"40.0\"", shown)
    assert re.search(r"<title>KK: 25.0 %</title><rect [^>]*width=\"40\"[^>]*/><rect [^>]*width=\"10.0\"", shown)
    assert "<title>72o: 0</title>" in shown


def test_a_place_shows_what_is_done_there() -> None:
    view = pokerlab.solve(RIVER, iterations=5).at("bet 5")
    table = view.to_pandas()
    assert set(table.action) == set(view.actions)
    assert set(table.player) == {view.player}
    likely = (table.likelihood * table.probability).groupby(table.action).sum()
    assert likely.to_dict() == pytest.approx(view.strategy())
    shown = view._repr_html_()
    assert all(f"{100 * share:.1f} %" in shown for share in view.strategy().values())
    assert "in position to act" in shown


def test_a_place_where_nobody_acts() -> None:
    for solution in (pokerlab.solve("leduc", iterations=3), pokerlab.solve("leduc", form="public", iterations=3)):
        for moves, words in ((("r", "c"), "a card is dealt"), (("r", "f"), "is over")):
            view = solution.at(*moves)
            assert words in view._repr_html_()
            with pytest.raises(IllegalAction, match="nobody acts here"):
                view.plot()
    over = pokerlab.solve(RIVER, iterations=3).at("check", "check")
    table = over.to_pandas()
    assert set(table.player) == {0, 1}
    assert "probability" not in table


def test_a_pass_is_a_gradient_of_one_player() -> None:
    """An iteration of CFR takes two, a step of mirror prox four; nodes are as many times the nodes of the game."""
    found = pokerlab.compare("kuhn", ["cfr", "mirror-prox(aggressive=False)"], iterations=10)
    nodes = found.solutions["cfr"].built_form().size.nodes
    for axis, unit in (("passes", 1.0), ("nodes", nodes)):
        (axes,) = found.plot(axis=axis).axes
        ends = {line.get_label(): line.get_xdata()[-1] for line in axes.lines}
        assert ends == {"cfr": 20 * unit, "mirror-prox(aggressive=False)": 40 * unit}
    (axes,) = found.solutions["cfr"].plot(axis="passes").axes
    assert axes.lines[0].get_xdata()[-1] == 20


def test_an_axis_that_is_none() -> None:
    with pytest.raises(BadSetting, match="curves are drawn against"):
        pokerlab.solve("kuhn", iterations=3).plot(axis="weight")


def test_lines_differ_by_more_than_colour() -> None:
    styles = [line_style(index) for index in range(len(COLOURS))]
    looks = [(str(style["linestyle"]), style["marker"]) for style in styles]
    assert len(set(looks)) == len(looks)
    for one, two in pairwise(styles):
        assert one["marker"] != two["marker"]
        assert str(one["linestyle"]) != str(two["linestyle"])


def test_the_curve_of_a_solution() -> None:
    solution = pokerlab.solve("kuhn(players=3)", algorithm="cfr+", iterations=40)
    table = solution.convergence()
    assert len(table) == len(solution.curve)
    last = table.iloc[-1]
    assert tuple(last[["value_0", "value_1", "value_2"]]) == solution.values
    assert last["nash_conv"] == pytest.approx(solution.nash_conv)
    assert last["iterations"] == 40


def test_a_match_tells_its_course_and_units() -> None:
    found = match()
    table, course = found.to_pandas(), found.course()
    assert table.agent.tolist() == ["formula", "random"]
    assert table.chips_mean.tolist() == pytest.approx([one.mean for one in found.summaries])
    assert (table.mbb_low <= table.mbb_mean).all()
    assert (table.mbb_mean / table.chips_mean).tolist() == pytest.approx([1000, 1000])  # the ante is the big blind
    ends = course[course.hands == 60].set_index("agent").chips
    assert (ends / 60).tolist() == pytest.approx(table.chips_mean.tolist())


def test_a_counter_strategy_has_one_line_and_every_row() -> None:
    found = pokerlab.exploit("kuhn", "always-call", p=0.5, iterations=50, points=(0, 1))
    assert len(repr(found)) < 150
    assert "\n" not in repr(found)
    assert checked(found._repr_html_()).rows == 1 + 5  # headings; equilibrium, three points, best response
