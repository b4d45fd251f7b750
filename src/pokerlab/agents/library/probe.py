"""Never folds, calls and raises with equal probability: visits every line of play, to learn how others respond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.triple import ConstantTripleAgent, PotFraction, Triple
from pokerlab.games.poker.betting import Action, raise_to
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.settings import one_of
from pokerlab.strategy.policy import PolicyTable, table_of


@dataclass(frozen=True)
class Probe(ConstantTripleAgent):
    """The player used to learn opponent models."""

    label = "probe"
    constant_triple = Triple(0.0, 0.5, 0.5)
    pot_fraction: PotFraction = 1.0  # raise size outside fixed limit
    sizes: Annotated[str, one_of("one", "menu")] = (
        "one"  # raises by "one" size, or to all on a "menu" with equal chance
    )

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """A raise is to a total drawn from the menu, if there is one."""
        action = super().act(view, rng)
        menu = view.legal.menu
        if action.kind == "r" and menu and self.sizes == "menu":
            return raise_to(menu[int(rng.random() * len(menu))])
        return action

    def probabilities(self, view: View) -> dict[str, float]:
        """The same as `act`."""
        chances, menu = super().probabilities(view), view.legal.menu
        if not menu or self.sizes == "one":
            return chances
        text = view.game.action_text
        raised = sum(chance for action, chance in chances.items() if action.startswith("r"))
        others = {action: chance for action, chance in chances.items() if not action.startswith("r")}
        return others | {text(raise_to(total)): raised / len(menu) for total in menu}

    def table(self, place: PublicNode) -> PolicyTable:
        return super().table(place) if self.sizes == "one" else table_of(self, place)


agent = Probe
