"""The grid of starting hands."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.color_triplet import ColorTriplet
from rich.console import Console

from pokerlab.errors import BadSetting
from pokerlab.report.grid import EQUITY, Grid, MixGrid, Scale


def printed(grid: Grid | MixGrid, *, colour: bool) -> list[str]:
    file = io.StringIO()
    system = "truecolor" if colour else None
    Console(file=file, width=100, force_terminal=colour, color_system=system, legacy_windows=False).print(grid)
    return file.getvalue().splitlines()


def test_plain_grid_names_what_is_held() -> None:
    values = np.zeros((13, 13))
    values[0, 1] = 1
    values[1, 0] = 0.01
    lines = printed(Grid(values), colour=False)
    assert len(lines) == 13
    assert lines[0].split() == ["·", "AKs█"] + ["·"] * 11
    assert lines[1].split()[0] == "AKo▁"


def test_colour_follows_the_scale() -> None:
    values = np.zeros((13, 13))
    values[0, 0] = 0.5
    scale = Scale(0, 1, (ColorTriplet(0, 0, 0), ColorTriplet(100, 200, 50)))
    lines = printed(Grid(values, scale=scale), colour=True)
    assert "48;2;50;100;25m  AA " in lines[0]
    assert "48;2;0;0;0m AKs " in lines[0]
    assert scale.colour(7) == (100, 200, 50)
    assert scale.colour(-7) == (0, 0, 0)
    assert EQUITY.colour(0.5) == EQUITY.colours[1]


def test_cells_may_hold_any_text() -> None:
    texts = [[f"{row * column}" for column in range(13)] for row in range(13)]
    lines = printed(Grid(np.ones((13, 13)), texts=texts), colour=False)
    assert lines[12].split()[-1] == "144"


def test_mixed_cells_show_each_share() -> None:
    shares = np.zeros((13, 13, 2))
    shares[0, 0] = 0.5, 0.5
    line = printed(MixGrid(shares, [ColorTriplet(255, 0, 0), ColorTriplet(0, 255, 0)]), colour=True)[0]
    first_cell = line.split("K")[0]
    assert first_cell.count("48;2;255;0;0m") == first_cell.count("48;2;0;255;0m") > 0


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(BadSetting, match="13"):
        Grid(np.zeros((12, 13)))
    with pytest.raises(BadSetting, match="13"):
        MixGrid(np.zeros((13, 13, 3)), [(0, 0, 0)])
