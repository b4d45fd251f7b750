"""How results look in a notebook: `html(result)` and `plot(result)`, a function for each kind of result.

Results find this module by its name (notebook_display.py). Long tables are cut, with a note on where the rest is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.ranges import Range
from pokerlab.display.analyse.exploitation import exploitation_html, trade_off_figure
from pokerlab.display.browse.node import HEADINGS, action_colours, action_rows, chips, percent_text, strategy_grid
from pokerlab.display.elements import html as pieces
from pokerlab.display.elements.figure import drawn, letters
from pokerlab.display.elements.html import Colour, Share
from pokerlab.display.elements.numbers import counted, game_title, gap_text, reach_text, short_text, value_text
from pokerlab.display.elements.picture import Picture
from pokerlab.display.notebook import tournaments
from pokerlab.display.notebook.dispatch import html, plot
from pokerlab.display.play.match import interval_text, match_figure
from pokerlab.display.solve.convergence import SAMPLED, comparison_mark, convergence_figure
from pokerlab.errors import IllegalAction
from pokerlab.figure import Figure, Panel
from pokerlab.lab.analyse.exploitation import Exploitation
from pokerlab.lab.analyse.responding import Response
from pokerlab.lab.solve.comparing import Comparison
from pokerlab.match.run.result import MatchResult
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.forms.sequence import Strategy
from pokerlab.strategy.policy import StrategyLine
from pokerlab.strategy.views.node import SolutionNode

__all__ = ["html", "plot", "tournaments"]  # tournaments.py registers its own

MOST_ROWS = 24  # of a table in a notebook
MOST_BARS = 40  # of a picture
WEIGHT: Colour = (214, 156, 48)  # of hands in a range
PALETTE: tuple[Colour, ...] = ((70, 110, 170), (72, 150, 96), (226, 150, 84), (150, 30, 40), (122, 79, 163))


# ---- ranges ----------------------------------------------------------------------------------------------------------


@html.register
def _(held: Range) -> str:
    words = held.text()
    return pieces.block(
        pieces.grid(held.grid()[:, :, None], [WEIGHT]),
        pieces.title(f"{short_text(held.count, 4)} hands", more=f"{100 * held.fraction:.2f} % of 1,326"),
        pieces.note(words if len(words) <= 300 else words[:300] + " ..."),
    )


@plot.register
def _(held: Range, *, title: str = "") -> Picture:
    names = np.reshape(CLASS_NAMES, (13, 13)).tolist()
    return drawn(Figure("range", "", (Panel(cells=held.grid(), cell_text=names, title=title),)))


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
    strategy, root = solution.strategy, solution.root
    title = pieces.title(game_title(solution.game), more=f"{len(strategy):,} infosets")
    has_shares = not isinstance(strategy, Mapping) and (root.has_hand_classes or _shares(root) is not None)
    shown = html(root) if has_shares else _lines_html(strategy.lines(), len(strategy))
    return pieces.block(title, pieces.facts(rows), shown)


def _values(solution: Solution) -> list[tuple[str, str]]:
    if solution.spot is not None:
        seats = zip(solution.root.seats, solution.values, strict=True)
        return [("EV", ", ".join(f"{value:.3f} {seat}" for seat, value in seats))]
    if not solution.measure.is_known:
        return []
    if solution.bounds is None:
        return [("values", ", ".join(map(value_text, solution.values)))]
    value, low, high = map(value_text, (solution.value, *solution.bounds))
    return [("value", f"{value} to player 0; game value {low} to {high}")]


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
    return pieces.table(heading, rows, left=2) + _more_rows(count)


# ---- nodes -----------------------------------------------------------------------------------------------------------


def _shares(view: Any) -> np.ndarray | None:
    """The strategy of each class of starting hands at a node, [13, 13, action]; None if hands are not such classes."""
    if view.player is None:
        return None
    if view.has_starting_hands:
        return strategy_grid(view).shares
    rows = {row["hand"]: row for row in view.table(view.player)}
    if set(rows) != set(CLASS_NAMES):
        return None
    shares = [[rows[name]["strategy"][action] for action in view.actions] for name in CLASS_NAMES]
    return np.array(shares).reshape(13, 13, -1)


def _colours(actions: Sequence[str]) -> list[Colour]:
    """Colours of actions by their names, or by their order if these say nothing."""
    if all(action.split()[0] in ("fold", "check", "call", "push", "bet", "raise", "all-in") for action in actions):
        return [(colour.red, colour.green, colour.blue) for colour in action_colours(actions)]
    return [PALETTE[number % len(PALETTE)] for number in range(len(actions))]


@html.register
def _(view: SolutionNode) -> str:
    node: Any = view
    actor = "the hand is over" if node.is_over else "" if node.player is None else f"{node.seats[node.player]} to act"
    pot = "" if node.pot is None else f"pot {node.pot:g}"
    words = "  ".join(filter(None, (node.board_text, pot, " · ".join(node.moves) or "start")))
    shares = _shares(node)
    parts: list[str] = [pieces.title("a card is dealt" if node.is_deal else actor, more=words)]
    if shares is not None:
        colours = _colours(node.actions)
        parts.append(pieces.grid(shares, colours, node.actions))
        parts.append(pieces.legend(node.actions, colours))
    if node.player is not None:
        parts.append(_rows(node) if shares is None else _totals(node))
    return pieces.block(*parts, pieces.note(_value_words(node) or node.note))


def _value_words(view: Any) -> str:
    """EV of each player, or else their equities."""
    values = view.summary()
    name, texts = "EV", [chips(value, 3) for value in values.get("ev", ())]
    if not texts:
        name, texts = "equity", [percent_text(share) for share in values.get("equity", ())]
    words = ", ".join(f"{text} {seat}" for text, seat in zip(texts, view.seats, strict=False))
    return f"{name}: {words}" if texts else ""


def _totals(view: Any) -> str:
    """The frequency of each action and, with two-card hands, its EV and equity."""
    if not view.has_starting_hands:
        return pieces.table(("action", "frequency"), [(name, Share(share)) for name, share in view.strategy().items()])
    known = {name: text for name, text in (("ev", chips), ("equity", percent_text)) if name in view.grids}
    rows = [
        (row["action"], Share(row["frequency"]), *(text(row[name]) for name, text in known.items()))
        for row in action_rows(view)
    ]
    return pieces.table(("action", "frequency", *(HEADINGS[name] for name in known)), rows)


def _rows(view: Any) -> str:
    """The hands of the player to act, and the frequency of each action."""
    overall, hands = view.strategy(), view.table(view.player)
    known = [name for name in ("ev", "bucket") if hands and name in hands[0]][:1]
    rows: list[list[pieces.Value]] = []
    for row in hands[:MOST_ROWS]:
        shares = [Share(row["strategy"].get(action)) for action in view.actions]
        numbers: list[pieces.Value] = [chips(row[name], 3) if name == "ev" else str(row[name]) for name in known]
        rows.append([row["hand"] or "(start)", f"{100 * row['likelihood']:.1f} %", *numbers, *shares])
    rows.append(["all", "", *([""] * len(known)), *(Share(overall.get(action)) for action in view.actions)])
    headings = ("hand", "likely", *(HEADINGS[name] for name in known), *view.actions)
    return pieces.table(headings, rows) + _more_rows(len(hands))


def _more_rows(count: int) -> str:
    """A note if a table does not show all rows."""
    return pieces.note(f"{count - MOST_ROWS:,} more: to_pandas() has all" if count > MOST_ROWS else "")


@plot.register
def _(view: SolutionNode) -> Picture:
    node: Any = view
    if node.player is None:
        reason = "a card is dealt" if node.is_deal else "the hand is over"
        raise IllegalAction(f"nobody acts here, so there is no picture: {reason}")
    title = f"{node.seats[node.player]}: {' · '.join(node.moves) or 'start'}"
    shares = _shares(node)
    if shares is not None:
        return _grid_picture(shares, node.actions, title=title)
    rows = node.table(node.player)
    return _bars(((row["hand"], row["strategy"]) for row in rows), title=title, actions=node.actions)


def _grid_picture(shares: np.ndarray, actions: Sequence[str], *, title: str) -> Picture:
    """The grid of starting hands, each cell filled from the left by its actions."""
    picture = Picture(figsize=(8, 6.2), layout="constrained")
    axes = picture.add_subplot()
    rows, columns = (index.ravel() for index in np.mgrid[:13, :13])
    left = columns + 0.03
    axes.bar(columns + 0.03, 0.94, 0.94, bottom=rows + 0.03, align="edge", color="#e6e6e6")
    for number, (action, colour) in enumerate(zip(actions, _colours(actions), strict=True)):
        width = 0.94 * shares[:, :, number].ravel()
        rgb = tuple(part / 255 for part in colour)
        axes.bar(left, 0.94, width, bottom=rows + 0.03, align="edge", color=rgb, label=letters(action))
        left = left + width
    for row, column, name in zip(rows, columns, CLASS_NAMES, strict=True):
        ink = "black" if shares[row, column].sum() < 0.5 else "white"
        axes.text(column + 0.5, row + 0.5, name, ha="center", va="center", fontsize=8, color=ink)
    axes.set(xlim=(0, 13), ylim=(13, 0), aspect="equal", title=letters(title))
    axes.axis("off")
    picture.legend(loc="outside right upper", frameon=False)
    return picture


HATCHES = ("", "///", "...", "xxx", "\\\\\\")


def _bars(rows: Iterable[tuple[str, Any]], *, title: str, actions: Sequence[str] = ()) -> Picture:
    """A bar for each infoset, filled by its actions."""
    shown = list(islice(rows, MOST_BARS + 1))
    if len(shown) > MOST_BARS:
        title, shown = f"{title}, the first {MOST_BARS}", shown[:MOST_BARS]
    named = list(actions or dict.fromkeys(action for _, played in shown for action in played))
    picture = Picture(figsize=(7, 1.2 + 0.26 * len(shown)), layout="constrained")
    axes = picture.add_subplot()
    heights, left = np.arange(len(shown)), np.zeros(len(shown))
    for number, (action, colour) in enumerate(zip(named, _colours(named), strict=True)):
        hatch = HATCHES[(number + number // len(PALETTE)) % len(HATCHES)]  # a recurring colour gets another one
        width = np.array([played.get(action, 0.0) for _, played in shown])
        style: dict[str, Any] = {"color": tuple(part / 255 for part in colour), "hatch": hatch, "edgecolor": "white"}
        axes.barh(heights, width, left=left, linewidth=0.5, label=letters(action), **style)
        left = left + width
    axes.set_yticks(heights, [letters(name or "(start)") for name, _ in shown])
    axes.set(xlim=(0, 1), ylim=(len(shown) - 0.5, -0.5), xlabel="probability", title=letters(title))
    picture.legend(loc="outside right upper", frameon=False)
    return picture


# ---- comparisons and matches -----------------------------------------------------------------------------------------


@html.register
def _(comparison: Comparison) -> str:
    rows = []
    for name, one in comparison.ranking:
        iterations = f"{one.iterations:,}{comparison_mark(comparison, name)}".strip()
        work = iterations, f"{one.seconds:.2f}", f"{one.nodes_touched:,}"
        rows.append((name, gap_text(one.exploitability), value_text(one.value, 5), *work))
    table = pieces.table(("algorithm", "exploitability", "value", "iterations", "seconds", "nodes touched"), rows)
    left_out = f"interrupted; not run: {', '.join(comparison.not_run)}" if comparison.interrupted else ""
    notes = [note for note in (SAMPLED if comparison.is_mixed else "", left_out) if note]
    return pieces.block(pieces.title(game_title(comparison.game)), table, pieces.note("; ".join(notes)))


@plot.register
def _(comparison: Comparison, *, axis: str = "seconds") -> Picture:
    return drawn(convergence_figure(comparison.solutions, title=game_title(comparison.game), axis=axis))


html.register(Exploitation)(exploitation_html)


@plot.register
def _(exploitation: Exploitation) -> Picture:
    return drawn(trade_off_figure(exploitation))


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
        pieces.table(("agent", *(scale.rate for scale in scales), "p"), rows),
        pieces.note("± is half of the 95 % interval; p: one-tailed t-test; a small p suggests that the agent wins"),
        *(pieces.note(f"{agent}: {count:,} illegal actions: {why}") for agent, why, count in result.faults[:8]),
    )


@plot.register
def _(result: MatchResult) -> Picture:
    return drawn(match_figure(result))
