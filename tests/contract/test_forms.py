"""Laws of every form: what it says of itself, that solvers run on it alike, and that the same game is worth the same.

Games are found in the registry, forms in tree/form.py, algorithms in the registry; none is listed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.errors import BadSetting, PokerlabError, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.game import Game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode, start_of
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve.solving import BuiltTask, prepare, resume, solve
from pokerlab.lab.solve.tasks import open_task
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.policy import Policy, table_of
from pokerlab.strategy.profile import profile_of
from pokerlab.tree import form as form_module
from pokerlab.tree.bucketed.form import bucketed_form
from pokerlab.tree.bucketed.inside import has_perfect_recall
from pokerlab.tree.form import KINDS, Choice, FormKind, FormSize, build_form, choose, kind_of

TWO_STATES = str(Path(__file__).parents[2] / "examples" / "games" / "two_states.toml")
SETTINGS = [  # games with settings that make them small, and unlike their defaults
    "kuhn",
    "leduc(ranks=4, suits=2, raises=1, bets=(1, 3))",
    "leduc(ranks=3, suits=3, ante=2)",
    "rhode-island(ranks=3, suits=2, raises=1)",
    "von-neumann(cards=7, ante=3, bet=2)",
    "von-neumann(cards=6, replacement=False, bet=5)",
    "one-card(cards=5)",
    "goofspiel(cards=3)",
    "matching-pennies",
    TWO_STATES,
]
SMALL_ENOUGH = 2e7  # bytes
LARGE = ("five-card-draw", "holdem-limit", "holdem-nolimit", "short-deck")  # to see that no form is small takes seconds
RANDOM = 4000  # iterations of algorithms that sample


def names() -> list[str]:
    """Every game of the registry that is small by default, and the settings above."""
    found = []
    for entry in registry.available("games"):
        try:
            game = open_game(entry.name)
        except PokerlabError:  # it needs a setting, a path say
            continue
        if not kind_of("sequence").why_not(game):
            found.append(game.name)
    return sorted({*found, *SETTINGS})


@cache
def game_of(name: str) -> Game:
    return open_game(name)


@cache
def kinds_of(name: str) -> tuple[str, ...]:
    """The forms of a game that are small."""
    return () if name in LARGE else forecast_kinds(name)


def forecast_kinds(name: str) -> tuple[str, ...]:
    """The forms of a game that are small, by their forecasts."""
    found = []
    for kind in KINDS:
        if kind_of(kind).why_not(game_of(name)) or (kind == "normal" and "sequence" not in found):
            continue  # the normal form is larger than the sequence form
        try:
            if kind_of(kind).forecast(game_of(name)).bytes < SMALL_ENOUGH:
                build_form(game_of(name), kind)
                found.append(kind)
        except TooLarge:
            continue
    return tuple(found)


def cases() -> list[tuple[str, str]]:
    return [(name, kind) for name in names() for kind in kinds_of(name)]


CASES = cases()


def test_every_form_is_met() -> None:
    assert {kind for _, kind in CASES} == set(KINDS)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", LARGE)
def test_large_games_have_no_small_form(name: str) -> None:
    assert name in names()
    assert forecast_kinds(name) == ()


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_form_says_what_it_is(name: str, kind: str) -> None:
    game = game_of(name)
    form = build_form(game, kind)
    assert (form.kind, form.name, form.players) == (kind, game.name, game.players)
    assert form.max_abs_payoff > 0
    assert form.pot > 0
    told, built = kind_of(kind).forecast(game), form.size
    assert built.bytes > 0
    assert told.nodes == pytest.approx(built.nodes, rel=0.5)  # counted, or estimated by walks
    if told.infosets is not None and kind != "normal":
        assert told.infosets == built.infosets
    assert "nodes" in built.text()
    small = form.small()
    assert small.kind == kind
    assert small.size.bytes <= max(built.bytes, 1e6)


def test_a_problem_without_a_form_is_told_why() -> None:
    for kind in KINDS:
        for name in names():
            why = kind_of(kind).why_not(game_of(name))
            if why:
                assert name.partition("(")[0] in why
                with pytest.raises(BadSetting):
                    build_form(game_of(name), kind)


@pytest.mark.parametrize("name", ["rhode-island", "push-fold", "leduc(ranks=13, suits=4)", "leduc", "von-neumann"])
def test_the_form_is_chosen_by_size(name: str) -> None:
    expected = {"rhode-island": "public", "push-fold": "classes", "leduc(ranks=13, suits=4)": "public"}
    choice = choose(game_of(name), ("sequence", "public", "classes"), memory=4e9)
    assert choice.kind == expected.get(name, "sequence")
    assert all("form" in reason for reason in choice.reasons)
    assert bool(choice.reasons) == (choice.kind != "sequence")


@pytest.mark.parametrize(
    ("sizes", "expected", "reasons"),
    [
        ((1e6, 1e3, 1e3), "sequence", 0),  # small enough, whatever the others are
        ((1e9, 2e8, 1e6), "public", 1),  # the first that is small
        ((1e9, 9e8, 8e8), "sequence", 0),  # large, and no other is far smaller
        ((3.8e10, 3e9, 2e9), "public", 1),  # far smaller than the first; the third is not far smaller than that
        ((3.8e10, 3e10, 6e8), "classes", 2),
        ((5e10, 3e10, 2e10), "public", 1),  # the first that fits
        ((None, 3e10, None), "public", 1),  # too large even to tell
        ((5e10, None, 5e10), "sequence", 0),  # none fits: the first refuses
    ],
)
def test_a_later_form_is_taken_where_it_is_far_smaller(
    sizes: tuple[float | None, ...], expected: str, reasons: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = dict(zip(("sequence", "public", "classes"), sizes, strict=True))

    def fake(kind: str) -> FormKind:
        def forecast(problem: object) -> FormSize:
            size = told[kind]
            if size is None:
                raise TooLarge("nobody can tell")
            return FormSize(1, 1, size)

        return FormKind(lambda problem: "", forecast, build_form)

    monkeypatch.setattr(form_module, "kind_of", fake)
    choice = choose(game_of("kuhn"), tuple(told), memory=4e10)
    assert choice.kind == expected
    assert len(choice.reasons) == reasons
    if reasons:
        assert choice.reasons[0].startswith("the sequence form")


def test_with_little_memory_the_first_form_refuses() -> None:
    assert choose(game_of("rhode-island"), ("sequence", "public"), memory=1e6) == Choice("sequence")
    with pytest.raises(BadSetting, match="no classes form"):
        choose(game_of("leduc"), ("classes",))


# ---- solvers on forms ------------------------------------------------------------------------------------------------


def algorithms() -> list[Algorithm]:
    found = []
    for entry in registry.available("algorithms"):
        settings = {"population": 60, "rounds": 40} if entry.name == "genetic" else {}
        found.append(registry.load("algorithms", entry.name, **settings))
    return found


@cache
def value_of(name: str) -> float:
    """By linear programming in the sequence form, in the units of the game's rules."""
    return solve(game_of(name), algorithm="lp", form="sequence", iterations=1).value


