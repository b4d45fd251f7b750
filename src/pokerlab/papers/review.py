"""A grand tournament of the players that the review describes, in the formats of the annual competition.

J. Rubin and I. Watson, "Computer poker: a review", Artificial Intelligence 175 (2011). Section 1.2 describes how
players are compared: duplicate matches, rankings by bankroll and by instant run-off, and exploitability. Here every
agent of the library that plays a game enters; nobody is listed by name, so agents that are added later join by
themselves. Beside the winnings is what is known of each agent's exploitability: exactly in Leduc hold'em, by local best
response (a lower bound) in hold'em. The review prints few numbers that can be computed again; they are in the last
table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from pokerlab.agents.opening import open_agent
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import PokerlabError
from pokerlab.events import Watch
from pokerlab.figure import Figure, Panel
from pokerlab.formats.opening import open_game
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.result import units_of
from pokerlab.match.run.ring import plan_ring, play_ring
from pokerlab.match.run.tournament import RunOff, pairings, play_tournament
from pokerlab.match.table.clock import Decisions
from pokerlab.papers._review_field import Entrants, adapts, field_of, states_probabilities
from pokerlab.papers._review_findings import Cycle, cycles_of, findings_of, learning_findings, played_again, threshold
from pokerlab.papers._review_learning import Curve, learning_curves, learning_figure
from pokerlab.papers.result import PaperResult, Rerun, Row, Table, rerunnable
from pokerlab.parallel import core_count
from pokerlab.strategy.profile import profile_of
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form

EVERYBODY = 1000  # agents


@dataclass(frozen=True)
class Event:
    """One tournament."""

    name: str
    game: str
    exploitability: str  # "exact", "local" or "": how it is measured


EVENTS = (
    Event("Leduc hold'em", "leduc", "exact"),
    Event("limit hold'em", "holdem-limit", "local"),
    Event("no-limit hold'em", "holdem-nolimit", "local"),
    Event("three-player limit hold'em", "holdem-limit(players=3)", ""),
    Event("three-player no-limit hold'em", "holdem-nolimit(players=3)", ""),
)


@dataclass(frozen=True)
class Scale:
    """The size of a run."""

    events: tuple[Event, ...]
    hands: int  # per pair
    table_hands: int  # per table of three
    most_tables: int
    budget: float  # seconds per hand that an agent may take
    most_agents: int  # in games that are too large to measure exactly; quickly, in all
    local_hands: int  # of a local best response against an agent; fewer than hundreds bound nothing
    learning_hands: int
    sessions: int
    circle_hands: int  # of each of the three matches in which the strongest circle is played again
    pair_seconds: float = inf  # that an agent may take for a pair or table; slower ones play fewer hands


QUICK = Scale((EVENTS[0], EVENTS[3]), 12, 12, 4, inf, 6, 0, 40, 2, 100)  # nobody is timed, so runs are the same
USUAL = Scale(EVENTS, 40, 24, 12, 0.012, 8, 0, 100, 3, 500)
FULL = Scale(EVENTS, 3000, 1200, 40, 0.1, EVERYBODY, 600, 3000, 12, 20_000, 3.0)


@dataclass(frozen=True)
class Standing:
    """The result of one event."""

    event: Event
    field: Entrants
    unit: str
    agents: tuple[str, ...]
    means: np.ndarray  # [agent, agent] what the row's agent wins from the column's, or where it sits
    errors: np.ndarray  # [agent, agent]
    ranking: tuple[tuple[str, float, float], ...]
    runoff: RunOff
    exploitability: dict[str, tuple[float, float]]  # with half of its interval; exact ones have 0
    decisions: Mapping[str, Decisions]  # how long they took
    again: Cycle | None  # the strongest circle, in fresh hands

    @property
    def name(self) -> str:
        """The name of the event."""
        return self.event.name

    @property
    def players(self) -> int:
        """Seats at a table."""
        return self.field.game.players


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Every event, then learning curves of the agents that adapt."""
    scale, watch = rerun.choose(quick=QUICK, usual=USUAL, full=FULL), rerun.watch
    part = 0.85 / len(scale.events)
    standings = [
        _standing(event, scale, rerun, watch.within(number * part, (number + 1) * part, event.name))
        for number, event in enumerate(scale.events)
    ]
    curves = _curves(standings[0].field, scale, rerun, watch.within(0.85, 1.0, "learning"))
    tables = [_table(one) for one in standings]
    tables += [_cycle_table(one) for one in standings if one.field.game.players == 2]
    tables.append(_printed())
    figures = [_matrix(one) for one in standings] + _circles(standings)
    figures += [learning_figure(curves)] if curves else []
    return rerun.result(
        title="Computer poker: a review. A grand tournament",
        source="J. Rubin and I. Watson, Artificial Intelligence 175 (2011)",
        tables=tables,
        figures=figures,
        findings=(*findings_of(standings), *learning_findings(curves)),
        notes=(*_notes(standings, scale), *rerun.quick_notes()),
        hands=scale.hands,
        table_hands=scale.table_hands,
    )


