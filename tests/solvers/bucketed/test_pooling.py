"""Observations over buckets, pooled: against sums by hand, and against the play that was observed."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.observing import watch_agents
from pokerlab.solvers.analysis.restriction import PRIOR, frequencies, pooled_frequencies
from pokerlab.strategy.forms.kinds import profile_in
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.form import build_form


def game_of(name: str) -> PokerGame:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return game


def form_of(game: PokerGame) -> BucketedForm:
    return bucketed_form(game, make(Plan(CardRounds.of(game), ("strength:2", "strength:2"), PERFECT)))


def infosets(form: BucketedForm) -> list[tuple[tuple[object, ...], int, np.ndarray]]:
    """The kind of each infoset, its decision, and where its numbers are."""
    arrays, found = form.betting.arrays, []
    for node in np.flatnonzero(arrays.actor >= 0).tolist():
        names = form.betting.actions[node]
        kind = (int(arrays.round[node]), int(arrays.actor[node]), len(names), names[0] == "f")
        for bucket in range(form.buckets.counts[int(arrays.round[node])]):
            found.append((kind, node, form.first_number(node, bucket) + np.arange(len(names))))
    return found


@pytest.mark.parametrize("name", ["leduc", "leduc-nolimit(stack=7, menu='50%,100%,allin')"])
def test_each_level_is_the_prior_of_the_next(name: str) -> None:
    game = game_of(name)
    form = form_of(game)
    rng = np.random.default_rng(0)
    counts, default = np.zeros(form.numbers, np.int64), np.zeros(form.numbers)
    kinds: dict[tuple[object, ...], np.ndarray] = {}
    nodes: dict[int, np.ndarray] = {}
    for kind, node, where in infosets(form):
        counts[where] = rng.integers(0, 4, len(where)) * (rng.random() < 0.5)
        default[where] = rng.dirichlet(np.ones(len(where)))
        kinds[kind] = counts[where] + kinds.get(kind, 0)
        nodes[node] = counts[where] + nodes.get(node, 0)
    pooled = pooled_frequencies(form, counts, default)
    coarse = form.coarser_counts(counts)
    for kind, node, where in infosets(form):
        assert coarse[0][where] == pytest.approx(kinds[kind])
        assert coarse[1][where] == pytest.approx(nodes[node])
        prior = default[where]
        for level in (kinds[kind], nodes[node], counts[where]):
            prior = (level + PRIOR * prior) / (level.sum() + PRIOR)
        assert pooled[where] == pytest.approx(prior)


def test_pooled_models_foretell_more_of_what_was_not_observed() -> None:
    """The squared error of the probabilities of what an opponent does in other hands."""
    game = game_of("leduc")
    form, errors = form_of(game), []
    few, many = (
        watch_agents(game, form, open_agent("rules"), open_agent("probe"), hands=hands, seed=seed).counts
        for hands, seed in ((60, 1), (2000, 2))
    )
    default = profile_in(open_policy("always-call", game), game, form)
    for model in (frequencies(form, few, default), pooled_frequencies(form, few, default)):
        played = form.infoset_sums(many)
        errors.append(float((played * model**2 - 2 * many * model).sum()))
    assert errors[1] < errors[0]


def test_only_buckets_are_pooled() -> None:
    form = build_form(game_of("kuhn"), "sequence")
    with pytest.raises(BadSetting, match="pooled over buckets"):
        pooled_frequencies(form, np.zeros(len(form.uniform())), form.uniform())
