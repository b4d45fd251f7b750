"""A rehearsal: agents are asked at every street of hands that nobody sees, so that what they need is compiled before.

A person at a prompt, or a dealer with a clock, then waits for no kernel. Two hands are walked: one of checks and calls,
one with a bet on every street. What an agent answers is thrown away, and it forgets all of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.agents.agent import Agent, is_repeatable, needs_one_process
from pokerlab.errors import AgentFailed
from pokerlab.games.poker.betting import CALL, Action, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.match.table.referee import decide, instead


def rehearse(game: PokerGame, agents: Sequence[Agent]) -> list[State]:
    """Let every agent decide everywhere on the way through two hands; people and other programs are not asked.

    How the hands end is given back, for those who show it.
    """
    rehearsing = [agent for agent in agents if is_repeatable(agent) and not needs_one_process(agent)]
    asked, ends = list(rehearsing), []
    for bets in (False, True):
        rng = np.random.default_rng(0)
        state = game.start(game.deal(rng))
        while game.player(state) >= 0:
            asked = [agent for agent in asked if _decides(game, state, agent, rng)]
            state = game.child(state, _step(game, state, bets=bets))
        game.returns(state)
        ends.append(state)
    for agent in rehearsing:
        agent.reset()
    return ends


def _decides(game: PokerGame, state: State, agent: Agent, rng: np.random.Generator) -> bool:
    """Ask an agent; one that fails will fail again, and be told of, where it plays."""
    try:
        decide(game, state, agent, rng)
    except AgentFailed:
        return False
    return True


def _step(game: PokerGame, state: State, *, bets: bool) -> Action:
    """A call, or the least bet where nobody has bet yet."""
    legal = game.legal(state)
    if bets and legal.call <= 0 and legal.can_raise:
        return raise_to(legal.menu[0] if legal.menu else legal.least)
    return instead(legal, CALL)
