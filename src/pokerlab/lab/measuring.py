"""How exploitable players are: any policies at the seats of a game, by explicit best responses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pokerlab.agents.opening import open_policy
from pokerlab.errors import BadSetting, PokerlabError, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.solvers.measure import measure
from pokerlab.solvers.run import Measure
from pokerlab.strategy.profile import profile_of
from pokerlab.tree.form import lay_out
from pokerlab.tree.sequence import SequenceForm


@dataclass(frozen=True)
class Measured:
    """Players at the seats of a game, and what best responses gain against them."""

    game: str
    players: tuple[str, ...]  # by seat
    measure: Measure
    pot: float  # at the start, or the largest payoff

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        found = self.measure
        return {
            "game": self.game,
            "agents": list(self.players),
            "values": list(found.values),
            "best_responses": list(found.best_responses),
            "gains": list(found.gains),
            "exploitability": found.exploitability,
            "exploitability_percent": 100 * found.exploitability / self.pot,
            "nash_conv": found.nash_conv,
        }


def measure_agents(game: str, agents: Sequence[str]) -> Measured:
    """Agents at the seats of a game, one for all of them or one for each; each must tell its probabilities."""
    table = open_game(game)
    if not isinstance(table, PokerGame):
        raise BadSetting(f"{table.name} is no poker game, and agents play at a poker table")
    if len(agents) not in (1, table.players):
        raise BadSetting(f"{table.name} has {table.players} seats: name one agent for all of them, or one for each")
    try:
        form = lay_out(table, "sequence")
    except TooLarge as problem:
        other = (
            "--learn 1000000 learns to beat one blueprint" if table.dealing.draws else "--local plays against one agent"
        )
        raise TooLarge(f"{problem}; {other}, which bounds from below what a best response wins") from problem
    assert isinstance(form, SequenceForm)
    seats = [agents[0]] * table.players if len(agents) == 1 else list(agents)
    profile, made = form.tree.uniform(), {}
    for player, name in enumerate(seats):
        if name not in made:
            made[name] = open_policy(name, table)
        slots = form.slots_of(player)
        try:
            profile[slots] = profile_of(made[name], table, form, player=player)[slots]
        except PokerlabError as problem:
            raise BadSetting(f"{name} cannot be measured: {problem}") from problem
    return Measured(table.name, tuple(seats), measure(form, profile), form.pot)
