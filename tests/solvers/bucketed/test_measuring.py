"""Strategies over buckets measured in the real game: in both forms alike, and by the equilibrium values of others."""

from __future__ import annotations

import numpy as np
import pytest
from tests.abstraction.test_buckets import cards_of, random_buckets
from tests.tree.bucketed.test_form import poker

from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.bucketed.real_game import _in_public, _in_sequence, measurer
from pokerlab.tree.form import build_form


def forms() -> list[BucketedForm]:
    """Two players: lossless, few buckets, buckets that remember."""
    leduc = poker("leduc")
    made = [bucketed_form(leduc), bucketed_form(poker("kuhn"))]
    made += [bucketed_form(leduc, random_buckets(cards_of("leduc"), (2, 5), join=join)) for join in (False, True)]
    return made


@pytest.mark.parametrize("form", forms(), ids=lambda form: f"{form.name}-{form.buckets.text}")
def test_both_forms_measure_the_same(form: BucketedForm) -> None:
    rng = np.random.default_rng(4)
    for _ in range(3):
        average = rng.integers(0, 100, form.numbers).astype(np.uint32)
        average[rng.random(form.numbers) < 0.3] = 0  # and so uniform somewhere
        one = _in_public(form, build_form(form.game, "public"))(average)  # type: ignore[arg-type]
        other = _in_sequence(form, build_form(form.game, "sequence"))(average)  # type: ignore[arg-type]
        assert one.values == pytest.approx(other.values, abs=1e-9)
        assert one.best_responses == pytest.approx(other.best_responses, abs=1e-9)


def test_three_players_are_measured_in_the_sequence_form() -> None:
    form = bucketed_form(poker("kuhn(players=3)"))
    found = measurer(form)
    assert found is not None
    uniform = build_form(form.game, "sequence")
    expected = uniform.measure(uniform.tree.uniform())  # type: ignore[attr-defined, arg-type]
    assert found(np.zeros(form.numbers)).best_responses == pytest.approx(expected.best_responses)


def test_what_is_too_large_is_not_measured() -> None:
    from tests.tree.bucketed.test_form import one_bucket

    game = poker("holdem-limit")
    assert measurer(bucketed_form(game, one_bucket(cards_of("holdem-limit")))) is None
