"""The 13×13 grid of starting hands in a terminal: one coloured cell a class, aces at the top left.

`Grid` colours a number per class by a scale; `MixGrid` fills each cell with the shares of several actions. Without
colour (a pipe, a plain terminal) a bar behind each name, from ▁ to █, says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.color import blend_rgb
from rich.color_triplet import ColorTriplet

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.errors import BadSetting

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

_BARS = "▁▂▃▄▅▆▇█"
_EMPTY = ColorTriplet(40, 42, 48)
_GAP = " "


@dataclass(frozen=True)
class Scale:
    """Colours along a line of numbers, blended between; numbers outside take the end colours."""

    low: float = 0.0
    high: float = 1.0
    colours: tuple[ColorTriplet, ...] = (_EMPTY, ColorTriplet(196, 140, 40), ColorTriplet(245, 200, 66))

    def share(self, value: float) -> float:
        """Where a number stands between low (0) and high (1)."""
        if self.high == self.low:
            return 1.0
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def colour(self, value: float) -> ColorTriplet:
        """The blended colour of a number."""
        place = round(self.share(value) * (len(self.colours) - 1), 9)  # Rich cuts off what is beyond the point
        index = min(int(place), len(self.colours) - 2)
        return blend_rgb(self.colours[index], self.colours[index + 1], cross_fade=place - index)


WEIGHT = Scale()
EQUITY = Scale(0.3, 0.7, (ColorTriplet(168, 50, 50), ColorTriplet(196, 140, 40), ColorTriplet(52, 140, 72)))
GAIN = Scale(-1.0, 1.0, (ColorTriplet(168, 50, 50), ColorTriplet(70, 72, 80), ColorTriplet(52, 140, 72)))


@dataclass(frozen=True, eq=False)
class Grid:
    """A number per class as colour; print it with a rich console.

    >>> import numpy as np
    >>> from rich.console import Console
    >>> values = np.zeros((13, 13))
    >>> values[0, 0], values[0, 1] = 1, 0.5
    >>> Console(width=80, no_color=True).print(Grid(values))  # doctest: +ELLIPSIS
    AA █ AKs▅ ·    ·  ...
    """

    values: np.ndarray  # [13, 13]
    scale: Scale = WEIGHT
    texts: Sequence[Sequence[str]] | None = None  # [13][13]: what stands in each cell instead of its name
    width: int = 5

    def __post_init__(self) -> None:
        if np.shape(self.values) != (13, 13):
            raise BadSetting(f"a grid shows an array [13, 13], not one of {np.shape(self.values)}")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        coloured = _has_colour(console)
        for row in range(13):
            line = Text(no_wrap=True)
            for column in range(13):
                value = float(self.values[row, column])
                if coloured:
                    background = self.scale.colour(value)
                    style = f"{_ink(background, value > self.scale.low)} on {background.rgb}"
                    line.append(self._name(row, column).center(self.width)[: self.width], style)
                else:
                    line.append(self._plain(row, column, value))
            if not coloured:
                line.rstrip()
            yield line

    def _name(self, row: int, column: int) -> str:
        return self.texts[row][column] if self.texts is not None else CLASS_NAMES[13 * row + column]

    def _plain(self, row: int, column: int, value: float) -> str:
        name = self._name(row, column)
        if self.texts is not None:
            return name.ljust(self.width)[: self.width]
        share = self.scale.share(value)
        mark = f"{name:3}{_BARS[min(7, int(share * 8))]}" if share > 0 else "·"
        return mark.ljust(self.width)


@dataclass(frozen=True, eq=False)
class MixGrid:
    """Shares of several actions per class, each cell filled with their colours side by side.

    Without colour a cell has the number of its most frequent action, counted from 1; `mark` gives what stands for an
    action in a legend.
    """

    shares: np.ndarray  # [13, 13, action]: each cell sums to at most 1
    colours: Sequence[ColorTriplet]  # by action
    width: int = 6

    def __post_init__(self) -> None:
        if np.shape(self.shares) != (13, 13, len(self.colours)):
            raise BadSetting(
                f"a grid of {len(self.colours)} actions shows an array [13, 13, {len(self.colours)}], "
                f"not one of {np.shape(self.shares)}"
            )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        coloured = _has_colour(console)
        for row in range(13):
            line = Text(no_wrap=True)
            for column in range(13):
                ends = np.cumsum(self.shares[row, column])
                name = CLASS_NAMES[13 * row + column]
                if not coloured:
                    main = int(np.argmax(self.shares[row, column]))
                    line.append(f"{name:3}{main + 1 if ends[-1] > 0 else '·'}" + _GAP)
                    continue
                for place, letter in enumerate(name.center(self.width)):
                    action = int(np.searchsorted(ends, (place + 0.5) / self.width))
                    background = self.colours[action] if action < len(self.colours) else _EMPTY
                    line.append(letter, f"{_ink(background, action < len(self.colours))} on {background.rgb}")
            if not coloured:
                line.rstrip()
            yield line

    def mark(self, console: Console, action: int) -> str:
        """What stands for an action in a legend, as markup: its colour, or its number."""
        return f"[{self.colours[action].rgb}]■[/]" if _has_colour(console) else str(action + 1)


def _has_colour(console: Any) -> bool:
    return bool(console.color_system) and not console.no_color


def _ink(background: ColorTriplet, lit: bool) -> str:
    if not lit:
        return "rgb(110,112,120)"
    brightness = 0.299 * background[0] + 0.587 * background[1] + 0.114 * background[2]
    return "black" if brightness > 120 else "white"
