"""The expert's rules: groups of hole cards, one rule for every facts, better hands played harder."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pokerlab.agents.library.rules import LATER, OPENING, Facts, Rule, hole_card_groups
from pokerlab.cards.combos import CLASS_NAMES, CLASS_SIZES
from pokerlab.match.run.match import MatchSettings, play_match

GROUP = dict(zip(CLASS_NAMES, hole_card_groups().tolist(), strict=True))


def situations() -> list[Facts]:
    options = product(range(1, 9), (False, True), (False, True), range(7), (1, 2, 5), (0.0, 0.5, 0.9))
    return [Facts(*each) for each in options]


@pytest.mark.parametrize("rules", [OPENING, LATER])
def test_every_situation_has_a_rule(rules: tuple[Rule, ...]) -> None:
    for facts in situations():
        assert any(rule.fits(facts) for rule in rules), facts


@pytest.mark.parametrize("rules", [OPENING, LATER])
def test_every_rule_is_used(rules: tuple[Rule, ...]) -> None:
    used = {next(i for i, rule in enumerate(rules) if rule.fits(facts)) for facts in situations()}
    assert used == set(range(len(rules)))


@pytest.mark.parametrize("rules", [OPENING, LATER])
def test_better_groups_fold_no_more(rules: tuple[Rule, ...]) -> None:
    for facts in situations():
        if facts.group > 1:
            better = facts._replace(group=facts.group - 1)
            triples = [next(rule.then for rule in rules if rule.fits(each)) for each in (better, facts)]
            assert triples[0].fold <= triples[1].fold + 1e-9, facts


@pytest.mark.parametrize("rules", [OPENING, LATER])
def test_more_raises_fold_no_fewer_hands(rules: tuple[Rule, ...]) -> None:
    for facts in situations():
        triples = [
            next(rule.then for rule in rules if rule.fits(each))
            for each in (facts._replace(raises=facts.raises + 1), facts)
        ]
        assert triples[0].fold >= triples[1].fold - 1e-9, facts


def test_groups_cover_all_hands_and_keep_the_order_people_know() -> None:
    shares = np.bincount(hole_card_groups(), CLASS_SIZES, minlength=9)[1:] / CLASS_SIZES.sum()
    assert (shares > 0).all()
    for better, worse in [("AA", "AKs"), ("AKs", "AKo"), ("AKo", "T9s"), ("T9s", "72o"), ("22", "72o"), ("JTs", "J2o")]:
        assert GROUP[better] <= GROUP[worse], (better, worse)
    assert (GROUP["AA"], GROUP["72o"], GROUP["32o"]) == (1, 8, 8)


@pytest.mark.parametrize("weaker", ["always-call", "random", "always-fold"])
def test_beats_weaker_agents(weaker: str) -> None:
    result = play_match(MatchSettings.of("holdem-limit", ["rules", weaker], hands=1000, duplicate=True, seed=1))
    assert result.summaries[0].low > 0
