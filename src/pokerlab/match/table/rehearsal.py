"""A rehearsal: agents act on every street of hidden hands, so that everything they need is compiled in advance.

A human at a prompt, or a dealer with a clock, then never waits for compilation. Two hands are played: one of checks
and calls, one with a bet on every street. The actions are discarded, and the agents forget the hands.
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
    """Let every agent decide at each node of two hands; people and external programs are skipped.

    Returns the final states, for display.
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
    """Let an agent act; one that fails will fail again, with a proper report, in play."""
    try:
        decide(game, state, agent, rng)
    except AgentFailed:
        return False
    return True


def _step(game: PokerGame, state: State, *, bets: bool) -> Action:
    """A call, or the minimum bet if nobody has bet yet."""
    legal = game.legal(state)
    if bets and legal.call <= 0 and legal.can_raise:
        return raise_to(legal.menu[0] if legal.menu else legal.least)
    return instead(legal, CALL)
