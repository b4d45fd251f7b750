"""lucky7: eight rule-based players, of which those that fit the state of the game decide together.

Lucky7_12, a program of the computer poker competition of 2012, eighth of eleven in no-limit hold'em, as its authors
describe it (in M. Schmid, "Game Theory and Poker", 2013, section 8.4.1): "a multi agent system that uses 8 strategies
during gameplay. By identifying the state of the game, our system chooses a set of strategies that have proved most
profitable against a set of training agents. The final decision of the system is made by averaging the decisions of the
individual agents."

Here the eight are settings of our rule-based players, and a state is the round with what there is to call. `train`
plays each of the eight against training agents and notes what the hands won in which they acted in a state; the most
profitable of a state are averaged there, as probability triples and, outside of fixed limit, bet sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from pokerlab.agents.library.formula import Formula
from pokerlab.agents.library.rules import Expert
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts import drawing
from pokerlab.agents.parts.self_play import play, trained
from pokerlab.agents.parts.situations import RAISES, situation
from pokerlab.agents.parts.triple import PotFraction, Triple, TripleAgent
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.state import View
from pokerlab.settings import whole

MEMBERS: tuple[TripleAgent, ...] = (
    Expert(),
    Expert(pot_fraction=1.5),
    Formula(),
    Formula(bet=0.7, reraise=0.85, bluff=0.02),
    Formula(bet=0.5, reraise=0.7, bluff=0.12),
    Formula(caution=-0.05, bluff=0.0),
    Formula(caution=0.15, bet=0.55),
    Formula(bet=0.62, reraise=0.75, pot_fraction=1.5),
)
TRAINING_AGENTS = ("random", "always-call", "always-raise(pot_fraction=1)", "formula", "rules")
ROUNDS, FACING = 4, RAISES + 1
HANDS = 3000  # of each pair
STACK = 2000  # chips in training, 20 big blinds: less luck in deep all-ins


@dataclass(frozen=True)
class Lucky7(TripleAgent):
    """Eight players in one."""

    label = "lucky7"
    exchange = staticmethod(drawing.exchange)
    chosen: Annotated[int, whole(1, len(MEMBERS))] = 3  # members that decide in a state
    pot_fraction: PotFraction = 0.75  # raise size outside fixed limit
    seed: Annotated[int, whole(0)] = 0  # of training; 0 is what ships

    def members(self, view: View) -> list[int]:
        """The numbers of the members that decide."""
        now = situation(view.game, view.betting)
        worth = profits(self.seed)[min(now.round, ROUNDS - 1), now.facing]
        return np.argsort(-worth, kind="stable")[: self.chosen].tolist()

    def triple_at(self, view: View, rng: np.random.Generator | None) -> Triple:
        """The average of the chosen members."""
        triples = [MEMBERS[number].triple_at(view, rng) for number in self.members(view)]
        return Triple(*(sum(parts) / len(parts) for parts in zip(*triples, strict=True)))


agent = Lucky7


@lru_cache(maxsize=4)
def profits(seed: int) -> np.ndarray:
    """What each member won on average in the hands in which it acted in a state.  # [round, facing, member]"""
    return trained("lucky7", train, seed=seed, seconds=20)["profits"]


def train(seed: int) -> dict[str, np.ndarray]:
    """Play every member against every training agent in no-limit hold'em."""
    from pokerlab.formats.opening import open_game

    game = open_game(f"holdem-nolimit(stack={STACK})")
    sums = np.zeros((ROUNDS, FACING, len(MEMBERS)))
    counts = np.zeros_like(sums)
    for number, member in enumerate(MEMBERS):
        for spec in TRAINING_AGENTS:
            agents, rng = (member, open_agent(spec)), np.random.default_rng(seed)
            for hand, cards in enumerate(game.deals(rng, HANDS)):  # every member plays the same deals
                seat, states = hand % 2, set()

                def note(actor: int, view: View, action: Action) -> None:
                    if actor == seat:  # noqa: B023
                        now = situation(game, view.betting)
                        states.add((now.round, now.facing))  # noqa: B023

                over = play(game, agents[::-1] if seat else agents, cards, rng, note)
                for state in states:
                    sums[(*state, number)] += over.payoffs[seat]
                    counts[(*state, number)] += 1
    return {"profits": (sums / np.maximum(counts, 1)).astype(np.float32)}
