"""Ranges in the formats of other programs. Reading needs no format name: cards/range_text.py understands all of these.

  pio       AA,AKs:0.25,AhKh:0.3: classes and hands, with a weight from 0 to 1 after a colon; also GTO Wizard
  gto+      AA,[25]AKs[/25],[30]AhKh[/30]: blocks with one weight in percent; also Flopzilla
  equilab   100: AA, 25: AKs: a weight in percent before its entries, if there are any weights; spans best first
  vector    0 0.5 1 ...: 1,326 weights in the order of Pio's show_hand_order, 2d2c 2h2c 2h2d 2s2c ..., which is ours

The output reads back to exactly the same weights. Every hand appears once, since not all programs let a later entry
override an earlier one, and suited and offsuit classes are always written separately.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS, CLASS_NAMES, combo_name
from pokerlab.cards.range_writing import OFFSUIT, PAIRS, SUITED, Line, ranks_text, runs
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadSetting
from pokerlab.registry import nearest


def write_range(held: Range, program: str) -> str:
    """The text of a range in a program's format.

    >>> write_range(Range.parse("QQ+,AKs:0.5,KdQh:0.3"), "pio")
    'AA,AKs:0.5,KK,QQ,KdQh:0.3'
    >>> write_range(Range.parse("QQ+,AKs:0.5,KdQh:0.3"), "gto+")
    'QQ+,[50]AKs[/50],[30]KdQh[/30]'
    >>> write_range(Range.parse("QQ+,AKs:0.5,KdQh:0.3"), "equilab")
    '100: QQ+, 50: AKs, 30: KdQh'
    """
    name = program.strip().lower()
    if name not in PROGRAMS:
        raise BadSetting(f"cannot write ranges for {program[:40]!r}; {nearest(program[:40], list(PROGRAMS))}")
    return PROGRAMS[name](held.weights)


def _pio(weights: np.ndarray) -> str:
    common, hands = _parted(weights)
    if not common and not hands:
        return f"{CLASS_NAMES[0]}:0"
    classes = [(CLASS_NAMES[number], weight) for number, weight in sorted(common.items())]
    return ",".join(name + ("" if weight == 1 else f":{weight!r}") for name, weight in (*classes, *hands))


def _gto_plus(weights: np.ndarray) -> str:
    blocks = _by_weight(weights, ascending=True)
    return ",".join(
        ",".join(entries) if weight == 1 else f"[{percent_text(weight)}]{','.join(entries)}[/{percent_text(weight)}]"
        for weight, entries in blocks.items()
    )


def _equilab(weights: np.ndarray) -> str:
    blocks = _by_weight(weights, ascending=False)
    if list(blocks) == [1.0]:
        return ", ".join(blocks[1.0])
    return ", ".join(f"{percent_text(weight)}: {', '.join(entries)}" for weight, entries in blocks.items())


def _vector(weights: np.ndarray) -> str:
    return " ".join(str(int(weight)) if weight in (0, 1) else repr(float(weight)) for weight in weights)


PROGRAMS: dict[str, Callable[[np.ndarray], str]] = {
    "pio": _pio,
    "gto+": _gto_plus,
    "equilab": _equilab,
    "vector": _vector,
}


def percent_text(weight: float) -> str:
    """A weight in percent with all its digits.

    >>> percent_text(0.07), percent_text(0.5), percent_text(1 / 3)
    ('7', '50', '33.33333333333333')
    """
    return f"{Decimal(repr(weight)).scaleb(2).normalize():f}"


def _parted(weights: np.ndarray) -> tuple[dict[int, float], list[tuple[str, float]]]:
    """Classes whose hands all have the same positive weight, and the single hands of other classes."""
    common: dict[int, float] = {}
    hands: list[tuple[str, float]] = []
    for number, combos in enumerate(CLASS_COMBOS):
        values = weights[combos]
        if (values == values[0]).all():
            if values[0] > 0:
                common[number] = float(values[0])
        else:
            hands += [(combo_name(int(combo)), float(weights[combo])) for combo in combos[::-1] if weights[combo] > 0]
    return common, hands


def _by_weight(weights: np.ndarray, *, ascending: bool) -> dict[float, list[str]]:
    """Entries by weight, the heaviest first, with spans of classes in ascending or descending order."""
    common, hands = _parted(weights)
    lines: list[tuple[Line, str]] = [(PAIRS, ""), *((line, "s") for line in SUITED), *((line, "o") for line in OFFSUIT)]
    entries: dict[float, list[str]] = {}
    for line, kind in lines:
        for weight, best, worst, is_first in runs(line, common):
            top, low = ranks_text(best) + kind, ranks_text(worst) + kind
            span = f"{low}-{top}" if ascending else f"{top}-{low}"
            entries.setdefault(weight, []).append(low if best == worst else f"{low}+" if is_first else span)
    for name, weight in hands:
        entries.setdefault(weight, []).append(name)
    return dict(sorted(entries.items(), reverse=True)) or {0.0: [CLASS_NAMES[0]]}
