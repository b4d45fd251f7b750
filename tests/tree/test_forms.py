"""The forms of a game agree, refuse what they cannot hold, and say where recall fails."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from naive import solve as naive
from naive.random_game import Level, RandomGame, random_games
from pokerlab import registry
from pokerlab.errors import BadGame, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.game import TERMINAL
from pokerlab.tree.forecast import check_fits, forecast
from pokerlab.tree.history.layout import NO_PARENT, build
from pokerlab.tree.normal import normal_form, strategy_counts
from pokerlab.tree.sequence import recall_failure, sequence_form

SEEN = (True, True)
LEVELS = (Level(0, 2, SEEN), Level(1, 2, SEEN), Level(0, 2, SEEN))


class Forgetful(RandomGame):
    """A game whose first player forgets all that he did and saw."""

    def infoset(self, state: tuple[int, ...], player: int) -> str:
        return f"{player}:{len(state)}" if player == 0 else super().infoset(state, player)


@given(random_games())
@settings(max_examples=40, deadline=None)
def test_tree_holds_every_history_once(game: RandomGame) -> None:
    tree = build(game)
    states = [game.root()]
    for state in states:
        actor = game.player(state)
        if actor != TERMINAL:
            moves = [move for move, _ in game.outcomes(state)] if actor == -1 else game.actions(state)
            states.extend(game.child(state, move) for move in moves)
    assert tree.nodes == len(states)
    assert {tuple(tree.path(node)) for node in range(tree.nodes)} == {tuple(map(str, state)) for state in states}
    assert tree.parent[0] == NO_PARENT
    assert np.all(tree.parent[1:] < np.arange(1, tree.nodes))
    for node in np.flatnonzero(tree.child_count):
        children = range(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
        assert all(tree.parent[child] == node for child in children)
    assert tree.is_zero_sum == all(abs(row.sum()) < 1e-9 for row in tree.returns)


@given(random_games(players=2, zero_sum=True))
@settings(max_examples=30, deadline=None)
def test_every_pair_of_forms_agrees(game: RandomGame) -> None:
    tree = build(game)
    form = sequence_form(tree)
    rng = np.random.default_rng(game.seed)
    profile = form.behaviour(rng.random(form.sequences))
    by_history = naive.expected_values(game, naive.named(tree, profile))
    plan = form.plan(profile)
    by_matrix = np.r_[1.0, plan[form.sequences_of(0)]] @ form.matrix @ np.r_[1.0, plan[form.sequences_of(1)]]
    assert form.measure(profile).values == pytest.approx(by_history, abs=1e-12)
    assert by_matrix == pytest.approx(by_history[0], abs=1e-12)
    if max(strategy_counts(form)) > 300:
        return
    normal = normal_form(form)
    mixes = [rng.dirichlet(np.ones(len(plans))) for plans in normal.plans]
    found = form.measure(normal.sequence_profile(mixes))
    for player in range(2):
        worth = normal.utilities(player, mixes)
        assert found.values[player] == pytest.approx(mixes[player] @ worth, abs=1e-10)
        assert found.best_responses[player] == pytest.approx(worth.max(), abs=1e-10)


@given(random_games(players=3))
@settings(max_examples=15, deadline=None)
def test_normal_form_of_three(game: RandomGame) -> None:
    form = sequence_form(build(game))
    counts = strategy_counts(form)
    if np.prod([float(count) for count in counts]) > 20_000:
        return
    normal = normal_form(form)
    assert tuple(len(plans) for plans in normal.plans) == counts
    rng = np.random.default_rng(game.seed)
    mixes = [rng.dirichlet(np.ones(len(plans))) for plans in normal.plans]
    found = form.measure(normal.sequence_profile(mixes))
    for player in range(3):
        worth = normal.utilities(player, mixes)
        assert found.values[player] == pytest.approx(mixes[player] @ worth, abs=1e-10)


def test_sizes_of_kuhn_and_leduc() -> None:
    """Kuhn: 55 nodes with the deal at the root, 30 terminals, 12 infosets. Leduc: 9,451, 5,520 and 936."""
    kuhn, leduc = build(open_game("kuhn")), build(open_game("leduc"))
    assert (kuhn.nodes, kuhn.terminals, kuhn.infosets) == (55, 30, 12)
    assert (leduc.nodes, leduc.terminals, leduc.infosets) == (9451, 5520, 936)
    assert strategy_counts(kuhn) == (27, 64)
    assert strategy_counts(kuhn, reduced=False) == (64, 64)


def test_forgetting_is_found_and_refused() -> None:
    game = open_game("leduc")
    assert recall_failure(build(game)) is None
    tree = build(Forgetful(2, LEVELS, 1, True))
    failure = recall_failure(tree)
    assert failure is not None
    assert failure.player == 0
    assert failure.infoset in failure.text()
    with pytest.raises(BadGame, match="imperfect recall"):
        sequence_form(tree)


def test_large_trees_are_refused_with_their_size() -> None:
    with pytest.raises(TooLarge, match=r"nodes, .*, with .*B available; choose smaller"):
        build(open_game("holdem-limit"))
    with pytest.raises(TooLarge, match="leduc.* 100 kB available"):
        build(open_game("leduc"), memory_limit=1e5)
    with pytest.raises(TooLarge, match="strategies"):
        normal_form(build(open_game("leduc")))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("holdem-nolimit", r"1\.89e165 nodes, 10\^167 bytes.*`pokerlab spot`.*`pokerlab size holdem-nolimit`"),
        ("rhode-island", r"6\.71 billion nodes.*`pokerlab size rhode-island`"),
        ("push-fold", r"55\.6 trillion nodes.*`pokerlab solve push-fold`"),
        ("five-card-draw", r"5\.93e30 nodes"),
        ("five-card-draw(players=3)", "at least .* nodes"),
    ],
)
def test_what_is_counted_is_not_estimated(name: str, said: str) -> None:
    game = open_game(name)
    with pytest.raises(TooLarge, match=said):
        check_fits(game, forecast(game), memory_limit=1e9)


def test_a_forecast_counts_the_whole_run() -> None:
    size, form = forecast(open_game("leduc")), sequence_form(build(open_game("leduc")))
    state = sum(array.nbytes for array in registry.load("algorithms", "dcfr").start(form).arrays().values())
    assert size.infosets == 936
    assert size.bytes > form.tree.bytes + form.bytes + state
    with pytest.raises(TooLarge):
        check_fits(open_game("leduc"), size, memory_limit=2.0 * form.tree.bytes)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel(cards=4)", "kuhn(players=3)"])
def test_forecast_is_near(name: str) -> None:
    game = open_game(name)
    size, true = forecast(game), build(game).nodes
    assert abs(size.nodes - true) <= 5 * size.error + 1e-9


class Broken(RandomGame):
    """A game with a mistake in its rules."""

    def outcomes(self, state: tuple[int, ...]) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.6)]


class Uneven(RandomGame):
    """A game in which an infoset has different actions in different histories."""

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return list(range(2 + (sum(state) % 2)))

    def infoset(self, state: tuple[int, ...], player: int) -> str:
        return f"{player}:{len(state)}"


class Endless(RandomGame):
    """A game that never ends."""

    def player(self, state: tuple[int, ...]) -> int:
        return 0

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1]

    def infoset(self, state: tuple[int, ...], player: int) -> str:
        return ""


@pytest.mark.parametrize(
    ("kind", "words"), [(Broken, "must sum to 1"), (Uneven, "same choices"), (Endless, "only finite games")]
)
def test_broken_rules_are_refused(kind: type, words: str) -> None:
    with pytest.raises((BadGame, TooLarge), match=words):
        build(kind(2, (Level(-1, 2, SEEN), *LEVELS), 1, True))
