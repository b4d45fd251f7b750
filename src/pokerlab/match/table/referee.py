"""The referee: one hand, from the deal to the payoffs, between agents that see only their views.

An action that the rules do not allow becomes one that they do (a check where that is free, a call in place of a
raise, else a fold) and is reported as a fault with its reason. An agent that raises an error has failed:
AgentFailed names it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np

from pokerlab.agents.agent import Agent, Observer
from pokerlab.errors import FAILURES, AgentFailed, IllegalAction, PokerlabError
from pokerlab.games.poker.betting import CALL, FOLD, STAND_PAT, Action, Legal, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State, View
from pokerlab.own_code import blamed

NO_ACTION = Action("")  # what stands for an answer that is no action at all


class Fault(NamedTuple):
    """An action that was not allowed."""

    seat: int
    reason: str


class Played(NamedTuple):
    """A hand that is over."""

    state: State
    payoffs: tuple[float, ...]  # by seat, chips
    faults: tuple[Fault, ...]


def play_hand(
    game: PokerGame, cards: Sequence[int], agents: Sequence[Agent], rngs: Sequence[np.random.Generator]
) -> Played:
    """Play one deal; agents and their sources of chance are in the order of seats."""
    state = game.start(cards)
    faults: tuple[Fault, ...] = ()
    view, child = game.view, game.child
    seat = state[0][1]
    while seat >= 0:
        try:
            action = agents[seat].act(view(state, seat), rngs[seat])
        except FAILURES as problem:
            raise failed(agents[seat], problem, game=game, state=state) from problem
        if type(action) is not Action or type(action[1]) is not int:
            action, faults = readable(action, seat, faults)
        try:
            state = child(state, action)
        except IllegalAction as problem:
            if action is not NO_ACTION:  # of which it is told already that it is none
                faults = (*faults, Fault(seat, str(problem)))
            state = child(state, instead(game.legal(state), action))
        seat = state[0][1]
    return tuple.__new__(Played, (state, game.returns(state), faults))  # cheaper than its own constructor


def decide(game: PokerGame, state: State, agent: Agent, rng: np.random.Generator) -> tuple[Action, str]:
    """What an agent does, made legal, and what was wrong with it where it was not: one step of `play_hand`."""
    seat = state.betting.actor
    try:
        action, faults = readable(agent.act(game.view(state, seat), rng), seat, ())
    except FAILURES as problem:
        raise failed(agent, problem, game=game, state=state) from problem
    try:
        game.verify_action(state, action)
    except IllegalAction as problem:
        return instead(game.legal(state), action), faults[0].reason if faults else str(problem)
    return action, ""


def show_end(game: PokerGame, state: State, agents: Sequence[Agent]) -> None:
    """Let those agents who want to see how a hand ended see it."""
    for seat, agent in enumerate(agents):
        if isinstance(agent, Observer):
            try:
                agent.observe(game.view(state, seat))
            except FAILURES as problem:
                raise failed(agent, problem, game=game, state=state) from problem


def instead(legal: Legal, action: Action) -> Action:
    """What an action that is not allowed becomes."""
    if legal.discards >= 0:
        return STAND_PAT
    if legal.call >= 0 and (not legal.fold or action.kind in ("c", "r")):
        return CALL
    return FOLD if legal.fold else raise_to(legal.least)


def readable(action: Any, seat: int, faults: tuple[Fault, ...]) -> tuple[Action, tuple[Fault, ...]]:
    """An action of plain numbers, or one that no game allows where an agent gave something else."""
    try:
        kind, amount, cards = action
        plain = Action(str(kind), index(amount), tuple(index(card) for card in cards))
    except (TypeError, ValueError):
        given = (
            f"{str(action)[:40]!r} is not an action: give FOLD, CALL or raise_to(total) of pokerlab.games.poker.action"
        )
        return NO_ACTION, (*faults, Fault(seat, given))
    return plain, faults


def failed(agent: Agent, problem: BaseException, *, game: PokerGame, state: State | View) -> AgentFailed:
    """The error of an agent, with its name and where it happened."""
    where = f"after {state.betting.history!r} in {game.name}"
    if isinstance(problem, PokerlabError):  # a sentence already
        return AgentFailed(f"the agent {agent.name} cannot go on {where}: {str(problem)[:300]}")
    line = blamed(problem)
    told = f"{type(problem).__name__}: {str(problem)[:200]}{', in ' * bool(line)}{line}"
    return AgentFailed(f"the agent {agent.name} failed {where}: {told}")
