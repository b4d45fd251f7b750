"""How results look in a notebook: `html(result)` and `plot(result)`, a function for each kind of result.

Results find this module by its name (shown.py). Long tables are cut, with word of what has the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from itertools import islice
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.ranges import Range
from pokerlab.display.analyse.exploitation import exploitation_html, trade_off_figure
from pokerlab.display.browse.node_grids import action_colours, action_rows, chips, has_grid, percent, strategy_grid
from pokerlab.display.elements import html as pieces
from pokerlab.display.elements.figure import drawn, letters
from pokerlab.display.elements.html import Colour, Share
from pokerlab.display.elements.numbers import counted, game_title, gap_text, reach_text, value_text
from pokerlab.display.elements.picture import Picture
from pokerlab.display.play.match import interval_text, match_figure
from pokerlab.display.solve.convergence import convergence_figure
from pokerlab.errors import IllegalAction
from pokerlab.figure import Figure, Panel
from pokerlab.lab.analyse.exploiting import Exploitation
from pokerlab.lab.analyse.responding import Response
from pokerlab.lab.solve.comparing import Comparison
from pokerlab.match.run.result import MatchResult
from pokerlab.match.run.tournament import Tournament
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.forms.sequence import Strategy
from pokerlab.strategy.policy import StrategyLine
from pokerlab.strategy.views.place import ShownPlace

MOST_ROWS = 24  # of a table in a notebook
MOST_BARS = 40  # of a picture
WEIGHT: Colour = (214, 156, 48)  # of hands in a range
PALETTE: tuple[Colour, ...] = ((70, 110, 170), (72, 150, 96), (226, 150, 84), (150, 30, 40), (122, 79, 163))


@singledispatch
def html(result: Any) -> str:
    """A result as HTML that needs no other file."""
    return pieces.note(repr(result))


@singledispatch
def plot(result: Any, **options: Any) -> Picture:
    """A result as a picture."""
    raise TypeError(f"there is no picture of a {type(result).__name__}")


# ---- ranges ----------------------------------------------------------------------------------------------------------


@html.register
def _(held: Range) -> str:
    words = held.text()
    cut = words if len(words) <= 300 else words[:300] + " ..."
    count = f"{held.count:.4f}".rstrip("0").rstrip(".")
    return pieces.block(
        pieces.grid(held.grid()[:, :, None], [WEIGHT]),
        pieces.title(f"{count} hands", more=f"{100 * held.fraction:.2f} % of 1,326"),
        pieces.note(cut),
    )


@plot.register
def _(held: Range, *, title: str = "") -> Picture:
    return drawn(Figure("range", "", (Panel(cells=held.grid(), cell_text=_class_names(), title=title),)))


def _class_names() -> list[list[str]]:
    return [list(CLASS_NAMES[13 * row : 13 * row + 13]) for row in range(13)]


# ---- solutions and strategies ----------------------------------------------------------------------------------------


@html.register
def _(solution: Solution) -> str:
    rows = [("algorithm", f"{solution.algorithm_text}, {solution.form} form"), *_values(solution)]
    gap = gap_text(solution.exploitability)
    if solution.measure.is_known:
        gap += f" (NashConv {gap_text(solution.nash_conv)})"
    if solution.spot is not None:
        gap = f"{solution.exploitability_percent:.3g} % of the pot"
    rows += [("exploitability", gap), ("iterations", f"{solution.iterations:,} in {solution.seconds:.2f} s")]
    title = pieces.title(game_title(solution.game), more=f"{len(solution.strategy):,} infosets")
    parts: list[str] = [title, pieces.facts(rows)]
    strategy = solution.strategy
    has_shares = not isinstance(strategy, Mapping) and (
        solution.root.has_hand_classes or _shares(solution.root) is not None
    )
    parts.append(html(solution.root) if has_shares else _lines_html(strategy.lines(), len(strategy)))
    return pieces.block(*parts)


def _values(solution: Solution) -> list[tuple[str, str]]:
    if solution.spot is not None:
        seats = zip(solution.root.seats, solution.values, strict=True)
        return [("EV", ", ".join(f"{value:.3f} {seat}" for seat, value in seats))]
    if not solution.measure.is_known:
        return []
    if solution.bounds is None:
        return [("values", ", ".join(map(value_text, solution.values)))]
    low, high = solution.bounds
    return [
        ("value", f"{value_text(solution.value)} to player 0; the game's is {value_text(low)} to {value_text(high)}")
    ]


@plot.register
def _(solution: Solution, *, axis: str = "seconds") -> Picture:
    name = solution.algorithm_text
    return drawn(convergence_figure({name: solution}, title=f"{game_title(solution.game)}: {name}", axis=axis))


@html.register
def _(strategy: Strategy) -> str:
    title = pieces.title(game_title(strategy.game), more=f"{len(strategy):,} infosets of {strategy.players} players")
    return pieces.block(title, _lines_html(strategy.lines(), len(strategy)))


@plot.register
def _(strategy: Strategy, *, player: int | None = None) -> Picture:
    lines = (line for line in strategy.lines() if player is None or line.player == player)
    return _bars(((line.infoset, line.actions) for line in lines), title=game_title(strategy.game))


@html.register
def _(response: Response) -> str:
    facts = [
        ("best response of", f"player {response.player}"),
        ("wins", value_text(response.value)),
        ("more than before", f"{response.gain:.6g}"),
    ]
    own = [line for line in response.strategy.lines() if line.player == response.player]
    return pieces.block(pieces.title(game_title(response.game)), pieces.facts(facts), _lines_html(own, len(own)))


@plot.register
def _(response: Response) -> Picture:
    return plot(response.strategy, player=response.player)


def _lines_html(lines: Iterable[StrategyLine], count: int) -> str:
    """The first infosets of a strategy."""
    shown = list(islice(lines, MOST_ROWS))
    most = max((len(line.actions) for line in shown), default=0)
    rows: list[list[pieces.Value]] = []
    for line in shown:
        cells: list[pieces.Value] = [str(line.player), line.infoset or "(start)", reach_text(line.reach)]
        cells += [Share(chance, action) for action, chance in line.actions.items()]
        rows.append(cells + [""] * (most - len(line.actions)))
    heading = ["player", "infoset", "reach", *["strategy", *[""] * most][:most]]
    more = f"{count - len(shown):,} more: to_pandas() has all" if count > len(shown) else ""
    return pieces.table(heading, rows, left=2) + pieces.note(more)


# ---- places ----------------------------------------------------------------------------------------------------------


def _shares(view: Any) -> np.ndarray | None:
    """[13, 13, action] What each class of starting hands does at a place; None where hands are no such classes."""
    if view.player is None:
        return None
    if has_grid(view):
        return strategy_grid(view).shares
    rows = {row["hand"]: row for row in view.table(view.player)}
    if set(rows) != set(CLASS_NAMES):
        return None
    shares = [[rows[name]["strategy"][action] for action in view.actions] for name in CLASS_NAMES]
    return np.array(shares).reshape(13, 13, -1)


def _colours(actions: Sequence[str]) -> list[Colour]:
    """Colours of actions by what they are, or by their order where they are letters."""
    if all(action.split()[0] in ("fold", "check", "call", "push", "bet", "raise", "all-in") for action in actions):
        return [(colour.red, colour.green, colour.blue) for colour in action_colours(actions)]
    return [PALETTE[number % len(PALETTE)] for number in range(len(actions))]


@html.register
def _(view: ShownPlace) -> str:
    place: Any = view
    who = (
        "a card comes"
        if place.is_deal
        else "the hand is over"
        if place.is_over
        else f"{place.seats[place.player]} to act"
    )
    pot = "" if place.pot is None else f"pot {place.pot:g}"
    words = "  ".join(filter(None, (place.board_text, pot, " · ".join(place.moves) or "start")))
    shares = _shares(place)
    parts: list[str] = [pieces.title(who, more=words)]
    if shares is not None:
        colours = _colours(place.actions)
        parts.append(pieces.grid(shares, colours, place.actions))
        parts.append(pieces.legend(place.actions, colours))
    if place.player is not None:
        parts.append(_rows(place) if shares is None else _totals(place))
    return pieces.block(*parts, pieces.note(_worth(place) or place.note))


def _worth(view: Any) -> str:
    """What the players win, from here."""
    values = view.summary()
    if "ev" in values:
        told = [f"{chips(value, 3)} {seat}" for seat, value in zip(view.seats, values["ev"], strict=True)]
        return "EV: " + ", ".join(told)
    shares = values.get("equity", ())
    told = [f"{chips(percent(share), 1)} % {seat}" for seat, share in zip(view.seats, shares, strict=False)]
    return "equity: " + ", ".join(told) if told else ""


def _totals(view: Any) -> str:
    """How often each action is taken, and of hands of two cards its EV and equity."""
    if not has_grid(view):
        return pieces.table(("action", "frequency"), [(name, Share(share)) for name, share in view.strategy().items()])
    rows: list[list[pieces.Value]] = []
    for row in action_rows(view):
        cells: list[pieces.Value] = [row["action"], Share(row["frequency"])]
        cells += [chips(row["ev"])] if "ev" in row else []
        rows.append(cells + ([f"{chips(100 * row['equity'], 1)} %"] if "equity" in row else []))
    known = [heading for name, heading in (("ev", "EV"), ("equity", "equity")) if name in view.grids]
    return pieces.table(("action", "frequency", *known), rows)


def _rows(view: Any) -> str:
    """The rows of the player to act, and how often each action is taken."""
    overall = view.strategy()
    rows: list[list[pieces.Value]] = []
    found = view.table(view.player)
    told = [name for name in ("ev", "bucket") if found and name in found[0]][:1]
    for row in found[:MOST_ROWS]:
        shares = [Share(row["strategy"].get(action)) for action in view.actions]
        numbers: list[pieces.Value] = [chips(row[known], 3) if known == "ev" else str(row[known]) for known in told]
        rows.append([row["hand"] or "(start)", f"{100 * row['likelihood']:.1f} %", *numbers, *shares])
    rows.append(["all", "", *([""] * len(told)), *(Share(overall.get(action)) for action in view.actions)])
    more = f"{len(found) - MOST_ROWS:,} more: to_pandas() has all" if len(found) > MOST_ROWS else ""
    headings = [{"ev": "EV"}.get(name, name) for name in told]
    return pieces.table(("hand", "likely", *headings, *view.actions), rows) + pieces.note(more)


@plot.register
def _(view: ShownPlace) -> Picture:
    place: Any = view
    if place.player is None:
        raise IllegalAction(
            "nobody acts here, so there is no picture: " + ("a card comes" if place.is_deal else "it is over")
        )
    title = f"{place.seats[place.player]}: {' · '.join(place.moves) or 'start'}"
    shares = _shares(place)
    if shares is not None:
        return _grid_picture(shares, place.actions, title=title)
    rows = place.table(place.player)
    return _bars(((row["hand"], row["strategy"]) for row in rows), title=title, actions=place.actions)


def _grid_picture(shares: np.ndarray, actions: Sequence[str], *, title: str) -> Picture:
    """The grid of starting hands, each cell filled from the left by its actions."""
    picture = Picture(figsize=(8, 6.2), layout="constrained")
    axes = picture.add_subplot()
    rows, columns = (place.ravel() for place in np.mgrid[:13, :13])
    left = columns + 0.03
    axes.bar(columns + 0.03, 0.94, 0.94, bottom=rows + 0.03, align="edge", color="#e6e6e6")
    for number, (action, colour) in enumerate(zip(actions, _colours(actions), strict=True)):
        width = 0.94 * shares[:, :, number].ravel()
        rgb = tuple(part / 255 for part in colour)
        axes.bar(left, 0.94, width, bottom=rows + 0.03, align="edge", color=rgb, label=letters(action))
        left = left + width
    for place, name in enumerate(CLASS_NAMES):
        ink = "black" if shares[rows[place], columns[place]].sum() < 0.5 else "white"
        axes.text(columns[place] + 0.5, rows[place] + 0.5, name, ha="center", va="center", fontsize=8, color=ink)
    axes.set(xlim=(0, 13), ylim=(13, 0), aspect="equal", title=letters(title))
    axes.axis("off")
    picture.legend(loc="outside right upper", frameon=False)
    return picture


HATCHES = ("", "///", "...", "xxx", "\\\\\\")


def _bars(rows: Iterable[tuple[str, Any]], *, title: str, actions: Sequence[str] = ()) -> Picture:
    """A bar for each infoset, filled by its actions."""
    found = list(islice(rows, MOST_BARS + 1))
    cut, found = len(found) > MOST_BARS, found[:MOST_BARS]
    named = list(actions or dict.fromkeys(action for _, played in found for action in played))
    picture = Picture(figsize=(7, 1.2 + 0.26 * len(found)), layout="constrained")
    axes = picture.add_subplot()
    places, left = np.arange(len(found)), np.zeros(len(found))
    for number, (action, colour) in enumerate(zip(named, _colours(named), strict=True)):
        hatch = HATCHES[
            (number + number // len(PALETTE)) % len(HATCHES)
        ]  # beside every colour another when these recur
        width = np.array([played.get(action, 0.0) for _, played in found])
        rgb = tuple(part / 255 for part in colour)
        axes.barh(
            places, width, left=left, color=rgb, hatch=hatch, edgecolor="white", linewidth=0.5, label=letters(action)
        )
        left = left + width
    axes.set_yticks(places, [letters(name or "(start)") for name, _ in found])
    axes.set(
        xlim=(0, 1),
        ylim=(len(found) - 0.5, -0.5),
        xlabel="probability",
        title=letters(title + (f", the first {MOST_BARS}" if cut else "")),
    )
    picture.legend(loc="outside right upper", frameon=False)
    return picture


# ---- comparisons and matches -----------------------------------------------------------------------------------------


@html.register
def _(found: Comparison) -> str:
    rows = [
        (
            name,
            gap_text(one.exploitability),
            value_text(one.value, 5),
            f"{one.iterations:,}",
            f"{one.seconds:.2f}",
            f"{one.nodes_touched:,}",
        )
        for name, one in found.ranking
    ]
    table = pieces.table(("algorithm", "exploitability", "value", "iterations", "seconds", "nodes touched"), rows)
    left_out = f"interrupted; not run: {', '.join(found.not_run)}" if found.interrupted else ""
    return pieces.block(pieces.title(game_title(found.game)), table, pieces.note(left_out))


@plot.register
def _(found: Comparison, *, axis: str = "seconds") -> Picture:
    return drawn(convergence_figure(found.solutions, title=game_title(found.game), axis=axis))


html.register(Exploitation)(exploitation_html)


@plot.register
def _(found: Exploitation) -> Picture:
    return drawn(trade_off_figure(found))


@html.register
def _(result: MatchResult) -> str:
    scales = result.units.scales
    rows = []
    for agent, summary, luck in zip(result.agents, result.summaries, result.luck, strict=True):
        won = [interval_text(summary, scale) for scale in scales]
        rows.append((agent, *won, f"{luck:.4f}" if np.isfinite(luck) else "–"))
    deals = f" of {counted(result.deals, 'deal')}" if result.hands != result.deals else ""
    return pieces.block(
        pieces.title(game_title(result.game), more=f"{counted(result.hands, 'hand')}{deals}, {result.seconds:,.1f} s"),
        pieces.table(("agent", *(f"{scale.name}/hand" for scale in scales), "p"), rows),
        pieces.note("± is half of the 95 % interval; p: that the agent does not win in the long run"),
        *(pieces.note(f"{agent}: {count:,} times not allowed: {why}") for agent, why, count in result.faults[:8]),
    )


@plot.register
def _(result: MatchResult) -> Picture:
    return drawn(match_figure(result))


@html.register
def _(result: Tournament) -> str:
    digits, agents = result.unit.digits, result.table.agents
    rows = []
    for place, (agent, mean, half) in enumerate(result.ranking, start=1):
        row = agents.index(agent)
        against = [
            "" if np.isnan(won) else f"{won:+,.{digits}f} ± {1.96 * error:,.{digits}f}"
            for won, error in zip(result.table.means[row], result.table.errors[row], strict=True)
        ]
        rows.append((str(place), agent, f"{mean:+,.{digits}f} ± {half:,.{digits}f}", *against))
    heading = ("", "agent", "all", *(f"v {agent}" for agent in agents))
    return pieces.block(
        pieces.title(game_title(result.game), more=f"{counted(result.hands, 'hand')} a pair, {result.unit.name}/hand"),
        pieces.table(heading, rows, left=2),
        pieces.note(f"by instant run-off: {result.runoff.ranking[0]} wins"),
    )


@plot.register
def _(result: Tournament) -> Picture:
    picture = Picture(figsize=(7, 1.2 + 0.4 * len(result.ranking)), layout="constrained")
    axes = picture.add_subplot()
    places = np.arange(len(result.ranking))
    means, halves = (
        np.array(numbers) for numbers in zip(*((mean, half) for _, mean, half in result.ranking), strict=True)
    )
    axes.errorbar(means, places, xerr=np.nan_to_num(halves), fmt="o", capsize=4, color="#1f5fa8")
    axes.axvline(0, color="#555555", linewidth=0.9, linestyle=(0, (4, 3)))
    axes.set_yticks(places, [letters(agent) for agent, *_ in result.ranking])
    axes.set(xlabel=f"{result.unit.name}/hand, with 95 % intervals", title=letters(game_title(result.game)))
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    return picture
