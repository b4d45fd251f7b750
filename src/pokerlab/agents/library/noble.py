"""Networks for limit hold'em at full tables, evolved by Pareto co-evolution: no opponent is forgotten.

Noble, "Finding robust Texas hold'em poker strategies using Pareto coevolution and deterministic crowding", 2002;
section 6.2 of Rubin and Watson's review, 2011. One network plays before the flop and one after it. A player dominates
another if it does at least as well against every opponent; selecting by dominance keeps players that beat somebody,
where selection by mean winnings varies wildly, since poker players beat each other in circles.

lab/play/evolution.py evolves two populations against each other by Pareto fronts, and these are the weights of one run
of it; `pokerlab learn noble` makes others. Inputs are the twelve numbers of parts/examples.py, outputs fold, call and
raise; deterministic crowding is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pokerlab.agents.parts.evolved import Shape, load_genes
from pokerlab.agents.parts.examples import FEATURES, features
from pokerlab.agents.parts.network import Network, softmax
from pokerlab.agents.parts.situations import check_open_betting
from pokerlab.agents.parts.triple import PotFraction, Triple, TripleAgent
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import Text

SHAPE = Shape(((len(FEATURES), 8, 3), (len(FEATURES), 8, 3)))  # before and after the first public cards


@dataclass(frozen=True)
class ParetoPlayer(TripleAgent):
    """Plays two networks."""

    label = "noble"
    file: Text = ""  # of `pokerlab learn noble`; by default the weights that ship
    pot_fraction: PotFraction = 1.0  # raise size outside fixed limit

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for draw games, and for those that deal private cards later."""
        check_open_betting(game, self.label)

    def networks(self) -> tuple[Network, ...]:
        """The networks that play, before and after the first public cards."""
        return _networks(self.file)

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        network = self.networks()[bool(view.board)]
        return Triple(*softmax(network.outputs(features(view, rng)[None]))[0].tolist())


@lru_cache(maxsize=8)
def _networks(file: str) -> tuple[Network, ...]:
    return SHAPE.networks_of(load_genes(file, "noble", SHAPE))


agent = ParetoPlayer
