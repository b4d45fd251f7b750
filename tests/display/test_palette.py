"""The palette: actions and themes can be told apart by readers with every kind of colour blindness."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from rich.color_triplet import ColorTriplet

from pokerlab.display.elements import palette
from pokerlab.display.elements.grid import EQUITY, WEIGHT, Scale

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009:
# severity 1, on linear RGB
SEEN = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: object) -> np.ndarray:
    share = np.array(colour, float) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def lab(colour: object, eyes: str) -> np.ndarray:
    xyz = TO_XYZ @ np.clip(SEEN[eyes] @ linear(colour), 0, 1) / WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eyes", SEEN)
def test_actions_can_be_told_apart(eyes: str) -> None:
    colours = [palette.FOLD, palette.CALL, *palette.BETS]
    for one, other in combinations(colours, 2):
        assert np.linalg.norm(lab(one, eyes) - lab(other, eyes)) > 20  # ten times what the eye just sees


@pytest.mark.parametrize("eyes", SEEN)
def test_values_grow_lighter(eyes: str) -> None:
    scale = Scale(0.0, 1.0, palette.VALUES)
    lightness = [lab(scale.colour(value), eyes)[0] for value in np.linspace(0, 1, 21)]
    assert (np.diff(lightness) > 0.5).all()


@pytest.mark.parametrize("colours", [palette.VALUES, WEIGHT.colours, EQUITY.colours], ids=["values", "reach", "equity"])
def test_numbers_on_the_page_are_legible_on_every_colour(colours: tuple[ColorTriplet, ...]) -> None:
    grid = pytest.importorskip("pokerlab.app.widgets.hand_grid", reason="the page needs NiceGUI", exc_type=ImportError)
    values = np.linspace(0, 1, 169)
    scale = Scale(0.0, 1.0, colours)
    for value, cell in zip(values, grid.number_cells(values, scale), strict=True):
        ground, ink = float(TO_XYZ[1] @ linear(scale.colour(value))), 0.0 if cell[1] == 1 else 1.0
        assert (max(ground, ink) + 0.05) / (min(ground, ink) + 0.05) > 4.5


def test_texts_of_the_page_have_contrast() -> None:
    theme = pytest.importorskip("pokerlab.app.theme", reason="the page needs NiceGUI", exc_type=ImportError)

    def luminance(text: str) -> float:
        return float(TO_XYZ[1] @ linear([int(text[place : place + 2], 16) for place in (1, 3, 5)]))

    def contrast(one: str, other: str) -> float:
        high, low = sorted((luminance(one), luminance(other)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    for colours in (theme.LIGHT, theme.DARK):
        for ground in ("bg", "panel", "raised", "felt"):
            for ink in ("ink", "dim"):
                assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        for ink in ("accent", "bad", "warn"):
            assert contrast(colours[ink], colours["panel"]) >= 4.5, ink
        assert contrast(colours["accent-ink"], colours["accent"]) >= 4.5
