"""Beyond the paper: every method's exploitability against games played, and variants of the genetic algorithm.

The paper leaves open how to reduce the noise of the genetic algorithm. Tried here, one change at a time and together:
exact expected scores instead of sampled games, more mutation, opponents from a hall of fame, a strategy averaged over
generations, Pareto co-evolution; and, as a check of our reading of the paper, squared losses summed over single games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pokerlab.figure import Figure, Line, Panel
from pokerlab.papers._goykhman.exact import AMOUNTS, FLOP, VON_NEUMANN, exact_of, form_of
from pokerlab.papers._goykhman.runs import GENETIC, METHODS, Outcome, Plan, RunScale, select
from pokerlab.papers.result import Interval, Row, Table, interval
from pokerlab.registry import load
from pokerlab.solvers.core.run import Stop, run
from pokerlab.solvers.evolve.genetic import GeneticSettings, GeneticSolver, expected_scores, play, score_weights, stream

_HERE = AMOUNTS[0]
AS_PRINTED = "as in the paper"
_NOISE_GENERATIONS = (0, 10, 20, 50)
_FLOOR = 1e-9  # exploitability below which an exact method is drawn as converged


def variants(base: GeneticSettings) -> dict[str, GeneticSettings]:
    """The variants of the genetic algorithm, by name; the exact ones play no games."""
    exact = replace(base, exact=True, population=500)
    mutating = replace(exact, mutation=1e-3)
    apart = replace(mutating, united=False, fitness="bankroll", selected=0.1)
    hall = replace(apart, hall=0.9)
    pareto = replace(apart, population=200, pareto=10)
    tried = {
        "exact fitness": exact,
        "exact, mutation 1e-3": mutating,
        "exact, mutation 1e-3, averaged": replace(mutating, averaged=True),
        "exact, mutation 1e-3, hall of fame": hall,
        "exact, mutation 1e-3, hall of fame, averaged": replace(hall, averaged=True),
        "Pareto, 10 opponents": pareto,
        "Pareto, 10 opponents, averaged": replace(pareto, averaged=True),
    }
    if base.fitness == "squared-loss":
        tried["bankroll fitness, games played"] = replace(base, fitness="bankroll")
        tried["squared loss of single games, played"] = replace(base, fitness="squared-loss-per-game")
    else:
        tried["mutation 1e-3, averaged, games played"] = replace(base, mutation=1e-3, averaged=True)
    return tried


def variant_plans(scale: RunScale, seeds: Sequence[int]) -> list[Plan]:
    """Runs of every variant on both games for ante 1, bet 2; those that play games run as long as the paper's."""
    bases = ((VON_NEUMANN, scale.numbers, scale.numbers_generations), (FLOP, scale.flop, scale.flop_generations))
    return [
        Plan(game, _HERE, GENETIC, seed, scale.exact_generations if settings.exact else generations, settings, label)
        for game, base, generations in bases
        for label, settings in variants(base).items()
        for seed in seeds
    ]


def with_paper(outcomes: Sequence[Outcome], tried: Sequence[Outcome]) -> list[Outcome]:
    """The runs of the variants, after those of the paper's algorithm on the same games."""
    own = [one for game in (VON_NEUMANN, FLOP) for one in select(outcomes, game, _HERE, GENETIC)]
    return [replace(one, plan=replace(one.plan, label=AS_PRINTED)) for one in own] + list(tried)


def variant_results(outcomes: Sequence[Outcome]) -> dict[tuple[str, str], Interval]:
    """Final exploitability of each variant by game and label."""
    left: dict[tuple[str, str], list[float]] = {}
    for outcome in outcomes:
        left.setdefault((outcome.plan.game, outcome.plan.label), []).append(outcome.exploitability)
    return {key: interval(values) for key, values in left.items()}


def variant_table(scale: RunScale, outcomes: Sequence[Outcome]) -> Table:
    """Exploitability of the variants after the same number of generations."""
    results = variant_results(outcomes)
    rows = []
    for label in dict.fromkeys(label for _, label in results):
        ours = {game: str(results[game, label]) for game in (VON_NEUMANN, FLOP) if (game, label) in results}
        seconds = [one.seconds for one in outcomes if one.plan.label == label]
        rows.append(Row(label, ours=ours, seconds=float(np.mean(seconds))))
    return Table(
        "Variants of the genetic algorithm: exploitability at the end, ante 1, bet 2; five seeds, scaled down",
        rows,
        note="chips a hand, mean over seeds with 95 % interval. Played variants have the size of the runs above; exact "
        f"ones have 500 agents (Pareto 200), {scale.exact_generations} generations, and scores that are expectations.",
        digits=4,
    )


