"""Preflop hold'em with roll-outs: any limit or menu of raises, solved exactly over 169 hand classes.

After the last raise the board is dealt without betting, so a pot is worth its equity. This is not hold'em, but it was
the first approximation of it that was computed (Selby 1999, by Rubin and Watson's review, section 4.5.1), and a quick
test of raise menus. Amounts are in big blinds; EV is relative to the stack before blinds and antes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES, CLASS_SIZES
from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress
from pokerlab.games.library.push_fold import MOST
from pokerlab.games.poker.betting_tree import Decision
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.von_neumann_continuous import number
from pokerlab.lab.preflop.push_fold import chips_per_blind, poker_game
from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.forms.classes import ClassStrategy, ClassView
from pokerlab.tree.public.reading import past_deals

TARGET = 1e-4  # big blinds of exploitability, for approximate algorithms
SECONDS = 120.0
CHIPS = 100  # per big blind


@dataclass(frozen=True, eq=False)
class RollOut:
    """A solved preflop game."""

    game: PokerGame
    solution: Solution

    @property
    def strategy(self) -> ClassStrategy:
        """How both play."""
        strategy: ClassStrategy = self.solution.strategy
        return strategy

    @property
    def blind(self) -> float:
        """Chips per big blind."""
        return self.strategy.form.blind

    @property
    def value(self) -> float:
        """The expected value per hand of the small blind, which acts first."""
        return self.solution.measure.values[1] / self.blind

    @property
    def exploitability(self) -> float:
        """The average gain of a best response over both seats."""
        return max(self.solution.measure.exploitability, 0.0) / self.blind

    def words(self, view: ClassView) -> tuple[str, ...]:
        """The actions at a node in words, with amounts in big blinds."""
        node = view.node
        if not isinstance(node, Decision):
            return ()
        stacks = self.game.rules.stacks
        seat, named = node.player, []
        for code, child in zip(node.codes, node.children, strict=True):
            put = past_deals(child).put[seat]
            if code == "f":
                named.append("fold")
            elif code == "c":
                named.append("call" if put > node.put[seat] else "check")
            elif stacks is not None and put >= stacks[seat]:
                named.append(f"all-in {put / self.blind:g}")
            else:
                named.append(f"raise to {put / self.blind:g}")
        return tuple(named)

    def places(self) -> Iterator[tuple[tuple[str, ...], ClassView]]:
        """Every decision with the actions that lead to it, in preorder."""
        pending: list[tuple[tuple[str, ...], ClassView]] = [((), self.strategy.root)]
        while pending:
            path, view = pending.pop(0)
            if view.player is None:
                continue
            yield path, view
            steps = zip(self.words(view), view.actions, strict=True)
            pending += [((*path, word), view.at(action)) for word, action in steps]

    def rows(self) -> list[dict[str, Any]]:
        """Every decision: its reach probability, and the action frequencies."""
        rows = []
        for path, view in self.places():
            assert view.player is not None
            rows.append(
                {
                    "moves": list(view.moves),
                    "betting": list(path),
                    "player": view.player,
                    "seat": view.seats[view.player],
                    "pot": view.pot / self.blind,
                    "share": float(view.reach[0] @ view.form.chance @ view.reach[1]),
                    "frequencies": dict(zip(self.words(view), view.strategy().values(), strict=True)),
                }
            )
        return rows

    def hands(self, view: ClassView) -> list[dict[str, Any]]:
        """Every class at a decision: the frequency and EV of each action."""
        if view.player is None:
            raise BadSetting("nobody decides there: the betting is over")
        first = np.unique(view.holdings.group, return_index=True)[1]  # one hand of each class
        evs = (view.action_values[first] - view.node.put[view.player]) / self.blind
        shares, words = view.frequencies[first], self.words(view)
        likely = view.likelihood(view.player)[first] * CLASS_SIZES
        return [
            {
                "hand": name,
                "likelihood": float(likely[place]),
                "strategy": dict(zip(words, shares[place].tolist(), strict=True)),
                "action_ev": dict(zip(words, evs[place].tolist(), strict=True)),
            }
            for place, name in enumerate(CLASS_NAMES)
        ]

    def as_dict(self, view: ClassView) -> dict[str, Any]:
        """The solution with the hands at a node, for JSON."""
        return {
            "game": self.solution.game,
            "algorithm": self.solution.algorithm,
            "iterations": self.solution.iterations,
            "seconds": self.solution.seconds,
            "value": self.value,
            "exploitability": self.exploitability,
            "places": self.rows(),
            "at": list(view.moves),
            "hands": self.hands(view),
        }


def limit_game(*, raises: int = 3, small_blind: str = "1/2") -> PokerGame:
    """Fixed limit: raises of a big blind, at most `raises` besides the blind."""
    small = _small(small_blind)
    unit = lcm(10, small.denominator)
    settings: dict[str, Any] = {} if raises == 3 else {"raises": raises}
    settings |= {} if (unit, small) == (10, Fraction(1, 2)) else {"blinds": (int(small * unit), unit)}
    return poker_game("preflop-limit", settings)


def menu_game(
    menu: str, *, stack: str = "20", ante: str = "0", small_blind: str = "1/2", raises: int | None = None
) -> PokerGame:
    """No limit, with a menu of raises; amounts without a unit are chips, 100 per big blind."""
    amounts = [number(stack), number(ante), _small(small_blind)]
    if not 0 < amounts[0] <= MOST or amounts[1] > MOST:
        raise BadSetting(f"a stack is more than 0 and at most {MOST:,.0f} big blinds, and so is an ante; got {stack}")
    unit = chips_per_blind(CHIPS, *amounts)
    chips = [int(amount * unit) for amount in amounts]
    settings: dict[str, Any] = {"stack": chips[0], "menu": menu}
    settings |= {"ante": chips[1]} if chips[1] else {}
    settings |= {} if (chips[2], unit) == (50, 100) else {"blinds": (chips[2], unit)}
    return poker_game("preflop-nolimit", settings | ({} if raises is None else {"raises": raises}))


def _small(text: str) -> Fraction:
    small = number(text)
    if not 0 < small < 1:
        raise BadSetting(f"the small blind is more than 0 and less than the big blind, 1, not {text[:40]}")
    return small


def roll_out(
    game: PokerGame,
    *,
    algorithm: str = "lp",
    target: float = TARGET,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> RollOut:
    """Solve a preflop game over hand classes; `target` is in big blinds.

    >>> found = roll_out(limit_game(raises=1))
    >>> round(found.value, 6), found.exploitability < 1e-12  # as push or fold with two big blinds
    (0.009549, True)
    """
    wanted = target * max(game.rules.blinds)
    limits: dict[str, Any] = {"target": wanted, "seconds": SECONDS}
    solution = solve(game, algorithm=algorithm, form="classes", **limits, on_progress=on_progress, cancel=cancel)
    return RollOut(game, solution)
