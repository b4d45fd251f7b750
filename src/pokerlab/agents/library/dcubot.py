"""dcubot: reads the opponent's hand by a hidden Markov model, and acts by a network with twelve ranges of bets.

A program of the computer poker competition of 2012, tenth of eleven in no-limit hold'em, as its authors describe it (in
M. Schmid, "Game Theory and Poker", 2013, section 8.4.1): "a structure like a Neural Net" generates its actions, and a
hidden Markov model interprets those of the opponent. "For any decision, the range of betting between a min-bet and
all-in is divided into at most twelve sub-ranges. The structure then selects a fold, call, min-bet, all-in or one of
these sub-ranges. If a sub-range is selected, the actual raise amount is drawn from a quadratic distribution between the
end-points of the sub-range", which are learned as the rest is: by reinforcement in self-play.

Here the structure is a network of one layer, and all is trained by policy gradients (Williams, "Simple statistical
gradient-following algorithms for connectionist reinforcement learning", 1992): what a hand won after a decision, in
pots and less what another network expected, makes the choice and the end-points of its range more or less likely
(`train`). Amounts are on a logarithmic scale from the least to the largest raise. The hidden Markov model counts the
actions of the player itself (parts/hand_hmm.py). The original's quadratic distribution is not given; ours is 6 t (1 -
t)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np

from pokerlab.agents.parts.hand_hmm import FACING, STATES, SYMBOLS, HandModel, beaten, state_of, strength_moves, symbol
from pokerlab.agents.parts.learning_inputs import WIDTH, decision_inputs, in_pots, own_strength
from pokerlab.agents.parts.network import Network, Trainer, softmax
from pokerlab.agents.parts.search_tree import check_heads_up
from pokerlab.agents.parts.self_play import play, trained
from pokerlab.agents.parts.situations import past_actions
from pokerlab.games.poker.action import CALL, FOLD, RAISE, Action
from pokerlab.games.poker.betting import raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, whole

RANGES = 12
FOLDING, CALLING, LEAST, ALL_IN = range(4)  # outputs; the sub-ranges follow
OUTPUTS = 4 + RANGES
INPUTS = WIDTH + 2  # and what the reading says of the opponent's hand
HIDDEN, HANDS, BATCH = 24, 24_000, 60
RATE, ENTROPY, EDGE_RATE, FORGET = 0.004, 0.03, 0.002, 0.97
NARROWEST = 0.01  # range of bets


class Choice(NamedTuple):
    """A decision in training."""

    inputs: np.ndarray
    legal: np.ndarray  # [output] bool
    chosen: int
    part: float  # of the sub-range, 0 to 1; nan outside of sub-ranges
    pot: int
    spent: int


class DcuBot:
    """A policy network with a reading of the opponent's hand."""

    def __init__(self, name: str, network: Network, hands: HandModel, edges: np.ndarray) -> None:
        self.name = name
        self.network, self.hands = network, hands
        self.edges = edges  # [RANGES + 1] end-points of the sub-ranges, from 0, the least raise, to 1, all-in
        self.choices: dict[int, list[Choice]] = {0: [], 1: []}
        self.notes = False

    def check_game(self, game: PokerGame) -> None:
        check_heads_up(game, self.name)

    def reset(self) -> None:
        """Do nothing: it learned in training alone."""

    def reading(self, view: View) -> np.ndarray:
        """The chances of the states of the opponent's hand.  # [state]"""
        return self.hands.read(view.game, past_actions(view.game, view.history), 1 - view.seat, view.round)

    def inputs(self, view: View) -> np.ndarray:
        """The situation, and the chance to be ahead of the hand that was read.  # [INPUTS]"""
        strength, chances = own_strength(view), self.reading(view)
        ahead = beaten(chances, strength)
        return np.array([*decision_inputs(view, strength), ahead, ahead**3])

    def chances(self, view: View) -> np.ndarray:
        """The probability of each output.  # [OUTPUTS]"""
        return _probabilities(self.network, self.inputs(view)[None], legal_outputs(view)[None])[0]

    def act(self, view: View, rng: np.random.Generator) -> Action:
        inputs, legal = self.inputs(view), legal_outputs(view)
        chances = _probabilities(self.network, inputs[None], legal[None])[0]
        chosen = int(rng.choice(OUTPUTS, p=chances))
        part = float(rng.beta(2, 2))  # its density is quadratic
        if self.notes:
            noted = part if chosen > ALL_IN else float("nan")
            self.choices[view.seat].append(Choice(inputs, legal, chosen, noted, view.pot, view.spent[view.seat]))
        return self.action(view, chosen, part)

    def action(self, view: View, chosen: int, part: float) -> Action:
        """An output as an action; in a sub-range, at some part of it."""
        if chosen in (FOLDING, CALLING):
            return (FOLD, CALL)[chosen]
        legal = view.legal
        if view.game.betting.limit == "fixed":
            return RAISE
        if chosen in (LEAST, ALL_IN):
            return raise_to(legal.least if chosen == LEAST else legal.most)
        low, high = self.edges[chosen - ALL_IN - 1 : chosen - ALL_IN + 1]
        return raise_to(legal.nearest(round(legal.least * (legal.most / legal.least) ** (low + part * (high - low)))))


