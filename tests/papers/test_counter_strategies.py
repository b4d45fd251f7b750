"""Counter-strategies: the exact numbers agree with the game, and the translations with the sizes that they know."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.papers.counter_strategies import (
    DBR,
    EVERY,
    FBR,
    KNOWN,
    RNR,
    TRANSLATIONS,
    bet_game,
    by_observations,
    data_biased,
    translated,
    translations,
)
from pokerlab.papers.teams import counter, laboratory
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form


@pytest.fixture(scope="module")
def leduc():
    return laboratory(("formula", "always-raise"), ("formula",), 1.0)


def test_more_hands_make_a_better_response(leduc) -> None:
    watched = by_observations(leduc, "formula", (100, 5_000), (0, 1))
    best = leduc.wins(leduc.members["formula"], "formula")
    for methods in watched.values():
        assert methods[FBR][0].mean <= best + 1e-9  # nothing wins more than the best response to the opponent itself
    assert watched[5_000][FBR][0].mean > watched[100][FBR][0].mean
    assert watched[100][DBR][1].mean < min(watched[100][RNR][1].mean, watched[100][FBR][1].mean)


def test_data_biased_responses_span_equilibrium_and_best_response(leduc) -> None:
    form, model = leduc.form, leduc.opponents["formula"]
    free = data_biased(form, model, np.zeros(len(model)))
    assert form.measure(free).exploitability == pytest.approx(0, abs=1e-6)
    held = data_biased(form, model, np.full(len(model), 0.75))
    assert leduc.wins(free, "formula") < leduc.wins(held, "formula")
    assert leduc.wins(held, "formula") <= leduc.wins(counter(form, model, 1.0), "formula") + 1e-9


@pytest.mark.parametrize("name", TRANSLATIONS)
def test_known_sizes_are_read_as_themselves(name: str) -> None:
    form = sequence_form(build(bet_game(KNOWN)))
    profile = np.random.default_rng(0).random(form.sequences - 2)
    profile = form.normalize(profile)
    np.testing.assert_allclose(translated(form, profile, form, name), profile)


def test_other_sizes_exploit_a_blueprint() -> None:
    read = translations()
    known = read.pop("only the known sizes are bet")
    assert known == pytest.approx(0, abs=1e-6)
    assert min(read.values()) > 0.001
    assert set(KNOWN) < set(EVERY)
