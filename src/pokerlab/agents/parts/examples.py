"""Decisions of other players as examples to learn from: what was seen, what was done, and what came of it.

Examples come from saved hands (lab/play/learning.py) or from self-play. Agents that learn see them as numbers that mean
the same in every game, `features`, so that what was learned in one game can be played in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.agents.agent import Agent
from pokerlab.agents.parts.hand_reading import read
from pokerlab.agents.parts.self_play import play
from pokerlab.agents.parts.situations import NOTHING, past_actions, situation
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View

FEATURES = (
    "strength",  # immediate hand rank against one random hand
    "positive potential",
    "negative potential",
    "pot odds",
    "facing",  # nothing 0, a bet one half, a raise 1
    "raises",  # in this round
    "opponents",  # still in, as a share of the table
    "yet to act",  # after this seat in this round, as a share of the table
    "position",
    "earlier raises",  # by opponents in earlier rounds
    "own raises",  # in the whole hand
    "depth",  # the stack in pots, up to ten
)
_MOST_RAISES = 4
_DEEP = 10.0
KINDS = "fcr"  # of actions, in the order of a triple


class Example(NamedTuple):
    """One decision."""

    view: View
    action: Action
    gain: float  # chips won from the decision on: what folding would have saved is not counted


def self_play(game: PokerGame, agents: Sequence[Agent], *, hands: int, seed: int) -> Iterator[Example]:
    """Every decision of hands between agents; the button moves."""
    rng = np.random.default_rng(seed)
    for agent in agents:
        agent.reset()
    for number, cards in enumerate(game.deals(rng, hands)):
        taken: list[tuple[View, Action]] = []
        seated = [agents[(seat + number) % len(agents)] for seat in range(len(agents))]
        over = play(game, seated, cards, rng, lambda _, view, action: taken.append((view, action)))  # noqa: B023
        yield from examples(taken, over.payoffs)


def examples(taken: Sequence[tuple[View, Action]], returns: Sequence[float]) -> Iterator[Example]:
    """The decisions of a hand with what its seats won."""
    for view, action in taken:
        yield Example(view, action, returns[view.seat] + view.spent[view.seat])


def features(view: View, rng: np.random.Generator | None = None) -> np.ndarray:
    """The situation and the hand as numbers between 0 and 1.  # [12]

    Raises BadSetting without `rng` if strength is sampled.
    """
    game, betting = view.game, view.betting
    reading, now = read(view, rng), situation(game, betting)
    past, mine = past_actions(game, view.history), 1 << view.seat
    raised = [action for action in past if action.action.kind == "r"]
    earlier = sum(action.seat != view.seat and action.before.round < betting.round for action in raised)
    own = sum(action.seat == view.seat for action in raised)
    others = max(game.players - 1, 1)
    return np.array(
        [
            reading.now,
            reading.positive,
            reading.negative,
            now.pot_odds,
            now.facing / 2,
            min(now.raises, _MOST_RAISES) / _MOST_RAISES,
            now.opponents / others,
            (betting.waiting & ~mine).bit_count() / others,
            view.seat / others,
            min(earlier, _MOST_RAISES) / _MOST_RAISES,
            min(own, _MOST_RAISES) / _MOST_RAISES,
            min(view.stacks[view.seat] / max(now.pot, 1), _DEEP) / _DEEP,
        ],
        np.float32,
    )


def group(view: View) -> int:
    """Decisions that are compared with each other: the round, and whether there is a bet to call."""
    return 2 * view.round + (situation(view.game, view.betting).facing != NOTHING)


def pot_fraction(view: View, action: Action) -> float:
    """The size of a raise as a fraction of the pot after the call; 0 in fixed limit and for other actions."""
    if action.kind != "r" or not action.amount:
        return 0.0
    betting, game = view.betting, view.game
    owed = max(betting.level - betting.live[view.seat], 0)
    return (action.amount - game.betting.antes[view.seat] - betting.level) / max(view.pot + owed, 1)


def unit(game: PokerGame) -> float:
    """What amounts are counted in: the big blind, or the first bet of a game without blinds."""
    rules = game.rules
    return float(max(*rules.blinds, rules.rounds[0].bet if not any(rules.blinds) else 0, 1))
