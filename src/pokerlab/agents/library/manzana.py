"""A neural network that imitates a stronger player's logs: one network before the flop, one after it.

MANZANA (Andersen, winner of the bankroll division of limit hold'em at the competitions of 2009 and 2010; section 6.2 of
Rubin and Watson's review, 2011) was trained on the hand histories of the best agent of the year before. Little more is
known of it than that it has separate networks before and after the flop.

Ours have one hidden layer, the inputs of agents/parts/examples.py, and outputs for folding, calling and raises of three
sizes. They are trained on the blueprints that ship with the package, unless a file of `pokerlab learn` is given. Hole
cards enter the first network as their class too: what a hand is worth before the flop is not its strength alone.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np

from pokerlab.agents.parts.examples import FEATURES, KINDS, Example, features, pot_fraction
from pokerlab.agents.parts.hand_reading import holdem_deck
from pokerlab.agents.parts.learned import Teacher, arrays_for
from pokerlab.agents.parts.network import Network, fit_classes, softmax
from pokerlab.agents.parts.situations import check_open_betting
from pokerlab.agents.parts.triple import Triple, TripleAgent
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.settings import Text, whole
from pokerlab.strategy.policy import PolicyTable, table_of

TEACHER = Teacher((("holdem-limit",), ("holdem-nolimit",)), agent="blueprint", hands=3000)
OPENING, LATER = NETWORKS = "opening", "later"  # before and after the first public cards
SIZES = (0.6, 1.5)  # pot fractions that separate the three sizes of raises
CLASSES = 5  # fold, call, and raises of three sizes
HIDDEN, EPOCHS = 24, 40
_RANKS = 13


class Networks(NamedTuple):
    """What was learned."""

    networks: tuple[Network, Network]  # by NETWORKS
    fractions: np.ndarray  # [3] mean size of the raises of each class, as a fraction of the pot


def learn(examples: Iterable[Example]) -> Mapping[str, np.ndarray]:
    """Fit the networks to some decisions."""
    rng = np.random.default_rng(0)
    rows: tuple[list[np.ndarray], list[np.ndarray]] = [], []
    labels: tuple[list[int], list[int]] = [], []
    sizes: list[list[float]] = [[], [], []]
    for example in examples:
        later = bool(example.view.board)
        label = _class_of(example)
        rows[later].append(inputs(example.view, rng))
        labels[later].append(label)
        if label >= KINDS.index("r"):
            sizes[label - 2].append(pot_fraction(example.view, example.action))
    arrays = {"fractions": np.array([np.mean(some) if some else 0.0 for some in sizes], np.float32)}
    for name, seen, taken in zip(NETWORKS, rows, labels, strict=True):
        if not seen:  # a game without this round, or none of its hands
            seen, taken = [np.zeros(input_count(), np.float32)], [1]
        network = fit_classes(np.array(seen), np.array(taken), hidden=HIDDEN, count=CLASSES, epochs=EPOCHS, seed=0)
        arrays |= {key: array.astype(np.float32) for key, array in network.arrays(name).items()}
    return arrays


def _class_of(example: Example) -> int:
    kind = KINDS.index(example.action.kind)
    return kind if kind < KINDS.index("r") else kind + bisect(SIZES, pot_fraction(example.view, example.action))


def input_count() -> int:
    """The number of inputs: features, which ranks are held, and whether they are suited or a pair."""
    return len(FEATURES) + _RANKS + 2


def inputs(view: View, rng: np.random.Generator | None) -> np.ndarray:
    """The inputs of a decision.  # [27] float32"""
    found = np.zeros(input_count(), np.float32)
    found[: len(FEATURES)] = features(view, rng)
    if holdem_deck(view.game) == "high" and not view.board:
        deck = view.game.deck
        ranks = [deck.rank(card) for card in view.cards]
        found[[len(FEATURES) + rank for rank in ranks]] = 1
        found[-2] = len({deck.suit(card) for card in view.cards}) == 1
        found[-1] = len(set(ranks)) == 1
    return found


@dataclass(frozen=True)
class Manzana(TripleAgent):
    """Whose networks play."""

    label = "manzana"
    file: Text = ""  # of `pokerlab learn manzana`; by default it learns from the blueprints that ship
    hands: Annotated[int, whole(1)] = TEACHER.hands  # of its teacher that it learns from, without a file

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for draw games, and for those that deal private cards later."""
        check_open_betting(game, self.label)

    def chances(self, view: View, rng: np.random.Generator | None) -> np.ndarray:
        """The probabilities of the classes of actions.  # [5]"""
        networks = _networks(self.file, view.game, self.hands).networks
        return np.asarray(softmax(networks[bool(view.board)].outputs(inputs(view, rng)[None]))[0])

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        fold, call, *raises = self.chances(view, rng).tolist()
        return Triple(fold, call, sum(raises))

    def fraction_at(self, view: View, rng: np.random.Generator | None) -> float:
        if view.game.rules.limit == "fixed":
            return self.pot_fraction
        chances = self.chances(view, rng)[2:]
        return float(chances @ _networks(self.file, view.game, self.hands).fractions / chances.sum())

    def table(self, place: PublicNode) -> PolicyTable:
        return table_of(self, place)  # raises differ in size


@lru_cache(maxsize=32)
def _networks(file: str, game: PokerGame, hands: int) -> Networks:
    arrays = arrays_for("manzana", file, game, learn, TEACHER._replace(hands=hands))
    return Networks((Network.of(arrays, OPENING), Network.of(arrays, LATER)), arrays["fractions"])


agent = Manzana
