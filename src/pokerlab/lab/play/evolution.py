"""Evolution of the players `nicolai` and `noble`: generations of networks, selected by how they play.

`by_tournaments` (Nicolai and Hilderman) seats members of all populations, and some of the hall of fame, at the tables
of freeze-outs; in each population those with the best average place are the parents. `by_pareto` (Noble) lets each
member play against several members of the other population; parents are taken from the best Pareto fronts of these
winnings. A child's weights are a biased sum of those of two parents, with noise; parents stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from pokerlab.agents.agent import Agent
from pokerlab.agents.library import nicolai, noble
from pokerlab.agents.parts.evolved import Shape, save_genes
from pokerlab.agents.parts.network import Network
from pokerlab.agents.parts.self_play import play
from pokerlab.errors import BadSetting
from pokerlab.events import Cancelled, CancelToken, OnProgress, Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.play.playing import open_poker
from pokerlab.match.run.contest import ContestRules, Stacks
from pokerlab.match.table.blinds import read_schedule
from pokerlab.match.table.stacked import StackedTable
from pokerlab.settings import check_fields, number, whole
from pokerlab.solvers.evolve.genetic import select

PLAYERS = {"nicolai": nicolai.SHAPE, "noble": noble.SHAPE}
USUAL = {"nicolai": {"contests": 3, "hands": 60, "seats": 9}, "noble": {"contests": 3, "hands": 16, "seats": 6}}


@dataclass(frozen=True)
class EvolutionSettings:
    """How players are evolved."""

    player: str
    generations: Annotated[int, whole(0, 100_000)] = 30
    populations: Annotated[int, whole(1, 10)] = 2
    members: Annotated[int, whole(4, 10_000)] = 18  # of each population
    contests: Annotated[int, whole(1, 1000)] = 2  # freeze-outs, or opponents, of each member and generation
    hands: Annotated[int, whole(1, 100_000)] = 60  # at most of a freeze-out; with each opponent of `noble`
    hall: Annotated[int, whole(0, 8)] = 2  # seats of a table for the hall of fame
    survivors: Annotated[float, number(0.05, 0.9)] = 0.25
    noise: Annotated[float, number(0, 10)] = 0.15  # standard deviation of mutations
    seats: Annotated[int, whole(2, 9)] = 9
    seed: Annotated[int, whole(0)] = 0

    def __post_init__(self) -> None:
        if self.player not in PLAYERS:
            raise BadSetting(f"{self.player[:40]!r} is not evolved; those that are: {', '.join(PLAYERS)}")
        check_fields(self)


@dataclass(frozen=True, eq=False)
class Evolved:
    """The fittest member of the last generation."""

    settings: EvolutionSettings
    genes: np.ndarray  # [gene]
    fitness: tuple[float, ...]  # of the best member, by generation: average place, or winnings in big blinds

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "agent": self.settings.player,
            "generations": self.settings.generations,
            "fitness": list(self.fitness),
            "numbers": len(self.genes),
            "seed": self.settings.seed,
        }

    def save(self, path: object) -> None:
        """Write the file that the agent plays from."""
        save_genes(str(path), self.settings.player, self.genes, vars(self.settings))


def evolve(
    settings: EvolutionSettings, *, on_progress: OnProgress | None = None, cancel: CancelToken | None = None
) -> Evolved:
    """Evolve a player from random networks; cancelling, or Ctrl-C, returns the last complete generation, if any."""
    shape, rng = PLAYERS[settings.player], np.random.default_rng(settings.seed)
    populations = [rng.normal(0, 0.5, (settings.members, shape.genes)) for _ in range(settings.populations)]
    contest = _Tournaments(settings) if settings.player == "nicolai" else _Winnings(settings)
    best, history = populations[0][0], list[float]()
    with (cancel or CancelToken()).on_interrupt() as token, suppress(Cancelled):
        watch = Watch("evolve", on_progress, token, "generations")
        for generation in range(settings.generations):
            watch.at("evolving", generation, settings.generations)
            scores = contest.scores(populations, rng, watch)  # [member, contest] of each population, more is better
            parents = [select(score, _parents(settings), rng) for score in scores]
            means = [score.mean(axis=1) for score in scores]
            leader = max(range(len(means)), key=lambda place: means[place].max())
            fitness = float(means[leader].max())
            best = populations[leader][int(np.argmax(means[leader]))].copy()
            history.append(abs(fitness) if settings.player == "nicolai" else fitness)
            contest.hall.append(best)
            pairs = zip(populations, parents, strict=True)
            populations = [_next(members, members[kept], settings, rng) for members, kept in pairs]
    if not history:
        token.raise_if_cancelled()
    return Evolved(replace(settings, generations=len(history)), best, tuple(history))


def _parents(settings: EvolutionSettings) -> int:
    return max(2, round(settings.survivors * settings.members))


def _next(
    population: np.ndarray, parents: np.ndarray, settings: EvolutionSettings, rng: np.random.Generator
) -> np.ndarray:
    """The parents, and children of two of them each.  # [member, gene]"""
    count = len(population) - len(parents)
    pairs = np.array([rng.choice(len(parents), 2, replace=False) for _ in range(count)])
    bias = rng.random((count, 1))
    children = bias * parents[pairs[:, 0]] + (1 - bias) * parents[pairs[:, 1]]
    return np.concatenate([parents, children + rng.normal(0, settings.noise, children.shape)])


