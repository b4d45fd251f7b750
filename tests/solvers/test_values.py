"""Published values and equilibria of small games, and other people's programs on the games we share."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest

import pokerlab
from pokerlab import registry
from pokerlab.errors import BadGame
from pokerlab.formats.opening import open_game
from pokerlab.solvers.library.normal_lp import solve_matrix
from pokerlab.strategy.forms.sequence import named
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form
from published import small_games as printed


@pytest.fixture(scope="module")
def leduc() -> SequenceForm:
    return sequence_form(build(open_game("leduc")))


def exact(game: str | SequenceForm, **settings: object) -> pokerlab.strategy.files.solution.Solution:
    return pokerlab.solve(game, algorithm="lp", **settings)


@pytest.mark.parametrize("method", ["simplex", "ipm"])
@pytest.mark.parametrize(
    ("game", "value"),
    [("kuhn", printed.KUHN), ("one-card(cards=4)", printed.ONE_CARD_FOUR), ("leduc", printed.LEDUC)],
)
def test_linear_program_finds_the_printed_value(game: str, value: float, method: str) -> None:
    solution = pokerlab.solve(game, algorithm=f"lp(method={method})")
    assert solution.value == pytest.approx(value, abs=2e-10)
    assert solution.exploitability < 1e-9


def test_first_order_linear_program() -> None:
    solution = pokerlab.solve("kuhn", algorithm="lp(method=pdlp)")
    assert solution.value == pytest.approx(printed.KUHN, abs=1e-5)


@pytest.mark.parametrize(("stakes", "values"), printed.VON_NEUMANN.items())
def test_von_neumann_poker_on_a_hundred_cards(stakes: tuple[int, int], values: tuple[float, float]) -> None:
    ante, bet = stakes
    for replacement, value in zip((True, False), values, strict=True):
        game = f"von-neumann(cards=100, ante={ante}, bet={bet}, replacement={replacement})"
        assert exact(game).value == pytest.approx(value, abs=5e-9)


@pytest.mark.parametrize(("columns", "expected"), printed.PATHOLOGY.items())
def test_abstraction_pathology(columns: str, expected: tuple[float, float]) -> None:
    for algorithm in ("lp", "normal-lp"):
        solution = pokerlab.solve(f"abstraction-pathology(columns={columns})", algorithm=algorithm)
        assert solution.value == pytest.approx(expected[1], abs=1e-9)
        assert solution.strategy["row"]["A"] == pytest.approx(expected[0], abs=1e-9)


def test_uniform_play(leduc: SequenceForm) -> None:
    kuhn = sequence_form(build(open_game("kuhn")))
    for form, numbers in ((kuhn, printed.KUHN_UNIFORM), (leduc, printed.LEDUC_UNIFORM)):
        found = form.measure(form.tree.uniform())
        assert found.values[0] == pytest.approx(numbers["value"], abs=1e-9)
        assert found.best_responses == pytest.approx(numbers["best_responses"], abs=1e-6)
        assert found.nash_conv == pytest.approx(numbers["nash_conv"], abs=1e-6)


def kuhn_profile(alpha: float) -> dict[str, float]:
    """The probability to bet or call of each infoset, of Kuhn's family."""
    first = {"J:": alpha, "Q:": 0.0, "K:": 3 * alpha, "J:cr": 0.0, "Q:cr": alpha + 1 / 3, "K:cr": 1.0}
    return first | printed.KUHN_SECOND


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.2, 1 / 3])
def test_kuhns_family_is_an_equilibrium(alpha: float) -> None:
    form = sequence_form(build(open_game("kuhn")))
    aggressive = kuhn_profile(alpha)
    profile = np.concatenate([[1 - aggressive[name], aggressive[name]] for name in form.tree.infoset_names])
    found = form.measure(profile)
    assert found.nash_conv == pytest.approx(0, abs=1e-12)
    assert found.values[0] == pytest.approx(printed.KUHN, abs=1e-12)


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "pcfr+", "lp", "lp(method=ipm)"])
def test_solutions_of_kuhn_are_in_kuhns_family(algorithm: str) -> None:
    strategy = pokerlab.solve("kuhn", algorithm=algorithm, target=1e-9, iterations=100_000).strategy
    aggressive = {name: list(strategy[name].values())[1] for name in strategy}
    alpha = aggressive["J:"]
    assert -1e-6 <= alpha <= 1 / 3 + 1e-6
    reach = dict(zip(strategy.infosets, strategy.reach(), strict=True))
    for name, probability in kuhn_profile(alpha).items():
        if reach[name] > 1e-3:  # elsewhere anything is optimal
            assert aggressive[name] == pytest.approx(probability, abs=2e-4), name


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+"])
def test_three_players_reach_a_small_epsilon(algorithm: str) -> None:
    solution = pokerlab.solve("kuhn(players=3)", algorithm=algorithm, target=3e-5, iterations=200_000)
    assert solution.measure.epsilon < 1e-4
    assert solution.measure.epsilon == max(solution.measure.gains)


