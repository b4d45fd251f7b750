"""A genetic algorithm for games of one decision each: populations that play each other, select, breed and mutate.

Every agent carries one binary gene per decision. In a generation it plays `rounds` real games against new random
partners each round; the `selected` share with the best scores survives and breeds the rest. The result is the mean
chromosome of the selected. Goykhman, "On self-play computation of equilibrium in poker", has two versions:

    section 3  two co-evolving populations, fitness is the bankroll, parents are drawn in proportion to it
    section 6  united agents with a chromosome for each role, fitness is minus the squared loss of the generation,
               parents are drawn uniformly

Where the paper leaves room we chose: the squared loss is that of the whole generation (the paper's remark that the
best agents score zero excludes a sum over single games, which is `squared-loss-per-game` here); ties in fitness are
broken at random; parents of a child are two different agents; bankrolls below zero weigh nothing in breeding. Beyond
the paper: exact expected scores instead of played games, opponents from a hall of fame, averaging over generations,
and Pareto co-evolution (Noble 2002): agents are judged by their scores against several opponents one by one, and those
that no other agent matches against all of them and beats against one come first.

Games are dealt from counted streams of random words (see _kernels/deals.py) in a fixed number of stripes, each with its
own stream, so that the result does not depend on how many threads play them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

import numpy as np

from pokerlab import parallel
from pokerlab.errors import BadFile, BadSetting
from pokerlab.settings import Flag, Share, check_fields, number, one_of, or_none, whole
from pokerlab.solvers.preflop.classes.one_decision import OneDecisionSolver
from pokerlab.tree.class_deals import CardDeal, NumberDeal
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.units import MOST_WHOLE, whole_payoffs

if TYPE_CHECKING:
    from pokerlab.solvers.evolve._kernels.deals import Numbers, Pack

FITNESS = ("bankroll", "squared-loss", "squared-loss-per-game")
STRIPES = 8  # pieces of the games of a generation
_PLAY, _BREED, _START, _TIES, _HALL, _JUDGES = range(6)  # streams of random numbers within a generation


@dataclass(frozen=True)
class GeneticSettings:
    """The settings of a run; the defaults are those of section 3."""

    population: Annotated[int, whole(4, 60_000)] = 5000  # agents of each role, or united agents
    rounds: Annotated[int, whole(1, 10**8)] = 10_000  # games of each agent in a generation
    selected: Annotated[float, number(above=0, below=1)] = 0.1  # share that survives and breeds
    mutation: Share = 1e-6  # chance that a gene on which the parents agree flips
    united: Flag = False  # agents play both roles
    fitness: Annotated[str, one_of(*FITNESS)] = "bankroll"
    bankroll: Annotated[float, number(above=0, below=math.inf)] = 10_000.0  # chips at the start of a generation
    exact: Flag = False  # expected scores instead of played games
    hall: Annotated[float, number(0, below=1)] = 0.0  # share of opponents out of the selected of earlier generations
    averaged: Flag = False  # the result is the mean over generations, later ones weighted more
    pareto: Annotated[int, whole(0, 1000)] = 0  # opponents to be judged against one by one; needs exact scores
    workers: Annotated[int | None, or_none(whole(1))] = None  # threads; changes nothing but the time

    def __post_init__(self) -> None:
        check_fields(self)
        if self.united and self.population % 2:
            raise BadSetting(f"a population of united agents must be even, not {self.population}")
        if self.selected_count < 2:
            raise BadSetting(f"the selected share must leave at least two agents, and {self.selected} leaves fewer")
        if self.pareto and (not self.exact or self.united):
            raise BadSetting(
                "Pareto selection needs exact scores and separate populations: set exact=True, united=False"
            )

    @property
    def selected_count(self) -> int:
        """The number of agents that survive a generation."""
        return round(self.selected * self.population)

    @property
    def games(self) -> int:
        """Games played in a generation."""
        return self.rounds * (self.population // 2 if self.united else self.population)


SECTION_3 = GeneticSettings()
SECTION_6 = GeneticSettings(population=2000, selected=0.3, mutation=1e-4, united=True, fitness="squared-loss")


class GeneticSolver(OneDecisionSolver):
    """A run of the genetic algorithm; an iteration is a generation."""

    def __init__(self, form: ClassForm, settings: GeneticSettings = SECTION_3, *, seed: int = 0) -> None:
        super().__init__(form)
        self.settings, self.seed = settings, seed
        shape = form.one_decision.chance.shape
        rng = self._rng(_START)
        self.genes = [rng.integers(0, 2, (settings.population, count), np.uint8) for count in shape]
        self.output = [genes.mean(0) for genes in self.genes]  # [hand] of each role: the result so far
        self.averages = [np.zeros(count) for count in shape]
        self.history: list[tuple[float, float]] = []  # mean fitness of the selected of each role, by generation
        self.halls = [np.zeros((0, count), np.uint8) for count in shape]

    @property
    def acts(self) -> tuple[np.ndarray, np.ndarray]:
        return self.output[0], self.output[1]

    def _rng(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence((self.seed, self.iterations, purpose)))

    @property
    def nodes_touched(self) -> int:
        """Games played, or whose expectation was taken; from the second generation on a hall of fame needs twice."""
        generations = self.iterations
        if self.settings.hall and not self.settings.exact:
            generations += max(0, self.iterations - 1)
        return generations * self.settings.games

    def advance(self, iterations: int) -> None:
        """Run more generations: play, select, update the result, breed."""
        for _ in range(iterations):
            self._next_generation(self._fitness(self._scores()))
            self.iterations += 1

    def _scores(self) -> tuple[np.ndarray, np.ndarray]:
        """What each agent wins in this generation, in each role."""
        settings = self.settings
        if settings.pareto:
            rng = self._rng(_JUDGES)
            judges = [np.vstack([self.genes[role], self.halls[role]]) for role in (1, 0)]
            first, second = (
                settings.rounds * self._expected(role, pool[rng.integers(0, len(pool), settings.pareto)])
                for role, pool in enumerate(judges)
            )
            return first, second
        if settings.exact:
            games = settings.rounds / 2 if settings.united else settings.rounds
            others = [self._opponent(1 - role) for role in (0, 1)]
            first, second = (games * self._expected(role, others[role][None])[:, 0] for role in (0, 1))
            return first, second
        start = stream(self.seed, self.iterations, _PLAY)
        if settings.hall and len(self.halls[0]):
            return self._play(start, hall_role=1)[0], self._play(start + np.uint64(1), hall_role=0)[1]
        return self._play(start)

    def _expected(self, role: int, others: np.ndarray) -> np.ndarray:
        """Expected scores of the agents of a role against each of some strategies: [agents, others]."""
        return expected_scores(self._weights[role], role, self.genes[role], others.astype(np.float64))

    @cached_property
    def _weights(self) -> tuple[np.ndarray, np.ndarray]:
        return score_weights(self.game, self.settings.fitness)

    def _play(self, start: np.uint64, hall_role: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Scores in real games; in the hall's role, some agents are replaced by members of the hall of fame."""
        genes, settings = list(self.genes), self.settings
        if hall_role is not None:
            rng, hall = self._rng(_HALL), self.halls[hall_role]
            replaced = rng.permutation(settings.population)[: round(settings.hall * settings.population)]
            genes[hall_role] = genes[hall_role].copy()
            genes[hall_role][replaced] = hall[rng.integers(0, len(hall), len(replaced))]
        options = {name: getattr(settings, name) for name in ("rounds", "united", "fitness", "workers")}
        return play(self.game, *genes, start=start, **options)

    def _opponent(self, role: int) -> np.ndarray:
        """The mean strategy that the other role faces."""
        mean = self.genes[role].mean(0)
        hall = self.settings.hall
        if hall and len(self.halls[role]):
            mean = (1 - hall) * mean + hall * self.halls[role].mean(0)
        return np.asarray(mean)

    def _fitness(self, totals: tuple[np.ndarray, np.ndarray]) -> list[np.ndarray]:
        """Fitness of the agents: of each role, or one of both when united."""
        settings = self.settings
        scores = [totals[0] + totals[1]] if settings.united else list(totals)
        if settings.fitness == "bankroll":
            return [1 + score / settings.bankroll for score in scores]
        if settings.fitness == "squared-loss":
            return [-(np.minimum(score, 0) ** 2) for score in scores]
        return scores

    def _next_generation(self, fitness: list[np.ndarray]) -> None:
        settings, rng = self.settings, self._rng(_TIES)
        count = settings.selected_count
        means = []
        pools = [np.hstack(self.genes)] if settings.united else self.genes
        generations = []
        for index, (pool, scores) in enumerate(zip(pools, fitness, strict=True)):
            best = select(scores, count, rng)
            parents = pool[best]
            means.append(float(scores[best].mean()))
            by_score = settings.fitness == "bankroll" and not settings.pareto
            weights = scores[best] if by_score else np.ones(count)
            start = stream(self.seed, self.iterations, _BREED) + np.uint64(index)
            children = breed(parents, weights, len(pool) - count, mutation=settings.mutation, start=start)
            generations.append(np.vstack([parents, children]))
        self.history.append((means[0], means[-1]))
        if settings.united:
            generations = np.split(generations[0], [self.genes[0].shape[1]], axis=1)
        for role, agents in enumerate(generations):
            self._update_output(role, agents[:count])
            self.genes[role] = np.ascontiguousarray(agents)

    def _update_output(self, role: int, parents: np.ndarray) -> None:
        """The mean chromosome of the selected, of this generation or averaged with weight t over all; and the hall."""
        mean = parents.mean(0)
        past = self.iterations
        self.averages[role] = self.averages[role] * (past / (past + 2)) + mean * (2 / (past + 2))
        self.output[role] = self.averages[role] if self.settings.averaged else mean
        if self.settings.hall:
            self.halls[role] = np.vstack([self.halls[role], parents[:1]])

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {f"{name}{role}": pair[role] for name, pair in self._by_role().items() for role in (0, 1)}

    def arrays(self) -> dict[str, np.ndarray]:
        return super().arrays() | {"history": np.array(self.history).reshape(-1, 2)}

    def _by_role(self) -> dict[str, list[np.ndarray]]:
        return {"genes": self.genes, "output": self.output, "average": self.averages, "hall": self.halls}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if max(int(arrays[f"{name}{role}"].max(initial=0)) for name in ("genes", "hall") for role in (0, 1)) > 1:
            raise BadFile("this state is damaged: its genes are not 0 and 1")
        self.iterations = int(arrays["iterations"][0])
        self.history = [(float(first), float(second)) for first, second in arrays["history"]]
        for name, pair in self._by_role().items():
            pair[:] = [np.array(arrays[f"{name}{role}"]) for role in (0, 1)]


