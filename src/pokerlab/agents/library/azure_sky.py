"""azure-sky: neural networks trained by SARSA, and a bandit that finds the one that wins.

Azure Sky, a program of the computer poker competition of 2012, ninth of eleven in no-limit hold'em. Its authors say no
more than "SARSA trained neural nets, k-armed bandits, secret sauce" (in M. Schmid, "Game Theory and Poker", 2013,
section 8.4.1); everything else is ours, and there is no sauce.

A network estimates what each action is worth, in pots, from the hand's strength and the state of the betting. In
training (`train`) it plays hands with a share of random actions, and after each hand moves the value of every action
towards the value of the action taken at the next decision, less what was paid until then (Rummery and Niranjan,
"On-line Q-learning using connectionist systems", 1994, undiscounted). There is a network for each training opponent. At
the table the coach of parts/coach.py, UCB1, picks a network for every hand by what it has won so far."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np

from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.coach import Coach, most_lost, scaled
from pokerlab.agents.parts.learning_inputs import WIDTH, decision_inputs, in_pots, own_strength
from pokerlab.agents.parts.network import Network, Trainer
from pokerlab.agents.parts.search_tree import check_heads_up
from pokerlab.agents.parts.self_play import play, trained
from pokerlab.agents.parts.triple import sized
from pokerlab.formats.acpc import returns_of
from pokerlab.games.poker.action import CALL, FOLD, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import UNLIMITED
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, number, whole

OPPONENTS = ("itself", "always-call", "formula", "random(sizes=least)")  # of training, one network for each
SIZES = (0.5, 1.0, 1e6)  # of raises, in pots; the last is all-in
OUTPUTS = 2 + len(SIZES)
HIDDEN, HANDS, BATCH, STEPS = 24, 20_000, 50, 8
RANDOM_SHARE = 0.25  # of actions at the start of training; falls to a fifth
NOBODY = -1


class Step(NamedTuple):
    """A decision of one seat in training."""

    inputs: np.ndarray
    action: int
    pot: int
    spent: int


class Sarsa:
    """A player by a network; in training it notes its decisions."""

    name = "sarsa"

    def __init__(self, network: Network, *, random_share: float = 0.0) -> None:
        self.network = network
        self.random_share = random_share
        self.steps: dict[int, list[Step]] = {0: [], 1: []}  # of the current hand, by seat, if it notes them
        self.notes = False

    def act(self, view: View, rng: np.random.Generator) -> Action:
        inputs = decision_inputs(view, own_strength(view))
        options = legal_options(view)
        values = self.network.outputs(inputs[None])[0]
        best = max(options, key=lambda option: 0.0 if option == 0 else values[option])
        if self.random_share and rng.random() < self.random_share:
            best = list(options)[int(rng.integers(len(options)))]
        if self.notes:
            self.steps[view.seat].append(Step(inputs, best, view.pot, view.spent[view.seat]))
        return options[best]

    def reset(self) -> None:
        """Do nothing: the network stays."""


def legal_options(view: View) -> dict[int, Action]:
    """The legal actions by output: fold, call, and raises of different sizes."""
    legal, found = view.legal, {}
    if legal.fold:
        found[0] = FOLD
    if legal.call >= 0:
        found[1] = CALL
    if legal.can_raise:
        for number_, size in enumerate(SIZES):
            action = sized(view, legal, size)
            if action not in found.values():
                found[2 + number_] = action
    return found


class AzureSky:
    """Networks and a bandit."""

    def __init__(self, name: str, networks: tuple[Network, ...], *, exploration: float) -> None:
        self.name = name
        self.players = [Sarsa(network) for network in networks]
        self.coach = Coach(len(networks), exploration=exploration)
        self._playing = NOBODY
        self._played: Counter[str] = Counter()

    def check_game(self, game: PokerGame) -> None:
        check_heads_up(game, self.name)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        if self._playing == NOBODY:
            self._playing = self.coach.choice()
            self._played[f"the network trained against {OPPONENTS[self._playing]} played the hand"] += 1
        return self.players[self._playing].act(view, rng)

    def observe(self, view: View) -> None:
        """Add the payoff of the network that played."""
        won = returns_of(view)
        if self._playing != NOBODY and won is not None:
            most = min(most_lost(view.game), UNLIMITED)
            self.coach.add(self._playing, scaled(won[view.seat], most))
        self._playing = NOBODY

    def reset(self) -> None:
        """Forget how the networks fared."""
        self.coach.reset()
        self._playing = NOBODY

    def remarks(self) -> Counter[str]:
        """How often each network was chosen."""
        played, self._played = self._played, Counter()
        return played


def train(seed: int) -> dict[str, np.ndarray]:
    """A network against each training opponent, in no-limit hold'em of 20 big blinds."""
    arrays = {}
    for number_, opponent in enumerate(OPPONENTS):
        network = train_network(opponent, seed=seed + number_, hands=HANDS)
        arrays |= network.arrays(f"network{number_}")
    return {name: array.astype(np.float32) for name, array in arrays.items()}


