"""Assessments as people ask for them: of textbook games, solutions of every form, and beliefs of their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab import solve
from pokerlab.errors import BadSetting, UnknownName
from pokerlab.formats.gambit import parse_efg
from pokerlab.lab.analyse.assessing import COLUMNS, assess, assess_solution
from published.refinements import GUESS_THE_ACE, HORSE


def test_the_equilibrium_of_the_horse_that_is_not_sequential() -> None:
    """(D, c, L): player 2, who is never asked, would win 4 by d and wins 1 by c."""
    found = assess(parse_efg(HORSE), {"one": "D", "two": "c", "three": "L"})
    assert [found.at(index).infoset for index in found.irrational] == ["two"]
    two = found["two"]
    assert (two.accidents, two.reach, two.better) == (1, 0.0, "d")
    assert (two.loss, two.one_shot_loss) == (3.0, 3.0)
    assert two.action_values == {"c": 1.0, "d": 4.0}
    assert found["three"].beliefs == {"D": 1.0}
    assert found.is_consistent
    before, last = found.consistency.distance[-2:]  # of the last two trembles
    assert [one.belief_distance for one in found.places(every=True)] == last.tolist() != before.tolist()


@pytest.mark.parametrize(("left", "sensible"), [(0.2, True), (0.25, True), (0.4, False)])
def test_the_equilibria_of_the_horse_that_are(left: float, sensible: bool) -> None:
    """(C, c, L with at most 1/4), if player 3 believes in D with 1/3: player 2 trembles twice as often as player 1."""
    play = {"one": "C", "two": "c", "three": {"L": left, "R": 1 - left}}
    shaking = {"one": {"C": 2 / 3, "D": 1 / 3}, "two": {"c": 1 / 3, "d": 2 / 3}}
    found = assess(parse_efg(HORSE), play, accidents=shaking)
    assert found["three"].beliefs == pytest.approx({"D": 1 / 3, "C d": 2 / 3})
    assert found.is_rational == sensible
    assert found.is_consistent
    uniform = assess(parse_efg(HORSE), play)
    assert uniform["three"].beliefs == pytest.approx({"D": 0.5, "C d": 0.5})
    assert uniform["three"].loss == pytest.approx((1 - left) * 0.5)  # L wins 1 and R 1/2


def test_beliefs_of_ones_own_are_compared_with_the_limit() -> None:
    play = {"one": "C", "two": "c", "three": "R"}
    found = assess(parse_efg(HORSE), play, beliefs={"three": {"C d": 0.9, "D": 0.1}})
    assert found.is_rational
    assert not found.is_consistent  # with uniform trembles
    assert found["three"].belief_distance == pytest.approx(0.4)
    rounded = assess(parse_efg(HORSE), play, beliefs={"three": {"C d": 0.9000004, "D": 0.1}})
    assert sum(rounded["three"].beliefs.values()) == pytest.approx(1, abs=1e-12)
    for wrong in ({"C d": 0.5}, {"C": 1.0}, {"C d": 1.5, "D": -0.5}):
        with pytest.raises(BadSetting, match=r"beliefs at 'three' are probabilities of its histories \(D, C d\)"):
            assess(parse_efg(HORSE), play, beliefs={"three": wrong})
    with pytest.raises(UnknownName):
        assess(parse_efg(HORSE), play, beliefs={"four": {"D": 1.0}})


def test_accidents_leave_nothing_out() -> None:
    """Infosets that no accident leads to would have no beliefs, and so nothing to lose there."""
    horse, play = parse_efg(HORSE), {"one": "D", "two": "c", "three": "L"}
    told = "'C' at 'one' is neither played nor taken by accident: .* completely mixed"
    for accidents in (play, {"one": "D"}):
        with pytest.raises(BadSetting, match=told):
            assess(horse, play, accidents=accidents)
    with pytest.raises(BadSetting, match="'d' at 'two' is neither"):
        assess(horse, play, accidents={"two": "c"})  # uniform elsewhere
    for accidents in ({"one": "C"}, {"two": "d"}):  # what is played needs no accident
        found = assess(horse, play, accidents=accidents)
        assert [found.at(index).infoset for index in found.irrational] == ["two"]
        assert found.is_consistent


def test_what_chance_never_does_takes_no_part() -> None:
    """Player 2 is asked after an accident alone; that chance could have led there without one is not believed."""
    game = """EFG 2 R "never" { "1" "2" }
