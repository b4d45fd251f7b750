"""Hands of heads-up no-limit hold'em between two random agents, refereed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench import Row, interleaved
from pokerlab.agents.agent import Memoryless
from pokerlab.agents.random import Random
from pokerlab.games.betting import CALL, FOLD, Action, raise_to
from pokerlab.games.poker import PokerGame
from pokerlab.games.poker_state import View
from pokerlab.match.match import MatchSettings, play_match
from pokerlab.registry import load

HANDS = 5000


@dataclass(frozen=True)
class MenuRandom(Memoryless):
    """rlcard's choice of actions, evenly: fold, check or call, half a pot, a pot, all-in, where they are allowed."""

    label = "menu"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """One of the menu."""
        fold, _, least, most, _ = view.legal
        menu = [FOLD] if fold else []
        menu.append(CALL)
        if most:
            pot = sum(view.betting.live)
            level = view.betting.live[view.seat]
            for added in (pot // 2, pot):
                if least <= level + added < most:
                    menu.append(raise_to(level + added))
            menu.append(raise_to(most))
        return menu[int(rng.random() * len(menu))]


def ours(game: PokerGame, agent: Any, hands: int = HANDS) -> None:
    """A whole match: deals, referee, statistics."""
    play_match(MatchSettings.of(game, (agent, agent), hands=hands))


def pokerkit(hands: int = HANDS // 10) -> None:
    """The same game and policy on PokerKit's state, dealing and chip handling automatic."""
    from pokerkit import Automation, NoLimitTexasHoldem

    automations = tuple(Automation)
    chance = random.Random(1)
    for _ in range(hands):
        state = NoLimitTexasHoldem.create_state(automations, True, 0, (50, 100), 100, (20000, 20000), 2)
        while state.status:
            kinds = []
            if state.can_fold():
                kinds.append("fold")
            if state.can_check_or_call():
                kinds.append("call")
            if state.can_complete_bet_or_raise_to():
                kinds.append("raise")
            kind = kinds[int(chance.random() * len(kinds))]
            if kind == "fold":
                state.fold()
            elif kind == "call":
                state.check_or_call()
            else:
                least = state.min_completion_betting_or_raising_to_amount
                most = state.max_completion_betting_or_raising_to_amount
                state.complete_bet_or_raise_to(least + int(chance.random() * (most - least + 1)))


def rlcard(hands: int = HANDS // 10) -> None:
    """rlcard's own environment of the same game, its actions drawn evenly, but no folds where a check is free."""
    import rlcard as peer

    environment = peer.make("no-limit-holdem", config={"seed": 1, "chips_for_each": 200})
    chance = random.Random(1)

    class Even:
        use_raw = False

        def eval_step(self, state: Any) -> tuple[int, dict[str, Any]]:
            actions = list(state["legal_actions"])
            seen = state["raw_obs"]
            if seen["my_chips"] == max(seen["all_chips"]) and actions[0] == 0:
                del actions[0]
            return actions[int(chance.random() * len(actions))], {}

    environment.set_agents([Even(), Even()])
    for _ in range(hands):
        environment.run(is_training=False)


def measure() -> Iterator[Row]:
    """Medians of interleaved runs."""
    game = load("games", "holdem-nolimit")
    shared = load("games", "holdem-nolimit(stack=200, blinds=(1, 2))")
    times = interleaved(
        {
            "ours": lambda: ours(game, Random()),
            "pokerkit": pokerkit,
            "menu": lambda: ours(shared, MenuRandom()),
            "rlcard": rlcard,
        }
    )
    rate = {name: (HANDS if name in ("ours", "menu") else HANDS // 10) / seconds for name, seconds in times.items()}
    yield Row("random, any size", rate["ours"], rate["pokerkit"], "PokerKit", "hands/s", 20)
    yield Row("random, menu of five", rate["menu"], rate["rlcard"], "rlcard", "hands/s", 10)
