"""Push or fold as people know it: in big blinds, with a chart for each blind, the same in every command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.console import Console

from command_line import CommandLine
from pokerlab.display.elements import figure
from pokerlab.display.preflop.charts import charts_figure, show_charts
from pokerlab.lab.solve.solving import solve

# stack, value to the small blind in big blinds, percent pushed and called: exact linear programs, computed apart
VALUES = [(2, 0.009549, 89.44, 100.0), (5, 0.056201, 71.48, 62.07), (9, -0.025227, 59.88, 40.57)]
VALUES += [(15, -0.127227, 45.65, 28.55)]


@pytest.mark.parametrize(("stack", "value", "pushed", "called"), VALUES)
def test_values_and_frequencies(stack: float, value: float, pushed: float, called: float, cli: CommandLine) -> None:
    told = cli(["solve", f"push-fold(stack={stack})"]).printed
    sign = "+" if value > 0 else "-"
    assert f"small blind     {sign}{abs(value):.6f} big blinds a hand (player 1)" in told
    assert f"big blind       {'-' if value > 0 else '+'}{abs(value):.6f} big blinds a hand (player 0)" in told
    assert "algorithm       lp" in told
    found = [float(share) for share in re.findall(r"(?:pushes|calls) ([\d.]+) %", told)]
    assert found == pytest.approx([pushed, called], abs=0.051)


def test_the_chart_is_that_of_the_published_one(cli: CommandLine) -> None:
    """Largest stacks at which a hand is pushed or called (Schmid, fig. 6.1): 97o 10.8, T4s 10.5, 84s 10.1, T3s 7.7."""
    solution = solve("push-fold(stack=10)")
    pushes, calls = (
        dict(zip(solution.strategy.form.hands, acts.tolist(), strict=True)) for acts in solution.strategy.acts
    )
    assert all(pushes[hand] > 0.999 for hand in ("97o", "T4s", "84s", "K2o", "53s", "22"))
    assert all(pushes[hand] < 0.001 for hand in ("T3s", "83s", "32o", "Q4o"))
    assert calls["Q2o"] < 0.001 < 0.999 < calls["K5o"]


def printed(width: int, name: str, **options: object) -> list[str]:
    screen = Console(width=width, no_color=True, record=True, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115
    show_charts(screen, solve(name, **options).strategy)
    return screen.export_text().splitlines()


@pytest.mark.parametrize("width", [80, 120, 140])
def test_charts_fit_the_screen(width: int) -> None:
    lines = printed(width, "push-fold(stack=(8, 5), ante=0.1)", algorithm="cfr+", iterations=40)
    assert max(map(len, lines)) <= width
    rows = [line for line in lines if line.startswith("AA ")]
    assert len(rows) == (1 if width == 140 else 2)
    assert sum(line.count("AKo") for line in lines) == 2
    assert "in part:" in "".join(lines)


def test_every_command_speaks_in_big_blinds(cli: CommandLine, tmp_path: Path) -> None:
    kept, picture = tmp_path / "pf.solution", tmp_path / "chart"
    words = ["solve", "push-fold(stack=(7, 12))", "--out", str(kept), "--json"]
    told = cli([*words, "--plot", f"{picture}.png"]).json
    value = told["values"][1] / told["chips_a_unit"]
    assert (told["money"], told["roles"], told["seats"]) == ("big blinds", ["small blind", "big blind"], [1, 0])
    assert f"small blind      EV {value:.3f} big blinds" in cli(["browse", str(kept)]).printed
    assert re.search(r"exploitability \S+ big blinds\n", cli(["show", str(kept)]).printed)
    evolved = cli(["evolve", "push-fold(stack=(7, 12))", "--with", "lp", "--json"]).json
    assert evolved["value"] == pytest.approx(value, abs=1e-9)
    place = cli(["browse", str(kept), "--json"]).json
    assert place["ev"] == pytest.approx([-value, value], abs=1e-9)
    assert place["money"] == "big blinds"
    assert (tmp_path / "chart.png").stat().st_size > 20_000
    cli([*words, "--plot", f"{picture}.pdf"])
    assert (tmp_path / "chart.pdf").read_bytes().startswith(b"%PDF")


def test_the_value_of_a_hand_is_in_the_same_units() -> None:
    root = solve("push-fold(stack=10)").root
    rows = {row["hand"]: row for row in root.table(1)}
    assert rows["3c2d"]["ev"] == pytest.approx(-0.5)  # folds its blind
    assert rows["AsAh"]["action_ev"]["fold"] == pytest.approx(-0.5)
    mean = sum(row["likelihood"] * row["ev"] for row in rows.values())
    assert mean == pytest.approx(root.summary()["ev"][1], abs=1e-12)


def test_other_games_of_one_decision_are_shown_in_chips(cli: CommandLine) -> None:
    told = cli(["solve", "von-neumann(cards=20)", "--form", "classes"]).printed
    assert re.search(
        r"^Player +\+0\.\d+ chips a hand \(player 0\) *\nDealer +-0\.\d+ chips a hand \(player 1\)", told, re.M
    )
    assert "in part" not in told  # no chart of numbers


@pytest.mark.parametrize("game", ["push-fold", "push-fold(stack=12.5, ante=0.1)"])
def test_titles_of_a_picture_are_inside_of_it(game: str) -> None:
    picture = figure.drawn(charts_figure(solve(game).strategy))
    picture.canvas.draw()
    for axes in picture.axes[::2]:  # between them are the keys of the colours
        title = next(child for child in axes.get_children() if getattr(child, "get_text", str)().startswith("push"))
        box = title.get_window_extent()
        assert 0 <= box.x0 < box.x1 <= picture.bbox.x1
        assert box.y1 <= picture.bbox.y1