def _standing(event: Event, scale: Scale, rerun: Rerun, watch: Watch) -> Standing:
    """Play one event and measure its agents."""

    def tried(name: str) -> None:
        watch.at(f"trying {name}", 0.0)

    most = EVERYBODY if event.exploitability == "exact" and not rerun.quick else scale.most_agents
    field = field_of(event.game, budget=scale.budget, most=most, tried=tried)
    seed, workers = rerun.seed, 1 if rerun.quick else core_count()
    running: dict[str, Any] = {"workers": workers, "watch": _counting(watch.within(0.0, 0.8))}
    agents = list(field.agents)
    table_hands = scale.table_hands if field.game.players > 2 else scale.hands
    fewer = field.fewer(table_hands, seconds=scale.pair_seconds)
    shared: dict[str, Any] = {"hands": table_hands, "seed": seed, "fewer": fewer}
    if field.game.players > 2:
        plan = plan_ring(field.game, agents, most_tables=scale.most_tables, **shared)
        ring = play_ring(plan, **running)
        means, errors = ring.scores.cross()
        rankings, names, unit = (ring.ranking, ring.runoff), ring.scores.agents, ring.unit
        decisions: Mapping[str, Decisions] = ring.decisions
    else:
        cup = play_tournament(pairings(field.game, agents, **shared), seed=seed, **running)
        means, errors, names, unit = cup.table.means, cup.table.errors, cup.table.agents, cup.unit
        rankings, decisions = (cup.ranking, cup.runoff), cup.decisions
    again = None
    if field.game.players == 2 and (circles := cycles_of(means, errors)):
        again = played_again(field.game, names, circles[0], hands=scale.circle_hands, seed=seed)
    exploitability = _exploitability(event, field, scale, seed, watch.within(0.8, 1.0))
    return Standing(event, field, unit.rate, names, means, errors, *rankings, exploitability, decisions, again)


def _counting(watch: Watch) -> Watch:
    """A Watch for a tournament, which counts hands, that reports the share of them to this one."""
    return Watch(watch.job, lambda event: watch.at(event.message, event.done, event.total), watch.cancel)


def _exploitability(
    event: Event, field: Entrants, scale: Scale, seed: int, watch: Watch
) -> dict[str, tuple[float, float]]:
    """What a best response, or a local one, wins per hand in the unit of the event, for agents that are policies."""
    known: dict[str, tuple[float, float]] = {}
    units = units_of(field.game)
    policies = [name for name in field.agents if states_probabilities(name)] if event.exploitability else []
    form = sequence_form(build(field.game)) if event.exploitability == "exact" else None
    for number, name in enumerate(policies):
        watch.at(f"exploitability of {name}", number, len(policies))
        try:
            if form is not None:
                profile = profile_of(open_agent(name), field.game, form)  # type: ignore[arg-type]
                known[name] = form.measure(profile).exploitability * units.usual.factor, 0.0
            elif scale.local_hands:
                seats = [f"local-best-response(against={name!r})", name]
                settings = MatchSettings.of(
                    field.game, seats, hands=scale.local_hands, seed=seed, duplicate=True, adjust="all-in"
                )
                result = play_match(settings)
                won = units.usual.of((result.adjusted or result.summaries)[0])
                known[name] = won.mean, won.half_width
        except PokerlabError:  # it does not know its probabilities everywhere
            continue
    return known


def _curves(field: Entrants, scale: Scale, rerun: Rerun, watch: Watch) -> list[Curve]:
    learners = [name for name in field.agents if adapts(name)] or ["team(members='always-call,rules')"]
    sizes = {"hands": scale.learning_hands, "sessions": scale.sessions}
    return learning_curves(field.game, learners, **sizes, seed=rerun.seed, watch=watch)


def _table(standing: Standing) -> Table:
    places = {agent: place for place, agent in enumerate(standing.runoff.ranking, start=1)}
    rows = []
    for agent, mean, half in standing.ranking:
        ours: dict[str, Any] = {"bankroll": mean}
        if np.isfinite(half):
            ours["±"] = half
        ours["run-off"] = places[agent]
        if agent in standing.exploitability:
            value, width = standing.exploitability[agent]
            ours["exploitability"] = value
            if width and np.isfinite(width):
                ours["its ±"] = width
        taken = standing.decisions.get(agent, Decisions())
        rows.append(Row(agent, ours=ours, times={"decision": taken.milliseconds / 1000} if taken.made else {}))
    how = {"exact": "by best responses", "local": "at least, by local best response", "": ""}
    measured = how[standing.event.exploitability] if standing.exploitability else ""
    note = f"{standing.unit}; exploitability {measured}" if measured else standing.unit
    return Table(f"{standing.event.name}: {len(rows)} agents", rows, note=note, digits=1)


