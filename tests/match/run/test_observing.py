"""Hands that are watched: the kernel against its plain twin, tables against policies, kept hands, hidden cards."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive.match import watch_hand
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.errors import BadFile, BadSetting, Notice
from pokerlab.games.poker.action import CALL
from pokerlab.lab.play.playing import run_match
from pokerlab.match.hands.hand_text import replay
from pokerlab.match.hands.query import HandsFile
from pokerlab.match.run import _kernels
from pokerlab.match.run.match import MatchSettings
from pokerlab.match.run.observing import SHOWDOWNS, _Tally, watch_agents, watch_kept, watch_policies
from pokerlab.match.run.tables import played_tree, running_sums
from pokerlab.registry import load
from pokerlab.strategy.profile import profile_of
from pokerlab.strategy.written import form_of
from pokerlab.tree.sequence import SequenceForm

GAMES = {name: load("games", name) for name in ("kuhn", "leduc", "one-card(cards=4)")}
FORMS = {name: form_of(game) for name, game in GAMES.items()}


def uneven(form: SequenceForm, seed: int) -> np.ndarray:
    """Any behaviour, with actions that are never taken in it."""
    rng, tree = np.random.default_rng(seed), form.tree
    weights = rng.random(tree.slots) * (rng.random(tree.slots) < 0.7) + 1e-9
    return np.asarray(weights / np.repeat(np.add.reduceat(weights, tree.start[:-1]), np.diff(tree.start)))


def ends_in_a_fold(form: SequenceForm, node: int) -> bool:
    tree = form.tree
    return bool(tree.edge_names[tree.edge[node]] == "f")


@pytest.mark.uncompiled
@given(st.sampled_from(sorted(FORMS)), st.integers(0, 2**32), st.integers(0, 1000), st.booleans())
@settings(deadline=None, max_examples=12)
def test_kernel_is_its_plain_twin(name: str, seed: int, first: int, showdowns: bool) -> None:
    form = FORMS[name]
    tree = form.tree
    profiles = [uneven(form, seed), uneven(form, seed + 1)]
    sums = np.stack([running_sums(profile, tree.start) for profile in profiles])
    told = np.array([not (showdowns and node and ends_in_a_fold(form, node)) for node in range(tree.nodes)])
    counts, path = np.zeros(tree.slots, np.int64), np.empty(tree.slots, np.int64)
    hands = _kernels.watch_tables(played_tree(tree, sums), np.uint64(seed), (first, 15), told, path, counts)
    expected, seen = np.zeros(tree.slots, np.int64), 0
    for deal in range(first, first + 15):
        place = seed + 128 * deal
        taken, node = watch_hand(tree, profiles, moved=deal % 2, dealt=place, chosen=place + 64)
        if told[node]:
            seen += 1
            np.add.at(expected, taken, 1)
    assert hands == seen
    assert counts.tolist() == expected.tolist()


def test_actions_are_seen_as_often_as_they_are_taken() -> None:
    """At every infoset of Leduc, each action within five standard errors of its probability, in both seats."""
    form = FORMS["leduc"]
    tree, profile = form.tree, uneven(form, 3)
    found = watch_policies(form, profile, tree.uniform(), hands=200_000, seed=5)
    assert (found.hands, found.cards_known) == (200_000, 200_000)
    seen = np.repeat(np.add.reduceat(found.counts, tree.start[:-1]), np.diff(tree.start))
    error = np.sqrt(profile * (1 - profile) / np.maximum(seen, 1))
    often = seen > 200
    assert (np.abs(found.counts / np.maximum(seen, 1) - profile) <= 5 * error + 1e-6)[often].all()
    assert all(often[form.slots_of(player)].sum() > 100 for player in range(2))
    again = watch_policies(form, profile, tree.uniform(), hands=200_000, seed=5)
    assert np.array_equal(found.counts, again.counts)
    other = watch_policies(form, profile, tree.uniform(), hands=200_000, seed=6)
    assert not np.array_equal(found.counts, other.counts)


def test_after_a_fold_nothing_is_known_at_a_showdown() -> None:
    form, fold = FORMS["leduc"], "f"
    tree = form.tree
    names = np.array([name for actions in tree.action_names for name in actions])
    profile = profile_of(open_policy("random", GAMES["leduc"]), GAMES["leduc"], form)
    found = watch_policies(form, profile, profile, hands=20_000, seen=SHOWDOWNS)
    assert found.hands == 20_000
    assert 0 < found.cards_known < 15_000
    assert found.counts[names == fold].sum() == 0
    assert watch_policies(form, profile, profile, hands=20_000).counts[names == fold].sum() > 5000


@pytest.mark.parametrize("seen", ["all", SHOWDOWNS])
def test_tables_and_policies_show_the_same(seen: str) -> None:
    """Two samples of the same multinomials: a chi-squared statistic near its degrees of freedom."""
    game, form = GAMES["kuhn"], FORMS["kuhn"]
    watched, against = open_agent("random"), open_agent("probe")
    table = watch_agents(game, form, watched, against, hands=3000, seed=4, seen=seen)
    profiles = [profile_of(open_policy(name, game), game, form) for name in ("random", "probe")]
    policies = watch_policies(form, profiles[0], profiles[1], hands=3000, seed=8, seen=seen)
    assert table.hands == policies.hands == 3000
    both = table.counts + policies.counts
    assert ((table.counts > 0) == (policies.counts > 0)).all()
    statistic = ((table.counts - policies.counts)[both > 0] ** 2 / both[both > 0]).sum()
    freedom = int((both > 0).sum())
    assert statistic < freedom + 5 * np.sqrt(2 * freedom)


def test_kept_hands(tmp_path: Path) -> None:
    game, form, file = GAMES["leduc"], FORMS["leduc"], tmp_path / "m.duckdb"
    run_match(MatchSettings.of(game, ["formula", "random"], hands=300, seed=3, duplicate=True), workers=1, out=file)
    run_match(MatchSettings.of("kuhn", ["random", "rules"], hands=50), workers=1, out=file)  # another game
    run_match(MatchSettings.of(game, ["always-call", "random"], hands=40, seed=1), workers=1, out=file)
    found = watch_kept(file, form, game, player="random")
    assert (found.hands, found.cards_known) == (340, 340)
    expected: dict[tuple[int, str], dict[str, int]] = {}
    with HandsFile(file) as kept:
        for number in (1, 3):
            match = kept.match(number)
            for hand in kept.hands(match):
                seat = hand.names(match).index("random")
                for state, actor, action in hand.steps(match)[0]:
                    if actor == seat:
                        at = expected.setdefault((seat, game.infoset(state, seat)), {})
                        at[game.action_text(action)] = at.get(game.action_text(action), 0) + 1
    tree = form.tree
    for infoset, (seat, name) in enumerate(zip(tree.infoset_player.tolist(), tree.infoset_names, strict=True)):
        slots = slice(tree.start[infoset], tree.start[infoset + 1])
        there = expected.get((seat, name), {})
        assert found.counts[slots].tolist() == [there.get(action, 0) for action in tree.action_names[infoset]]
    shown = watch_kept(file, form, game, player="random", seen=SHOWDOWNS)
    assert shown.hands == 340
    assert 0 < shown.cards_known < 300
    assert (shown.counts <= found.counts).all()


def test_names_and_games_that_a_file_does_not_hold(tmp_path: Path) -> None:
    file = tmp_path / "m.duckdb"
    run_match(MatchSettings.of("kuhn", ["random", "rules"], hands=5), workers=1, out=file)
    with pytest.raises(BadSetting, match="nobody called 'Alice' played kuhn in .*: random, rules did"):
        watch_kept(file, FORMS["kuhn"], GAMES["kuhn"], player="Alice")
    with pytest.raises(BadFile, match="holds no hands of leduc"):
        watch_kept(file, FORMS["leduc"], GAMES["leduc"], player="random")
    with pytest.raises(BadSetting, match="all or showdowns; got 'some'"):
        watch_kept(file, FORMS["kuhn"], GAMES["kuhn"], player="random", seen="some")


def test_hands_whose_cards_are_hidden_are_not_counted() -> None:
    game, tally = GAMES["leduc"], _Tally(FORMS["leduc"], "all")
    for cards in ("Ka|??/Qb", "??|Ka/Qb", "Ka|Kb/Qb"):
        tally.add(game, *replay(game, cards, "cc/crc"), seats=[1])
    found = tally.result()
    assert (found.hands, found.cards_known) == (3, 2)
    assert found.decisions == 4  # two of the second seat in each


class Wild:
    """Answers with nothing, from one seat."""

    name = "wild"

    def act(self, view: Any, rng: Any) -> Any:
        return None if view.seat == 1 else CALL

    def reset(self) -> None:
        pass


def test_what_is_not_allowed_is_told_of_the_watched_player_alone() -> None:
    game, call = GAMES["leduc"], open_agent("always-call")
    with pytest.warns(Notice, match=r"^\d+ actions of the observed player were illegal.*: \d+ times "):
        seen = watch_agents(game, FORMS["leduc"], Wild(), call, hands=20)
    assert seen.decisions >= 20
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert watch_agents(game, FORMS["leduc"], call, Wild(), hands=20).hands == 20
