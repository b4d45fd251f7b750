"""Classes grouped within earlier buckets: recall, the integer program, cuts by hand; and uniform buckets."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab.abstraction import bucket_file
from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import Plan, make
from pokerlab.abstraction.within import EVEN, Groups, _groups, _optimal, cut_by_hand, sampled_classes, within
from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.lab.abstraction.regrouping import read_cuts

DEALS = 4000


@cache
def fine() -> Buckets:
    """Rhode Island hold'em, in classes without recall."""
    cards = CardRounds.of(open_game("rhode-island(ranks=6)"))  # type: ignore[arg-type]
    return make(Plan(cards, ("lossless", "emd:12", "strength:15")))


def test_a_bucket_determines_those_before_and_there_are_as_many_as_asked() -> None:
    for look_ahead in (False, True):
        grouped = within(fine(), (3, 9, 30), deals=DEALS, look_ahead=look_ahead)
        assert grouped.remembers
        assert all(count <= total for count, total in zip(grouped.counts, (3, 9, 30), strict=True))
        assert grouped.counts[0] == 3
        for one, before in zip(grouped.rounds[1:], grouped.counts, strict=False):
            assert one.join is not None
            children = [set(row.tolist()) for row in one.join]
            assert len(children) == before
            assert sum(map(len, children)) == len(set().union(*children)) == one.count  # no bucket has two parents


def test_numbers_of_children_are_those_with_the_least_error() -> None:
    """Against every possible choice; and never worse than the same number for all."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        errors = [np.sort(rng.random(rng.integers(1, 5)))[::-1] for _ in range(3)]
        groups = [Groups(tuple(range(len(one))), one) for one in errors]
        total = int(rng.integers(3, 1 + sum(map(len, errors))))
        choices = product(*(range(1, len(one) + 1) for one in errors))
        best = min(
            sum(float(one[number - 1]) for one, number in zip(errors, numbers, strict=True))
            for numbers in choices
            if sum(numbers) <= total
        )
        chosen = _optimal(groups, total)
        assert sum(chosen) <= total
        assert sum(one[number - 1] for one, number in zip(errors, chosen, strict=True)) == pytest.approx(best)
    optimal, even = (within(fine(), (3, 9, 36), deals=DEALS, children=how) for how in ("optimal", EVEN))
    assert optimal.rounds[2].distortion < even.rounds[2].distortion


def test_central_classes_are_added_where_they_help_most() -> None:
    squares = (np.array([0.0, 1.0, 5.0, 6.0])[:, None] - np.array([0.0, 1.0, 5.0, 6.0])) ** 2
    groups = _groups(np.array([3.0, 1.0, 2.0, 0.0]), squares, 4)
    assert groups.centres == (1, 2, 0)  # the last class never comes here
    assert groups.errors == pytest.approx([3 + 2 * 16, 3, 0])


def test_sampled_classes_are_those_of_the_same_hand_in_every_round() -> None:
    seen = sampled_classes(fine(), 500, 3)
    assert [len(one) for one in seen] == [500] * 3
    assert [int(one.max()) < count for one, count in zip(seen, fine().counts, strict=True)] == [True] * 3
    again = sampled_classes(fine(), 500, 3)
    assert all(np.array_equal(one, other) for one, other in zip(seen, again, strict=True))


def test_cuts_are_thresholds_within_each_earlier_bucket(tmp_path: Path) -> None:
    cards = CardRounds.of(open_game("leduc"))  # type: ignore[arg-type]
    strengths = make(Plan(cards, ("uniform:20", "uniform:20")))
    (tmp_path / "cuts.toml").write_text("first = [[0.5]]\nsecond = [[], [0.4, 0.7]]\n")
    cut = cut_by_hand(strengths, read_cuts(tmp_path / "cuts.toml", ("first", "second")))
    assert cut.counts == (2, 4)  # weak hands stay together, strong ones are cut twice
    starts, join = strengths.rounds[1].arrays["starts"], cut.rounds[1].join
    assert join is not None
    assert join[0].tolist() == [0] * len(starts)
    assert join[1].tolist() == [1 + int(start >= 0.4) + int(start >= 0.7) for start in starts.tolist()]
    for text, message in (
        ("first = [[0.5]]\n", "needs lists of cuts for every round, as in second"),
        ("first = [[0.5]]\nsecond = [['a']]\n", "not all numbers"),
        ("first = [[0.5]]\nsecond = [[]]\nthird = [[]]\n", "no round"),
    ):
        (tmp_path / "cuts.toml").write_text(text)
        with pytest.raises(BadFile, match=message):
            read_cuts(tmp_path / "cuts.toml", ("first", "second"))
    for cuts, message in (
        ([[[0.5]], [[], [], []]], "cuts for 3 buckets"),
        ([[[0.5, 0.2]], [[]]], "must increase"),
        ([[[0.5]]], "1 lists of cuts"),
    ):
        with pytest.raises(BadSetting, match=message):
            cut_by_hand(strengths, cuts)
    with pytest.raises(BadSetting, match="classes of round 0 are by lossless"):
        cut_by_hand(fine(), [[[0.5]]] * 3)


def test_uniform_buckets_have_equal_width() -> None:
    cards = CardRounds.of(open_game("rhode-island"))  # type: ignore[arg-type]
    (one,) = make(Plan(cards, ("lossless", "lossless", "uniform:8"))).rounds[2:]
    starts = one.arrays["starts"]
    assert (starts * 8).tolist() == [float(round(start * 8)) for start in starts.tolist()]
    assert len(starts) == one.count <= 8


def test_grouped_buckets_come_back_from_a_file(folder: Path, cli: CommandLine) -> None:
    bucket_file.save(fine(), folder / "fine.buckets")
    game = "rhode-island(ranks=6)"
    made = cli(["abstract", game, "--within", "fine.buckets", "--totals", "3,9,30", "--out", "a.buckets", "--json"])
    assert [one["buckets"] for one in made.json["rounds"]] == [3, 9, 30]
    kept = bucket_file.load(folder / "a.buckets")
    assert kept.counts == (3, 9, 30)
    assert kept.fingerprint == replace(kept).fingerprint  # of the arrays, not only of the manifest
    for words, message in (
        (["--totals", "3,2,30"], "cannot have 2 buckets: each of the 3"),
        (["--totals", "3,9"], "2 totals, and the game has 3"),
        (["--totals", "3,x,9"], "a number of buckets for each round"),
        ([], "--totals, or where to cut with --cuts"),
        (["--totals", "3,9,30", "--children", "some"], "children are optimal or even"),
    ):
        refused = cli(["abstract", game, "--within", "fine.buckets", *words])
        assert refused.code == 2
        assert message in refused.error
    assert "belongs to --within" in cli(["abstract", game, "--totals", "3,9,30"]).error
    assert "other cards" in cli(["abstract", "leduc", "--within", "fine.buckets", "--totals", "1,1"]).error
    assert "perfect recall already" in cli(["abstract", game, "--within", "a.buckets", "--totals", "3,9,30"]).error