""
c "" 1 "" { "never" 0 "always" 1 } 0
p "" 1 1 "one" { "L" "R" } 0
p "" 2 1 "two" { "l" "r" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
t "" 3 "" { 0 0 }
p "" 1 1 0
t "" 4 "" { 1 -1 }
p "" 2 1 0
t "" 5 "" { -2 2 }
t "" 6 "" { 3 -3 }
"""
    two = assess(parse_efg(game), {"one": "L", "two": "r"})["two"]
    assert (two.beliefs, two.accidents, two.reach) == ({"always R": 1.0}, 1, 0.0)
    assert (two.loss, two.better) == (5.0, "l")


def test_the_better_action_is_that_of_the_best_play_from_there_on() -> None:
    """Which is not always the one that gains most if the strategy is played afterwards."""
    found = assess("leduc", {})
    unlike = 0
    for index in range(len(found.strategy)):
        one = found.at(index)
        slots = slice(found.strategy.start[index], found.strategy.start[index + 1])
        assert one.better == found.strategy.actions[index][int(found.verdict.better[index]) - slots.start]
        unlike += one.better != max(one.action_values, key=lambda action: one.action_values[action])
    assert unlike


def test_a_silly_guess_is_found() -> None:
    found = assess(parse_efg(GUESS_THE_ACE), {"offer": "stop", "guess": "ace"})
    guess = found["guess"]
    assert guess.beliefs == pytest.approx({"play another": 51 / 52, "play ace of spades": 1 / 52})
    assert guess.loss == pytest.approx(1000 * 50 / 52)
    assert guess.better == "other"


def test_every_form_of_a_solution() -> None:
    """The same game in the sequence and in the public form; a spot has no histories."""
    public = solve("kuhn", form="public", algorithm="cfr+", iterations=300)
    assert public.form == "public"
    found = assess_solution(public)
    again = assess("kuhn", public)
    assert found.verdict.loss == pytest.approx(again.verdict.loss)
    assert found.largest_loss < 0.05
    with pytest.raises(BadSetting, match="solution of a spot"):
        assess_solution(solve("examples/river.toml", iterations=1))


def test_three_players_and_tolerances() -> None:
    found = assess("kuhn(players=3)", {})
    assert len(found.irrational) > 10
    assert found.largest_loss == pytest.approx(max(one.loss for one in found.places()))
    gains = found.verdict.loss - found.verdict.one_shot
    index = int(np.argmax(gains))  # where it takes two deviations
    assert gains[index] > 0.01
    between = assess("kuhn(players=3)", {}, tolerance=float(found.verdict.loss[index] - gains[index] / 2))
    assert index in between.irrational
    strict = assess("kuhn(players=3)", {}, tolerance=found.largest_loss)
    assert strict.is_rational
    with pytest.raises(BadSetting, match="at least 0"):
        assess("kuhn", {}, tolerance=-1)
    with pytest.raises(BadSetting, match="players 0 to 2"):
        list(found.places(player=3))


def test_the_command(folder: Path, cli: CommandLine) -> None:
    Path("guess.efg").write_text(GUESS_THE_ACE)
    assert cli(["solve", "guess.efg", "--with", "lp(tremble=1e-6)", "--out", "refined.solution"]).code == 0
    out = cli(["beliefs", "refined.solution", "--all"]).printed
    assert "sequentially rational: no deviation" in out
    assert "play another 98%" in out
    cli(["solve", "kuhn(players=3)", "--iterations", "3", "--out", "k.solution"])
    answer = cli(["beliefs", "k.solution", "--rows", "2", "--csv", "k.csv"])
    out = answer.printed
    assert "not sequentially rational: at " in out
    assert "more; select with --rows, --player and --containing" in out
    heading, *rows = Path("k.csv").read_text().splitlines()
    assert heading.split(",") == COLUMNS
    assert f"wrote {len(rows):,} rows" in answer.error
    assert cli(["beliefs", "k.solution", "--player", "3"]).refusal.endswith("has players 0 to 2, not 3")
    told = cli(["beliefs", "k.solution", "--player", "1", "--containing", "K:", "--json"]).json
    assert {place["player"] for place in told["places"]} <= {1}
    assert all("K:" in place["infoset"] for place in told["places"])