def noise_table(scale: RunScale, seed: int) -> Table:
    """How much of the difference between the agents of a generation is skill, how much luck, and their diversity."""
    rows = []
    for name, settings in ((VON_NEUMANN, scale.numbers), (FLOP, scale.flop)):
        solvers = [
            GeneticSolver(form_of(name, _HERE), kind, seed=seed) for kind in (settings, replace(settings, exact=True))
        ]
        for generation in _NOISE_GENERATIONS:
            for solver in solvers:
                solver.advance(generation - solver.iterations)
            skill, luck = (float(part.std()) for part in _skill_and_luck(solvers[0]))
            played, exact = (_diversity(solver) for solver in solvers)
            ours = {"skill": skill, "luck": luck, "share of skill": skill**2 / (skill**2 + luck**2)}
            ours |= {"diversity, played": played, "diversity, exact": exact}
            rows.append(Row(f"{name}, generation {generation}", ours=ours))
    return Table(
        f"Real games against expectation: spread of Players' winnings over {scale.numbers.rounds:,} games, chips; "
        "one seed, scaled down",
        rows,
        note="skill: standard deviation over agents of expected winnings; luck: of what is played beyond them. Exact "
        "fitness removes the luck; the paper's 10,000 games shrink it against skill by the root of ten. diversity: "
        "mean of 4 p (1 - p) over genes, 1 at the start, 0 when all agents are equal.",
        digits=3,
    )


def _diversity(solver: GeneticSolver) -> float:
    shares = np.concatenate([genes.mean(0) for genes in solver.genes])
    return float((4 * shares * (1 - shares)).mean())


def _skill_and_luck(solver: GeneticSolver) -> tuple[np.ndarray, np.ndarray]:
    """Expected winnings of each agent in the first role, and the deviation in one generation's games. [agents]"""
    form, settings = solver.game, solver.settings
    start = stream(solver.seed, solver.iterations, 99)
    played, _ = play(form, *solver.genes, rounds=settings.rounds, start=start, united=settings.united, workers=1)
    games = settings.rounds / 2 if settings.united else settings.rounds
    weights = score_weights(form, "bankroll")[0]
    expected = games * expected_scores(weights, 0, solver.genes[0], solver.genes[1].mean(0)[None])[:, 0]
    return expected, played - expected


def exact_curves(scale: RunScale) -> dict[tuple[str, str], np.ndarray]:
    """Curves [measure, 3] of the CFR family over whole arrays: hand pairs visited, seconds, exploitability."""
    curves = {}
    for name in (VON_NEUMANN, FLOP):
        for label, algorithm in (("CFR+, exact", "cfr+"), ("DCFR, exact", "dcfr")):
            solver = load("algorithms", algorithm).start(form_of(name, _HERE))
            done = run(solver, Stop(iterations=scale.exact_iterations))
            curves[name, label] = np.array(
                [(point.nodes_touched, point.seconds, point.exploitability) for point in done.curve]
            )
    return curves


def curve_figure(
    name: str, outcomes: Sequence[Outcome], tried: Sequence[Outcome], exact: dict[tuple[str, str], np.ndarray]
) -> Figure:
    """All methods on one game: exploitability against games played and against time."""
    genetic, regret = (select(outcomes, name, _HERE, method)[0] for method in METHODS)
    first_seed = [one for one in tried if one.plan.game == name and one.plan.seed == tried[0].plan.seed]
    best = min(first_seed, key=lambda one: one.exploitability)
    chosen = {"GA": genetic.curve, "CFR, sampled": regret.curve, f"GA, {best.plan.label}": best.curve}
    chosen |= {label: curve for (game, label), curve in exact.items() if game == name}
    linear = exact_of(name, _HERE).seconds
    panels = []
    for column, words in ((0, "games played, or pairs of hands visited"), (1, "seconds, one core")):
        lines = [Line(curve[:, column], np.maximum(curve[:, 2], _FLOOR), label) for label, curve in chosen.items()]
        if column == 1:
            lines.append(Line([linear], [_FLOOR], "linear program", style="points"))
        panels.append(Panel(tuple(lines), "", words, "exploitability, chips a hand", x_log=True, y_log=True))
    slug = "von-neumann" if name == VON_NEUMANN else "flop"
    return Figure(
        f"methods-{slug}",
        f"How exploitability falls in {name}, ante 1, bet 2. The linear program is exact. Games of the exact genetic "
        "variant are those whose expectation it takes.",
        tuple(panels),
        columns=2,
    )


def variant_figure(outcomes: Sequence[Outcome]) -> Figure:
    """Exploitability by generation of every variant, first seed."""
    panels = []
    for game in (VON_NEUMANN, FLOP):
        of_game = [one for one in outcomes if one.plan.game == game]
        first = {one.plan.label: one for one in reversed(of_game)}  # of its seeds
        lines = []
        for label in dict.fromkeys(one.plan.label for one in of_game):
            settings, curve = first[label].plan.settings, first[label].curve
            assert settings is not None
            lines.append(Line(curve[:, 0] / settings.games, np.maximum(curve[:, 2], _FLOOR), label))
        panels.append(Panel(tuple(lines), title=game, x_label="generation", y_label="exploitability", y_log=True))
    return Figure("variants", "Variants of the genetic algorithm, ante 1, bet 2, one seed.", tuple(panels))
