"""Teams of counter-strategies: a coach who picks among several, against one equilibrium strategy, in Leduc hold'em.

J. Rubin and I. Watson, "Computer poker: A review", 2011, section 5.2.4: Johanson and others show that a team of robust
counter-strategies makes more profit against a set of opponents than one approximate equilibrium strategy does. The
review has no numbers. We do the same in Leduc: a restricted Nash response to each of some opponents, exactly by linear
programs (as `exploit` does), and UCB1 as the coach (agents/library/team.py). What a member or the equilibrium wins is
exact; what the team wins is a match."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from pokerlab.agents.library.strategy import StrategyAgent
from pokerlab.agents.library.team import Team
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.statistics import Summary
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable
from pokerlab.solvers.analysis.restricted_program import solve_restricted
from pokerlab.solvers.analysis.restriction import held_for_the_game
from pokerlab.strategy.forms.kinds import profile_in
from pokerlab.strategy.forms.sequence import named
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

COUNTERED = ("always-call", "always-raise", "formula", "rules", "random")
STRANGERS = ("probe", "formula(bet=0.45, bluff=0.3)", "formula(caution=-0.2, bluff=0.0)")
P = 0.75  # how often the opponent is assumed to play as known
EXPLORATION = 0.2  # of UCB1: payoffs vary by a sixth of the span that the stakes allow
BRITTLE, ROBUST = "best responses", "robust counters"


@dataclass(frozen=True, eq=False)
class Laboratory:
    """Leduc, the opponents and the strategies."""

    game: PokerGame
    form: SequenceForm
    opponents: dict[str, np.ndarray]  # profiles [A]
    equilibrium: np.ndarray  # [A]
    members: dict[str, np.ndarray]  # [A], by the opponent that each is a counter-strategy to

    def wins(self, profile: np.ndarray, opponent: str) -> float:
        """What a profile wins per hand against an opponent, the mean of both seats; exact."""
        won = []
        for seat in (0, 1):
            mixed, own = self.opponents[opponent].copy(), self.form.slots_of(seat)
            mixed[own] = profile[own]
            won.append(float(self.form.expected_values(mixed)[seat]))
        return sum(won) / 2


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Eight opponents, five of them countered by a member of each team."""
    everybody = COUNTERED + STRANGERS
    opponents = rerun.choose(quick=(*COUNTERED[:2], STRANGERS[0]), usual=everybody, full=everybody)
    countered = tuple(spec for spec in opponents if spec in COUNTERED)
    hands, block = rerun.choose(quick=(1000, 500), usual=(12_000, 6000), full=(200_000, 20_000))
    robust = laboratory(opponents, countered, P)
    brittle = replace(robust, members=_members(robust, 1.0))
    rows, played, total = [], {ROBUST: [], BRITTLE: []}, len(opponents) * 2
    for number, opponent in enumerate(opponents):
        ours: dict[str, float | str] = {"equilibrium": robust.wins(robust.equilibrium, opponent)}
        for place, (label, team) in enumerate(((ROBUST, robust), (BRITTLE, brittle))):
            rerun.watch.at(f"{label} against {opponent}", (2 * number + place) / total)
            won = match(team, opponent, hands=hands, block=block, seed=rerun.seed)
            played[label].append(won)
            ours |= {f"team of {label}": won.mean, f"± {label}": won.half_width}
        ours["best member"] = max(robust.wins(member, opponent) for member in robust.members.values())
        rows.append(Row(f"{opponent}{'' if opponent in countered else ' (stranger)'}", ours=ours))
    equilibrium = [robust.wins(robust.equilibrium, opponent) for opponent in opponents]
    return rerun.result(
        title="Teams of counter-strategies and a coach",
        source="J. Rubin and I. Watson, Artificial Intelligence 175 (2011), section 5.2.4; "
        "M. Johanson, M. Zinkevich and M. Bowling, NIPS 2007",
        tables=(Table("Chips per hand in Leduc hold'em, seats changing", rows, digits=3), _members_table(robust)),
        findings=[_finding(label, equilibrium, won) for label, won in played.items()],
        notes=(
            f"Each match of {hands:,} hands starts again without memory every {block:,} hands.",
            f"Robust counters assume that the opponent plays as known with probability {P:g}.",
            *rerun.quick_notes(),
        ),
    )


def laboratory(opponents: tuple[str, ...], countered: tuple[str, ...], p: float) -> Laboratory:
    """The game, an equilibrium, and a counter-strategy to each countered opponent."""
    game = open_game("leduc")
    form = sequence_form(build(game))
    profiles = {spec: profile_in(open_policy(spec, game), game, form) for spec in opponents}
    members = {spec: counter(form, profiles[spec], p) for spec in countered}
    return Laboratory(game, form, profiles, counter(form, next(iter(profiles.values())), 0.0), members)


def _members(one: Laboratory, p: float) -> dict[str, np.ndarray]:
    return {spec: counter(one.form, one.opponents[spec], p) for spec in one.members}


def counter(form: SequenceForm, model: np.ndarray, p: float) -> np.ndarray:
    """The restricted Nash response to a model, in both seats; with p = 1 the best response, with 0 an equilibrium."""
    profile = form.uniform()  # [A]
    for seat in (0, 1):
        if p == 1:
            found = form.best_response(model, seat).profile
        else:
            found = form.behaviour(solve_restricted(form, held_for_the_game(form, model, p, player=1 - seat))[0])
        own = form.slots_of(seat)
        profile[own] = found[own]
    return profile


def match(one: Laboratory, opponent: str, *, hands: int, block: int, seed: int) -> Summary:
    """What a coached team of the members wins."""
    caller = open_agent("always-call")
    members = [
        StrategyAgent(named(one.form, profile), name=f"counter to {spec}", fallback=caller)
        for spec, profile in one.members.items()
    ]
    team = Team(list(members), name="team", exploration=EXPLORATION, stakes=0.0)
    settings = MatchSettings.of(one.game, [team, opponent], hands=hands, block=block, seed=seed)
    return play_match(settings).summaries[0]


def _finding(label: str, equilibrium: list[float], won: list[Summary]) -> Finding:
    """Whether a team wins more than the equilibrium on average over the opponents, with 95 % confidence."""
    gain = float(np.mean([summary.mean - exact for summary, exact in zip(won, equilibrium, strict=True)]))
    error = 1.96 * sqrt(sum(summary.standard_error**2 for summary in won)) / len(won)
    holds = None if abs(gain) <= error else gain > 0
    return Finding(
        f"a coached team of {label} wins more than one equilibrium strategy against these opponents",
        holds,
        f"{gain:+.3f} ± {error:.3f} chips per hand more, on average over {len(won)} opponents",
    )


def _members_table(one: Laboratory) -> Table:
    """What every member wins from every opponent."""
    rows = [
        Row(opponent, ours={f"to {spec}": one.wins(member, opponent) for spec, member in one.members.items()})
        for opponent in one.opponents
    ]
    return Table("What each robust counter wins alone, exactly", rows, digits=3)