@dataclass(frozen=True)
class _Nicolai(nicolai.EvolvedPlayer):
    """A member of a population."""

    networks_: tuple[Network, ...] = ()

    def network(self) -> Network:
        return self.networks_[0]


@dataclass(frozen=True)
class _Noble(noble.ParetoPlayer):
    """A member of a population."""

    networks_: tuple[Network, ...] = ()

    def networks(self) -> tuple[Network, ...]:
        return self.networks_


def player_of(genes: np.ndarray, player: str) -> Agent:
    """The agent that plays these weights."""
    shape: Shape = PLAYERS[player]
    networks = shape.networks_of(genes)
    return _Nicolai(networks_=networks) if player == "nicolai" else _Noble(networks_=networks)


class _Tournaments:
    """Fitness by places in freeze-outs with rising blinds."""

    def __init__(self, settings: EvolutionSettings) -> None:
        self._settings = settings
        self._table = StackedTable(_poker(f"holdem-nolimit(players={settings.seats})"))
        schedule = read_schedule("50/100x15,100/200x15,200/400x15,400/800")
        stacks = (4000,) * settings.seats
        self._rules = ContestRules(stacks=stacks, schedule=schedule, most_hands=settings.hands)
        self.hall: list[np.ndarray] = []

    def scores(self, populations: Sequence[np.ndarray], rng: np.random.Generator, watch: Watch) -> list[np.ndarray]:
        """The places of each member, negative.  # [member, contest] of each population"""
        settings = self._settings
        members = [(place, row) for place, rows in enumerate(populations) for row in range(len(rows))]
        found = [np.zeros((len(rows), settings.contests)) for rows in populations]
        for contest in range(settings.contests):
            order = rng.permutation(len(members)).tolist()
            fame = min(settings.hall, len(self.hall), settings.seats - 1)
            per_table = settings.seats - fame
            for first in range(0, len(order), per_table):
                watch.check()
                seated = [members[one] for one in order[first : first + per_table]]
                spare = [members[one] for one in rng.choice(order, per_table - len(seated))]
                genes = [populations[place][row] for place, row in (*seated, *spare)]
                genes += [self.hall[int(one)] for one in rng.integers(len(self.hall), size=fame)]
                places = self._freezeout([player_of(one, "nicolai") for one in genes], rng)
                for (place, row), taken in zip(seated, places, strict=False):
                    found[place][row, contest] = -taken
        return found

    def _freezeout(self, agents: Sequence[Agent], rng: np.random.Generator) -> np.ndarray:
        """The average place of each agent, from 1.  # [agent]"""
        stacks = Stacks(self._table, self._rules)
        while not stacks.is_over:
            seats = stacks.seats()
            game = self._table.game(tuple(stacks.stacks[agent] for agent in seats), stacks.level)
            hand = play(game, [agents[agent] for agent in seats], game.deal(rng), rng, _nothing)
            stacks.add(seats, hand.payoffs)
        return np.asarray(stacks.record().places @ (1 + np.arange(len(agents))))


class _Winnings:
    """Fitness by winnings at limit tables: one seat against members of the next population."""

    def __init__(self, settings: EvolutionSettings) -> None:
        self._settings = settings
        self._game = _poker(f"holdem-limit(players={settings.seats})")
        self.hall: list[np.ndarray] = []

    def scores(self, populations: Sequence[np.ndarray], rng: np.random.Generator, watch: Watch) -> list[np.ndarray]:
        """The winnings of each member against each opponent, in big blinds a hand.  # [member, opponent]"""
        settings, found = self._settings, []
        for place, rows in enumerate(populations):
            others = populations[(place + 1) % len(populations)]
            drawn = [others[int(one)] for one in rng.choice(len(others), settings.contests, replace=False)]
            fame = [self.hall[int(one)] for one in rng.integers(len(self.hall), size=settings.hall * bool(self.hall))]
            opponents = [player_of(genes, "noble") for genes in (*drawn, *fame)]
            deals = self._game.deals(rng, settings.hands)
            score = np.zeros((len(rows), len(opponents)))
            for row, genes in enumerate(rows):
                watch.check()
                for column, opponent in enumerate(opponents):
                    score[row, column] = self._won(player_of(genes, "noble"), opponent, deals, rng)
            found.append(score)
        return found

    def _won(self, agent: Agent, opponent: Agent, deals: Sequence[tuple[int, ...]], rng: np.random.Generator) -> float:
        game, won = self._game, 0.0
        for deal, cards in enumerate(deals):
            seat = deal % game.players
            seated = [agent if one == seat else opponent for one in range(game.players)]
            won += play(game, seated, cards, rng, _nothing).payoffs[seat]
        return won / len(deals) / max(game.rules.blinds)


def _poker(name: str) -> PokerGame:
    return open_poker(name, "")


def _nothing(seat: int, view: object, action: object) -> None:
    """Nobody watches."""


def settings_for(player: str, **given: Any) -> EvolutionSettings:
    """The usual settings of a player, but for those that are given (not None)."""
    chosen = {name: value for name, value in given.items() if value is not None}
    return EvolutionSettings(player, **(USUAL.get(player, {}) | chosen))
