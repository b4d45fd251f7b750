"""Buckets: the result of bucketing, the contents of a file, the bucket of a hand, and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape
from rich.table import Table

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.display.elements.numbers import bar, bin_text, counted, duration
from pokerlab.display.elements.table import plain_table
from pokerlab.figure import Figure, Line, Panel
from pokerlab.tree.forecast import bytes_text

if TYPE_CHECKING:
    from pokerlab.abstraction.forecast import Forecast
    from pokerlab.abstraction.making import Plan
    from pokerlab.lab.abstraction.bucket_view import HandBucket, RoundView
    from pokerlab.lab.abstraction.bucketing import RoundSummary

BAR = 24  # characters
MOST_RANKS = 20  # of a deck printed in full


def forecast_text(expected: Forecast) -> str:
    """Time and memory for bucketing, in one sentence."""
    return f"this takes about {duration(expected.seconds)} and {bytes_text(expected.bytes)} of memory"


def forecast_dict(game: str, plan: Plan, expected: Forecast) -> dict[str, Any]:
    """A forecast, for JSON."""
    return {
        "game": game,
        "methods": list(plan.methods),
        "recall": plan.recall,
        "seed": plan.seed,
        "forecast": {"seconds": expected.seconds, "bytes": expected.bytes},
    }


def show_forecast(screen: Any, game: str, plan: Plan, expected: Forecast) -> None:
    """The plan, and its time and memory."""
    screen.print(f"[bold]{escape(game)}[/bold] by {escape(', '.join(plan.methods))}")
    screen.print(f"about {duration(expected.seconds)} and {bytes_text(expected.bytes)} of memory")


def round_text(one: RoundSummary) -> str:
    """A finished round in one line."""
    took = "" if one.seconds is None else f", {duration(one.seconds)}"
    return f"{one.name}: {counted(one.hands, 'hand')} in {counted(one.buckets, 'bucket')} by {one.method}{took}"


def show_made(screen: Any, game: str, result: Mapping[str, Any]) -> None:
    """The result, round by round."""
    screen.print(f"\n[bold]{escape(game)}[/bold], {result['recall']} recall, seed {result['seed']}\n")
    screen.print(_round_table(result["rounds"], timed=True))
    if result["resumed"]:
        screen.print(f"[dim]resumed: {', '.join(result['resumed'])}[/dim]")
    if result["out"]:
        screen.print(f"\nsaved in {escape(result['out'])}, {bytes_text(result['bytes'])}", soft_wrap=True)


def _round_table(rounds: Sequence[Mapping[str, Any]], *, timed: bool = False) -> Table:
    headings = ["round", "method", "hands", "buckets", "distortion", "smallest", "largest", *["seconds"] * timed]
    formats = {"hands": ",", "buckets": ",", "distortion": ".3g", "smallest": ",", "largest": ",", "seconds": ".1f"}
    rows = [
        (
            one["name"],
            escape(one["method"]),
            *("" if one[name] is None else f"{one[name]:{formats[name]}}" for name in headings[2:]),
        )
        for one in rounds
    ]
    return plain_table(headings, rows, left=2, column={"no_wrap": True}, padding=(0, 1, 0, 0))


def show_file(screen: Any, summary: Mapping[str, Any]) -> None:
    """The contents of a bucket file."""
    lean = ", rules without tables" if summary["lean"] else ""
    screen.print(f"\n[bold]{escape(str(summary['file']))}[/bold], {bytes_text(summary['bytes'])}{lean}", soft_wrap=True)
    held = "one card" if summary["private"] == 1 else f"{summary['private']} cards"
    boards = ", ".join(map(str, summary["boards"]))
    order = "remembered" if summary["ordered"] else "forgotten"
    screen.print(f"a hand is {held} of {escape(_deck_text(summary['deck']))}; boards of {boards}, their order {order}")
    screen.print(
        f"{summary['recall']} recall, seed {summary['seed']}, fingerprint {escape(summary['fingerprint'])}\n",
        soft_wrap=True,
    )
    screen.print(_round_table(summary["rounds"]))


def _deck_text(deck: str) -> str:
    return deck if len(deck) <= 2 * MOST_RANKS else f"{deck[:6]}...{deck[-6:]}"


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
        lines.append(f"  holds {hands} up to suit isomorphism, {100 * place.share:.3g} % of all deals")
    if place.here:
        more = place.here_count - len(place.here)
        also = f" and {more:,} more" if more else ""
        lines.append(f"  {'here' if place.board else 'also'} with {' '.join(place.here)}{also}")
    if place.elsewhere:
        lines.append("  elsewhere with " + ", ".join(f"{hand} on {board}" for hand, board in place.elsewhere))
    if place.neighbours:
        nearest = ", ".join(f"{bucket} ({distance:.3g})" for bucket, distance in place.neighbours)
        lines.append(f"  nearest buckets (distance): {nearest}")
    mean = ""
    if place.bucket_strength is not None:
        sample = f" (of {place.sampled} sampled hands)" if place.sampled else ""
        mean = f", of its bucket {place.bucket_strength:.4f}{sample}"
    return [*lines, f"  E[HS] of the hand {place.strength:.4f}{mean}"]


def _show_histogram(screen: Any, place: HandBucket) -> None:
    """The histograms of a hand and of its bucket."""
    own, whole = place.histogram, place.bucket_histogram
    bars = own if whole is None else whole
    tallest, bins = max(float(bars.max()), 1e-12), len(bars)
    screen.print(f"  [dim]{'final strength':<16}{'hand':>8}{'bucket':>9}[/dim]")
    for i in range(bins):
        shared = "" if whole is None else f"{100 * whole[i]:.1f} %"
        drawn = bar(float(bars[i]) / tallest, BAR)
        line = f"  {bin_text(i, bins):<16}{100 * own[i]:>6.1f} %{shared:>9}"
        screen.print(f"{line}  [green]{drawn}[/green]" if drawn else line)


def hand_figure(hand: str, places: Sequence[HandBucket]) -> Figure:
    """Histograms of a hand and of its buckets, a panel per round."""
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
    return Figure("hand-buckets", "Final strength of a hand and of its bucket", tuple(panels))


def round_figure(view: RoundView) -> Figure:
    """The buckets of a round: the grid of starting hands, or sizes and strengths."""
    if view.grid is not None:
        return Figure("buckets", "Starting hands by bucket", (_grid_panel(view),))
    title = f"{view.name}: {len(view.buckets):,} buckets by {view.method}"
    if view.sampled is not None:
        title += f" ({view.sampled:,} sampled boards)"
    ranks = np.arange(len(view.buckets))
    return Figure(
        "buckets",
        "Buckets from weak to strong",
        (
            Panel((Line(ranks, 100 * view.share, style="bars"),), title, "", "% of deals"),
            Panel((Line(ranks, view.strength, style="points"),), "", "bucket, from weak to strong", "mean E[HS]"),
        ),
    )


def _grid_panel(view: RoundView) -> Panel:
    """Cells coloured by the rank of their bucket from weak to strong."""
    assert view.grid is not None
    ranks = {int(bucket): rank for rank, bucket in enumerate(view.buckets)}
    most = max(1, len(ranks) - 1)
    cells = np.array([[ranks[int(bucket)] / most for bucket in row] for row in view.grid])
    texts = [f"{name}\n{bucket}" for name, bucket in zip(CLASS_NAMES, view.grid.flat, strict=True)]
    title = f"{view.name}: {len(ranks):,} buckets by {view.method}"
    names = np.reshape(texts, (13, 13)).tolist()
    return Panel(title=title, cells=cells, cell_text=names, cell_label="rank of the bucket, from weak to strong")