def legal_outputs(view: View) -> np.ndarray:
    """Which outputs are allowed.  # [OUTPUTS] bool"""
    legal = view.legal
    found = np.zeros(OUTPUTS, np.bool_)
    found[FOLDING], found[CALLING], found[LEAST] = legal.fold, legal.call >= 0, legal.can_raise
    if legal.can_raise and legal.most > legal.least and view.game.betting.limit != "fixed":
        found[ALL_IN:] = True
    return found


def _probabilities(network: Network, inputs: np.ndarray, legal: np.ndarray) -> np.ndarray:
    return softmax(np.where(legal, network.outputs(inputs), -1e9))


class Training:
    """Policy gradients in self-play."""

    def __init__(self, game: PokerGame, rng: np.random.Generator) -> None:
        self.game, self.rng = game, rng
        self.policy = Trainer(Network.random(INPUTS, HIDDEN, OUTPUTS, rng), rate=RATE)
        self.critic = Trainer(Network.random(INPUTS, HIDDEN, 1, rng), rate=RATE)
        hands = HandModel(strength_moves(game, rng, 1000), np.zeros((FACING, STATES, SYMBOLS)))
        self.player = DcuBot("dcubot", self.policy.network, hands, np.linspace(0, 1, RANGES + 1))
        self.player.notes = True

    def run(self, hands: int) -> None:
        """Play against itself, and learn after each batch."""
        batch: list[tuple[Choice, float]] = []
        for number, cards in enumerate(self.game.deals(self.rng, hands)):
            over = play(self.game, (self.player, self.player), cards, self.rng, self._count)
            for seat in (0, 1):
                won = over.payoffs[seat]
                batch += [(one, in_pots(won + one.spent, one.pot)) for one in self.player.choices[seat]]
                self.player.choices[seat] = []
            if (number + 1) % BATCH == 0:
                self._learn(batch)
                batch = []

    def _count(self, seat: int, view: View, action: Action) -> None:
        """Count an action under the state of the hand that took it."""
        game = self.game
        [past] = past_actions(game, game.betting.act(view.betting, action).history.rstrip("/"))[-1:]
        self.player.hands.emissions[past.situation.facing, state_of(own_strength(view)), symbol(game, past)] += 1

    def _learn(self, batch: list[tuple[Choice, float]]) -> None:
        inputs = np.array([one.inputs for one, _ in batch])
        legal = np.array([one.legal for one, _ in batch])
        won = np.array([value for _, value in batch])
        expected = self.critic.network.outputs(inputs)[:, 0]
        gain = won - expected
        self.critic.step(inputs, (expected - won)[:, None])
        gain = gain / max(gain.std(), 1e-6)
        chances = _probabilities(self.policy.network, inputs, legal)
        chosen = np.eye(OUTPUTS)[[one.chosen for one, _ in batch]]
        surprise = np.where(chances > 0, np.log(np.maximum(chances, 1e-12)), 0.0)
        mixing = chances * (surprise - (chances * surprise).sum(axis=1, keepdims=True))
        self.policy.step(inputs, gain[:, None] * (chances - chosen) + ENTROPY * mixing)
        self._move_edges([one for one, _ in batch], gain)
        self.player.hands.emissions[:] *= FORGET

    def _move_edges(self, choices: list[Choice], gain: np.ndarray) -> None:
        """Move the end-points towards amounts that paid: the gradient of the logarithm of 6 t (1 - t) / width."""
        edges, slopes = self.player.edges, np.zeros(RANGES + 1)
        for one, value in zip(choices, gain, strict=True):
            if one.chosen > ALL_IN:
                low = one.chosen - ALL_IN - 1
                width, part = edges[low + 1] - edges[low], min(max(one.part, 0.05), 0.95)
                pull = 1 / part - 1 / (1 - part)
                slopes[low] += value * (1 + pull * (part - 1)) / width
                slopes[low + 1] += value * (-1 - pull * part) / width
        moved = edges + EDGE_RATE * np.tanh(slopes / len(choices))
        widths = np.maximum(np.diff(np.concatenate([[0.0], moved[1:-1], [1.0]])), NARROWEST)
        self.player.edges = np.concatenate([[0.0], np.cumsum(widths) / widths.sum()])


def train(seed: int, hands: int = HANDS) -> dict[str, np.ndarray]:
    """The network, the model of hands and the end-points, by self-play in no-limit hold'em of 20 big blinds."""
    from pokerlab.formats.opening import open_game

    training = Training(open_game("holdem-nolimit(stack=2000)"), np.random.default_rng(seed))
    training.run(hands)
    player = training.player
    arrays = player.network.arrays("policy") | player.hands._asdict() | {"edges": player.edges}
    return {name: array.astype(np.float32) for name, array in arrays.items()}


@lru_cache(maxsize=4)
def _parts(seed: int) -> tuple[Network, HandModel, np.ndarray]:
    arrays = trained("dcubot", train, seed=seed, seconds=120)
    hands = HandModel(*(arrays[field].astype(np.float64) for field in HandModel._fields))
    return Network.of(arrays, "policy"), hands, arrays["edges"].astype(np.float64)


@declared("dcubot")
def agent(name: str, *, seed: Annotated[int, whole(0)] = 0) -> DcuBot:
    """A player of heads-up games. `seed` trains other networks (0: those that ship)."""
    return DcuBot(name, *_parts(seed))
