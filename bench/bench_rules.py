"""The rule engine alone: hands per second of evenly random play, without agents, referee or statistics."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from bench import Row, interleaved
from bench.bench_match import pokerkit
from pokerlab.games.poker.betting import CALL, FOLD, RAISE, Action
from pokerlab.games.poker.engine import PokerGame, View
from pokerlab.registry import load

HANDS = 5000
QUICK = {"HANDS": 50}
GAMES = {
    "heads-up no limit": "holdem-nolimit",
    "heads-up limit": "holdem-limit",
    "six players, no limit": "holdem-nolimit(players=6)",
    "five-card draw": "five-card-draw",
    "leduc": "leduc",
}


def choose(view: View, chance: random.Random) -> Action:
    """Fold, call or raise evenly, then any size; any discards."""
    fold, call, least, most, discards, _ = view.legal
    if discards >= 0:
        return Action("d", 0, tuple(chance.sample(view.cards, int(chance.random() * (discards + 1)))))
    point = int(chance.random() * (fold + (call >= 0) + (most > 0)))
    if fold and point == 0:
        return FOLD
    if point - fold == 0 and call >= 0:
        return CALL
    return (
        RAISE if view.game.betting.limit == "fixed" else Action("r", least + int(chance.random() * (most - least + 1)))
    )


def play(game: PokerGame) -> None:
    """Every decision is made from a view, and every hand is paid."""
    chance = random.Random(1)
    for cards in game.deals(np.random.default_rng(1), HANDS):
        state = game.start(cards)
        while (seat := state.betting.actor) >= 0:
            state = game.child(state, choose(game.view(state, seat), chance))
        game.returns(state)


def measure() -> Iterator[Row]:
    """Medians of interleaved runs."""
    games = {what: load("games", spec) for what, spec in GAMES.items()}
    contenders = {what: (lambda game=game: play(game)) for what, game in games.items()}
    times = interleaved(contenders | {"pokerkit": pokerkit})
    for what in GAMES:
        theirs = HANDS // 10 / times["pokerkit"] if what == "heads-up no limit" else None
        yield Row(what, HANDS / times[what], theirs, "PokerKit" if theirs else "", "hands/s", 20 if theirs else None)
