"""Mirror prox: its steps, the condition of its proof, and what its averages promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from naive.first_order import Players, own_parts
from naive.random_game import RandomGame, random_games
from pokerlab import registry
from pokerlab.errors import BadFile
from pokerlab.formats.opening import open_game
from pokerlab.solvers.convex.mirror_prox import MirrorProx
from pokerlab.solvers.core.run import restore
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form
from published import small_games as printed

PROXES = ["entropy", "euclidean"]


def form_of(name: str) -> SequenceForm:
    return sequence_form(build(open_game(name)))


def started(spec: str, form: SequenceForm) -> MirrorProx:
    solver = registry.load("algorithms", spec).start(form)
    assert isinstance(solver, MirrorProx)
    return solver


@pytest.mark.uncompiled
@pytest.mark.parametrize("prox", PROXES)
@pytest.mark.parametrize("power", [0.0, 1.5])
@given(random_games(players=2, zero_sum=True))
@settings(max_examples=15)
def test_steps_match_their_plain_twins(prox: str, power: float, game: RandomGame) -> None:
    """Fixed steps, and their average by the definition."""
    form = sequence_form(build(game))
    players = Players(form, prox)
    solver = started(f"mirror-prox(prox={prox}, power={power}, aggressive=False)", form)
    smoothing = float(solver.arrays()["numbers"][0])
    behaviours = [tree.uniform() for tree in players.trees]
    seen: list[list[np.ndarray]] = []
    for step in range(1, 7):
        ahead = moved(players, behaviours, behaviours, smoothing)
        behaviours = moved(players, behaviours, ahead, smoothing)
        seen.append([tree.plan(mix) for tree, mix in zip(players.trees, ahead, strict=True)])
        solver.advance(1)
        weights = np.arange(1, step + 1) ** power
        for player, ours in enumerate(own_parts(form, solver.average)):
            mean = np.average([plans[player] for plans in seen], axis=0, weights=weights)
            assert ours == pytest.approx(mean, abs=1e-9)


def moved(players: Players, start: list, met: list, smoothing: float) -> list:
    """A prox step of both from `start`, by the gradient at `met`."""
    plans = [tree.plan(mix) for tree, mix in zip(players.trees, met, strict=True)]
    return [
        tree.prox(players.gradient(player, plans[1 - player]), smoothing, start[player])[0]
        for player, tree in enumerate(players.trees)
    ]


@pytest.mark.parametrize("prox", PROXES)
@pytest.mark.parametrize("aggressive", [True, False])
@given(random_games(players=2, zero_sum=True, whole=True))
@settings(max_examples=8)
def test_the_gap_is_at_most_the_diameters_over_the_steps(prox: str, aggressive: bool, game: RandomGame) -> None:
    """Nemirovski 2004: with each step weighed by its length, however long the condition lets it be."""
    form = sequence_form(build(game))
    solver = started(f"mirror-prox(prox={prox}, power=0, aggressive={aggressive})", form)
    for steps in (1, 1, 5, 20):
        solver.advance(steps)
        travelled = solver.arrays()["numbers"][1]
        found = solver.measure().nash_conv
        assert found <= solver.smoothed.diameter.sum() / travelled + 1e-11 * max(form.max_abs_payoff, 1.0)


@pytest.mark.parametrize("spec", ["mirror-prox", "mirror-prox(prox=entropy, power=0)", "mirror-prox(power=2)"])
@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("kuhn", printed.KUHN),
        ("one-card(cards=4)", printed.ONE_CARD_FOUR),
        ("goofspiel(cards=4)", 0.0),
        ("leduc", printed.LEDUC),
    ],
)
def test_the_value_is_bracketed(spec: str, game: str, value: float) -> None:
    form = form_of(game)
    solver = started(spec, form)
    solver.advance(700)
    low, high = solver.measure().bounds
    assert low - 1e-9 <= value <= high + 1e-9
    assert high - low < 5e-3 * form.max_abs_payoff


def test_looking_ahead_is_what_converges() -> None:
    """Without the second step plans would circle: the last point of matching pennies comes to rest."""
    form = form_of("matching-pennies")
    solver = started("mirror-prox(prox=entropy, power=0, aggressive=False)", form)
    solver.restore(solver.arrays() | tilted(solver))
    distances = []
    for _ in range(4):
        solver.advance(100)
        distances.append(np.abs(solver.stand.plan - form.plan(form.tree.uniform())).max())
    assert distances[0] > 10 * distances[1] > 100 * distances[2]


def tilted(solver: MirrorProx) -> dict[str, np.ndarray]:
    """A state away from the equilibrium."""
    state = solver.arrays()
    mixes = np.array([0.9, 0.1, 0.7, 0.3])
    return {
        "point": np.concatenate([state["point"][:2], np.log(mixes)]),
        "plan": np.concatenate([np.ones(2), mixes]),
    }


def test_averages_of_entropy_weigh_steps_alike() -> None:
    """Weights that rise need bounded distances: with entropy, which has none, they once made averages worse."""
    form = form_of("leduc")
    found = []
    for _ in range(2):
        solver = started("mirror-prox(prox=entropy)", form)
        solver.advance(500 * (1 + len(found)))
        found.append(solver.measure().exploitability)
    assert found[1] < 0.8 * found[0]
    assert registry.load("algorithms", "mirror-prox").settings["power"] == 1.0
    assert registry.load("algorithms", "mirror-prox(prox=entropy)").settings["power"] == 0.0


def test_gradients_are_counted() -> None:
    form = form_of("kuhn")
    solver = started("mirror-prox(aggressive=False)", form)
    solver.advance(20)
    assert (solver.passes, solver.nodes_touched) == (80, 80 * form.tree.nodes)


@pytest.mark.parametrize("spec", ["mirror-prox", "mirror-prox(prox=entropy)"])
def test_a_state_is_resumed_bit_for_bit(spec: str) -> None:
    form = form_of("one-card(cards=4)")
    whole, first, second = (started(spec, form) for _ in range(3))
    whole.advance(60)
    first.advance(23)
    second.restore(first.arrays())
    second.advance(37)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, second.arrays()[name]), name


def test_a_damaged_state_is_refused() -> None:
    solver = started("mirror-prox", form_of("kuhn"))
    with pytest.raises(BadFile, match="must be above zero"):
        restore(solver, solver.arrays() | {"numbers": np.array([0.0, 1.0])})


def test_a_pure_equilibrium_is_kept_however_long_it_goes_on() -> None:
    """On a saddle every length of a step is allowed: they must not grow without end."""
    solver = started("mirror-prox", form_of("abstraction-pathology(rows='AB', columns='c')"))
    for _ in range(4):
        solver.advance(4_000)
        assert solver.measure().exploitability < 1e-9
