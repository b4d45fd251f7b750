"""Browse a saved solution: its infosets, a node, a hand there, and its best response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.cards.categories import CATEGORIES, categories, category_named
from pokerlab.errors import BadSetting
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.table import lines_as_rows, matching
from pokerlab.strategy.policy import StrategyLine
from pokerlab.strategy.views.bucketed import BucketShare
from pokerlab.strategy.views.hands import number_or_none, weighted_mean
from pokerlab.strategy.views.node import GRIDS
from pokerlab.tables import write_csv

ALL = "all"  # categories of hands
MOST_COUNTED = 100_000  # infosets beyond those shown


@dataclass(frozen=True)
class Listing:
    """The first matching infosets of a solution."""

    solution: Solution
    lines: tuple[StrategyLine, ...]
    more: int  # further matches, up to MOST_COUNTED

    def as_dict(self) -> dict[str, Any]:
        """The solution and the infosets, for JSON."""
        rows = []
        for line in self.lines:
            place = {"hand": line.hand, "board": line.board, "moves": line.moves} if line.hand else {}
            row = {"infoset": line.infoset, "player": line.player, "reach": line.reach} | place
            row |= {"actions": dict(line.actions)} | ({} if line.trained is None else {"trained": line.trained})
            rows.append(row | ({"discards": dict(line.discards)} if line.discards else {}))
        return self.solution.summary() | {"matching": len(self.lines) + self.more, "strategy": rows}


def list_infosets(solution: Solution, *, player: int | None = None, match: str = "", rows: int = 40) -> Listing:
    """The infosets of one player or of all whose text contains `match`, at most `rows`."""
    matches = matching(solution.strategy, player=player, match=match)
    lines = tuple(islice(matches, rows))
    return Listing(solution, lines, sum(1 for _ in islice(matches, MOST_COUNTED)))


def write_infosets(solution: Solution, path: Path, *, player: int | None = None, match: str = "") -> int:
    """Write all of them to a CSV file, a row for each action; return the number of rows."""
    return write_csv(path, *lines_as_rows(matching(solution.strategy, player=player, match=match)))


def exploit(solution: Solution, seat: int) -> tuple[Solution, float]:
    """The solution in which a seat plays a best response, and the seat's gain in chips."""
    exploiting = solution.best_response(seat)
    return exploiting, max(0.0, exploiting.values[seat] - solution.values[seat])


def check_player(view: Any, player: int | None) -> None:
    """Raise BadSetting for a player that a node does not have."""
    if player is not None and not 0 <= player < len(view.seats):
        seats = ", ".join(f"{number} ({seat})" for number, seat in enumerate(view.seats))
        raise BadSetting(f"the players here are {seats}, and no other")


def check_grid(view: Any, grid: str) -> None:
    """Raise BadSetting for an unknown grid, and for a grid in a game without them."""
    if grid not in GRIDS:
        raise BadSetting(f"a grid shows {', '.join(GRIDS[:-1])} or {GRIDS[-1]}, not {grid[:40]!r}")
    if grid == GRIDS[0]:
        return
    if not view.has_starting_hands:
        raise BadSetting("a grid is of the starting hands of hold'em; here every hand is listed by --by-hand, or hands")
    if grid not in view.grids:
        reason = "equity before the flop is read from a table, which `pokerlab preflop` makes once, in seconds"
        if grid == "ev":
            reason = "what hands are worth is not known in a game this large"
        elif len(view.seats) > 2:
            reason = f"equity is defined for two players, and this game has {len(view.seats)}"
        raise BadSetting(f"{reason}; here a grid shows {' or '.join(view.grids)}")


def wanted_categories(text: str) -> tuple[str, ...]:
    """The categories of hands that a text names: one, or all."""
    return tuple(CATEGORIES) if text == ALL else (category_named(text),)


def by_category(view: Any, player: int, category: str = ALL) -> list[dict[str, Any]]:
    """How a player's hands of each category play here: their share of the range, EV, equity and actions.

    BadSetting unless hands are of hold'em on a board. A hand with a draw is in several categories.
    """
    if not view.has_starting_hands or len(view.board) < 3:
        raise BadSetting("categories are of two-card hands on a board of three to five cards")
    wanted = wanted_categories(category)
    held = view.likelihood(player)
    numbers = np.flatnonzero(held > 0).tolist()
    named = {number: categories(view.holdings.hands[number], view.board) for number in numbers}
    rows = []
    for name in wanted:
        own = [number for number in numbers if name in named[number]]
        weight = np.zeros(len(held))
        weight[own] = np.asarray(held)[own]
        if not own:
            continue
        row: dict[str, Any] = {"category": name, "hands": len(own), "share": float(weight.sum())}
        row |= {"ev": weighted_mean(view.values(player), weight)} if "ev" in view.grids else {}
        row |= {"equity": weighted_mean(view.equities(player), weight)} if "equity" in view.grids else {}
        shares = view.frequencies if player == view.player else np.zeros((len(held), 0))
        row["strategy"] = {
            action: weighted_mean(np.asarray(shares)[:, k], weight)
            for k, action in enumerate(view.actions if player == view.player else ())
        }
        rows.append(row)
    return rows


def _after_cards(view: Any) -> dict[str, Any]:
    """Before one card is dealt in a hand-by-hand view: EV and action frequencies after each."""
    if not (view.is_deal and view.has_starting_hands and view.coming == 1):
        return {}
    return {
        "after_cards": {
            after.moves[-1]: {
                "ev": [number_or_none(after.ev(player)) for player in range(len(after.seats))],
                "player": after.player,
                "frequencies": after.strategy() if after.player is not None else {},
            }
            for after in view.cards()
        }
    }


def place_dict(view: Any, *, player: int | None = None, hand: str | None = None) -> dict[str, Any]:
    """A node of a solution for JSON: every hand of one player or of all, or one hand."""
    if hand is None:
        seats = range(len(view.seats)) if player is None else (player,)
        hands = {"hands": {str(seat): view.table(seat) for seat in seats}}
        return dict(view.summary()) | hands | _after_cards(view)
    details = hand_at(view, hand, player=player)
    result = dict(view.summary()) | {"hand": hand, "player_of_hand": details.player}
    numbers = {"ev_hand": details.ev, "equity_hand": details.equity}
    result |= {name: number_or_none(number) for name, number in numbers.items() if number is not None}
    if details.buckets:
        result["buckets"] = [share._asdict() for share in details.buckets]
    if details.strategy is not None:
        result["strategy"] = details.strategy
    if details.options:
        result["strategy_by_way"] = details.options
    if details.thrown:
        result["thrown"] = details.thrown
    if details.action_ev:
        result["action_ev_hand"] = {action: number_or_none(value) for action, value in details.action_ev.items()}
    return result


@dataclass(frozen=True)
class HandAt:
    """One hand of a player at a node; NaN if the hand does not reach it, None if unknown."""

    player: int
    ev: float | None = None
    equity: float | None = None
    strategy: Mapping[str, float] | None = None  # by action; None if another player is to act
    action_ev: Mapping[str, float] = field(default_factory=dict)  # empty if unknown
    buckets: Sequence[BucketShare] = ()  # of the hand, or of the hands of a class
    options: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by the player's discard option
    thrown: Mapping[str, str] = field(default_factory=dict)  # by discard option: the cards


def hand_at(view: Any, hand: str, *, player: int | None = None) -> HandAt:
    """A hand of a player, by default the one to act; BadSetting if a solution has no single hands."""
    whose = player if player is not None else (view.player if view.player is not None else 0)
    return HandAt(whose, **view.hand_details(hand, whose))
