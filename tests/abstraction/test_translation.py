"""Translation of bets: the published axioms, the published tables, and what is refused."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import numpy as np
import pytest

from pokerlab.abstraction.translation import TRANSLATIONS, translation
from pokerlab.errors import BadSetting, PokerlabError, UnknownName
from published.translation import CHANCES, CLAIRVOYANCE, IN_THE_MIDDLE, SMALLER, STACKS

ALL = [
    *CLAIRVOYANCE,
    "arithmetic(random=false)",
    "geometric(variant=second, random=false)",
    "pseudo-harmonic(below=call)",
]
DRAWN = [spec for spec in ALL if translation(spec).random]
MEDIANS = {
    "arithmetic": lambda a, b: (a + b) / 2,
    "geometric": lambda a, b: sqrt(a * b),
    "geometric(variant=second)": lambda a, b: sqrt(a * b),
    "pseudo-harmonic": lambda a, b: (a + b + 2 * a * b) / (a + b + 2),
}


def pairs(seed: int, count: int = 60) -> list[tuple[float, float]]:
    """Two sizes, small and large, near and far apart."""
    rng = np.random.default_rng(seed)
    smaller = 10 ** rng.uniform(-2, 1.5, count)
    return list(zip(smaller, smaller * (1 + 10 ** rng.uniform(-2, 1.5, count)), strict=True))


@pytest.mark.parametrize("spec", ALL)
def test_a_bet_on_the_menu_is_read_as_itself(spec: str) -> None:
    method = translation(spec)
    for a, b in [*pairs(1), (0.0, 1.0)]:
        assert method.chance(a, b, a) == 1
        assert method.chance(a, b, b) == 0
        assert method.spread([a, b], a) == ((0, 1.0),)
        assert method.spread([a, b], b) == ((1, 1.0),)


@pytest.mark.parametrize("spec", ALL)
def test_larger_bets_are_not_read_as_smaller_ones(spec: str) -> None:
    method = translation(spec)
    for a, b in [*pairs(2), (0.0, 0.7)]:
        chances = [method.chance(a, b, x) for x in np.linspace(a, b, 50)]
        assert all(0 <= chance <= 1 for chance in chances)
        assert all(later <= earlier + 1e-12 for earlier, later in pairwise(chances))


@pytest.mark.parametrize("spec", ALL)
def test_the_unit_of_chips_does_not_matter(spec: str) -> None:
    method = translation(spec)
    rng = np.random.default_rng(3)
    for a, b in [*pairs(3), (0.0, 1.3)]:
        x, unit = rng.uniform(a, b), 10 ** rng.uniform(-3, 4)
        assert method.chance(a * unit, b * unit, x * unit, pot=unit) == pytest.approx(method.chance(a, b, x), abs=1e-9)


@pytest.mark.parametrize("spec", DRAWN)
def test_the_chance_is_continuous_in_the_bet_and_in_the_sizes(spec: str) -> None:
    """Sizes above 0: at 0 the geometric ones jump, which is what the paper holds against them."""
    method, step = translation(spec), 1e-7
    for a, b in pairs(4):
        x = (a + b) / 2
        for moved in (method.chance(a, b, x + step), method.chance(a + step, b, x), method.chance(a, b + step, x)):
            assert moved == pytest.approx(method.chance(a, b, x), abs=step * 100 * (1 + 1 / a) / min(b - a, 1) ** 2)


@pytest.mark.parametrize("spec", MEDIANS)
def test_the_median_is_where_the_deterministic_form_changes(spec: str) -> None:
    drawn = translation(spec)
    fixed = type(drawn)(**{**vars_of(drawn), "random": False})
    for a, b in pairs(5):
        middle = MEDIANS[spec](a, b)
        assert drawn.chance(a, b, middle) == pytest.approx(0.5)
        assert fixed.chance(a, b, middle - (middle - a) * 1e-6) == 1
        assert fixed.chance(a, b, middle + (b - middle) * 1e-6) == 0


def vars_of(method: object) -> dict[str, object]:
    return {name: getattr(method, name) for name in method.__dataclass_fields__}  # type: ignore[attr-defined]


@pytest.mark.parametrize("spec", CHANCES)
def test_published_chances(spec: str) -> None:
    found = [translation(spec).chance(a, 1.0, 0.25) for a in SMALLER]
    assert found == pytest.approx(CHANCES[spec], abs=0.0006)


def clairvoyance(spec: str, stack: int) -> float:
    """What a bettor who is sure of his hand gains against a caller who knows the sizes 0, 1 and all-in alone.

    Pot 1, half of it the bettor's; half of his hands win. The caller calls a bet of x with 1 / (1 + x), which is an
    equilibrium worth n / (2 (n + 1)).
    """
    method, sizes = translation(spec), sorted({0.0, 1.0, float(stack)})
    bets = [tenths / 10 for tenths in range(10 * stack + 1)]
    calls = [sum(part / (1 + sizes[place]) for place, part in method.spread(sizes, bet)) for bet in bets]
    winning = max(0.5 + call * bet for bet, call in zip(bets, calls, strict=True))
    losing = max(0.5 - call * (1 + bet) for bet, call in zip(bets, calls, strict=True))
    return (winning + losing) / 2 - stack / (2 * (stack + 1))


@pytest.mark.parametrize("spec", CLAIRVOYANCE)
def test_published_exploitability_of_the_clairvoyance_game(spec: str) -> None:
    for stack, printed in zip(STACKS, CLAIRVOYANCE[spec], strict=True):
        found = clairvoyance(spec, stack)
        assert found == pytest.approx(IN_THE_MIDDLE.get((spec, stack), printed), abs=0.0051), stack


@pytest.mark.parametrize("spec", ALL)
def test_outside_of_the_menu(spec: str) -> None:
    method, sizes = translation(spec), [0.5, 1.0, 3.0]
    assert method.spread(sizes, 0.1) == ((0, 1.0),)
    assert method.spread(sizes, 40.0) == ((2, 1.0),)
    assert method.spread([0.7], 0.2) == method.spread([0.7], 9.0) == ((0, 1.0),)
    with_a_call = dict(method.spread([0.0, *sizes], 0.1))
    assert sum(with_a_call.values()) == pytest.approx(1)
    assert set(with_a_call) <= {0, 1}


def test_what_is_read_follows_the_chances() -> None:
    method, rng = translation("pseudo-harmonic"), np.random.default_rng(7)
    counts = np.bincount([method.read([0.5, 1.0], 0.73, draw) for draw in rng.random(4000)])
    chance = 81 / 173  # by hand
    assert abs(counts[0] / 4000 - chance) < 5 * sqrt(chance * (1 - chance) / 4000)
    assert method.read([0.5, 1.0], 0.73, 0.0) == 0
    assert method.read([0.5, 1.0], 0.73, chance + 1e-9) == 1


def test_names_and_settings() -> None:
    assert set(TRANSLATIONS) == {"nearest", "arithmetic", "geometric", "pseudo-harmonic"}
    assert translation("Pseudo_Harmonic").name == "pseudo-harmonic"
    for spec in ALL:
        method = translation(spec)
        assert translation(method.name) == method
        assert translation(method) is method
    with pytest.raises(UnknownName, match="pseudo-harmonic"):
        translation("harmonic")
    with pytest.raises(BadSetting, match="takes"):
        translation("nearest(size=2)")
    for wrong in ("geometric(variant=third)", "nearest(random=2)", "arithmetic(below=fold)", "arithmetic("):
        with pytest.raises(PokerlabError):
            translation(wrong)


@pytest.mark.parametrize(("smaller", "larger"), [(1.0, 1.0), (2.0, 1.0), (-0.1, 1.0), (float("nan"), 1.0)])
def test_sizes_that_are_none(smaller: float, larger: float) -> None:
    with pytest.raises(BadSetting, match="must ascend"):
        translation("arithmetic").chance(smaller, larger, 0.5)


def test_an_empty_menu() -> None:
    with pytest.raises(BadSetting, match="none"):
        translation("nearest").spread([], 0.5)
