"""Betting from a menu: only selected sizes of those that the rules allow.

Used by games whose rounds have menus (rules.py) and by spots (games/spot). The legal actions are those of the rules
restricted to the raises of the menu, so tables, agents, trees and counts need not know that there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pokerlab.errors import TooLarge
from pokerlab.games.poker.betting import CALL, FOLD, RAISE, Action, Betting, BettingRules, Legal
from pokerlab.games.poker.betting_tree import DEEPEST_BETTING
from pokerlab.games.poker.menu import BetSize, Situation, totals
from pokerlab.games.poker.rules import Rules

Choices = list[tuple[str, Action]]  # with readable labels: ("bet 50", r200)
Offer = Callable[[BettingRules, Betting, int], Choices]  # of rules without menus, betting, level at its round's start


def offered(
    automaton: BettingRules,
    betting: Betting,
    base: int,
    sizes: Sequence[BetSize],
    *,
    streets: int = 1,
    unit: float = 1.0,
    chip: float = 1.0,
    all_in_from: float = 1.0,
    merge: float = 0.0,
) -> Choices:
    """The labelled actions of the seat to act with these bet or raise sizes.

    `automaton` has the rules without menus, `base` is the level at the start of the round, `unit` the chips per integer
    unit of the rules, `streets` the number of streets left, including this one.
    """
    legal = automaton.legal(betting)
    facing = betting.level > betting.live[betting.actor]
    choices: Choices = [("fold", FOLD)] if legal.fold else []
    if legal.call >= 0:
        choices.append(("call" if facing else "check", CALL))
    if not legal.can_raise:
        return choices
    ante = automaton.antes[betting.actor]
    everything = (legal.most - ante - base) * unit
    verb = "raise" if betting.level > base else "bet"
    if automaton.limit == "fixed":
        name = "all-in" if legal.most - ante >= max(automaton.behind) else verb
        return [*choices, (f"{name} {(legal.least - ante - base) * unit:.10g}", RAISE)]
    situation = Situation(
        pot=(sum(betting.live) + sum(automaton.antes)) * unit,
        mine=(betting.live[betting.actor] - base) * unit,
        faced=(betting.level - base) * unit,
        most=everything,
        least=(legal.least - ante - base) * unit,
        streets=streets,
    )
    for amount in totals(sizes, situation, chip=chip, all_in_from=all_in_from, merge=merge):
        name = "all-in" if amount >= everything and automaton.limit == "no" else verb
        choices.append((f"{name} {amount:.10g}", Action("r", round(amount / unit) + base + ante)))
    return choices


def menus_of(rules: Rules) -> Offer:
    """The actions offered by the menus in the rounds of some rules; every legal raise if a round has no menu."""
    left = [sum(round_.betting for round_ in rules.rounds[number:]) for number in range(len(rules.rounds))]

    def offer(automaton: BettingRules, betting: Betting, base: int) -> Choices:
        menus = rules.rounds[betting.round].menu
        if menus is None:
            return [(str(action), action) for action in automaton.actions(betting)]
        menu = menus[betting.actor if len(menus) > 1 else 0]
        sizes = menu.bet if betting.level == base else menu.raises
        bounds = {"all_in_from": rules.all_in_from, "merge": rules.merge}
        return offered(automaton, betting, base, sizes, streets=left[betting.round], **bounds)

    return offer


class MenuBetting(BettingRules):
    """The betting of a game or spot, restricted to what is offered."""

    def __init__(self, rules: Rules, offer: Offer, *, called: str = "this game", streets: Sequence[str] = ()) -> None:
        super().__init__(rules)
        self._offer, self._called = offer, called
        self._free = BettingRules(rules)  # without menus
        self._known: dict[Betting | str, tuple[Legal, Choices]] = {}
        self._bases: dict[str, int] = {}  # by the history before a round
        for number, round_ in enumerate(rules.rounds):
            if round_.betting and not self.is_endless:
                self._check_raising(number, streets[number] if streets else f"round {number + 1}")

    def _check_raising(self, street: int, name: str) -> None:
        """Raise TooLarge if minimum raises on a street continue for longer than anyone would play or solve."""
        betting, raises = self.start(), 0
        while betting.actor >= 0 and betting.round <= street and raises <= DEEPEST_BETTING:
            if betting.drawing:
                betting = self.act(betting, Action("d"))
                continue
            legal = self.legal(betting)
            raising = betting.round == street and legal.can_raise
            raises += raising
            action = Action("r", 0 if self.limit == "fixed" else legal.least) if raising else CALL
            betting = self.act(betting, action)
        if raises > DEEPEST_BETTING:
            raise TooLarge(
                f"more than {DEEPEST_BETTING} raises are possible on the {name} of {self._called}; "
                "choose larger sizes, a cap on raises, or a smaller stack"
            )

    def choices(self, betting: Betting) -> Choices:
        """The labelled actions of the player to act: ("bet 50", r200)."""
        return self._look_up(betting)[1]

    def _look_up(self, betting: Betting) -> tuple[Legal, Choices]:
        key = betting if betting.history.startswith("=") else betting.history
        entry = self._known.get(key)
        if entry is None:
            entry = self._known[key] = self._entry(betting)
        return entry

    def _entry(self, betting: Betting) -> tuple[Legal, Choices]:
        legal = self._free.legal(betting)
        if betting.actor < 0 or betting.drawing:
            return legal, []
        choices = self._offer(self._free, betting, self._base(betting))
        if self.limit == "fixed":
            return legal, choices
        totals = tuple(action.amount for _, action in choices if action.kind == "r")
        least, most = (totals[0], totals[-1]) if totals else (0, 0)
        return legal._replace(least=least, most=most, menu=totals), choices

    def _base(self, betting: Betting) -> int:
        """The level, antes excluded, at the start of the round."""
        match = re.fullmatch(r"=(\d+)(.*)", betting.history) if betting.history.startswith("=") else None
        if match is not None:
            return betting.level if "/" in match[2] else int(match[1])  # nobody has bet yet in a new round
        before = betting.history[: betting.history.rfind("/") + 1]
        base = self._bases.get(before)
        if base is None:
            base = self._bases[before] = self._free.level_before(before)
        return base

    def forgetting(self, betting: Betting) -> Betting:
        """The same betting with only as much history as the rules need, and the level at the start of the round."""
        return betting._replace(history=f"={self._base(betting)}{super().forgetting(betting).history}")

    def alike(self, betting: Betting) -> Betting:
        """The same as `forgetting`: sizes depend on the pot."""
        return self.forgetting(betting)

    def legal(self, betting: Betting) -> Legal:
        return self._look_up(betting)[0]

    def actions(self, betting: Betting) -> Sequence[Action]:
        return [action for _, action in self.choices(betting)]

    def action_count(self, betting: Betting) -> int:
        return len(self.choices(betting))

    def act(self, betting: Betting, action: Action) -> Betting:
        if action.kind == "r":
            self.verify(betting, action)
        return super().act(betting, action)

    def _objection(self, betting: Betting, action: Action) -> str:
        reason = super()._objection(betting, action)
        menu = self.legal(betting).menu
        if action.kind == "r" and menu and action.amount not in menu:
            return f"the choices of {self._called} here are {', '.join(label for label, _ in self.choices(betting))}"
        return reason

    def _no_raise(self, betting: Betting) -> str:
        if self._free.legal(betting).can_raise:
            word = "raise" if self.legal(betting).call > 0 else "bet"
            labels = " or ".join(label for label, _ in self.choices(betting))
            return f"the menu of {self._called} has no {word} here, only {labels}"
        return super()._no_raise(betting)
