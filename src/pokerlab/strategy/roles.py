"""Strategies in the roles form: how often each of two roles acts with each hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.cards.combos import COMBO_CLASS, combo_index
from pokerlab.errors import IllegalAction, UnknownName
from pokerlab.games.poker.place import Place
from pokerlab.registry import nearest
from pokerlab.solvers.roles.exact import measure_roles
from pokerlab.strategy.kinds import Naming, StrategyKind
from pokerlab.strategy.place import ShownPlace
from pokerlab.strategy.policy import PolicyTable, StrategyLine, table_of
from pokerlab.tree.measure import Measure
from pokerlab.tree.roles import CardDeal, RoleForm


@dataclass(frozen=True, eq=False, repr=False)
class RoleStrategy:
    """How often both roles act."""

    form: RoleForm
    acts: tuple[np.ndarray, np.ndarray]  # [hand] of each role

    def __repr__(self) -> str:
        return f"<RoleStrategy of {self.form.name}: {len(self):,} hands of 2 roles>"

    def __len__(self) -> int:
        return sum(len(acts) for acts in self.acts)

    @property
    def game(self) -> str:
        """The name of what is played."""
        return self.form.name

    @property
    def players(self) -> int:
        """Two."""
        return 2

    def probabilities(self, view: Any) -> Mapping[str, float]:
        """What is done with the hand of a view: of two actions, not acting is the first and acting the second."""
        role = self.form.seats.index(view.seat)
        codes = [view.game.action_text(action) for action in view.actions]
        if len(codes) != 2:
            raise UnknownName(f"the strategy of {self.game} decides once, yes or no, and not {view.infoset[:60]!r}")
        act = float(self.acts[role][self._hand(view.cards)])
        return {codes[0]: 1 - act, codes[1]: act}

    def _hand(self, cards: tuple[int, ...]) -> int:
        if isinstance(self.form.deal, CardDeal):
            return int(COMBO_CLASS[combo_index(*cards)])
        return cards[0]

    def table(self, place: Place) -> PolicyTable:
        """What is done with every hand at a public place."""
        return table_of(self, place)

    def root_in(self, form: RoleForm) -> RoleView:
        """The place where the game starts, to be walked."""
        return self.root

    def answering(self, player: int, form: RoleForm) -> RoleStrategy:
        """The same with a seat whose role plays a best response to the other."""
        role, acts = form.role_of(player), list(self.acts)
        acts[role] = (form.margins(*self.acts)[role] > 0).astype(float)
        return RoleStrategy(form, (acts[0], acts[1]))

    def measured(self, form: RoleForm) -> Measure:
        """Value and best response of each seat."""
        return measure_roles(form, *self.acts)

    def answer(self, form: RoleForm) -> dict[str, np.ndarray]:
        """What a solver answers that found this."""
        return {f"acts{role}": np.asarray(acts, np.float64) for role, acts in enumerate(self.acts)}

    def alone(self) -> RoleStrategy:
        """Itself: a file holds every digit of it."""
        return self

    def kept(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What a file holds of it."""
        return self.answer(self.form), {"game": self.game, "players": self.players}

    def units(self) -> dict[str, Any]:
        """Who the roles are, and what people count in: so many chips of the game are one of it."""
        form = self.form
        return {"roles": list(form.roles), "seats": list(form.seats), "money": form.money, "chips_a_unit": form.chips}

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every hand of both roles whose name contains `match`."""
        for role, acts in enumerate(self.acts):
            names = self._actions(role)
            for hand, act in zip(self.form.hands[role], acts.tolist(), strict=True):
                if match in hand:
                    yield StrategyLine(hand, self.form.seats[role], 1.0, {names[0]: 1 - act, names[1]: act})

    def _actions(self, role: int) -> tuple[str, str]:
        """What a role may do, in words: not acting, and acting."""
        quiet = "fold" if role or self.form.acts[0] == "pushes" else "check"
        return quiet, {"pushes": "push", "bets": "bet", "calls": "call"}[self.form.acts[role]]

    @property
    def root(self) -> RoleView:
        """Where the first role decides."""
        return RoleView(self, ())

    def at(self, *moves: str) -> RoleView:
        """The place after some moves: what the first role did, then the second."""
        return self.root.at(*moves)


@dataclass(frozen=True, eq=False)
class RoleView(ShownPlace):
    """One place of a solved game of two roles: before the first has decided, before the second, or at the end."""

    source: RoleStrategy
    moves: tuple[str, ...]

    @property
    def role(self) -> int | None:
        """The role that decides."""
        if not self.moves:
            return 0
        asked = len(self.moves) == 1 and self.moves[0] == self.source._actions(0)[1]
        return 1 if asked and self.source.form.second_decides else None

    @property
    def player(self) -> int | None:
        """The seat of the role that decides."""
        return None if self.role is None else self.source.form.seats[self.role]

    @property
    def seats(self) -> tuple[str, str]:
        """What the roles of the seats are called."""
        names = self.source.form.roles
        return names[self.source.form.role_of(0)], names[self.source.form.role_of(1)]

    @property
    def actions(self) -> tuple[str, ...]:
        """What the role may do."""
        return () if self.role is None else self.source._actions(self.role)

    is_deal = False

    @property
    def money(self) -> str:
        """What EV is counted in: "chips", or "big blinds" where there are blinds."""
        return self.source.form.money

    @property
    def is_over(self) -> bool:
        """Whether nobody decides any more."""
        return self.player is None

    def at(self, *moves: str) -> RoleView:
        """The place after some moves."""
        view = self
        for move in moves:
            if move not in view.actions:
                told = nearest(move[:40], list(view.actions)) if view.actions else "the hand is over"
                raise IllegalAction(f"{move[:40]!r} is not an action here; {told}")
            view = RoleView(view.source, (*view.moves, move))
        return view

    def strategy(self) -> dict[str, float]:
        """How often each action is taken here."""
        form, role = self.source.form, self.role
        if role is None:
            raise IllegalAction("nobody acts here: the hand is over")
        share = form.frequencies(*self.source.acts)[role]
        return dict(zip(self.actions, (1 - share, share), strict=True))

    def table(self, player: int) -> list[dict[str, Any]]:
        """One row for each hand of a seat: how likely it is, and of the one to act what it does and what that wins.

        EV is in the units of the game, `money`.
        """
        form, acts = self.source.form, self.source.acts
        role = form.role_of(player)
        chances = form.hand_chances[role]
        worth = form.counterfactual(role, acts[1 - role]) / chances  # [2, hand]
        rows = []
        for hand, name in enumerate(form.hands[role]):
            act = float(acts[role][hand])
            row: dict[str, Any] = {"hand": name, "likelihood": float(chances[hand])}
            row["ev"] = float((1 - act) * worth[0, hand] + act * worth[1, hand])
            if player == self.player:
                row["strategy"] = dict(zip(self.actions, (1 - act, act), strict=True))
                row["action_ev"] = dict(zip(self.actions, worth[:, hand].tolist(), strict=True))
            rows.append(row)
        return rows

    def summary(self) -> dict[str, Any]:
        """The totals of this place, for JSON; values are those of the whole game, in its units."""
        value = self.source.form.value(*self.source.acts)
        values = (value, -value) if self.source.form.seats == (0, 1) else (-value, value)
        told: dict[str, Any] = {"moves": list(self.moves), "player": self.player, "actions": list(self.actions)}
        if self.player is not None:
            told["frequencies"] = self.strategy()
        return told | {"ev": list(values), "money": self.money}


def _named(form: RoleForm, answer: Mapping[str, np.ndarray], naming: Naming) -> RoleStrategy:
    return RoleStrategy(form, (np.asarray(answer["acts0"]), np.asarray(answer["acts1"])))


def _wanted(form: RoleForm, storage: str) -> dict[str, tuple[int, Any]]:
    return {f"acts{role}": (length, np.float64) for role, length in enumerate(form.chance.shape)}


KIND = StrategyKind(_named, _wanted)