def test_goofspiel_is_fair() -> None:
    assert exact("goofspiel(cards=4)").value == pytest.approx(0, abs=1e-9)


def test_matrix_games() -> None:
    rows, columns = solve_matrix(np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]))
    assert rows == pytest.approx([1 / 3] * 3)
    assert columns == pytest.approx([1 / 3] * 3)


# Other people's programs.


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "kuhn_poker(players=3)"])
def test_measures_agree_with_openspiel(name: str) -> None:
    theirs = pyspiel.load_game(name)
    form = sequence_form(build(open_game(f"openspiel(name={name!r})")))
    uniform = pyspiel.UniformRandomPolicy(theirs)
    assert form.measure(form.tree.uniform()).nash_conv == pytest.approx(
        pyspiel.nash_conv(theirs, uniform, True), abs=1e-9
    )


@pytest.mark.parametrize(("ours", "theirs"), [("cfr", pyspiel.CFRSolver), ("cfr+", pyspiel.CFRPlusSolver)])
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_iterates_agree_with_openspiel(name: str, ours: str, theirs: type) -> None:
    iterations = 20 if name == "leduc_poker" else 200
    game = pyspiel.load_game(name)
    other = theirs(game)
    for _ in range(iterations):
        other.evaluate_and_update_policy()
    solution = pokerlab.solve(f"openspiel(name={name!r})", algorithm=ours, iterations=iterations)
    assert solution.nash_conv == pytest.approx(pyspiel.nash_conv(game, other.average_policy(), True), rel=1e-6)


def test_values_agree_with_gambit(tmp_path: object) -> None:
    import pygambit

    from pokerlab.formats.gambit_writing import write

    for name in ("kuhn", "one-card(cards=4)", "goofspiel(cards=3)"):
        path = tmp_path / "game.efg"  # type: ignore[operator]
        write(open_game(name), path)
        game = pygambit.read_efg(str(path))
        found = pygambit.nash.lp_solve(game, rational=False).equilibrium
        theirs = float(found.payoffs[next(iter(game.players))])
        assert exact(name).value == pytest.approx(theirs, abs=1e-7)


def test_needs_are_said_in_a_sentence() -> None:
    for spec in ("lp", "normal-lp"):
        with pytest.raises(BadGame, match="has 3 players"):
            pokerlab.solve("kuhn(players=3)", algorithm=spec)
        with pytest.raises(BadGame, match="is not zero-sum"):
            pokerlab.solve("battle-of-the-sexes", algorithm=spec)


def test_general_games_reach_an_equilibrium() -> None:
    solution = pokerlab.solve("prisoners-dilemma", algorithm="cfr+", iterations=500)
    assert solution.measure.epsilon < 1e-4
    form = sequence_form(build(open_game("prisoners-dilemma")))
    assert registry.load("algorithms", "fictitious-play").start(form).form is form
    assert list(named(form, form.tree.uniform())) == list(solution.strategy)
