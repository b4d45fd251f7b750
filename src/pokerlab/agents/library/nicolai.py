"""A network of 30 inputs, 20 hidden nodes and 5 outputs, evolved in no-limit tournaments at tables of nine.

Nicolai and Hilderman, "No-limit Texas hold'em poker agents created with evolutionary neural networks", 2009; section
6.2 of Rubin and Watson's review, 2011. Players are selected by their average place in freeze-outs. Separate populations
that meet at the same tables, and a hall of fame of earlier winners among the opponents, kept their evolution from
going in circles. lab/play/evolution.py evolves, and these are the weights of one run of it; `pokerlab learn nicolai`
makes others.

The review says the shape and the method; inputs and outputs are ours: the twelve numbers of parts/examples.py, and nine
stacks and nine counts of raises in this hand, by place to the left. Outputs fold, call, and raise half a pot, a pot, or
all-in; the network's preferences are drawn from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pokerlab.agents.parts.evolved import Shape, load_genes
from pokerlab.agents.parts.examples import FEATURES, features
from pokerlab.agents.parts.network import Network, softmax
from pokerlab.agents.parts.situations import check_open_betting, past_actions, relative_seat
from pokerlab.agents.parts.triple import Triple, TripleAgent
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.settings import Text
from pokerlab.strategy.policy import PolicyTable, table_of

SEATS = 9
SHAPE = Shape(((len(FEATURES) + 2 * SEATS, 20, 5),))
FRACTIONS = np.array([0.5, 1.0, 1e6])  # of the pot, by output: the last is all-in
_MOST_RAISES = 4


@dataclass(frozen=True)
class EvolvedPlayer(TripleAgent):
    """Plays a network."""

    label = "nicolai"
    file: Text = ""  # of `pokerlab learn nicolai`; by default the weights that ship

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for draw games, tables of more than nine, and those that deal private cards later."""
        check_open_betting(game, self.label)
        check_seats(game, self.label, SEATS)

    def network(self) -> Network:
        """The network that plays."""
        return _network(self.file)

    def chances(self, view: View, rng: np.random.Generator | None) -> np.ndarray:
        """The probabilities of the outputs.  # [5]"""
        return np.asarray(softmax(self.network().outputs(inputs(view, rng)[None]))[0])

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        fold, call, *raises = self.chances(view, rng).tolist()
        return Triple(fold, call, sum(raises))

    def fraction_at(self, view: View, rng: np.random.Generator | None) -> float:
        if view.game.rules.limit == "fixed":
            return self.pot_fraction
        return float(FRACTIONS[int(np.argmax(self.chances(view, rng)[2:]))])

    def table(self, place: PublicNode) -> PolicyTable:
        return table_of(self, place)  # raises differ in size


def check_seats(game: PokerGame, player: str, most: int) -> None:
    """Raise BadSetting if a table is larger than the networks were evolved for."""
    from pokerlab.errors import BadSetting

    if game.players > most:
        raise BadSetting(f"{player} has inputs for {most} seats, and {game.name} has {game.players}")


def inputs(view: View, rng: np.random.Generator | None) -> np.ndarray:
    """The inputs of a decision.  # [30]"""
    found = np.zeros(SHAPE.networks[0][0])
    found[: len(FEATURES)] = features(view, rng)
    stacks, first = view.stacks, len(FEATURES)
    whole = max(sum(stacks) + view.pot, 1)
    for seat, stack in enumerate(stacks):
        found[first + relative_seat(view, seat)] = stack / whole
    for past in past_actions(view.game, view.history):
        if past.action.kind == "r":
            place = first + SEATS + relative_seat(view, past.seat)
            found[place] = min(found[place] + 1 / _MOST_RAISES, 1.0)
    return found


@lru_cache(maxsize=8)
def _network(file: str) -> Network:
    return SHAPE.networks_of(load_genes(file, "nicolai", SHAPE))[0]


agent = EvolvedPlayer
