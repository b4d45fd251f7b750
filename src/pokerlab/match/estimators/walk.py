"""The sum of a hand's control variates: at every event, the value that came minus the value expected.

At a chance event, or at an action of a player with known probabilities, the expectation of a value over what might
have happened is known, so the difference has mean zero. Subtracting it keeps the mean of the payoff (advantage sums:
Zinkevich, Bowling, Bard, Kan and Billings, "Optimal unbiased estimators for evaluating agent performance", 2006; MIVAT
corrects chance, AIVAT also actions: Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: a new variance reduction
technique for agent evaluation in imperfect information games", 2018).

A seat with known probabilities could have held other hands and have played in the same way. With all of these instead
of the one that it held, weighted by the probability of its actions, every value and the payoff become averages over
them (imaginary observations: Bowling, Johanson, Burch and Szafron, "Strategy evaluation in extensive games with
importance sampling", 2008). The hands of the others are those that were dealt: whatever decides their actions, it does
not see that seat's hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from pokerlab.errors import AgentFailed
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.text import read_action
from pokerlab.match.estimators.path import Acted, Cards, Dealt, Path
from pokerlab.match.estimators.values import Side, ValueFunction

Chances = dict[str, np.ndarray]  # by the text of the action: [hand], or one number for a seat whose hand is given


class KnownSeat(Protocol):
    """A player with known probabilities."""

    @property
    def name(self) -> str: ...

    def chances(self, event: Acted, side: Side, hand: Cards) -> Chances:
        """The probability of each action: with each hand of the side if it is this seat's, else with `hand`."""


class Correction(NamedTuple):
    """Which events are corrected."""

    chance: bool
    actions: bool


class WalkResult(NamedTuple):
    """A payoff and its control variates."""

    payoff: np.ndarray  # [seat]
    variates: np.ndarray  # [column, seat] with mean zero


def walk(
    game: PokerGame,
    path: Path,
    side: Side,
    *,
    known: Sequence[KnownSeat | None],
    values: ValueFunction,
    correct: Correction,
) -> WalkResult:
    """The payoff of a hand for each seat, averaged over the hands of a side, and what luck contributed to it.

    `known` has the seats with known probabilities. A side with more than one hand must be one of them.
    """
    deal = values.of(path, side)
    weights = _holdable(path, side, path.first_board).astype(np.float64)
    total = np.zeros((len(values.weights), game.players))
    if correct.chance:
        total += _mean(deal.deal(), weights) - values.start(varies=side.varies)
    for event in path.events:
        if isinstance(event, Dealt):
            before = weights
            weights = weights * _holdable(path, side, event.board)
            if correct.chance:
                expected, came = deal.dealt(event)
                total += _mean(came, weights) - _mean(expected, before)
            continue
        player = known[event.before.actor]
        if player is None or not (correct.actions or event.before.actor == side.seat):
            continue
        chances = player.chances(event, side, path.hands[event.before.actor])
        text = game.action_text(event.action)
        _check_possible(game, player, event, chance=_sum(chances.get(text, 0.0), weights))
        if correct.actions:
            total += _mean(deal.acted(event, event.after), weights * chances[text])
            for other, chance in chances.items():
                after = game.betting.act(event.before, read_action(game, other))
                total -= _weighted(deal.acted(event, after), weights * chance) / weights.sum()
        weights = weights * chances[text]
    return WalkResult(_mean(deal.end(), weights), total)


def _holdable(path: Path, side: Side, board: Cards) -> np.ndarray:
    """Which hands of a side hold neither another seat's cards nor the board's.  # [hand] bool"""
    if not side.varies:
        return np.ones(1, bool)
    seen = {*board}.union(*(hand for seat, hand in enumerate(path.hands) if seat != side.seat))
    return np.array([not seen.intersection(hand) for hand in side.hands])


def _weighted(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The sum over hands; values of hands without weight do not count.  # [..., hand] -> [...]"""
    held = weights > 0
    return np.asarray(values[..., held] @ weights[held])


def _mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.asarray(_weighted(values, weights) / weights.sum())


def _sum(chance: np.ndarray | float, weights: np.ndarray) -> float:
    return float((weights * chance).sum())


def _check_possible(game: PokerGame, player: KnownSeat, event: Acted, *, chance: float) -> None:
    if not chance > 0:
        raise AgentFailed(
            f"the agent {player.name} did {game.action_text(event.action)} after {event.before.history!r} in "
            f"{game.name}, which by its own probabilities it never does there: its results cannot be adjusted by them"
        )
