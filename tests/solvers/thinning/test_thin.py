"""Fewer actions that win as much: whatever was played before, ranges stay, and no best response wins more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from naive.random_game import Level, RandomGame, random_games
from pokerlab import registry
from pokerlab.errors import BadGame
from pokerlab.formats.gambit import parse_efg
from pokerlab.formats.opening import open_game
from pokerlab.games.game import CHANCE
from pokerlab.solvers.analysis.beliefs import cleaned, limit_beliefs
from pokerlab.solvers.analysis.thinning import USED, thin
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form


def form_of(name: str) -> SequenceForm:
    return sequence_form(build(open_game(name)))


def equilibrium(form: SequenceForm) -> np.ndarray:
    """One that takes every action that some equilibrium takes."""
    solver = registry.load("algorithms", "lp(method=interior)").start(form)
    solver.advance(1)
    return np.asarray(solver.profile())


def random_profile(form: SequenceForm, seed: int) -> np.ndarray:
    tree, rng = form.tree, np.random.default_rng(seed)
    weights = rng.random(tree.slots) ** 3 * (rng.random(tree.slots) > 0.2) + 1e-6
    return weights / np.repeat(np.add.reduceat(weights, tree.start[:-1]), np.diff(tree.start))


@given(game=random_games(players=2, zero_sum=True))
@settings(max_examples=10)
def test_no_best_response_wins_more_and_no_belief_changes(game: RandomGame) -> None:
    """Of any profile, an equilibrium or not; with hidden moves, and chance anywhere."""
    form = sequence_form(build(game))
    if not form.tree.slots or not form.max_abs_payoff:
        return
    before = random_profile(form, game.seed)
    after, states = thin(form, before)
    for one, other in zip(form.measure(before).best_responses, form.measure(after).best_responses, strict=True):
        assert other <= one + 1e-7 * form.max_abs_payoff
    assert all(state.used <= min(state.bound, state.used_before) for state in states)
    assert np.add.reduceat(after, form.tree.start[:-1]) == pytest.approx(1, abs=1e-14)
    come = form.plan(after)[form.parent]
    assert all(come[infoset] > 0 for state in states for infoset in state.infosets)
    assert_same_beliefs(form, before, after)


def assert_same_beliefs(form: SequenceForm, before: np.ndarray, after: np.ndarray) -> None:
    old, new = (limit_beliefs(form.tree, profile) for profile in (before, cleaned(form, after, never=USED)))
    for infoset in np.flatnonzero(new.reach > 1e-6):
        nodes = old.tree.members(int(infoset))
        assert new.share[nodes] == pytest.approx(old.share[nodes], abs=1e-5)


def blind_game(seed: int) -> str:
    """A public side and a card, high, low or none; with none player 1 does not act, and 2 believes that it was A."""
    rng = np.random.default_rng(seed)
    lines = ['EFG 2 R "blind" { "1" "2" }', '""', 'c "" 1 "" { "left" 1/2 "right" 1/2 } 0']
    for side in (1, 2):
        lines.append(f'c "" {1 + side} "" {{ "high" 2/5 "low" 2/5 "none" 1/5 }} 0')
        for card, actions in enumerate(("ABCD", "ABCD", "A")):
            if len(actions) > 1:
                lines.append(f'p "" 1 {10 * side + card} "{side}{card}" {{ "A" "B" "C" "D" }} 0')
            for number, action in enumerate(actions):
                lines.append(f'p "" 2 {10 * side + number} "{side}{action}" {{ "x" "y" }} 0')
                for payoff in rng.normal(size=2).round(3):
                    lines.append(f't "" {len(lines)} "" {{ {payoff} {-payoff} }}')
    return "\n".join(lines) + "\n"


def test_rounding_is_no_action() -> None:
    """What is less likely than can be meant is neither counted nor kept, also where play never comes."""
    form = form_of("one-card(cards=3, ante=1, stack=4)")
    before = np.where(np.arange(form.tree.slots) % 3 == 1, 1e-12, random_profile(form, 3))
    before /= np.repeat(np.add.reduceat(before, form.tree.start[:-1]), np.diff(form.tree.start))
    after, states = thin(form, before)
    assert (before < USED).any()
    assert not ((after > 0) & (after < USED)).any()
    assert sum(state.used_before for state in states) == sum(
        state.used_before for state in thin(form, cleaned(form, before, never=USED))[1]
    )


@pytest.mark.parametrize("seed", range(3))
def test_what_looks_like_not_having_acted_is_played_as_often_as_before(seed: int) -> None:
    form = sequence_form(build(parse_efg(blind_game(seed))))
    before = random_profile(form, seed)
    after, states = thin(form, before)
    assert_same_beliefs(form, before, after)
    first = [state for state in states if state.player == 0]
    assert [(len(state.infosets), state.used_before, state.used, state.bound) for state in first] == [(2, 4, 3, 3)] * 2
    for infoset in range(4):
        slot = int(form.tree.start[infoset])
        assert after[slot] == pytest.approx(before[slot], abs=1e-9)


@pytest.mark.parametrize("cards", [2, 3])
@pytest.mark.parametrize(("algorithm", "iterations"), [("cfr", 2), ("dcfr", 20), ("fictitious-play", 200)])
def test_averages_far_from_equilibrium_get_no_worse(cards: int, algorithm: str, iterations: int) -> None:
    """Where more actions are seen than there are hands, and some cost much more than others."""
    form = form_of(f"one-card(cards={cards}, ante=5, stack=15)")
    solver = registry.load("algorithms", algorithm).start(form)
    solver.advance(iterations)
    before = np.asarray(solver.profile())
    after, states = thin(form, before)
    pairs = zip(form.measure(before).best_responses, form.measure(after).best_responses, strict=True)
    assert all(other <= one + 1e-7 * form.max_abs_payoff for one, other in pairs)
    assert all(state.used <= state.bound for state in states)
    assert sum(state.used for state in states) < sum(state.used_before for state in states)


@pytest.mark.parametrize("seed", range(6))
def test_a_first_action_of_many_is_chosen_at_no_cost(seed: int) -> None:
    """Two hands and five actions that the opponent sees, worth anything."""
    levels = (Level(CHANCE, 2, (True, False)), Level(0, 5, (True, True)), Level(1, 2, (True, True)))
    form = sequence_form(build(RandomGame(2, levels, seed, zero_sum=True)))
    solver = registry.load("algorithms", "cfr").start(form)
    solver.advance(5)
    before = np.asarray(solver.profile())
    after, _ = thin(form, before)
    assert form.measure(after).best_responses[1] <= form.measure(before).best_responses[1] + 1e-7 * form.max_abs_payoff


@given(game=random_games(players=2, zero_sum=True, whole=True))
@settings(max_examples=5)
def test_equilibria_stay_equilibria(game: RandomGame) -> None:
    form = sequence_form(build(game))
    if not form.tree.slots or not form.max_abs_payoff:
        return
    before = equilibrium(form)
    after, _ = thin(form, before)
    assert form.measure(after).exploitability <= form.measure(before).exploitability + 1e-7 * form.max_abs_payoff
    assert form.measure(after).values[0] == pytest.approx(
        form.measure(before).values[0], abs=1e-7 * form.max_abs_payoff
    )


@pytest.mark.parametrize(
    ("name", "sizes"), [("one-card(cards=4, ante=3, stack=12)", 9), ("one-card(cards=7, ante=20, stack=(55, 60))", 35)]
)
def test_few_of_many_sizes_are_needed(name: str, sizes: int) -> None:
    """Stacks may differ; the bound holds at every state, and sizes are dropped where there are more than it."""
    form = form_of(name)
    before = equilibrium(form)
    after, states = thin(form, before)
    assert form.measure(after).exploitability < 1e-7 * form.max_abs_payoff
    assert form.measure(after).values == pytest.approx(form.measure(before).values, abs=1e-7 * form.max_abs_payoff)
    assert all(state.used <= state.bound for state in states)
    first = next(state for state in states if state.player == 0 and state.entered == 1)
    cards = len(first.infosets)
    assert first.actions == sizes + 1
    assert first.used <= first.bound == cards  # as the thesis says, where nobody has acted before
    checked = max((state for state in states if state.player == 1), key=lambda state: state.used_before)
    assert checked.used_before == checked.actions  # every size is in some equilibrium
    assert checked.used < checked.used_before
    assert checked.bound == cards + checked.entered


@pytest.mark.parametrize(("cards", "ante", "stack", "most"), [(4, 5, 15, 37), (6, 4, 16, 47)])
def test_choices_are_dropped_until_none_can_be(cards: int, ante: int, stack: int, most: int) -> None:
    """Further than a basic solution, in two orders: in the first game the one leaves fewer, in the second the other."""
    form = form_of(f"one-card(cards={cards}, ante={ante}, stack={stack})")
    before = equilibrium(form)
    basic, fewest = (sum(state.used for state in thin(form, before, fewest=fewest)[1]) for fewest in (False, True))
    assert fewest <= most < basic


def test_the_opponent_must_not_come_to_like_it_better() -> None:
    """Without rows for what the opponent wins on the way, the thesis' program leaves the equilibrium."""
    form = form_of("one-card(cards=5, ante=5, stack=15)")
    before = equilibrium(form)
    assert form.measure(before).exploitability < 1e-9
    thesis, states = thin(form, before, keeping=False, fewest=False)
    assert max(state.used for state in states) == 5  # its bound
    assert form.measure(thesis).exploitability > 1e-3
    ours, _ = thin(form, before)
    assert form.measure(ours).exploitability < 1e-9


def test_several_public_states_and_chance_after_the_decision() -> None:
    form = form_of("leduc-nolimit(ranks=2, stack=4)")
    before = equilibrium(form)
    after, states = thin(form, before)
    assert form.measure(after).exploitability < 1e-8
    assert len(states) > 20
    boards = [
        {form.tree.infoset_names[one].partition(":")[0].partition("/")[2] for one in state.infosets} for state in states
    ]
    assert all(len(board) == 1 for board in boards)  # what both see is the same at all infosets of a state
    betting = [{form.tree.infoset_names[one].partition(":")[2] for one in state.infosets} for state in states]
    assert all(len(one) == 1 for one in betting)
    assert len({(*board, *bets) for board, bets in zip(boards, betting, strict=True)}) == len(states)


def test_games_that_cannot_be_thinned_out_are_told() -> None:
    three = form_of("kuhn(players=3)")
    with pytest.raises(BadGame, match="has 3 players"):
        thin(three, three.tree.uniform())
    dilemma = form_of("prisoners-dilemma")
    with pytest.raises(BadGame, match="is not zero-sum"):
        thin(dilemma, dilemma.tree.uniform())
