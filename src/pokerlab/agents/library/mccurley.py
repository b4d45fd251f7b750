"""McCurley's player: miximax in the betting round, with a neural network for each style of play and a weighted range.

P. McCurley, "An artificial intelligence agent for Texas hold'em poker" (2009), as Rubin and Watson describe it
("Computer poker: a review", 2011, section 5.1.2), a player of heads-up no-limit hold'em. Networks that were trained on
hand histories, clustered by playing style, predict the opponent's actions at their nodes of the search; each possible
hand and the state of the betting are inputs. The weights of the hands also decide what a showdown is worth. The search
ends with the betting round.

Ours: before the flop the rules of an expert play (the review describes the later rounds alone), as long as another
round comes. The histories are those of our own agents (`train`), and the clusters are of how often a player folds, bets
and raises. The opponent is a mixture of styles, weighted by how well each explains what they did (parts/styles.py)."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import combinations
from typing import Annotated, Any, NamedTuple

import numpy as np

from pokerlab.agents.library.rules import Expert
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.beliefs import Beliefs
from pokerlab.agents.parts.context_search import Raises
from pokerlab.agents.parts.forest import forest_values
from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.network import Network, fit_classes, softmax
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.search_tree import KINDS, Extent, check_heads_up
from pokerlab.agents.parts.self_play import play, trained
from pokerlab.agents.parts.situations import BET, NOTHING, RAISES, Situation, situation
from pokerlab.agents.parts.styles import StyleBeliefs
from pokerlab.agents.parts.triple import PotFraction, Triple
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, whole

Seed = Annotated[int, whole(0)]  # of training
TEACHERS = (
    "formula",
    "formula(bet=0.75,reraise=0.9,bluff=0.0)",
    "formula(bet=0.45,reraise=0.65,bluff=0.25)",
    "formula(caution=-0.2,bet=0.8,reraise=0.95)",
    "rules",
    "random(sizes=least)",
    "always-call",
)
STYLE_COUNT, HIDDEN, EPOCHS = 4, 8, 12
HANDS_PER_PAIR, HANDS_PER_LOG = 80, 20
_GRID = (np.arange(20) + 0.5) / 20  # strengths over which frequencies are averaged


def features(strength: np.ndarray, now: Situation) -> np.ndarray:
    """The inputs of the networks: each hand's strength, and the state of the betting.  # [hand, 9]"""
    betting = [now.round / 3, *(now.facing == what for what in (NOTHING, BET, RAISES)), now.pot_odds, now.raises / 4, 1]
    found = np.empty((len(strength), 2 + len(betting)))
    found[:, 0], found[:, 1], found[:, 2:] = strength, strength**2, betting
    return found


class NetworkStyle(NamedTuple):
    """The predictions of one network; an ActionModel."""

    network: Network

    def triple(self, strength: Any, now: Situation, player: int) -> Triple:
        """The triple with a hand of this strength, a number or an array [hand]."""
        chances = softmax(self.network.outputs(features(np.atleast_1d(strength), now)))
        return Triple(*(chances.T if isinstance(strength, np.ndarray) else chances[0].tolist()))

    def frequency(self, now: Situation) -> Triple:
        """The average over all hands."""
        return Triple(*(float(part.mean()) for part in self.triple(_GRID, now, 1)))


class McCurley:
    """Rules before the flop, search after it."""

    def __init__(self, name: str, styles: tuple[NetworkStyle, ...], *, extent: Extent) -> None:
        self.name = name
        self.styles = StyleBeliefs(styles)
        self.beliefs = Beliefs(self.styles, measure=NOW)
        self._rules, self._extent = Expert(), extent

    def check_game(self, game: PokerGame) -> None:
        check_heads_up(game, self.name)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        if view.round == 0 and len(view.game.rules.rounds) > 1:
            return self._rules.act(view, rng)
        actions, values = self.action_values(view)
        return actions[int(np.argmax(values))]

    def action_values(self, view: View) -> tuple[list[Action], np.ndarray]:
        """The actions of a decision, and what they are expected to win.  # [action]"""
        [weights] = self.beliefs.weights(view).values()
        return forest_values(view, weights, self.styles, self._extent)

    def observe(self, view: View) -> None:
        """Weigh the styles by what the opponent did."""
        self.styles.observe(view)

    def reset(self) -> None:
        """Forget the opponent."""
        self.styles.reset()


class Decision(NamedTuple):
    """An action of a log."""

    strength: float
    now: Situation
    kind: int


def train(seed: int) -> dict[str, np.ndarray]:
    """Log matches of our own agents in no-limit hold'em, cluster the logs by style, and fit a network to each."""
    logs = _logs(seed)
    centres, labels = _clusters(np.array([_style_of(log) for log in logs]), seed)
    arrays = {"centres": centres}
    for style in range(len(centres)):
        decisions = [one for log, label in zip(logs, labels, strict=True) if label == style for one in log]
        inputs = np.concatenate([features(np.array([one.strength]), one.now) for one in decisions])
        kinds = np.array([one.kind for one in decisions])
        network = fit_classes(inputs, kinds, hidden=HIDDEN, count=len(KINDS), epochs=EPOCHS, seed=seed + style)
        arrays |= network.arrays(f"style{style}")
    return {name: array.astype(np.float32) for name, array in arrays.items()}


def _logs(seed: int) -> list[list[Decision]]:
    """Decisions of one agent over a number of hands each."""
    from pokerlab.formats.opening import open_game

    game, rng, found = open_game("holdem-nolimit"), np.random.default_rng(seed), []
    for pair in combinations(TEACHERS, 2):
        agents, logs = [open_agent(spec) for spec in pair], defaultdict(list)
        for number, cards in enumerate(game.deals(rng, HANDS_PER_PAIR)):
            swap = number % 2

            def log(seat: int, view: View, action: Action) -> None:
                strength = percentiles(game, view.board, measure=NOW)[hands_of(game).number(view.cards)]
                now = situation(game, view.betting)
                part = number // HANDS_PER_LOG, seat ^ swap  # noqa: B023
                logs[part].append(Decision(float(strength), now, KINDS[action.kind]))  # noqa: B023

            play(game, agents[::-1] if swap else agents, cards, rng, log)
        found += [logs[part] for part in sorted(logs)]
    return found


def _style_of(log: list[Decision]) -> list[float]:
    """How often a player bets unasked, and folds and raises against a bet."""
    free = [one.kind for one in log if one.now.facing == NOTHING] or [1]
    faced = [one.kind for one in log if one.now.facing != NOTHING] or [1]
    return [float(np.mean(np.array(kinds) == kind)) for kinds, kind in ((free, 2), (faced, 0), (faced, 2))]


def _clusters(points: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    from pokerlab.abstraction.clustering.k_means import KMeansSettings, k_means

    found = k_means(points, None, STYLE_COUNT, settings=KMeansSettings(seed=seed))
    return np.asarray(found.centres), np.asarray(found.labels)


@lru_cache(maxsize=4)
def _styles(seed: int) -> tuple[NetworkStyle, ...]:
    arrays = trained("mccurley", train, seed=seed, seconds=40)
    return tuple(NetworkStyle(Network.of(arrays, f"style{number}")) for number in range(len(arrays["centres"])))


@declared("mccurley")
def agent(name: str, *, seed: Seed = 0, raises: Raises = 4, pot_fraction: PotFraction = 0.75) -> McCurley:
    """A player of heads-up games. `seed` trains other networks (0: those that ship); `raises` per round and raises of
    `pot_fraction` outside fixed limit are searched."""
    return McCurley(name, _styles(seed), extent=Extent(raises=raises, sizes=(pot_fraction,)))
