"""The 13×13 grid of starting hands in a terminal: one coloured cell per class, aces at the top left.

`Grid` colours a number per class by a scale; `NumberGrid` also prints the number; `MixGrid` fills each cell with the
shares of several actions. Without colour (a pipe, a plain terminal), bars from ▁ to █ or digits take its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.color import blend_rgb
from rich.color_triplet import ColorTriplet
from rich.text import Text

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.display.elements.palette import VALUES
from pokerlab.errors import BadSetting

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

_BARS = "▁▂▃▄▅▆▇█"
_EMPTY = ColorTriplet(40, 42, 48)
_BLACK = ColorTriplet(0, 0, 0)
_SHADE = 0.14  # darkens every other row
_GAP = " "
_RANKS = "AKQJT98765432"
_MARKS = "123456789abcdefghijklmnopqrstuvwxyz"  # of actions, without colour
_ALSO = 0.1  # the least share of a second action that is marked


@dataclass(frozen=True)
class Scale:
    """A colour scale between two numbers; numbers outside take the end colours."""

    low: float = 0.0
    high: float = 1.0
    colours: tuple[ColorTriplet, ...] = (_EMPTY, ColorTriplet(196, 140, 40), ColorTriplet(245, 200, 66))

    def share(self, value: float) -> float:
        """The position of a number between low (0) and high (1)."""
        if self.high == self.low:
            return 1.0
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def colour(self, value: float) -> ColorTriplet:
        """The blended colour of a number."""
        place = round(self.share(value) * (len(self.colours) - 1), 9)  # Rich truncates
        index = min(int(place), len(self.colours) - 2)
        return blend_rgb(self.colours[index], self.colours[index + 1], cross_fade=place - index)


WEIGHT = Scale()
EQUITY = Scale(0.3, 0.7, VALUES)
GAIN = Scale(-1.0, 1.0, (ColorTriplet(168, 50, 50), ColorTriplet(70, 72, 80), ColorTriplet(52, 140, 72)))


def _check_shape(values: np.ndarray, *actions: int) -> None:
    if np.shape(values) != (13, 13, *actions):
        raise BadSetting(f"a grid shows an array {[13, 13, *actions]}, not one of shape {np.shape(values)}")


def _lines(cell: Callable[[Text, int], object], *, ranks: int = 0, padded: bool = True) -> Iterator[Text]:
    """13 lines of 13 cells, which `cell` appends; with `ranks`, the width of a cell, ranks beside and above them."""
    if ranks:
        yield Text("  " + _GAP.join(rank.center(ranks) for rank in _RANKS).rstrip(), "dim", no_wrap=True)
    for row in range(13):
        line = Text(no_wrap=True)
        line.append(f"{_RANKS[row]} " if ranks else "", "dim")
        for column in range(13):
            cell(line, 13 * row + column)
            line.append(_GAP if column < 12 else "")
        if not padded:
            line.rstrip()
        yield line


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
    texts: Sequence[str] | None = None  # [169]: in each cell instead of the class
    width: int = 5  # of a cell and the gap after it
    ranks: bool = False  # beside and above the cells

    def __post_init__(self) -> None:
        _check_shape(self.values)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        coloured, width = _has_colour(console), self.width - 1

        def cell(line: Text, number: int) -> None:
            value = float(self.values.flat[number])
            text = CLASS_NAMES[number] if self.texts is None else self.texts[number]
            if coloured:
                background = self.scale.colour(value)
                style = f"{_ink(background, value > self.scale.low)} on {background.rgb}"
                line.append(text.center(width)[:width], style)
                return
            share = self.scale.share(value)
            if self.texts is None:
                text = f"{text:3}{_BARS[min(7, int(share * 8))]}" if share > 0 else "·"
            line.append(text.ljust(width)[:width])

        yield from _lines(cell, ranks=width if self.ranks else 0, padded=coloured)


@dataclass(frozen=True, eq=False)
class NumberGrid:
    """A number per class, printed and coloured; NaN for none. Wide terminals show the classes too."""

    values: np.ndarray  # [13, 13]
    scale: Scale

    def __post_init__(self) -> None:
        _check_shape(self.values)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        named = options.max_width >= 2 + 13 * 9
        width = 8 if named else max(4, min(6, (options.max_width - 2) // 13 - 1))
        flat = self.values.reshape(-1)
        texts = [fitted(flat[i : i + 1], 4)[0] for i in range(169)] if named else fitted(flat, width)

        def cell(line: Text, number: int) -> None:
            text = f"{CLASS_NAMES[number]:3}{texts[number]:>5}" if named else texts[number].rjust(width)
            line.append(text, self._style(float(flat[number])) if _has_colour(console) else "")

        yield from _lines(cell, ranks=width)

    def _style(self, value: float) -> str:
        known = value == value
        background = self.scale.colour(value) if known else _EMPTY
        return f"{_ink(background, known)} on {background.rgb}"

    def legend(self, console: Console, *, stops: int = 5) -> str:
        """The scale as markup: numbers after their colours; without colour only its ends."""
        low, high = self.scale.low, self.scale.high
        if not _has_colour(console) or low == high:
            ends = fitted(np.array([low, high]), 8)
            return f"all {ends[0]}" if low == high else f"from {ends[0]} to {ends[1]}"
        numbers = np.linspace(low, high, stops)
        return "  ".join(
            f"[{self.scale.colour(float(number)).rgb}]■[/] {text}"
            for number, text in zip(numbers, fitted(numbers, 6), strict=True)
        )


def fitted(numbers: np.ndarray, width: int) -> list[str]:
    """Numbers in `width` columns, all with as many decimals as fit; a dot for NaN.

    >>> fitted(np.array([1.25, -33, np.nan]), 5), fitted(np.array([-1250.7, 3e9]), 5)
    (['1.2', '-33.0', '·'], ['-1k', '3G'])
    """
    for digits in (2, 1, 0):
        texts = [_decimal(float(number), digits) if number == number else "·" for number in numbers]
        if all(len(text) <= width - (digits == 2) for text in texts):
            return texts
    return [_thousands(float(number)) if number == number else "·" for number in numbers]


def _decimal(number: float, digits: int) -> str:
    return f"{round(number, digits) + 0.0:.{digits}f}"  # without -0


def _thousands(number: float) -> str:
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= size:
            return f"{number / size:.0f}{letter}"
    return _decimal(number, 0)


@dataclass(frozen=True, eq=False)
class MixGrid:
    """Shares of several actions per class, each cell filled with their colours side by side.

    Without colour, a cell has the number of its most frequent action, from 1, and of the second if it has at least a
    tenth; `mark` is the symbol of an action in a legend.
    """

    shares: np.ndarray  # [13, 13, action]: each cell sums to at most 1
    colours: Sequence[ColorTriplet]  # by action

    def __post_init__(self) -> None:
        _check_shape(self.shares, len(self.colours))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        coloured = _has_colour(console)
        width = max(3, min(8, (options.max_width + 1) // 13 - 1))

        def cell(line: Text, number: int) -> None:
            name, shares = CLASS_NAMES[number], self.shares.reshape(169, -1)[number]
            if coloured:
                self._fill(line, name.center(width), shares, shaded=number // 13 % 2 == 1)
            else:
                line.append(f"{name:3}{_plain_mix(shares)}".ljust(5))

        yield from _lines(cell, padded=coloured)

    def _fill(self, line: Any, text: str, shares: np.ndarray, *, shaded: bool) -> None:
        """Append a cell on the colours of its actions; every other row is shaded to set rows apart."""
        ends = np.cumsum(shares)
        for place, letter in enumerate(text):
            action = int(np.searchsorted(ends, (place + 0.5) / len(text)))
            background = self.colours[action] if action < len(self.colours) else _EMPTY
            ink = _ink(background, action < len(self.colours))
            background = blend_rgb(background, _BLACK, cross_fade=_SHADE) if shaded else background
            line.append(letter, f"{ink} on {background.rgb}")

    def key(self, console: Console) -> str:
        """What the digits in cells mean; empty if there is colour."""
        text = "after each class: its most frequent action, then the next if at least 10 %"
        return "" if _has_colour(console) else text

    def mark(self, console: Console, action: int) -> str:
        """The symbol of an action in a legend, as markup: its colour and its number."""
        number = mark_of(action)
        return f"[{self.colours[action].rgb}]■[/] {number}" if _has_colour(console) else number


def mark_of(action: int) -> str:
    """The symbol of an action: its number, and letters from the tenth on."""
    return _MARKS[action] if action < len(_MARKS) else "+"


def _plain_mix(shares: np.ndarray) -> str:
    """The most frequent action, and the second if it is frequent enough."""
    if not shares.sum() > 0:
        return "·"
    first, *rest = np.argsort(-shares, kind="stable").tolist()
    return mark_of(first) + "".join(mark_of(second) for second in rest[:1] if shares[second] >= _ALSO)


def _has_colour(console: Any) -> bool:
    return bool(console.color_system) and not console.no_color


def _ink(background: ColorTriplet, lit: bool) -> str:
    if not lit:
        return "rgb(110,112,120)"
    brightness = 0.299 * background[0] + 0.587 * background[1] + 0.114 * background[2]
    return "black" if brightness > 120 else "white"
