"""The runs of `paper cfr-br`: a matrix game, Leduc hold'em by linear programs, and curves of exploitability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np

from pokerlab.abstraction.buckets import Buckets, RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make, remembering
from pokerlab.games.library.abstraction_pathology import TABLE
from pokerlab.papers._bucketed_runs import poker_game
from pokerlab.registry import load
from pokerlab.solvers.bucketed.exact import ExactBuckets
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.bucketed.inside import inside_game
from pokerlab.tree.bucketed.real_game import measurer


@dataclass(frozen=True)
class MatrixGame:
    """The row player's solution with some rows and columns, and its guarantee against all columns."""

    value: Fraction  # of the reduced game
    least_share: Fraction  # of row A, among all strategies that achieve the value
    most_share: Fraction
    best: Fraction  # guarantee in the full game of the best such strategy
    worst: Fraction


def matrix_game(rows: str, columns: str) -> MatrixGame:
    """Solve the abstraction-pathology matrix exactly: the payoff against a column is linear in the share of row A.

    >>> matrix_game("AB", "abc").worst, matrix_game("AB", "abcd").value
    (Fraction(36, 11), Fraction(16, 3))
    """
    low, high = Fraction(rows == "A"), Fraction(rows != "B")
    ends = {low, high}
    for one, other in permutations("abcd", 2):  # also the shares at which two columns have equal value
        above, below = TABLE["A"][one] - TABLE["A"][other], TABLE["B"][one] - TABLE["B"][other]
        if above != below and low < Fraction(-below, above - below) < high:
            ends.add(Fraction(-below, above - below))
    value = max(_guarantee(share, columns) for share in ends)
    winning = [share for share in ends if _guarantee(share, columns) == value]
    guarantees = [_guarantee(share, "abcd") for share in winning]
    return MatrixGame(value, min(winning), max(winning), max(guarantees), min(guarantees))


def _guarantee(share: Fraction, columns: str) -> Fraction:
    """The guaranteed payoff of playing row A this often."""
    return min(share * TABLE["A"][column] + (1 - share) * TABLE["B"][column] for column in columns)


COARSE, FINE = "JQ|K", "J|Q|K"  # groups of ranks; of the board, both see only whether it makes a pair


def leduc_buckets(ranks: str, *, board: str = "JQK") -> Buckets:
    """Buckets of Leduc hold'em that distinguish groups of ranks, such as "JQ|K", and whether there is a pair."""
    game = poker_game("leduc")
    cards, rounds = CardRounds.of(game, ordered=True), []

    def group(text: str, card: int) -> int:
        name = game.deck.name(card)[0]
        return next(number for number, part in enumerate(text.split("|")) if name in part)

    for street in range(2):
        indexer, labels = cards.indexer(street), []
        known: dict[tuple[object, ...], int] = {}
        for held, *lying in indexer.unindex_batch(np.arange(indexer.size())).tolist():
            seen = [(group(board, card), game.deck.name(card)[0] == game.deck.name(held)[0]) for card in lying]
            labels.append(known.setdefault((group(ranks, held), *seen), len(known)))
        rounds.append(RoundBuckets("by hand", len(known), np.array(labels, np.uint16)))
    return remembering(Buckets(cards, tuple(rounds)))


@dataclass(frozen=True)
class Line:
    """Exploitability in the real game during a run."""

    name: str
    iterations: tuple[int, ...]
    nodes: tuple[float, ...]  # visited so far
    left: tuple[float, ...]


@dataclass(frozen=True)
class Exact:
    """An abstraction of Leduc hold'em: linear programs, and curves."""

    ranks: str
    form: BucketedForm
    value: float  # of the abstract game
    equilibrium: float  # exploitability in the real game, here and below: of one equilibrium of the abstract game
    best_equilibrium: float
    least: float
    lines: tuple[Line, ...]


def exact_leduc(ranks: str, marks: Sequence[int], seed: int) -> Exact:
    """Solve an abstraction of Leduc hold'em by linear programs, by CFR inside it, by CFR-BR and by its hybrid."""
    game = poker_game("leduc")
    form = bucketed_form(game, leduc_buckets(ranks))
    solved, measure = ExactBuckets(form), measurer(form)
    assert measure is not None
    inside = load("algorithms", "cfr").start(solved.inside)
    points = []
    for mark in marks:
        inside.advance(mark - inside.iterations)
        points.append((mark, inside.nodes_touched, measure(solved.numbers(inside.profile())).exploitability))
    lines = [Line("CFR in the abstraction", *(tuple(column) for column in zip(*points, strict=True)))]
    lines += against_best_responses(form, {"": marks, "trunk=1": [4 * mark for mark in marks]}, seed)
    return Exact(
        ranks,
        form,
        solved.value,
        equilibrium=measure(solved.equilibrium()).exploitability,
        best_equilibrium=measure(solved.least_exploitable(among_equilibria=True)).exploitability,
        least=measure(solved.least_exploitable()).exploitability,
        lines=tuple(lines),
    )


def against_best_responses(form: BucketedForm, runs: Mapping[str, Sequence[int]], seed: int) -> list[Line]:
    """CFR-BR with these settings, up to this many iterations: the average strategies, and the current ones."""
    lines = []
    for settings, marks in runs.items():
        solver = load("algorithms", f"cfr-br({settings})").start(form, seed=seed)
        name = f"CFR-BR({settings})" if settings else "CFR-BR"
        rows = []
        for mark in marks:
            solver.advance(mark - solver.iterations)
            real = solver.measure().exploitability, solver.measure_current().exploitability
            rows.append((mark, float(solver.nodes_touched), *real))
        iterations, nodes, average, current = (tuple(column) for column in zip(*rows, strict=True))
        lines.append(Line(f"{name}, average", iterations, nodes, average))
        if not settings:
            lines.append(Line(f"{name}, current", iterations, nodes, current))
    return lines


@dataclass(frozen=True)
class Curve:
    """An abstraction of Rhode Island hold'em, trained by self-play and against best responses."""

    name: str
    infosets: int
    lines: tuple[Line, ...]  # self-play first; exploitability inside the abstraction last, if known


def curve_of(
    game: str, method: str, recall: str, *, marks: Sequence[int], runs: Mapping[str, Sequence[int]], seed: int
) -> Curve:
    """Exploitability of an abstraction by iterations, with Pure CFR and with CFR-BR."""
    opened = poker_game(game)
    plan = Plan(CardRounds.of(opened, ordered=True), ("lossless", method, method), recall, seed)
    form = bucketed_form(opened, make(plan))
    abstract = inside_game(form) if recall == PERFECT else None
    solver, rows = load("algorithms", "pure").start(form, seed=seed), []
    for mark in marks:
        solver.advance(mark - solver.iterations)
        average = solver.strategy_arrays()["average"]
        left = sum(abstract.best(average, player) for player in (0, 1)) / 2 if abstract else 0.0
        rows.append((mark, float(solver.nodes_touched), solver.measure().exploitability, left))
    iterations, nodes, real, inside = (tuple(column) for column in zip(*rows, strict=True))
    lines = [Line("Pure CFR in the abstraction", iterations, nodes, real), *against_best_responses(form, runs, seed)]
    if abstract:
        lines.append(Line("Pure CFR, left inside the abstraction", iterations, nodes, inside))
    return Curve(f"{method}, {recall} recall ({form.buckets.text})", form.infosets, tuple(lines))
