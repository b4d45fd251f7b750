"""Oracle methods on every form: payoffs of sequences beside plain walks, and the value of the sequence form.

Run with NUMBA_BOUNDSCHECK=1 by `make test`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from naive.public import PublicGame, random_public_games
from naive.spot import PlainSpot
from pokerlab import registry
from pokerlab.cards.combos import COMBOS, combo_name
from pokerlab.errors import BadGame, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.poker.betting_tree import FoldPayoffs
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.strategy.lock import lock_from_text
from pokerlab.tree.form import Form, build_form
from pokerlab.tree.normal import normal_form
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.spot import spot_tree
from pokerlab.tree.resources import Resources

SPECS = ["double-oracle(over=strategies)", "range-of-skill(epsilon=1e-9)"]
BOARDS = {5: "Ks7h2d5c9s", 4: "Kh7h2h5c"}


def uneven(cards: int, one: int, other: int) -> dict[str, Any]:
    """A spot with weighted ranges of so many hands and unlike menus."""
    board, rng = BOARDS[cards], np.random.default_rng(one + other)
    lying = ["23456789TJQKA".index(board[i]) * 4 + "cdhs".index(board[i + 1]) for i in range(0, len(board), 2)]
    free = np.flatnonzero(~np.isin(COMBOS, lying).any(axis=1))
    ranges = [
        ",".join(f"{combo_name(int(hand))}:{rng.integers(20, 100) / 100:g}" for hand in rng.permutation(free)[:count])
        for count in (one, other)
    ]
    seats = {
        "out_of_position": {"range": ranges[0], "bet": "50%,allin", "raise": "allin"},
        "in_position": {"range": ranges[1], "bet": "75%", "raise": ""},
    }
    return {"board": board, "pot": 100, "stack": 150} | seats


def random_plan(form: Form, seed: int) -> np.ndarray:
    """Plans [S] that take some actions never."""
    rng, trees = np.random.default_rng(seed), form.treeplexes
    size = trees.sequences - trees.players
    return trees.plan(trees.normalize(rng.random(size) * (rng.random(size) < 0.8)))


def worth(form: Form, player: int, plan: np.ndarray) -> tuple[float, float]:
    """What a player wins by a plan, and by a best response."""
    trees, won = form.treeplexes, np.zeros(len(plan))
    form.payoffs(player, plan, won)
    own = trees.sequences_of(player)
    best = trees.best_response(player, won.copy())
    taken = trees.plan(best.choice[trees.players :])[own]
    assert won[player] + float(taken @ won[own]) == pytest.approx(best.value, rel=1e-9, abs=1e-12)
    return won[player] + float(plan[own] @ won[own]), best.value


@pytest.mark.parametrize(("cards", "one", "other"), [(5, 70, 33), (5, 1, 40), (4, 9, 35)])
def test_payoffs_are_those_of_every_pair_of_hands(cards: int, one: int, other: int) -> None:
    tree = spot_tree(spot_from(uneven(cards, one, other)), symmetric=False)
    form, plain = tree.on(Resources(threads=2)), PlainSpot(tree)
    for seed in range(3):
        plan = random_plan(form, seed)
        packed = form.pack(form.behaviour(plan))
        numbers = range(len(tree.rounds))
        tables = plain.tables([[packed[f"average_{number}_{player}"] for player in (0, 1)] for number in numbers])
        values, answers = plain.measure(tables)
        for player in (0, 1):
            value, best = worth(form, player, plan)
            assert value == pytest.approx(values[player], abs=1e-5)
            assert best == pytest.approx(answers[player], abs=1e-5)


@pytest.mark.uncompiled
@given(random_public_games())
@settings(max_examples=15, deadline=None)
def test_payoffs_of_any_betting_are_those_that_are_measured(game: PublicGame) -> None:
    """Players who never decide, who decide in one round alone, and boards folded together."""
    if isinstance(game.betting, FoldPayoffs):
        return
    for symmetric in (False, True):
        form = game.tree(symmetric=symmetric)
        plan = random_plan(form, 4)
        measured = form.measure(form.behaviour(plan))
        for player in (0, 1):
            value, best = worth(form, player, plan)
            assert value == pytest.approx(measured.values[player], abs=1e-6)
            assert best == pytest.approx(measured.best_responses[player], abs=1e-6)


FORMS = [
    ("kuhn", ("public", "classes", "normal")),
    ("one-card(cards=4)", ("public", "classes", "normal")),
    ("von-neumann(cards=6, replacement=False, bet=5)", ("public", "classes")),
    ("von-neumann(cards=7, ante=3, bet=2)", ("classes",)),
    ("leduc(ranks=2, raises=1, bets=(1, 3))", ("public",)),
]


@cache
def value_of(name: str) -> float:
    return solve(open_game(name), algorithm="lp", form="sequence", iterations=1).value


@pytest.mark.uncompiled
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(("name", "kinds"), FORMS)
def test_every_form_ends_with_an_equilibrium(name: str, kinds: tuple[str, ...], spec: str) -> None:
    for kind in kinds:
        form = build_form(open_game(name), "sequence" if kind == "normal" else kind)
        solver = registry.load("algorithms", spec).start(normal_form(form) if kind == "normal" else form)
        gap = [solver.measure().nash_conv]
        while not solver.finished:
            solver.advance(1)
            gap.append(solver.measure().nash_conv)
            assert len(gap) < 200
        low, high = solver.measure().bounds
        told = 1e-6 if kind == "public" else 1e-8  # float32 is what the public form is kept in
        assert low - told * form.max_abs_payoff <= value_of(name) <= high + told * form.max_abs_payoff
        assert gap[-1] < told * form.max_abs_payoff < gap[1]
        assert solver.nodes_touched > 0


@pytest.mark.parametrize("spec", [SPECS[0], "range-of-skill(epsilon=1e-4)"])
def test_folded_boards_have_the_same_value(spec: str) -> None:
    """Three suits: a board that keeps two of them unites hands of the last round too."""
    game = open_game("leduc(ranks=2, suits=3, raises=1)")
    for symmetric, first, last in ((True, 2, 2 * 3), (False, 6, 6 * 5)):  # hands, and hands on boards
        tree = public_tree(game, symmetric=symmetric)
        solver = registry.load("algorithms", spec).start(tree)
        solver.advance(150)
        found = solver.measure()
        assert solver.finished
        assert found.values == pytest.approx(
            (value_of(game.name), -value_of(game.name)), abs=1e-4 * solver.form.max_abs_payoff
        )
        assert found.nash_conv < 1.01e-4 * solver.form.max_abs_payoff
        slots = [level.treeplexes[0].slots for level in tree.rounds]
        own = tree.treeplexes.sequences_of(0)
        assert own.stop - own.start == first * slots[0] + last * slots[1]


@pytest.mark.parametrize("spec", ["double-oracle(over=strategies)", "range-of-skill"])
def test_uneven_spots_are_solved_kept_and_resumed(spec: str, tmp_path: Path) -> None:
    for cards, one, other, rounds in ((5, 20, 7, 200), (4, 2, 5, 7)):
        spot, file = uneven(cards, one, other), tmp_path / f"{cards}.solution"
        solve(spot, algorithm=spec, iterations=4, save=file, threads=2)
        resumed, whole = resume(file, iterations=rounds), solve(spot, algorithm=spec, iterations=rounds)
        for name, array in whole.state.items():
            assert np.array_equal(array, resumed.state[name]), name
        assert verify(file).matches, verify(file).wrong
        exact = solve(spot, iterations=200).bounds
        assert whole.bounds is not None
        assert exact is not None
        assert whole.bounds[0] <= exact[1]
        assert exact[0] <= whole.bounds[1]
        if cards == 5:
            assert whole.stopped == "solved"
            assert whole.exploitability <= (1e-4 * 250 if spec == "range-of-skill" else 1e-6 * 250)


def test_what_they_cannot_do_is_said() -> None:
    spot = uneven(5, 4, 6)
    for spec in SPECS:
        with pytest.raises(BadSetting, match="float64: leave out the storage"):
            solve(spot, algorithm=spec, iterations=1, storage="int16")
        with pytest.raises(BadSetting, match="locks hold in algorithms of the CFR family and in cfr-br"):
            solve(spot, algorithm=spec, iterations=1, locks=[lock_from_text("check: check")])
        with pytest.raises(BadGame, match="not zero-sum"):
            solve(spot | {"rake": 0.05}, algorithm=spec, iterations=1)
    none = solve(spot | {"stack": 0}, algorithm=SPECS[0])  # nobody decides anything
    assert none.exploitability == pytest.approx(0, abs=1e-9)