TWO_FORMS = [
    name for name in names() if len({*kinds_of(name)} - {"normal", "bucketed"}) > 1 and "sequence" in kinds_of(name)
]
CFR_FAMILY = [
    algorithm.name
    for algorithm in algorithms()
    if algorithm.schedule and set(algorithm.forms) >= {"sequence", "public", "classes"}
]


def test_the_whole_family_runs_on_all_forms() -> None:
    assert {"cfr", "cfr+", "dcfr", "linear-cfr", "pcfr+"} <= set(CFR_FAMILY)
    scheduled = {algorithm.name for algorithm in algorithms() if algorithm.schedule}
    assert scheduled == set(CFR_FAMILY)  # an algorithm that has a schedule to lend runs on every form
    unscheduled = {algorithm.name for algorithm in algorithms()} - scheduled
    assert {"trembling", "pure", "cfr-br"} <= unscheduled  # trembling, sampling and responding have none
    assert len(TWO_FORMS) >= 5
    assert {kind for name in TWO_FORMS for kind in kinds_of(name)} == {*KINDS} - {"pushes", "stochastic"}


@pytest.mark.parametrize("algorithm", CFR_FAMILY)
@pytest.mark.parametrize("name", TWO_FORMS)
def test_two_forms_give_the_same_value(name: str, algorithm: str) -> None:
    """Every form's bounds hold the one value of the game, and each comes near it.

    Step by step forms differ: the public form stores float32, and regrets that tie to rounding fall either way.
    """
    stakes = build_form(game_of(name), "sequence").max_abs_payoff
    forms = registry.load("algorithms", algorithm).forms
    for kind in kinds_of(name):
        if kind == "normal" or kind not in forms:
            continue
        if kind == "bucketed" and not has_perfect_recall(bucketed_form(game_of(name))):
            continue  # buckets that forget have no plans
        found = solve(game_of(name), algorithm=algorithm, form=kind, iterations=300)
        assert found.form == kind
        assert found.bounds is not None
        low, high = found.bounds
        assert low - 1e-6 * stakes <= value_of(name) <= high + 1e-6 * stakes, kind
        assert found.value == pytest.approx(value_of(name), abs=0.01 * stakes), kind
        assert found.exploitability <= 0.01 * stakes, kind


