"""Estimators are unbiased: over all deals and actions, payoffs keep their mean and control variates have mean zero."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from pokerlab.agents.agent import Agent
from pokerlab.agents.opening import open_agent
from pokerlab.cards.card import Deck
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.games.poker.state import State
from pokerlab.games.poker.text import read_action
from pokerlab.match.estimators.advantage import AdvantageHands
from pokerlab.match.estimators.estimator import open_estimator


class Uneven:
    """A player with known probabilities that differ by hand, board and betting."""

    def __init__(self, name: str, *, seed: int) -> None:
        self.name, self._seed = name, seed
        self._known: dict[str, dict[str, float]] = {}

    def reset(self) -> None: ...

    def act(self, view: Any, rng: np.random.Generator) -> Any:
        chances = self.probabilities(view)
        return read_action(view.game, rng.choice(list(chances), p=list(chances.values())))

    def probabilities(self, view: Any) -> dict[str, float]:
        if view.infoset not in self._known:
            texts = [view.game.action_text(action) for action in view.actions]
            rng = np.random.default_rng([self._seed, *view.infoset.encode()])
            weights = rng.random(len(texts)) * (rng.random(len(texts)) < 0.8) + 1e-3
            if len(texts) == 3:
                weights[rng.integers(3)] = 0.0  # some hands rule themselves out
            self._known[view.infoset] = dict(zip(texts, (weights / weights.sum()).tolist(), strict=True))
        return self._known[view.infoset]


class Unstated:
    """The same player, but nobody is told its probabilities."""

    def __init__(self, player: Uneven) -> None:
        self.name, self.hidden = player.name, player

    def reset(self) -> None: ...

    def act(self, view: Any, rng: np.random.Generator) -> Any:
        return self.hidden.act(view, rng)


def endings(game: PokerGame, players: list[Uneven]) -> Iterator[tuple[float, State]]:
    """Every finished hand, with its probability."""
    deals = list(permutations(range(game.deck.size), game.dealing.cards_in_deal))
    pending = [(1 / len(deals), game.start(cards)) for cards in deals]
    while pending:
        reach, state = pending.pop()
        seat = game.player(state)
        if seat < 0:
            yield reach, state
            continue
        for text, chance in players[seat].probabilities(game.view(state, seat)).items():
            if chance:
                pending.append((reach * chance, game.child(state, read_action(game, text))))


def expectations(game: PokerGame, seats: list[Agent], hidden: list[Uneven], spec: str) -> tuple[np.ndarray, ...]:
    """The mean payoff, the mean of the estimator's payoff, and that of its variates; and variances of both payoffs."""
    hands = open_estimator(spec).start(game, seats)
    assert isinstance(hands, AdvantageHands)
    plain, estimate, variates, squares = np.zeros(game.players), np.zeros(game.players), 0.0, np.zeros(2)
    for reach, state in endings(game, hidden):
        walked, paid = hands.walk(state, seats), np.array(game.returns(state))
        plain += reach * paid
        estimate += reach * walked.payoff
        variates = variates + reach * walked.variates
        adjusted = walked.payoff - hands._fit.weights @ walked.variates
        squares += reach * np.array([paid[0] ** 2, adjusted[0] ** 2])
    return plain, estimate, np.asarray(variates), squares - plain[0] ** 2


SPECS = ("aivat", "aivat(values='equity')", "mivat", "divat", "imaginary", "aivat(values='formula', imaginary=false)")
KNOWN = [(True, True), (True, False), (False, True)]


def check(game: PokerGame, spec: str, known: tuple[bool, ...]) -> np.ndarray:
    players = [Uneven(f"player {seat}", seed=seat + 5) for seat in range(game.players)]
    seats: list[Any] = [
        open_agent(player if stated else Unstated(player)) for player, stated in zip(players, known, strict=True)
    ]
    plain, estimate, variates, variances = expectations(game, seats, players, spec)
    assert estimate == pytest.approx(plain, abs=1e-9)
    assert np.abs(variates).max(initial=0.0) < 1e-9
    return variances


def opened(name: str) -> PokerGame:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return game


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("known", KNOWN)
def test_unbiased_in_kuhn(spec: str, known: tuple[bool, bool]) -> None:
    check(opened("kuhn"), spec, known)


def test_unbiased_with_three_players() -> None:
    for spec in ("aivat", "imaginary"):
        check(opened("kuhn(players=3)"), spec, (True, False, True))


SHORT = Rules(  # two boards, an all-in before them, unequal stacks and antes, and a tie that splits an even pot
    players=2,
    deck=Deck.of("KA", "cd"),
    rounds=(Round(private=1, bet=2, first=1, raises=2), Round(public=1, bet=2, raises=1), Round(public=1, bet=2)),
    antes=(1, 1),
    stacks=(5, 4),
    limit="no",
)


@pytest.mark.parametrize("spec", ["aivat(values='equity')", "imaginary"])
def test_unbiased_where_players_run_out_of_chips(spec: str) -> None:
    check(PokerGame(SHORT, "short"), spec, (True, False))


@pytest.mark.parametrize("known", [(True, False)])
@pytest.mark.parametrize("spec", SPECS[:1])
def test_unbiased_in_leduc(spec: str, known: tuple[bool, bool]) -> None:
    check(opened("leduc"), spec, known)


@pytest.mark.slow
@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("spec", SPECS)
def test_unbiased_in_leduc_with_every_estimator(spec: str, known: tuple[bool, bool]) -> None:
    check(opened("leduc"), spec, known)
