"""The genetic algorithm: its operators one by one against their definitions, its games against expectations."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from naive import genetic as naive
from naive.one_decision import flop_poker, push_fold, von_neumann
from pokerlab.errors import BadSetting
from pokerlab.solvers.core.run import Stop, run
from pokerlab.solvers.evolve._kernels import genetic as kernels
from pokerlab.solvers.evolve.genetic import (
    SECTION_3,
    SECTION_6,
    GeneticSettings,
    GeneticSolver,
    breed,
    expected_scores,
    numbers_of,
    pack_of,
    packed,
    pareto_fronts,
    play,
    score_tables,
    score_weights,
    select,
    stream,
)

UNLIKELY = 1e-6  # a test that fails by chance fails once in a million runs
SMALL = GeneticSettings(population=40, rounds=60, selected=0.25, mutation=1e-3)


def random_genes(form, agents, seed):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 2, (agents, count), np.uint8) for count in form.chance.shape]


@given(st.integers(0, 2**64 - 1), st.booleans(), st.booleans(), st.integers(2, 130))
@settings(max_examples=25, deadline=None)
def test_number_games_match_the_plain_twin(counter, united, replacement, cards):
    form = von_neumann(cards=cards, ante=2, bet=3, replacement=replacement)
    first, second = random_genes(form, 6, counter % 1000)
    totals = np.zeros(6, np.int32), np.zeros(6, np.int32)
    scores = score_tables(form, "bankroll")[:2]
    order = np.arange(6, dtype=np.uint16)
    words = packed(first), packed(second)
    pair = [kernels.Population(*each) for each in zip(words, scores, totals, strict=True)]
    kernels.play_numbers(np.uint64(counter), 5, order, *pair, numbers_of(form.deal), united)
    expected, _ = naive.play(form, first, second, counter=counter, rounds=5, united=united)
    assert [total.tolist() for total in totals] == [list(map(int, row)) for row in expected]


@pytest.mark.uncompiled
@given(st.integers(0, 2**64 - 1), st.booleans(), st.booleans())
@settings(max_examples=15, deadline=None)
def test_card_games_match_the_plain_twin(counter, united, on_flop):
    form = flop_poker(ante=1, bet=2) if on_flop else push_fold(stack=5)
    first, second = random_genes(form, 4, counter % 1000)
    totals = np.zeros(4, np.int32), np.zeros(4, np.int32)
    *scores, unit = score_tables(form, "bankroll")
    order = np.arange(4, dtype=np.uint16)
    needs = np.ptp(form.one_decision.payoffs, axis=0).reshape(-1) > 0
    words = packed(first), packed(second)
    pair = [kernels.Population(*each) for each in zip(words, scores, totals, strict=True)]
    with np.errstate(over="ignore"):
        kernels.play_cards(np.uint64(counter), 12, order, *pair, pack_of(form.deal), needs, united)
    expected, _ = naive.play(form, first, second, counter=counter, rounds=12, united=united)
    assert [(total * unit).tolist() for total in totals] == [list(row) for row in expected]


@pytest.mark.parametrize(("name", "united"), [("numbers", False), ("numbers", True), ("flop", True), ("push", False)])
def test_real_games_average_to_expectations(name, united):
    """The mean winnings of each agent over many games, against its exact expectation."""
    form = {"numbers": von_neumann, "flop": flop_poker, "push": lambda: push_fold(stack=5)}[name]()
    first, second = random_genes(form, 20, 4)
    rounds = 40_000
    won = play(form, first, second, rounds=rounds, start=np.uint64(11), united=united)
    assert won[0].sum() + won[1].sum() == pytest.approx(0)
    games = rounds / 2 if united else rounds
    largest = np.abs(form.one_decision.payoffs).max()
    for role in (0, 1):
        other = (second if role == 0 else first).astype(float)
        genes = first if role == 0 else second
        met = expected_scores(score_weights(form, "bankroll")[role], role, genes, other)  # [agent, opponent]
        mean = met.mean(1)
        if united:  # nobody meets itself
            mean = (20 * mean - np.diag(met)) / 19
        error = (won[role] / games - mean) / (largest / np.sqrt(games))
        assert np.abs(error).max() < stats.norm.isf(UNLIKELY / 40)


@pytest.mark.parametrize("role", [0, 1])
def test_expected_scores_are_values_of_pairs(role):
    form = push_fold(stack=4)
    first, second = random_genes(form, 3, 9)
    genes, others = (first, second) if role == 0 else (second, first)
    found = expected_scores(score_weights(form, "bankroll")[role], role, genes, others.astype(float))
    for one in range(3):
        for two in range(3):
            pair = (genes[one], others[two]) if role == 0 else (others[two], genes[one])
            value = form.one_decision.value(*(row.astype(float) for row in pair))
            assert found[one, two] == pytest.approx(value if role == 0 else -value)


def test_every_pair_meets_alike():
    """Agents who always act against agents of whom one never does: who met it is seen in the winnings."""
    form = von_neumann(cards=2, replacement=True)
    agents, rounds = 10, 30_000
    first = np.ones((agents, 2), np.uint8)
    counts = []
    for chosen in range(3):
        second = np.ones((agents, 2), np.uint8)
        second[chosen] = 0
        base = play(form, first, np.ones_like(second), rounds=rounds, start=np.uint64(5), united=False)[0]
        counts.append(play(form, first, second, rounds=rounds, start=np.uint64(5), united=False)[0] - base)
    # facing the folder a bettor wins 1 instead of 0 on average: differences are meetings, times 1, plus noise
    meetings = rounds / agents
    spread = np.sqrt(meetings * 9 + meetings)
    assert np.abs(np.array(counts) - meetings).max() < spread * stats.norm.isf(UNLIKELY / 60)


def test_threads_and_cuts_change_nothing():
    form = flop_poker()
    settings_one = replace(SECTION_6, population=60, rounds=50, workers=1)
    one = GeneticSolver(form, settings_one, seed=3)
    two = GeneticSolver(form, replace(settings_one, workers=2), seed=3)
    one.advance(4)
    two.advance(1)
    resumed = GeneticSolver(form, replace(settings_one, workers=2), seed=3)
    resumed.restore(two.arrays())
    run(resumed, Stop(iterations=4))
    for name, array in one.arrays().items():
        assert array.tolist() == resumed.arrays()[name].tolist(), name
    other = GeneticSolver(form, settings_one, seed=4)
    other.advance(4)
    assert other.genes[0].tolist() != one.genes[0].tolist()


@pytest.mark.uncompiled
@given(st.integers(0, 2**64 - 1), st.lists(st.floats(0.1, 5), min_size=2, max_size=6), st.floats(0, 1))
@settings(max_examples=25, deadline=None)
def test_breeding_matches_the_plain_twin(counter, weights, mutation):
    rng = np.random.default_rng(counter % 1000)
    parents = rng.integers(0, 2, (len(weights), 20), np.uint8)
    with np.errstate(over="ignore"):
        born = breed(parents, np.array(weights), 5, mutation=mutation, start=np.uint64(counter))
    assert born.tolist() == naive.breed(parents.tolist(), weights, 5, mutation=mutation, counter=counter)


def test_parents_are_drawn_in_proportion():
    """Each parent carries one gene of its own; a child of two shows which two by where it differs from zero."""
    weights = np.array([1.0, 2.0, 3.0, 6.0])
    parents = np.repeat(np.eye(4, dtype=np.uint8), 60, axis=1)  # 60 copies, so that both parents show
    born = breed(parents, weights, 20_000, mutation=0.0, start=np.uint64(2)).reshape(-1, 4, 60).sum(2)
    share = weights / weights.sum()
    pairs = [(i, j) for i in range(4) for j in range(i)]
    expected = [share[i] * share[j] * (1 / (1 - share[i]) + 1 / (1 - share[j])) for i, j in pairs]
    observed = [int(((born[:, i] > 0) & (born[:, j] > 0)).sum()) for i, j in pairs]
    assert ((born > 0).sum(1) == 2).mean() > 0.999
    scale = sum(observed) / sum(expected)
    assert stats.chisquare(observed, np.array(expected) * scale).pvalue > UNLIKELY


@pytest.mark.parametrize("weights", [(1.0, 1.0), (3.0, 1.0)])
def test_genes_that_differ_come_by_weight(weights):
    parents = np.array([np.zeros(500), np.ones(500)], np.uint8)
    born = breed(parents, np.array(weights), 400, mutation=0.5, start=np.uint64(9))
    expected = weights[1] / sum(weights)
    assert stats.binomtest(int(born.sum()), born.size, expected).pvalue > UNLIKELY
    correlation = np.corrcoef(born[:, 0::2].ravel(), born[:, 1::2].ravel())[0, 1]
    assert abs(correlation) < 5 / np.sqrt(born.size / 2)


@pytest.mark.parametrize("rate", [0.0, 1e-3, 0.2, 1.0])
def test_genes_on_which_parents_agree_mutate_at_the_rate(rate):
    rng = np.random.default_rng(1)
    gene = rng.integers(0, 2, 1000, np.uint8)
    born = breed(np.array([gene, gene]), np.ones(2), 300, mutation=rate, start=np.uint64(4))
    flipped = int((born != gene).sum())
    assert stats.binomtest(flipped, born.size, rate).pvalue > UNLIKELY


def test_breeding_without_weight_is_uniform():
    parents = np.repeat(np.eye(3, dtype=np.uint8), 40, axis=1)
    born = breed(parents, np.array([-1.0, -2.0, 0.0]), 6000, mutation=0.0, start=np.uint64(7)).reshape(-1, 3, 40).sum(2)
    observed = (born > 0).sum(0)
    assert stats.chisquare(observed).pvalue > UNLIKELY


def test_selection_takes_the_best_and_breaks_ties_at_random():
    rng = np.random.default_rng(0)
    scores = np.array([1.0, 5.0, 3.0, 5.0, 2.0])
    assert set(select(scores, 2, rng)) == {1, 3}
    assert list(select(np.arange(6.0), 3, rng)) == [5, 4, 3]
    chosen = np.bincount(np.concatenate([select(np.zeros(5), 2, rng) for _ in range(5000)]), minlength=5)
    assert stats.chisquare(chosen).pvalue > UNLIKELY


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_pareto_fronts_are_what_they_say(seed, agents, opponents):
    scores = np.random.default_rng(seed).integers(0, 4, (agents, opponents)).astype(float)

    def dominates(one, two):
        return all(a >= b for a, b in zip(one, two, strict=True)) and any(a > b for a, b in zip(one, two, strict=True))

    fronts = pareto_fronts(scores, agents)
    for agent in range(agents):
        above = [fronts[other] for other in range(agents) if dominates(scores[other], scores[agent])]
        assert fronts[agent] == (max(above) + 1 if above else 0)


def test_a_generation_keeps_the_selected_and_refills():
    form = von_neumann(cards=60)  # no two chromosomes alike
    solver = GeneticSolver(form, replace(SMALL, mutation=0.0), seed=2)
    before = [genes.copy() for genes in solver.genes]
    won = play(form, *before, rounds=60, start=stream(2, 0, 0), united=False)
    solver.advance(1)
    for role in (0, 1):
        survivors = {tuple(row) for row in solver.genes[role][:10]}
        assert survivors <= {tuple(row) for row in before[role]}
        cut = np.sort(won[role])[-10]
        place = {tuple(row): number for number, row in enumerate(before[role])}
        assert all(won[role][place[row]] >= cut for row in survivors)
        assert solver.output[role] == pytest.approx(solver.genes[role][:10].mean(0))
        fitness = 1 + np.sort(won[role])[-10:].mean() / 10_000
        assert solver.history[0][role] == pytest.approx(fitness)
        fixed = solver.genes[role][:10].min(0) == solver.genes[role][:10].max(0)
        assert (solver.genes[role][10:, fixed] == solver.genes[role][0, fixed]).all()


def test_squared_loss_counts_losses_only():
    solver = GeneticSolver(von_neumann(cards=5), replace(SMALL, united=True, fitness="squared-loss"))
    totals = np.array([3.0, -2.0, 0.0, -5.0]), np.array([1.0, -1.0, 0.0, 2.0])
    assert solver._fitness(totals)[0].tolist() == [0.0, -9.0, 0.0, -9.0]
    first, second, unit = score_tables(von_neumann(ante=1, bet=2), "squared-loss-per-game")
    assert unit == 1
    assert first.reshape(3, 2, 2)[2].tolist() == [[-1, -1], [0, -9]]
    assert second.reshape(3, 2, 2)[0].tolist() == [[-1, -1], [-1, -9]]


@pytest.mark.parametrize(
    "changes",
    [{}, {"exact": True}, {"hall": 0.5}, {"exact": True, "hall": 0.5, "averaged": True}, {"exact": True, "pareto": 8}],
)
def test_evolution_finds_a_better_game(changes):
    """Every variant ends below half of where random play starts."""
    form = von_neumann(cards=20)
    start = GeneticSettings(population=200 if "pareto" in changes else 400, rounds=2000, selected=0.1, mutation=1e-3)
    solver = GeneticSolver(form, replace(start, **changes), seed=1)
    before = solver.measure().exploitability
    solver.advance(40)
    assert solver.measure().exploitability < before / 2
    assert len(solver.history) == 40


def test_united_agents_learn_flop_poker():
    form = flop_poker()
    solver = GeneticSolver(form, replace(SECTION_6, population=200, exact=True), seed=1)
    before = solver.measure().exploitability
    solver.advance(60)
    assert solver.measure().exploitability < before / 3


@pytest.mark.parametrize(
    "bad",
    [
        {"population": 3},
        {"population": 10**6},
        {"population": 101, "united": True},
        {"rounds": 0},
        {"selected": 0.0},
        {"selected": 1.0},
        {"mutation": -0.1},
        {"fitness": "luck"},
        {"hall": 1.0},
        {"bankroll": 0.0},
        {"pareto": 5},
        {"pareto": -1, "exact": True},
    ],
)
def test_bad_settings(bad):
    with pytest.raises(BadSetting):
        replace(SECTION_3, **bad)


def test_payoffs_without_a_unit_are_refused():
    with pytest.raises(BadSetting, match="whole numbers of any unit"):
        score_tables(von_neumann(ante=1, bet=np.pi), "bankroll")
    with pytest.raises(BadSetting, match="too large"):
        score_tables(von_neumann(ante=1, bet=123_457), "squared-loss-per-game")


@pytest.mark.parametrize("chip", [1e-11, 0.01, 1 / 3, 1e6])
def test_scores_do_not_depend_on_the_chip(chip):
    """Tiny antes are not taken for nothing, and large ones do not overflow."""
    tables = [score_tables(von_neumann(ante=2 * scale, bet=5 * scale), "bankroll") for scale in (1.0, chip)]
    assert tables[0][0].tolist() == tables[1][0].tolist()
    assert tables[1][2] == pytest.approx(chip * tables[0][2], rel=1e-12)


@pytest.mark.parametrize("changes", [{}, {"united": True}, {"hall": 0.5}])
def test_games_counted_are_games_played(monkeypatch, changes):
    played = 0

    def counted(form, first, second, **options):
        nonlocal played
        played += options["rounds"] * (len(first) // 2 if options["united"] else len(first))
        return play(form, first, second, **options)

    monkeypatch.setattr("pokerlab.solvers.evolve.genetic.play", counted)
    solver = GeneticSolver(von_neumann(cards=8), replace(SMALL, **changes), seed=1)
    for generations in (1, 3):
        solver.advance(generations)
        assert solver.nodes_touched == played