def _cycle_table(standing: Standing) -> Table:
    rows = [
        Row(
            " > ".join((*(standing.agents[agent] for agent in cycle.agents), standing.agents[cycle.agents[0]])),
            ours={"least won": cycle.least, "standard errors": cycle.errors},
        )
        for cycle in cycles_of(standing.means, standing.errors)[:5]
    ]
    rows = rows or [Row("no three agents beat each other in a circle", ours={"least won": 0.0})]
    return Table(
        f"{standing.event.name}: circles", rows, note=f"{standing.unit} of the weakest of three wins", digits=2
    )


def _matrix(standing: Standing) -> Figure:
    """What the row's agent wins where the column's agent sits."""
    means = np.nan_to_num(standing.means)
    largest = float(np.abs(means).max()) or 1.0
    text = [["" if np.isnan(won) else f"{won:+,.0f}" for won in row] for row in standing.means]
    panel = Panel(
        title=standing.event.name,
        x_label="opponent",
        y_label="agent",
        cells=0.5 + means / (2 * largest),
        cell_text=text,
        cell_label="won by the row's agent",
        cell_ends=("most lost", "most won"),
        cell_names=standing.agents,
    )
    name = "who-beats-" + "-".join(standing.event.game.replace("(", " ").replace(")", " ").replace("=", " ").split())
    return Figure(name, f"What the row's agent wins from the column's, {standing.unit}.", (panel,))


def _circles(standings: Sequence[Standing]) -> list[Figure]:
    """The strongest circle of each event for two: a panel with the three agents, and what each wins from the others."""
    panels = []
    for one in standings:
        circles = cycles_of(one.means, one.errors) if one.players == 2 else []
        if circles:
            three = list(circles[0].agents)
            won, half = one.means[np.ix_(three, three)], 1.96 * one.errors[np.ix_(three, three)]
            largest = float(np.nanmax(np.abs(won))) or 1.0
            text = [[signed_text(won[row, column], half[row, column]) for column in range(3)] for row in range(3)]
            for place in range(3):
                text[place][place] = ""
            panels.append(
                Panel(
                    title=f"{one.name}: {circles[0].errors:.1f} of {threshold(len(one.agents)):.1f}",
                    x_label="opponent",
                    y_label="agent",
                    cells=0.5 + np.nan_to_num(won) / (2 * largest),
                    cell_text=text,
                    cell_label="won by the row's agent",
                    cell_ends=("most lost", "most won"),
                    cell_names=[one.agents[agent] for agent in three],
                )
            )
    caption = (
        "Three agents that beat each other in a circle: what the row's agent wins from the column's. The numbers in "
        "titles are the standard errors of the weakest of the three wins, and how many make it significant."
    )
    return [Figure("circles", caption, tuple(panels))] if panels else []


def signed_text(mean: float, half: float) -> str:
    """A mean with half of its interval."""
    return f"{mean:+,.0f} ± {half:,.0f}"


def _printed() -> Table:
    """The printed numbers that the library's players can be asked for."""
    from pokerlab.agents.library.formula import pot_odds
    from pokerlab.agents.parts.hand_reading import read_cards

    held, board = (tuple(FULL_DECK.cards(text)) for text in ("TcJc", "2dTsKh"))
    game = open_game("holdem-limit")
    rank = read_cards(game, held, board).now  # type: ignore[arg-type]
    return Table(
        "Printed numbers",
        (
            Row("hand rank of TcJc on 2d Ts Kh", printed=902 / 1081, ours={"formula": rank}, error=rank - 902 / 1081),
            Row("pot odds of 20 into 60", printed=0.25, ours={"formula": pot_odds(20, 60)}, error=0.0),
        ),
        note="The one printed result of a match, Loki-2 over Loki-1, is in the paper simulation-players.",
    )


def _notes(standings: list[Standing], scale: Scale) -> tuple[str, ...]:
    notes = [
        f"{scale.hands:,} hands a pair, {scale.table_hands:,} a table of three, every deal from every seat; "
        "95 % intervals; the rows of a circle are the strongest found, not chosen in advance."
    ]
    for one in standings:
        hands = scale.hands if one.players == 2 else scale.table_hands
        if fewer := one.field.fewer(hands, seconds=scale.pair_seconds):
            each = ", ".join(f"{name} {most}" for name, most in fewer.items())
            notes.append(f"{one.name}: hands of pairs or tables with a slow agent: {each}.")
        if one.field.slow:
            most = 1000 * scale.budget
            notes.append(
                f"{one.event.name}: slower than {most:.0f} ms a hand and left out: {', '.join(one.field.slow)}."
            )
    return tuple(notes)