# ---- operators -------------------------------------------------------------------------------------------------------


def breed(parents: np.ndarray, weights: np.ndarray, children: int, *, mutation: float, start: np.uint64) -> np.ndarray:
    """Children [children, genes] of the parents [parents, genes], drawn in proportion to the weights [parents]."""
    from pokerlab.solvers.evolve._kernels.genetic import breed as kernel

    weights = np.asarray(weights, np.float64)
    weights = np.where(weights > 1e-9 * weights.max(), np.maximum(weights, 0.0), 0.0)
    if np.count_nonzero(weights) < 2:  # at most one parent: all children are equal
        weights = np.ones(len(parents))
    genes = np.empty((children, parents.shape[1]), np.uint8)
    kernel(start, np.ascontiguousarray(parents), np.cumsum(weights), weights, mutation, genes)
    return genes


def select(scores: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """The indices of the best scores, best first; ties are broken at random. [count]

    Scores against several opponents [agents, opponents] go by Pareto fronts first, then by their mean.
    """
    if scores.ndim == 1:
        return np.lexsort((rng.random(len(scores)), -scores))[:count]
    return np.lexsort((rng.random(len(scores)), -scores.mean(1), pareto_fronts(scores, count)))[:count]


def pareto_fronts(scores: np.ndarray, count: int) -> np.ndarray:
    """The front of each agent [agents]: 0 where no other agent is as good against all and better against one.

    Front 1 is what comes first when front 0 is left out, and so on, until the fronts hold `count` agents.
    """
    matched = np.ones((len(scores), len(scores)), np.bool_)  # [agent, other]: the other is as good against all
    for column in scores.T:
        matched &= column[:, None] <= column
    beaten = matched & ~matched.T  # and the agent is not as good as the other: the other dominates it
    fronts = np.full(len(scores), len(scores))
    left = np.arange(len(scores))
    front = 0
    while len(scores) - len(left) < count:
        behind = beaten[np.ix_(left, left)].any(1)
        fronts[left[~behind]] = front
        left, front = left[behind], front + 1
    return fronts


def stream(seed: int, generation: int, purpose: int) -> np.uint64:
    """The start of an independent stream of random words."""
    return np.uint64(np.random.SeedSequence((seed, generation, purpose)).generate_state(1, np.uint64)[0])


def packed(genes: np.ndarray) -> np.ndarray:
    """Genes [agents, genes] as bits of words [agents, words] uint64."""
    agents, count = genes.shape
    bits = np.zeros((agents, -(-count // 64) * 64), np.uint8)
    bits[:, :count] = genes
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)


def score_tables(form: ClassForm, fitness: str) -> tuple[np.ndarray, np.ndarray, float]:
    """What each player scores in a game, [12] int32 by showdown and the two decisions, and the unit of a score."""
    whole = whole_payoffs(form.one_decision.payoffs)
    if whole is None:
        raise BadSetting(f"the payoffs of {form.name} are not whole numbers of any unit, which played games need")
    first, unit = whole[0].reshape(-1), whole[1]
    second = -first
    if fitness == "squared-loss-per-game":
        first, second, unit = -(np.minimum(first, 0) ** 2), -(np.minimum(second, 0) ** 2), unit**2
    if max(np.abs(first).max(), np.abs(second).max()) >= MOST_WHOLE:
        raise BadSetting(f"the payoffs of {form.name} are too large in their unit of {whole[1]:g} chips to be squared")
    return first.astype(np.int32), second.astype(np.int32), unit


def play(
    form: ClassForm,
    first: np.ndarray,
    second: np.ndarray,
    *,
    rounds: int,
    start: np.uint64,
    united: bool,
    fitness: str = "bankroll",
    workers: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Scores of each agent as first and as second player over real games: [agents] float64 each.

    first, second: genes [agents, hands] uint8; in each round every agent meets one other, in a new random pairing.
    """
    from pokerlab.solvers.evolve._kernels.genetic import Population, play_cards, play_numbers

    agents = len(first)
    tables = score_tables(form, fitness)
    words = packed(first), packed(second)
    largest = int(max(np.abs(tables[0]).max(), np.abs(tables[1]).max(), 1))
    most = (2**31 - 1) // largest  # rounds that cannot overflow a 32-bit sum
    count = max(STRIPES, -(-rounds // most))
    needs_showdown = np.ptp(form.one_decision.payoffs, axis=0).reshape(-1) > 0  # [4]
    bounds = [rounds * i // count for i in range(count + 1)]

    def stripe(number: int) -> tuple[np.ndarray, np.ndarray]:
        totals = np.zeros(agents, np.int32), np.zeros(agents, np.int32)
        pair = tuple(Population(*each) for each in zip(words, tables[:2], totals, strict=True))
        begin = np.uint64(np.random.SeedSequence((int(start), number)).generate_state(1, np.uint64)[0])
        count, order = bounds[number + 1] - bounds[number], np.arange(agents, dtype=np.uint16)
        if isinstance(form.deal, CardDeal):
            play_cards(begin, count, order, *pair, pack_of(form.deal), needs_showdown, united)
        else:
            play_numbers(begin, count, order, *pair, numbers_of(form.deal), united)
        return totals

    sums = np.zeros((2, agents), np.int64)
    for totals in parallel.run(stripe, range(count), workers=workers):
        sums += np.stack(totals)
    return sums[0] * tables[2], sums[1] * tables[2]


def numbers_of(deal: NumberDeal) -> Numbers:
    """A deal of numbers as kernels take it."""
    from pokerlab.solvers.evolve._kernels.deals import Numbers

    return Numbers(np.uint64(deal.count), deal.replacement)


def pack_of(deal: CardDeal) -> Pack:
    """A deal of cards as kernels take it, from a fresh deck."""
    from pokerlab.cards.combos import COMBO_CLASS, COMBOS
    from pokerlab.cards.strength import HIGH
    from pokerlab.solvers.evolve._kernels.deals import Pack

    hand_class = np.zeros((52, 52), np.uint8)
    hand_class[COMBOS[:, 0], COMBOS[:, 1]] = COMBO_CLASS
    hand_class[COMBOS[:, 1], COMBOS[:, 0]] = COMBO_CLASS
    return Pack(np.arange(52, dtype=np.uint8), hand_class, deal.board_size, HIGH().tables(2 + deal.board_size))


def score_weights(form: ClassForm, fitness: str) -> tuple[np.ndarray, np.ndarray]:
    """Expected scores of each player, weighted by the chance of the hands: [2, 2, i, j] by the two decisions."""
    first, second, unit = score_tables(form, fitness)
    game = form.one_decision
    return game.weighted(first.reshape(3, 2, 2) * unit), game.weighted(second.reshape(3, 2, 2) * unit)


def expected_scores(weights: np.ndarray, role: int, genes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The expected score per game of each agent of a role against each of some strategies: [agents, others].

    weights: [2, 2, i, j] of the role, from `score_weights`; genes: [agents, hands]; others: [others, hands].
    """
    table = weights if role == 0 else weights.transpose(1, 0, 3, 2)  # [own act, other's act, own hand, other's hand]
    never = table[:, 0].sum(2)[:, :, None]  # [act, hand, 1]: the other never acts
    acting = never + (table[:, 1] - table[:, 0]) @ others.T  # [act, hand, others]
    return np.asarray(acting[0].sum(0) + genes @ (acting[1] - acting[0]))