STARTED = [(algorithm.name, kind) for algorithm in algorithms() for kind in algorithm.forms]
GAMES = {"sequence": "leduc(ranks=2, raises=1)", "public": "leduc(ranks=4, suits=3)", "normal": "kuhn"}
GAMES |= {
    "classes": "one-card(cards=5)",
    "bucketed": "leduc(ranks=4, raises=1)",
    "pushes": "push-fold(stack=4)",
    "stochastic": TWO_STATES,
}


WITH_DRAWS = {"exploiter": "small-draw(cards=1, ranks=3, suits=2)"}  # algorithms that need a game with a draw


def laid(algorithm: str, kind: str) -> BuiltTask:
    chosen = next(item for item in algorithms() if item.name == algorithm)
    games = WITH_DRAWS | dict.fromkeys(
        ("genetic", "sampled-regret"), "von-neumann(cards=9, ante=2)"
    )  # one decision each
    return prepare(open_task(games.get(algorithm, GAMES[kind])), algorithm=chosen, form=kind)


@pytest.mark.every_case
@pytest.mark.parametrize(("algorithm", "kind"), STARTED)
def test_a_solver_can_be_cut_anywhere(algorithm: str, kind: str) -> None:
    ready = laid(algorithm, kind)
    whole, parts = (ready.algorithm.start(ready.form, seed=3) for _ in range(2))
    whole.advance(12)
    parts.advance(5)
    again = ready.algorithm.start(ready.form, seed=3)
    again.restore({name: np.array(array) for name, array in parts.arrays().items()})
    again.advance(7)
    parts.advance(7)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, parts.arrays()[name]), name
        assert np.array_equal(array, again.arrays()[name]), name
    assert whole.measure() == parts.measure() == again.measure()
    assert whole.nodes_touched == again.nodes_touched


@pytest.mark.parametrize(("algorithm", "kind"), STARTED)
def test_a_solution_is_kept_verified_walked_and_resumed(algorithm: str, kind: str, tmp_path: Path) -> None:
    """One kind of file for all: `show`, `browse`, `verify`, `--resume` and `strategy:FILE` take every solution."""
    file = tmp_path / "kept"
    iterations = RANDOM if laid(algorithm, kind).algorithm.random and algorithm != "genetic" else 12
    solution = solve(laid(algorithm, kind), iterations=iterations, seed=2, save=file)
    opened = load(file)
    assert repr(opened) == repr(solution)
    assert opened.measure == solution.measure
    assert verify(file).matches, verify(file).wrong
    lines, kept = list(solution.strategy.lines()), list(opened.strategy.lines())
    assert lines == kept
    assert len(lines) > 3
    for line in lines:
        assert sum(line.actions.values()) == pytest.approx(1)
    for match in (lines[1].infoset, lines[-1].infoset[-2:], "no such infoset"):
        assert list(solution.strategy.lines(match)) == [line for line in lines if match in line.infoset]
    root = opened.root
    assert root.player is not None
    assert sum(root.strategy().values()) == pytest.approx(1)
    after = root.at(root.actions[-1])
    assert after.moves == (root.actions[-1],)
    if kind == "bucketed":
        with pytest.raises(BadSetting, match="hand by hand"):
            opened.best_response(1)
    else:
        exploiting = opened.best_response(1)
        assert exploiting.measure.values[1] == pytest.approx(solution.measure.best_responses[1], abs=1e-5)
    more = resume(file, iterations=iterations + 7)
    whole = solve(laid(algorithm, kind), iterations=iterations + 7, seed=2)
    for name, array in whole.state.items():
        assert np.array_equal(array, more.state[name]), name


