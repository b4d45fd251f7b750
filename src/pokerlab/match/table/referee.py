"""The referee: one hand, from the deal to the payoffs, between agents that see only their views.

An illegal action is replaced by a legal one (a check if that is free, a call in place of a raise, else a fold) and
reported as a fault with its reason. If an agent raises an error, AgentFailed names it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import index
from typing import Any, NamedTuple

import numpy as np

from pokerlab.agents.agent import Agent, Observer
from pokerlab.errors import AgentFailed, IllegalAction, PokerlabError, quoted
from pokerlab.games.poker.betting import CALL, FOLD, STAND_PAT, Action, Legal, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State, View
from pokerlab.match.table.clock import DecisionClock, TimeUp
from pokerlab.own_code import error_with_line, failed_line, is_ctrl_c

NO_ACTION = Action("")  # stands for a response that is not an action at all


class Fault(NamedTuple):
    """An illegal action."""

    seat: int
    reason: str


class FinishedHand(NamedTuple):
    """A finished hand."""

    state: State
    payoffs: tuple[float, ...]  # by seat, chips
    faults: tuple[Fault, ...]


def play_hand(
    game: PokerGame,
    cards: Sequence[int],
    agents: Sequence[Agent],
    rngs: Sequence[np.random.Generator],
    clock: DecisionClock | None = None,
) -> FinishedHand:
    """Play one deal; agents and their generators are in seat order. A clock limits the time of every decision."""
    state = game.start(cards)
    faults: tuple[Fault, ...] = ()
    view, child = game.view, game.child
    seat = state[0][1]
    while seat >= 0:
        try:
            if clock is not None:
                clock.start(agents[seat])
            action = agents[seat].act(view(state, seat), rngs[seat])
            if clock is not None:
                clock.stop()
        except BaseException as problem:
            if is_ctrl_c(problem):
                raise
            raise failed(agents[seat], problem, game=game, state=state, clock=clock) from problem
        if type(action) is not Action or type(action[1]) is not int:
            action, faults = readable(action, seat, faults)
        try:
            state = child(state, action)
        except IllegalAction as problem:
            if action is not NO_ACTION:  # already reported as a fault
                faults = (*faults, Fault(seat, str(problem)))
            state = child(state, instead(game.legal(state), action))
        seat = state[0][1]
    return tuple.__new__(FinishedHand, (state, game.returns(state), faults))  # cheaper than the constructor


def decide(game: PokerGame, state: State, agent: Agent, rng: np.random.Generator) -> tuple[Action, str]:
    """An agent's action, made legal, and what was wrong with it, if anything: one step of `play_hand`."""
    return choose(agent, game.view(state, state.betting.actor), rng, partial(game.verify_action, state))


def choose(agent: Agent, view: View, rng: np.random.Generator, verify: Callable[[Action], None]) -> tuple[Action, str]:
    """An agent's action at a view, made legal, and what was wrong with it; `verify` raises IllegalAction."""
    try:
        action, faults = readable(agent.act(view, rng), view.seat, ())
    except BaseException as problem:
        if is_ctrl_c(problem):
            raise
        raise failed(agent, problem, game=view.game, state=view) from problem
    try:
        verify(action)
    except IllegalAction as problem:
        return instead(view.legal, action), faults[0].reason if faults else str(problem)
    return action, ""


def show_end(game: PokerGame, state: State, agents: Sequence[Agent]) -> None:
    """Show the end of a hand to the agents that observe it."""
    for seat, agent in enumerate(agents):
        if isinstance(agent, Observer):
            observe(agent, game.view(state, seat))


def observe(agent: Agent, view: View) -> None:
    """Show a view to an agent, if it observes the ends of hands."""
    if isinstance(agent, Observer):
        try:
            agent.observe(view)
        except BaseException as problem:
            if is_ctrl_c(problem):
                raise
            raise failed(agent, problem, game=view.game, state=view) from problem


def instead(legal: Legal, action: Action) -> Action:
    """The replacement for an illegal action."""
    if legal.discards >= 0:
        return STAND_PAT
    if legal.call >= 0 and (not legal.fold or action.kind in ("c", "r")):
        return CALL
    return FOLD if legal.fold else raise_to(legal.least)


def readable(action: Any, seat: int, faults: tuple[Fault, ...]) -> tuple[Action, tuple[Fault, ...]]:
    """An action of plain numbers, or one that no game allows if the agent returned something else."""
    try:
        kind, amount, cards = action
        plain = Action(str(kind), index(amount), tuple(index(card) for card in cards))
    except (TypeError, ValueError):
        expected = "FOLD, CALL or raise_to(total) of pokerlab.games.poker.action"
        return NO_ACTION, (*faults, Fault(seat, f"{quoted(action, 40)} is not an action: return {expected}"))
    return plain, faults


def failed(
    agent: Agent,
    problem: BaseException,
    *,
    game: PokerGame,
    state: State | View,
    clock: DecisionClock | None = None,
) -> AgentFailed:
    """An agent's error, with its name and where it happened."""
    history = state.betting.history
    where = f"{f'after {history!r}' if history else 'at the first decision'} in {game.name}"
    if isinstance(problem, PokerlabError):  # already a readable message
        return AgentFailed(f"the agent {agent.name} cannot continue {where}: {str(problem)[:300]}")
    if isinstance(problem, TimeUp) and clock is not None:
        line = failed_line(problem)
        slow = f"the agent {agent.name} takes longer than {clock.seconds:g} s to act {where}"
        return AgentFailed(f"{slow}{', in ' * bool(line)}{line}; --decision-seconds sets the limit")
    return AgentFailed(f"the agent {agent.name} failed {where}: {error_with_line(problem)}")