def train_network(opponent: str, *, seed: int, hands: int) -> Network:
    """SARSA against one opponent."""
    from pokerlab.formats.opening import open_game

    game, rng = open_game("holdem-nolimit(stack=2000)"), np.random.default_rng(seed)
    trainer = Trainer(Network.random(WIDTH, HIDDEN, OUTPUTS, rng), rate=0.004)
    learner = Sarsa(trainer.network)
    learner.notes = True
    other = learner if opponent == "itself" else open_agent(opponent)
    batch: list[tuple[list[Step], float]] = []
    for hand, cards in enumerate(game.deals(rng, hands)):
        learner.random_share = RANDOM_SHARE * (1 - 0.8 * hand / hands)
        seat = hand % 2
        agents = (other, learner) if seat else (learner, other)
        over = play(game, agents, cards, rng, lambda *_: None)
        batch += [(learner.steps[one], over.payoffs[one]) for one in (0, 1) if learner.steps[one]]
        learner.steps = {0: [], 1: []}
        if (hand + 1) % BATCH == 0 and batch:
            for _ in range(STEPS):
                sarsa_step(trainer, batch)
            batch = []
    return trainer.network


def sarsa_step(trainer: Trainer, batch: list[tuple[list[Step], float]]) -> None:
    """Move the values of the actions taken in some hands towards their targets."""
    steps = [step for hand, _ in batch for step in hand]
    inputs = np.array([step.inputs for step in steps])
    outputs = trainer.network.outputs(inputs)
    slopes, row = np.zeros_like(outputs), 0
    for hand, payoff in batch:
        for place, step in enumerate(hand):
            if place + 1 < len(hand):
                later = hand[place + 1]
                value = 0.0 if later.action == 0 else outputs[row + 1, later.action]
                chips = value * later.pot - (later.spent - step.spent)
            else:
                chips = payoff + step.spent
            if step.action:  # a fold is worth 0 and needs no estimate
                slopes[row, step.action] = outputs[row, step.action] - in_pots(chips, step.pot)
            row += 1
    trainer.step(inputs, slopes)


@lru_cache(maxsize=4)
def _networks(seed: int) -> tuple[Network, ...]:
    arrays = trained("azure-sky", train, seed=seed, seconds=100)
    return tuple(Network.of(arrays, f"network{number_}") for number_ in range(len(OPPONENTS)))


@declared("azure-sky")
def agent(
    name: str, *, exploration: Annotated[float, number(0, 1e6)] = 0.4, seed: Annotated[int, whole(0)] = 0
) -> AzureSky:
    """A player of heads-up games. `exploration` multiplies the bonus of UCB1 for networks that were tried rarely;
    `seed` trains other networks (0: those that ship)."""
    return AzureSky(name, _networks(seed), exploration=exploration)
