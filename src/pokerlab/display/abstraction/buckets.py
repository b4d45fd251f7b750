"""Buckets as people read them: what was made, what a file holds, a hand's bucket, and pictures of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape
from rich.table import Table

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.display.elements.numbers import bar, counted, duration
from pokerlab.figure import Figure, Line, Panel
from pokerlab.tree.forecast import bytes_text

if TYPE_CHECKING:
    from pokerlab.abstraction.forecast import Forecast
    from pokerlab.abstraction.making import Plan
    from pokerlab.lab.bucket_view import HandBucket, RoundView
    from pokerlab.lab.bucketing import MadeRound

BAR = 24  # characters
MOST_RANKS = 20  # of a deck that is told in full


def show_methods(screen: Any, methods: Sequence[Mapping[str, str]]) -> None:
    """Ways of bucketing, a line each."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for one in methods:
        table.add_row(f"[bold]{escape(one['name'])}[/bold]", escape(one["summary"]))
    screen.print(table)


# ---- making ----------------------------------------------------------------------------------------------------------


def forecast_text(expected: Forecast) -> str:
    """What buckets will take, in one sentence."""
    return f"this takes about {duration(expected.seconds)} and {bytes_text(expected.bytes)} of memory"


def forecast_dict(game: str, plan: Plan, expected: Forecast) -> dict[str, Any]:
    """The same for JSON."""
    return {
        "game": game,
        "methods": list(plan.methods),
        "recall": plan.recall,
        "seed": plan.seed,
        "forecast": {"seconds": expected.seconds, "bytes": expected.bytes},
    }


def show_forecast(screen: Any, found: Mapping[str, Any]) -> None:
    """What buckets would be made, and what that would take."""
    seconds, size = found["forecast"]["seconds"], found["forecast"]["bytes"]
    screen.print(f"[bold]{escape(found['game'])}[/bold] by {escape(', '.join(found['methods']))}")
    screen.print(f"about {duration(seconds)} and {bytes_text(size)} of memory")


def round_text(one: MadeRound) -> str:
    """A finished round in one line."""
    took = "" if one.seconds is None else f", {duration(one.seconds)}"
    return f"{one.name}: {counted(one.hands, 'hand')} in {counted(one.buckets, 'bucket')} by {one.method}{took}"


def show_made(screen: Any, game: str, result: Mapping[str, Any]) -> None:
    """What was made, round by round."""
    screen.print(f"\n[bold]{escape(game)}[/bold], {result['recall']} recall, seed {result['seed']}\n")
    screen.print(_round_table(result["rounds"], timed=True))
    if result["resumed"]:
        screen.print(f"[dim]done before: {', '.join(result['resumed'])}[/dim]")
    if result["out"]:
        screen.print(f"\nkept in {escape(result['out'])}, {bytes_text(result['bytes'])}", soft_wrap=True)


