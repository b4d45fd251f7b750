"""What commands show by default: strategies where they are small, no number that means nothing, tables that fit."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from command_line import CommandLine
from pokerlab.display.elements.figure import drawn
from pokerlab.display.elements.numbers import number_text
from pokerlab.display.elements.table import print_wide_table
from pokerlab.display.papers.paper import write_figures_of
from pokerlab.figure import Figure, Panel
from pokerlab.papers._draw_runs import one_tailed


def test_flop_poker_is_solved_exactly_in_classes_with_its_grids(cli: CommandLine) -> None:
    told = cli(["solve", "flop-poker"]).printed
    assert "classes form" in told
    assert "Player bets" in told
    assert "AKs" in told


def test_von_neumann_shows_where_its_strategies_change(cli: CommandLine) -> None:
    for command in ("solve", "evolve"):
        told = cli([command, "von-neumann(cards=36)", "--with", "lp"], width=80).printed
        assert max(map(len, told.splitlines())) <= 80
        read = {name: float(value) for name, value in re.findall(r"(x1|x2|y0) (0\.\d+)", told)}
        # the continuous game with ante 1 and bet 2: 1/9, 7/9, 5/9; a card is 1/36
        assert read["x1"] == pytest.approx(1 / 9, abs=1 / 36)
        assert read["x2"] == pytest.approx(7 / 9, abs=1 / 36)
        assert read["y0"] == pytest.approx(5 / 9, abs=1 / 36)


def test_one_hand_has_no_p_value_and_nothing_prints_nan() -> None:
    assert np.isnan(one_tailed(np.array([2.0])))
    assert one_tailed(np.array([2.0, 2.0])) == 0
    assert number_text(float("nan"), 3) == "-"


def test_local_best_response_names_no_pot_size_bets_in_limit_games(cli: CommandLine) -> None:
    words = ["measure", "leduc", "always-call", "--local", "--hands", "4", "--workers", "1"]
    assert "bets: the fixed sizes of the game" in cli(words).printed
    assert "bets: none" in cli([*words, "--menu", "none"]).printed


def test_wide_tables_that_must_not_be_cut_fit_80_columns() -> None:
    screen = Console(width=80, file=io.StringIO())
    headings = ["", "printed", "genetic algorithm", "regret matching", "genetic algorithm error", "note"]
    row = ["a row with a long name of its own", "0.1234", "0.1235", "0.1236", "0.0001", "a note that says why it is so"]
    print_wide_table(screen, headings, [row, row], numeric=[False, *[True] * 4, False], cut=False)
    assert isinstance(screen.file, io.StringIO)
    lines = screen.file.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("┏")  # a table, not a list of rows
    together = "".join(lines)
    assert all(word in together for cell in row for word in cell.split())


def test_heat_maps_have_a_key_and_a_csv_file(tmp_path: Path) -> None:
    cells = np.array([[0.25, 1.0], [0.0, np.nan]])
    figure = Figure("map", "", (Panel(title="calls", cells=cells, cell_text=[["AA", "AKs\n100 %"], ["AKo", "KK"]]),))
    axes = drawn(figure).axes
    assert len(axes) == 2
    assert axes[1].get_ylabel() == "how often"
    assert {path.suffix for path in write_figures_of(figure, tmp_path)} == {".csv", ".png", ".svg"}
    with (tmp_path / "map.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["text"], row["value"]) for row in rows] == [("AA", "0.25"), ("AKs", "1.0"), ("AKo", "0.0"), ("KK", "")]