UNEVEN = spot_from(
    {
        "board": "Kh7h2h5c",
        "pot": 20,
        "stack": 30,
        "out_of_position": {"range": "AhQh,KsKd:0.5,7c6c,JTs:0.3", "bet": "75%", "raise": "allin"},
        "in_position": {"range": "AcAd,9h8h:0.25,QQ", "bet": "60%,allin", "raise": ""},
    }
)


@pytest.mark.parametrize("algorithm", [algorithm for algorithm, kind in STARTED if kind == "public"])
def test_a_spot_is_kept_verified_and_resumed(algorithm: str, tmp_path: Path) -> None:
    """By every algorithm of the public form: a turn between ranges that are nothing alike."""
    file = tmp_path / "kept"
    solution = solve(UNEVEN, algorithm=algorithm, iterations=5, seed=2, threads=2, save=file)
    assert load(file).measure == solution.measure
    assert verify(file).matches, verify(file).wrong
    more = resume(file, iterations=8)
    whole = solve(UNEVEN, algorithm=algorithm, iterations=8, seed=2)
    for name, array in whole.state.items():
        assert np.array_equal(array, more.state[name]), name
    assert sum(more.values) == pytest.approx(20, abs=1e-4)


# ---- policies of forms -----------------------------------------------------------------------------------------------


def places(game: PokerGame, depth: int) -> list[PublicNode]:
    """Places of a game at which somebody decides, some cards each."""
    found, pending = [], [start_of(game)]
    for _ in range(depth):
        following = []
        for place in pending:
            if place.missing:
                deck = game.deck
                free = [card for card in range(deck.size) if card not in place.board]
                following += [place.after(deck.text(free[start::2][: place.missing])) for start in (0, 1)]
            elif place.seat >= 0:
                found.append(place)
                following += [place.after(action) for action in place.actions]
        pending = following
    return found


@pytest.mark.parametrize("name", [name for name in TWO_FORMS if isinstance(open_game(name), PokerGame)])
def test_policies_say_what_their_form_measured(name: str) -> None:
    """Asked decision by decision and measured in the sequence form, a policy is worth what its own form says."""
    game = game_of(name)
    assert isinstance(game, PokerGame)
    form = build_form(game, "sequence")
    met = places(game, 5)
    assert len(met) > 1
    for kind in kinds_of(name):
        method = "pure" if kind == "bucketed" else "cfr"
        solution = solve(game, algorithm=method, form="sequence" if kind == "normal" else kind, iterations=40)
        policy = solution.strategy
        assert isinstance(policy, Policy)
        found = form.measure(profile_of(policy, game, form))
        assert found.values == pytest.approx(solution.measure.values, abs=1e-9 * form.max_abs_payoff)
        assert found.best_responses == pytest.approx(solution.measure.best_responses, abs=1e-9 * form.max_abs_payoff)
        for place in met:
            table, asked = policy.table(place), table_of(policy, place)
            assert tuple(table.actions) == place.actions
            rows = dict(zip(asked.hands, asked.probability.tolist(), strict=True))
            assert set(table.hands) == set(rows)
            for hand, row in zip(table.hands, table.probability.tolist(), strict=True):
                assert rows[hand] == pytest.approx(row)