def _round_table(rounds: Sequence[Mapping[str, Any]], *, timed: bool = False) -> Table:
    headings = ["round", "method", "hands", "buckets", "distortion", "smallest", "largest", *["seconds"] * timed]
    table = Table(*headings, box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for column in table.columns[2:]:
        column.justify, column.no_wrap = "right", True
    for one in rounds:
        numbers = [_count(one["hands"]), _count(one["buckets"]), _number(one["distortion"])]
        numbers += [_count(one["smallest"]), _count(one["largest"])]
        seconds = [] if not timed else ["" if one["seconds"] is None else f"{one['seconds']:.1f}"]
        table.add_row(one["name"], escape(one["method"]), *numbers, *seconds)
    return table


def _count(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


# ---- a file ----------------------------------------------------------------------------------------------------------


def show_file(screen: Any, found: Mapping[str, Any]) -> None:
    """What a file of buckets holds."""
    lean = ", rules without tables" if found["lean"] else ""
    screen.print(f"\n[bold]{escape(str(found['file']))}[/bold], {bytes_text(found['bytes'])}{lean}", soft_wrap=True)
    held = "one card" if found["private"] == 1 else f"{found['private']} cards"
    boards = ", ".join(map(str, found["boards"]))
    order = "kept" if found["ordered"] else "forgotten"
    screen.print(f"a hand is {held} of {escape(_deck_text(found['deck']))}; boards of {boards}, their order {order}")
    screen.print(
        f"{found['recall']} recall, seed {found['seed']}, fingerprint {escape(found['fingerprint'])}\n", soft_wrap=True
    )
    screen.print(_round_table(found["rounds"]))


def _deck_text(deck: str) -> str:
    return deck if len(deck) <= 2 * MOST_RANKS else f"{deck[:6]}...{deck[-6:]}"


# ---- a hand ----------------------------------------------------------------------------------------------------------


def show_hand(screen: Any, hand: str, places: Sequence[HandBucket]) -> None:
    """The bucket of a hand in each round."""
    for place in places:
        where = f" on {place.board}" if place.board else ""
        screen.print(
            f"\n[bold]{escape(place.name)}[/bold]: {escape(hand + where)} is in bucket {place.bucket:,}", end=""
        )
        screen.print(f" of {place.buckets:,}")
        for line in _hand_lines(place):
            screen.print(escape(line), soft_wrap=True)
        _show_histogram(screen, place)


def _hand_lines(place: HandBucket) -> list[str]:
    lines = []
    if place.hands is not None and place.share is not None:
        hands = counted(place.hands, "hand")
        lines.append(f"  holds {hands} up to names of suits, {100 * place.share:.3g} % of those dealt")
    if place.here:
        more = place.here_count - len(place.here)
        also = f" and {more:,} more" if more else ""
        lines.append(f"  {'here' if place.board else 'also'} with {' '.join(place.here)}{also}")
    if place.elsewhere:
        lines.append("  elsewhere with " + ", ".join(f"{hand} on {board}" for hand, board in place.elsewhere))
    if place.neighbours:
        told = ", ".join(f"{bucket} ({distance:.3g})" for bucket, distance in place.neighbours)
        lines.append(f"  nearest buckets, and how far: {told}")
    mean = ""
    if place.bucket_strength is not None:
        sample = f" (of {place.sampled} hands drawn)" if place.sampled else ""
        mean = f", of its bucket {place.bucket_strength:.4f}{sample}"
    return [*lines, f"  E[HS] of the hand {place.strength:.4f}{mean}"]


def _show_histogram(screen: Any, place: HandBucket) -> None:
    """Bars of the bucket, with the hand's own shares beside them."""
    own, whole = place.histogram, place.bucket_histogram
    bars = own if whole is None else whole
    tallest, bins = max(float(bars.max()), 1e-12), len(bars)
    screen.print(f"  [dim]{'final strength':<16}{'hand':>8}{'bucket':>9}[/dim]")
    for i in range(bins):
        label = f"{100 * i / bins:3.0f}–{100 * (i + 1) / bins:.0f} %"
        shared = "" if whole is None else f"{100 * whole[i]:.1f} %"
        drawn = bar(float(bars[i]) / tallest, BAR)
        line = f"  {label:<16}{100 * own[i]:>6.1f} %{shared:>9}"
        screen.print(f"{line}  [green]{drawn}[/green]" if drawn else line)


# ---- pictures --------------------------------------------------------------------------------------------------------


def hand_figure(hand: str, places: Sequence[HandBucket]) -> Figure:
    """Histograms of a hand and of its buckets, a panel a round."""
    panels = []
    for place in places:
        bins = len(place.histogram)
        middles = (np.arange(bins) + 0.5) / bins
        lines = [Line(middles, place.histogram, label=hand, style="steps")]
        if place.bucket_histogram is not None:
            lines.append(Line(middles, place.bucket_histogram, label=f"bucket {place.bucket:,}", style="steps"))
        where = f" on {place.board}" if place.board else ""
        panels.append(
            Panel(tuple(lines), f"{place.name}: {hand}{where}", "share of hands beaten at the end", "how often")
        )
    return Figure("hand-buckets", "How strong a hand ends, and how strong its bucket does", tuple(panels))


def round_figure(view: RoundView) -> Figure:
    """The buckets of a round: the grid of starting hands, or sizes and strengths."""
    if view.grid is not None:
        return Figure("buckets", "Starting hands by bucket", (_grid_panel(view),))
    title = f"{view.name}: {len(view.buckets):,} buckets by {view.method}"
    if view.sampled is not None:
        title += f" ({view.sampled:,} boards drawn)"
    places = np.arange(len(view.buckets))
    return Figure(
        "buckets",
        "Buckets from weak to strong",
        (
            Panel((Line(places, 100 * view.share, style="bars"),), title, "", "% of hands dealt"),
            Panel((Line(places, view.strength, style="points"),), "", "bucket, from weak to strong", "mean E[HS]"),
        ),
    )


def _grid_panel(view: RoundView) -> Panel:
    """Cells coloured by the place of their bucket from weak to strong."""
    assert view.grid is not None
    places = {int(bucket): place for place, bucket in enumerate(view.buckets)}
    most = max(1, len(places) - 1)
    cells = np.array([[places[int(bucket)] / most for bucket in row] for row in view.grid])
    text = [[f"{CLASS_NAMES[13 * row + i]}\n{view.grid[row, i]}" for i in range(13)] for row in range(13)]
    return Panel(title=f"{view.name}: {len(places):,} buckets by {view.method}", cells=cells, cell_text=text)
