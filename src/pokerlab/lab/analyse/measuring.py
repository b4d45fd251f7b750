"""The exploitability of any policies at the seats of a game, by explicit best responses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pokerlab.agents.opening import open_policy
from pokerlab.errors import BadSetting, PokerlabError, TooLarge
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.prizes.prize_game import PrizeGame
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.lab.analyse.responding import play_as
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.forms.kinds import queryable_forms
from pokerlab.tree.form import Choice, Problem, choose
from pokerlab.tree.measure import Measure


@dataclass(frozen=True)
class AgentMeasurement:
    """Players at the seats of a game, and the gains of best responses against them."""

    game: str
    players: tuple[str, ...]  # by seat
    measure: Measure
    pot: float  # at the start, or the largest payoff
    form: str = "sequence"  # that was measured

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        measure = self.measure
        return {
            "game": self.game,
            "form": self.form,
            "agents": list(self.players),
            "values": list(measure.values),
            "best_responses": list(measure.best_responses),
            "gains": list(measure.gains),
            "exploitability": measure.exploitability,
            "exploitability_percent": 100 * measure.exploitability / self.pot,
            "nash_conv": measure.nash_conv,
        }


def measure_agents(
    game: str,
    agents: Sequence[str],
    *,
    form: str = "auto",
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> AgentMeasurement:
    """Measure agents at the seats of a game, one for all or one each; each must have known probabilities.

    The form is the first that fits of those in which agents can be queried at every decision.
    """
    table = open_game(game)
    poker = table.game if isinstance(table, PrizeGame) else table
    if not isinstance(poker, PokerGame):
        raise BadSetting(f"{table.name} is not a poker game, and agents play at a poker table")
    if len(agents) not in (1, table.players):
        raise BadSetting(f"{table.name} has {table.players} seats: name one agent for all of them, or one for each")
    seats = [agents[0]] * table.players if len(agents) == 1 else list(agents)
    watch = Watch("measure", on_progress, cancel, "nodes")
    watch.at(f"opening {' and '.join(dict.fromkeys(seats))}", 0, None)
    policies = {name: open_policy(name, poker) for name in dict.fromkeys(seats)}
    problem: Problem = table.spot if isinstance(table, SpotGame) else table
    try:
        kind = (choose(problem, queryable_forms()) if form == "auto" else Choice(form)).kind
        playing = [policies[name] for name in seats] if len(policies) > 1 else [policies[seats[0]]]
        play = play_as(problem, kind, playing, watch=watch)
    except TooLarge as error:
        other = (
            "--learn 1000000 learns to beat one blueprint" if poker.dealing.draws else "--local plays against one agent"
        )
        raise TooLarge(f"{error}; {other}, which bounds from below what a best response wins") from error
    except PokerlabError as error:
        raise BadSetting(f"{' and '.join(policies)} cannot be measured: {error}") from error
    watch.at(f"best responses in {table.name}", 0, None)
    return AgentMeasurement(table.name, tuple(seats), play.form.measure(play.profile), play.form.pot, kind)


def measure_inside(
    game: str,
    agents: Sequence[str],
    *,
    seed: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> AgentMeasurement:
    """A blueprint inside its abstraction, where best responses see buckets alone; two players.

    In large games over random boards: with a `seed`, over others than those that algorithms sweep. BadSetting where
    buckets forget those of earlier rounds.
    """
    if len(agents) != 1:
        raise BadSetting(f"one blueprint is measured inside its abstraction, and {len(agents)} agents are named")
    watch = Watch("measure", on_progress, cancel)
    watch.at(f"opening {agents[0]}", 0, None)
    solution = load(agents[0].removeprefix("blueprint:"))
    if not solution.strategy.has_buckets:
        raise BadSetting(f"{agents[0]} is not a blueprint over buckets: leave out --inside")
    table = open_game(game)
    if solution.open_game().name != table.name:
        raise BadSetting(f"{agents[0]} is a blueprint of {solution.game}, not of {table.name}")
    form = solution.built_form()
    if seed is not None:
        form = form.on_other_boards(seed)
    watch.at(f"best responses inside the abstraction of {table.name}", 0, None)
    measure = form.measure_inside(form.unpack(form.pack(solution.strategy.padded())))
    return AgentMeasurement(table.name, (agents[0],) * form.players, measure, form.pot, form.kind)
