"""Who reviews played hands: a solution of their game, a push-or-fold chart, a blueprint, or any agent.

A chart also reviews hands of no-limit hold'em with its stacks and blinds, as long as everybody folds or goes all-in; a
solved spot reviews hands of hold'em that reach its board (spot_reviewer.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pokerlab.agents.agent import Agent
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.errors import BadSetting, PokerlabError, UnknownName, shortened
from pokerlab.games.poker.action import actions_of
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.lab.play.review import Opinion, Reviewer
from pokerlab.lab.play.spot_reviewer import CLOSE_STACKS, SpotReviewer
from pokerlab.strategy.files.shipped import shipped
from pokerlab.strategy.files.solution import Solution

NOT_PUSH_OR_FOLD = "the chart knows going all-in and folding before the flop alone"
BLUEPRINT = "blueprint"  # the agent that plays what comes with the package


class SolutionReviewer:
    """A solution of the game: frequencies, and EV where its form knows it."""

    def __init__(self, name: str, solution: Solution) -> None:
        self.name, self._solution = name, solution
        self.knows_ev = True
        self.exploitability = _exploitability(solution)

    def opinion(self, view: View) -> Opinion:
        """Frequencies and EV at a decision."""
        frequencies = dict(self._solution.strategy.probabilities(view))
        return Opinion(frequencies, self._solution.action_values(view) if len(frequencies) > 1 else {})


class AgentReviewer:
    """A blueprint, or another agent that states its probabilities; EV is not known."""

    knows_ev = False
    exploitability: float | None = None

    def __init__(self, name: str, policy: Any) -> None:
        self.name, self._policy = name, policy

    def opinion(self, view: View) -> Opinion:
        """Frequencies at a decision, and how a blueprint read the betting before it."""
        frequencies = dict(self._policy.probabilities(view))
        notes = self._policy.notes(view) if hasattr(self._policy, "notes") else ()
        return Opinion(frequencies, {}, tuple(dict.fromkeys(notes)))


class ChartReviewer:
    """A push-or-fold chart beside hands of no-limit hold'em with the same stacks and blinds."""

    knows_ev = True

    def __init__(self, name: str, solution: Solution, game: PokerGame) -> None:
        chart = solution.open_game()
        assert isinstance(chart, PokerGame)
        self.name, self._solution, self._chart = name, solution, chart
        _check_tables(chart, game)
        self._scale = max(game.rules.blinds) / max(chart.rules.blinds)
        own = _exploitability(solution)
        self.exploitability = None if own is None else own * self._scale

    def opinion(self, view: View) -> Opinion:
        """Folding or going all-in, with the EV of both in chips of the table."""
        betting = self._followed(view)
        read = view._replace(game=self._chart, betting=betting)
        played = dict(self._solution.strategy.probabilities(read))
        if len(played) != 2:
            raise UnknownName(NOT_PUSH_OR_FOLD)
        everything = view.spent[view.seat] + view.stacks[view.seat]
        is_call = view.legal.call >= 0 and view.to_call >= view.stacks[view.seat]
        codes = ("f", "c" if is_call or not view.legal.can_raise else f"r{everything}")
        values = self._solution.action_values(read)
        scaled = [value * self._scale for value in values.values()]
        by_code = dict(zip(codes, scaled, strict=True)) if scaled else {}
        return Opinion(dict(zip(codes, played.values(), strict=True)), by_code, is_complete=False)

    def _followed(self, view: View) -> Betting:
        """The betting of the chart after the same folds and all-ins; UnknownName after anything else."""
        game, chart = view.game, self._chart.betting
        real, read = game.betting.start(), chart.start()
        if view.round:
            raise UnknownName(NOT_PUSH_OR_FOLD)
        for action in actions_of(view.betting.history):
            seat = real.actor
            after = game.betting.act(real, action)
            all_in = game.stacks(after)[seat] == 0
            if read.actor != seat or (action.kind != "f" and not all_in):
                raise UnknownName(NOT_PUSH_OR_FOLD)
            options = chart.actions(read)
            read = chart.act(read, options[0] if action.kind == "f" else options[-1])
            real = after
        if read.actor != view.seat:
            raise UnknownName(NOT_PUSH_OR_FOLD)
        return read


def _exploitability(solution: Solution) -> float | None:
    return max(solution.exploitability, 0.0) if solution.measure.is_known else None


def _check_tables(chart: PokerGame, game: PokerGame) -> None:
    """Raise BadSetting unless a chart fits the players, blinds, antes and stacks of a game."""
    rules = [_in_big_blinds(one) for one in (chart, game)]
    names = ("blinds", "antes", "stacks")
    for name, own, other in zip(names, *rules, strict=True):
        off = CLOSE_STACKS if name == "stacks" else 1e-9
        if len(own) != len(other) or any(
            abs(one - two) > off * max(one, two) for one, two in zip(own, other, strict=True)
        ):
            shown = [", ".join(f"{one:g}" for one in values) for values in (own, other)]
            raise BadSetting(
                f"the chart is for {name} of {shown[0]} big blinds, and {game.name} has {shown[1]}: "
                "make one for these, with pokerlab solve 'push-fold(stack=...)'"
            )


def _in_big_blinds(game: PokerGame) -> tuple[tuple[float, ...], ...]:
    rules, blind = game.rules, max(game.rules.blinds) or math.nan
    stacks = rules.stacks or (math.inf,) * game.players
    return tuple(tuple(chips / blind for chips in values) for values in (rules.blinds, rules.antes, stacks))


def open_reviewer(spec: str, game: PokerGame) -> Reviewer:
    """The reviewer that a text names: a saved solution, a chart or a blueprint by its file, or an agent."""
    agent = open_agent(spec)
    return reviewer_of(agent, game, name=spec)


def reviewer_of(agent: Agent, game: PokerGame, *, name: str) -> Reviewer:
    """An agent as a reviewer; BadSetting if it is of another game or does not state its probabilities."""
    solution = getattr(agent, "solution", None)
    if solution is None or solution.strategy.has_buckets:
        return AgentReviewer(name, open_policy(agent, game))
    if solution.spot is not None and not isinstance(game, SpotGame):
        return SpotReviewer(name, solution, game)
    if _is_chart(solution) and game.rules.limit == "no" and game.dealing.public(0) == 0:
        return ChartReviewer(name, solution, game)
    open_policy(agent, game)
    return SolutionReviewer(name, solution)


def _is_chart(solution: Solution) -> bool:
    if solution.spot is not None:
        return False
    game = solution.open_game()
    return isinstance(game, PokerGame) and game.rules.limit == "push"


def reviewer_at_hand(game: PokerGame, agents: Sequence[Agent] = ()) -> Reviewer | None:
    """A reviewer at hand: one of these agents that plays a solution, or a blueprint that comes with the package."""
    for agent in agents:
        if getattr(agent, "solution", None) is not None:
            try:
                return reviewer_of(agent, game, name=agent.name)
            except PokerlabError:
                continue
    try:
        shipped(game)
        return open_reviewer(BLUEPRINT, game)
    except PokerlabError:
        return None


def no_reviewer(game: PokerGame) -> BadSetting:
    """The error if nothing at hand can review a game."""
    made = "train" if game.deck.size == 52 else "solve"
    return BadSetting(
        f"no solution of {shortened(game.name)} is at hand: make one with `pokerlab {made} {shortened(game.name)} "
        f"--out my.{'blueprint' if made == 'train' else 'solution'}` and name it with --with"
    )
