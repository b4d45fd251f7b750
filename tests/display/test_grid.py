"""The grid of starting hands."""

from __future__ import annotations

import io
import re
from itertools import pairwise

import numpy as np
import pytest
from rich.color_triplet import ColorTriplet
from rich.console import Console

from pokerlab.display.elements.grid import EQUITY, Grid, MixGrid, NumberGrid, Scale, fitted
from pokerlab.errors import BadSetting


def console(*, colour: bool, width: int = 100) -> Console:
    system = "truecolor" if colour else None
    return Console(file=io.StringIO(), width=width, force_terminal=colour, color_system=system, legacy_windows=False)


def printed(grid: Grid | MixGrid | NumberGrid, *, colour: bool, width: int = 100) -> list[str]:
    screen = console(colour=colour, width=width)
    screen.print(grid)
    return screen.file.getvalue().splitlines()


def cells(line: str) -> list[bool]:
    """Of each column of a coloured line, whether it has a background."""
    found, filled = [], False
    for part in re.findall(r"\x1b\[[0-9;]*m|.", line):
        if part.startswith("\x1b"):
            filled = "48;2" in part
        else:
            found.append(filled)
    return found


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
    assert "48;2;50;100;25m AA \x1b[0m \x1b" in lines[0]
    assert "48;2;0;0;0mAKs \x1b[0m \x1b" in lines[0]
    assert scale.colour(7) == (100, 200, 50)
    assert scale.colour(-7) == (0, 0, 0)
    assert EQUITY.colour(0.5) == EQUITY.colours[1]


def test_cells_may_hold_any_text() -> None:
    texts = [f"{row * column}" for row in range(13) for column in range(13)]
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


@pytest.mark.parametrize("width", [66, 80, 100, 120, 200])
def test_cells_are_apart_and_fit(width: int) -> None:
    values = np.arange(169.0).reshape(13, 13) - 40.5
    mixed = MixGrid(np.full((13, 13, 2), 0.5), [ColorTriplet(255, 0, 0), ColorTriplet(0, 255, 0)])
    for grid, edge in ((mixed, 0), (NumberGrid(values, Scale(-40, 130)), 2), (Grid(np.ones((13, 13))), 0)):
        lines = [line for line in printed(grid, colour=True, width=width) if "48;2" in line]
        assert len(lines) == 13
        for line in lines:
            filled = cells(line)[edge:]
            assert len(filled) + edge <= width
            size = (len(filled) + 1) // 13
            assert filled == ([True] * (size - 1) + [False]) * 12 + [True] * (size - 1)
            assert size >= 4
    for grid in (mixed, NumberGrid(values, Scale(-40, 130))):
        assert all(len(line) <= max(width, 80) for line in printed(grid, colour=False, width=width))


def test_rows_of_one_colour_are_apart() -> None:
    lines = printed(MixGrid(np.ones((13, 13, 1)), [ColorTriplet(200, 100, 50)]), colour=True)
    for one, two in pairwise(lines):
        assert set(re.findall(r"48;2;[0-9;]+", one)).isdisjoint(re.findall(r"48;2;[0-9;]+", two))


def test_without_colour_digits_tell_the_actions() -> None:
    shares = np.zeros((13, 13, 12))
    shares[0, 0] = np.eye(12)[1]  # always the second
    shares[0, 1, [0, 2]] = 0.3, 0.7
    shares[0, 2, [3, 5]] = 0.91, 0.09
    shares[0, 3, 11] = 1
    grid = MixGrid(shares, [ColorTriplet(0, 0, 0)] * 12)
    line = printed(grid, colour=False, width=80)[0]
    assert [line[place : place + 5].rstrip() for place in range(0, 30, 6)] == ["AA 2", "AKs31", "AQs4", "AJsc", "ATs·"]
    assert "10 %" in grid.key(console(colour=False))
    assert not grid.key(console(colour=True))
    assert grid.mark(console(colour=False), 2) == "3"
    assert grid.mark(console(colour=True), 2).endswith("■[/] 3")


def test_numbers_stand_under_their_ranks() -> None:
    values = np.full((13, 13), np.nan)
    values[0, 1], values[2, 0], values[12, 12] = 12.345, -3.5, 0.0
    lines = printed(NumberGrid(values, Scale(-3.5, 12.3)), colour=False, width=80)
    assert lines[0].split() == list("AKQJT98765432")
    assert lines[1].split() == ["A", "·", "12.3", *"·" * 11]
    assert lines[3].split()[:2] == ["Q", "-3.5"]
    assert lines[13].split()[-1] == "0.0"
    wide = printed(NumberGrid(values, Scale(-3.5, 12.3)), colour=False, width=120)
    assert "AKs 12.3" in wide[1]
    assert "AQo -3.5" in wide[3]
    assert "22   0.0" in wide[13]


@pytest.mark.parametrize("colour", [True, False])
def test_the_scale_is_told(colour: bool) -> None:
    told = NumberGrid(np.zeros((13, 13)), Scale(-10, 90)).legend(console(colour=colour))
    numbers = [float(number) for number in re.findall(r"(?<![\d,(])-?\d+(?:\.\d+)?(?![\d,)])", told)]
    assert (numbers[0], numbers[-1], len(numbers)) == (-10, 90, 5 if colour else 2)
    assert "all 7" in NumberGrid(np.full((13, 13), 7.0), Scale(7, 7)).legend(console(colour=colour))


@pytest.mark.parametrize("size", [0.004, 0.5, 9.99, 99.96, 99999, 1e6, 3e13])
@pytest.mark.parametrize("width", [4, 5, 6])
def test_numbers_fit_their_cells(size: float, width: int) -> None:
    numbers = np.array([size, -size, size / 7, 0.0, np.nan])
    texts = fitted(numbers, width)
    assert max(map(len, texts)) <= max(width, 5)
    assert texts[3] in ("0", "0.0", "0.00")
    assert "-0" not in [text.rstrip(".0") for text in texts]
    assert texts[4] == "·"


def test_rows_are_cut_and_not_broken_where_the_screen_is_narrow() -> None:
    grid = Grid(np.zeros((13, 13)), EQUITY)
    wide = [line for line in printed(grid, colour=False, width=100) if line.strip()]
    narrow = [line for line in printed(grid, colour=False, width=20) if line.strip()]
    assert len(narrow) == len(wide)
    assert all(long.startswith(short.rstrip()) for short, long in zip(narrow, wide, strict=True))
